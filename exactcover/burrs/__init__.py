"""Taking solutions apart: several pieces move together, by steps along the lattice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.burrs.disassembly import Disassembly, GroupMove, Played, Separation
    from exactcover.burrs.search import TakenApart
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "burrs.disassembly": "Disassembly GroupMove Played Separation",
            "burrs.search": "TakenApart",
        },
    )

__all__ = ["Disassembly", "GroupMove", "Played", "Separation", "TakenApart"]

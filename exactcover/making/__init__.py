"""What hands can make: the order in which the pieces of a solid go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.making.assembling import Assembly, Move, assembly
else:
    __getattr__, __dir__ = on_demand(__name__, {"making.assembling": "Assembly Move assembly"})

__all__ = ["Assembly", "Move", "assembly"]

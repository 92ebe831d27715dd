"""Taking solutions apart: several pieces move together, by steps along the lattice."""

from exactcover.studio.burrs.search import GroupMove, TakenApart
from exactcover.studio.burrs.solutions import Apartness, Disassembling, apart, assembled, view_apart

__all__ = [
    "Apartness",
    "Disassembling",
    "GroupMove",
    "TakenApart",
    "apart",
    "assembled",
    "view_apart",
]

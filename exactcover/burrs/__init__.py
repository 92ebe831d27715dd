"""Taking solutions apart: several pieces move together, by steps along the lattice."""

from exactcover.burrs.disassembly import Disassembly, GroupMove, Played, Separation
from exactcover.burrs.search import TakenApart

__all__ = ["Disassembly", "GroupMove", "Played", "Separation", "TakenApart"]

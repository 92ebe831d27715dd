"""The lattices: one small module each; what they have in common is in `base`."""

from exactcover.lattices.base import Cells, Lattice, Motion, point
from exactcover.lattices.registry import get_lattice, lattices

__all__ = ["Cells", "Lattice", "Motion", "get_lattice", "lattices", "point"]

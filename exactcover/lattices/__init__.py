"""The lattices: one small module each; what they have in common is in `base`."""

from exactcover.lattices.base import Board, Cells, Lattice
from exactcover.lattices.family import Family
from exactcover.lattices.motions import Motion, point
from exactcover.lattices.names import Letters, NamedSet, PieceNames
from exactcover.lattices.registry import get_lattice, lattices, without_files

__all__ = [
    "Board",
    "Cells",
    "Family",
    "Lattice",
    "Letters",
    "Motion",
    "NamedSet",
    "PieceNames",
    "get_lattice",
    "lattices",
    "point",
    "without_files",
]

"""The lattices: one small module each; what they have in common is in `base`."""

from exactcover.lattices.base import Board, Cells, Lattice
from exactcover.lattices.family import Family
from exactcover.lattices.motions import Motion, point
from exactcover.lattices.names import Letters, NamedSet, PieceNames
from exactcover.lattices.registry import get_lattice, lattices
from exactcover.lattices.sketch import Rows, Sketch
from exactcover.lattices.view import Glyph, Mark, View, Wall

__all__ = [
    "Board",
    "Cells",
    "Family",
    "Glyph",
    "Lattice",
    "Letters",
    "Mark",
    "Motion",
    "NamedSet",
    "PieceNames",
    "Rows",
    "Sketch",
    "View",
    "Wall",
    "get_lattice",
    "lattices",
    "point",
]

"""A puzzle as a person says it (`puzzle`, `pieces`), and as an engine sees it (`model`)."""

from exactcover.puzzle.model import Model
from exactcover.puzzle.pieces import (
    Cell,
    Piece,
    Placement,
    Region,
    ShapeGroup,
    cells_array,
)
from exactcover.puzzle.puzzle import Puzzle

__all__ = [
    "Cell",
    "Model",
    "Piece",
    "Placement",
    "Puzzle",
    "Region",
    "ShapeGroup",
    "cells_array",
]

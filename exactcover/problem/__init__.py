"""The abstract exact cover, and the layout that ties it to a puzzle.

`problem` holds the problem itself, `layout` the geometry behind it as arrays.
"""

from __future__ import annotations

from exactcover.problem.problem import (
    MAX_COUNT,
    Coloured,
    IntArray,
    Matrix,
    Multiplicity,
    Options,
    Problem,
)

__all__ = ["MAX_COUNT", "Coloured", "IntArray", "Matrix", "Multiplicity", "Options", "Problem"]

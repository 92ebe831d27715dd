"""The abstract exact cover, and the layout that ties it to a puzzle.

`problem` has the class. `stating` turns a user's lists and matrices into arrays, and `checking`
checks them. `layout` is the geometry behind a problem, as arrays.
"""

from __future__ import annotations

from exactcover.problem.checking import IntArray
from exactcover.problem.layout import Layout
from exactcover.problem.problem import Problem
from exactcover.problem.stating import Coloured, Matrix, Multiplicity, Options

__all__ = ["Coloured", "IntArray", "Layout", "Matrix", "Multiplicity", "Options", "Problem"]

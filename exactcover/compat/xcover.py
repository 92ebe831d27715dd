"""The calls of the package `xcover`: options or a matrix in, lists of option numbers out.

Its calls for decision diagrams are not here.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy.typing as npt

from exactcover.api import covers, listed
from exactcover.compat.exact_cover import problem_of

__all__ = ["covers", "covers_bool"]


def covers_bool(matrix: npt.ArrayLike) -> Iterator[list[int]]:
    """The exact covers among the rows of a matrix, one after the other; not 0 counts as 1."""
    return listed(problem_of(matrix))

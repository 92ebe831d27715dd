"""The call of the package `exact-cover-py`: a matrix in, lists of row numbers out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy.typing as npt

from exactcover.api import listed
from exactcover.problem import Problem

__all__ = ["exact_covers"]


def exact_covers(array: npt.ArrayLike) -> Iterator[list[int]]:
    """The exact covers among the rows of a matrix of 0 and 1, one after the other."""
    return listed(Problem.from_matrix(array))

"""A matrix of 0 and 1, dense or sparse, as the rows of a problem."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from exactcover.errors import ProblemError


class SparseMatrix(Protocol):
    """A sparse matrix of SciPy, in any format; SciPy itself is not needed here."""

    def tocsr(self, copy: bool = ...) -> Any: ...


Matrix = npt.NDArray[Any] | SparseMatrix
"""A matrix of a problem: a row for each option, a column for each item, entries 0 and 1."""


def filled_places(matrix: Any) -> tuple[int, npt.NDArray[Any], npt.NDArray[Any]]:
    """The number of columns of a matrix of 0 and 1, and its ones: `starts` by row, and columns."""
    wrong = "the matrix must hold only 0 and 1 (or False and True)"
    if hasattr(matrix, "tocsr"):
        if len(matrix.shape) != 2:
            raise ProblemError(f"the matrix must have two dimensions, not {len(matrix.shape)}")
        sparse = matrix.tocsr(copy=True)
        sparse.sum_duplicates()
        sparse.eliminate_zeros()
        if not (sparse.data == 1).all():
            raise ProblemError(wrong)
        return sparse.shape[1], sparse.indptr, sparse.indices
    try:
        array = np.asarray(matrix)
    except ValueError:
        raise ProblemError("the rows of the matrix must be equally long") from None
    if array.ndim != 2:
        raise ProblemError(f"the matrix must have two dimensions, not {array.ndim}")
    if array.dtype != np.bool_ and not np.isin(array, (0, 1)).all():
        raise ProblemError(wrong)
    rows, columns = np.nonzero(array)
    starts = np.searchsorted(rows, np.arange(array.shape[0] + 1))
    return array.shape[1], starts, columns


def primary_first(columns: int, secondary: Iterable[int]) -> tuple[npt.NDArray[np.int64], int]:
    """The columns with the secondary ones last, and how many are primary."""
    second = sorted(set(secondary))
    if second and not (0 <= second[0] and second[-1] < columns):
        raise ProblemError(f"secondary columns must lie in 0..{columns - 1}")
    is_second = np.zeros(columns, bool)
    is_second[second] = True
    order = np.concatenate([np.flatnonzero(~is_second), np.flatnonzero(is_second)])
    return order, columns - len(second)

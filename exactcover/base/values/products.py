"""Products of real numbers whose sums have a fixed order.

`@`, `np.dot` and `np.linalg` leave the order of a sum to BLAS, which chooses it by the processor.
So the last bits differ from one machine to another. Values that are sorted or written are made
here.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
"""An array of real numbers."""

Numbers = npt.NDArray[np.float64] | npt.NDArray[np.int64]


def times(rows: Numbers, matrix: Numbers) -> Floats:
    """Rows [..., n] times a matrix [n, m]: float64 [..., m]."""
    return np.asarray((rows[..., None] * matrix).sum(axis=-2, dtype=np.float64))


def dot(first: Floats, second: Floats) -> Floats:
    """The products of vectors [..., n]: float64 [...]."""
    return np.asarray((first * second).sum(axis=-1))


def length(vectors: Floats) -> Floats:
    """The lengths of vectors [..., n]: float64 [...]."""
    return np.sqrt(dot(vectors, vectors))

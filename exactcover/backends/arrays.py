"""Arrays of the engines: their types, compressed rows, and sets of numbers as the bits of words.

Compressed rows are two arrays: where each row begins in the second one, and the values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Long = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]
Index = npt.NDArray[np.uint32]
Flags = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.integer[Any]]
Rows = tuple[Long, Long]

UNLIMITED = 1 << 40
"""More copies of a piece than can be placed."""


def bits_of(numbers: Numbers, words: int) -> Bits:
    """Numbers as the bits of this many words."""
    row: Bits = bit_rows(np.zeros_like(numbers), numbers, 1, words)[0]
    return row


def numbers_of(words: Sequence[int]) -> list[int]:
    """The numbers whose bits are set in some words, ascending."""
    return [64 * at + bit for at, word in enumerate(words) for bit in range(64) if word >> bit & 1]


def bit_rows(owner: Numbers, bits: Numbers, rows: int, words: int) -> Bits:
    """Rows of this many words, each with the bits that it owns: uint64 [rows, words]."""
    out = np.zeros((rows, words), np.uint64)
    np.bitwise_or.at(out, (owner, bits >> 6), np.uint64(1) << (bits & 63).astype(np.uint64))
    return out


def compressed(owner: Numbers, values: Numbers, rows: int) -> Rows:
    """Values by their owners as compressed rows: where each row begins, and the values.

    Within a row they keep their order.
    """
    starts = np.zeros(rows + 1, np.int64)
    np.cumsum(np.bincount(owner, minlength=rows), out=starts[1:])
    return starts, values[np.argsort(owner, kind="stable")].astype(np.int64)


def expanded(starts: Long, rows: Numbers) -> Long:
    """The places of all entries of these compressed rows, one row after the other."""
    lengths = np.diff(starts)[rows]
    inside = np.arange(lengths.sum()) - np.repeat(lengths.cumsum() - lengths, lengths)
    places: Long = np.repeat(starts[rows], lengths) + inside
    return places


def whole(words: Bits) -> int:
    """A number of several words, the lowest first."""
    digits: list[int] = words.tolist()
    return sum(one << (64 * at) for at, one in enumerate(digits))

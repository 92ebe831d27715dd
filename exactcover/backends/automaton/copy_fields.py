"""The number of placed copies of each kind of piece, as the bits of a few words.

Each kind that is limited has a field of bits. Its initial number is chosen so that the field
reaches a power of two, its highest bit, when the most copies allowed are placed. So one AND tests
whether a kind can still be placed, and a piece that occurs once has a single bit. A kind has no
field if more copies are allowed than fit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.backends.open_board import OpenBoard

Long = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class CopyFields:
    """The fields of the kinds.

    words    how many words; 1 even where no kind has a field
    bits     how many bits the fields take in the last word
    counted  bool [kinds]: has a field
    word     int64 [kinds]: the word of its field
    top      uint64 [kinds]: the highest bit of the field; 0 without one
    one      uint64 [kinds]: the amount added for a copy
    field    uint64 [kinds]: all bits of the field
    low      uint64 [kinds]: the field with no copy placed
    least    uint64 [kinds]: the field with the least number of copies placed
    exact    bool [kinds]: the least and the most number of copies are the same
    hopeless whether more copies must be placed than can be
    """

    words: int
    bits: int
    counted: npt.NDArray[np.bool_]
    word: Long
    top: Bits
    one: Bits
    field: Bits
    low: Bits
    least: Bits
    exact: npt.NDArray[np.bool_]
    hopeless: bool

    @classmethod
    def of(cls, board: OpenBoard) -> CopyFields:
        """The fields for the kinds of a board."""
        kinds = board.room.size
        fits = _most(board)
        room, need = np.minimum(board.room, fits), board.need
        counted = (board.room < fits) | (need > 0)
        word = np.zeros(kinds, np.int64)
        shift = np.zeros(kinds, np.int64)
        width = np.array([int(many - 1).bit_length() + 1 if many > 0 else 1 for many in room], int)
        at = 0
        for kind in np.flatnonzero(counted).tolist():
            if at % 64 + int(width[kind]) > 64:
                at += 64 - at % 64
            word[kind], shift[kind] = divmod(at, 64)
            at += int(width[kind])
        one = np.where(counted, 1, 0).astype(np.uint64)
        size = np.uint64(1) << (width - 1).astype(np.uint64)
        low = size - room.clip(0).astype(np.uint64)
        least = low + need.clip(0).astype(np.uint64)
        places = shift.astype(np.uint64)
        return cls(
            words=max(1, -(-at // 64)),
            bits=at - 64 * (max(1, -(-at // 64)) - 1),
            counted=counted,
            word=word,
            top=(one * size) << places,
            one=one << places,
            field=(one * (2 * size - np.uint64(1))) << places,
            low=(one * low) << places,
            least=(one * least) << places,
            exact=counted & (need >= room),
            hopeless=bool((need > room).any()),
        )

    @property
    def any(self) -> bool:
        """Whether any kind has a field."""
        return bool(self.counted.any())

    @property
    def all_exact(self) -> bool:
        """Whether every field ends full; the copies placed then determine the copies left."""
        return bool((self.exact == self.counted).all())

    def spread(self, values: Bits, of: npt.NDArray[np.bool_]) -> Bits:
        """The sum of the values of some kinds, each in its word: uint64 [words]."""
        out = np.zeros(self.words, np.uint64)
        np.bitwise_or.at(out, self.word[of], values[of])
        return out

    def by_kind(self, values: Bits) -> Bits:
        """The value of each kind in its word: uint64 [kinds, words]."""
        out = np.zeros((values.size, self.words), np.uint64)
        out[np.arange(values.size), self.word] = values
        return out

    @property
    def start(self) -> Bits:
        """Nothing placed: uint64 [words]."""
        return self.spread(self.low, self.counted)

    @property
    def full(self) -> Bits:
        """The least number of copies of all kinds placed: uint64 [words]."""
        return self.spread(self.least, self.counted)

    def enough(self, used: Bits) -> npt.NDArray[np.bool_]:
        """Whether the least numbers of copies are placed: bool [rows], for uint64 [rows, words]."""
        out = np.ones(len(used), bool)
        for kind in np.flatnonzero(self.counted).tolist():
            out &= (used[:, self.word[kind]] & self.field[kind]) >= self.least[kind]
        return out


def _most(board: OpenBoard) -> Long:
    """An upper bound on the copies of each kind, from the cells of its smallest image."""
    cells = board.bits < board.n_cells
    size = np.bincount(board.owner[cells], minlength=board.kind.size)
    smallest = np.full(board.room.size, board.n_cells + 1, np.int64)
    np.minimum.at(smallest, board.kind, size)
    return board.n_cells // smallest

"""The table of a level: states with their counts, found by a hash of the key.

A state is a node of the automaton and the fields of the pieces used. A table may have several
parts of equal size, divided by the hash, so that a crew fills them side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from exactcover.backends.automaton.memory import Memory
from exactcover.backends.automaton.relaxed import Automaton
from exactcover.backends.crew import Crew

Long = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]

DoneT = TypeVar("DoneT")

STATES = "the states of the count"

FULL = 0.7
"""A table is enlarged when this share of it is full."""

FIRST_ROWS = 1 << 8

MOST_PARTS = 1 << 5
"""The most parts of a table: what is dealt between them takes memory for each pair."""


@dataclass(frozen=True)
class KeyFormat:
    """The format of a state: fields, then the number of the node.

    words   the words of a key; fields: how many of them hold fields; shift: the bit of the last
            word where the node begins
    """

    words: int
    fields: int
    shift: int

    @classmethod
    def of(cls, automaton: Automaton) -> KeyFormat:
        """The format that holds the nodes and fields of an automaton."""
        used = automaton.copy_fields
        bits = (automaton.n_nodes + 1).bit_length()
        if used.bits + bits <= 64:
            return cls(used.words, used.words, used.bits)
        return cls(used.words + 1, used.words, 0)

    def key(self, node: int, fields: Bits) -> Bits:
        """The key of one state: uint64 [words]."""
        out = np.zeros(self.words, np.uint64)
        out[: self.fields] = fields
        out[-1] |= np.uint64(node + 1) << np.uint64(self.shift)
        return out

    def nodes(self, keys: Bits) -> Long:
        """The nodes of keys: int64 [rows], for uint64 [rows, words]."""
        return (keys[:, -1] >> np.uint64(self.shift)).astype(np.int64) - 1

    def used(self, keys: Bits) -> Bits:
        """The fields of keys: uint64 [rows, fields]."""
        out = keys[:, : self.fields].copy()
        if self.fields == self.words:
            out[:, -1] &= (np.uint64(1) << np.uint64(self.shift)) - np.uint64(1)
        return out


class StateTable:
    """The states of a level, with their counts: rows found by a hash of the key.

    modest  whether it begins smaller than requested if there is too little memory
    crew    who works on its parts, see `dealing`; None: one thread, and it has one part
    n_parts a power of two; each row is in the part of its hash
    """

    def __init__(
        self,
        key_format: KeyFormat,
        limbs: int,
        memory: Memory,
        rows: int = 0,
        *,
        modest: bool = False,
        crew: Crew | None = None,
    ) -> None:
        self.key_format, self.limbs, self._memory = key_format, limbs, memory
        self.crew, self.n_parts = crew, 1 if crew is None else parts_for(crew)
        self.rows = 0
        room = max(FIRST_ROWS, self.n_parts)
        while room * FULL < rows:
            room *= 2
        while modest and room > FIRST_ROWS and not memory.has(self._size(room)):
            room //= 2
        self.cells = self._taken(room, limbs, 0)

    @property
    def room(self) -> int:
        return self.cells.size // (self.key_format.words + self.limbs)

    def _size(self, room: int) -> int:
        """The bytes of `room` rows."""
        return 8 * room * (self.key_format.words + self.limbs)

    def _taken(self, room: int, limbs: int, so_far: int) -> Bits:
        size = room * (self.key_format.words + limbs)
        self._memory.take(8 * size, STATES, so_far)
        return np.zeros(size, np.uint64)

    def may_grow(self) -> bool:
        """Whether there is memory for a table of twice the size beside this one."""
        return self._memory.has(self._size(2 * self.room))

    def enlarge(self, mixer: np.uint64, so_far: int) -> None:
        """Twice the room."""
        cells, small = self._taken(2 * self.room, self.limbs, so_far), self.cells
        self.drop()
        self.cells = cells
        self._each(lambda rows: self.enter(rows, mixer), small)

    def widen(self, limbs: int) -> None:
        """Widen the counts to `limbs` words."""
        if limbs > self.limbs:
            cells = self._taken(self.room, limbs, self.rows)
            copy_wider(self.key_format, self.cells, self.limbs, cells, limbs)
            self.drop()
            self.cells, self.limbs = cells, limbs

    def clear(self) -> None:
        """Remove all states, and keep the room."""
        self.cells[:] = 0
        self.rows = 0

    def drop(self) -> None:
        """Give its memory back."""
        self._memory.give(self.cells.nbytes)
        self.cells = self.cells[:0]

    def enter(self, rows: Bits, mixer: np.uint64) -> None:
        """Enter states that are not there yet, rows as in `cells`, by their hash."""
        from exactcover.backends.automaton import count_kernel as kernel

        with np.errstate(over="ignore"):
            kernel.enter(
                (0,) * self.key_format.words, (0,) * self.limbs, mixer, rows, self.cells,
                self.n_parts,
            )  # fmt: skip

    def begin(self, key: Bits, mixer: np.uint64) -> None:
        """Put one state, with a count of one, into an empty table."""
        row = np.zeros(self.key_format.words + self.limbs, np.uint64)
        row[: self.key_format.words], row[self.key_format.words] = key, 1
        self.enter(row, mixer)
        self.rows = 1

    def total(self) -> int:
        """The sum of the counts, or a little more."""
        from exactcover.backends.automaton import count_kernel as kernel

        def part(cells: Bits) -> npt.NDArray[np.float64]:
            sums = np.zeros(self.limbs)
            kernel.add_up(self.key_format.words, self.limbs, cells, sums)
            return sums

        return no_less_than(np.sum(self._each(part, self.cells), axis=0))

    def _each(self, do: Callable[[Bits], DoneT], cells: Bits) -> list[DoneT]:
        """Call a function with each part of cells, side by side if there is a crew."""
        if self.crew is None:
            return [do(cells)]
        return self.crew.map(do, np.split(cells, self.n_parts))

    def parts(self, limbs: int) -> Iterator[Bits]:
        """All rows, with counts of `limbs` words: uint64 [rows * stride], including empty rows."""
        self.widen(limbs)
        yield self.cells

    def hashed(self, _memory: Memory, _mixer: np.uint64) -> Iterator[StateTable]:
        """The tables that find its states by their hash: this one."""
        yield self

    def states(self) -> tuple[Bits, Bits]:
        """The keys and the counts: uint64 [rows, words], uint64 [rows, limbs]."""
        rows = filled(self.key_format, self.limbs, self.cells)
        return rows[:, : self.key_format.words], rows[:, self.key_format.words :]


def parts_for(crew: Crew) -> int:
    """The parts of a table: at least two for each thread, so a late one holds up less."""
    return min(MOST_PARTS, 1 << (2 * crew.number - 1).bit_length())


def row_slices(cells: Bits, stride: int, many: int) -> list[Bits]:
    """The rows of a table in slices of about equal size."""
    rows = cells.size // stride
    bounds = [stride * (rows * one // many) for one in range(many + 1)]
    return [cells[begin:end] for begin, end in pairwise(bounds)]


def no_less_than(sums: npt.NDArray[np.float64]) -> int:
    """The number whose words are given as floating numbers, or a little more."""
    words: list[float] = sums.tolist()
    return sum((int(one) + int(one) // 1000 + 1) << (64 * w) for w, one in enumerate(words))


def filled(key_format: KeyFormat, limbs: int, cells: Bits) -> Bits:
    """The rows that hold a state: uint64 [rows, stride]."""
    rows = cells.reshape(-1, key_format.words + limbs)
    full: Bits = rows[rows[:, key_format.words - 1] != 0]
    return full


def copy_wider(key_format: KeyFormat, narrow: Bits, few: int, wide: Bits, limbs: int) -> None:
    """Copy rows to rows whose counts have more words."""
    stride = key_format.words + few
    wide.reshape(-1, key_format.words + limbs)[:, :stride] = narrow.reshape(-1, stride)

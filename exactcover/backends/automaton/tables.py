"""The table of a level: states with their counts, found by a hash of the key.

A state is a node of the automaton and the fields of the pieces used. A table may have several
parts of equal size, divided by the hash, so that several threads fill them side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np

from exactcover.backends.arrays import Bits, Long, Reals
from exactcover.backends.automaton.memory import Memory
from exactcover.backends.automaton.nodes import Automaton
from exactcover.backends.base import Abreast

ItemT = TypeVar("ItemT")
DoneT = TypeVar("DoneT")

FULL = 0.7
"""A table is enlarged when this share of it is full."""

SLACK = 4
"""A part may hold more rows than its share, by the root of its size times this: parts are never
quite equal, and the table should not be enlarged before that of one thread is."""

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
        if used.bits + (automaton.n_nodes + 1).bit_length() <= 64:
            return cls(used.words, used.words, used.bits)
        return cls(used.words + 1, used.words, 0)

    def keys(self, nodes: Long, fields: Bits) -> Bits:
        """The keys of states: uint64 [rows, words]."""
        out = np.zeros((nodes.size, self.words), np.uint64)
        out[:, : self.fields] = fields
        out[:, -1] |= (nodes + 1).astype(np.uint64) << np.uint64(self.shift)
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

    It begins smaller than requested if there is too little memory.

    rows     the states in it; stride: the words of a row, a key and then a count of `limbs`
    threads  who works on its parts; None: one thread, and it has one part
    n_parts  a power of two, at least two for each thread, so that a late one holds up less
    """

    def __init__(
        self, key_format: KeyFormat, limbs: int, memory: Memory, rows: int = 0,
        threads: Abreast | None = None,
    ) -> None:  # fmt: skip
        self.key_format, self.limbs, self._memory = key_format, limbs, memory
        self.threads, self.n_parts = threads, parts_for(threads)
        self.rows, self.stride = 0, key_format.words + limbs
        room = max(FIRST_ROWS, self.n_parts)
        while room * FULL < rows and memory.has(16 * room * self.stride):
            room *= 2
        self.cells = memory.zeros(room * self.stride, np.uint64)

    @property
    def room(self) -> int:
        """The rows that there is room for."""
        return self.cells.size // self.stride

    @property
    def most_rows(self) -> int:
        """The most rows of a part before the table is enlarged; one row always stays empty."""
        room = self.room // self.n_parts
        return min(room - 1, int(FULL * room + SLACK * room**0.5))

    def enlarge(self) -> None:
        """Twice the room."""
        small = self.cells
        self.cells = self._memory.zeros(2 * small.size, np.uint64)
        self._memory.drop(small)
        side_by_side(self.threads, self._enter, np.split(small, self.n_parts))

    def widen(self, limbs: int) -> None:
        """Widen the counts to `limbs` words."""
        if limbs > self.limbs:
            narrow, few, rows = self.cells, self.stride, self.room
            self.limbs, self.stride = limbs, self.key_format.words + limbs
            self.cells = self._memory.zeros(rows * self.stride, np.uint64)
            self.cells.reshape(rows, -1)[:, :few] = narrow.reshape(rows, few)
            self._memory.drop(narrow)

    def _enter(self, rows: Bits) -> None:
        """Enter states that are not there yet, rows as in `cells`, by their hash."""
        from exactcover.backends.automaton import count_kernel as kernel

        like, wide = (0,) * self.key_format.words, (0,) * self.limbs
        with np.errstate(over="ignore"):
            kernel.enter(like, wide, rows, self.cells, self.n_parts)

    def begin(self, key: Bits) -> None:
        """Put one state, with a count of one, into an empty table."""
        row = np.zeros(self.stride, np.uint64)
        row[: key.size], row[key.size] = key, 1
        self._enter(row)
        self.rows = 1

    def filled(self) -> Bits:
        """The rows that hold a state: uint64 [rows, stride]."""
        rows = self.cells.reshape(-1, self.stride)
        full: Bits = rows[rows[:, self.key_format.words - 1] != 0]
        return full

    def total(self) -> int:
        """The sum of the counts, or a little more."""
        rows = self.cells.reshape(-1, self.stride)
        return no_less_than(rows[:, self.key_format.words :].sum(axis=0, dtype=np.float64))

    def slices(self, many: int) -> list[Bits]:
        """Its rows in slices of about equal size."""
        bounds = [self.stride * (self.room * one // many) for one in range(many + 1)]
        return [self.cells[begin:end] for begin, end in pairwise(bounds)]


def parts_for(threads: Abreast | None) -> int:
    """The parts of a table that threads fill."""
    return 1 if threads is None else min(MOST_PARTS, 1 << (2 * threads.number - 1).bit_length())


def side_by_side(
    threads: Abreast | None, do: Callable[[ItemT], DoneT], items: Iterable[ItemT]
) -> list[DoneT]:
    """The results of a function for all items; threads share the calls."""
    return [do(item) for item in items] if threads is None else threads.map(do, items)


def no_less_than(sums: Reals) -> int:
    """The number whose words are given as floating numbers, or a little more."""
    words: list[float] = sums.tolist()
    return sum((int(one) + int(one) // 1000 + 1) << (64 * w) for w, one in enumerate(words))

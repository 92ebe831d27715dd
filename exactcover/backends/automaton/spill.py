"""Levels of states in files, with the setting `spill`: all but the one that is being made.

A level that is being made is a hash table in memory. When it is done, its rows are written to a
file in order, and read again from first to last to make the next level. If the table outgrows the
memory before that, its rows are written as a *run*, and the table is emptied. So a state may be in
several runs, with a part of its count in each. That changes no result, since all results are sums
over rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np

from exactcover.backends.automaton.files import open_file, writing
from exactcover.backends.automaton.memory import Memory
from exactcover.backends.automaton.tables import Bits, KeyFormat, StateTable, copy_wider, filled

SLICE = 1 << 15
"""The number of rows read or written at once; only these are in memory."""


class Spilled:
    """The states of a level in a file, with the reading interface of a `StateTable`.

    rows  the number of rows of all runs
    """

    def __init__(self, key_format: KeyFormat, limbs: int, folder: Path) -> None:
        self.key_format, self.limbs, self.rows = key_format, limbs, 0
        self._folder = folder
        self._file: IO[bytes] | None = None
        self._runs: list[int] = []
        self._total = 0

    @property
    def _stride(self) -> int:
        return self.key_format.words + self.limbs

    def write(self, table: StateTable) -> None:
        """Write the states of a table as a run."""
        if not table.rows:
            return
        step = SLICE * self._stride
        with writing(self._folder):
            if self._file is None:
                self._file = open_file(self._folder)
            for begin in range(0, table.cells.size, step):
                rows = filled(self.key_format, self.limbs, table.cells[begin : begin + step])
                self._file.write(rows.tobytes())
            self._file.flush()
        self._runs.append(table.rows)
        self.rows += table.rows
        self._total += table.total()

    def parts(self, limbs: int) -> Iterator[Bits]:
        """All rows, slice by slice, with counts of `limbs` words, see `StateTable.parts`."""
        for rows in self._slices(0, self.rows):
            if limbs == self.limbs:
                yield rows
                continue
            wide = np.zeros(rows.size // self._stride * (self.key_format.words + limbs), np.uint64)
            copy_wider(self.key_format, rows, self.limbs, wide, limbs)
            yield wide

    def hashed(self, memory: Memory, mixer: np.uint64) -> Iterator[StateTable]:
        """A table for each run, one at a time: no two rows of a run have the same key."""
        begin = 0
        for rows in self._runs:
            table = StateTable(self.key_format, self.limbs, memory, rows)
            for part in self._slices(begin, begin + rows):
                table.enter(part, mixer)
            table.rows = rows
            yield table
            table.drop()
            begin += rows

    def total(self) -> int:
        """The sum of the counts, or a little more."""
        return self._total

    def drop(self) -> None:
        """Remove the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
        self._runs, self.rows = [], 0

    def _slices(self, begin: int, end: int) -> Iterator[Bits]:
        """Rows of the file, mapped into memory a few at a time."""
        for first in range(begin, end, SLICE):
            size, offset = self._stride * min(SLICE, end - first), 8 * self._stride * first
            assert self._file is not None
            yield np.asarray(np.memmap(self._file, np.uint64, "r+", offset, size))

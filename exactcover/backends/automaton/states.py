"""The states of a count: tables of them by level, and the edges by size in both directions.

A state is a node of the automaton and the fields of the pieces used. From the empty board a state
is reached in so many ways; from it, and with just the pieces that are left, the full board is
reached in so many. Both are counted in the same way, the second backwards along the edges.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactcover.backends.automaton.memory import Memory
from exactcover.backends.automaton.relaxed import MIXER, Automaton
from exactcover.backends.automaton.used import Used

if TYPE_CHECKING:
    from exactcover.backends.automaton.count_kernel import Steps

Long = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]

STATES = "the states of the count"

FULL = 0.7
"""A table is enlarged when so much of it is full."""

FIRST_ROWS = 1 << 8

SORTING = 24
"""The bytes that an edge takes while the edges are put in order."""


@dataclass(frozen=True)
class Form:
    """How a state is written: fields, then the number of the node.

    words   of a key; fields: how many of them hold fields; shift: where in the last the node begins
    """

    words: int
    fields: int
    shift: int

    @classmethod
    def of(cls, automaton: Automaton) -> Form:
        """The form that holds the nodes and fields of an automaton."""
        used = automaton.used
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


class Table:
    """The states of a level, with their counts: rows found by a hash of the key."""

    def __init__(self, form: Form, limbs: int, memory: Memory, rows: int = 0) -> None:
        self.form, self.limbs, self._memory = form, limbs, memory
        self.rows = 0
        room = FIRST_ROWS
        while room * FULL < rows:
            room *= 2
        self.cells = self._taken(room, 0)

    @property
    def room(self) -> int:
        return self.cells.size // (self.form.words + self.limbs)

    def _taken(self, room: int, so_far: int) -> Bits:
        size = room * (self.form.words + self.limbs)
        self._memory.take(8 * size, STATES, so_far)
        return np.zeros(size, np.uint64)

    def enlarge(self, mixer: np.uint64, so_far: int) -> None:
        """Twice the room."""
        from exactcover.backends.automaton import count_kernel as kernel

        cells = self._taken(2 * self.room, so_far)
        with np.errstate(over="ignore"):
            kernel.enter((0,) * self.form.words, (0,) * self.limbs, mixer, self.cells, cells)
        self.drop()
        self.cells = cells

    def widen(self, limbs: int) -> None:
        """Counts of so many words."""
        if limbs > self.limbs:
            words, room = self.form.words, self.room
            self._memory.take(8 * room * (words + limbs), STATES, self.rows)
            cells = np.zeros((room, words + limbs), np.uint64)
            cells[:, : words + self.limbs] = self.cells.reshape(room, -1)
            self.drop()
            self.cells, self.limbs = cells.reshape(-1), limbs

    def drop(self) -> None:
        """Give its memory back."""
        self._memory.give(self.cells.nbytes)
        self.cells = self.cells[:0]

    def enter(self, key: Bits, mixer: np.uint64) -> None:
        """Put one state, with a count of one, into an empty table."""
        from exactcover.backends.automaton import count_kernel as kernel

        row = np.zeros(self.form.words + self.limbs, np.uint64)
        row[: self.form.words], row[self.form.words] = key, 1
        with np.errstate(over="ignore"):
            kernel.enter((0,) * self.form.words, (0,) * self.limbs, mixer, row, self.cells)
        self.rows = 1

    def total(self) -> int:
        """The sum of the counts, or a little more."""
        from exactcover.backends.automaton import count_kernel as kernel

        sums = np.zeros(self.limbs)
        kernel.add_up(self.form.words, self.limbs, self.cells, sums)
        return sum((int(one) + int(one) // 1000 + 1) << (64 * w) for w, one in enumerate(sums))

    def states(self) -> tuple[Bits, Bits]:
        """The keys and the counts: uint64 [rows, words], uint64 [rows, limbs]."""
        rows = self.cells.reshape(-1, self.form.words + self.limbs)
        rows = rows[rows[:, self.form.words - 1] != 0]
        return rows[:, : self.form.words], rows[:, self.form.words :]


class Direction:
    """The edges of an automaton in one direction, size of images by size.

    steps  for each size of the sweep
    most   for each size, no node has more edges of it than these
    """

    def __init__(self, automaton: Automaton, *, forward: bool) -> None:
        from exactcover.backends.automaton import count_kernel as kernel

        used, sweep = automaton.used, automaton.sweep
        sizes = np.array(sweep.sizes, np.int64)
        source = np.repeat(np.arange(automaton.n_nodes), np.diff(automaton.starts))
        target, kinds = automaton.target, automaton.kinds()
        size = np.searchsorted(sizes, sweep_sizes(automaton)[automaton.image])
        at, to = source, target.astype(np.int64)
        if not forward:
            in_order = np.lexsort((size, to))
            at, to, kinds, size = to[in_order], at[in_order], kinds[in_order], size[in_order]
        counts = np.bincount(at * sizes.size + size, minlength=automaton.n_nodes * sizes.size)
        ends = np.cumsum(counts).reshape(automaton.n_nodes, sizes.size)
        counts = counts.reshape(ends.shape)
        self.most = counts.max(axis=0, initial=0).tolist()
        closed, value = _closed(automaton, forward=forward)
        one = np.uint64(1)
        counted = used.counted
        if forward:
            mask, stop, change = used.top, np.where(counted, used.top, one), used.one
        else:
            mask, stop = used.field, np.where(counted, used.low, one)
            change = np.where(counted, ~used.one + one, np.uint64(0)).astype(np.uint64)
        ends_at, kinds_at = to.astype(np.uint32), kinds.astype(np.uint32)
        self.steps: list[Steps] = [
            kernel.Steps(
                begin=np.ascontiguousarray(ends[:, at] - counts[:, at]),
                end=np.ascontiguousarray(ends[:, at]),
                to=ends_at, kind=kinds_at,
                word=used.word, mask=mask, stop=stop, change=change, closed=closed, value=value,
            )
            for at in range(sizes.size)
        ]  # fmt: skip


def sweep_sizes(automaton: Automaton) -> Long:
    """How many cells each image of the sweep has."""
    sweep, board = automaton.sweep, automaton.sweep.board
    cells = board.bits < board.n_cells
    size: Long = np.bincount(board.owner[cells], minlength=board.kind.size)[sweep.image]
    return size


def _closed(automaton: Automaton, *, forward: bool) -> tuple[Bits, Bits]:
    """The fields that no further edge changes, of each node, and what they must be by then."""
    used = automaton.used
    reached = automaton.placed_after() if forward else automaton.placed_before()
    closed = np.zeros((automaton.n_nodes, used.words), np.uint64)
    for kind in np.flatnonzero(used.exact if forward else used.counted).tolist():
        word = used.word[kind]
        over = reached[:, word] & used.top[kind] == 0
        closed[over, word] |= used.field[kind]
    value = closed & (used.full if forward else used.start)
    return closed.reshape(-1), value.reshape(-1)


class Levels:
    """The tables of one direction, by level."""

    def __init__(
        self, automaton: Automaton, used: Used, memory: Memory, mixer: np.uint64 = MIXER,
        *, forward: bool, form: Form,
    ) -> None:  # fmt: skip
        nodes, sizes = automaton.n_nodes, len(automaton.sweep.sizes)
        fixed = 8 * automaton.n_edges + 16 * nodes * (sizes + used.words)
        passing = SORTING * automaton.n_edges
        memory.take(fixed + passing, STATES, 0)
        self.direction = Direction(automaton, forward=forward)
        memory.give(passing)
        self._sizes = automaton.sweep.sizes
        self._forward, self._form, self._memory, self._mixer = forward, form, memory, mixer
        node = 0 if forward else automaton.n_nodes - 1
        start = Table(form, 1, memory)
        start.enter(form.key(node, used.start if forward else used.full), mixer)
        self.tables: dict[int, Table] = {0 if forward else automaton.sweep.n_cells: start}
        self.made = 1

    def sources(self, number: int) -> list[tuple[int, Table]]:
        """The sizes, by their place, and the tables that a level is made from."""
        sign = -1 if self._forward else 1
        near = [(at, self.tables.get(number + sign * size)) for at, size in enumerate(self._sizes)]
        return [(at, table) for at, table in near if table is not None and table.rows]

    def frontier(self, number: int) -> int:
        """How many states the level with this number is made from."""
        return sum(table.rows for _, table in self.sources(number))

    def make(self, number: int, steps: list[int]) -> Iterator[None]:
        """Make a level; it yields when the steps are spent."""
        from exactcover.backends.automaton import count_kernel as kernel

        form, sources = self._form, self.sources(number)
        bound = sum(table.total() * self.direction.most[at] for at, table in sources)
        limbs = max([1, bound.bit_length() // 64 + 1, *(table.limbs for _, table in sources)])
        rows = max((table.rows for _, table in sources), default=0)
        made = Table(form, limbs, self._memory, rows)
        self.tables[number] = made
        registers = np.zeros(kernel.REGISTERS, np.int64)
        for at, table in sources:
            table.widen(limbs)
            registers[kernel.AT] = 0
            while True:
                with np.errstate(over="ignore"):
                    status = kernel.spread(
                        (0,) * form.words, (0,) * limbs, form.shift, form.fields, steps[0],
                        self._mixer, table.cells, self.direction.steps[at], made.cells,
                        int(FULL * made.room), registers,
                    )  # fmt: skip
                made.rows = int(registers[kernel.ROWS])
                steps[0] = int(registers[kernel.LEFT])
                if status == kernel.DONE:
                    break
                if status == kernel.ROOM:
                    made.enlarge(self._mixer, self.made + made.rows)
                else:
                    yield
        self.made += made.rows

    def drop_behind(self, number: int) -> None:
        """Give up what the level with this number, and those after it, are not made from."""
        reach = max(self._sizes)
        for level in list(self.tables):
            if abs(level - number) > reach:
                self.tables.pop(level).drop()

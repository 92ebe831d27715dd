"""The levels of a count: tables of states, made from each other along the edges of the automaton.

A state is a node of the automaton and the fields of the pieces used. Two numbers belong to it: the
ways from the empty board to it, and the ways from it to the full board with exactly the pieces that
are left. Both are counted in the same way, the second backwards along the edges.

The states that edges lead to belong to parts of the new table, by their hash. A level is made in
rounds of two steps:

    deal     each thread follows edges of its rows of the source, and puts what is for each part in
             a place of its own;
    collect  each thread takes a part of the table, and adds the rows dealt to it by all.

A table has several parts of equal size for that, divided by the hash. No two threads write to the
same memory, so nothing is locked. One thread does the same with a single part. Only the rows of a
round are held besides.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from exactcover.backends.arrays import Bits, Index, Long, Reals
from exactcover.backends.automaton.nodes import Automaton, Edges, places_in_order
from exactcover.backends.base import Abreast
from exactcover.backends.memory import Memory
from exactcover.base import LazyModule

if TYPE_CHECKING:
    from exactcover.backends.automaton import kernel
else:
    kernel = LazyModule("exactcover.backends.automaton.kernel")

ItemT = TypeVar("ItemT")
DoneT = TypeVar("DoneT")

EDGE_BYTES = 40
"""The bytes of an edge while it is followed."""

CLOSED_AT_ONCE = 1 << 16
"""The nodes whose closed fields are found at once."""

LARGE = 1 << 17
"""The least number of states from which several threads make a level."""

ROUND = 1 << 16
"""The most rows that a thread deals in a round."""


FULL = 0.7
"""A table is enlarged when this share of it is full."""

SLACK = 4
"""A part may hold more rows than its share, by the root of its size times this: parts are never
quite equal, and the table should not be enlarged before that of one thread is."""

FIRST_ROWS = 1 << 8

MOST_PARTS = 1 << 5
"""The most parts of a table: what is dealt between them takes memory for each pair."""


# -- tables ---------------------------------------------------------------------------------------


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

    def collect(self, part: int, dealt: Bits, waiting: Long, most: int, registers: Long) -> bool:
        """Add rows to a part of the table that has room for `most`, see the kernel."""
        like, wide = (0,) * self.key_format.words, (0,) * self.limbs
        with np.errstate(over="ignore"):
            return kernel.collect(like, wide, part, dealt, waiting, self.cells, most, registers)

    def enlarge(self) -> None:
        """Twice the room."""
        small, room = self.cells, self.room
        self.cells = self._memory.zeros(2 * small.size, np.uint64)
        waiting = np.full((1, self.n_parts), room // self.n_parts)

        def move(part: int) -> None:
            self.collect(part, small, waiting, room, np.zeros(kernel.REGISTERS, np.int64))

        side_by_side(self.threads, move, range(self.n_parts))
        self._memory.drop(small)

    def widen(self, limbs: int) -> None:
        """Widen the counts to `limbs` words."""
        if limbs > self.limbs:
            narrow, few, rows = self.cells, self.stride, self.room
            self.limbs, self.stride = limbs, self.key_format.words + limbs
            self.cells = self._memory.zeros(rows * self.stride, np.uint64)
            self.cells.reshape(rows, -1)[:, :few] = narrow.reshape(rows, few)
            self._memory.drop(narrow)

    def begin(self, key: Bits) -> None:
        """Put one state, with a count of one, into an empty table of one part."""
        row = np.zeros(self.stride, np.uint64)
        row[: key.size], row[key.size] = key, 1
        self.collect(0, row, np.ones((1, 1), np.int64), 1, np.zeros(kernel.REGISTERS, np.int64))
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


# -- levels ---------------------------------------------------------------------------------------


class Direction:
    """The edges of an automaton in one direction, from level to level.

    `source` is the level that edges leave from in this direction, `goal` the one they lead to: the
    difference is the size of the images that they place.
    """

    def __init__(self, automaton: Automaton, memory: Memory, *, forward: bool) -> None:
        self._automaton, self._forward = automaton, forward
        used = automaton.copy_fields
        counted, one = used.counted, np.uint64(1)
        if forward:
            self._mask, self._stop = used.top, np.where(counted, used.top, one)
            self._change = used.one
        else:
            self._mask, self._stop = used.field, np.where(counted, used.low, one)
            self._change = np.where(counted, ~used.one + one, np.uint64(0)).astype(np.uint64)
        self._closed = automaton.reached(memory, forward=not forward)
        for first in range(0, automaton.n_nodes, CLOSED_AT_ONCE):
            self._close(self._closed[first : first + CLOSED_AT_ONCE])

    def _close(self, reached: Bits) -> None:
        """Replace the kinds that can still be placed by the fields that are closed: at each node
        those of the kinds that no edge places from there on."""
        used, open_ = self._automaton.copy_fields, reached.copy()
        reached[:] = 0
        for kind in np.flatnonzero(used.exact if self._forward else used.counted).tolist():
            word = used.word[kind]
            over = open_[:, word] & used.top[kind] == 0
            reached[:, word] |= np.where(over, used.field[kind], np.uint64(0))

    def room(self, source: int, goal: int) -> int:
        """The bytes that the edges between two levels take while they are followed."""
        edges = self._automaton.edges.get((min(source, goal), abs(goal - source)))
        return 0 if edges is None else EDGE_BYTES * edges.owners.size

    def edges(self, source: int, goal: int) -> tuple[Long, Index, Index]:
        """The edges between two levels, node after node of the source.

        Returns where those of each node begin, the nodes that they lead to, and their images.
        """
        levels, none = self._automaton.levels, np.zeros(0, np.uint32)
        lower, size = min(source, goal), abs(goal - source)
        edges = self._automaton.edges.get((lower, size), Edges(lower, size, none, none, none))
        owner, to, image = edges[2:]
        if not self._forward:
            in_order = places_in_order(to)
            owner, to, image = to[in_order], owner[in_order], image[in_order]
        counts = np.bincount(owner, minlength=int(levels[source + 1] - levels[source]))
        starts = np.concatenate([[0], np.cumsum(counts)])
        return starts, to + levels[goal].astype(np.uint32), image

    def steps(self, source: int, goal: int) -> kernel.Steps:
        """The edges between two levels in the kernel's form."""
        automaton, used = self._automaton, self._automaton.copy_fields
        starts, to, image = self.edges(source, goal)
        closed = self._closed[automaton.levels[goal] : automaton.levels[goal + 1]]
        value = closed & (used.full if self._forward else used.start)
        return kernel.Steps(
            base=int(automaton.levels[source]), starts=starts, to=to,
            kind=automaton.sweep.kind[image].astype(np.uint32), word=used.word, mask=self._mask,
            stop=self._stop, change=self._change, closed=closed.reshape(-1),
            value=value.reshape(-1), goal=int(automaton.levels[goal]),
        )  # fmt: skip


class StateLevels:
    """The tables of one direction, by level.

    threads  who makes the large levels; None: one thread
    sizes    the states of each level that is made, in the order of making
    """

    def __init__(
        self, automaton: Automaton, memory: Memory, *, forward: bool, threads: Abreast | None = None
    ) -> None:
        self._sweep, self._forward = automaton.sweep, forward
        self._memory, self._threads = memory, threads
        self._key_format = KeyFormat.of(automaton)
        self.direction = Direction(automaton, memory, forward=forward)
        used, node = automaton.copy_fields, 0 if forward else automaton.n_nodes - 1
        fields = used.start if forward else used.full
        start = StateTable(self._key_format, 1, memory)
        start.begin(self._key_format.keys(np.array([node]), fields)[0])
        self.tables = {0 if forward else self._sweep.n_cells: start}
        self.sizes = [1]

    def _sources(self, number: int) -> list[tuple[int, StateTable]]:
        """The levels that a level is made from, with their tables."""
        sign = -1 if self._forward else 1
        near = [number + sign * size for size in self._sweep.sizes]
        return [(at, self.tables[at]) for at in near if at in self.tables and self.tables[at].rows]

    def frontier(self, number: int) -> int:
        """The number of states that the level with this number is made from."""
        return sum(table.rows for _, table in self._sources(number))

    def make(self, number: int, steps: list[int]) -> Iterator[None]:
        """Make a level, and drop those that no later level is made from; it yields when the steps
        are spent."""
        memory, sources, reach = self._memory, self._sources(number), self._sweep.reach
        room = sum(self.direction.room(at, number) for at, _ in sources)
        memory.take(room)
        edges = [self.direction.steps(at, number) for at, _ in sources]
        most = [int(np.diff(one.starts).max(initial=0)) for one in edges]
        tables = [table for _, table in sources]
        bound = sum(table.total() * many for table, many in zip(tables, most, strict=True))
        limbs = max([1, bound.bit_length() // 64 + 1, *(table.limbs for table in tables)])
        threads = self._threads if self.frontier(number) >= LARGE else None
        rows = max((table.rows for table in tables), default=0)
        made = StateTable(self._key_format, limbs, memory, rows, threads)
        rounds = Rounds(made, memory, max(most, default=0))
        for one, table in zip(edges, tables, strict=True):
            table.widen(limbs)
            yield from rounds.spread(table, one, steps)
        memory.drop(rounds.dealt)
        memory.give(room)
        self.tables[number] = made
        self.sizes.append(made.rows)
        each = 8 * made.stride / FULL
        memory.foretell(self.sizes, self._sweep.n_cells, each, reach)
        for behind in [at for at in self.tables if abs(at - number) >= reach]:
            memory.drop(self.tables.pop(behind).cells)

    def drop(self) -> None:
        """Drop all levels."""
        self._memory.drop(*(table.cells for table in self.tables.values()))
        self.tables.clear()


class Rounds:
    """The making of one level, see above.

    most   the most edges of a node of a source
    dealt  uint64 [threads, words]: the rows of a round
    """

    def __init__(self, made: StateTable, memory: Memory, most: int) -> None:
        self._made, self._most, self._memory = made, most, memory
        self._like = (0,) * made.key_format.words, (0,) * made.limbs
        parts = made.n_parts
        row, room = 8 * parts**2 * made.stride, ROUND // parts
        least = 4 * (kernel.BLOCK + most)
        while room > least and not memory.has(row * room):
            room //= 2
        room = max(room, least)
        memory.take(row * room)
        self.dealt = np.empty((parts, parts * room * made.stride), np.uint64)
        self._waiting = np.zeros((parts, parts), np.int64)
        self._rows = np.zeros(parts, np.int64)

    def spread(self, source: StateTable, edges: kernel.Steps, steps: list[int]) -> Iterator[None]:
        """Add the counts of a source to those that its edges lead to; it yields when the steps are
        spent."""
        made, parts = self._made, self._made.n_parts
        slices = source.slices(parts)
        ends = np.array([one.size // source.stride for one in slices])
        registers = np.zeros((parts, kernel.REGISTERS), np.int64)

        def deal(one: int) -> None:
            with np.errstate(over="ignore"):
                kernel.deal(
                    *self._like, made.key_format.shift, made.key_format.fields, slices[one], edges,
                    self._most, made.room, self.dealt[one], self._waiting[one], registers[one],
                )  # fmt: skip

        while (registers[:, kernel.AT] < ends).any():
            each = max(1, -(-steps[0] // parts))
            registers[:, kernel.LEFT] = each
            self._waiting[:] = 0
            side_by_side(made.threads, deal, range(parts))
            self._collect()
            steps[0] -= parts * each - int(registers[:, kernel.LEFT].sum())
            if steps[0] <= 0:
                yield

    def _collect(self) -> None:
        """Add what was dealt to the parts of the table, and enlarge it while one has no room."""
        made, parts = self._made, self._made.n_parts
        registers = np.zeros((parts, kernel.REGISTERS), np.int64)
        registers[:, kernel.ROWS] = self._rows

        def collect(part: int) -> bool:
            dealt, registered = self.dealt.reshape(-1), registers[part]
            return made.collect(part, dealt, self._waiting, made.most_rows, registered)

        waiting = list(range(parts))
        while waiting:
            done = side_by_side(made.threads, collect, waiting)
            before, made.rows = made.rows, int(registers[:, kernel.ROWS].sum())
            self._memory.made += made.rows - before
            waiting = [part for part, end in zip(waiting, done, strict=True) if not end]
            if waiting:
                made.enlarge()
        self._rows[:] = registers[:, kernel.ROWS]


def joined(
    source: StateTable,
    edges: kernel.Steps,
    other: StateTable,
    threads: Abreast | None,
    steps: list[int],
) -> Generator[None, None, int]:
    """The sum over the edges from a source to the states of a table from the other end.

    Each summand is the ways to the one times the ways to the other. The tables are only read, so
    threads follow the edges of slices side by side. It yields when the steps are spent.
    """
    form, limbs, many = source.key_format, source.limbs, parts_for(threads)
    most = int(np.diff(edges.starts).max(initial=0))
    slices = source.slices(many)
    registers = np.zeros((many, kernel.REGISTERS), np.int64)
    sums = np.zeros((many, 2 * (limbs + other.limbs) + 1), np.uint64)

    def join(one: int) -> bool:
        with np.errstate(over="ignore"):
            return kernel.join(
                (0,) * form.words, (0,) * limbs, (0,) * other.limbs, form.shift, form.fields,
                slices[one], edges, most, other.cells, other.n_parts, sums[one], registers[one],
            )  # fmt: skip

    waiting = list(range(many))
    while waiting:
        each = max(1, steps[0] // many)
        registers[:, kernel.LEFT] = each
        ends = side_by_side(threads, join, waiting)
        steps[0] -= many * each - int(registers[:, kernel.LEFT].sum())
        waiting = [one for one, end in zip(waiting, ends, strict=True) if not end]
        if steps[0] <= 0:
            yield
    return sum(one << (32 * place) for row in sums.tolist() for place, one in enumerate(row))

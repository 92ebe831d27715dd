"""The levels of a count: tables of states, made from each other along the edges of the automaton.

A state is a node of the automaton and the fields of the pieces used. Two numbers belong to it: the
number of ways from the empty board to the state, and the number of ways from the state to the full
board with exactly the pieces that are left. Both are counted in the same way, the second backwards
along the edges.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactcover.backends.automaton import dealing
from exactcover.backends.automaton.dealing import Dealing
from exactcover.backends.automaton.memory import Memory
from exactcover.backends.automaton.relaxed import MIXER, Automaton
from exactcover.backends.automaton.spill import Spilled
from exactcover.backends.automaton.spreading import Spreading
from exactcover.backends.automaton.tables import FULL, STATES, KeyFormat, StateTable
from exactcover.backends.crew import Crew

if TYPE_CHECKING:
    from exactcover.backends.automaton.count_kernel import Steps

Long = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]

EDGE_BYTES = 40
"""The bytes of an edge while it is followed."""

Closed = tuple[Bits, Bits]
"""For each node of a level, the fields that no later edge changes, and their required values."""


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
        self._reached = automaton.reached(memory, forward=not forward)

    def room(self, source: int, goal: int) -> int:
        """The bytes that the edges between two levels take while they are followed."""
        lower = min(source, goal)
        first, end = self._automaton.levels[lower : lower + 2]
        return EDGE_BYTES * int(self._automaton.starts[end] - self._automaton.starts[first])

    def edges(self, source: int, goal: int) -> tuple[Long, Long, Long]:
        """The edges between two levels, node after node of the source.

        Returns their numbers, the nodes that they lead to, and where those of each node begin.
        """
        from exactcover.backends.automaton import count_kernel as kernel

        automaton, lower = self._automaton, min(source, goal)
        first, end = automaton.levels[lower : lower + 2].tolist()
        begins = automaton.starts[first : end + 1]
        here = slice(int(begins[0]), int(begins[-1]))
        fine = automaton.sweep.size[automaton.image[here]] == abs(goal - source)
        edge = here.start + np.flatnonzero(fine)
        if self._forward:
            behind = np.concatenate([[0], np.cumsum(fine)])
            return edge, automaton.target[edge].astype(np.int64), behind[begins - begins[0]]
        base, beyond = automaton.levels[source : source + 2].tolist()
        upper = automaton.target[edge]
        degree = np.bincount(upper - np.uint32(base), minlength=beyond - base)
        starts = np.concatenate([[0], np.cumsum(degree)]).astype(np.int64)
        place = np.empty(edge.size, np.int64)
        kernel.by_target(base, upper, starts[:-1].copy(), place)
        nodes = np.repeat(np.arange(first, end), np.diff(begins))[fine]
        return edge[place], nodes[place], starts

    def steps(self, source: int, goal: int, closed: Closed) -> Steps:
        """The edges between two levels in the kernel's form."""
        from exactcover.backends.automaton import count_kernel as kernel

        automaton, used = self._automaton, self._automaton.copy_fields
        edge, to, starts = self.edges(source, goal)
        return kernel.Steps(
            base=int(automaton.levels[source]), starts=starts, to=to.astype(np.uint32),
            kind=automaton.sweep.kind[automaton.image[edge]].astype(np.uint32), word=used.word,
            mask=self._mask, stop=self._stop, change=self._change, closed=closed[0],
            value=closed[1], goal=int(automaton.levels[goal]),
        )  # fmt: skip

    def closed(self, number: int) -> Closed:
        """The fields that are closed at the nodes of a level."""
        used, levels = self._automaton.copy_fields, self._automaton.levels
        reached = self._reached[levels[number] : levels[number + 1]]
        closed = np.zeros_like(reached)
        for kind in np.flatnonzero(used.exact if self._forward else used.counted).tolist():
            word = used.word[kind]
            over = reached[:, word] & used.top[kind] == 0
            closed[over, word] |= used.field[kind]
        value = closed & (used.full if self._forward else used.start)
        return closed.reshape(-1), value.reshape(-1)


class StateLevels:
    """The tables of one direction, by level; with a folder, all but one are files.

    rows  the states of each level that is made, in the order of making
    each  the bytes of a state in the last one
    """

    def __init__(
        self, automaton: Automaton, memory: Memory, mixer: np.uint64 = MIXER,
        *, forward: bool, key_format: KeyFormat, crew: Crew | None = None,
        beside: int | None = None,
    ) -> None:  # fmt: skip
        """crew: who makes the large levels; None, or with a folder: one thread.

        beside: the bytes that each state takes besides, if all levels are held; None: they are not.
        """
        self._sizes, self._last = automaton.sweep.sizes, automaton.sweep.n_cells
        self._forward, self._key_format, self._memory, self._mixer = (
            forward,
            key_format,
            memory,
            mixer,
        )
        self._beside = beside
        self._crew = None if memory.folder is not None else crew
        self.direction = Direction(automaton, memory, forward=forward)
        used, node = automaton.copy_fields, 0 if forward else automaton.n_nodes - 1
        start = StateTable(key_format, 1, memory)
        start.begin(key_format.key(node, used.start if forward else used.full), mixer)
        self.tables: dict[int, StateTable | Spilled] = {0 if forward else self._last: start}
        self.rows = {0 if forward else self._last: 1}
        self.each = 0.0
        self.made = 1

    def sources(self, number: int) -> list[tuple[int, StateTable | Spilled]]:
        """The levels that a level is made from, with their tables."""
        sign = -1 if self._forward else 1
        near = [(at, self.tables.get(at)) for at in (number + sign * size for size in self._sizes)]
        return [(at, table) for at, table in near if table is not None and table.rows]

    def frontier(self, number: int) -> int:
        """The number of states that the level with this number is made from."""
        return sum(table.rows for _, table in self.sources(number))

    def make(self, number: int, steps: list[int]) -> Iterator[None]:
        """Make a level; it yields when the steps are spent."""
        key_format, memory, sources = self._key_format, self._memory, self.sources(number)
        room = sum(self.direction.room(at, number) for at, _ in sources)
        memory.take(room, STATES, self.made)
        closed = self.direction.closed(number)
        edges = [self.direction.steps(at, number, closed) for at, _ in sources]
        most = [int(np.diff(one.starts).max(initial=0)) for one in edges]
        tables = [table for _, table in sources]
        bound = sum(table.total() * many for table, many in zip(tables, most, strict=True))
        limbs = max([1, bound.bit_length() // 64 + 1, *(table.limbs for table in tables)])
        rows = max((table.rows for table in tables), default=0)
        spilled = None if memory.folder is None else Spilled(key_format, limbs, memory.folder)
        crew = self._crew if sum(table.rows for table in tables) >= dealing.LARGE else None
        made = StateTable(key_format, limbs, memory, rows, modest=spilled is not None, crew=crew)
        making: Spreading | Dealing = (
            Spreading(made, spilled, self._mixer, self.made)
            if crew is None
            else Dealing(crew, made, max(most), memory, self._mixer, self.made)
        )
        for one, degree, table in zip(edges, most, tables, strict=True):
            for cells in table.parts(limbs):
                yield from making.spread(cells, one, degree, steps)
        making.drop()
        if spilled is not None:
            spilled.write(made)
            made.drop()
        memory.give(room)
        self.tables[number] = level = made if spilled is None else spilled
        self.made += level.rows
        self.rows[number] = level.rows
        self.each = 8 * (key_format.words + limbs) / FULL
        held = max(self._sizes) if self._beside is None else None
        each = self.each + (self._beside or 0)
        memory.take((self._beside or 0) * level.rows, STATES, self.made)
        memory.foretell(STATES, list(self.rows.values()), self._last, each, held)

    def drop_behind(self, number: int) -> None:
        """Drop the levels that no level beyond this number is made from."""
        reach = max(self._sizes)
        for level in list(self.tables):
            if abs(level - number) >= reach:
                self.tables.pop(level).drop()

    def drop(self) -> None:
        """Drop all levels."""
        for table in self.tables.values():
            table.drop()
        self.tables.clear()

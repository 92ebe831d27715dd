"""The levels of a count: tables of states, made from each other along the edges of the automaton.

A state is a node of the automaton and the fields of the pieces used. From the empty board a state
is reached in so many ways; from it, and with just the pieces that are left, the full board is
reached in so many. Both are counted in the same way, the second backwards along the edges.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactcover.backends.automaton.memory import Memory
from exactcover.backends.automaton.relaxed import MIXER, Automaton
from exactcover.backends.automaton.spill import Spilled
from exactcover.backends.automaton.tables import FULL, STATES, Form, Table
from exactcover.backends.automaton.used import Used

if TYPE_CHECKING:
    from exactcover.backends.automaton.count_kernel import Steps

Long = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]

SORTING = 24
"""The bytes that an edge takes while the edges are put in order."""


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
    """The tables of one direction, by level.

    spill  the folder with the files of all levels but the one being made; None: there are none
    """

    def __init__(
        self, automaton: Automaton, used: Used, memory: Memory, mixer: np.uint64 = MIXER,
        *, forward: bool, form: Form, spill: Path | None = None,
    ) -> None:  # fmt: skip
        nodes, sizes = automaton.n_nodes, len(automaton.sweep.sizes)
        fixed = 8 * automaton.n_edges + 16 * nodes * (sizes + used.words)
        passing = SORTING * automaton.n_edges
        memory.take(fixed + passing, STATES, 0)
        self.direction = Direction(automaton, forward=forward)
        memory.give(passing)
        self._sizes, self._spill = automaton.sweep.sizes, spill
        self._forward, self._form, self._memory, self._mixer = forward, form, memory, mixer
        node = 0 if forward else automaton.n_nodes - 1
        start = Table(form, 1, memory)
        start.begin(form.key(node, used.start if forward else used.full), mixer)
        self.tables: dict[int, Table | Spilled] = {0 if forward else automaton.sweep.n_cells: start}
        self.made = 1

    def sources(self, number: int) -> list[tuple[int, Table | Spilled]]:
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
        spilled = None if self._spill is None else Spilled(form, limbs, self._spill)
        made = Table(form, limbs, self._memory, rows, modest=spilled is not None)
        registers = np.zeros(kernel.REGISTERS, np.int64)
        for at, cells in ((at, cells) for at, table in sources for cells in table.parts(limbs)):
            registers[kernel.AT] = 0
            while True:
                with np.errstate(over="ignore"):
                    status = kernel.spread(
                        (0,) * form.words, (0,) * limbs, form.shift, form.fields, steps[0],
                        self._mixer, cells, self.direction.steps[at], made.cells,
                        int(FULL * made.room), registers,
                    )  # fmt: skip
                made.rows = int(registers[kernel.ROWS])
                steps[0] = int(registers[kernel.LEFT])
                if status == kernel.DONE:
                    break
                if status == kernel.BUDGET:
                    yield
                elif spilled is None or not made.rows or made.may_grow():
                    made.enlarge(self._mixer, self.made + made.rows)
                else:
                    spilled.write(made)
                    made.clear()
                    registers[kernel.ROWS] = 0
        if spilled is not None:
            spilled.write(made)
            made.drop()
        self.tables[number] = level = made if spilled is None else spilled
        self.made += level.rows

    def drop_behind(self, number: int) -> None:
        """Give up what levels beyond the one with this number are not made from."""
        reach = max(self._sizes)
        for level in list(self.tables):
            if abs(level - number) >= reach:
                self.tables.pop(level).drop()

    def drop(self) -> None:
        """Give up all of them."""
        for table in self.tables.values():
            table.drop()
        self.tables.clear()

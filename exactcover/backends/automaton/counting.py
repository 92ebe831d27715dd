"""The engine `automaton`: how many solutions there are, without listing any.

The number of states rises up to the middle of the board and falls again. So they are counted from
both ends, always one level at the end with fewer states, until the two meet. If the number of
copies of a piece is a range, the pieces placed do not determine the pieces left, and the count goes
forward only. If no piece is limited, a state is only a node. Then the automaton is not kept: edges
are followed as they are made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from exactcover.backends.arrays import Bits, whole
from exactcover.backends.automaton.levels import (
    LARGE,
    StateLevels,
    StateTable,
    joined,
    no_less_than,
)
from exactcover.backends.automaton.nodes import Growth, built
from exactcover.backends.automaton.sweep import CopyFields, Sweep, narrowest
from exactcover.backends.base import (
    MEBIBYTES,
    NUMBER,
    Abreast,
    Backend,
    Branching,
    Capabilities,
    KeptStates,
    Slice,
    Status,
    Where,
)
from exactcover.backends.memory import STATES, Memory, share_done
from exactcover.backends.node import Node
from exactcover.backends.open_board import OpenBoard, in_order
from exactcover.errors import BrokenSearch, CapabilityError
from exactcover.problem import Layout, Problem

NODE_WORK = 2
"""A node of the automaton takes about as long as this many states."""


class AutomatonCount:
    """A count under way: `advance` until it is done, then the number is in `count`.

    nodes, states  made so far
    levels         how many levels are done, and of how many
    """

    def __init__(
        self, sweep: Sweep, used: CopyFields, memory: Memory, threads: Abreast | None = None
    ) -> None:
        self._sweep, self._used, self._threads, self.memory = sweep, used, threads, memory
        self.count: int | None = None
        self.nodes = self._told = 0
        self._sizes: Sequence[list[int]] = ()  # of the levels, from one end or from both
        self._done = 0.0
        self._steps = [0]
        self._work = self._counted()

    @property
    def states(self) -> int:
        return self.memory.made if self._sizes else 0

    @property
    def levels(self) -> tuple[int, int]:
        return sum(map(len, self._sizes)) - len(self._sizes), self._sweep.n_cells

    def where(self) -> Where:
        """Where the count is: the share that is done follows from the growth of its levels."""
        if self.count is not None:
            self._done = 1.0
        elif self._sizes:
            sizes, (_, levels) = self._sizes, self.levels
            self._done = max(self._done, share_done(sizes, levels, NODE_WORK * self.nodes))
        return Where(progress=self._done, kept=KeptStates(self.states, *self.levels))

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Count on for about this many edges, see `Search.advance`; it never lists solutions.

        Raises `BrokenSearch` if an earlier call has raised an error: what it had made is lost.
        """
        if keep:
            raise CapabilityError("automaton counts solutions and lists none; dlx lists them")
        self._steps[0], before, known = steps, self._told, self.count
        while self.count is None and self._steps[0] > 0:
            if next(self._work, True) and self.count is None:
                raise BrokenSearch
        self._told = self.states  # states count as fits
        if self.count is None:
            return Slice(Status.BUDGET, fits=self._told - before)
        found = self.count if known is None else 0
        return Slice(Status.DONE, found=found, fits=self._told - before)

    def _counted(self) -> Iterator[None]:
        sweep, used = self._sweep, self._used
        if sweep.board.hopeless or used.hopeless:
            self.count = 0
        elif not sweep.n_cells:
            self.count = int(used.enough(used.start[None])[0])
        elif used.any:
            yield from self._meet()
        else:
            yield from self._flow()

    def _flow(self) -> Iterator[None]:
        """No piece is limited: the ways to each node, level by level, as the nodes are made."""
        from exactcover.backends.automaton import kernel

        sweep, memory, last = self._sweep, self.memory, self._sweep.n_cells
        memory.what = STATES
        growth = Growth(sweep, memory)
        self._sizes = (growth.sizes,)
        edges_of_node = np.diff(sweep.starts, axis=1).max(axis=1, initial=0).tolist()
        most = dict(zip(sweep.sizes, edges_of_node, strict=True))
        tables = {0: memory.copy(np.ones(1, np.uint64)).reshape(1, 1)}
        none, limbs = np.zeros((0, 1), np.uint64), 1
        bounds: Counter[int] = Counter()  # of the ways to all nodes of a level
        for number in range(last):
            ways = tables.pop(number, none)
            bound = no_less_than(ways.sum(axis=0, dtype=np.float64))
            for size, many in most.items():
                bounds[number + size] += bound * many
                limbs = max(limbs, bounds[number + size].bit_length() // 64 + 1)
            ways = _with_room(ways, len(ways), limbs, memory)
            for edges in growth.level(self._steps):
                if edges is None:
                    yield
                    continue
                goal, nodes = number + edges.size, int(edges.targets.max(initial=0)) + 1
                table = _with_room(tables.get(goal, none), nodes, limbs, memory)
                tables[goal] = table
                with np.errstate(over="ignore"):
                    kernel.add_edges(limbs, *edges[2:4], ways.reshape(-1), table.reshape(-1))
            memory.drop(ways)
            yield
        self.count = sum(whole(one) for one in tables.get(last, ()))

    def _meet(self) -> Iterator[None]:
        """Pieces are limited: from both ends, or forward only, until the levels meet."""
        memory, last, threads = self.memory, self._sweep.n_cells, self._threads
        automaton = yield from built(self._sweep, self._used, memory, self._steps)
        self.nodes, memory.what, memory.made = 1 + memory.made, STATES, 0
        if not automaton.n_nodes:
            self.count = 0
            return
        both = (True, False) if self._used.all_exact else (True,)
        ways = [StateLevels(automaton, memory, forward=one, threads=threads) for one in both]
        self._sizes = [levels.sizes for levels in ways]
        try:
            if len(ways) == 1:
                for number in range(1, last + 1):
                    yield from ways[0].make(number, self._steps)
                self.count = _enough(ways[0].tables[last], self._used)
            else:
                yield from self._towards(*ways)
        finally:
            for levels in ways:
                levels.drop()

    def _towards(self, ahead: StateLevels, back: StateLevels) -> Iterator[None]:
        """From both ends, always where there are fewer states; then add up the ways along every
        edge from a level before the meeting to one at it or behind."""
        front, rear = 1, self._sweep.n_cells
        while front < rear:
            if ahead.frontier(front) <= back.frontier(rear - 1):
                yield from ahead.make(front, self._steps)
                front += 1
            else:
                rear -= 1
                yield from back.make(rear, self._steps)
        total = 0
        for number, source in ahead.tables.items():
            for goal in (number + size for size in self._sweep.sizes):
                level = back.tables.get(goal)
                if number >= front or goal < front or level is None:
                    continue
                if not (source.rows and level.rows):
                    continue
                room = ahead.direction.room(number, goal)
                self.memory.take(room)
                edges = ahead.direction.steps(number, goal)
                threads = self._threads if source.rows >= LARGE else None
                total += yield from joined(source, edges, level, threads, self._steps)
                self.memory.give(room)
        self.count = total


def _with_room(table: Bits, nodes: int, limbs: int, memory: Memory) -> Bits:
    """A table of ways, uint64 [nodes, words], with room for this many nodes and words at least."""
    many, words = table.shape
    if nodes <= many and limbs <= words:
        return table
    room = many if nodes <= many else 2 * nodes
    larger = memory.zeros(room * limbs, np.uint64).reshape(room, limbs)
    larger[:many, :words] = table
    memory.drop(table)
    return larger


def _enough(table: StateTable, used: CopyFields) -> int:
    """The sum of the counts of the states that have as many of each piece as must be."""
    words, rows = table.key_format.words, table.filled()
    fine = used.enough(table.key_format.used(rows[:, :words]))
    return sum(whole(counts) for counts in rows[fine, words:])


# -- the engine ------------------------------------------------------------------------------------

HEURISTICS = ("narrow", "f")
"""The default first. It also takes every fixed order of cells."""


def _begun(
    problem: Problem, layout: Layout | None, how: Branching, node: Node, cut: int | None = None
) -> AutomatonCount:
    return AutomatonCount(*board_below(problem, layout, how, node), how.threads)


def board_below(
    problem: Problem, layout: Layout | None, how: Branching, node: Node
) -> tuple[Sweep, CopyFields, Memory]:
    """The board below a node in the order that the heuristic names, the fields that count its
    pieces, and the memory of a count."""
    board, settings = OpenBoard.of(problem, layout, node), how.settings
    if how.heuristic == HEURISTICS[0]:
        order = narrowest(board, layout)
    else:
        order = in_order(how.heuristic, board, layout, int(settings.get("seed", 0)))
    return Sweep.of(board, order), CopyFields.of(board), Memory.by(settings)


backend = Backend(
    "automaton",
    "window automaton: counts what cannot be listed, for narrow boards",
    Capabilities(
        features=frozenset({"secondary", "copies"}),
        heuristics=HEURISTICS,
        lists_solutions=False,
        orders=True,
        settings={"memory": MEBIBYTES, "seed": NUMBER},
    ),
    lambda problem, layout, how: partial(_begun, problem, layout, how),
)

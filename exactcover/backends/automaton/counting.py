"""The engine `automaton`: how many solutions there are, without listing any.

The number of states rises up to the middle of the board and falls again. So they are counted from
both ends, always one level at the end with fewer states, until the two meet. If the number of
copies of a piece is a range, the pieces placed do not determine the pieces left, and the count goes
forward only. If no piece is limited, a state is only a node. Then the automaton is not kept: edges
are followed as they are made, see `Flow`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from exactcover.backends.arrays import Bits, Long, whole
from exactcover.backends.automaton.diagram import Diagram, draw_up
from exactcover.backends.automaton.levels import LARGE, StateLevels, joined
from exactcover.backends.automaton.memory import (
    EARLIEST,
    Memory,
    expected_sizes,
    most_at_once,
    risen,
)
from exactcover.backends.automaton.nodes import NODE_BYTES, Building, Edges, Growth
from exactcover.backends.automaton.sweep import CopyFields, Sweep, narrowest
from exactcover.backends.automaton.tables import STATES, StateTable, filled, no_less_than
from exactcover.backends.base import (
    MEBIBYTES,
    NUMBER,
    Begin,
    Branching,
    Capabilities,
    Crew,
    KeptStates,
    Outlook,
    Slice,
    Status,
    Where,
)
from exactcover.backends.node import Node
from exactcover.backends.open_board import OpenBoard, in_order
from exactcover.backends.tasks import checked
from exactcover.errors import BrokenSearch, CapabilityError
from exactcover.problem import Layout, Problem

PLATEAU = 0.8
"""The mean size of the levels behind the middle, as a share of the largest before: many ways
that have a start have no end, and are found to have none only at the last levels."""

NODE_WORK = 2
"""A node of the automaton takes about as long as this many states."""

FIRST_NODES = 1 << 10
"""Room for the ways to the nodes of a level, at first."""


class AutomatonCount:
    """A count under way: `advance` until it is done, then the number is in `count`."""

    def __init__(
        self, sweep: Sweep, used: CopyFields, memory: Memory, crew: Crew | None = None
    ) -> None:
        self._crew = crew
        self._sweep, self._used, self.memory = sweep, used, memory
        self._begin()

    def _begin(self) -> None:
        self.count: int | None = None
        self.states = self._told = 0
        self._handed = False  # whether a slice has had the count
        self.nodes = 0
        self.levels = (0, self._sweep.n_cells)
        self._behind = 0.0
        self._steps = [0]
        self._work = self._counted()
        self._outlook: Callable[[], Outlook] = self._unknown

    def __getstate__(self) -> dict[str, Any]:
        """All but the work: a copy of a count that is not done begins it again."""
        return self.__dict__ | {"_work": iter(()), "_outlook": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _outlook=self._unknown)
        if self.count is None:
            self.memory = self.memory.emptied()
            self._begin()

    def where(self) -> Where:
        """Where the count is."""
        return Where(
            progress=1.0 if self.count is not None else self._behind,
            kept=KeptStates(self.states, *self.levels),
            outlook=self._outlook(),
        )

    def _unknown(self) -> Outlook:
        """The outlook before states are counted: nodes say little of them."""
        return Outlook(NODE_WORK * self.nodes, 0.0, 0)

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Count on for about this many edges, see `Search.advance`; it never lists solutions.

        Raises `BrokenSearch` if an earlier call has raised an error: what it had made is lost.
        """
        if keep:
            raise CapabilityError("automaton counts solutions and lists none; dlx lists them")
        del capacity
        self._steps[0] = steps
        while self.count is None and self._steps[0] > 0:
            if next(self._work, True) and self.count is None:
                raise BrokenSearch
        before, self._told = self._told, self.states  # states count as fits
        if self.count is None:
            return Slice(Status.BUDGET, fits=self.states - before)
        found, self._handed = 0 if self._handed else self.count, True
        return Slice(Status.DONE, found=found, fits=self.states - before)

    def run(self) -> int:
        """Count to the end."""
        while self.count is None:
            self.advance(1 << 22, keep=False)
        return self.count

    def _counted(self) -> Iterator[None]:
        sweep, used = self._sweep, self._used
        if sweep.board.hopeless or used.hopeless:
            self.count = 0
        elif not sweep.n_cells:
            self.count = int(used.enough(used.start[None])[0])
        elif not used.any:
            yield from self._flow()
        else:
            yield from self._meet()

    def _flow(self) -> Iterator[None]:
        """No piece is limited."""
        flow, last = Flow(self._sweep, self.memory), self._sweep.n_cells
        self._outlook = lambda: of_nodes(flow.sizes, last, self._sweep.reach)
        for _ in flow.levels(self._steps):
            self.nodes = self.states = flow.states
            self.levels = (len(flow.sizes) - 1, last)
            self._behind = self.levels[0] / last
            yield
        self.count = flow.count

    # -- pieces are limited -------------------------------------------------------------------

    def _meet(self) -> Iterator[None]:
        """From both ends, or forward only, until the levels meet."""
        building = Building(self._sweep, self._used, self.memory)
        while True:
            self._steps[0] = building.advance(self._steps[0])
            self.nodes = building.made
            self._behind = len(building.sizes) / (self._sweep.n_cells + 1) / 2
            if building.automaton is not None:
                break
            yield
        automaton = building.automaton
        if not automaton.n_nodes:
            self.count = 0
            return
        ahead = StateLevels(automaton, self.memory, forward=True, crew=self._crew)
        ways = [ahead]
        if self._used.all_exact:
            ways.append(StateLevels(automaton, self.memory, forward=False, crew=self._crew))
        base = self.memory.taken
        self._outlook = lambda: self._growth(ways, base)
        try:
            yield from self._ahead(ahead) if len(ways) == 1 else self._towards(*ways)
        finally:
            for levels in ways:
                levels.drop()

    def _ahead(self, ahead: StateLevels) -> Iterator[None]:
        """Forward only."""
        last = self._sweep.n_cells
        for number in range(1, last + 1):
            yield from self._make(ahead, number)
            self.levels = (number, last)
        self.count = _enough(ahead.tables[last], self._used)

    def _towards(self, ahead: StateLevels, back: StateLevels) -> Iterator[None]:
        """From both ends, always where there are fewer states."""
        last = self._sweep.n_cells
        front, rear = 1, last
        while front < rear:
            if ahead.frontier(front) <= back.frontier(rear - 1):
                yield from self._make(ahead, front)
                front += 1
            else:
                rear -= 1
                yield from self._make(back, rear)
            self.levels = (front - 1 + last - rear, last)
            self._behind = 0.5 + (front + last - rear) / last / 2
        yield from self._joined(ahead, back, front)

    def _make(self, levels: StateLevels, number: int) -> Iterator[None]:
        before = levels.made
        yield from levels.make(number, self._steps)
        self.states += levels.made - before
        yield

    def _growth(self, ways: list[StateLevels], base: int) -> Outlook:
        """The outlook while states are counted beside the automaton, which has `base` bytes."""
        made = [[*levels.rows.values()] for levels in ways]
        left, work = self.levels[1] + 1 - sum(map(len, made)), NODE_WORK * self.nodes + self.states
        if EARLIEST * sum(map(len, made)) < self.levels[1]:
            return Outlook(work, 0.0, 0)
        if len(ways) == 1:
            coming = [expected_sizes(made[0], self.levels[1])[len(made[0]) :]]
        else:
            coming = [risen(sizes, left / 2) for sizes in made]
        most = sum(
            most_at_once([*sizes, *to_come], self._sweep.reach)
            for sizes, to_come in zip(made, coming, strict=True)
        )
        return Outlook(work, work + sum(map(sum, coming)), int(base + 2 * most * ways[0].each))

    def _joined(self, ahead: StateLevels, back: StateLevels, cut: int) -> Iterator[None]:
        """Add up the ways along every edge from a level before the cut to one at it or behind."""
        total = 0
        for number, source in ahead.tables.items():
            for goal in (number + size for size in self._sweep.sizes):
                level = back.tables.get(goal)
                if number >= cut or goal < cut or level is None or not (source.rows and level.rows):
                    continue
                direction = ahead.direction
                room = direction.room(number, goal)
                self.memory.take(room, STATES, self.states)
                edges = direction.steps(number, goal, direction.closed(goal))
                crew = self._crew if source.rows >= LARGE else None
                total += yield from joined(source, edges, level, crew, self._steps)
                self.memory.give(room)
        self.count = total


class Flow:
    """A count in progress in which no piece is limited: the ways to each node, level by level.

    Each step of `levels` works on it; the result is in `count`. Levels are dropped when no later
    level is made from them.

    sizes   the nodes of each level so far
    states  nodes made so far, without the root
    """

    def __init__(self, sweep: Sweep, memory: Memory) -> None:
        self._sweep, self._memory = sweep, memory
        self._growth = Growth(sweep, memory)
        self.sizes = self._growth.sizes
        self._most: list[int] = np.diff(sweep.starts, axis=1).max(axis=1, initial=0).tolist()
        self._ways = {0: memory.copy(np.ones(1, np.uint64), STATES, 0).reshape(1, 1)}
        self.count: int | None = None

    @property
    def states(self) -> int:
        return sum(self.sizes) - 1

    def levels(self, steps: list[int]) -> Iterator[None]:
        """Make level after level; it yields after each, and when the steps are spent."""
        sweep, memory = self._sweep, self._memory
        for number in range(1, sweep.n_cells + 1):
            limbs = self._limbs(number)
            memory.take(8 * FIRST_NODES * limbs, STATES, self.states)
            table = np.zeros(FIRST_NODES * limbs, np.uint64)
            for edges in self._growth.level(steps):
                if edges is None:
                    yield
                else:
                    table = self._add(edges, table, limbs)
            nodes = self.sizes[number]
            ways = memory.copy(table[: nodes * limbs], STATES, self.states)
            memory.give(table.nbytes)
            self._ways[number] = ways.reshape(nodes, limbs)
            if number >= sweep.reach:
                memory.drop(self._ways.pop(number - sweep.reach))
            yield
        self.count = sum(whole(ways) for ways in self._ways[sweep.n_cells])

    def _add(self, edges: Edges, table: Bits, limbs: int) -> Bits:
        """Add the ways along some edges to a table of ways, or to a larger one; returns it."""
        from exactcover.backends.automaton import count_kernel as kernel

        needed = limbs * (int(edges.targets.max(initial=0)) + 1)
        if needed > table.size:
            self._memory.take(16 * needed, STATES, self.states)
            self._memory.give(table.nbytes)
            table = np.append(table, np.zeros(2 * needed - table.size, np.uint64))
        ways = self._ways[edges.source][edges.first : edges.first + edges.degrees.size]
        source = np.zeros((len(ways), limbs), np.uint64)
        source[:, : ways.shape[1]] = ways
        with np.errstate(over="ignore"):
            kernel.add_edges(limbs, edges.targets, edges.degrees, source.reshape(-1), table)
        return table

    def _limbs(self, number: int) -> int:
        """The number of words that hold every number of ways of a level."""
        both = zip(self._sweep.sizes, self._most, strict=True)
        near = [(self._ways[number - size], most) for size, most in both if size <= number]
        bound = sum(no_less_than(ways.sum(axis=0, dtype=np.float64)) * most for ways, most in near)
        return max([bound.bit_length() // 64 + 1, *(int(ways.shape[1]) for ways, _ in near)])


def of_nodes(sizes: list[int], levels: int, held: int) -> Outlook:
    """The outlook while nodes are made, from the nodes of each level so far.

    held  the levels in memory at once
    """
    work, left = NODE_WORK * sum(sizes), max(0, levels - len(sizes))
    if EARLIEST * len(sizes) < levels:
        return Outlook(work, 0.0, 0)
    coming = risen(sizes, levels / 2 - len(sizes))
    recent = (sizes + coming)[-max(1, len(sizes) // 4) :]
    later = PLATEAU * min(left, levels / 2) * sum(recent) / len(recent)
    most = most_at_once([*sizes, *coming], held) * NODE_BYTES
    return Outlook(work, work + NODE_WORK * (sum(coming) + later), int(most))


def _enough(table: StateTable, used: CopyFields) -> int:
    """The sum of the counts of the states that have as many of each piece as must be."""
    words = table.key_format.words
    rows = filled(table.key_format, table.limbs, table.cells)
    fine = used.enough(table.key_format.used(rows[:, :words]))
    return sum(whole(counts) for counts in rows[fine, words:])


# -- the engine ------------------------------------------------------------------------------------

HEURISTICS = ("narrow", "f")
"""The default first. It also takes every fixed order of cells."""


class AutomatonBackend:
    """The engine: its capabilities, and how it is prepared."""

    name = "automaton"
    summary = "window automaton: counts what cannot be listed, for narrow boards"
    capabilities = Capabilities(
        features=frozenset({"secondary", "copies"}),
        heuristics=HEURISTICS,
        lists_solutions=False,
        orders=True,
        settings={"memory": MEBIBYTES, "seed": NUMBER},
    )

    def prepare(self, problem: Problem, layout: Layout | None, how: Branching) -> Begin:
        """A function that begins counts of nodes; a crew makes large levels side by side."""
        return partial(_begun, problem, layout, how)


def _begun(
    problem: Problem, layout: Layout | None, how: Branching, node: Node, cut: int | None
) -> AutomatonCount:
    return AutomatonCount(*swept(problem, layout, how, node), memory_of(how), how.crew)


def count(problem: Problem, layout: Layout | None, how: Branching) -> AutomatonCount:
    """A count of the solutions below a root, not yet begun.

    It raises `TooLarge` if it does not fit in the memory that it may take.
    """
    how = checked(backend, problem, layout, how)
    return _begun(problem, layout, how, how.root, None)


def diagram(problem: Problem, layout: Layout | None, how: Branching) -> Diagram:
    """All solutions below a root as one diagram; raises `TooLarge` if it does not fit."""
    how = checked(backend, problem, layout, how)
    sweep, used = swept(problem, layout, how, how.root)
    memory = Memory(memory_of(how).limit, advice="allow more memory: all states are held at once")
    return draw_up(sweep, used, memory, how.root.chosen)


def swept(
    problem: Problem, layout: Layout | None, how: Branching, node: Node
) -> tuple[Sweep, CopyFields]:
    """The board below a node in its order of cells, and the fields that count its pieces."""
    board = OpenBoard.of(problem, layout, node, how.order)
    return Sweep.of(board, order_of(how, board, layout)), CopyFields.of(board)


def memory_of(how: Branching) -> Memory:
    """The memory of a count: `memory` in MiB, or half of the free memory."""
    memory = how.settings.get("memory")
    return Memory(None if memory is None else int(memory) << 20)


def order_of(how: Branching, board: OpenBoard, layout: Layout | None) -> Long:
    """The cells of a board in the order that a heuristic names: int64 [cells]."""
    if how.heuristic == HEURISTICS[0]:
        return narrowest(board, layout)
    return in_order(how.heuristic, board, layout, int(how.settings.get("seed", 0)))


backend = AutomatonBackend()

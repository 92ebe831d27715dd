"""The backend `automaton`, and its depth-first search: the position, the way back to options.

The automaton is built by the first calls of `advance`, so that a search can be stopped there too.
If the first call does not keep solutions, they are counted by levels instead.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from exactcover.backends.arrays import Index, Long
from exactcover.backends.automaton.counting import AutomatonCount
from exactcover.backends.automaton.diagram import Diagram
from exactcover.backends.automaton.drawing_up import draw_up
from exactcover.backends.automaton.memory import Memory
from exactcover.backends.automaton.narrowest import narrowest
from exactcover.backends.automaton.nodes import Automaton, Building
from exactcover.backends.automaton.outlook import MOST, NODE_WORK, of_nodes
from exactcover.backends.automaton.sweep import CopyFields, Sweep
from exactcover.backends.base import (
    MEBIBYTES,
    NUMBER,
    Batch,
    Capabilities,
    Outlook,
    Report,
    Status,
    Task,
    check_capacity,
)
from exactcover.backends.matrix_search import KernelSearch
from exactcover.backends.open_board import OpenBoard, in_order
from exactcover.backends.tasks import checked
from exactcover.problem import Layout, Problem

HEURISTICS = ("narrow", "f")
"""The default first. It also takes every fixed order of cells."""

SETTINGS = {"memory": MEBIBYTES, "seed": NUMBER}

MIB = 1 << 20

TRIES_OF_STATE = 8
"""Edges tried in the time of a state, about."""


class AutomatonTables:
    """The kernel's tables of an automaton, see `search_kernel.search`."""

    def __init__(self, automaton: Automaton, memory: Memory) -> None:
        used, kinds = automaton.copy_fields, automaton.sweep.kind[automaton.image]
        self.starts, self.target = automaton.starts, automaton.target
        self.paths = automaton.paths().back.clip(max=MOST)  # from each node to the end
        self.kind = kinds.astype(np.uint32)
        self.one = used.by_kind(used.one).reshape(-1)
        self.tops = used.by_kind(used.top)[kinds].reshape(-1)
        must = used.spread(used.top, used.exact)
        after = automaton.reached(memory, forward=False)
        self.missing = (must & ~after).reshape(-1)
        ranged = np.flatnonzero(used.counted & ~used.exact & (used.least > used.low))
        self.ranges = np.array(
            [used.word[ranged].astype(np.uint64), used.field[ranged], used.least[ranged]]
        ).T.reshape(-1)


class AutomatonSearch(KernelSearch):
    """A search under way, of the subtree of a task; all that changes is in its arrays."""

    kernel_name = "exactcover.backends.automaton.search_kernel"

    def __init__(self, sweep: Sweep, used: CopyFields, task: Task, memory: Memory) -> None:
        from exactcover.backends.automaton import search_kernel as kernel

        self._sweep, self._used = sweep, used
        self._chosen = np.array(task.chosen, np.int32)
        self._longest = sweep.n_cells
        self._memory, self._crew = memory, task.crew
        self._building: Building | None = None
        self._counting: AutomatonCount | None = None
        self._tables: AutomatonTables | None = None
        self._option = np.zeros(0, np.int64)  # of each edge
        self._fields = used.start
        self._registers = np.zeros(kernel.REGISTERS, np.int64)
        self._stack = np.zeros(2 * sweep.n_cells + 2, np.int64)
        self._above = np.zeros((sweep.n_cells + 1) * used.words, np.uint64)
        self._nodes = 0
        self._done = sweep.board.hopeless or used.hopeless

    def __getstate__(self) -> dict[str, Any]:
        """All but an automaton that is not finished: a copy builds it again."""
        if self._building is None:
            return self.__dict__
        return self.__dict__ | {"_building": None, "_memory": self._memory.emptied()}

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search.

        Cells left empty by choice count as fits. No-fits are edges that could not be taken, since
        too few copies of a piece are left, or would be.
        """
        if self._counting is not None:
            return self._counting.report(brief=brief)
        kernel = self._kernel
        fits, found = int(self._registers[kernel.FITS]), int(self._registers[kernel.FOUND])
        *above, (edge, end) = self._places()
        waiting = end - edge + sum(its_end - its - 1 for its, its_end in above)
        report = Report(fits, int(self._registers[kernel.TRIES]) - fits - waiting, found)
        if brief:
            return report
        progress = self._progress()
        position = [(edge - begin, end - begin) for edge, begin, end in self._edges()[:-1]]
        return replace(
            report, progress=progress, position=position, outlook=self._outlook(progress)
        )

    def _outlook(self, done: float) -> Outlook:
        """The share of the work that is done, and the expected memory; a unit is a state.

        The search below is taken to last as long as building, until it has begun.

        done  the progress of the search below
        """
        if self._tables is None:
            sizes = [] if self._building is None else self._building.sizes
            nodes = of_nodes(sizes, self._sweep.n_cells)
            return nodes._replace(whole=2 * NODE_WORK * nodes.whole / (NODE_WORK + 1))
        built = float(NODE_WORK * self._nodes)
        tried = int(self._registers[self._kernel.TRIES]) / TRIES_OF_STATE
        sure = min(tried / max(built, 1.0), 1.0)  # at first its progress says little
        below = (1.0 - sure) * built + (sure * tried / done if done else 0.0)
        return Outlook(built + tried, built + max(tried, below), 0)

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Build or search for about `steps` edges, see `Search.advance`."""
        check_capacity(capacity)
        if self._tables is None and not self._done:
            if not keep and self._building is None:
                return self._count(steps)
            if self._counting is not None:  # now solutions are wanted
                self._counting = None
                self._memory = self._memory.emptied()
            if self._building is None:
                self._building = Building(self._sweep, self._used, self._memory)
            steps = self._building.advance(steps)
            self._nodes = self._building.made
            if not steps:
                return Batch.of(Status.BUDGET)
            self._begin(self._building)
        return super().advance(steps, capacity=capacity, keep=keep)

    def _count(self, steps: int) -> Batch:
        """Count on by levels."""
        if self._counting is None:
            self._counting = AutomatonCount(self._sweep, self._used, self._memory, self._crew)
        self._done = self._counting.advance(steps)
        return Batch.of(Status.DONE if self._done else Status.BUDGET)

    def _begin(self, building: Building) -> None:
        """Start at the root of the automaton that is built."""
        kernel, automaton = self._kernel, building.automaton
        assert automaton is not None
        self._building = None
        self._tables = AutomatonTables(automaton, self._memory)
        self._option = self._sweep.board.option[self._sweep.image[automaton.image]]
        if not self._sweep.n_cells:  # nothing to fill: this is a solution, if no piece is missing
            self._registers[kernel.FOUND] = int(self._used.enough(self._fields[None])[0])
        elif automaton.n_nodes:
            self._registers[kernel.END] = self._registers[kernel.TRIES] = automaton.starts[1]
        self._done = bool(self._sweep.n_cells and not automaton.target.size)

    def _run(self, steps: int, keep: bool, capacity: int, starts: Long, numbers: Index) -> int:
        kernel, tables, words = self._kernel, self._tables, self._used.words
        assert tables is not None
        if not self._sweep.n_cells:
            self._registers[kernel.HELD] = int(self._registers[kernel.FOUND]) if keep else 0
            return int(kernel.DONE)
        status: int = kernel.search(
            (0,) * words, steps, keep, capacity, self._longest, tables.missing.size // words - 1,
            tables.starts, tables.target, tables.kind, tables.tops, tables.one, tables.missing,
            tables.ranges, self._fields, self._stack, self._above, self._registers, starts,
            numbers,
        )  # fmt: skip
        return status

    def _options_of(self, numbers: Index) -> Long:
        return self._option[numbers]

    # -- where it stands ----------------------------------------------------------------------

    def _progress(self) -> float:
        """The searched share of the tree.

        An edge counts by the paths through it, without a limit on pieces.
        """
        if self._done:
            return 1.0
        if self._tables is None:
            return 0.0
        behind, share, paths, target = 0.0, 1.0, self._tables.paths, self._tables.target
        for edge, begin, end in self._edges():
            below = paths[target[begin:end]]
            share /= max(float(below.sum()), 1e-300)
            behind += share * float(below[: edge - begin].sum())
            share *= float(below[edge - begin]) if edge < end else 0.0
        return min(behind, 1.0)

    def _edges(self) -> list[tuple[int, int, int]]:
        """For each node on the stack, the current one last: its edge, and all its edges."""
        if self._tables is None:
            return []
        starts, places = self._tables.starts, self._places()
        nodes = np.searchsorted(starts, [end for _, end in places], side="left") - 1
        return [(edge, int(starts[at]), end) for at, (edge, end) in zip(nodes, places, strict=True)]

    def _places(self) -> list[tuple[int, int]]:
        """For each node on the stack, the current one last: its edge and the end of its edges."""
        kernel, level = self._kernel, int(self._registers[self._kernel.LEVEL])
        pairs = self._stack[: 2 * level].reshape(-1, 2).tolist()
        places = [(edge, end) for edge, end in pairs]
        return [*places, (int(self._registers[kernel.EDGE]), int(self._registers[kernel.END]))]


# -- the backend -----------------------------------------------------------------------------------


class AutomatonBackend:
    """The backend: its capabilities, and the start of a search."""

    name = "automaton"
    summary = "window automaton: counts what cannot be listed, for narrow boards"
    capabilities = Capabilities(
        features=frozenset({"secondary", "copies"}),
        heuristics=HEURISTICS,
        counts=True,
        orders=True,
        settings=SETTINGS,
    )

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> AutomatonSearch:
        """A search of the task's subtree; it builds the automaton first."""
        sweep, used = swept(problem, layout, task)
        return AutomatonSearch(sweep, used, task, memory_of(task))


def count(problem: Problem, layout: Layout | None, task: Task) -> AutomatonCount:
    """A count of the solutions below a task, not yet begun.

    It raises `TooLarge` if it does not fit in the memory that it may take. The crew of the task
    makes large levels side by side.
    """
    task = checked(backend, problem, layout, task)
    sweep, used = swept(problem, layout, task)
    return AutomatonCount(sweep, used, memory_of(task), task.crew)


def diagram(problem: Problem, layout: Layout | None, task: Task) -> Diagram:
    """All solutions below a task as one diagram; raises `TooLarge` if it does not fit."""
    task = checked(backend, problem, layout, task)
    sweep, used = swept(problem, layout, task)
    memory = Memory(memory_of(task).limit, advice="allow more memory: all states are held at once")
    return draw_up(sweep, used, memory, task.chosen)


def swept(problem: Problem, layout: Layout | None, task: Task) -> tuple[Sweep, CopyFields]:
    """The board below a task in its order of cells, and the fields that count its pieces."""
    board = OpenBoard.of(problem, layout, task)
    return Sweep.of(board, order_of(task, board, layout)), CopyFields.of(board)


def memory_of(task: Task) -> Memory:
    """The memory of a task: `memory` in MiB, or half of the free memory."""
    memory = task.settings.get("memory")
    return Memory(None if memory is None else int(memory) * MIB, ask=task.ask)


def order_of(task: Task, board: OpenBoard, layout: Layout | None) -> Long:
    """The cells of a board in the order that a task names: int64 [cells]."""
    if task.heuristic == HEURISTICS[0]:
        return narrowest(board, layout)
    return in_order(task.heuristic, board, layout, int(task.settings.get("seed", 0)))


backend = AutomatonBackend()

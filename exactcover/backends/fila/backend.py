"""The capabilities of fila, and the start of its searches: one by one, or many below one task."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from exactcover.backends.base import Capabilities, Task
from exactcover.backends.fila.phases import HEURISTICS, SETTINGS
from exactcover.backends.fila.prepared import PreparedTask
from exactcover.backends.fila.search import FilaSearch

if TYPE_CHECKING:
    from exactcover.problem import Problem
    from exactcover.problem.layout import Layout

TRIMMED = 1
"""The lists are trimmed for the first option chosen below an opening, and shared below that."""


MOST_BITS = 1024
"""With more items than this, word sets may be wide enough only once some cells are filled."""


class FilaBackend:
    """The backend: its capabilities, and the start of a search."""

    name = "fila"
    summary = "fixed image lists (Busche's FILA): the fast engine for tilings"
    capabilities = Capabilities(
        features=frozenset({"secondary", "copies"}),
        heuristics=HEURISTICS,
        cuts=True,
        orders=True,
        phases=True,
        rates=True,
        settings=SETTINGS,
    )

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> FilaSearch:
        """A search of the task's subtree; compiles the kernel if necessary."""
        return FilaSearch(PreparedTask.of(problem, layout, task), task, np.zeros(0, np.int64))

    def opening(self, problem: Problem, layout: Layout | None, task: Task) -> FilaOpening:
        """The task made ready for many searches below it."""
        return FilaOpening(problem, layout, task)


class FilaOpening:
    """A task below which many searches start.

    The article makes lists for each of its first placements. Here the lists are trimmed for each
    first option chosen below the task, and all searches that choose more share them. It keeps the
    lists of one first option, since searches are started in the order of a tree. The tables are
    made anew if sets of cells take fewer words without the cells of that option.
    """

    def __init__(self, problem: Problem, layout: Layout | None, task: Task) -> None:
        self._problem, self._layout, self._task = problem, layout, task
        self._above: PreparedTask | None = None
        self._first: tuple[int, ...] = ()
        self._prepared: PreparedTask | None = None

    def start(self, task: Task) -> FilaSearch:
        """A search of a subtree of the task."""
        if self._task.parted:
            return self._part(task)
        first = task.chosen[: len(self._task.chosen) + TRIMMED]
        if self._prepared is None or self._first != first:
            self._prepared, self._first = self._prepared_for(task, first), first
        prepared, placed = self._prepared, self._prepared.placed(task)
        if placed is None:
            prepared = PreparedTask.of(self._problem, self._layout, task)
            placed = np.zeros(0, np.int64)
        return FilaSearch(prepared, task, placed)

    def _part(self, task: Task) -> FilaSearch:
        """A part of one search by this engine, with the lists of that search."""
        if self._prepared is None:
            self._prepared = PreparedTask.of(self._problem, self._layout, self._task)
        placed = self._prepared.placed(task)
        if placed is None:
            prepared = PreparedTask.of(self._problem, self._layout, task)
            return FilaSearch(prepared, task, np.zeros(0, np.int64))
        return FilaSearch(self._prepared, task, placed)

    def _prepared_for(self, task: Task, first: tuple[int, ...]) -> PreparedTask:
        """The tables that all tasks that begin with these options share."""
        task = replace(task, chosen=first, allowed=self._task.allowed)
        if self._problem.n_items <= MOST_BITS:
            if self._above is None:
                above = replace(task, chosen=self._task.chosen)
                self._above = PreparedTask.of(self._problem, self._layout, above)
            placed = self._above.placed(task)
            if placed is not None and not self._above.is_wide_beside(placed):
                return self._above.trimmed(placed)
        return PreparedTask.of(self._problem, self._layout, task)

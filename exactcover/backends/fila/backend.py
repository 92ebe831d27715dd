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

MOST_BYTES = 1 << 26
"""The lists that an opening keeps may take this much."""

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
    first option chosen below the task, and all searches that choose more share them. Those of the
    latest first options are kept: a search goes through them in order, a sampler does not. The
    tables are made anew if sets of cells take fewer words without the cells of that option.
    """

    def __init__(self, problem: Problem, layout: Layout | None, task: Task) -> None:
        self._problem, self._layout, self._task = problem, layout, task
        self._kept: dict[tuple[int, ...], PreparedTask] = {}  # by the options chosen, latest last

    def start(self, task: Task) -> FilaSearch:
        """A search of a subtree of the task."""
        shared = len(self._task.chosen) + (not self._task.parted)
        prepared = self._prepared_for(task.chosen[:shared])
        placed = prepared.placed(task)
        if placed is None:
            prepared = PreparedTask.of(self._problem, self._layout, task)
            placed = np.zeros(0, np.int64)
        return FilaSearch(prepared, task, placed)

    def _prepared_for(self, chosen: tuple[int, ...]) -> PreparedTask:
        """The tables that all tasks that begin with these options share."""
        known = self._kept.pop(chosen, None)
        prepared = self._kept[chosen] = known or self._made(chosen)
        if known is None:  # those above and of this option stay, whatever they take
            size = sum(one.size for one in self._kept.values())
            while len(self._kept) > 2 and size > MOST_BYTES:
                size -= self._kept.pop(next(iter(self._kept))).size
        return prepared

    def _made(self, chosen: tuple[int, ...]) -> PreparedTask:
        task = replace(self._task, chosen=chosen)
        if chosen != self._task.chosen and self._problem.n_items <= MOST_BITS:
            above = self._prepared_for(self._task.chosen)
            placed = above.placed(task)
            if placed is not None and not above.is_wide_beside(placed):
                return above.trimmed(placed)
        return PreparedTask.of(self._problem, self._layout, task)

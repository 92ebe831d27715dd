"""What fila can do, and how its searches start: one by one, or many below one task."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from exactcover.backends.base import Capabilities, Task
from exactcover.backends.fila.opening import Opening
from exactcover.backends.fila.phases import HEURISTICS, SETTINGS
from exactcover.backends.fila.search import FilaSearch

if TYPE_CHECKING:
    from exactcover.layout import Layout
    from exactcover.problem import Problem

MADE_ANEW = 1
"""With so many options chosen below an opening the tables are made anew, and shared below that."""


class FilaBackend:
    """The backend: what it can do, and how a search of it starts."""

    name = "fila"
    summary = "fixed image lists (Busche's FILA): the fast engine for tilings"
    capabilities = Capabilities(
        features=frozenset({"secondary", "copies"}),
        heuristics=HEURISTICS,
        orders=True,
        cuts=True,
        opens=True,
        rates=True,
        settings=tuple(SETTINGS),
    )

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> FilaSearch:
        """A search of the subtree that the task names; compiles the kernel where it must."""
        return FilaSearch(Opening.of(problem, layout, task), task, np.zeros(0, np.int64))

    def opening(self, problem: Problem, layout: Layout | None, task: Task) -> FilaOpening:
        """The task made ready for many searches below it."""
        return FilaOpening(problem, layout, task)


class FilaOpening:
    """A task below which many searches start.

    Tables are made anew for each first option that is chosen below the task, as the article does
    for its first placements, and shared by all that choose more. It keeps those of one first
    option, since searches are started in the order of a tree.
    """

    def __init__(self, problem: Problem, layout: Layout | None, task: Task) -> None:
        self._problem, self._layout, self._task = problem, layout, task
        self._opening: Opening | None = None

    def start(self, task: Task) -> FilaSearch:
        """A search of a subtree of the task."""
        first = task.chosen[: len(self._task.chosen) + MADE_ANEW]
        if self._opening is None or self._opening.task.chosen != first:
            above = replace(task, chosen=first, allowed=self._task.allowed)
            self._opening = Opening.of(self._problem, self._layout, above)
        opening, placed = self._opening, self._opening.placed(task)
        if placed is None:
            opening = Opening.of(self._problem, self._layout, task)
            placed = np.zeros(0, np.int64)
        return FilaSearch(opening, task, placed)

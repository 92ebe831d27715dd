"""An engine that searches nothing: it gives back what it was given, to be registered by a test."""

from __future__ import annotations

import numpy as np

from exactcover.backends.base import Batch, Capabilities, Report, Status, Task
from exactcover.problem import Problem
from exactcover.problem.layout import Layout


class LoopbackSearch:
    """Its only solution is what the task has chosen and the first options that it allows."""

    def __init__(self, problem: Problem, task: Task) -> None:
        allowed = np.ones(problem.n_options, bool) if task.allowed is None else task.allowed
        self._answer = sorted({*task.chosen, *np.flatnonzero(allowed)[:2].tolist()})
        self.found = 0

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        told = self._answer if keep and not self.found else []
        starts = [0, len(told)] if told else [0]
        self.found = 1
        return Batch(Status.DONE, np.array(starts, np.int64), np.array(told, np.int32))

    def report(self, *, brief: bool = False) -> Report:
        return Report(17, 4, self.found, progress=float(self.found), position=[(0, 1)])


class LoopbackBackend:
    """It remembers what it was asked."""

    name = "loopback"
    summary = "gives back what it is given"
    capabilities = Capabilities(features=frozenset({"secondary"}), heuristics=("h", "i"))
    asked: list[tuple[Problem, Layout | None, Task]]

    def __init__(self) -> None:
        self.asked = []

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> LoopbackSearch:
        self.asked.append((problem, layout, task))
        return LoopbackSearch(problem, task)


backend = LoopbackBackend()

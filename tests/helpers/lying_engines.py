"""Engines that are wrong, to be registered by a test."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from exactcover.backends.base import Batch, Report, Search, Task
from exactcover.backends.dlx import DlxBackend, DlxSearch
from exactcover.problem import Problem
from exactcover.problem.layout import Layout


class ForgetfulSearch(DlxSearch):
    """It loses each solution whose options add up to a multiple of 5."""

    lost = 0

    def report(self, *, brief: bool = False) -> Report:
        report = super().report(brief=brief)
        return replace(report, found=report.found - self.lost)

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        batch = super().advance(steps, capacity=capacity)
        told = [batch.solution(number) for number in range(len(batch))]
        kept = [one for one in told if sum(one) % 5]
        self.lost += len(told) - len(kept)
        if not keep:
            kept = []
        return Batch(
            batch.status,
            np.cumsum([0, *map(len, kept)], dtype=np.int64),
            np.array([option for one in kept for option in one], np.int32),
        )


class RepeatingSearch(DlxSearch):
    """It gives each solution of the first batch twice."""

    again = 0

    def report(self, *, brief: bool = False) -> Report:
        report = super().report(brief=brief)
        return replace(report, found=report.found + self.again)

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        batch = super().advance(steps, capacity=capacity, keep=keep)
        if self.again or not len(batch):
            return batch
        self.again = len(batch)
        starts = np.concatenate([batch.starts, batch.starts[1:] + batch.starts[-1]])
        return replace(batch, starts=starts, options=np.tile(batch.options, 2))


class ForgetfulBackend(DlxBackend):
    name = "forgetful"

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> Search:
        return ForgetfulSearch(problem, layout, task)


class RepeatingBackend(DlxBackend):
    name = "repeating"

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> Search:
        return RepeatingSearch(problem, layout, task)


forgetful = ForgetfulBackend()
repeating = RepeatingBackend()

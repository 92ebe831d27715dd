"""Searches that judge each solution: whether it is kept, and how much it counts.

Where symmetric solutions count once, a canonical test keeps one of each. It is needed where the
filters of a plan cannot remove all copies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Batch, Report, Search
from exactcover.base.values.conventions import Convention
from exactcover.problem.filters.canonical import Canonical
from exactcover.puzzle.symmetry import PuzzleSymmetries
from exactcover.search.plan import Plan

NO_SYMMETRY = "no symmetry"


class Judgement(NamedTuple):
    """The solutions of a batch that are handed out, and what the batch counts.

    kept       their numbers in the batch
    found      how many solutions the batch counts
    symmetric  how many of these have each group of symmetries
    """

    kept: npt.NDArray[np.int64]
    found: int
    symmetric: Counter[str]


Judge = Callable[[Batch], Judgement]


@dataclass(frozen=True, eq=False)
class CanonicalTest:
    """Keeps the solutions that are the least of their symmetric copies."""

    canonical: Canonical
    symmetries: PuzzleSymmetries
    counted: Convention

    def __call__(self, batch: Batch) -> Judgement:
        """The solutions of a batch that are kept, with their groups of symmetries."""
        fixing = self.canonical.fixing(batch.starts, batch.options)
        kept, symmetric = np.flatnonzero(fixing), Counter[str]()
        if plain := int((fixing == 1).sum()):
            symmetric[NO_SYMMETRY] += plain
        for number in np.flatnonzero(fixing > 1).tolist():
            symmetric[self.symmetries.name_of_group(batch.solution(number), self.counted)] += 1
        return Judgement(kept, len(kept), symmetric)


def canonical_test(plan: Plan) -> CanonicalTest | None:
    """The canonical test of a plan; None: all solutions count."""
    if plan.canonical is None or plan.model is None:
        return None
    return CanonicalTest(plan.canonical, plan.model.symmetries, plan.subject.counted)


class JudgedSearch:
    """A search whose solutions are judged.

    search     whose tree it goes through
    judge      None: all solutions are kept
    symmetric  how many of the solutions found have each group of symmetries
    """

    def __init__(self, search: Search, judge: Judge | None) -> None:
        self.search, self.judge = search, judge
        self.symmetric: Counter[str] = Counter()
        self._found = 0

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on with the search, see `Search.advance`. A judge needs the solutions even with `keep`
        off."""
        needed = keep or self.judge is not None
        return self.judged(self.search.advance(steps, capacity=capacity, keep=needed), keep=keep)

    def judged(self, batch: Batch, *, keep: bool) -> Batch:
        """The solutions of a batch of the search that are handed out."""
        if self.judge is None:
            return batch
        judgement = self.judge(batch)
        self._found += judgement.found
        self.symmetric += judgement.symmetric
        return batch.selected(judgement.kept) if keep else Batch.of(batch.status)

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search, with the groups of symmetries if there is a judge."""
        report = self.search.report(brief=brief)
        if self.judge is None:
            return report
        return replace(report, found=self._found, symmetric=self.symmetric)

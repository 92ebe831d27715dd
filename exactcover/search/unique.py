"""The canonical test as a search: it hands out one of the symmetric copies of each solution.

It wraps the search of a plan whose filters cannot remove all copies.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Batch, Report, Search
from exactcover.base.values.conventions import Convention
from exactcover.problem.filters.canonical import Canonical
from exactcover.puzzle.symmetry import PuzzleSymmetries
from exactcover.search.plan import Plan

NO_SYMMETRY = "no symmetry"


class SearchWrapper:
    """A search that goes through the tree of another one, and counts its solutions differently.

    A subclass has `advance`, which adds to `found`.
    """

    def __init__(self, search: Search) -> None:
        self._search = search
        self.found = 0

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search."""
        return replace(self._search.report(brief=brief), found=self.found)


class UniqueSearch(SearchWrapper):
    """A search that hands out and counts only the solutions that a canonical test keeps.

    symmetric  how many of them have each group of symmetries
    """

    def __init__(
        self,
        search: Search,
        canonical: Canonical,
        symmetries: PuzzleSymmetries,
        counted: Convention,
    ) -> None:
        super().__init__(search)
        self._canonical = canonical
        self._symmetries, self._counted = symmetries, counted
        self.symmetric: Counter[str] = Counter()

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on with the search, see `Search.advance`. The test needs the solutions even with
        `keep` off."""
        batch = self._search.advance(steps, capacity=capacity, keep=True)
        kept, symmetric = self.judge(batch)
        self.found += len(kept)
        self.symmetric += symmetric
        return batch.selected(kept) if keep else Batch.of(batch.status)

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search, with the groups of symmetries of its solutions."""
        return replace(super().report(brief=brief), symmetric=self.symmetric)

    def judge(self, batch: Batch) -> tuple[npt.NDArray[np.int64], Counter[str]]:
        """The numbers of the solutions that are kept, and their groups of symmetries."""
        fixing = self._canonical.fixing(batch.starts, batch.options)
        symmetric: Counter[str] = Counter()
        if plain := int((fixing == 1).sum()):
            symmetric[NO_SYMMETRY] += plain
        for number in np.flatnonzero(fixing > 1).tolist():
            name = self._symmetries.name_of_group(batch.solution(number), self._counted)
            symmetric[name] += 1
        return np.flatnonzero(fixing), symmetric


def judged(search: Search, plan: Plan) -> UniqueSearch | None:
    """The search of a plan with its canonical test; None: the plan has none."""
    if plan.canonical is None or plan.model is None:
        return None
    counted = plan.subject.counted
    return UniqueSearch(search, plan.canonical, plan.model.symmetries, counted)

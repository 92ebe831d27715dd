"""The canonical test as a search: it hands out one of the symmetric copies of each solution.

It wraps the search of a plan whose filters cannot remove all copies.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from exactcover.backends.base import Batch, Search
from exactcover.filters.canonical import Canonical
from exactcover.puzzle.symmetry import PuzzleSymmetries
from exactcover.search.combining import SearchWrapper

NO_SYMMETRY = "none but the identity"


class UniqueSearch(SearchWrapper):
    """A search that hands out and counts only the solutions that a canonical test keeps.

    symmetric  how many of them have each group of symmetries
    """

    def __init__(
        self, search: Search, canonical: Canonical, symmetries: PuzzleSymmetries, counted: str
    ) -> None:
        super().__init__(search)
        self._canonical = canonical
        self._symmetries, self._counted = symmetries, counted
        self.symmetric: Counter[str] = Counter()

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on with the search, see `Search.advance`. The test needs the solutions even with
        `keep` off."""
        batch = self._search.advance(steps, capacity=capacity, keep=True)
        fixing = self._canonical.fixing(batch.starts, batch.options)
        kept = np.flatnonzero(fixing)
        self.found += len(kept)
        if plain := int((fixing == 1).sum()):
            self.symmetric[NO_SYMMETRY] += plain
        for number in np.flatnonzero(fixing > 1).tolist():
            name = self._symmetries.name_of_group(batch.solution(number), self._counted)
            self.symmetric[name] += 1
        return batch.selected(kept) if keep else Batch.of(batch.status)

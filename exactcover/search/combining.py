"""Shared by searches that are made of other searches: wrapping, sums of tallies, joined batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from exactcover.backends.base import Batch, Report, Search, Status, Tried

OVERHEAD = 64
"""The cost of starting one search below a state, in steps of the budget."""


def sum_tallies(tallies: Iterable[Mapping[int, Tried]]) -> dict[int, Tried]:
    """The sum of several tallies, most pieces left first."""
    attempts: Counter[int] = Counter()
    fits: Counter[int] = Counter()
    for tally in tallies:
        for left, tried in tally.items():
            attempts[left] += tried.attempts
            fits[left] += tried.fits
    return {left: Tried(attempts[left], fits[left]) for left in sorted(attempts, reverse=True)}


def joined(batches: Sequence[Batch], status: Status) -> Batch:
    """The solutions of several batches as one batch."""
    filled = [batch for batch in batches if len(batch)]
    if len(filled) == 1:
        return replace(filled[0], status=status)
    lengths = [np.diff(batch.starts) for batch in filled]
    starts = np.concatenate([[0], *lengths]).cumsum()
    options = [batch.options for batch in filled]
    return Batch(status, starts, np.concatenate([np.zeros(0, np.int32), *options]))


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

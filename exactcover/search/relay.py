"""A search that can go on by another strategy: what it has not begun is searched the new way.

Every `CuttingSearch` can hand back the branches that it has not begun. They are subtrees, which any
engine can search. So the strategy may change in the middle of a search: each solution is still
found once, and the fits and no-fits are those that were made.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

from exactcover.backends.base import Batch, CuttingSearch, Part, Search, Status, Tried
from exactcover.search.combining import sum_tallies
from exactcover.search.openings import Openings
from exactcover.search.plan import Plan
from exactcover.search.strategy import Strategy

SMALL = 0.01
"""A search keeps what is less than this share of what was left when the strategy changed."""


@runtime_checkable
class Changeable(Search, Protocol):
    """A search whose strategy can be changed on the way."""

    def change(self, plan: Plan, strategy: Strategy) -> None:
        """Search by another strategy what is not begun; the plan leaves the same solutions."""


class Relay:
    """A search of the whole tree of a plan, and of what is left of it after each change.

    tally  whether it counts the options tried by the number of pieces left
    """

    def __init__(self, search: CuttingSearch, *, tally: bool = False) -> None:
        self._search, self._tallied = search, tally
        self._openings: Openings | None = None  # None: the strategy has not changed
        self._waiting: deque[Part] = deque()
        self._parts = 0  # that waited after the last change
        self._begun, self._share, self._from = 0.0, 1.0, 0.0  # of the current search
        self._past = (0, 0, 0)  # fits, no-fits and solutions of the searches that are done
        self._tally: Mapping[int, Tried] = {}

    @property
    def fits(self) -> int:
        """Options chosen so far."""
        return self._past[0] + self._search.fits

    @property
    def nofits(self) -> int:
        """Options tried so far that did not fit."""
        return self._past[1] + self._search.nofits

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return self._past[2] + self._search.found

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on with the current part, see `Search.advance`."""
        batch = self._search.advance(steps, capacity=capacity, keep=keep)
        if batch.status is Status.DONE and self._waiting:
            self._next()
            return replace(batch, status=Status.BUDGET)
        return batch

    def _next(self) -> None:
        """Begin the next part."""
        assert self._openings is not None
        search, part = self._search, self._waiting.popleft()
        self._past = self.fits, self.nofits, self.found
        if self._tallied:
            self._tally = sum_tallies([self._tally, search.tally()])
        self._begun += self._share
        self._share, self._from = part.share, 0.0
        task = replace(part.task, cut=None, tally=self._tallied, watch=None)
        self._search = self._openings.start(task, part.remaining)

    def change(self, plan: Plan, strategy: Strategy) -> None:
        """Search by another strategy what is not begun; the plan leaves the same solutions."""
        begun = self.progress()
        here, parts = self._handed_back()
        ahead = here + sum(part.share for part in (*parts, *self._waiting))
        scale = (1.0 - begun) / ahead if ahead > 0 else 0.0
        self._waiting = deque(
            replace(part, share=part.share * scale) for part in (*parts, *self._waiting)
        )
        self._parts = len(self._waiting)
        self._begun, self._share, self._from = begun, here * scale, self._search.progress()
        self._openings = Openings(plan, strategy)

    def _handed_back(self) -> tuple[float, list[Part]]:
        """What the current search still has, as a share of the tree, and the parts that it hands
        back, in the order of the search."""
        had = self._share * (1.0 - self._search.progress())
        small, parts = SMALL * had, list[Part]()
        while had > small and (back := self._search.give_back()):
            back = [replace(part, share=self._share * part.share) for part in back]
            had -= sum(part.share for part in back)
            parts = [*back, *parts]
        return max(had, 0.0), parts

    def progress(self) -> float:
        """The searched share of the tree; sibling branches count equally."""
        inner, ahead = self._search.progress(), 1.0 - self._from
        if inner >= 1.0 and not self._waiting:
            return 1.0
        done = (inner - self._from) / ahead if ahead > 0 else 1.0
        return min(self._begun + self._share * min(max(done, 0.0), 1.0), 1.0)

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first; after a change, its first level are the parts."""
        inner = self._search.position()
        if not self._parts:
            return inner
        return [(self._parts - len(self._waiting), self._parts + 1), *inner]

    def chosen(self) -> tuple[int, ...]:
        """The options placed, in the order of choice."""
        return self._search.chosen()

    def tally(self) -> Mapping[int, Tried]:
        """The options tried, by the number of pieces left before; empty without a tally."""
        if not self._tallied:
            return {}
        return sum_tallies([self._tally, self._search.tally()])

"""The choice of a long run, looked at again between its tasks.

A run keeps its filters and its tasks, since its ledger does. How a task is searched may change: any
engine finds the same solutions in it. So while the workers search, the run lets other strategies
race against its own on subtrees drawn at random, and later tasks go by the winner. Fits and no-fits
are then those that were made.
"""

from __future__ import annotations

import os

from exactcover.ledger.ledger import Choice, Totals
from exactcover.ledger.standing import seconds_left
from exactcover.search.automatic import Candidate, candidates
from exactcover.search.choosing import Racing
from exactcover.search.plan import Plan
from exactcover.search.racer import AGAIN, AT_ONCE, LONGEST, SHARE, VARIABLE, WORTH
from exactcover.search.strategy import Strategy

SLICE = 0.05
"""Seconds of a race between two looks at the workers."""

AT_WORK = "the strategy at work"

LEAST_LEFT = 10.0
"""Seconds of work that must be left for a race."""


class Reconsidering:
    """Lets strategies race while a run goes on.

    plan    of the run
    choice  the strategy at work
    """

    def __init__(self, plan: Plan, choice: Choice, totals: Totals) -> None:
        self.choice = choice
        self._plan = plan
        self._never = os.environ.get(VARIABLE) == "never"
        self._next = AGAIN * totals.seconds if choice.why else 0.0
        self._raced = 0.0
        self._racing: Racing | None = None

    @property
    def under_way(self) -> bool:
        """Whether a race is under way."""
        return self._racing is not None

    def look(self, totals: Totals) -> bool:
        """Race for a slice if it is time to; return whether the choice has changed.

        totals  of the run: how much work was done, and how much seems to be left
        """
        if self._never:
            return False
        if self._racing is None:
            limit = self._limit(totals)
            if totals.seconds < self._next or limit < WORTH:
                return False
            self._next = AGAIN * totals.seconds
            self._racing = self._race(totals, limit)
        if self._racing.advance(SLICE):
            return False
        outcome, self._raced = self._racing.outcome, self._raced + self._racing.seconds
        self._racing = None
        if outcome is None:
            return False
        before = self.choice.strategy
        self.choice = Choice(str(outcome.best.candidate.strategy), outcome.why)
        return self.choice.strategy != before

    def _limit(self, totals: Totals) -> float:
        """The seconds that a race may take now."""
        left = seconds_left(totals)
        if left is None or left < LEAST_LEFT:
            return 0.0
        share = SHARE * (totals.seconds + left) - self._raced
        return min(share, AT_ONCE * totals.seconds, LONGEST)

    def _race(self, totals: Totals, limit: float) -> Racing:
        return Racing(
            self._plan,
            Candidate(Strategy.parse(self.choice.strategy), AT_WORK),
            candidates(self._plan.subject),
            seconds=limit,
            choices=(totals.fits + totals.nofits) / max(totals.done, 1e-9),
        )

"""One of two ways to count or list: its search, its pace, and the seconds that it still takes."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from exactcover.backends.automaton.narrowest import bits_of_states
from exactcover.backends.base import Batch, Status
from exactcover.backends.kinds import Ask
from exactcover.compiled import is_loaded
from exactcover.search.activity import done_of, outlook_of
from exactcover.search.driver import Pace
from exactcover.search.planned import Reporting
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from exactcover.search.weigher import MAKING_READY

STEADY = 0.2
"""An estimate that changes by a larger share within a slice changes much."""

USUAL, LITTLE = 3e-7, 3e5
"""The usual seconds of a state; after this many states their own pace counts more."""


SOON_COMPARED = 20_000
"""The orders of a board with so many options are compared in some thousandths of a second."""


class Way:
    """One way to count or list: its search, once it has had a turn, and the seconds it has taken.

    seconds  all seconds that it has taken
    bits     the binary logarithm of the states that it is expected to keep, before it has begun
    steady   whether the last slice changed the estimate little
    ready    the seconds of these before compiled code was at work: filters, a head start in plain
             Python, the loading of code
    """

    def __init__(
        self, strategy: Strategy, make: Callable[[], Reporting], *, bits: float = inf
    ) -> None:
        self.strategy, self._make, self.bits = strategy, make, bits
        self.search: Reporting | None = None
        self.seconds = self.ready = 0.0
        self.steady = False
        self._progress: float | None = None
        self._steps = 0
        self._pace = Pace()

    def advance(
        self, steps: int, capacity: int, clock: Callable[[], float], *, keep: bool = False
    ) -> Batch:
        """Go on for about a slice; the first time, apply the filters."""
        began, batch, compiled = clock(), Batch.of(Status.BUDGET), is_loaded()
        before = self.left
        try:
            if self.search is None:
                self.search = self._make()
            else:
                steps = min(steps, self._pace.steps)
                batch = self.search.advance(steps, capacity=capacity, keep=keep)
        finally:
            seconds = clock() - began
            self.seconds += seconds
            self.look_again()
        self._steps += 1
        if self._steps <= MAKING_READY or not compiled:
            self.ready = self.seconds
        self._pace.learn(seconds, spent=batch.status is Status.BUDGET)
        self.steady = abs(before - seconds - self.left) <= STEADY * before
        return batch

    def put_off(self) -> None:
        """Drop the search: the next turn begins it again."""
        self.search, self._steps, self.ready = None, 0, self.seconds
        self.look_again()

    @property
    def progress(self) -> float:
        """The share of the count that is done, as it was after the last slice."""
        if self._progress is None:
            self._progress = done_of(self.search)
        return self._progress

    def look_again(self) -> None:
        """Ask for the progress anew: it takes as long as some thousand choices."""
        self._progress = None

    @property
    def bytes(self) -> int:
        """The expected memory of its states."""
        outlook = outlook_of(self.search)
        return 0 if outlook is None else outlook.bytes

    @property
    def counting(self) -> float:
        """The seconds that it has counted."""
        return self.seconds - self.ready

    @property
    def left(self) -> float:
        """The estimated seconds that it still takes."""
        outlook = outlook_of(self.search)
        if outlook is None:
            return self.counting / max(self.progress, 1e-9) - self.counting
        pace = (self.counting + USUAL * LITTLE) / (outlook.work + LITTLE)
        return pace * (outlook.whole - outlook.work) if outlook.whole else inf


def expected_bits(subject: Subject) -> float:
    """The binary logarithm of the states that the automaton is expected to keep; infinite where
    that says nothing, or takes long."""
    if subject.layout is None or subject.problem.n_options > SOON_COMPARED:
        return inf
    return bits_of_states(subject.problem, subject.layout)


States = Callable[[Ask], Way]
"""Makes the way that keeps states, from what says whether they may take much memory."""

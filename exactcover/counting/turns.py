"""Two ways to count that take turns, as one search: listing, and keeping states.

An engine that keeps states can count more solutions than could ever be listed, if there are few
enough states. If there are many states, listing is quicker. The number of states is not known
beforehand, so listing begins. If it is not done soon, its progress gives an estimate of its time,
and keeping states gets a turn whose length depends on that estimate. From then on the way with the
shorter estimated time goes on, and they change when the estimates do. Even with bad estimates, the
count takes at most about three times as long as the better way, and seldom twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter

from exactcover.backends.base import Batch, Status, Tried
from exactcover.errors import CapabilityError, ExactCoverError, TooLarge
from exactcover.search.activity import Kept, kept_of, why_of, workers_of
from exactcover.search.driver import Pace
from exactcover.search.plan import Applied
from exactcover.search.planned import Reporting
from exactcover.search.racer import raceable_of
from exactcover.search.strategy import Strategy
from exactcover.search.weigher import weighable_of

FIRST_TURN = 0.25
"""Seconds of listing before the other way is tried: most puzzles are done by then."""

MAKING_READY = 2
"""The first steps of a way that its estimate ignores: they apply filters and load compiled code."""

WORTH = 0.5
"""States are kept for at most this share of the time that listing still seems to take."""

BOLD = 2
"""States are also kept for at most this many times as long as listing has taken, since progress can
be far from the truth."""


class Way:
    """One way to count: its search, once it has had a turn, and the seconds that it has taken.

    seconds  all seconds that it has taken
    ready    the seconds of these that filters and the loading of code took
    """

    def __init__(self, strategy: Strategy, make: Callable[[], Reporting]) -> None:
        self.strategy, self._make = strategy, make
        self.search: Reporting | None = None
        self.seconds = self.ready = 0.0
        self._steps = 0
        self._pace = Pace()

    def advance(self, steps: int, capacity: int, clock: Callable[[], float]) -> Batch:
        """Go on for about a slice; the first time, apply the filters."""
        began, batch = clock(), Batch.of(Status.BUDGET)
        try:
            if self.search is None:
                self.search = self._make()
            else:
                steps = min(steps, self._pace.steps)
                batch = self.search.advance(steps, capacity=capacity, keep=False)
        finally:
            seconds = clock() - began
            self.seconds += seconds
        self._steps += 1
        if self._steps <= MAKING_READY:
            self.ready = self.seconds
        self._pace.learn(seconds, spent=batch.status is Status.BUDGET)
        return batch

    @property
    def progress(self) -> float:
        """The share of the count that is done."""
        return 0.0 if self.search is None else self.search.progress()

    @property
    def counting(self) -> float:
        """The seconds that it has counted."""
        return self.seconds - self.ready

    @property
    def left(self) -> float:
        """The estimated seconds that it still takes."""
        return self.counting / max(self.progress, 1e-9) - self.counting


class TakingTurns:
    """A count by two ways in turns. It reports the way that is done, else the listing.

    clock  measures their turns, in seconds
    """

    def __init__(
        self, listing: Way, states: Way, clock: Callable[[], float] = perf_counter
    ) -> None:
        self.ways, self.at_work = [listing, states], listing
        self._clock = clock
        self._turn_ends = FIRST_TURN  # in seconds of counting of the current way
        self._done = False
        self._passed_over: tuple[Applied, ...] = ()

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Count on. `steps` is an upper bound: each way has a pace of its own."""
        if keep:
            raise CapabilityError("what is only counted cannot be listed: `solve` lists solutions")
        status, way = Status.BUDGET, self.at_work
        try:
            status = way.advance(steps, capacity, self._clock).status
        except (TooLarge, CapabilityError) as error:
            if len(self.ways) == 1:
                raise
            self._pass_over(error)
        self._done = status is Status.DONE
        if not self._done and len(self.ways) > 1 and way.counting >= self._turn_ends:
            self._change_turns()
        return Batch.of(status)

    def _change_turns(self) -> None:
        listing, states = self.ways
        if self.at_work is listing and (not states.progress or states.left < listing.left):
            self.at_work = states
            turn = min(WORTH * listing.left, BOLD * listing.counting)
            self._turn_ends = max(states.counting + FIRST_TURN, turn)
        else:
            self.at_work = listing
            self._turn_ends = max(listing.counting + FIRST_TURN, states.counting)

    def _pass_over(self, error: ExactCoverError) -> None:
        """Go on with the other way alone."""
        way = self.at_work
        self.ways.remove(way)
        record = Applied(str(way.strategy), 0, 0, way.seconds, f"passed over: {error}")
        self._passed_over += (record,)
        self.at_work = self.ways[0]

    # -- what it has come to ------------------------------------------------------------------

    @property
    def reported(self) -> Way:
        """The way whose figures are given: the one that is done, else the listing."""
        return self.at_work if self._done else self.ways[0]

    @property
    def strategy(self) -> Strategy:
        """How the reported way counts."""
        search = self.reported.search
        return self.reported.strategy if search is None else search.strategy

    @property
    def fits(self) -> int:
        """Options chosen, or states kept, by the reported way."""
        return 0 if self.reported.search is None else self.reported.search.fits

    @property
    def nofits(self) -> int:
        """Options that did not fit, of the reported way."""
        return 0 if self.reported.search is None else self.reported.search.nofits

    @property
    def found(self) -> int:
        """Solutions counted by the reported way."""
        return 0 if self.reported.search is None else self.reported.search.found

    @property
    def reason(self) -> str:
        """Why there is no solution, if a filter shows it; else empty."""
        return "" if self.reported.search is None else self.reported.search.reason

    @property
    def applied(self) -> tuple[Applied, ...]:
        """The way that was dropped, if any, then the effects of the reported way's filters."""
        search = self.reported.search
        return (*self._passed_over, *(() if search is None else search.applied))

    @property
    def symmetric(self) -> Mapping[str, int]:
        """How many solutions have each group of symmetries, if the reported way lists them."""
        return {} if self.reported.search is None else self.reported.search.symmetric

    def tally(self) -> Mapping[int, Tried]:
        """The options tried, by the number of pieces left before."""
        return {} if self.reported.search is None else self.reported.search.tally()

    def progress(self) -> float:
        """The progress of the way that is ahead."""
        return 1.0 if self._done else max(way.progress for way in self.ways)

    @property
    def workers(self) -> int:
        """How many threads or processes the way at work has."""
        return workers_of(self.at_work.search)

    @property
    def kept(self) -> Kept | None:
        """The states kept so far; None: keeping states had no turn yet, or was given up."""
        return kept_of(self.ways[-1].search)

    @property
    def can_race(self) -> bool:
        """Whether the listing is at work and may change its strategy."""
        listing = raceable_of(self.ways[0].search)
        return listing is not None and self.at_work is self.ways[0] and listing.can_race

    def race(self, seconds: float) -> bool:
        """Measure other strategies of the listing for a slice, see `PlannedSearch.race`."""
        listing = raceable_of(self.ways[0].search)
        return listing is not None and listing.race(seconds)

    @property
    def why(self) -> str:
        """Why the strategy of the reported way was chosen, if candidates were compared."""
        return why_of(self.reported.search)

    def weigh(self, seconds: float) -> bool:
        """Weigh the subtrees of the listing for a slice, see `PlannedSearch.weigh`."""
        listing = weighable_of(self.reported.search)
        return listing is not None and listing.weigh(seconds)

    def position(self) -> Sequence[tuple[int, int]]:
        """The position of the reported way in its tree."""
        return () if self.reported.search is None else self.reported.search.position()

"""Two ways to search that take turns, as one search: listing, and keeping states.

An engine that keeps states can count more solutions than could ever be listed, if there are few
enough states. If there are many states, listing is quicker. Neither is known beforehand, so listing
begins. If it is not done soon, a few subtrees say how large it is: its progress can be far from the
truth at first. Unless little is left, keeping states then gets a short turn, in which it estimates
its own time and memory. From then on the way with the shorter estimated time goes on, and they
change when the estimates do.

The frontier of a narrow board leaves so few states that they are nearly always the quicker way. To
begin with a listing would then cost the time in which its compiled code is loaded. So states go
ahead there, unless plain Python is done before any compiled code is needed.

Memory has a price. Keeping states takes more than 1 GiB only if listing seems to take several times
as long; then a notice says so.

What is counted here can also be listed so, see `listing_in_turns`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from weakref import ref

from exactcover.backends.base import Batch, Status, Tried
from exactcover.backends.head_start import is_hopeless
from exactcover.backends.kinds import FREELY
from exactcover.compiled import is_loaded
from exactcover.errors import CapabilityError, ExactCoverError, TooLarge
from exactcover.search.activity import Kept, kept_of, why_of, workers_of
from exactcover.search.plan import Applied
from exactcover.search.planned import PlannedSearch
from exactcover.search.racer import raceable_of
from exactcover.search.strategy import Strategy
from exactcover.search.ways import States, Way
from exactcover.search.weigher import weighable_of

FIRST_TURN = 0.05
"""Seconds of listing before anything else is tried: most puzzles are done by then."""

ROUGHLY, MUCH = 8, 1.5
"""So many subtrees are enough to say that listing takes at least so many seconds more."""

TRIAL, LONGEST_TRIAL = 0.1, 0.3
"""Seconds of keeping states before their estimate counts; more if it still changes much."""

TRIED = 0.2
"""More only up to this share of the seconds that listing seems to take."""

WORTH = 0.8
"""Unless few states are expected, they have no first turn if listing seems to take less than this
many seconds more: loading their code and their trial take a quarter of a second."""

FEW_BITS = 24.5
"""States go ahead if so many bits of them are expected at most: of the shipped puzzles with so few,
listing is quicker by a tenth of a second at most."""

AHEAD, NEAR = 1.0, 2.0
"""They do so for this many seconds, as long as they seem to take no more than so many more."""

BRIEF, ENDLESS = 0.2, 30.0
"""A listing is sized up before that only if its progress lets it expect between so many seconds
more: shorter and longer ones are clear, however wrong that is."""

CLEARLY = 1.25
"""The way at work goes on unless the other one seems to be this many times as quick."""

DOUBT = 20.0
"""The first estimate of states is at most about this many times the truth."""

RETRIAL = 0.1
"""The share of the time of listing that states have, from then on, while their estimate is in
doubt."""

DECIDED = 4.0
"""States that seem to be so many times as quick go on without a closer look at the listing."""

LATER = 0.4
"""A listing that seems the quicker way has a closer look only after so many seconds of its own."""

SOON = 0.3
"""States that are done in so many seconds go on at once, without one, too."""

LONG = 6.0
"""A listing of so many seconds is weighed even if states are out of the question: its progress is
then shown for long enough to matter."""

DEAR = 4.0
"""States take more than 1 GiB only if listing seems to take this many times as long."""

MIB = 1 << 20


class Allowing:
    """Asks two ways that take turns whether states may take much memory.

    It does not keep them alive: without a circle, threads end once their search is dropped.
    """

    def __init__(self, turns: TakingTurns) -> None:
        self._turns = ref(turns)

    def __call__(self) -> bool:
        """Whether they may."""
        turns = self._turns()
        return turns is not None and turns.allow()

    def __getstate__(self) -> TakingTurns | None:
        return self._turns()

    def __setstate__(self, turns: TakingTurns) -> None:
        self._turns = ref(turns)


class TakingTurns:
    """A count by two ways in turns. It reports the way that is done, else the listing.

    states  makes the way that keeps states
    clock   measures their turns, in seconds

    notices  what whoever waits should know, one line each
    sparing  what keeps it from taking much memory
    """

    sparing = f"--memory {FREELY // MIB}"

    def __init__(
        self,
        listing: Way,
        states: States,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self.notices: tuple[str, ...] = ()
        self.ways, self.at_work = [listing, states(Allowing(self))], listing
        self._clock = clock
        self._sized = self._refused = False
        self._looked: bool | None = None  # at the size of the listing; None: not yet
        self._by_states = False  # whether states go on, their trial over
        self._left_off: tuple[float, float] | None = None  # of both ways when states seemed slower
        self._few = self.ways[1].bits <= FEW_BITS
        self._ahead = self._few and not is_loaded()
        self._done = False
        self._farthest = 0.0
        self._passed_over: tuple[Applied, ...] = ()

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Count on. `steps` is an upper bound: each way has a pace of its own."""
        if keep:
            raise CapabilityError("what is only counted cannot be listed: `solve` lists solutions")
        return Batch.of(self._turn(steps, capacity, keep=False).status)

    def _turn(self, steps: int, capacity: int, *, keep: bool) -> Batch:
        """Let the way at work go on for a slice, and say which one is next."""
        batch, way = Batch.of(Status.BUDGET), self.at_work
        before = way.seconds
        try:
            batch = way.advance(steps, capacity, self._clock, keep=keep)
        except (TooLarge, CapabilityError) as error:
            if len(self.ways) == 1:
                raise
            if self._ahead and self._refused:  # by a listing that has not begun
                way.put_off()
            else:
                self._pass_over(error)
        listing = self.ways[0]
        trial = len(self.ways) > 1 and way is not listing and self._on_trial
        if trial and workers_of(listing.search) > 1:  # its threads work on
            listing.seconds += way.seconds - before
        self._done = batch.status is Status.DONE
        if not self._done and len(self.ways) > 1:
            self.at_work = self._next()
        return batch

    def _next(self) -> Way:
        """The way that goes on."""
        listing, states = self.ways
        if self._ahead:
            if (first := self._first()) is not None:
                return first
            self._ahead = False
        if listing.counting < FIRST_TURN:
            return listing
        if self._on_trial:
            worth = min(BRIEF, WORTH) if self._few else WORTH
            return states if states.search or listing.left > worth else listing
        if states.bytes > FREELY and not self._worth_memory:
            return listing
        margin = CLEARLY if self._by_states else 1 / CLEARLY
        self._by_states = states.left < margin * listing.left
        if not self._by_states:
            doubtful = states.left < DOUBT * listing.left
            if self._left_off is None:
                self._left_off = listing.counting, states.counting
            listed, tried = (
                listing.counting - self._left_off[0],
                states.counting - self._left_off[1],
            )
            return states if doubtful and tried < RETRIAL * listed else listing
        self._left_off = None
        return states

    def _first(self) -> Way | None:
        """The way that goes on while states may go ahead; None: they have done so."""
        listing, states = self.ways
        if not states.seconds:
            assert listing.search is not None
            compiles = is_loaded() or is_hopeless(listing.search)
            return states if compiles else listing
        if states.search is None:  # it was put off
            return None
        goes_on = states.left < NEAR and states.counting < AHEAD
        return states if goes_on or states.counting < TRIAL else None

    @property
    def _on_trial(self) -> bool:
        """Whether the estimate of states does not count yet."""
        listing, states = self.ways
        longest = min(LONGEST_TRIAL, TRIED * listing.left)
        return states.counting < TRIAL or (not states.steady and states.counting < longest)

    @property
    def _worth_memory(self) -> bool:
        """Whether listing takes so much longer that states may take much memory."""
        listing, states = self.ways
        return listing.left >= DEAR * states.left

    def allow(self) -> bool:
        """Say whether states may take more than 1 GiB, and give notice of it."""
        self._refused = not self._worth_memory
        if self._refused:
            return False
        listing, states = self.ways
        gib = max(states.bytes, FREELY) / (1 << 30)
        self.notices += (
            f"counting by states takes more than 1 GiB of memory, about {gib:.1f} GiB, since "
            f"listing would take about {listing.left / max(states.left, 1e-9):.0f} times as long; "
            f"{self.sparing} forbids it",
        )
        return True

    def _pass_over(self, error: ExactCoverError) -> None:
        """Go on with the other way alone."""
        way = self.at_work
        self.ways.remove(way)
        why = "listing is not much slower, and " if self._refused else ""
        record = Applied(str(way.strategy), 0, 0, way.seconds, f"passed over: {why}{error}")
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
        """The progress of the way that is ahead; it never goes back."""
        done = 1.0 if self._done else max(way.progress for way in self.ways)
        self._farthest = max(self._farthest, done)
        return self._farthest

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
        self.ways[0].look_again()
        return listing is not None and listing.race(seconds)

    @property
    def why(self) -> str:
        """Why the strategy of the reported way was chosen, if candidates were compared."""
        return why_of(self.reported.search)

    @property
    def worth_weighing(self) -> bool:
        """Whether the listing is at work and takes long: not while states have their trial, or are
        far quicker.
        """
        if len(self.ways) == 1:
            return True
        listing, states = self.ways
        return not self._on_trial and LONG < listing.left < DOUBT * states.left

    @property
    def chooses(self) -> bool:
        """Whether it depends on the size of the listing whether states have a trial, or, after it,
        which way goes on.
        """
        if len(self.ways) == 1 or self._sized:
            return False
        listing, states = self.ways
        if self._ahead or listing.counting < FIRST_TURN:
            return False
        if states.search is None:
            unclear = not self._few and BRIEF < listing.left < ENDLESS
            return unclear if self._looked is None else not self._looked
        if self._on_trial or states.left < SOON:
            return False
        if listing.left < states.left and listing.counting < LATER:
            return False
        return states.left < DOUBT * listing.left and listing.left < DECIDED * states.left

    def weigh(self, seconds: float) -> bool:
        """Weigh the subtrees of the listing for a slice, see `PlannedSearch.weigh`."""
        listing = weighable_of(self.reported.search)
        self.reported.look_again()
        return listing is not None and listing.weigh(seconds)

    def size_up(self) -> None:
        """Find out how large the listing is, for a moment, see `PlannedSearch.size_up`."""
        way = self.ways[0]
        if isinstance(way.search, PlannedSearch):
            self._sized = not way.search.size_up()
            way.look_again()
            self._looked = self._sized or (way.search.sized >= ROUGHLY and way.left > MUCH)
        else:
            self._looked = self._sized = True
        if self._looked:
            self.at_work = self._next()

    def position(self) -> Sequence[tuple[int, int]]:
        """The position of the reported way in its tree."""
        return () if self.reported.search is None else self.reported.search.position()

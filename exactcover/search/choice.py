"""Listing or states: how a count without a named strategy goes on, decided by counted work.

An engine that keeps states can count more solutions than could ever be listed, if there are few
enough states; if there are many, listing is quicker. Neither is known beforehand, so

1. the listing makes its first choices, and goes on while its progress says that little is left:
   most puzzles are done by then;
2. a board that is expected to have few states is counted by states, as long as they are few;
   where that is likely, some states are made first;
3. otherwise the sampler says how much work the listing takes. If that is little, it goes on;
4. otherwise states are tried. They go on once they seem to take less work than the listing. If
   they do not after a twentieth of the work of the listing, that goes on alone;
5. a count whose listing takes twice as much work as was expected, or whose progress promises four
   times as much, tries states again: a few subtrees say little of a tree that has most of its work
   in few places.

All of this is measured in choices and states, never in seconds. So a command goes the same way on
every machine, whatever else that machine is doing, and whatever ran before.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from enum import Enum
from math import inf
from typing import Any
from weakref import ref

from exactcover.backends.automaton.sweep import bits_of_states
from exactcover.backends.base import FREELY, Batch, Outlook, Status
from exactcover.base.text.numerals import rounded
from exactcover.errors import CapabilityError, TooLarge
from exactcover.search.automatic import FEW_OPTIONS
from exactcover.search.driver import MOST_STEPS
from exactcover.search.plan import Applied
from exactcover.search.planned import MOST_DONE, NONE, PlannedSearch, SubjectReport
from exactcover.search.sampler import size
from exactcover.search.stages import cuttable
from exactcover.search.subject import Subject

LOOK = 1 << 16
"""The work of the first choices of the listing, in states."""

FIRST, MOST_FIRST, LITTLE_DONE = 1 << 12, 1 << 15, 0.03
"""Where few states are expected, the listing makes at least `FIRST` choices, and goes on up to
`MOST_FIRST` while it has done more than this share."""

FEW_BITS, LIKELY_BITS = 24.5, 28.5
"""States go first if at most this many bits of them are expected, as a binary logarithm. With a few
bits more they are tried before the listing is sized."""

PRICES = {"dlx": 3.0, "planes": 3.0, "bsx": 0.6, "fila": 0.1}
"""The work of a choice of each engine, where a state is 1; measured on shipped puzzles."""

LITTLE = 1 << 22
"""A listing of less work than this goes on, about a second: what follows would take as long. Where
states are likely to be few, an eighth is enough to try them: that takes less than sizing."""

MANY = 1 << 23
"""States that were begun before the listing was sized go on while fewer than this seem to be left,
or than four times those made. Their first estimates are often several times too large."""

TOO_LARGE, NEVER = 10.0, 2.0**28
"""The bits by which the expected states may be too many, where each piece occurs once; and how many
then never fit a memory, so that the listing is sized late, for the sake of its progress alone."""

LEAST = 1 << 18
"""States of a trial before their expected number counts."""

COMPARED = 1 / 64
"""The work of comparing a solution with one of its symmetric copies, in states."""

TRIED = 0.05
"""The share of the work of the listing that a trial of states may take."""

CLEARLY = 1.5
"""States go on where listing seems to take this many times their work, since the first estimates of
states are often too small. They are given up where what is left of them is this many times the work
of the listing."""

DEAR = 4.0
"""States take more than 1 GiB only if listing takes this many times their work."""

SLICE = 1 << 12
"""The fewest choices or states between two moments of the choice; later there are a sixteenth of
those made. What follows from them does not depend on the pace of the machine."""


def expected_bits(subject: Subject) -> float:
    """The binary logarithm of the states that the automaton is expected to keep; infinite where
    that says nothing, or where the orders of many images would have to be compared."""
    if subject.layout is None or subject.problem.n_options > FEW_OPTIONS:
        return inf
    return bits_of_states(subject.problem, subject.layout)


def _occur_once(subject: Subject) -> bool:
    """Whether each piece occurs once."""
    return subject.layout is not None and bool((subject.layout.copies[:, 1] <= 1).all())


class Allowing:
    """Asks a search whether its states may take much memory.

    It does not keep the search alive: without a circle, threads end once their search is dropped.
    """

    def __init__(self, search: ListingOrStates) -> None:
        self._search = ref(search)

    def __call__(self) -> bool:
        """Whether they may."""
        search = self._search()
        return search is not None and search.allow()

    def __getstate__(self) -> ListingOrStates | None:
        return self._search()

    def __setstate__(self, search: ListingOrStates) -> None:
        self._search = ref(search)


class Step(Enum):
    """The next step of a search that lists or counts by states."""

    LOOK = "the first choices of the listing"
    SIZE = "a few subtrees of the listing, which say how much work it is"
    TRY = "states, until it is known whether they take less work"
    STATES = "states, unless they turn out to take too much work or memory"
    LIST = "the listing, to the end"


class ListingOrStates:
    """A count by listing or by states, whichever takes less work; it reports the one at work.

    subject  what is searched; it says how many states are expected
    listing  the search that lists
    states   makes the search that keeps states, given `ask`, see `Task.ask`
    sparing  what a user gives to forbid that

    notices  messages for the user
    """

    def __init__(
        self,
        subject: Subject,
        listing: PlannedSearch,
        states: Callable[..., PlannedSearch],
        sparing: str,
    ) -> None:
        self.notices: tuple[str, ...] = ()
        self.at_work = self._listing = listing
        self._make_states, self._sparing = states, sparing
        self._states: PlannedSearch | None = None
        bits = expected_bits(subject)
        self._few, self._likely = bits <= FEW_BITS, bits <= LIKELY_BITS
        self._fewest = 2.0 ** min(bits - TOO_LARGE, 1000) if _occur_once(subject) else 0.0
        permutations = subject.permutations
        self._symmetries = 0 if permutations is None else len(permutations)
        self._step = Step.LOOK
        self._sizing: Generator[None, None, float] | None = None
        self._work: float | None = None  # of the listing, in states
        self._doubted = False  # whether states were passed over by what the listing seems to take
        self._undoubted = 0  # steps of the listing until that is looked at again
        self._copies = 0  # compared with the solutions of the first choices
        self._steps = 0  # by states, during their trial
        self._expected = 0.0  # states, when last asked
        self._farthest = 0.0
        self._passed_over: tuple[Applied, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        """All but the sampling: a copy begins it again."""
        return self.__dict__ | {"_sizing": None}

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on, see `Search.advance`; it hands out no solutions."""
        if keep:
            raise CapabilityError("a count by listing or by states hands out no solutions")
        if self._step is Step.SIZE:
            self._size()
            return Batch.of(Status.BUDGET)
        try:
            if self._step is Step.TRY and self._states is None:
                self._states = self._make_states(ask=Allowing(self))
                return Batch.of(Status.BUDGET)
            searched = self._states or self._listing
            needed = searched.judge is not None
            comparing = searched.judge is not None and self._step is Step.LOOK
            if comparing:
                capacity = min(capacity, 1 + int(LOOK / COMPARED) // (1 + self._symmetries))
            batch = searched.search.advance(self._paced(steps), capacity=capacity, keep=needed)
            if comparing:
                self._copies += len(batch) * self._symmetries
            searched.judged(batch, keep=False)
        except (TooLarge, CapabilityError) as error:
            if self._step not in (Step.TRY, Step.STATES):
                raise
            self._list(str(error))
            return Batch.of(Status.BUDGET)
        self._go_on(batch.status is Status.DONE)
        return Batch.of(batch.status)

    def _paced(self, steps: int) -> int:
        """The steps of a slice; moments of the choice do not depend on the clock."""
        if self._step is Step.LOOK:
            return max(SLICE, self._listing.choices >> 4)
        if self._step is Step.TRY:
            steps = min(max(SLICE, self._steps >> 4), MOST_STEPS)  # to look ahead takes 1 ms
            self._steps += steps
        elif self._may_doubt:
            steps = min(steps, self._undoubted)
            self._undoubted -= steps
        return steps

    # -- the choice ---------------------------------------------------------------------------

    def _go_on(self, done: bool) -> None:
        """Choose what is next, after a slice of choices or states."""
        if self._step is Step.LOOK:
            self._look()
        elif self._step is Step.TRY:
            if done or self._are_better():
                assert self._states is not None
                self.at_work, self._step = self._states, Step.STATES
        elif self._step is Step.STATES and not done and self._take_too_much():
            self._list("states take more work than was expected", doubted=True)
        elif self._may_doubt and not self._undoubted and not done:
            self._doubt()

    @property
    def _may_doubt(self) -> bool:
        """Whether the listing goes on only as long as it does not take much more than expected."""
        return self._step is Step.LIST and self._doubted

    def _doubt(self) -> None:
        """Try states again where the listing takes twice as much work as was expected, or promises
        four times as much."""
        listing, known = self._listing, max(self._work or 0.0, LITTLE)
        self._undoubted = max(SLICE, listing.choices >> 4)
        made = listing.choices * self._price
        if made >= 2 * known or (made >= LITTLE / 8 and self._promised(made) >= 4 * known):
            self._work = max(2 * made, self._promised(made))
            listing.expected = self._work / self._price
            self._steps, self._step = 0, Step.TRY

    def _promised(self, made: float) -> float:
        """The work of the whole listing by its progress, which is often a few times too little."""
        return made / max(self._listing.search.report().progress, 1e-9)

    def _look(self) -> None:
        """Go on with the listing while it seems to be short."""
        listing = self._listing
        if self._few:
            report = listing.report(brief=True)
            if report.choices >= MOST_FIRST or (
                report.fits >= FIRST and listing.report().progress < LITTLE_DONE
            ):
                self._step = Step.TRY
            return
        work = listing.choices * self._price + self._copies * COMPARED
        if work < LOOK or (self._fewest >= NEVER and work < 2 * LITTLE):
            return
        if self._promised(work) >= (LITTLE / 8 if self._likely else LITTLE):
            self._step = Step.TRY if self._likely else Step.SIZE

    @property
    def _price(self) -> float:
        """The work of a choice of the listing, in states."""
        return PRICES.get(self._listing.strategy.stages[-1].backend, 1.0)

    def _size(self) -> None:
        """Sample the listing; then it is known how much work it is."""
        listing = self._listing
        if self._sizing is None:
            self._sizing = _sizing(listing)
        try:
            next(self._sizing)
        except StopIteration as end:
            listing.expected, self._sizing = end.value, None
            self._work = end.value * self._price
            if self._work < LITTLE or self._fewest > self._work:
                self._list(doubted=True)
            else:
                self._step = Step.TRY

    def _are_better(self) -> bool:
        """Whether states go on to the end; where the listing does, or is sized, note that."""
        if self._steps < LEAST:
            return False
        made, whole, most = self._outlook
        if self._work is None:
            self._expected = 0.0 if self._few else whole  # few states need no reason
            if max(MANY, 4 * made) <= whole - made < inf:
                listed = self._listing.choices * self._price
                if self._few or self._promised(listed) >= LITTLE:
                    self._step = Step.SIZE
                else:
                    self._list("listing takes little work", doubted=True)
            return False
        self._expected = whole
        if CLEARLY * whole < self._work and (most <= FREELY or self._is_dear):
            return True
        if made >= TRIED * self._work:
            self._list("listing takes less work", doubted=True)
        return False

    def _take_too_much(self) -> bool:
        """Whether states should be given up."""
        if self._work is None:
            return False
        made, whole, _ = self._outlook
        # It is infinite while the next part of a divided count says nothing yet.
        return whole < inf and whole - made > CLEARLY * self._work

    def _list(self, why: str = "", *, doubted: bool = False) -> None:
        """Go on by listing alone; `why` states were passed over, and whether they may come back."""
        self._doubted, self._undoubted = doubted, max(SLICE, self._listing.choices >> 4)
        if self._states is not None and why:
            record = Applied(str(self._states.strategy), 0, 0, 0.0, f"passed over: {why}")
            self._passed_over = (record,)
        self._states, self.at_work, self._step = None, self._listing, Step.LIST

    # -- memory -------------------------------------------------------------------------------

    @property
    def _outlook(self) -> Outlook:
        """The expected work and memory of states; the work is infinite while nothing is known."""
        report = NONE if self._states is None else self._states.report()
        outlook = report.outlook or Outlook(report.fits, inf, 0)
        return outlook if outlook.whole else outlook._replace(whole=inf)

    @property
    def _is_dear(self) -> bool:
        """Whether listing takes so much more work that states may take much memory."""
        return self._work is not None and self._work >= DEAR * self._outlook.whole

    def allow(self) -> bool:
        """Say whether states may take more than 1 GiB, and tell the user if they may."""
        if not self._is_dear:
            return False
        assert self._work is not None
        _, whole, most = self._outlook
        gib = max(most, FREELY) / (1 << 30)
        self.notices += (
            f"counting by states takes more than 1 GiB of memory, about {gib:.1f} GiB, since "
            f"listing would take about {self._work / whole:.0f} times as long; "
            f"{self._sparing} forbids it",
        )
        return True

    # -- what it has come to ------------------------------------------------------------------

    def report(self, *, brief: bool = False) -> SubjectReport:
        """The state of the search at work; the filters and why states were passed over."""
        report = self.at_work.report(brief=brief)
        report = replace(report, applied=(*self._passed_over, *report.applied))
        if brief:
            return report
        done, kept = report.progress, None
        if self._states is not None:
            kept = self._states.report().kept
            if done < 1.0:
                done = max(done, min(self._outlook.done, MOST_DONE))
        self._farthest = max(self._farthest, done)
        return replace(
            report, progress=self._farthest, kept=kept, why=self._why, notices=self.notices
        )

    @property
    def _why(self) -> str:
        """Why it goes on in this way, where that was measured; else empty."""
        states, choices = self._expected, self._listing.expected
        if not 0 < states < inf or self.at_work is self._listing:
            return ""
        why = f"about {rounded(states, states / 10)} states"
        if choices is not None:
            why += f", where listing would make about {rounded(choices, choices / 10)} choices"
        return why


def _sizing(listing: PlannedSearch) -> Generator[None, None, float]:
    """The choices of a listing under way, roughly, in slices."""
    if not cuttable(listing.strategy):
        report = listing.report()
        return report.choices / max(report.progress, 1e-9)
    found = yield from size(listing.plan, listing.strategy)
    return max(found, listing.choices)

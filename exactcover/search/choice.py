"""Listing or states: how a count without a named strategy goes on, decided once, before the search.

An engine that keeps states can count more solutions than could ever be listed, if there are few
enough states. If there are many, listing is quicker. So

1. the listing makes its first choices, and goes on while its progress promises little work;
2. a board that is expected to have few states is counted by them, if they grow as expected;
3. a plain problem is counted by `memo` if its states fall apart or are met again, else by the
   automaton if few states are expected;
4. otherwise a few subtrees say how much work the listing is, and states are tried: they go on once
   their growth from level to level promises less work;
5. states that do not, within a share of the work of the listing, or that fail, give way to it.

All of this is measured in choices and states, never in seconds. So a command goes the same way on
every machine, whatever else that machine is doing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import replace
from enum import Enum
from math import inf
from typing import Any

from exactcover.backends.base import Outlook, Slice, Status, Where
from exactcover.base.text.numerals import rounded
from exactcover.errors import CapabilityError, TooLarge
from exactcover.search.automatic import FEW_OPTIONS, has_few_states
from exactcover.search.begun import Begun
from exactcover.search.clock import MOST_STEPS
from exactcover.search.plan import Applied
from exactcover.search.sampler import size
from exactcover.search.stages import cuttable
from exactcover.search.subject import Subject

PRICES = {"dlx": 3.0, "planes": 3.0, "bsx": 0.6, "fila": 0.1}
"""The work of a choice of each engine, where a state is 1; measured on shipped puzzles."""

COMPARED = 1 / 64
"""The work of comparing a solution with one of its symmetric copies."""

LOOK = 1 << 16
"""The work of the first choices."""

LITTLE = 1 << 22
"""A listing of less work than this goes on, and so do as many states: about a second. An eighth of
it is enough for few states, which take less than sizing."""

TRIED = 0.05
"""The share of the work of the listing that a trial of states may take."""

MOST_DONE = 0.95
"""The most that a rough estimate takes for done before the end."""

NEVER = 2.0**60
"""A listing that promises this much work is not sized, and never takes the place of states."""

FREELY, DEAR = 1 << 30, 4.0
"""States take more than these bytes only if listing takes this many times their work."""

SLICE = 1 << 12
"""The fewest choices or states between two moments of the choice; later there are a sixteenth of
those made. What follows from them does not depend on the pace of the machine."""


class Step(Enum):
    """The next step of a search that lists or counts by states."""

    LOOK = "the first choices of the listing"
    SIZE = "a few subtrees of the listing, which say how much work it is"
    TRY = "states, until it is known whether they take less work"
    STATES = "states, to the end"
    LIST = "the listing, to the end"


class ListingOrStates:
    """A count by listing or by states, whichever takes less work; it reports the one at work.

    subject  what is searched; it says how many states are expected
    listing  the search that lists
    states   says what begins the searches that keep states, in the order of trying
    """

    def __init__(
        self, subject: Subject, listing: Begun, states: Callable[[], list[Callable[[], Begun]]]
    ) -> None:
        self._listing, self._ways_of = listing, states
        self._ways: list[Callable[[], Begun]] | None = None
        self._states: Begun | None = None
        self._plain = subject.model is None
        self._few = not self._plain and has_few_states(subject)
        self._listed = self._counted = Slice(Status.BUDGET)  # what both have come to
        self._expected: float | None = None  # the choices of the whole listing
        self._price = PRICES.get(listing.strategy.stages[-1].backend, 1.0)
        self._symmetries = 0 if subject.permutations is None else len(subject.permutations)
        # A choice among very many options takes so long that the listing is not even looked at.
        many = self._plain and subject.problem.n_options > FEW_OPTIONS
        self._step = Step.TRY if many else Step.LOOK
        self._work = 0.0  # of the listing; 0: not known
        self._sizing: Generator[None, None, float] | None = None
        self._notices: tuple[str, ...] = ()
        self._passed_over: tuple[Applied, ...] = ()
        self._farthest = 0.0

    def __getstate__(self) -> dict[str, Any]:
        """All but the sampling: a copy begins it again."""
        return self.__dict__ | {"_sizing": None}

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Go on, see `Search.advance`; it hands out no solutions.

        Slices are those of the listing, until states go on: the first of these takes the figures of
        the listing back.
        """
        if keep:
            raise CapabilityError("a count by listing or by states hands out no solutions")
        if self._step is Step.SIZE:
            self._size()
            return Slice(Status.BUDGET)
        trying = self._step in (Step.TRY, Step.STATES)
        try:
            if trying:
                if self._ways is None:
                    self._ways = self._ways_of()
                if not self._ways:
                    raise CapabilityError("no engine can count by states here")
                self._states = self._states or self._ways[0]()
            if self._step is Step.LOOK:
                capacity = min(capacity, 1 + LOOK // (1 + self._symmetries))
            if self._step in (Step.LOOK, Step.TRY):
                before = self._counted if trying else self._listed
                steps = min(max(SLICE, before.choices >> 4), MOST_STEPS)
            search = self._states.search if self._states and trying else self._listing.search
            made = search.advance(steps, capacity=capacity, keep=False)
        except (TooLarge, CapabilityError) as error:
            if not trying or (self._work >= NEVER and len(self._ways or ()) == 1):
                raise
            if len(self._ways or ()) > 1 and self._step is Step.TRY:
                self._ways, self._states = (self._ways or [])[1:], None
                self._counted = Slice(Status.BUDGET)
            else:
                self._list(str(error))
            return Slice(Status.BUDGET)
        if not trying:
            self._listed = Slice.joined([self._listed, made], made.status)
            if self._step is Step.LOOK:
                self._look()
            return made
        self._counted = Slice.joined([self._counted, made], made.status)
        if self._step is not Step.TRY:
            return made
        if not self._goes_on(made.status is Status.DONE):
            return Slice(Status.BUDGET)
        listed, counted = self._listed, self._counted
        symmetric = Counter(counted.symmetric)
        symmetric.subtract(listed.symmetric)
        return Slice(
            made.status,
            found=counted.found - listed.found,
            fits=counted.fits - listed.fits,
            nofits=counted.nofits - listed.nofits,
            symmetric=symmetric,
        )

    def _look(self) -> None:
        """Go on with the listing while it seems to be short."""
        made = self._listed
        work = made.choices * self._price + made.found * self._symmetries * COMPARED
        promised = work / max(self._listing.search.where().progress, 1e-300)
        if work < LOOK or promised < (LITTLE / 8 if self._few else LITTLE):
            return
        if promised >= NEVER:
            self._work, self._expected = promised, promised / self._price
        self._step = Step.TRY if self._plain or self._few or self._work else Step.SIZE

    def _size(self) -> None:
        """Sample the listing; then it is known how much work it is."""
        self._sizing = self._sizing or _sizing(self._listing, self._listed.choices)
        try:
            next(self._sizing)
        except StopIteration as end:
            self._expected, self._sizing = end.value, None
            self._work = max(end.value * self._price, 1.0)
            self._step = Step.TRY
            if self._work < LITTLE:
                self._list("listing takes less work")

    def _goes_on(self, done: bool) -> bool:
        """Whether states go on, by their growth; else they are tried further, or the listing is
        sized, or goes on."""
        made, whole, most = self._outlook
        dear = DEAR if most > FREELY else 1.0
        if done or (self._work and whole * dear < self._work):
            self._step = Step.STATES
            if most > FREELY and not done:
                self._notices = (
                    f"counting by states may take {most / (1 << 30):.1f} GiB of memory, since "
                    f"listing would take more than {DEAR:g} times as long; --memory "
                    f"{FREELY >> 20} forbids it",
                )
        elif not self._work:
            if whole - made < 2 * LITTLE and most <= FREELY:
                self._step = Step.STATES
            elif made > LITTLE:
                self._step = Step.SIZE
        elif made >= max(TRIED * self._work, LITTLE if self._few else 0):
            self._list("listing takes less work")
        return self._step is Step.STATES

    def _list(self, why: str) -> None:
        """Go on by listing alone; `why` states were passed over."""
        if self._states is not None:
            name = str(self._states.strategy)
            self._passed_over = (Applied(name, 0, 0, 0.0, f"passed over: {why}"),)
        self._states, self._step = None, Step.LIST

    @property
    def _outlook(self) -> Outlook:
        """The expected work and memory of states; the work is infinite while nothing is known."""
        begun = self._states or self._listing
        outlook = begun.search.where().outlook or Outlook(self._counted.fits, 0.0, 0)
        return outlook if outlook.whole else outlook._replace(whole=inf)

    @property
    def now(self) -> Begun:
        """The search at work: the one that goes on to the end, or lists while the choice is open;
        with the reason why, and why states were passed over."""
        begun = self._listing
        if self._states is not None and self._step is Step.STATES:
            begun = self._states
        why, choices = "", self._expected
        if self._step is Step.STATES and choices is not None:
            many = f"about {rounded(choices, choices / 10)}" if choices < NEVER else "over 10^18"
            why = f"{self._counted.fits:,} states, where listing would try {many} options"
        applied = (*self._passed_over, *begun.applied)
        return begun._replace(applied=applied, why=why, notices=self._notices)

    def where(self) -> Where:
        """Where the search at work is. The progress of a listing is what was expected, where
        anything was; it never goes back."""
        where, made = self.now.search.where(), self._listed.choices
        done = where.progress
        if self._step is not Step.STATES and self._expected is not None and done < 1.0:
            done = min(made / max(made, self._expected, 1.0), MOST_DONE)
        kept = where.kept
        if self._states is not None:
            kept = self._states.search.where().kept
            done = max(done, min(self._outlook.done, MOST_DONE))
        self._farthest = max(self._farthest, done)
        return replace(where, progress=self._farthest, kept=kept)


def _sizing(listing: Begun, made: int) -> Generator[None, None, float]:
    """The choices of a listing under way that has made some, roughly, in slices."""
    if not cuttable(listing.strategy) or listing.plan is None:
        return made / max(listing.search.where().progress, 1e-9)
    found = yield from size(listing.plan, listing.strategy)
    return max(found, made)

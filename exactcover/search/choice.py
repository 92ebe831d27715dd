"""Listing or states: how a count without a named strategy goes on.

An engine that keeps states can count more solutions than could ever be listed, if there are few
states; if there are many, listing is quicker. Each promises its work: that so far, divided by the
share that is done. So

1. a listing that promises little work goes on to its end;
2. otherwise states are tried briefly, and go on if they promise little work;
3. then a few subtrees say how much work the listing is, and states are tried for a share of that;
4. states go on to their end once they promise less work than the listing;
5. states that do not, or that fail, give way to the listing.

The work is counted in steps, so a command goes the same way on every machine, however busy it is.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from math import inf

from exactcover.backends.base import Slice, Status, Where
from exactcover.base.text import rounded
from exactcover.errors import CapabilityError, TooLarge
from exactcover.search.automatic import FEW_OPTIONS
from exactcover.search.begun import Begun, Team
from exactcover.search.counting.states import begin_states, by_states
from exactcover.search.plan import Applied
from exactcover.search.sampler import size
from exactcover.search.subject import Subject

PRICES = {"dlx": 15.0, "planes": 15.0, "bsx": 3.0, "fila": 0.4}
"""The work of trying an option in each engine, where a step between states is 1."""

PLAIN = 3.0
"""The work of a step between states of a plain problem, whose states are large."""

SHORT = 1 << 23
"""A listing of less work, half a second, goes on. States first get 1/8, a brief trial 1/4 of it."""

HOPELESS = 2.0**62
"""A listing that promises this much work is not sampled, and never takes the place of states."""

SLICE = 1 << 12
"""The fewest steps between two looks at what a search promises; later a sixteenth of those made."""


class ListingOrStates:
    """A count by listing or by states, whichever takes less work; it lists while that is open.

    now  the search at work, with the reason why, and why states were passed over
    """

    def __init__(
        self, subject: Subject, listing: Begun, memory: int | None, team: Team | None
    ) -> None:
        """memory: MiB that states may take; team: who counts, see `Counting`"""
        self.now = self._listing = listing
        price = PRICES.get(listing.strategy.stages[-1].backend, 1.0)
        self._price = price / PLAIN if subject.model is None else price
        self._steps = 0  # those of a slice
        self._expected = 0.0  # the choices of the whole listing; 0: not known
        self._listed = Slice(Status.BUDGET)  # what the listing has made
        self._slices = self._chosen(subject, memory, team)

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Go on, see `Search.advance`; it hands out no solutions.

        Where states take over, the first slice takes back what the listing has made.
        """
        if keep:
            raise CapabilityError("a count by listing or by states hands out no solutions")
        self._steps, made = steps, next(self._slices)
        return Slice(Status.BUDGET) if made is None else made

    def where(self) -> Where:
        """Where the search at work is; a sampled listing says how many of its choices are made."""
        where = self.now.search.where()
        if self._expected and self.now.search is self._listing.search:
            where = where._replace(progress=min(0.95, self._listed.choices / self._expected))
        return where

    def _chosen(
        self, subject: Subject, memory: int | None, team: Team | None
    ) -> Iterator[Slice | None]:
        """The slices of the whole count."""
        hopeless, failed = False, None
        # A choice among very many options takes so long that states are tried before.
        if subject.model is not None or subject.problem.n_options <= FEW_OPTIONS:
            work = yield from self._list(SHORT)
            if hopeless := work >= HOPELESS:
                self._expected = work / self._price
        if self._listed.status is Status.DONE:
            return
        for strategy, share in by_states(subject, memory, hopeless=hopeless):
            try:
                why = yield from self._count(begin_states(subject, strategy, team=team), share)
            except (CapabilityError, TooLarge) as error:
                why, failed = str(error), error
            if not why:
                return
            passed = Applied(str(strategy), 0, 0, 0.0, f"passed over: {why}")
            self.now = self._listing._replace(applied=(passed, *self._listing.applied))
        if hopeless and isinstance(failed, TooLarge):
            raise failed
        yield from self._list(inf)

    def _list(self, short: float) -> Generator[Slice, None, float]:
        """List while less work than this is promised; return what is promised then."""
        search, promised = self._listing.search, 0.0
        while self._listed.status is not Status.DONE and promised < short:
            steps = self._steps if short == inf else max(SLICE, self._listed.fits >> 4)
            made = search.advance(steps, keep=False)
            self._listed = Slice.joined([self._listed, made], made.status)
            yield made
            work = self._listed.choices * self._price
            if short < inf and work > SHORT / 64:
                promised = work / max(search.where().progress, 1e-300)
        return promised

    def _count(self, begun: Begun, share: float) -> Generator[Slice | None, None, str]:
        """Try states, and count to the end by them if they promise less work than the listing.

        Returns why it has not, after this share of the work of the listing; else nothing. With no
        share it must soon promise a quick end; one without a bound gives up by itself.
        """
        kept, states, spent, promised, goes_on = [self._listed.undone()], 0, 0, inf, False
        while True:
            work = self._expected * self._price
            tried = spent >= SHORT / (8 if share else 4)
            goes_on |= promised < ((share and work) or SHORT) or (tried and share == inf)
            if not goes_on and tried and spent >= share * work:
                if work or not share:
                    return "listing takes less work"
                self._expected = yield from size(self._listing, self._listed.choices)
                continue
            steps = self._steps if goes_on else max(SLICE, spent >> 4)
            made = begun.search.advance(steps, keep=False)
            kept, states, spent = [*kept, made], states + made.fits, spent + steps
            promised = spent / max(begun.search.where().progress, 1e-300)
            if goes_on or made.status is Status.DONE:
                choices = rounded(self._expected, self._expected / 10)
                why = f"{states:,} states, where listing would try about {choices} options"
                self.now = begun._replace(why=why if self._expected else "")
                yield Slice.joined(kept, made.status)
                kept = []
            else:
                yield None  # nothing to tell yet
            if made.status is Status.DONE:
                return ""

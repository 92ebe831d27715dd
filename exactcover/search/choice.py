"""Listing or states: how a count without a named strategy goes on.

An engine that keeps states can count more solutions than could ever be listed, if there are few
states. If there are many, listing is quicker. Both promise the same figure, which decides: the work
so far, divided by the share that is done, where states foretell the rest from the growth of their
levels. So

1. a listing that promises little work goes on to its end;
2. otherwise states are tried briefly, and go on if they promise little work;
3. then a few subtrees say how much work the listing is, and states are tried for 3 % of that, or a
   half if few are expected from the width of the board; for plain problems those with parts come
   before;
4. states go on to their end once they promise less work than the listing;
5. states that do not, or that fail, give way to the listing.

The work is counted in steps, never in seconds. So a command goes the same way on every machine,
whatever else that machine is doing.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from math import inf

from exactcover.backends.base import Slice, Status, Where
from exactcover.base.text.numerals import rounded
from exactcover.errors import BrokenSearch, CapabilityError, TooLarge
from exactcover.search.automatic import FEW_OPTIONS
from exactcover.search.begun import Begun, Team
from exactcover.search.counting.states import begin_states, by_states
from exactcover.search.plan import Applied
from exactcover.search.sampler import size
from exactcover.search.stages import cuttable
from exactcover.search.subject import Subject

PRICES = {"dlx": 15.0, "planes": 15.0, "bsx": 3.0, "fila": 0.4}
"""The work of trying an option in each engine, where a step between states is 1."""

PLAIN = 3.0
"""The work of a step between states of a plain problem, whose states are large."""

SHORT = 1 << 23
"""A listing of less work than this goes on: about half a second. States are first tried for an
eighth of it, and for a quarter where others come next."""

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
        self._room = 0, 0
        self._price = PRICES.get(listing.strategy.stages[-1].backend, 1.0)
        if subject.model is None:
            self._price /= PLAIN
        self._expected = 0.0  # the choices of the whole listing; 0: not known
        self._listed = Slice(Status.BUDGET)  # what the listing has made
        self._slices = self._chosen(subject, memory, team)

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Go on, see `Search.advance`; it hands out no solutions.

        Where states take over, the first slice takes back what the listing has made.
        """
        if keep:
            raise CapabilityError("a count by listing or by states hands out no solutions")
        self._room = steps, capacity
        try:
            made = next(self._slices)
        except StopIteration:  # an error ended it
            raise BrokenSearch from None
        return Slice(Status.BUDGET) if made is None else made

    def where(self) -> Where:
        """Where the search at work is; a sampled listing says how many of its choices are made."""
        where = self.now.search.where()
        if self._expected and self.now.search is self._listing.search:
            where = replace(where, progress=min(0.95, self._listed.choices / self._expected))
        return where

    def _chosen(
        self, subject: Subject, memory: int | None, team: Team | None
    ) -> Iterator[Slice | None]:
        """The slices of the whole count, without end."""
        hopeless, failed = False, None
        # A choice among very many options takes so long that states are tried before.
        if subject.model is not None or subject.problem.n_options <= FEW_OPTIONS:
            hopeless = (yield from self._list(SHORT)) >= HOPELESS
        done = self._listed.status is Status.DONE
        for strategy, share in [] if done else by_states(subject, memory, hopeless=hopeless):
            try:
                begun = begin_states(subject, strategy, team=team)
                if done := (yield from self._count(begun, share)):
                    break
                why = "listing takes less work"
            except CapabilityError as error:
                why = str(error)
            except TooLarge as error:
                why, failed = str(error), error
            passed = Applied(str(strategy), 0, 0, 0.0, f"passed over: {why}")
            self.now = self._listing._replace(applied=(passed, *self._listing.applied))
        if failed is not None and hopeless and not done:
            raise failed
        if not done:
            yield from self._list(inf)
        while True:
            yield Slice(Status.DONE)

    def _list(self, short: float) -> Generator[Slice, None, float]:
        """List while less work than this is promised; return what is promised then."""
        search, promised = self._listing.search, 0.0
        while self._listed.status is not Status.DONE and promised < short:
            steps, capacity = self._room
            if short < inf:
                steps = max(SLICE, self._listed.fits >> 4)
            made = search.advance(steps, capacity=capacity, keep=False)
            self._listed = Slice.joined([self._listed, made], made.status)
            yield made
            work = self._listed.choices * self._price
            promised = work / max(search.where().progress, 1e-300) if work > SHORT / 64 else 0.0
        return promised

    def _sample(self) -> Iterator[None]:
        """Say how many choices the listing takes, from a few subtrees unless it is hopeless."""
        search, strategy, plan, *_ = self._listing
        made = max(self._listed.choices, 1.0)
        self._expected = made / max(search.where().progress, 1e-300)
        if plan and cuttable(strategy) and self._expected * self._price < HOPELESS:
            self._expected = max(made, (yield from size(plan, strategy)))

    def _count(self, begun: Begun, share: float) -> Generator[Slice | None, None, bool]:
        """Try states, and count to the end by them if they promise less work than the listing.

        Returns whether it has; otherwise it has spent this share of the work of the listing. With
        no share it must soon promise a quick end; one without a bound gives up by itself.
        """
        kept, states, spent, promised, goes_on = [self._listed.undone()], 0, 0, inf, False
        while True:
            work = self._expected * self._price
            tried = spent >= SHORT / (8 if share else 4)
            goes_on |= promised < ((share and work) or SHORT) or (tried and share == inf)
            if not goes_on and tried and spent >= share * work:
                if work or not share:
                    return False
                yield from self._sample()
                continue
            steps, capacity = self._room if goes_on else (max(SLICE, spent >> 4), 1)
            made = begun.search.advance(steps, capacity=capacity, keep=False)
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
                return True

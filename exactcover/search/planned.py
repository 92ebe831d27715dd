"""A subject searched by a strategy: the plan, and the search of the options that it leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from exactcover.backends.base import Batch, CuttingSearch, Search, Status, Task, Tried
from exactcover.backends.crew import Crew
from exactcover.backends.kinds import Ask, Asking, Outlook
from exactcover.search.activity import outlook_of, placed_of, workers_of
from exactcover.search.automatic import FIRST_ROUND, Candidate, candidates
from exactcover.search.choosing import AFRESH, Outcome, Racing
from exactcover.search.combining import sum_tallies
from exactcover.search.plan import Applied, Plan, make_plan, start_cutting, start_search
from exactcover.search.racer import SHARE
from exactcover.search.relay import Changeable, Relay
from exactcover.search.sizing import Sizing
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from exactcover.search.unique import NO_SYMMETRY, Judging, judged
from exactcover.search.weighing import Weighing
from exactcover.search.weights import Weights


class Reporting(Search, Protocol):
    """A search that reports how it searches, for a `Result`."""

    @property
    def strategy(self) -> Strategy:
        """How it searches."""

    @property
    def reason(self) -> str:
        """Why there is no solution, if its filters show it; else empty."""

    @property
    def applied(self) -> tuple[Applied, ...]:
        """The filters applied before the search, with their effects."""

    @property
    def symmetric(self) -> Mapping[str, int]:
        """How many of the solutions have each group of symmetries, if that is known."""

    def tally(self) -> Mapping[int, Tried]:
        """The options tried, by the number of pieces left before; empty without a tally."""


class TallyingSearch(Search, Protocol):
    """A search that can count the options that it tries by the number of pieces left."""

    def tally(self) -> Mapping[int, Tried]:
        """The options tried, by the number of pieces left before; empty without a tally."""


class Team(Protocol):
    """Who searches a plan; `runs.Threads` is a team of several threads.

    A search of a team may apply the canonical test of the plan itself, see `Judging`.
    """

    def start(self, plan: Plan, strategy: Strategy) -> Search:
        """The search of a plan."""

    def start_tallying(self, plan: Plan, strategy: Strategy) -> TallyingSearch:
        """The same with a tally; raises `CapabilityError` if an engine has none."""

    @property
    def takes_turns(self) -> bool:
        """Whether it may search in turns with the automaton, which finds in another order."""

    def crew(self) -> Crew | None:
        """Its threads, for an engine that shares the work of a count; None: one thread counts."""


class Alone:
    """The thread that advances the search, without any other."""

    takes_turns = True

    def start(self, plan: Plan, strategy: Strategy) -> Search:
        """The search of a plan."""
        return start_search(plan, strategy)

    def start_tallying(self, plan: Plan, strategy: Strategy) -> TallyingSearch:
        """The same with a tally; raises `CapabilityError` if an engine has none."""
        return start_cutting(plan, strategy, Task(tally=True))

    def crew(self) -> None:
        """Nobody: one thread counts."""


MOST_DONE = 0.95
"""The most that a rough estimate takes for done before the end."""

PRESENT = "the first choice"
"""Why a strategy is chosen before anything is measured."""


@dataclass(frozen=True)
class Before:
    """What a search had come to when it started afresh."""

    fits: int = 0
    nofits: int = 0
    found: int = 0
    tally: Mapping[int, Tried] = field(default_factory=dict)


class PlannedSearch:
    """A `Reporting` search of a subject by a strategy. Making it applies the filters.

    tally  whether to count the options tried by the number of pieces left
    team   who searches
    tuned  whether the strategy may change on the way, see `race`
    ask    asked before an engine that keeps states takes much memory; None: it may

    why    why the strategy was chosen, if candidates were compared; else empty
    listed whether solutions were handed out, also by another search of the same problem: then its
           filters stay, since others may keep other copies of symmetric solutions
    sized  the subtrees by which its size is estimated, see `size_up`
    """

    def __init__(
        self,
        subject: Subject,
        strategy: Strategy,
        *,
        tally: bool = False,
        team: Team | None = None,
        tuned: bool = False,
        ask: Ask | None = None,
    ) -> None:
        self.subject, self.strategy = subject, strategy
        self.why, self.sized = "", 0
        self._tally, self._tuned, self._ask = tally, tuned, ask
        self.plan: Plan = make_plan(subject, strategy)
        self._team = team or Alone()
        self._tallied: TallyingSearch | None = None
        self._started: Search | None = None
        self._unique: Judging | None = None
        self._weighing: Weighing | None = None
        self._weights: Weights | None = None
        self._sizing: Sizing | None = None
        self._expected: float | None = None  # the choices of the whole, by a few subtrees
        self._racing: Racing | None = None
        self._changed: tuple[float, float] | None = None  # its progress then, and that of its tree
        self._before = Before()
        self.listed = False
        self._farthest = 0.0  # its progress never goes back
        self._search: Search | None = None if self.plan.reason else self._begin(tally=tally)

    def _begin(self, *, tally: bool) -> Search:
        """Start the search of the options that the plan leaves."""
        search = self._start(tally=tally)
        if isinstance(search, Judging) and self.plan.canonical is not None:
            self._unique = search
        else:
            self._unique = judged(search, self.plan)
        return search if self._unique is None else self._unique

    def _start(self, *, tally: bool) -> Search:
        """The search of the strategy's stages."""
        if tally:
            self._tallied = self._team.start_tallying(self.plan, self.strategy)
            if self._tuned and isinstance(self._tallied, CuttingSearch):
                self._tallied = Relay(self._tallied, tally=True)
            self._started = self._tallied
        else:
            self._started = self._team.start(self.plan, self.strategy)
            if self._tuned and isinstance(self._started, CuttingSearch):
                self._started = Relay(self._started)
        if isinstance(self._started, Asking):
            self._started.ask = self._ask
        return self._started

    @property
    def workers(self) -> int:
        """How many threads or processes search."""
        return workers_of(self._started)

    @property
    def outlook(self) -> Outlook | None:
        """The expected work and memory; None: the engine expects none."""
        return outlook_of(self._started)

    @property
    def reason(self) -> str:
        """Why there is no solution, if the plan shows it; else empty."""
        return self.plan.reason

    @property
    def applied(self) -> tuple[Applied, ...]:
        """The filters applied, with their effects."""
        return self.plan.applied

    @property
    def symmetric(self) -> Mapping[str, int]:
        """How many of the solutions have each group of symmetries."""
        if self._unique is not None:
            return self._unique.symmetric
        # The filters have removed every copy, so no solution has a symmetry of its own.
        return {NO_SYMMETRY: self.found} if self.subject.counted != "all" and self.found else {}

    def tally(self) -> Mapping[int, Tried]:
        """The options tried, by the number of pieces left before; empty without a tally."""
        if self._tallied is None:
            return {}
        tally = self._tallied.tally()
        return sum_tallies([self._before.tally, tally]) if self._before.tally else tally

    # -- the search -----------------------------------------------------------------------------

    @property
    def fits(self) -> int:
        """Options chosen so far."""
        return self._before.fits + (0 if self._search is None else self._search.fits)

    @property
    def nofits(self) -> int:
        """Options tried so far that did not fit."""
        return self._before.nofits + (0 if self._search is None else self._search.nofits)

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return 0 if self._search is None else max(self._before.found, self._search.found)

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on with the search, see `Search.advance`."""
        if self._search is None:
            return Batch.of(Status.DONE)
        batch = self._search.advance(steps, capacity=capacity, keep=keep)
        self.listed = self.listed or (keep and len(batch) > 0)
        return batch

    def progress(self) -> float:
        """The searched share of the tree; it never goes back.

        Sibling branches near the root count by their weights once these are known, else equally.
        """
        if self._search is None:
            return 1.0
        done = self.done
        if self._changed is None and self._weights is None and not self._farthest:
            return done
        self._farthest = max(self._farthest, done)
        return self._farthest

    @property
    def done(self) -> float:
        """The searched share of the tree as it is estimated now: weights may make it smaller."""
        if self._search is None:
            return 1.0
        done = self._search.progress()
        if self._changed is not None:
            then, behind = self._changed
            return then + (1.0 - then) * ((done - behind) / (1.0 - behind) if behind < 1.0 else 1.0)
        if self._weights is not None:
            position = self._search.position()
            before = self._weights.before(position) if position else done
            return self._weights.done(before, self.fits + self.nofits)
        if self._expected is not None:
            made = self.fits + self.nofits
            return min(made / max(made, self._expected, 1.0), 1.0 if done >= 1.0 else MOST_DONE)
        return done

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first."""
        return () if self._search is None else self._search.position()

    def chosen(self) -> tuple[int, ...]:
        """The options placed now; empty if the engine cannot say."""
        return placed_of(self._started)

    def weigh(self, seconds: float) -> bool:
        """Weigh the subtrees near the root for a slice; return whether there is more to weigh.

        Probes have searches of their own, so they change nothing but `progress`. A count by states
        has no position, and is not weighed.

        seconds  what all slices together may take
        """
        if self._weighing is None:
            if self._weights is not None or not (self.position() or self.workers > 1):
                return False
            if self._changed is not None:  # the branches are no longer those of one tree
                return False
            self._farthest = self.progress()
            choices = (self.fits + self.nofits) / max(self._farthest, 1e-9)
            self._weighing = Weighing(self.plan, self.strategy, seconds=seconds, choices=choices)
        if self._weighing.advance():
            return True
        self._weights, self._weighing = self._weighing.weights, None
        return False

    def size_up(self) -> bool:
        """Estimate how many choices the whole takes, by a few subtrees; return whether that takes
        another moment. It changes nothing but `done` and `progress`.

        The first subtrees count only if they show that it takes longer than its progress says: most
        of the work may lie in a few large ones.
        """
        if self._sizing is None:
            choices = (self.fits + self.nofits) / max(self.progress(), 1e-9)
            self._sizing = Sizing(self.plan, self.strategy, choices)
        more, found = self._sizing.advance(), self._sizing.found
        if not more or (found is not None and found > self._sizing.choices):
            self._expected, self.sized = found, self._sizing.subtrees
        if not more:
            self._sizing = None
        return more

    # -- the strategy ---------------------------------------------------------------------------

    @property
    def can_race(self) -> bool:
        """Whether the strategy may change now."""
        return self._tuned and isinstance(self._started, Changeable)

    def race(self, seconds: float) -> bool:
        """Measure other strategies for a slice; return whether there is more to measure.

        At the end, what is not searched yet goes on by the best strategy. If that has another pivot
        or other filters, the search starts afresh, unless solutions were handed out.

        seconds  what all slices together may take
        """
        if self._racing is None:
            choices = (self.fits + self.nofits) / max(self.progress(), 1e-9)
            self._racing = Racing(
                self.plan,
                Candidate(self.strategy, PRESENT),
                candidates(self.subject),
                seconds=seconds,
                choices=choices,
                share=SHARE,
                replan=not self.listed and not self.why,
            )
        self._racing.shorten(seconds)
        if self._racing.advance():
            return True
        outcome, self._racing = self._racing.outcome, None
        if outcome is not None:
            self._settle(outcome)
        return False

    def _settle(self, outcome: Outcome) -> None:
        """Go on by the best strategy of a race, if it had time for a first round."""
        if outcome.best.measured.subtrees < FIRST_ROUND:
            return
        best, present = outcome.best, outcome.present
        strategy, progress = best.candidate.strategy, self.progress()
        afresh = strategy.once != self.strategy.once
        if afresh and (
            self.listed
            or best.measured.seconds > AFRESH * (1.0 - progress) * present.measured.seconds
        ):
            return
        self.why = outcome.why
        if best is present:
            return
        self.strategy = strategy
        self._weights = self._weighing = self._expected = None
        self.sized = 0
        # The rest is quicker, so what is done is a larger share of the time.
        rest = best.measured.seconds / max(present.measured.seconds, 1e-12)
        rest = min(rest, 1.0) * (1.0 if afresh else 1.0 - progress)
        done = max(progress, progress / (progress + rest)) if progress else 0.0
        if afresh:
            self._before = Before(self.fits, self.nofits, self.found, self.tally())
            self.plan, self._search, self._started = outcome.plan, None, None
            self._changed, self._farthest = (done, 0.0), done
            self._search = self._begin(tally=self._tally)
        elif isinstance(self._started, Changeable):
            assert self._search is not None
            self._started.change(self.plan, strategy)
            self._changed, self._farthest = (done, self._search.progress()), done

    def __getstate__(self) -> dict[str, Any]:
        """All but a weighing or a race that is not finished: a copy begins it again."""
        return self.__dict__ | {"_weighing": None, "_sizing": None, "_racing": None}

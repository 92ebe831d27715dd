"""Comparing strategies: what each of them does, and how long it takes, on the same subtrees.

Each strategy has an equal share of the time. A search that seems to end within it is made as a
whole, and its figures are exact. Of a longer one, subtrees are drawn by the `sampler`. The strategy
searches them to the end with a clock; the sums over them, with their weights, are an estimate of
the whole search. Strategies that branch alike above the subtrees search the same ones. The others
have trees of their own, from which subtrees are drawn in the same way.

The strategies take turns, one subtree each. So there are figures of all of them when the comparison
is stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt
from typing import Any

import numpy as np

from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_kind, check_seconds, check_whole
from exactcover.puzzle.rectangles import need_cells
from exactcover.search.automatic import candidates, strategy_named
from exactcover.search.clock import InSlices
from exactcover.search.plan import Plan, make_plan
from exactcover.search.result import Remaining
from exactcover.search.sampler import UNKNOWN, Effort, Sampler, Steps, Subtrees, Sums, Tree
from exactcover.search.stages import cuttable, engine_stages, require_cuttable
from exactcover.search.strategy import Filter, Strategy
from exactcover.search.subject import Solvable, Subject

SECONDS = 30.0
"""The default time limit."""

DRAWN = Effort(known=1 << 14, kept=128, probe=1 << 15)
"""The choices of the known top of a tree, the subtrees that are drawn, and the choices in one."""

WHOLE = 0.5
"""The part of the time of a strategy in which its whole search is tried."""

LOADED = 1 << 12
"""The choices before the clock starts: compiled code has to be loaded, which is no part of a
search."""

LEAST_SHARE = 0.05
"""Seconds that each strategy has at least for its subtrees."""


@dataclass(frozen=True)
class Measured:
    """The work of a strategy in the whole search, estimated from subtrees.

    seconds       of the processor, and error: their standard error
    subtrees      how many were searched, of the states at their level. 0: the search was made as
                  a whole, and the figures are exact
    by_remaining  attempts, fits and no-fits by the number of pieces left, the most first. `stage`
                  says the setting of neighbour occupancy filtering that was in force, as in
                  `fila:f@11 nof=6`
    """

    strategy: Strategy
    seconds: float
    error: float
    subtrees: int
    states: int
    by_remaining: tuple[Remaining, ...]

    @property
    def exact(self) -> bool:
        """Whether all of the search was made."""
        return not self.subtrees

    @property
    def fits(self) -> int:
        """Options chosen."""
        return sum(row.fits for row in self.by_remaining)

    @property
    def nofits(self) -> int:
        """Options tried in vain."""
        return sum(row.nofits for row in self.by_remaining)

    def record(self) -> dict[str, Any]:
        """The figures for a script."""
        return {
            "strategy": str(self.strategy),
            "seconds": round(self.seconds, 6),
            "error": round(self.error, 6) if self.error < inf else None,
            "subtrees": self.subtrees,
            "states": self.states,
            "exact": self.exact,
            "fits": self.fits,
            "nofits": self.nofits,
            "by_remaining": [vars(row) for row in self.by_remaining],
        }


@dataclass(frozen=True)
class Comparison:
    """The result of comparing strategies.

    rows        the strategies that were measured, the quickest first
    unmeasured  those that were not: the time was over
    status      "complete": each has searched all that was drawn for it; "limit"; "interrupted"
    seconds     that it took, without those of compilation, which are `compiling`
    """

    rows: tuple[Measured, ...]
    unmeasured: tuple[Strategy, ...]
    status: str
    seconds: float
    compiling: float

    @property
    def best(self) -> Strategy | None:
        """The quickest strategy; None: nothing was measured."""
        return self.rows[0].strategy if self.rows else None

    def __repr__(self) -> str:
        many = len(self.rows) + len(self.unmeasured)
        return f"<Comparison of {many}: {self.status}, the best is {self.best}>"

    def record(self) -> dict[str, Any]:
        """The figures for a script."""
        return {
            "status": self.status,
            "best": None if self.best is None else str(self.best),
            "strategies": [row.record() for row in self.rows],
            "unmeasured": [str(one) for one in self.unmeasured],
            "seconds": round(self.seconds, 6),
            "compiling": round(self.compiling, 6),
        }


class TimedStrategy:
    """A strategy that searches a whole tree, or drawn subtrees of it, one after another.

    spent  the seconds that subtrees took
    whole  the work of the whole search; None: it takes too long
    """

    def __init__(self, tree: Tree, strategy: Strategy) -> None:
        self.tree, self.strategy = tree, strategy
        self.spent = 0.0
        self.whole: Sums | None = None
        self.subtrees: Subtrees | None = None
        self._sums: list[Sums] = []

    @property
    def begun(self) -> bool:
        """Whether there are figures."""
        return self.whole is not None or bool(self._sums)

    @property
    def done(self) -> bool:
        """Whether it has searched all of its subtrees, or the whole tree."""
        drawn = self.subtrees
        return self.whole is not None or (
            drawn is not None and len(self._sums) == len(drawn.states)
        )

    def search_whole(self, most: float) -> Steps:
        """Search the whole tree, if that takes no more than this many seconds."""
        yield from self.tree.walk(cut=None).finish(LOADED)
        walk = self.tree.walk(cut=None)
        yield from walk.finish(seconds=most)
        if walk.done:
            self.whole = walk.sums

    def search(self, most: float) -> Steps:
        """Search the next subtree. After `most` seconds, its progress says what the rest takes."""
        assert self.subtrees is not None
        node, weight = self.subtrees.states[len(self._sums)]
        walk = self.tree.walk(node, self.subtrees.left, cut=None)
        yield from walk.finish(seconds=most)
        self.spent += walk.seconds
        self._sums.append(weight / max(walk.progress, UNKNOWN) * walk.sums)

    def measured(self) -> Measured:
        """The figures so far."""
        if self.whole is not None:
            rows = self._by_remaining(self.whole)
            return Measured(self.strategy, float(self.whole[-1]), 0.0, 0, 0, rows)
        assert self.subtrees is not None
        many, drawn = len(self._sums), len(self.subtrees.states)
        states = round(sum(weight for _, weight in self.subtrees.states))
        seconds = drawn * np.array(self._sums)[:, -1]
        error = float(seconds.std(ddof=1)) / sqrt(many) if many > 1 else inf
        rows = self._by_remaining(self.subtrees.above + drawn * np.mean(self._sums, axis=0))
        return Measured(self.strategy, float(seconds.mean()), error, many, states, rows)

    def _by_remaining(self, sums: Sums) -> tuple[Remaining, ...]:
        fits, tries = self.tree.fits(sums).round(), self.tree.tries(sums).round()
        return tuple(
            Remaining(
                left,
                self.strategy.at(left).in_force,
                *map(int, (tries[left], fits[left], (tries - fits)[left])),
            )
            for left in np.flatnonzero(tries)[::-1].tolist()
        )


class Comparing(InSlices):
    """A comparison in progress: `step` goes on, `comparison` is what was found so far.

    `stop` ends it, also from a signal handler. The arguments are those of `compare`.
    """

    def __init__(
        self,
        subject: Solvable,
        strategies: Sequence[Strategy | str] = (),
        *,
        counted: Convention | None = None,
        time_limit: float | None = SECONDS,
        seed: int | None = None,
    ) -> None:
        super().__init__()
        check_seconds("time_limit", time_limit)
        check_whole("seed", seed, least=0)
        check_kind("strategies", strategies, (list, tuple), "a list of strategies or their texts")
        with self._clock.running():
            self.subject = Subject.of(subject, counted)
        need_cells(self.subject.model, "comparing strategies")
        named = tuple(dict.fromkeys(strategy_named(self.subject, one) for one in strategies))
        for one in named:
            require_cuttable(one)
            engine_stages(one, self.subject.problem, self.subject.layout)
        self._field = named or tuple(filter(cuttable, candidates(self.subject)))
        self._limit = inf if time_limit is None else time_limit
        self._random = np.random.default_rng(seed or 0)
        self._timed: list[TimedStrategy] = []
        self._steps = self._work()

    @property
    def comparison(self) -> Comparison:
        """The result so far."""
        timed = [one for one in tuple(self._timed) if one.begun]
        rows = sorted((one.measured() for one in timed), key=lambda row: row.seconds)
        measured = {one.strategy for one in timed}
        unmeasured = tuple(one for one in self._field if one not in measured)
        status = "limit" if unmeasured or not all(one.done for one in timed) else "complete"
        if not self._done:
            status = "interrupted"
        clock = self._clock
        return Comparison(tuple(rows), unmeasured, status, clock.working, clock.compiling)

    def _work(self) -> Steps:
        """All of the work, in slices."""
        plans: dict[tuple[Filter, ...], Plan] = {}
        share = self._limit / len(self._field)
        for strategy in self._field:
            if self._timed and self._spent > self._limit:
                break
            plan = plans.get(strategy.filters) or make_plan(self.subject, strategy)
            plans[strategy.filters] = plan
            one = TimedStrategy(Tree(plan, strategy), strategy)
            self._timed.append(one)
            yield
            if plan.reason:
                one.whole = one.tree.sums()
                continue
            yield from one.search_whole(WHOLE * share)
            if one.whole is None:
                yield from self._draw(one)
                if not one.done:
                    yield from one.search(share)  # so that there is a figure soon
        field = self._timed
        share = max((self._limit - self._spent) / len(field), LEAST_SHARE)
        while field := [one for one in field if not one.done and one.spent < share]:
            for one in field:
                yield from one.search(share - one.spent)

    def _draw(self, one: TimedStrategy) -> Steps:
        """Draw subtrees for a strategy, or take those of another that branches alike above them."""
        alike = next((other for other in self._timed if branch_alike(one, other)), None)
        if alike is not None:
            one.subtrees = alike.subtrees
            return
        sampler = Sampler(one.tree, DRAWN, self._random)
        yield from sampler.survey()
        drawn = yield from sampler.subtrees(DRAWN.probe)
        self._random.shuffle(drawn.states)  # every beginning is a sample of them
        one.subtrees = drawn


def branch_alike(one: TimedStrategy, other: TimedStrategy) -> bool:
    """Whether a search has the subtrees of another: both filter and branch alike above them."""
    if other.subtrees is None or one.strategy.filters != other.strategy.filters:
        return False
    return all(
        replace(one.strategy.at(left), remaining=None)
        == replace(other.strategy.at(left), remaining=None)
        for left in range(one.tree.pieces, other.subtrees.left, -1)
    )


def compare(
    subject: Solvable,
    strategies: Sequence[Strategy | str] = (),
    *,
    counted: Convention | None = None,
    time_limit: float | None = SECONDS,
    seed: int | None = None,
) -> Comparison:
    """Compare strategies: what each does with 1, 2, ... pieces left, and how long it takes.

        >>> import exactcover as ec
        >>> made = ec.compare(ec.read("pentominoes_20x3"), ["fila:f nof=0", "fila:f nof=6"])
        >>> for row in made.rows:
        ...     print(row.fits, row.by_remaining[0].stage)
        71190 fila:f nof=6
        71190 fila:f nof=0

    subject     a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    strategies  strategies or their texts, with engines that can hand over; "auto" is the
                automatic one. Default: (), the automatic one and others that may be quicker
    counted     what counts as one solution, as in `solve`. Default: None, "rotations" for a puzzle
    time_limit  seconds, of which each strategy has an equal share. Default: 30; None: all
                searches are made as a whole, however long they take
    seed        draws other subtrees. Default: None, the same ones each time

    A search that seems to end in time is made as a whole, and its figures are exact. Of a longer
    one, parts are searched that are drawn at random.
    """
    comparing = Comparing(subject, strategies, counted=counted, time_limit=time_limit, seed=seed)
    while comparing.step():
        pass
    return comparing.comparison

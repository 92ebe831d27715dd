"""A search of a subject that has begun: its plan, its strategy, and the search itself."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np

from exactcover.backends.base import Abreast, Branching, Search, Slice, Status, Where
from exactcover.search.judge import Judge
from exactcover.search.plan import Applied, Plan, make_plan
from exactcover.search.stages import Stages
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject


class Team(Protocol):
    """Who searches a plan; `runs.Threads` is a team of several threads."""

    def start(self, plan: Plan, strategy: Strategy, judge: Judge, *, tally: bool = False) -> Search:
        """The search of a plan, judged. With `tally` it raises `CapabilityError` if an engine has
        none."""

    def counting_threads(self) -> Abreast | None:
        """Its threads, for an engine that shares the work of a count; None: one thread counts."""


def alone(plan: Plan, strategy: Strategy, judge: Judge, *, tally: bool = False) -> Search:
    """The search of a plan by the thread that advances it, see `Team.start`."""
    return Stages(plan, strategy, Branching(tally=tally)).begin(judge=judge)


class Nothing:
    """The search of a plan that has no solution, or that was dropped."""

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Nothing, see `Search.advance`."""
        return Slice(Status.DONE)

    def where(self) -> Where:
        """At the end."""
        return Where(progress=1.0)


class Begun(NamedTuple):
    """A search, and what a result says of it.

    plan     None: it has none
    applied  the filters applied before the search, with their effects
    reason   why there is no solution, if its filters show it; else empty
    why      why it goes on in this way, if that was measured; else empty
    """

    search: Search
    strategy: Strategy
    plan: Plan | None = None
    applied: tuple[Applied, ...] = ()
    reason: str = ""
    why: str = ""

    @classmethod
    def of(cls, search: Search, strategy: Strategy, plan: Plan) -> Begun:
        """The search of a plan; where there is no solution, there is nothing to search."""
        return cls(search, strategy, plan, plan.applied, plan.reason)


def begin_listing(
    subject: Subject,
    strategy: Strategy,
    *,
    tally: bool = False,
    team: Team | None = None,
    weighed: bool = False,
) -> Begun:
    """A search that lists the solutions that count. It applies the filters.

    tally  whether to count the options tried by the number of pieces left
    team   who searches; None: the thread that advances it
    weighed  whether all solutions count, each listed one as often as the orbit of its placement of
             the pivot of `redundancy` is large; without a pivot that helps, all are listed
    """
    plan, weights = make_plan(subject, strategy), None
    if plan.reason:
        return Begun.of(Nothing(), strategy, plan)
    if weighed:
        plan = replace(plan, canonical=None, subject=subject.counting("all"))
        if plan.pivot is not None:
            weights = np.zeros(plan.problem.n_options, np.int64)
            weights[plan.pivot.kept] = plan.pivot.sizes
    start = alone if team is None else team.start
    return Begun.of(start(plan, strategy, Judge(plan, weights), tally=tally), strategy, plan)

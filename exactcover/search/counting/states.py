"""Counts that list few solutions or none: by the orbits of a piece, and by states.

Symmetries make both shorter. A symmetry takes the solutions with one placement of a piece to those
with another one in its orbit, so there are equally many of both: it is enough to count below one
placement of each orbit. A count of all solutions by listing gives each solution the size of the
orbit of its placement as a weight.

An engine that keeps states lists nothing. It counts all solutions below one placement of each
orbit, or classes: their number follows from the numbers of solutions that each symmetry fixes, by
Burnside's lemma.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import inf

import numpy as np

from exactcover.backends import backends, get_backend, get_engine
from exactcover.backends.base import Branching
from exactcover.backends.node import Node
from exactcover.backends.tasks import started
from exactcover.errors import StrategyError
from exactcover.problem import IntArray
from exactcover.search.automatic import MANY_IMAGES, has_few_states
from exactcover.search.begun import Begun, Nothing, Team
from exactcover.search.counting.burnside import BurnsideSearch, StartCount
from exactcover.search.plan import Plan, make_plan
from exactcover.search.strategy import Filter, Stage, Strategy
from exactcover.search.subject import Subject

# -- by orbits -------------------------------------------------------------------------------------

MOST_MOVED = 1 << 20
"""Limit on motions times placements. Above it, finding the symmetries takes seconds, so every
solution is listed."""


MOST_ITEMS = 4096
"""With more items, it takes the automaton too long to put them in order."""

BRIEF, TRIED, TRIED_FEW = 0.0, 0.03, 0.5
"""The share of the work of a listing that a trial of states takes at most: nothing but the first
trial, a usual one, and one that is expected to have few states."""


def by_orbits(subject: Subject) -> Subject | None:
    """The subject with all its symmetries; None if counting by orbits would save no time."""
    helps = subject.model is not None and subject.counted == "all"
    return subject.counting("reflections") if helps and symmetries_are_soon_found(subject) else None


def symmetries_are_soon_found(subject: Subject) -> bool:
    """Whether finding the symmetries of a subject takes less than seconds."""
    if subject.model is None:
        return True
    motions = len(subject.model.puzzle.lattice.group.proper)
    return motions * subject.problem.n_options <= MOST_MOVED


# -- by states -------------------------------------------------------------------------------------


def begin_states(subject: Subject, strategy: Strategy, *, team: Team | None = None) -> Begun:
    """Begin the count of a subject by the only stage of a strategy, an engine that lists
    nothing."""
    [stage] = strategy.stages
    plan = make_plan(subject, strategy)
    if plan.reason:
        return Begun.of(Nothing(), strategy, plan)
    threads = None if team is None else team.counting_threads()
    how = replace(Branching.by(stage.heuristic, dict(stage.settings)), threads=threads)
    engine = get_backend(stage.backend)
    # Without them a count of all solutions is only not divided.
    divided = subject.counted != "all" or symmetries_are_soon_found(subject)
    group = subject.group if divided else None
    broken = any(one.kind.symmetry != "kept" for one in strategy.filters)
    if group is None or (broken and plan.canonical is None):
        how = replace(how, root=Node((), plan.alive))
        search = started(engine, plan.problem, subject.layout, how)
    else:
        start = partial(started, engine, how=how)
        search = _by_symmetries(plan, strategy, group, start)
    return Begun.of(search, strategy, plan)


def _by_symmetries(
    plan: Plan, strategy: Strategy, group: IntArray, start: StartCount
) -> BurnsideSearch:
    """The count of the solutions that each symmetry fixes, with the options that filters leave."""
    assert plan.model is not None
    kept = tuple(one for one in strategy.filters if one.kind.symmetry == "kept")
    alive = make_plan(plan.subject, replace(strategy, filters=kept)).alive
    # If an option can be removed, so can its images under every symmetry.
    every = plan.model.symmetries.options
    options = np.flatnonzero(alive[every].all(axis=0))
    number = np.full(alive.size, -1, np.int32)
    number[options] = np.arange(options.size)
    layout = plan.model.layout
    return BurnsideSearch(
        plan.problem.restricted(options),
        replace(layout, option_shape=layout.option_shape[options]),
        number[group[:, options]],
        start,
        number[every[:, options]],
    )


def names_a_counter(strategy: Strategy) -> bool:
    """Whether a strategy names an engine that lists nothing; it must then be the only stage."""
    names = [stage.backend for stage in strategy.stages]
    if len(names) > 1 or strategy.stepwise or strategy.triggers:
        silent = [name for name in names if not get_engine(name).capabilities.lists_solutions]
        if silent:
            able = [name for name, one in backends().items() if one.capabilities.lists_solutions]
            raise StrategyError(
                f"{strategy}: {silent[0]} counts the whole, in one stage, with filters before the "
                f"search only; for stages and filters at every step there are {', '.join(able)}"
            )
        return False
    return not get_engine(names[0]).capabilities.lists_solutions


def by_states(
    subject: Subject, memory: int | None, *, hopeless: bool = False
) -> list[tuple[Strategy, float]]:
    """The strategies that keep states instead of listing, in the order of trying.

    The number is the share of the work of a listing that a trial takes at most. A plain problem may
    fall apart: if a brief trial of the automaton does not end, `memo` gives up soon if it does not.

    hopeless  a listing would never end, so `memo` goes on where it is the only one
    """
    problem, given = subject.problem, [] if memory is None else [("memory", str(memory))]
    if problem.n_options > MANY_IMAGES:
        return []
    share = TRIED_FEW if has_few_states(subject) else TRIED
    swept = not get_backend("automaton").capabilities.missing(problem)
    swept &= subject.model is not None or problem.n_items <= MOST_ITEMS
    tried = [(Stage("automaton", "narrow", None, tuple(given)), share)] if swept else []
    filters = [Filter("volume")]
    if subject.model is None:
        filters = []
        if not get_backend("memo").capabilities.missing(problem):
            if swept or not hopeless:
                given.append(("patience", "parts" if swept else ""))
            brief = [(stage, BRIEF) for stage, _ in tried]
            tried = [*brief, (Stage("memo", "narrow", None, tuple(given)), inf), *tried]
    if subject.permutations is not None:  # kept if no solution is left twice, else left out
        filters.insert(0, Filter("redundancy"))
    return [(Strategy((stage,), tuple(filters)), share) for stage, share in tried]

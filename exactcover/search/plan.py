"""From a problem and a strategy to the task of an engine: it applies the filters, in order.

A plan says which options may still be chosen. If symmetric copies count once,
it also says which solutions to keep. It records the number of options that each filter removed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from operator import itemgetter
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.backends import get_backend, names_of
from exactcover.backends.arrays import bit_rows, bits_of
from exactcover.backends.base import NEVER, Watch
from exactcover.errors import CapabilityError, StrategyError
from exactcover.problem import IntArray, Problem
from exactcover.problem.filters import Filtered, Subtree
from exactcover.problem.filters.redundancy import Canonical, Pivot
from exactcover.problem.filters.triggers import TriggerTable
from exactcover.problem.layout import Layout
from exactcover.puzzle.model import Model
from exactcover.search.strategy import Filter, Strategy
from exactcover.search.subject import Subject

Flags = npt.NDArray[np.bool_]


class Applied(NamedTuple):
    """One filter that was applied: how many options it removed, and how many are left."""

    filter: str
    removed: int
    left: int
    seconds: float
    note: str = ""


@dataclass(frozen=True, eq=False)
class Plan:
    """A problem prepared for an engine.

    alive      bool [options]: the options that may be chosen
    canonical  the test that keeps one of the symmetric copies of a solution; None: all are kept
    triggers   the tables that make the search backtrack early, each with the least number of pieces
               for which it is read
    applied    the filters that were applied
    reason     why there is no solution, if that is known; else empty
    first      the placements of the piece that is placed before all others; empty: there is none
    pivot      the piece or cell that has one option left per orbit; None: there is none
    """

    subject: Subject
    alive: Flags
    canonical: Canonical | None = None
    triggers: tuple[tuple[TriggerTable, int], ...] = ()
    applied: tuple[Applied, ...] = ()
    reason: str = ""
    first: frozenset[int] = frozenset()
    pivot: Pivot | None = None

    @property
    def problem(self) -> Problem:
        """The problem of the subject."""
        return self.subject.problem

    @property
    def model(self) -> Model | None:
        """The puzzle behind the problem, if there is one."""
        return self.subject.model


def make_plan(subject: Subject, strategy: Strategy) -> Plan:
    """Apply the filters that a strategy applies once, then make the tables of its triggers."""
    for stage, one in product(strategy.stages, strategy.triggers):
        reaches = stage.remaining is None or (one.down_to or 0) <= stage.remaining
        if reaches and not get_backend(stage.backend).capabilities.triggers:
            raise CapabilityError(
                f"{one}: engine {stage.backend!r} has no triggers; these engines have: "
                f"{', '.join(names_of(lambda can: can.triggers))}"
            )
    plan = Plan(subject, subject.problem.choosable)
    permutations = subject.permutations
    if permutations is not None and len(permutations) > 1:
        _require_symmetric(strategy)
        everything = np.ones(subject.problem.n_options, bool)
        plan = replace(plan, canonical=Canonical(permutations, everything))
    if subject.reason:
        return replace(plan, reason=subject.reason)
    for one in strategy.once:
        before, began = int(plan.alive.sum()), perf_counter()
        plan, note = _after(plan, one)
        left, seconds = int(plan.alive.sum()), perf_counter() - began
        record = Applied(str(one), before - left, left, seconds, note)
        plan = replace(plan, applied=(*plan.applied, record))
    return _with_triggers(plan, strategy)


def _after(plan: Plan, one: Filter) -> tuple[Plan, str]:
    """The plan after a filter, and a note on the filter's effect."""
    permutations = plan.subject.permutations
    made = _filtered(one, plan, (), plan.alive, permutations)
    note, constraint = made.note, made.constraint
    plan = replace(plan, alive=made.alive)
    if constraint is None or permutations is None:
        return plan, note
    first = plan.first
    if one.first:
        note += ", placed first"
        first = frozenset(constraint.placements[made.alive[constraint.placements]].tolist())
    canonical = None if constraint.breaks_all else Canonical(permutations, constraint.allowed)
    return replace(plan, canonical=canonical, first=first, pivot=constraint.pivot), note


def _filtered(
    one: Filter,
    plan: Plan,
    chosen: tuple[int, ...],
    alive: Flags,
    permutations: IntArray | None = None,
) -> Filtered:
    tree = Subtree(plan.problem, plan.model, chosen, alive, permutations, str(one))
    return one.kind(tree, one.argument)


def _require_symmetric(strategy: Strategy) -> None:
    """Raise `StrategyError` where a filter may keep only some of the copies of a solution.

    The search keeps one copy of each solution, the least that the redundancy filter leaves. If
    another filter removes just that copy, the solution is lost, so the result would depend on the
    order of the filters.
    """
    for one in strategy.filters:
        if one.kind.symmetry == "unknown":
            raise StrategyError(
                f"{one}: symmetric solutions count once, but the filter {one.name} is not declared "
                "to keep or remove them together; declare it with symmetric=True if it does, or "
                'count all solutions (counted="all")'
            )


def _with_triggers(plan: Plan, strategy: Strategy) -> Plan:
    """The plan with the tables of the triggers, made for the options that are left."""
    for one in strategy.triggers:
        began, tables = perf_counter(), _filtered(one, plan, (), plan.alive).tables
        size = sum(table.shortfall.size for table in tables)
        many = "1 table" if len(tables) == 1 else f"{len(tables)} tables"
        note = f"{many}, {size:,} entries" if tables else "nothing to watch"
        record = Applied(str(one), 0, int(plan.alive.sum()), perf_counter() - began, note)
        triggers = (*plan.triggers, *((table, one.down_to or 0) for table in tables))
        plan = replace(plan, applied=(*plan.applied, record), triggers=triggers)
    return plan


def watch(plan: Plan, layout: Layout, pieces: int) -> Watch:
    """The triggers of a plan in the form that an engine reads: all tables end to end.

    Of the tables for parts of the open cells, the one that is read for the fewest pieces is enough.
    """
    sums = [one for one in plan.triggers if not one[0].of_parts]
    of_parts = [one for one in plan.triggers if one[0].of_parts]
    parts, parts_down_to = min(of_parts, key=itemgetter(1), default=(None, NEVER))
    tables = [table for table, _ in sums] + ([] if parts is None else [parts])
    begin = np.cumsum([0, *(table.shortfall.size for table in tables)]).tolist()
    start = np.zeros(2 + 2 * len(sums), np.int64)
    steps = np.zeros((layout.option_shape.size, start.size), np.int64)
    start[0], steps[layout.option_shape >= 0, 0] = pieces, -1
    for number, (table, _) in enumerate(sums):
        index, slack = 1 + 2 * number, 2 + 2 * number
        start[index], steps[:, index] = begin[number], table.steps
        start[slack], steps[:, slack] = table.slack, -table.takes
    if parts is not None:
        start[-1], steps[:, -1] = begin[-2], parts.steps
    words = 0 if parts is None else max(1, -(-layout.n_cells // 64))
    cuts, near = layout.adjacent
    owners = np.repeat(np.arange(layout.n_cells), np.diff(cuts))
    return Watch(
        start=start,
        steps=steps,
        shortfall=np.concatenate([table.shortfall.ravel() for table in tables]),
        down_to=np.array([down_to for _, down_to in sums], np.int64),
        parts_down_to=parts_down_to,
        cell_item=layout.cell_item,
        near=bit_rows(owners, near, layout.n_cells, words)
        if words
        else np.zeros((0, 0), np.uint64),
        optional=bits_of(np.flatnonzero(layout.optional), words)
        if words
        else np.zeros(0, np.uint64),
    )


def filtered_at_node(
    plan: Plan, strategy: Strategy, chosen: tuple[int, ...], alive: Flags, remain: int
) -> Flags:
    """The options that the filters at every step leave at a node."""
    for one in strategy.stepwise:
        if one.down_to is not None and remain >= one.down_to:
            alive = _filtered(one, plan, chosen, alive).alive
    return alive

"""A tree in parts, for machines that share nothing: part 2 of 4 is every fourth of its subtrees.

The subtrees hang some pieces below the root, where there are enough of them that the parts are
about equal. How deep that is follows from the problem, the strategy and the number of parts, not
from the machine or its speed. So each machine finds the same subtrees in the same order, and deals
itself every Nth of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from exactcover.backends.base import CuttingSearch, Status, Task
from exactcover.base.compiled import Stopwatch
from exactcover.errors import ExactCoverError
from exactcover.problem.layout import pieces_left
from exactcover.runs.jobs import EVERYTHING, WHOLE, Bundle, BundleOutcome, TreePart, share_of
from exactcover.runs.ledger.ledger import Begun
from exactcover.search.engine import start_cutting
from exactcover.search.plan import Plan
from exactcover.search.strategy import Strategy

EACH = 30
"""The least number of subtrees in a part, if the tree has enough."""

MOST_PARTS = 10_000

STEPS = 1 << 12
"""Choices that the search for the next subtree makes at once."""


def check_part(number: int, parts: int) -> None:
    """Raise unless there can be a part with this number."""
    if not 1 <= number <= parts <= MOST_PARTS:
        raise ExactCoverError(
            f"part {number}/{parts}: the number of a part is from 1 to the number of parts, and "
            f"there may be {MOST_PARTS:,} parts"
        )


def part_of(plan: Plan, strategy: Strategy, number: int, parts: int) -> Begun:
    """A part of a tree, and its subtrees as the rest of what is done; the only part of one is the
    whole tree, of which nothing is done.

    The first part has the fits and no-fits of the search for the subtrees; the others have none, so
    those of all parts add up. Where there can be no solution, nothing is left to search.

    Raises `CapabilityError` if an engine of the strategy cannot be cut.
    """
    if plan.reason:
        return EVERYTHING, BundleOutcome()
    if parts == 1:
        return EVERYTHING, None
    time = Stopwatch()
    pieces = pieces_left(plan.problem, plan.subject.layout, plan.forced)
    for cut in range(pieces - 1, -1, -1):
        with time.running():
            search = start_cutting(plan, strategy, Task(cut=cut))
            mine, total = _dealt(search, cut, number, parts)
        if total >= EACH * parts or cut == 0:
            break
    else:  # there is nothing to place
        return EVERYTHING, None if number == 1 else BundleOutcome()
    first, report = number == 1, search.report(brief=True)
    done = BundleOutcome(
        fits=report.fits if first else 0,
        nofits=report.nofits if first else 0,
        seconds=time.working,
        compiling=time.compiling,
        rest=_bundled(mine),
    )
    return (replace(WHOLE, share=share_of((*mine,))),), done


def _bundled(subtrees: list[TreePart]) -> tuple[Bundle, ...]:
    """The subtrees in bundles of neighbours. A worker hands back what takes it too long."""
    size = -(-len(subtrees) // EACH) or 1
    return tuple((*subtrees[at : at + size],) for at in range(0, len(subtrees), size))


def _dealt(search: CuttingSearch, cut: int, number: int, parts: int) -> tuple[list[TreePart], int]:
    """Every Nth subtree of a cut search, and how many it has."""
    mine, total = [], 0
    for subtree in _subtrees(search, cut):
        if total % parts == number - 1:
            mine.append(subtree)
        total += 1
    return mine, total


def _subtrees(search: CuttingSearch, cut: int) -> Iterator[TreePart]:
    """The states that a cut search hands out, in its order."""
    behind = 0.0
    while True:
        batch = search.advance(STEPS, capacity=1)
        if len(batch):
            before, behind = behind, search.report().progress
            yield TreePart(replace(search.below(), cut=None), cut, behind - before)
        elif batch.status is Status.DONE:
            return

"""A tree in parts, for machines that share nothing: part 2 of 4 is every fourth of its subtrees.

The subtrees hang some pieces below the root, where there are enough of them that the parts are
about equal. How deep that is follows from the problem, the strategy and the number of parts, not
from the machine or its speed. So each machine finds the same subtrees in the same order, and deals
itself every Nth of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter

from exactcover.backends.base import Batch, CuttingSearch, Status, Task
from exactcover.errors import ExactCoverError
from exactcover.runs.bundles import Bundle
from exactcover.runs.subtrees import STEPS, Openings, Subtree
from exactcover.search.plan import Plan
from exactcover.search.strategy import Strategy

EACH = 30
"""The least number of subtrees in a part, if the tree has so many."""

MOST_PARTS = 10_000

WHOLE = Subtree(Task(), None, 1.0)


@dataclass(frozen=True)
class Begun:
    """What has been done of a part when its subtrees are found; `Ledger.add` takes it.

    fits, nofits  of the search for the subtrees; the first part has them, the others have none
    rest          the subtrees of the part, each a bundle
    """

    fits: int
    nofits: int
    seconds: float
    rest: tuple[Bundle, ...]
    found: int = 0
    symmetric: Mapping[str, int] = field(default_factory=dict)
    solutions: Batch = field(default_factory=lambda: Batch.of(Status.DONE))


def check_part(number: int, parts: int) -> None:
    """Raise unless there can be a part with this number."""
    if not 1 <= number <= parts <= MOST_PARTS:
        raise ExactCoverError(
            f"part {number}/{parts}: the number of a part is from 1 to the number of parts, and "
            f"there may be {MOST_PARTS:,} parts"
        )


def part_of(plan: Plan, strategy: Strategy, number: int, parts: int) -> tuple[Bundle, Begun | None]:
    """A part of a tree: what it is, and its subtrees; the only part of one is the whole tree.

    Where there can be no solution, nothing is left to search.

    Raises `CapabilityError` if an engine of the strategy cannot be cut.
    """
    check_part(number, parts)
    if plan.reason:
        return (WHOLE,), Begun(0, 0, 0.0, ())
    if parts == 1:
        return (WHOLE,), None
    began = perf_counter()
    openings = Openings(plan, strategy)
    search, mine, total = None, list[Subtree](), 0
    for cut in range(openings.pieces - 1, -1, -1):
        search = openings.search(WHOLE, cut)
        mine, total = _dealt(search, cut, number, parts)
        if total >= EACH * parts:
            break
    above = (0, 0) if search is None or number > 1 else (search.fits, search.nofits)
    share = sum(subtree.share for subtree in mine)
    rest = tuple((subtree,) for subtree in mine)
    whole = (replace(WHOLE, share=share),)
    return whole, Begun(*above, perf_counter() - began, rest)


def _dealt(search: CuttingSearch, cut: int, number: int, parts: int) -> tuple[list[Subtree], int]:
    """Every Nth subtree of a cut search, and how many it has."""
    mine, total = [], 0
    for subtree in _subtrees(search, cut):
        if total % parts == number - 1:
            mine.append(subtree)
        total += 1
    return mine, total


def _subtrees(search: CuttingSearch, cut: int) -> Iterator[Subtree]:
    """The states that a cut search hands out, in its order."""
    behind = 0.0
    while True:
        batch = search.advance(STEPS, capacity=1)
        if len(batch):
            before, behind = behind, search.progress()
            yield Subtree(replace(search.below(), cut=None), cut, behind - before)
        elif batch.status is Status.DONE:
            return

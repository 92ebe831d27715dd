"""How many states there will be, from the numbers of the levels made so far.

The growth of the levels shows early that a count will not fit, so that the caller can try another
way before the memory is full.
"""

from __future__ import annotations

from itertools import accumulate
from math import exp, log

from exactcover.backends.automaton.memory import Memory
from exactcover.backends.base import Outlook

MANY = 1 << 17
"""The least number of states for refusing a count."""

MANY_NODES = 1 << 12
"""The least number of nodes for an estimate."""

EARLIEST = 4
"""An estimate needs one in this many levels: the first levels rise too steeply."""

GRACE = 4.0
"""An estimate counts only if it exceeds the memory by more than this factor."""

PLATEAU = 0.8
"""The mean size of the levels behind the middle, as a share of the largest before: many ways
that have a start have no end, and are found to have none only at the last levels."""

NODE_BYTES = 40
"""The bytes of a node with its edges."""

NODE_WORK = 2
"""A node of the automaton takes about as long as this many states."""

UNKNOWN = Outlook(0.0, 0.0, 0)


def foretell(
    memory: Memory, what: str, sizes: list[int], levels: int, each: float, held: int | None = None
) -> None:
    """Raise `TooLarge` if the states still to come cannot fit the memory.

    sizes   the states of each level so far
    levels  how many levels there will be
    each    the bytes of a state
    held    the levels in memory at once; None: all of them
    """
    if sum(sizes) < MANY or EARLIEST * len(sizes) <= levels or memory.folder is not None:
        return
    expected = expected_sizes(sizes, levels)
    many = len(expected) if held is None else max(1, held * len(expected) // levels)
    if most_at_once(expected, many) * each > GRACE * memory.limit:
        raise memory.refusal(what, sum(sizes), sum(expected))


def of_nodes(sizes: list[int], levels: int, held: int | None = None) -> Outlook:
    """The outlook while nodes are made, from the nodes of each level so far.

    held  the levels in memory at once; then no states are counted later. None: all of them
    """
    if not sizes or (EARLIEST * len(sizes) < levels and sum(sizes) < MANY_NODES):
        return UNKNOWN
    made = float(sum(sizes))
    nodes = max(made, expected_nodes(sizes, levels))
    if held is None:
        return Outlook(NODE_WORK * made, (NODE_WORK + 1) * nodes, int(nodes * NODE_BYTES))
    most = most_at_once(expected_sizes(sizes, levels), held)
    return Outlook(NODE_WORK * made, NODE_WORK * nodes, int(most * NODE_BYTES))


def expected_nodes(sizes: list[int], levels: int) -> float:
    """The expected number of nodes of all levels, while they are made from the empty board."""
    full = [float(size) for size in sizes if size]
    rising = expected_sizes(sizes, levels)[: max(len(full), levels * len(full) // len(sizes) // 2)]
    left = levels * len(full) // len(sizes) - len(rising)
    recent = rising[-max(1, len(full) // 4) :]
    return sum(rising) + PLATEAU * left * sum(recent) / len(recent)


def expected_sizes(sizes: list[int], levels: int) -> list[float]:
    """The expected number of states of each level, from the levels so far.

    The numbers rise ever more slowly up to the middle, and fall as they rose. The last levels give
    the rate of the rise. Levels without states are ignored: if all pieces have five cells, only
    every fifth level has states.
    """
    full = [float(size) for size in sizes if size]
    here, middle = len(full) - 1, levels * len(full) / len(sizes) / 2
    back = max(1, len(full) // 4)
    if here >= middle or len(full) < 2 * back + 1:
        return full
    recent, before = sum(full[-back:]), sum(full[-2 * back : -back])
    slope = max(0.0, log(recent / before) / back)
    left = middle - here
    rising = full + [
        recent / back * exp(min(500.0, slope * (step - step * step / (2 * left))))
        for step in range(1, int(left) + 1)
    ]
    return rising + rising[::-1]


def most_at_once(levels: list[float], held: int) -> float:
    """The most states of `held` levels in a row; 0 if there are no levels."""
    sums = [0.0, *accumulate(levels)]
    return max(sums[at] - sums[max(0, at - held)] for at in range(len(sums)))

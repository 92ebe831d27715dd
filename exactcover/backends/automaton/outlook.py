"""How many states a count will have, before and while they are counted.

The growth of the levels shows early that a count will not fit, so that the caller can try another
way before the memory is full.

Once the automaton is made, it tells how many ways lead to a node if no piece is limited, and how
many cells their pieces cover. Some of these ways place a piece too often. Which pieces a way places
depends on how popular they are: they are taken as drawn at random, each with the share of all ways
that place it. So the ways are spread over the sets of pieces that cover that number of cells; each
set met is a state. Nothing is assumed about which pieces must have been placed at a node, so the
first estimate is up to about thirty times the truth. The levels that are counted correct it for
those to come.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from math import exp, log
from typing import TYPE_CHECKING

import numpy as np

from exactcover.backends.arrays import Long, Reals
from exactcover.backends.automaton.memory import Memory
from exactcover.backends.base import Outlook

if TYPE_CHECKING:
    from exactcover.backends.automaton.nodes import Automaton


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

SAMPLES = 128
"""Random sets of pieces for each number of cells."""

FINENESS = 2
"""Numbers of ways are rounded to powers of two, and to this many steps between them."""

TOO_MANY = 4.0
"""The expected states to come are usually about this many times the truth."""

MOST = 1e300
"""Numbers of ways are at most this."""


def foretell(
    memory: Memory, what: str, sizes: list[int], levels: int, each: float, held: int | None = None
) -> None:
    """Raise `TooLarge` if the states still to come cannot fit the memory.

    sizes   the states of each level so far
    levels  how many levels there will be
    each    the bytes of a state
    held    the levels in memory at once; None: all of them
    """
    if sum(sizes) < MANY or EARLIEST * len(sizes) <= levels:
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


# -- from the automaton ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ExpectedStates:
    """The expected states of each level.

    ahead  float64 [levels]: if they are counted from the empty board
    back   float64 [levels]: if they are counted from the full board
    """

    ahead: Reals
    back: Reals

    @classmethod
    def of(cls, automaton: Automaton) -> ExpectedStates:
        """The states of an automaton in which some pieces are limited."""
        sweep, used = automaton.sweep, automaton.copy_fields
        ahead, covered, back, by_kind = automaton.paths()
        copies = np.where(used.counted, sweep.board.room.clip(0), 0)
        images = np.bincount(sweep.kind, minlength=copies.size)
        cells = np.bincount(sweep.kind, sweep.size, copies.size) / images.clip(1)
        size = np.rint(cells).astype(np.int64)
        copies = np.minimum(copies, sweep.n_cells // size.clip(1))  # more do not fit
        sets = PieceSets.of(np.nan_to_num(by_kind, posinf=MOST), copies, size)
        level = np.repeat(np.arange(automaton.levels.size - 1), np.diff(automaton.levels))
        cells = np.rint(covered).astype(np.int64).clip(0, sets.cells)
        return cls(sets.states(ahead, cells, level), sets.states(back, sets.cells - cells, level))

    def coming(
        self, front: int, rear: int, ahead: dict[int, int], back: dict[int, int]
    ) -> tuple[list[float], list[float]]:
        """The expected states of the levels to come, in the order of making: from either end.

        front, rear  the first level that is not made from the empty board, and the last level that
                     is made from the full one; the last level of all plus one, if none is
        ahead, back  the states of the levels that are made
        """
        rise, fall = _correction(self.ahead, ahead), _correction(self.back, back)
        rising: list[float] = []
        falling: list[float] = []
        while front < rear:
            one, other = float(rise * self.ahead[front]), float(fall * self.back[rear - 1])
            if one <= other or not back:
                rising.append(one)
                front += 1
            else:
                falling.append(other)
                rear -= 1
        return rising, falling


def _correction(expected: Reals, made: dict[int, int]) -> float:
    """How many times as many states as expected the last levels have."""
    last = [level for level, states in made.items() if states and expected[level] > 0][-3:]
    would_be = float(sum(expected[level] for level in last))
    return sum(made[level] for level in last) / would_be if last else 1.0


@dataclass(frozen=True, eq=False)
class PieceSets:
    """The sets of limited pieces, by how many cells they cover.

    cells    how many cells all of them cover
    sizes    int64 [sizes]: the numbers of cells that some set covers, ascending
    many     float64 [sizes]: how many sets there are of each size
    chances  float64 [sizes, SAMPLES]: how often a way of that many cells has a random set
    """

    cells: int
    sizes: Long
    many: Reals
    chances: Reals

    @classmethod
    def of(cls, placed: Reals, copies: Long, cells: Long) -> PieceSets:
        """The sets of pieces by how often each kind is placed, its copies and its cells."""
        limited = (placed > 0) & (copies > 0) & (cells > 0)
        share = placed[limited] / max(placed[limited].sum(), 1e-300)
        copies, cells = copies[limited], cells[limited]
        whole = int(copies @ cells)
        following = _sets(copies, cells, whole)
        sizes = np.flatnonzero(following[0])
        rest = np.repeat(sizes[:, None], SAMPLES, axis=1)  # the cells of a random set to come
        pieces, chance = np.zeros_like(rest), np.zeros(rest.shape)
        factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, whole + 1)))])
        random = np.random.default_rng(0)
        for kind, (most, size) in enumerate(zip(copies.tolist(), cells.tolist(), strict=True)):
            drawn = random.random(rest.shape) * following[kind][rest]
            taken, below = np.zeros_like(rest), np.zeros(rest.shape)
            for many in range(min(most, whole // size)):
                below += _at(following[kind + 1], rest - many * size)
                taken += drawn >= below
            rest -= taken * size
            pieces += taken
            chance += taken * np.log(share[kind]) - factorial[taken]
        met = _met(share, cells, whole)[sizes]
        with np.errstate(under="ignore"):
            chances = np.exp(chance + factorial[pieces]) / met[:, None].clip(1e-300)
        return cls(whole, sizes, following[0][sizes], chances)

    def states(self, ways: Reals, cells: Long, level: Long) -> Reals:
        """The expected states of each level: float64 [levels].

        ways, cells, level  of each node: the ways to it, the cells that their limited pieces cover,
                            its level
        """
        steps = np.rint(np.log2(ways.clip(1e-300, MOST)) * FINENESS).astype(np.int64)
        lowest, height = int(steps.min(initial=0)), int(np.ptp(steps)) + 1 if steps.size else 1
        keys = (level * (self.cells + 1) + cells) * height + steps - lowest
        keys, counts = np.unique(keys, return_counts=True)
        rest, steps = np.divmod(keys, height)
        level, cells = np.divmod(rest, self.cells + 1)
        nearest = np.abs(np.subtract.outer(cells, self.sizes)).argmin(axis=1)
        out = np.zeros(int(level.max(initial=0)) + 1)
        for number in np.unique(nearest).tolist():
            here = nearest == number
            ways = np.exp2((steps[here] + lowest) / FINENESS)
            share = -np.expm1(-np.outer(ways, self.chances[number])).mean(axis=1)
            np.add.at(out, level[here], counts[here] * self.many[number] * share)
        return out


def _sets(copies: Long, cells: Long, whole: int) -> list[Reals]:
    """The number of sets of the kinds from one on that cover a number of cells, for each kind."""
    sets = np.zeros(whole + 1)
    sets[0] = 1.0
    of_rest = [sets]
    for most, size in zip(copies[::-1].tolist(), cells[::-1].tolist(), strict=True):
        covered = np.arange(whole + 1)
        sets = sum((_at(of_rest[-1], covered - many * size) for many in range(most + 1)), 0 * sets)
        of_rest.append(sets.clip(max=MOST))
    return of_rest[::-1]


def _met(share: Reals, cells: Long, whole: int) -> Reals:
    """How often pieces drawn one after the other cover this number of cells at some time."""
    met = np.zeros(whole + 1)
    met[0] = 1.0
    for size in range(1, whole + 1):
        met[size] = (share * _at(met, size - cells)).sum()
    return met


def _at(values: Reals, places: Long) -> Reals:
    """The values at some places, 0 at those before the first."""
    return np.where(places < 0, 0.0, values[places.clip(0)])

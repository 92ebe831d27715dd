"""How many states a count will have, before and while they are counted.

The automaton tells how many ways lead to a node if no piece is limited, and how many cells their
pieces cover. Some of these ways place a piece too often. Which pieces a way places depends on how
popular they are: they are taken as drawn at random, each with the share of all ways that place it.
So the ways are spread over the sets of pieces that cover that number of cells; each set met is
a state. Nothing is assumed about which pieces must have been placed at a node, so the first
estimate is up to about thirty times the truth. The levels that are counted correct it for those to
come.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.backends.automaton.nodes import Automaton, Paths

Floats = npt.NDArray[np.float64]
Long = npt.NDArray[np.int64]

SAMPLES = 128
"""Random sets of pieces for each number of cells."""

FINENESS = 2
"""Numbers of ways are rounded to powers of two, and to this many steps between them."""

TOO_MANY = 4.0
"""The expected states to come are usually about this many times the truth."""

MOST = 1e300
"""Numbers of ways are at most this."""


@dataclass(frozen=True, eq=False)
class ExpectedStates:
    """The expected states of each level.

    ahead  float64 [levels]: if they are counted from the empty board
    back   float64 [levels]: if they are counted from the full board
    """

    ahead: Floats
    back: Floats

    @classmethod
    def of(cls, automaton: Automaton) -> ExpectedStates:
        """The states of an automaton in which some pieces are limited."""
        sweep, used = automaton.sweep, automaton.copy_fields
        ahead, covered, back, by_kind = Paths.of(automaton)
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


def _correction(expected: Floats, made: dict[int, int]) -> float:
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
    sizes: npt.NDArray[np.int64]
    many: Floats
    chances: Floats

    @classmethod
    def of(cls, placed: Floats, copies: Long, cells: Long) -> PieceSets:
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

    def states(self, ways: Floats, cells: Long, level: Long) -> Floats:
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


def _sets(copies: Long, cells: Long, whole: int) -> list[Floats]:
    """The number of sets of the kinds from one on that cover a number of cells, for each kind."""
    sets = np.zeros(whole + 1)
    sets[0] = 1.0
    of_rest = [sets]
    for most, size in zip(copies[::-1].tolist(), cells[::-1].tolist(), strict=True):
        covered = np.arange(whole + 1)
        sets = sum((_at(of_rest[-1], covered - many * size) for many in range(most + 1)), 0 * sets)
        of_rest.append(sets.clip(max=MOST))
    return of_rest[::-1]


def _met(share: Floats, cells: Long, whole: int) -> Floats:
    """How often pieces drawn one after the other cover this number of cells at some time."""
    met = np.zeros(whole + 1)
    met[0] = 1.0
    for size in range(1, whole + 1):
        met[size] = (share * _at(met, size - cells)).sum()
    return met


def _at(values: Floats, places: Long) -> Floats:
    """The values at some places, 0 at those before the first."""
    return np.where(places < 0, 0.0, values[places.clip(0)])

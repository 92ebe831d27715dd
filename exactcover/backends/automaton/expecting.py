"""How many states a count will have, before and while they are counted.

The automaton tells how many ways lead to a node if no piece is limited. Some of them place a piece
too often. Which share of them does not depends on how popular the pieces are: the pieces of a way
are taken as drawn at random, each with the share of all ways that place it. The ways that are left
are spread over the sets of pieces, and each set that is met is a state. Nothing is assumed about
which pieces must have been placed at a node, so the first estimate is up to about thirty times the
truth. The levels that are counted correct it for those to come.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from exactcover.backends.automaton.relaxed import Automaton

Floats = npt.NDArray[np.float64]

SAMPLES = 128
"""Random sets of pieces of each size."""

FINENESS = 2
"""Numbers of ways are rounded to powers of two, and to this many steps between them."""

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
        used = automaton.copy_fields
        ahead, placed, back, by_kind = walks(automaton)
        copies = np.where(used.counted, automaton.sweep.board.room.clip(0), 0)
        sets = PieceSets.of(np.nan_to_num(by_kind, posinf=MOST), copies)
        level = np.repeat(np.arange(automaton.levels.size - 1), np.diff(automaton.levels))
        pieces = np.rint(placed).astype(np.int64).clip(0, sets.pieces)
        return cls(
            sets.states(ahead, pieces, level),
            sets.states(back, sets.pieces - pieces, level),
        )

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


def walks(automaton: Automaton) -> tuple[Floats, Floats, Floats, Floats]:
    """The numbers of paths of an automaton, without a limit on pieces: see `build_kernel.walks`.

    Those from the root to each node, the mean number of limited pieces on these, the paths from
    each node to the end, and for each kind of piece the paths on which it is placed.
    """
    from exactcover.backends.automaton import build_kernel as kernel

    used, nodes = automaton.copy_fields, automaton.n_nodes
    ahead, placed, back = np.zeros(nodes), np.zeros(nodes), np.zeros(nodes)
    by_kind = np.zeros(used.counted.size)
    if not nodes:
        return ahead, placed, back, by_kind
    kernel.walks(
        automaton.starts, automaton.target, automaton.image, automaton.sweep.kind,
        used.counted.astype(np.float64), ahead, placed, back, by_kind,
    )  # fmt: skip
    return ahead, placed, back, by_kind


def _correction(expected: Floats, made: dict[int, int]) -> float:
    """How many times as many states as expected the last levels have."""
    last = [level for level, states in made.items() if states and expected[level] > 0][-3:]
    would_be = float(sum(expected[level] for level in last))
    return sum(made[level] for level in last) / would_be if last else 1.0


@dataclass(frozen=True, eq=False)
class PieceSets:
    """The sets of pieces of each size.

    pieces    how many limited pieces there are
    many      float64 [pieces + 1]: how many sets there are of each size
    distinct  float64 [pieces + 1]: the share of ways with so many pieces that repeat none
    chances   float64 [pieces + 1, SAMPLES]: the share of these that have a random set
    """

    pieces: int
    many: Floats
    distinct: Floats
    chances: Floats

    @classmethod
    def of(cls, by_kind: Floats, copies: npt.NDArray[np.integer]) -> PieceSets:
        """The sets of pieces by how often each kind is placed; copies of a kind differ."""
        shares = np.repeat(by_kind / by_kind.sum() / copies.clip(1), copies)
        shares = shares[shares > 0] / shares.sum()
        pieces = shares.size
        sums = np.zeros(pieces + 1)  # elementary symmetric polynomials of the shares
        sums[0] = 1.0
        for share in shares:
            sums[1:] += share * sums[:-1].copy()
        sizes = np.arange(pieces + 1)
        logs = np.cumsum(np.log(sizes.clip(1)))  # of factorials
        drawn = np.random.default_rng(0).permuted(np.tile(np.log(shares), (SAMPLES, 1)), axis=1)
        chances = np.zeros((pieces + 1, SAMPLES))
        chances[1:] = np.cumsum(drawn, axis=1).T
        with np.errstate(divide="ignore", under="ignore"):
            of_sums = np.log(sums)
            return cls(
                pieces,
                np.exp(logs[-1] - logs - logs[::-1]),
                np.exp(of_sums + logs),
                np.exp(chances - of_sums[:, None]),
            )

    def states(
        self, ways: Floats, pieces: npt.NDArray[np.int64], level: npt.NDArray[np.int64]
    ) -> Floats:
        """The expected states of each level: float64 [levels].

        ways, pieces, level  of each node: the ways to it, how many pieces they place, its level
        """
        steps = np.rint(np.log2(ways.clip(1e-300, MOST)) * FINENESS).astype(np.int64)
        lowest, height = int(steps.min(initial=0)), int(np.ptp(steps)) + 1 if steps.size else 1
        keys = (level * (self.pieces + 1) + pieces) * height + steps - lowest
        keys, counts = np.unique(keys, return_counts=True)
        rest, steps = np.divmod(keys, height)
        level, pieces = np.divmod(rest, self.pieces + 1)
        out = np.zeros(int(level.max(initial=0)) + 1)
        for size in np.unique(pieces).tolist():
            here = pieces == size
            met = np.exp2((steps[here] + lowest) / FINENESS) * self.distinct[size]
            share = -np.expm1(-np.outer(met, self.chances[size])).mean(axis=1)
            np.add.at(out, level[here], counts[here] * self.many[size] * share)
        return out


def most_at_once(levels: list[float], held: int) -> float:
    """The most states of `held` levels in a row; 0 if there are no levels."""
    sums = [0.0, *accumulate(levels)]
    return max(sums[at] - sums[max(0, at - held)] for at in range(len(sums)))

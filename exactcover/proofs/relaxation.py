"""No solution even in fractions: a linear programme, and weights that prove what it says.

If some amounts x >= 0 of the options covered every item as often as asked, every weighing y of the
items would have the options' weights, times x, add up to the weight of what is covered. So weights
under which no option weighs more than 0, but whatever is covered weighs more than 0, rule out even
fractions; the lemma of Farkas says that there are such weights whenever fractions are ruled out.

The programme looks for them directly: weights within -1..1 under which what is covered weighs as
much as possible. It computes in floating point, so its answer is turned into whole numbers and
proved in exact arithmetic. Where that fails, an `Unchecked` says no more than what is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from exactcover.problem import Problem
from exactcover.proofs.annihilator import possible_options
from exactcover.proofs.certificates import Inequality, Unchecked, named_weights

Floats = npt.NDArray[np.float64]
Long = npt.NDArray[np.int64]

TOLERANCE = 1e-6
DENOMINATORS = (*range(1, 13), 24, 60, 120, 360, 2520)
SCALES = (10**4, 10**6, 10**8)


@dataclass(frozen=True, eq=False)
class Bounds:
    """How often each item may be covered, and the options that can be chosen.

    low, high   int64 [items]
    bounded     bool [items]: whether anything is known; a coloured item may be covered at will
    rows        the numbers of the options that can be chosen
    """

    low: Long
    high: Long
    bounded: npt.NDArray[np.bool_]
    rows: Long

    def least(self, weights: Long) -> int:
        """What is covered weighs at least so much."""
        times = np.where(weights > 0, self.low, self.high)
        return sum(w * n for w, n in zip(weights.tolist(), times.tolist(), strict=True))


def bounds(problem: Problem) -> Bounds:
    """The linear side of a problem."""
    second = problem.n_items - problem.primary
    bounded = np.ones(problem.n_items, bool)
    bounded[problem.entries[problem.colours > 0]] = False
    return Bounds(
        np.append(problem.low, np.zeros(second, np.int64)).astype(np.int64),
        np.append(problem.high, np.ones(second, np.int64)).astype(np.int64),
        bounded,
        np.flatnonzero(possible_options(problem)),
    )


def find_inequality(
    problem: Problem, seconds: float | None = None
) -> Inequality | Unchecked | None:
    """A proof that not even fractions of options are a solution, or None."""
    side = bounds(problem)
    best, weights = _programme(problem, side, seconds)
    if best <= TOLERANCE:
        return None
    exact = _exact(problem, side, weights)
    if exact is None:
        return Unchecked(shortfall=best, options=problem.n_options)
    exact //= max(1, int(np.gcd.reduce(exact)))
    return Inequality(
        weights=named_weights(problem, dict(enumerate(exact.tolist()))),
        total=side.least(exact),
        options=problem.n_options,
    )


def _programme(problem: Problem, side: Bounds, seconds: float | None) -> tuple[float, Floats]:
    """The most that what is covered can weigh, and such weights [items]; 0 where it gave up."""
    from ortools.linear_solver import pywraplp

    solver: Any = pywraplp.Solver.CreateSolver("GLOP")
    if seconds is not None:
        solver.SetTimeLimit(max(1, int(1000 * seconds)))
    objective = solver.Objective()
    objective.SetMaximization()
    above: list[Any] = [None] * problem.n_items
    below: list[Any] = [None] * problem.n_items
    for item in np.flatnonzero(side.bounded).tolist():
        low, high = int(side.low[item]), int(side.high[item])
        above[item] = solver.NumVar(0.0, 1.0 if low else 0.0, "")
        objective.SetCoefficient(above[item], low)
        below[item] = solver.NumVar(0.0, 1.0, "")
        objective.SetCoefficient(below[item], -high)
    for option in side.rows.tolist():
        row = solver.Constraint(-solver.infinity(), 0.0)
        for item in problem.items_of(option).tolist():
            if side.bounded[item]:
                row.SetCoefficient(above[item], 1.0)
                row.SetCoefficient(below[item], -1.0)
    weights = np.zeros(problem.n_items)
    if solver.Solve() != pywraplp.Solver.OPTIMAL:
        return 0.0, weights
    for item in np.flatnonzero(side.bounded).tolist():
        weights[item] = above[item].solution_value() - below[item].solution_value()
    return float(objective.Value()), weights


def _exact(problem: Problem, side: Bounds, weights: Floats) -> Long | None:
    """Whole-number weights near these that prove what these suggest, or None.

    First as fractions with a small denominator. If no such are exact, as fractions with a large
    one: rounded, and lowered on all primary items until no option weighs more than 0.
    """
    for denominator in DENOMINATORS:
        near = _rounded(weights * denominator)
        if _excess(problem, side, near) <= 0 and side.least(near) > 0:
            return near
    lowered = (np.arange(problem.n_items) < problem.primary).astype(np.int64)
    for scale in SCALES:
        near = _rounded(weights * scale)
        near -= max(0, _excess(problem, side, near)) * lowered
        if _excess(problem, side, near) <= 0 and side.least(near) > 0:
            return near
    return None


def _rounded(weights: Floats) -> Long:
    near: Long = np.rint(weights).astype(np.int64)
    return near


def _excess(problem: Problem, side: Bounds, weights: Long) -> int:
    """The most that an option weighs."""
    sums = np.concatenate([[0], np.cumsum(weights[problem.entries])])
    by_option = sums[problem.starts[1:]] - sums[problem.starts[:-1]]
    return int(by_option[side.rows].max(initial=0))

"""Zeros that no fractions of pieces reach: weights that prove a published number, 0.

If some amounts x >= 0 of the options covered every item the required times, every weighing y of the
items would have the options' weights, times x, add up to the weight of what is covered. So weights
under which no option weighs more than 0, but what is covered weighs more than 0, rule out even
fractions; the lemma of Farkas says that there are such weights whenever fractions are ruled out.

A linear programme looks for them: weights within -1..1 under which what is covered weighs as much
as possible. It computes in floating point, so its answer is turned into whole numbers, which
`holds` checks in exact arithmetic. Colourings settle few of these zeros.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from exactcover.problem import Problem

Floats = npt.NDArray[np.float64]
Long = npt.NDArray[np.int64]

SEED = 1
TOLERANCE, EXCESS = 1e-6, 1e-7
DENOMINATORS = (*range(1, 13), 24, 60, 120, 360, 2520)
SCALES = (10**4, 10**6, 10**8)


def inequality(problem: Problem) -> list[int] | None:
    """The weight of each item in a proof that not even fractions are a solution; None: none found.

    The problem has no colours.
    """
    options = np.flatnonzero(problem.choosable)
    programme, weights = _Programme(problem), np.zeros(problem.n_items)
    violated = np.random.default_rng(SEED).permutation(options)[: 4 * problem.n_items]
    best = 1.0
    while len(violated):  # few options matter: those that weigh too much are added
        programme.add(violated)
        best, weights = programme.solved()
        if best <= TOLERANCE:
            return None
        sums = _sums(problem, weights)[options]
        order = np.argsort(-sums, kind="stable")[: 2 * problem.n_items]
        violated = options[order[sums[order] > EXCESS]]
    lowered = (np.arange(problem.n_items) < problem.primary).astype(np.int64)
    for scale in (*DENOMINATORS, *SCALES):
        near: Long = np.rint(weights * scale).astype(np.int64)
        if scale in SCALES:
            near -= max(0, int(_sums(problem, near)[options].max(initial=0))) * lowered
        if holds(problem, near.tolist()):
            return [int(one) for one in near]
    return None


def holds(problem: Problem, weights: list[int]) -> bool:
    """Whether no option weighs more than 0 and what is covered weighs more, in whole numbers."""
    second = problem.n_items - problem.primary
    low = [*problem.low.tolist(), *[0] * second]
    high = [*problem.high.tolist(), *[1] * second]
    least = sum(
        weight * (few if weight > 0 else many)
        for weight, few, many in zip(weights, low, high, strict=True)
    )
    entries = problem.entries.tolist()
    for start, end in pairwise(problem.starts.tolist()):
        items = entries[start:end]
        primary = [item for item in items if item < problem.primary]
        chosen = primary and all(high[item] > 0 for item in primary)
        if chosen and sum(weights[item] for item in items) > 0:
            return False
    return least > 0 and not problem.colours.any()


def _sums(problem: Problem, weights: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The weight of each option."""
    return np.diff(np.append(0, np.cumsum(weights[problem.entries]))[problem.starts])


class _Programme:
    """The linear programme: weights within -1..1, and the options added so far.

    Where the times that an item is covered vary, its weight is a part above 0 less a part below it:
    what is covered weighs least with the first as seldom, and the second as often, as is allowed.
    """

    def __init__(self, problem: Problem) -> None:
        from ortools.linear_solver import pywraplp

        self.problem = problem
        second = problem.n_items - problem.primary
        lows = [*problem.low.tolist(), *[0] * second]
        highs = [*problem.high.tolist(), *[1] * second]
        self.optimal = pywraplp.Solver.OPTIMAL
        self.solver: Any = pywraplp.Solver.CreateSolver("GLOP")
        self.objective = self.solver.Objective()
        self.objective.SetMaximization()
        # Now and then one way ends as "abnormal"; starting from the last answer does so often.
        self.ways = [_way(pywraplp, algorithm) for algorithm in ("DUAL", "PRIMAL", "")]
        self.parts: dict[int, list[tuple[Any, float]]] = {}
        for item, (low, high) in enumerate(zip(lows, highs, strict=True)):
            if low == high:
                self.parts[item] = [(self._part(-1.0, low), 1.0)]
            else:
                below = (self._part(0.0, -high), -1.0)
                self.parts[item] = [below, (self._part(0.0, low), 1.0)] if low else [below]

    def _part(self, least: float, times: int) -> Any:
        """A variable up to 1, and how often the objective counts it."""
        variable = self.solver.NumVar(least, 1.0, "")
        self.objective.SetCoefficient(variable, times)
        return variable

    def add(self, options: Long) -> None:
        """From now on these options weigh at most 0."""
        for option in options.tolist():
            row = self.solver.Constraint(-self.solver.infinity(), 0.0)
            for item in self.problem.items_of(option).tolist():
                for variable, sign in self.parts.get(item, ()):
                    row.SetCoefficient(variable, sign)

    def solved(self) -> tuple[float, Floats]:
        """The most that what is covered can weigh, and its weights; 0 where no way succeeds."""
        weights = np.zeros(self.problem.n_items)
        for way in self.ways:
            if self.solver.Solve(way) == self.optimal:
                for item, parts in self.parts.items():
                    weights[item] = sum(sign * part.solution_value() for part, sign in parts)
                return float(self.objective.Value()), weights
        return 0.0, weights


def _way(pywraplp: Any, algorithm: str) -> Any:
    """Parameters for solving from the start by this simplex algorithm; none: without presolving."""
    way = pywraplp.MPSolverParameters()
    way.SetIntegerParam(way.INCREMENTALITY, way.INCREMENTALITY_OFF)
    if algorithm:
        way.SetIntegerParam(way.LP_ALGORITHM, getattr(way, algorithm))
    else:
        way.SetIntegerParam(way.PRESOLVE, way.PRESOLVE_OFF)
    return way

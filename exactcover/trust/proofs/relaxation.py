"""No solution even in fractions: a linear programme, and weights that prove its answer.

If some amounts x >= 0 of the options covered every item the required times, every weighing y of the
items would have the options' weights, times x, add up to the weight of what is covered. So weights
under which no option weighs more than 0, but every allowed total weighs more than 0, rule out even
fractions; the lemma of Farkas says that there are such weights whenever fractions are ruled out.

The programme looks for them directly: weights within -1..1 under which what is covered weighs as
much as possible. It computes in floating point, so its answer is turned into whole numbers and
proved in exact arithmetic. Where that fails, the result is an `Unchecked`.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Thread
from typing import Any

import numpy as np
import numpy.typing as npt

from exactcover.base.patience import check, patiently
from exactcover.problem import Problem
from exactcover.trust.proofs.certificates import Inequality, Unchecked, named_weights, row_sums

Floats = npt.NDArray[np.float64]
Long = npt.NDArray[np.int64]

SEED = 1
TOLERANCE = 1e-6
EXCESS = 1e-7
DENOMINATORS = (*range(1, 13), 24, 60, 120, 360, 2520)
SCALES = (10**4, 10**6, 10**8)

LOOK_EVERY = 0.05
"""Seconds between two looks at the deadline while the programme is solved."""

GRACE = 1.0
"""Seconds that the solver has to end once it is interrupted; then its thread is left to itself."""


@dataclass(frozen=True, eq=False)
class ItemBounds:
    """How often each item may be covered, and the options that can be chosen.

    low, high   int64 [items]
    bounded     bool [items]: whether anything is known; a coloured item may be covered at will
    rows        the numbers of the options that can be chosen
    """

    low: Long
    high: Long
    bounded: npt.NDArray[np.bool_]
    rows: Long

    @classmethod
    def of(cls, problem: Problem) -> ItemBounds:
        """Those of a problem."""
        second = problem.n_items - problem.primary
        bounded = np.ones(problem.n_items, bool)
        bounded[problem.entries[problem.colours > 0]] = False
        return cls(
            np.append(problem.low, np.zeros(second, np.int64)).astype(np.int64),
            np.append(problem.high, np.ones(second, np.int64)).astype(np.int64),
            bounded,
            np.flatnonzero(problem.choosable),
        )

    def least(self, weights: Long) -> int:
        """A lower bound on the weight of what is covered."""
        times = np.where(weights > 0, self.low, self.high)
        return sum(w * n for w, n in zip(weights.tolist(), times.tolist(), strict=True))


def find_inequality(problem: Problem) -> Inequality | Unchecked | None:
    """A proof that not even fractions of options are a solution, or None."""
    side = ItemBounds.of(problem)
    best, weights = _programme(problem, side)
    if best <= TOLERANCE:
        return None
    exact = exact_weights(problem, side, weights)
    if exact is None:
        return Unchecked(shortfall=best, options=problem.n_options)
    exact //= max(1, int(np.gcd.reduce(exact)))
    return Inequality(
        weights=named_weights(problem, dict(enumerate(exact.tolist()))),
        total=side.least(exact),
        options=problem.n_options,
    )


def _programme(problem: Problem, side: ItemBounds) -> tuple[float, Floats]:
    """The most that what is covered can weigh, and its weights [items]; 0 where it gave up.

    Few of the options matter, so the programme starts with some, and those that weigh too much
    under its answer are added until there are none.
    """
    programme = _Programme(problem, side)
    violated = np.random.default_rng(SEED).permutation(side.rows)[: 4 * problem.n_items]
    while True:
        programme.add(violated)
        best, weights = programme.solved()
        if best <= TOLERANCE:
            return 0.0, weights
        sums = row_sums(weights, problem.starts, problem.entries)[side.rows]
        order = np.argsort(-sums, kind="stable")[: 2 * problem.n_items]
        violated = side.rows[order[sums[order] > EXCESS]]
        if not len(violated):
            return best, weights


class _Programme:
    """The linear programme: weights within -1..1, and the options added so far.

    Where the times that an item is covered vary, its weight is a part above 0 less a part below it:
    what is covered weighs least with the first as seldom, and the second as often, as is allowed.
    """

    def __init__(self, problem: Problem, side: ItemBounds) -> None:
        from ortools.linear_solver import pywraplp

        self.problem, self.side = problem, side
        self.optimal = pywraplp.Solver.OPTIMAL
        self.solver: Any = pywraplp.Solver.CreateSolver("GLOP")
        self.objective = self.solver.Objective()
        self.objective.SetMaximization()
        # Now and then one way ends as "abnormal"; starting from the last answer does so often.
        self.ways = [_way(pywraplp, algorithm) for algorithm in ("DUAL", "PRIMAL", "")]
        self.parts: dict[int, list[tuple[Any, float]]] = {}
        for item in np.flatnonzero(side.bounded).tolist():
            low, high = int(side.low[item]), int(side.high[item])
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
        for option in patiently(options.tolist()):
            row = self.solver.Constraint(-self.solver.infinity(), 0.0)
            for item in self.problem.items_of(option).tolist():
                for variable, sign in self.parts.get(item, ()):
                    row.SetCoefficient(variable, sign)

    def solved(self) -> tuple[float, Floats]:
        """The most that what is covered can weigh, and its weights; 0 where no way succeeds."""
        weights = np.zeros(self.problem.n_items)
        for way in self.ways:
            if self._solve(way) == self.optimal:
                for item, parts in self.parts.items():
                    weights[item] = sum(sign * part.solution_value() for part, sign in parts)
                return float(self.objective.Value()), weights
        return 0.0, weights

    def _solve(self, way: Any) -> int:
        """Solve it in this way, in a thread, so that the deadline and Ctrl-C can break it off."""
        statuses: list[int] = []
        thread = Thread(target=lambda: statuses.append(self.solver.Solve(way)), daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                check()
                thread.join(LOOK_EVERY)
        except BaseException:
            self.solver.InterruptSolve()
            thread.join(GRACE)
            raise
        return statuses[0]


def _way(pywraplp: Any, algorithm: str) -> Any:
    """Parameters for solving from the start by this simplex algorithm; none: without presolving."""
    way = pywraplp.MPSolverParameters()
    way.SetIntegerParam(way.INCREMENTALITY, way.INCREMENTALITY_OFF)
    if algorithm:
        way.SetIntegerParam(way.LP_ALGORITHM, getattr(way, algorithm))
    else:
        way.SetIntegerParam(way.PRESOLVE, way.PRESOLVE_OFF)
    return way


def exact_weights(problem: Problem, side: ItemBounds, weights: Floats) -> Long | None:
    """Whole-number weights near these that prove what these suggest, or None.

    First as fractions with a small denominator. If no such are exact, as fractions with a large
    one: rounded, and lowered on all primary items until no option weighs more than 0.
    """
    lowered = (np.arange(problem.n_items) < problem.primary).astype(np.int64)
    for scale in (*DENOMINATORS, *SCALES):
        near: Long = np.rint(weights * scale).astype(np.int64)
        if scale in SCALES:
            near -= max(0, _excess(problem, side, near)) * lowered
        if _excess(problem, side, near) <= 0 and side.least(near) > 0:
            return near
    return None


def _excess(problem: Problem, side: ItemBounds, weights: Long) -> int:
    return int(row_sums(weights, problem.starts, problem.entries)[side.rows].max(initial=0))

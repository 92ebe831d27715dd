"""One solution by CP-SAT: any, the cheapest, or the proof that there is none, on many threads.

CP-SAT has whole numbers and variables. They are translated back into costs and options, and every
solution that CP-SAT reports is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import inf

import numpy as np
import numpy.typing as npt

from exactcover.backends.arrays import Long
from exactcover.backends.cpsat.model import CpsatRun, stated
from exactcover.backends.node import ROOT, Residue
from exactcover.base.patience import left, patiently
from exactcover.base.values.arguments import check_whole
from exactcover.errors import ExactCoverError, ProblemError
from exactcover.problem import Problem

LARGEST = 1 << 53
"""CP-SAT gets costs as whole numbers; together they stay below this."""

MOST_WORKERS = 10_000
LARGEST_SEED = (1 << 31) - 1
"""The largest numbers that CP-SAT takes."""

Costs = Sequence[float] | npt.NDArray[np.float64]


@dataclass(frozen=True)
class CpsatOptimum:
    """The outcome of CP-SAT.

    status   complete: the cheapest is found; impossible: there is no solution;
             limit, interrupted: it was stopped, with the best so far, if any;
             searching while it goes on
    options  the solution, ascending, or None
    cost     its cost
    bound    no solution costs less
    """

    status: str
    options: tuple[int, ...] | None
    cost: float
    bound: float


def check_threads(workers: int | None, seed: int) -> None:
    """Raise unless CP-SAT takes this number of threads, None for all, and this seed."""
    check_whole("workers", workers)
    check_whole("seed", seed, optional=False)
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise ExactCoverError(
            f"{workers} workers: there must be 1 to {MOST_WORKERS}, or None for one per processor"
        )
    if abs(seed) > LARGEST_SEED:
        raise ExactCoverError(f"seed={seed}: it must lie within +-{LARGEST_SEED}")


def minimize(
    problem: Problem,
    costs: Costs,
    *,
    seconds: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    look: Callable[[CpsatOptimum], bool] = lambda _: False,
) -> CpsatOptimum:
    """The solution with the least sum of costs; there is one for each option.

    look  called several times a second with the best so far; the search ends when it returns true
    """
    check_threads(workers, seed)
    paid = np.asarray(costs, np.float64)
    if paid.shape != (problem.n_options,):
        raise ProblemError(f"{paid.size} costs for {problem.n_options} options: one each is needed")
    if not np.isfinite(paid).all():
        raise ProblemError("every cost must be a finite number")
    residue = Residue.of(problem, ROOT)
    model = stated(problem, residue)
    if model is None:
        return CpsatOptimum("impossible", None, inf, inf)
    whole, scale = whole_numbers(paid[residue.options].tolist())
    if any(whole):
        variables = [model.get_bool_var_from_proto_index(at) for at in range(len(whole))]
        model.minimize(
            sum(cost * one for cost, one in patiently(zip(whole, variables, strict=True)) if cost)
        )
    least = float(paid[paid < 0].sum())
    best = CpsatOptimum("searching", None, inf, least)
    found: list[Long] = []
    bounds: list[float] = []

    def now() -> CpsatOptimum:
        """The best so far; raises unless it is a solution."""
        nonlocal best
        if bounds:
            best = replace(best, bound=max(least, float(Fraction(round(bounds[-1])) / scale)))
        if found:
            values = found[-1]
            found.clear()
            chosen = np.flatnonzero(values[: residue.options.size])
            options = tuple(sorted(residue.options[chosen].tolist()))
            wrong = problem.violation(options)
            if wrong is not None:
                raise ProblemError(f"CP-SAT gave what is no solution: {wrong}")
            best = replace(best, options=options, cost=float(paid[list(options)].sum()))
        return replace(best, bound=min(best.bound, best.cost))

    limit = left() if seconds is None else min(seconds, left())
    limits = {} if limit == inf else {"max_time_in_seconds": max(limit, 0.0)}
    run = CpsatRun(
        model, found.append, bounds.append, num_workers=workers or 0, random_seed=seed, **limits
    )
    stopped, status = run.wait(lambda: look(now())), run.word()
    if status == "impossible":
        return CpsatOptimum("impossible", None, inf, inf)
    if run.has_solution:  # else its bound may be wrong
        found.append(np.array(run.solver.response_proto.solution))
        bounds.append(run.solver.best_objective_bound)
    outcome = now()
    if outcome.options is not None and not paid.any():
        status = "complete"
    return replace(outcome, status="interrupted" if stopped and status == "limit" else status)


def whole_numbers(costs: Sequence[float]) -> tuple[list[int], Fraction]:
    """Whole numbers that stand for costs, and the number that stands for a cost of one.

    The costs count as the decimals that they print as. If the numbers get too large with all
    digits, they are rounded down, and so is every bound found with them.
    """
    decimals = [Decimal(repr(cost)) for cost in patiently(costs)]
    places = max((-int(one.normalize().as_tuple().exponent) for one in decimals), default=0)
    scale = Fraction(10) ** max(places, 0)
    total = sum((abs(Fraction(one)) for one in decimals), Fraction(0))
    if total * scale >= LARGEST:
        scale = Fraction(LARGEST) / total / 2
    return [int(Fraction(one) * scale // 1) for one in decimals], scale

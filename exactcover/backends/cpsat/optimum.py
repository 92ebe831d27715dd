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

from exactcover.backends.base import Task
from exactcover.backends.cpsat.model import CpsatLimits, Incumbent, Stop, solved, stated
from exactcover.backends.tasks import Residue
from exactcover.base.patience import patiently
from exactcover.errors import ProblemError
from exactcover.problem import Problem

LARGEST = 1 << 53
"""CP-SAT gets costs as whole numbers; together they stay below this."""

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


def minimize(
    problem: Problem,
    costs: Costs,
    limits: CpsatLimits | None = None,
    *,
    stop: Stop | None = None,
    tell: Callable[[CpsatOptimum], None] | None = None,
) -> CpsatOptimum:
    """The solution with the least sum of costs; there is one for each option.

    stop  called from time to time; the search ends when it returns true
    tell  called from time to time with the best so far
    """
    paid = np.asarray(costs, np.float64)
    if paid.shape != (problem.n_options,):
        raise ProblemError(f"{paid.size} costs for {problem.n_options} options: one each is needed")
    if not np.isfinite(paid).all():
        raise ProblemError("every cost must be a finite number")
    residue = Residue.of(problem, Task())
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

    def read(seen: Incumbent) -> CpsatOptimum:
        """The best so far; raises unless it is a solution."""
        proven = least if seen.bound == -inf else float(Fraction(round(seen.bound)) / scale)
        if seen.values is None:
            return CpsatOptimum("searching", None, inf, max(least, proven))
        chosen = np.flatnonzero(seen.values[: residue.options.size])
        options = tuple(sorted(residue.options[chosen].tolist()))
        wrong = problem.violation(options)
        if wrong is not None:
            raise ProblemError(f"CP-SAT gave what is no solution: {wrong}")
        cost = float(paid[list(options)].sum())
        return CpsatOptimum("searching", options, cost, max(least, min(proven, cost)))

    watch = None if tell is None else lambda seen: tell(read(seen))
    status, seen = solved(model, limits or CpsatLimits(), stop, watch)
    if status == "impossible":
        return CpsatOptimum("impossible", None, inf, inf)
    found = read(seen)
    proven = found.options is not None and not paid.any()
    return replace(found, status="complete" if proven else status)


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

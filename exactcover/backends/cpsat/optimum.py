"""One solution by CP-SAT: any, the cheapest, or the proof that there is none, on many threads.

CP-SAT works in a thread of its own here, so that the caller's can look now and then whether it
should stop, and Ctrl-C is an exception like any other. Whatever happens, the thread is ended first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import inf
from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np

from exactcover.backends.base import Task
from exactcover.backends.cpsat.model import stated
from exactcover.backends.residue import Residue
from exactcover.errors import ProblemError
from exactcover.problem import Problem

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver

LOOK_EVERY = 0.05
"""Seconds between two looks at whether to stop."""

LARGEST = 1 << 53
"""CP-SAT gets costs as whole numbers; together they stay below this."""

Stop = Callable[[], bool]


@dataclass(frozen=True)
class Optimum:
    """What CP-SAT came to.

    status   complete: the cheapest is found; impossible: there is no solution;
             limit, interrupted: it was stopped, with the best so far, if any
    options  the solution, ascending, or None
    cost     what it costs
    bound    no solution costs less
    """

    status: str
    options: tuple[int, ...] | None
    cost: float
    bound: float


def find(
    problem: Problem,
    *,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    stop: Stop | None = None,
) -> Optimum:
    """Any one solution, or the proof that there is none."""
    free = np.zeros(problem.n_options)
    return minimize(
        problem, costs=free, time_limit=time_limit, workers=workers, seed=seed, stop=stop
    )


def minimize(
    problem: Problem,
    *,
    costs: Sequence[float] | np.ndarray[Any, Any] | None = None,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    stop: Stop | None = None,
) -> Optimum:
    """The cheapest solution; the costs are the problem's own if no others are given.

    time_limit  seconds of CP-SAT, without those that stating the model takes
    workers     threads; None: as many as there are processors
    stop        is asked now and then, and ends the search when it says so
    """
    paid = _checked(problem, costs)
    residue = Residue.of(problem, Task())
    model = stated(problem, residue)
    if model is None:
        return Optimum("impossible", None, inf, inf)
    whole, scale = whole_numbers(paid[residue.options].tolist())
    if any(whole):
        variables = [model.get_bool_var_from_proto_index(at) for at in range(len(whole))]
        model.minimize(sum(cost * one for cost, one in zip(whole, variables, strict=True) if cost))
    solver, status, stopped = _solved(model, time_limit, workers, seed, stop)
    return _read(problem, residue, paid, scale, solver, status, stopped)


def _checked(problem: Problem, costs: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    if costs is None:
        costs = problem.costs if problem.costs is not None else np.zeros(problem.n_options)
    paid = np.asarray(costs, np.float64)
    if paid.shape != (problem.n_options,):
        raise ProblemError(f"{paid.size} costs for {problem.n_options} options: one each is needed")
    if not np.isfinite(paid).all():
        raise ProblemError("every cost must be a finite number")
    return paid


def whole_numbers(costs: Sequence[float]) -> tuple[list[int], Fraction]:
    """Whole numbers that stand for costs, and how many of them make one.

    The costs are taken as the decimals that they print as. If these have so many digits that the
    numbers get too large, they are rounded down, and so is any bound that is found with them.
    """
    decimals = [Decimal(repr(cost)) for cost in costs]
    places = max((-int(one.normalize().as_tuple().exponent) for one in decimals), default=0)
    scale = Fraction(10) ** max(places, 0)
    total = sum((abs(Fraction(one)) for one in decimals), Fraction(0))
    if total * scale >= LARGEST:
        scale = Fraction(LARGEST) / total / 2
    return [int(Fraction(one) * scale // 1) for one in decimals], scale


def _solved(
    model: CpModel, time_limit: float | None, workers: int | None, seed: int, stop: Stop | None
) -> tuple[CpSolver, Any, bool]:
    """CP-SAT at work in a thread, which has ended when this returns or raises."""
    from ortools.sat.python.cp_model import CpSolver

    solver = CpSolver()
    told = solver.parameters
    told.num_workers = workers or 0
    told.random_seed = seed
    told.catch_sigint_signal = False
    if time_limit is not None:
        told.max_time_in_seconds = time_limit
    came: list[Any] = []

    def work() -> None:
        try:
            came.append(solver.solve(model))
        except Exception as error:  # raised again below, where the caller is
            came.append(error)

    thread = Thread(target=work, name="cpsat")
    stopped = False
    thread.start()
    try:
        while thread.is_alive():
            stopped = stopped or bool(stop is not None and stop())
            if stopped:
                solver.stop_search()
            thread.join(LOOK_EVERY)
    finally:
        while thread.is_alive():  # it may not have begun when it is told for the first time
            solver.stop_search()
            thread.join(LOOK_EVERY)
    if isinstance(came[0], Exception):
        raise came[0]
    return solver, came[0], stopped


def _read(
    problem: Problem,
    residue: Residue,
    paid: np.ndarray[Any, np.dtype[np.float64]],
    scale: Fraction,
    solver: CpSolver,
    status: Any,
    stopped: bool,
) -> Optimum:
    """What the solver says, in terms of the problem."""
    from ortools.sat.python.cp_model import FEASIBLE, INFEASIBLE, OPTIMAL, UNKNOWN

    if status == INFEASIBLE:
        return Optimum("impossible", None, inf, inf)
    if status not in (OPTIMAL, FEASIBLE, UNKNOWN):
        raise ProblemError(f"CP-SAT refuses the problem: {solver.status_name(status)}")
    unfinished = "interrupted" if stopped else "limit"
    least = float(paid[paid < 0].sum())
    if status == UNKNOWN:
        return Optimum(unfinished, None, inf, least)
    values = np.array(solver.response_proto.solution)[: residue.options.size]
    options = tuple(sorted(residue.options[np.flatnonzero(values)].tolist()))
    wrong = problem.violation(options)
    if wrong is not None:
        raise ProblemError(f"CP-SAT gave what is no solution: {wrong}")
    cost = float(paid[list(options)].sum())
    if not paid.any():
        return Optimum("complete", options, cost, cost)
    proven = float(Fraction(round(solver.best_objective_bound)) / scale)
    bound = max(least, min(proven, cost))
    return Optimum("complete" if status == OPTIMAL else unfinished, options, cost, bound)

"""The best solution, with a proof that there is no better one: cheapest, or fullest.

CP-SAT does the work, on as many threads as there are processors. What it says is honest: a solution
with what it costs, and a bound that no solution is below. Where the two meet, the proof is done.

    ec.minimize(problem).cost       # problem has costs
    ec.pack(puzzle, most="cells")   # cells may stay empty: as few as can be
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from time import perf_counter

import numpy as np
import numpy.typing as npt

from exactcover.errors import UnknownName
from exactcover.problem import Problem
from exactcover.puzzle import Model, Puzzle
from exactcover.solver import Solution, Subject

COUNTED = ("cells", "pieces")
"""What `pack` can have most of."""

Stop = Callable[[], bool]


@dataclass(frozen=True)
class Optimum:
    """The cheapest solution, or the best that was found.

    status    complete: there is no cheaper one; impossible: there is no solution; limit,
              interrupted: stopped before the proof was done
    solution  None where there is none, or none was found
    cost      what it costs; infinite where there is none
    bound     no solution costs less
    """

    status: str
    solution: Solution | None
    cost: float
    bound: float
    seconds: float


@dataclass(frozen=True)
class Packing:
    """The fullest packing, or the best that was found; `status` as for an `Optimum`.

    placed  how many cells are filled, or pieces placed, without the stationary ones
    bound   no packing has more
    """

    status: str
    solution: Solution | None
    placed: int
    bound: int
    seconds: float


def minimize(
    subject: Subject,
    *,
    costs: Sequence[float] | npt.NDArray[np.float64] | None = None,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    stop: Stop | None = None,
) -> Optimum:
    """The cheapest solution of a puzzle or a problem.

    costs    one for each option; the problem's own if you do not say
    workers  threads; all processors if you do not say
    stop     is asked some times a second, and ends the search when it says so
    """
    from exactcover.backends import cpsat

    model = subject.model if isinstance(subject, Puzzle) else None
    problem = Problem.of(subject) if not isinstance(subject, Puzzle) else subject.model.problem
    began = perf_counter()
    found = cpsat.minimize(
        problem, costs=costs, time_limit=time_limit, workers=workers, seed=seed, stop=stop
    )
    solution = None
    if found.options is not None:
        solution = Solution(found.options, problem, model)
    return Optimum(found.status, solution, found.cost, found.bound, perf_counter() - began)


def pack(
    puzzle: Puzzle,
    *,
    most: str = "cells",
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    stop: Stop | None = None,
) -> Packing:
    """The solution that fills most cells, or places most pieces.

    There is a choice where cells may stay empty or pieces come in ranges of numbers.
    """
    if most not in COUNTED:
        raise UnknownName("thing to have most of", most, COUNTED)
    found = minimize(
        puzzle,
        costs=-_worth(puzzle.model, most),
        time_limit=time_limit,
        workers=workers,
        seed=seed,
        stop=stop,
    )
    placed = 0 if found.solution is None else round(-found.cost)
    bound = 0 if found.bound == inf else int(-found.bound + 1e-6)
    return Packing(found.status, found.solution, placed, bound, found.seconds)


def _worth(model: Model, most: str) -> npt.NDArray[np.float64]:
    """What each option adds to what is counted; a hole adds nothing."""
    shapes = model.layout.option_shape
    each = np.ones(model.layout.n_shapes) if most == "pieces" else model.layout.shape_size
    return np.where(shapes >= 0, np.append(each, 0)[shapes], 0).astype(np.float64)

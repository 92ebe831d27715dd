"""A task as a model of CP-SAT, and a run of CP-SAT that its caller watches.

The model has a variable for each option left. Its solutions and those of the problem must
correspond one to one, or listing would give some twice. The only other variables are the colours of
secondary items. Each is true exactly if some option gives the item that colour.

CP-SAT works in its own thread, so that the caller can check from time to time whether to stop, and
Ctrl-C is an exception like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from exactcover.backends.arrays import Long
from exactcover.backends.tasks import Residue
from exactcover.base.patience import left, patiently
from exactcover.base.values.arguments import check_whole
from exactcover.errors import ExactCoverError
from exactcover.problem import IntArray, Problem

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


# -- the model -------------------------------------------------------------------------------------


def stated(problem: Problem, residue: Residue) -> cp_model.CpModel | None:
    """The model; its first variables are the options left, in their order.

    None if some item has fewer options left than it needs.
    """
    from ortools.sat.python import cp_model

    sizes = np.bincount(residue.items, minlength=problem.n_items)
    if (residue.need > sizes[: problem.primary]).any():
        return None
    model = cp_model.CpModel()
    chosen = np.array([model.new_bool_var("") for _ in patiently(residue.options)], object)
    order = np.argsort(residue.items, kind="stable")
    owners = np.repeat(np.arange(residue.options.size), np.diff(residue.starts))[order]
    colours = residue.colours[order]
    ends = np.cumsum(sizes)
    for item in patiently(np.flatnonzero(sizes).tolist()):
        rows = slice(ends[item] - sizes[item], ends[item])
        listed = chosen[owners[rows]].tolist()
        if item < problem.primary:
            _cover(model, listed, int(residue.need[item]), int(residue.room[item]))
        else:
            _agree(model, listed, colours[rows])
    return model


def _cover(model: cp_model.CpModel, chosen: Sequence[Any], need: int, room: int) -> None:
    """An item is covered by at least `need` and at most `room` of these options."""
    need, room = max(need, 0), min(room, len(chosen))
    if need == room == 1:
        model.add_exactly_one(chosen)
        return
    if room == 1:
        model.add_at_most_one(chosen)
    elif room < len(chosen):
        model.add(sum(chosen) <= room)
    if need == 1:
        model.add_bool_or(chosen)
    elif need > 1:
        model.add(sum(chosen) >= need)


def _agree(model: cp_model.CpModel, chosen: Sequence[Any], colours: IntArray) -> None:
    """A secondary item is covered once, or by options that give it one colour."""
    if not colours.any():
        model.add_at_most_one(chosen)
        return
    rivals = [option for option, colour in zip(chosen, colours, strict=True) if not colour]
    for colour in np.unique(colours[colours > 0]):
        alike = [option for option, own in zip(chosen, colours, strict=True) if own == colour]
        shown = alike[0]
        if len(alike) > 1:
            shown = model.new_bool_var("")
            for option in alike:
                model.add_implication(option, shown)
            model.add_bool_or([*alike, ~shown])
        rivals.append(shown)
    model.add_at_most_one(rivals)


# -- the run ---------------------------------------------------------------------------------------

LOOK_EVERY = 0.05
"""Seconds between two looks at whether to stop."""

MOST_WORKERS = 10_000
LARGEST_SEED = (1 << 31) - 1
"""The largest numbers that CP-SAT takes."""

GRACE = 3.0
"""Seconds that CP-SAT has to end after an exception; then its thread is abandoned."""

Stop = Callable[[], bool]


@dataclass(frozen=True)
class Incumbent:
    """The best solution and bound of CP-SAT so far, in the numbers of the model.

    values  int64 [variables]: the best solution, or None
    bound   no solution has a lower objective; minus infinity if no bound is known
    """

    values: Long | None = None
    bound: float = -inf


@dataclass(frozen=True)
class CpsatLimits:
    """The limits of CP-SAT, and its threads.

    seconds  None: until it is done
    workers  threads; None: one for each processor
    seed     for its random choices
    """

    seconds: float | None = None
    workers: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_whole("workers", self.workers)
        check_whole("seed", self.seed, optional=False)
        if self.workers is not None and not 1 <= self.workers <= MOST_WORKERS:
            raise ExactCoverError(
                f"{self.workers} workers: there must be 1 to {MOST_WORKERS}, or None for one per "
                "processor"
            )
        if abs(self.seed) > LARGEST_SEED:
            raise ExactCoverError(f"seed={self.seed}: it must lie within +-{LARGEST_SEED}")


def solved(
    model: cp_model.CpModel,
    limits: CpsatLimits,
    stop: Stop | None,
    tell: Callable[[Incumbent], None] | None,
) -> tuple[str, Incumbent]:
    """How CP-SAT ended, see `word_of`, and its best solution.

    The thread has ended when this returns. `tell` is called with each new solution or bound.
    """
    from ortools.sat.python import cp_model

    seen = Incumbent()

    class SolutionWatch(cp_model.CpSolverSolutionCallback):
        """Keeps each solution that is better than those before."""

        def on_solution_callback(self) -> None:
            nonlocal seen
            seen = Incumbent(np.array(self.response_proto.solution), seen.bound)

    def bounded(bound: float) -> None:
        nonlocal seen
        seen = Incumbent(seen.values, bound)

    solver = cp_model.CpSolver()
    solver.best_bound_callback = bounded
    parameters = solver.parameters
    parameters.num_workers = limits.workers or 0
    parameters.random_seed = limits.seed
    parameters.catch_sigint_signal = False
    seconds = left() if limits.seconds is None else min(limits.seconds, left())
    if seconds < inf:
        parameters.max_time_in_seconds = max(seconds, 0.0)
    outcome: list[Any] = []
    done = Event()  # an exception in `Thread.join` leaves a thread that seems to have ended

    def work() -> None:
        try:
            outcome.append(solver.solve(model, SolutionWatch()))
        except Exception as error:  # raised again below, where the caller is
            outcome.append(error)
        finally:
            done.set()

    stopped, reported = False, seen
    thread = Thread(target=work, name="cpsat", daemon=True)
    thread.start()
    try:
        while not done.is_set():
            stopped = stopped or bool(stop is not None and stop())
            if stopped:
                solver.stop_search()
            if tell is not None and seen is not reported:
                reported = seen
                tell(reported)
            done.wait(LOOK_EVERY)
        thread.join()
    except BaseException:
        patience = monotonic() + GRACE
        while not done.is_set() and monotonic() < patience:
            solver.stop_search()  # once is not enough: it may not have begun
            done.wait(LOOK_EVERY)
        if tell is not None and seen is not reported:
            tell(seen)
        raise
    status = outcome[0]
    if isinstance(status, Exception):
        raise status
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):  # else its bound may be wrong
        values = np.array(solver.response_proto.solution)
        seen = Incumbent(values, solver.best_objective_bound)
    return word_of(status, stopped=stopped), seen


def word_of(status: Any, *, stopped: bool) -> str:
    """complete, impossible, interrupted or limit; raises if CP-SAT did not accept the model."""
    from ortools.sat.python import cp_model

    if status == cp_model.INFEASIBLE:
        return "impossible"
    if status == cp_model.OPTIMAL:
        return "complete"
    if status not in (cp_model.FEASIBLE, cp_model.UNKNOWN):
        raise ExactCoverError(f"CP-SAT refuses the model: {status.name}")
    return "interrupted" if stopped else "limit"

"""A node as a model of CP-SAT, and a run of CP-SAT that its caller can stop.

The model has a variable for each option left. Its solutions and those of the problem must
correspond one to one, or listing would give some twice. The only other variables are the colours of
secondary items. Each is true exactly if some option gives the item that colour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from exactcover.backends.arrays import Long
from exactcover.backends.node import Residue
from exactcover.base.patience import patiently
from exactcover.base.plugins import or_tools
from exactcover.errors import ExactCoverError
from exactcover.problem import IntArray, Problem

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


# -- the model -------------------------------------------------------------------------------------


def stated(problem: Problem, residue: Residue) -> cp_model.CpModel | None:
    """The model; its first variables are the options left, in their order.

    None if some item has fewer options left than it needs.
    """
    sat = or_tools("sat.python.cp_model")
    sizes = np.bincount(residue.items, minlength=problem.n_items)
    if (residue.need > sizes[: problem.primary]).any():
        return None
    model: cp_model.CpModel = sat.CpModel()
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

GRACE = 3.0
"""Seconds that CP-SAT has to end after an exception; then its thread is abandoned."""


class CpsatRun:
    """CP-SAT at work on a model, in a thread of its own.

    So the caller can stop it, and Ctrl-C is an exception like any other.

    watch       gets the values of each solution, in the thread
    bounded     gets each bound of the objective, in the thread
    parameters  of CP-SAT, by their names

    done  is set once it has ended
    """

    def __init__(
        self,
        model: cp_model.CpModel,
        watch: Callable[[Long], object],
        bounded: Callable[[float], None] | None = None,
        **parameters: float,
    ) -> None:
        from ortools.sat.python import cp_model

        class SolutionWatch(cp_model.CpSolverSolutionCallback):
            """Hands each solution on."""

            def on_solution_callback(self) -> None:
                watch(np.array(self.response_proto.solution))

        self.solver = cp_model.CpSolver()
        self.solver.best_bound_callback = bounded
        self.solver.parameters.catch_sigint_signal = False
        for name, value in parameters.items():
            setattr(self.solver.parameters, name, value)
        self.done = Event()  # after an exception in `Thread.join` a thread seems to have ended
        self._outcome: Any = None

        def work() -> None:
            try:
                self._outcome = self.solver.solve(model, SolutionWatch())
            except Exception as error:  # raised again in `word`, where the caller is
                self._outcome = error
            finally:
                self.done.set()

        self._thread = Thread(target=work, name="cpsat", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Let it end soon; once may not be enough, since it may not have begun."""
        self.solver.stop_search()

    def wait(self, look: Callable[[], bool]) -> bool:
        """Wait for its end; whether it was stopped because a look from time to time was true."""
        stopped = False
        try:
            while not self.done.is_set():
                stopped = look() or stopped
                if stopped:
                    self.stop()
                self.done.wait(LOOK_EVERY)
            self._thread.join()
        except BaseException:
            patience = monotonic() + GRACE
            while not self.done.is_set() and monotonic() < patience:
                self.stop()
                self.done.wait(LOOK_EVERY)
            raise
        return stopped

    @property
    def has_solution(self) -> bool:
        """Whether it ended with a solution, which may have no variables."""
        return self._outcome is not None and self._outcome.name in ("OPTIMAL", "FEASIBLE")

    def word(self) -> str:
        """How it ended: complete, impossible or limit; raises what its thread raised, and if CP-SAT
        did not accept the model."""
        from ortools.sat.python import cp_model

        words = {"OPTIMAL": "complete", "INFEASIBLE": "impossible"}
        if isinstance(self._outcome, Exception):
            raise self._outcome
        if self._outcome == cp_model.MODEL_INVALID:
            raise ExactCoverError(f"CP-SAT refuses the model: {self._outcome.name}")
        return words.get(self._outcome.name, "limit")

"""The best solution, with a proof that none is better: the least or the most of a quantity.

CP-SAT does the work, with one thread per processor unless a number is given. It reports a solution
with its value, and a bound that no solution can pass. The proof is complete when the two are equal.

    ec.minimize(problem).cost                # problem has costs
    ec.pack(puzzle, most="cells").placed     # fills as many cells as possible
    ec.best(puzzle, least="pieces").value    # pieces come in any number
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import numpy.typing as npt

from exactcover.base.values.arguments import check_function, check_kind, check_numbers
from exactcover.errors import ExactCoverError, UnknownName
from exactcover.problem import Problem
from exactcover.puzzle import Model, Puzzle
from exactcover.puzzle.model import amounts
from exactcover.search.driver import Clock, Shared
from exactcover.search.rectangles import SIZES, Size, room_of, smallest
from exactcover.search.result import Solution
from exactcover.search.subject import Solvable, Subject
from exactcover.search.underway import checked_time_limit

if TYPE_CHECKING:
    from exactcover.backends.cpsat import CpsatOptimum

Packed = Literal["cells", "pieces"]
Amount = Literal["cost"] | Packed
Quantity = Amount | Size

PACKED: tuple[Packed, ...] = get_args(Packed)
"""The quantities that `pack` can maximize."""

QUANTITIES: tuple[Quantity, ...] = ("cost", *PACKED, *SIZES)
"""The quantities of a solution: its cost, cells filled, pieces placed, and the sizes of the box
around it."""

Stop = Callable[[], bool]


@dataclass(frozen=True)
class Aim:
    """The quantity to minimize or maximize."""

    quantity: Quantity
    most: bool = False

    def __post_init__(self) -> None:
        if self.quantity not in QUANTITIES:
            what = f"thing to have {'most' if self.most else 'least'} of"
            raise UnknownName(what, self.quantity, QUANTITIES)
        if self.most and self.quantity in SIZES:
            raise ExactCoverError(
                f"the {self.quantity} of what rectangles take can be least, not most"
            )

    def __str__(self) -> str:
        return f"{'most' if self.most else 'least'} {self.quantity}"

    def costs(self, problem: Problem, model: Model | None) -> npt.NDArray[np.float64]:
        """The cost of each option, 0 for a hole; the best solution has the least total cost."""
        if self.quantity == "cost":
            if problem.costs is None:
                raise ExactCoverError("no costs are said, so no solution is cheaper than another")
            worth = problem.costs
        elif model is not None:
            layout = model.layout
            each = np.ones(layout.n_shapes) if self.quantity == "pieces" else layout.shape_size
            shapes = layout.option_shape
            worth = np.where(shapes >= 0, np.append(each, 0)[shapes], 0).astype(np.float64)
        elif self.quantity == "cells":
            raise ExactCoverError("a problem without geometry has no cells: ask for cost or pieces")
        else:
            worth = np.ones(problem.n_options)
        return -worth if self.most else worth


def _default_aim(problem: Problem, model: Model | None) -> Aim:
    """Least cost, or most cells if some may stay empty; raises if solutions differ in neither.

    Rectangles in a room always fill as many cells, so their aim is the least area.
    """
    if model is not None and model.puzzle.room is not None:
        return Aim("area")
    if problem.costs is not None:
        return Aim("cost")
    if model is not None and model.layout.optional.any():
        return Aim("cells", most=True)
    raise ExactCoverError(
        "nothing tells one solution from another: there are no costs, and no cell may stay "
        "empty; say what there is to be least or most of"
    )


@dataclass(frozen=True)
class Best:
    """The best solution, or the best that was found.

    status    complete: no solution is better; impossible: there is no solution; limit, interrupted:
              stopped before the proof was complete; searching while it goes on
    aim       the quantity that it minimizes or maximizes
    solution  None if there is none, or none was found
    value     the solution's amount of that quantity; None if there is no solution
    bound     no solution has less, or more; None if there is no solution, or no bound is known
    seconds   without those of compilation, which are `compiling`
    reason    why there can be no solution, if counting shows it
    """

    status: str
    aim: Aim
    solution: Solution | None
    value: float | None
    bound: float | None
    seconds: float
    reason: str = ""
    compiling: float = 0.0

    def __repr__(self) -> str:
        return f"<Best {_optimum(str(self.aim), self.value, self)}>"


class Optimizing(Shared):
    """A search for the best solution, in progress; it can be stopped, and reports its progress.

    The best value does not depend on the workers; which of several best solutions is found does.

    One thread runs it; others may look at `best` and call `stop`.

    aim       the quantity to minimize or maximize; None: the least cost, or the most cells
    costs     one for each option, to be minimized in place of the aim's own
    unpriced  whether a problem without costs counts as one whose options cost nothing
    workers   threads; None: all processors
    """

    def __init__(
        self,
        subject: Solvable,
        aim: Aim | None,
        *,
        costs: Sequence[float] | npt.NDArray[np.float64] | None = None,
        unpriced: bool = False,
        time_limit: float | None = None,
        workers: int | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__()
        from exactcover.backends.cpsat import CpsatLimits

        self._limits = CpsatLimits(None, workers, seed)
        time_limit = checked_time_limit(time_limit)
        if costs is not None:
            check_numbers("costs", costs)
        self._clock = Clock(time_limit)
        self._counted: float | None = None
        self.aim = aim or Aim("cost")
        self._best = Best("searching", self.aim, None, None, None, 0.0)
        with self._timed():
            given = Subject.of(subject)
            self.problem, self.model = given.problem, given.model
            self.aim = aim or _default_aim(self.problem, self.model)
            if costs is None and unpriced and self.problem.costs is None:
                costs = np.zeros(self.problem.n_options)
            if self.aim.quantity in SIZES:
                room_of(self.model, self.aim.quantity)
                costs = ()
            self._costs = self.aim.costs(self.problem, self.model) if costs is None else costs
            self._best = replace(self._best, aim=self.aim)

    @property
    def best(self) -> Best:
        """The best so far; its status is `interrupted` after `stop`."""
        best = self._best
        if self._stopped and best.status == "searching":
            return replace(best, status="interrupted")
        return best

    def __repr__(self) -> str:
        best = self.best
        return f"<Optimizing {_optimum(str(self.aim), best.value, best)}>"

    def run(self, tell: Callable[[Best], None] | None = None, *, stop: Stop | None = None) -> Best:
        """Search to the end; return the best solution, or the best that was found.

        tell  called several times a second with the best so far
        stop  called several times a second; the search ends when it returns true
        """
        check_function("stop", stop)

        def stopped() -> bool:
            if tell is not None:
                tell(self._best)
            done = self._best.status == "complete"
            return done or self._stopped or (stop is not None and stop())

        with self._only_turn():
            if self._best.status == "searching":  # else making the problem took all the time
                with self._timed():
                    self._search(stopped)
        return self._best

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Work that ends at the time limit, with the best so far."""
        with self._clock.running():
            yield
        clock = self._clock
        self._best = replace(self._best, seconds=clock.working, compiling=clock.compiling)
        if clock.late:
            self._best = replace(self._best, status="limit")

    def _search(self, stopped: Stop) -> None:
        """Search until it is done or stopped."""
        from exactcover.backends import cpsat

        reason = "" if self.model is None else self.model.reason
        if reason:
            self._best = replace(self._best, status="impossible", reason=reason)
            return
        if self.model is not None and self.aim.quantity in SIZES:
            limits = replace(self._limits, seconds=self._clock.left)
            self._note(smallest(self.model, self.aim.quantity, limits, stopped, self._note))
            return
        self._counted = self._bound_by_numbers()
        self._note(
            cpsat.minimize(
                self.problem,
                costs=self._costs,
                time_limit=self._clock.left,
                workers=self._limits.workers,
                seed=self._limits.seed,
                stop=stopped,
                tell=self._note,
            )
        )

    def _bound_by_numbers(self) -> float | None:
        """The bound that follows from the sizes and copies of the pieces, if there is one."""
        if self.model is None or self.aim.quantity == "cost":
            return None
        allowed = amounts(self.model)
        if allowed is None:
            return None
        least, most = allowed.cells if self.aim.quantity == "cells" else allowed.pieces
        return most if self.aim.most else least

    def _note(self, outcome: CpsatOptimum) -> None:
        """Keep the outcome of CP-SAT, in terms of the aim."""
        solution = None
        if outcome.options is not None:
            solution = Solution(outcome.options, self.problem, self.model)
        sign = -1 if self.aim.most else 1
        value = sign * outcome.cost if isfinite(outcome.cost) else None
        bound = sign * outcome.bound if isfinite(outcome.bound) else None
        if self._counted is not None and bound is not None:
            bound = (min if self.aim.most else max)(bound, self._counted)
        proven = value is not None and value == self._counted
        status = "complete" if proven else outcome.status
        self._best = Best(status, self.aim, solution, value, bound, self._clock.now)


def best(
    subject: Solvable,
    *,
    least: Quantity | None = None,
    most: Amount | None = None,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    stop: Stop | None = None,
) -> Best:
    """The solution with the least, or the most, of `cost`, `cells` or `pieces`.

    Of rectangles in a room, it is also that with the least `height`, `width` or `area`.

        >>> import exactcover as ec
        >>> ec.best(ec.read("v_pentominoes_8x8"), most="pieces").value
        12.0

    subject     a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    least       "cost", "cells" (those that pieces fill) or "pieces" (options, where there is no
                geometry); of rectangles in a room "height", "width" or "area", of the box around
                them. Default: None
    most        "cost", "cells" or "pieces"; give one of the two. Default: None; with neither, the
                least cost, or the most cells if the problem has no costs; the least area of
                rectangles in a room
    time_limit  stop after this number of seconds, with the best so far. Default: None, no limit
    workers     threads, 1 to 10,000. Default: None, one for each processor
    seed        a whole number for the random choices of CP-SAT. Default: 0
    stop        a function that is called several times a second; the search ends when it returns
                true. Default: None

    The result says whether the proof is complete, and has the solution, its value and a bound.
    """
    aim = named_aim(least, most)
    search = Optimizing(subject, aim, time_limit=time_limit, workers=workers, seed=seed)
    return search.run(stop=stop)


def named_aim(least: Quantity | None, most: Amount | None) -> Aim | None:
    """The aim that the arguments name; None if both are None."""
    check_kind("least", least, (str, type(None)), f"one of {', '.join(QUANTITIES)}, or None")
    check_kind("most", most, (str, type(None)), f"one of {', '.join(QUANTITIES)}, or None")
    if least is not None and most is not None:
        raise ExactCoverError(f"least {least} and most {most}: there is one best, say one of them")
    if most is not None:
        return Aim(most, most=True)
    return None if least is None else Aim(least)


@dataclass(frozen=True)
class Optimum:
    """The cheapest solution, or the best that was found; `status` as for a `Best`.

    solution  None if there is none, or none was found
    cost      its cost; infinite if there is none
    bound     no solution costs less
    """

    status: str
    solution: Solution | None
    cost: float
    bound: float
    seconds: float

    def __repr__(self) -> str:
        return f"<Optimum {_optimum('least cost', self.cost, self)}>"


@dataclass(frozen=True)
class Packing:
    """The fullest packing, or the best that was found; `status` as for a `Best`.

    placed  how many cells are filled, or pieces placed, without the stationary ones
    bound   no packing has more
    """

    status: str
    solution: Solution | None
    placed: int
    bound: int
    seconds: float

    def __repr__(self) -> str:
        return f"<Packing {_optimum('placed', self.placed, self)}>"


def _optimum(aim: str, value: float | None, found: Best | Optimum | Packing) -> str:
    """The outcome in a line: `least cost: complete, 12, bound 12`."""
    if found.status == "impossible":
        return f"{aim}: impossible"
    amount = "nothing found" if found.solution is None else f"{value:,.12g}"
    bound = "no bound" if found.bound is None else f"bound {found.bound:,.12g}"
    return f"{aim}: {found.status}, {amount}, {bound}"


def minimize(
    subject: Solvable,
    *,
    costs: Sequence[float] | npt.NDArray[np.float64] | None = None,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    stop: Stop | None = None,
) -> Optimum:
    """The cheapest solution of a puzzle or a problem.

        >>> import exactcover as ec
        >>> ec.minimize({"dear": ["a"], "cheap": ["a"]}, costs=[3, 2]).solution.names
        ('cheap',)

    subject     a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    costs       a list or an array with a number for each option. Default: None, the problem's own
    time_limit  stop after this number of seconds, with the best so far. Default: None, no limit
    workers     threads, 1 to 10,000. Default: None, one for each processor
    seed        a whole number for the random choices of CP-SAT. Default: 0
    stop        a function that is called several times a second; the search ends when it returns
                true. Default: None
    """
    search = Optimizing(
        subject,
        Aim("cost"),
        costs=costs,
        unpriced=True,
        time_limit=time_limit,
        workers=workers,
        seed=seed,
    )
    found = search.run(stop=stop)
    cost = inf if found.value is None else found.value
    unknown = inf if found.status == "impossible" else -inf
    bound = unknown if found.bound is None else found.bound
    return Optimum(found.status, found.solution, cost, bound, found.seconds)


def pack(
    puzzle: Puzzle,
    *,
    most: Packed = "cells",
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    stop: Stop | None = None,
) -> Packing:
    """The solution that fills most cells, or places most pieces.

        >>> import exactcover as ec
        >>> ec.pack(ec.read("v_pentominoes_8x8"), most="pieces").placed
        12

    puzzle      a Puzzle; packings differ if cells may stay empty or pieces come in ranges
    most        "cells" or "pieces". Default: "cells"
    time_limit  stop after this number of seconds, with the best so far. Default: None, no limit
    workers     threads, 1 to 10,000. Default: None, one for each processor
    seed        a whole number for the random choices of CP-SAT. Default: 0
    stop        a function that is called several times a second; the search ends when it returns
                true. Default: None
    """
    check_kind("most", most, str, f"one of {', '.join(PACKED)}")
    if most not in PACKED:
        raise UnknownName("thing to have most of", most, PACKED)
    search = Optimizing(
        puzzle, Aim(most, most=True), time_limit=time_limit, workers=workers, seed=seed
    )
    found = search.run(stop=stop)
    unknown = 0 if found.status == "impossible" else len(puzzle.space)
    bound = unknown if found.bound is None else int(found.bound + 1e-6)
    return Packing(found.status, found.solution, round(found.value or 0), bound, found.seconds)

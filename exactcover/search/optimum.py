"""The best solution, with a proof that none is better: the least or the most of a quantity.

CP-SAT does the work, with one thread per processor unless a number is given. It reports a solution
with its value, and a bound that no solution can pass. The proof is complete when the two are equal.
Every solution that it reports is checked.

    ec.best(problem).value                   # the least cost, if the problem has costs
    ec.best(puzzle, most="cells").value      # fills as many cells as possible
    ec.best(puzzle, least="pieces").value    # pieces come in any number
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import inf
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from exactcover.backends.arrays import Long
from exactcover.backends.node import ROOT, Residue
from exactcover.base.patience import left, patiently
from exactcover.base.values.arguments import check_choice, check_seconds, check_whole, wrong
from exactcover.errors import ExactCoverError, ProblemError
from exactcover.problem.checking import check_costs, numbers
from exactcover.puzzle.model import amounts
from exactcover.search.clock import Clock, Shared
from exactcover.search.result import Solution
from exactcover.search.subject import Solvable, Subject

Quantity = Literal["cost", "cells", "pieces"]

QUANTITIES: tuple[Quantity, ...] = get_args(Quantity)
"""The quantities of a solution: its cost, cells filled, pieces placed."""

LARGEST = 1 << 53
"""CP-SAT gets costs as whole numbers; together they stay below this."""

MOST_WORKERS = 10_000
LARGEST_SEED = (1 << 31) - 1
"""The largest numbers that CP-SAT takes."""

Costs = Sequence[float] | npt.NDArray[np.float64]
Stop = Callable[[], bool]


@dataclass(frozen=True)
class Best:
    """The best solution, or the best that was found.

    status    complete: no solution is better; impossible: there is no solution; limit, interrupted:
              stopped before the proof was complete; searching while it goes on
    quantity  what there is the least of, or the `most`
    solution  None if there is none, or none was found
    value     the solution's amount of that quantity; None if there is no solution
    bound     no solution has less, or more; None if there is no solution, or no bound is known
    seconds   without those of compilation, which are `compiling`
    reason    why there can be no solution, if counting shows it
    """

    status: str
    quantity: Quantity
    most: bool = False
    solution: Solution | None = None
    value: float | None = None
    bound: float | None = None
    seconds: float = 0.0
    reason: str = ""
    compiling: float = 0.0

    @property
    def aim(self) -> str:
        """The quantity that it minimizes or maximizes: `least cost`, `most cells`."""
        return f"{'most' if self.most else 'least'} {self.quantity}"

    def __repr__(self) -> str:
        """The outcome in a line: `<Best least cost: complete, 12, bound 12>`."""
        if self.status == "impossible":
            return f"<Best {self.aim}: impossible>"
        amount = "nothing found" if self.value is None else f"{self.value:,.12g}"
        bound = "no bound" if self.bound is None else f"bound {self.bound:,.12g}"
        return f"<Best {self.aim}: {self.status}, {amount}, {bound}>"


class Optimizing(Shared):
    """A search for the best solution, in progress; it can be stopped, and reports its progress.

    The best value does not depend on the workers; which of several best solutions is found does.

    One thread runs it; others may look at `best` and call `stop`. The arguments are those of
    `best`.
    """

    def __init__(
        self,
        subject: Solvable,
        *,
        least: Quantity | None = None,
        most: Quantity | None = None,
        costs: Costs | None = None,
        time_limit: float | None = None,
        workers: int | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__()
        check_choice("least", least, QUANTITIES)
        check_choice("most", most, QUANTITIES)
        if least is not None and most is not None:
            raise ExactCoverError(
                f"least {least} and most {most}: there is one best, say one of them"
            )
        check_threads(workers, seed)
        self._workers, self._seed = workers, seed
        check_seconds("time_limit", time_limit)
        self._clock = Clock(time_limit)
        self._best = Best("searching", least or most or "cost", most=most is not None)
        self._by_default = least is None and most is None
        self._timed(lambda: self._set_up(subject, costs))

    def _set_up(self, subject: Solvable, costs: Costs | None) -> None:
        """The problem, the quantity, and the cost of each option: the least total is the best."""
        given = Subject.of(subject)
        self.problem, self.model = given.problem, given.model
        paid = self.problem.costs if costs is None else numbers(costs)
        if paid is not None:
            check_costs(paid, self.problem.n_options)
        quantity, model = self._best.quantity, self.model
        if self._by_default and paid is None:
            if model is None or not model.layout.optional.any():
                raise ExactCoverError(
                    "all solutions are equally good: there are no costs, and no cell may stay "
                    'empty; say which quantity should be least or most, as in least="pieces"'
                )
            quantity = "cells"
            self._best = replace(self._best, quantity=quantity, most=True)
        if quantity != "cost" and costs is not None:
            raise ExactCoverError(f"costs= are for the least or most cost, not {self._best.aim}")
        if quantity == "cost":
            if paid is None:
                raise ExactCoverError("the problem has no costs: give costs=")
            worth = paid
        elif model is not None:
            layout = model.layout
            each = np.ones(layout.n_shapes) if quantity == "pieces" else layout.shape_size
            shapes = layout.option_shape  # a hole has the shape -1
            worth = np.where(shapes >= 0, np.append(each, 0)[shapes], 0).astype(np.float64)
        elif quantity == "cells":
            raise ExactCoverError("a problem without geometry has no cells: ask for cost or pieces")
        else:
            worth = np.ones(self.problem.n_options)
        self._costs = -worth if self._best.most else worth

    @property
    def best(self) -> Best:
        """The best so far; its status is `interrupted` after `stop`."""
        best = self._best
        if self._stopped and best.status == "searching":
            return replace(best, status="interrupted")
        return best

    def __repr__(self) -> str:
        return repr(self.best).replace("<Best", "<Optimizing")

    def run(self, tell: Callable[[Best], object] = lambda _: None) -> Best:
        """Search to the end; return the best solution, or the best that was found.

        tell  called several times a second with the best so far
        """

        def stopped() -> bool:
            tell(self._best)
            return self._best.status == "complete" or self._stopped

        with self._turn(wait=False):
            if self._best.status == "searching":  # else making the problem took all the time
                self._timed(lambda: self._search(stopped))
        return self._best

    def _timed(self, work: Callable[[], None]) -> None:
        """Work that ends at the time limit, with the best so far."""
        with self._clock.running():
            work()
        clock = self._clock
        self._best = replace(self._best, seconds=clock.working, compiling=clock.compiling)
        if clock.late:
            self._best = replace(self._best, status="limit")

    def _search(self, stopped: Stop) -> None:
        """Search until it is done or stopped."""
        from exactcover.backends.cpsat.model import CpsatRun, stated

        problem, model, costs = self.problem, self.model, self._costs
        residue = Residue.of(problem, ROOT)
        cpsat = None if model is not None and model.reason else stated(problem, residue)
        if cpsat is None:
            reason = "" if model is None else model.reason
            self._best = replace(self._best, status="impossible", reason=reason)
            return
        whole, scale = whole_numbers(costs[residue.options].tolist())
        if any(whole):
            variables = map(cpsat.get_bool_var_from_proto_index, range(len(whole)))
            terms = patiently(zip(whole, variables, strict=True))
            cpsat.minimize(sum(cost * one for cost, one in terms if cost))
        bounds = [float(costs[costs < 0].sum())]  # what no solution costs less than
        counted = self._counted()
        found: list[Long] = []
        sign, nearest = (-1, min) if self._best.most else (1, max)

        def note(status: str) -> None:
            """Keep the best so far; raises unless it is a solution."""
            solution, value, lowest = self._best.solution, self._best.value, max(bounds)
            if found:
                chosen = np.flatnonzero(found[-1][: residue.options.size])
                found.clear()
                options = tuple(sorted(residue.options[chosen].tolist()))
                wrong = problem.violation(options)
                if wrong is not None:
                    raise ProblemError(f"CP-SAT gave what is no solution: {wrong}")
                solution = Solution(options, problem, model)
                value = sign * float(costs[list(options)].sum())
            if value is not None:
                lowest = min(lowest, sign * value)
            bound = sign * lowest if counted is None else nearest(sign * lowest, counted)
            if value is not None and (value == counted or not costs.any()):
                status = "complete"
            best, now = self._best, self._clock.now
            self._best = Best(status, best.quantity, best.most, solution, value, bound, now)

        def look() -> bool:
            note("searching")
            return stopped()

        def bounded(bound: float) -> None:
            bounds.append(float(Fraction(round(bound)) / scale))

        limit = left() if self._clock.left is None else min(self._clock.left, left())
        limits = {} if limit == inf else {"max_time_in_seconds": max(limit, 0.0)}
        run = CpsatRun(
            cpsat,
            found.append,
            bounded,
            num_workers=self._workers or 0,
            random_seed=self._seed,
            **limits,
        )
        interrupted, status = run.wait(look), run.word()
        if status == "impossible":
            self._best = replace(self._best, status=status, value=None, bound=None)
            return
        if run.has_solution:  # else its bound may be wrong
            found.append(np.array(run.solver.response_proto.solution))
            bounded(run.solver.best_objective_bound)
        note("interrupted" if interrupted and status == "limit" else status)

    def _counted(self) -> float | None:
        """The bound that follows from sizes and copies of the pieces."""
        model, quantity = self.model, self._best.quantity
        if model is None or quantity == "cost" or (allowed := amounts(model)) is None:
            return None
        return (allowed.cells if quantity == "cells" else allowed.pieces)[self._best.most]


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


def whole_numbers(costs: Sequence[float]) -> tuple[list[int], Fraction]:
    """Whole numbers that stand for costs, and the number that stands for a cost of one.

    CP-SAT takes whole numbers. The costs count as the decimals that they print as. If the numbers
    get too large with all digits, they are rounded down, and so is every bound found with them.
    """
    decimals = [Decimal(repr(cost)) for cost in patiently(costs)]
    places = max((-int(one.normalize().as_tuple().exponent) for one in decimals), default=0)
    scale = Fraction(10) ** max(places, 0)
    total = sum((abs(Fraction(one)) for one in decimals), Fraction(0))
    if total * scale >= LARGEST:
        scale = Fraction(LARGEST) / total / 2
    return [int(Fraction(one) * scale // 1) for one in decimals], scale


def best(
    subject: Solvable,
    *,
    least: Quantity | None = None,
    most: Quantity | None = None,
    costs: Costs | None = None,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    stop: Stop | None = None,
) -> Best:
    """The solution with the least, or the most, of `cost`, `cells` or `pieces`.

        >>> import exactcover as ec
        >>> ec.best(ec.read("v_pentominoes_8x8"), most="pieces").value
        12.0
        >>> ec.best({"dear": ["a"], "cheap": ["a"]}, costs=[3, 2]).solution.names
        ('cheap',)

    subject     a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    least       "cost", "cells" (those that pieces fill) or "pieces" (options, where there is no
                geometry). Default: None
    most        "cost", "cells" or "pieces"; give one of the two. Default: None; with neither, the
                least cost, or the most cells if there are no costs
    costs       a list or an array with a number for each option. Default: None, the problem's own
    time_limit  stop after this number of seconds, with the best so far. Default: None, no limit
    workers     threads, 1 to 10,000. Default: None, one for each processor
    seed        a whole number for the random choices of CP-SAT. Default: 0
    stop        a function that is called several times a second; the search ends when it returns
                true. Default: None

    The result says whether the proof is complete, and has the solution, its value and a bound.
    """
    if stop is not None and not callable(stop):
        raise wrong("stop", stop, "a function, or None")
    search = Optimizing(
        subject,
        least=least,
        most=most,
        costs=costs,
        time_limit=time_limit,
        workers=workers,
        seed=seed,
    )

    def tell(_: Best) -> None:
        if stop is not None and stop():
            search.stop()

    return search.run(tell)

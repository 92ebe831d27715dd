"""One solution and no more: by the search of `solve_each` where that is soon ready.

That search makes its tables sooner than any engine, follows what is forced first, and weighs what
it branches on. So it is the way of `first`, and of `solve --first` on the command line, for a
problem that is no puzzle and where no strategy is named. Else an engine searches.
"""

from __future__ import annotations

from dataclasses import replace

from exactcover.backends.planes.tables import is_soon_tabled
from exactcover.errors import LimitReached
from exactcover.problem import Problem
from exactcover.search.each import SolvingEach
from exactcover.search.solving import Result, Solution, Solving, Subject, problem_of
from exactcover.search.strategy import Strategy

NAMED = "solve_each"
"""What stands for the strategy in the result of such a search."""

UNUSED = "dlx"


class _Finding(Solving):
    """A search for one solution by that of `solve_each`, with the interface of `Solving`."""

    def __init__(self, problem: Problem, *, time_limit: float | None = None) -> None:
        self._each: SolvingEach | None = None
        super().__init__(problem, strategy=UNUSED, limit=1, time_limit=time_limit)

    def _result(self) -> Result:
        return replace(super()._result(), strategy=NAMED)

    def _let_go(self) -> None:
        super()._let_go()
        self._each = None

    def _advance(self, *, keep: bool) -> list[tuple[int, ...]]:
        with self._timed():
            if self._each is None:
                self._each = SolvingEach(self.problem, [()])
            if self._each.step():
                return []
            options = self._each.answers.solution(0)
        if self._late:
            return []
        self._finished = options is None  # with a solution it stopped there
        self._found = int(options is not None)
        return [options] if options is not None and keep else []


def find_one(
    subject: Subject,
    *,
    counted: str | None = None,
    strategy: Strategy | str | None = None,
    time_limit: float | None = None,
    tally: bool = False,
) -> Solving:
    """A search that ends with its first solution."""
    problem, model = problem_of(subject)
    if model is None and strategy is None and not tally and is_soon_tabled(problem):
        return _Finding(problem, time_limit=time_limit)
    return Solving(
        subject if model is not None else problem,
        counted=counted,
        strategy=strategy,
        limit=1,
        time_limit=time_limit,
        tally=tally,
    )


def first(
    subject: Subject, *, strategy: Strategy | str | None = None, time_limit: float | None = None
) -> Solution | None:
    """One solution, or None where there is none.

        >>> import exactcover as ec
        >>> ec.first({"x": ["a", "b"], "y": ["c"], "z": ["b", "c"]}).names
        ('x', 'y')

    subject     a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    strategy    how to search: a Strategy or its text, as in "redundancy; volume; dlx:s". Default:
                None, chosen for the problem
    time_limit  seconds, a number. Default: None, no limit

    Of a puzzle it is the first solution of `solve`. A plain problem for which no strategy is named
    is searched by the search of `solve_each`: that is ready sooner than any engine, and follows
    what is forced first.

    Raises `LimitReached` if the time limit comes first.
    """
    solving = find_one(subject, strategy=strategy, time_limit=time_limit)
    solution = next(solving, None)
    if solution is None and solving.result.status == "limit":
        raise LimitReached(0, time_limit)
    return solution

"""What joins the rooms for a user of the package: read a puzzle, draw a solution, cover lists."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from exactcover import solver
from exactcover.batch import SolvingEach
from exactcover.batch.tables import is_soon_tabled
from exactcover.errors import LimitReached, PuzzleError
from exactcover.problem import Problem
from exactcover.puzzle import Puzzle
from exactcover.solver import Solution, Subject, solve
from exactcover.strategy import Strategy

if TYPE_CHECKING:
    from exactcover.render.text import Drawer


def read(where: str | Path) -> Puzzle | Problem:
    """The puzzle in a file, or the shipped one of this name; a plain problem from Knuth's text.

    Of a file with several puzzles one is picked by number: `puzzles.txt#2`.
    """
    from exactcover.formats import read_puzzle

    documents = read_puzzle(str(where))
    if len(documents) != 1:
        raise PuzzleError(
            f"{where} holds {len(documents)} puzzles: pick one, for example {where}#1"
        )
    return documents[0].content


def draw(solution: Solution, *, colour: bool = False) -> str:
    """A text picture of a solution; of a plain problem, the items of each option chosen."""
    if solution.model is None:
        problem = solution.problem
        return "\n".join(
            " ".join(str(problem.items[item]) for item in problem.items_of(option))
            for option in solution.options
        )
    return _drawer(solution.model.puzzle, colour).draw(solution.placements)


@lru_cache(maxsize=8)
def _drawer(puzzle: Puzzle, colour: bool) -> Drawer:
    from exactcover.render.text import Drawer

    return Drawer(puzzle, colour=colour)


def first(
    subject: Subject, *, strategy: Strategy | str | None = None, time_limit: float | None = None
) -> Solution | None:
    """One solution, or None where there is none; raises `LimitReached` if time does not suffice.

    Of a problem that is no puzzle, and where no strategy is named, it is found by the search of
    `solve_each`: that is ready sooner than any engine, and follows what is forced first.
    """
    no_time = time_limit is not None and not time_limit > 0
    if isinstance(subject, Puzzle) or strategy is not None or no_time:
        return solver.first(subject, strategy=strategy, time_limit=time_limit)
    problem = Problem.of(subject)
    if not is_soon_tabled(problem):
        return solver.first(problem, time_limit=time_limit)
    began, search = perf_counter(), SolvingEach(problem, [()])
    while search.step():
        if time_limit is not None and perf_counter() - began >= time_limit:
            raise LimitReached(0)
    options = search.answers.solution(0)
    return None if options is None else Solution(options, problem)


def covers(
    options: Iterable[Iterable[Hashable]],
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] | None = None,
    colored: bool = False,
) -> Iterator[list[int]]:
    """The exact covers among lists of items, each as ascending option numbers.

    The call is that of the package `xcover`, whose users need only change an import.
    """
    problem = Problem.from_options(options, primary=primary, secondary=secondary, colored=colored)
    return (list(solution.options) for solution in solve(problem))

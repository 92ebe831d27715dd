"""What joins the rooms for a user of the package: read a puzzle, draw a solution, cover lists."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from exactcover.errors import PuzzleError
from exactcover.problem import Problem
from exactcover.puzzle import Puzzle
from exactcover.solver import Solution, solve

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
    return listed(problem)


def listed(problem: Problem) -> Iterator[list[int]]:
    """The exact covers as lists of option numbers, one after the other.

    It is a `map`, not a generator, so that several threads may share it.
    """
    return map(_numbers, solve(problem))


def _numbers(solution: Solution) -> list[int]:
    return list(solution.options)

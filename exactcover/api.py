"""Functions that join the rooms for a user: read a puzzle, draw a solution."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from exactcover.base.values.arguments import check_kind, shown
from exactcover.errors import ExactCoverError, PuzzleError
from exactcover.problem import Problem
from exactcover.puzzle import Puzzle
from exactcover.search.result import Solution

if TYPE_CHECKING:
    from exactcover.show.palette import Wish
    from exactcover.show.text import Drawer


def read(where: str | Path) -> Puzzle | Problem:
    """The puzzle in a file, or the shipped one of this name; a plain problem from Knuth's text.

        >>> import exactcover as ec
        >>> ec.read("pentominoes_10x6")
        <Puzzle square/pentominoes_10x6: 12 pieces on 60 square cells>

    where  the path of a file, or the name of a puzzle that comes with the package. `#2` behind it
           picks the second of several puzzles: "puzzles.txt#2"

    Without a file, see `puzzle_of`, `formats.parse` and `Problem.from_options`. Raises
    `FormatError`, which says file and line, if the file cannot be read.
    """
    from exactcover.formats import read_puzzle

    check_kind("where", where, (str, Path), "the path of a file, or the name of a shipped puzzle")
    documents = read_puzzle(str(where))
    if len(documents) != 1:
        raise PuzzleError(
            f"{where} holds {len(documents)} puzzles: pick one, for example {where}#1"
        )
    return documents[0].content


def draw(
    solution: Solution,
    *,
    color: bool | Wish | None = None,
    colour: bool | Wish | None = None,
) -> str:
    """A text picture of a solution; of a plain problem, the items of each option chosen.

        >>> import exactcover as ec
        >>> print(ec.draw(ec.first([["a", "b"], ["c"]])))
        a b
        c

    solution  what `solve`, `first`, `sample` or `best` gave
    color     in colours, by the escape sequences of a terminal: "always" or True, "never" or
              False, or "auto", where standard output is a terminal that wants them. Default: never
    colour    the same as color. Default: None, as color says
    """
    from exactcover.show.palette import in_colour

    if not isinstance(solution, Solution):
        raise ExactCoverError(
            f"draw takes a solution, as `solve` and `first` give it, not {shown(solution)}"
            + ("; `first` gives None where there is no solution" if solution is None else "")
        )
    if color is not None and colour is not None and color != colour:
        raise ExactCoverError(
            f"color={color!r} and colour={colour!r}: they are one argument, give one of them"
        )
    if color is None:
        coloured = colour is not None and in_colour("colour", colour)
    else:
        coloured = in_colour("color", color)
    if solution.model is None:
        problem = solution.problem
        return "\n".join(" ".join(problem.words_of(option)) for option in solution.options)
    return _drawer(solution.model.puzzle, coloured).draw(solution.placements)


@lru_cache(maxsize=8)
def _drawer(puzzle: Puzzle, colour: bool) -> Drawer:
    from exactcover.show.text import Drawer

    return Drawer(puzzle, colour=colour)

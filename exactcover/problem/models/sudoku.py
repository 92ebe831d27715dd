"""Sudoku: a Latin square whose boxes have each digit once, too.

The problem is made once, and each puzzle is a set of options given: so that `solve_each` takes
tens of thousands of puzzles a second.

    problem = sudoku()
    answers = solve_each(problem, sudoku_givens(puzzles), limit=2)
    sudoku_text(answers.solution(0))

Option `81 row + 9 column + digit - 1` writes the digit into the cell, in the usual size.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from exactcover.errors import ProblemError
from exactcover.problem import Problem

DIGITS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
EMPTY = ".0_"


def sudoku(height: int = 3, width: int = 3) -> Problem:
    """The empty Sudoku with boxes of this height and width; options `(row, column, digit)`."""
    side = height * width
    options = {
        (row, column, digit): [
            ("cell", row, column),
            ("row", row, digit),
            ("column", column, digit),
            ("box", row // height * height + column // width, digit),
        ]
        for row in range(side)
        for column in range(side)
        for digit in range(1, side + 1)
    }
    return Problem.from_options(options)


def sudoku_givens(puzzles: Iterable[str], side: int = 9) -> npt.NDArray[np.int64]:
    """The options that puzzles give: int64 [puzzles, cells], -1 where a cell is empty.

    A puzzle is its cells row by row, an empty one as `.`, `0` or `_`; blanks and line ends between
    them mean nothing. Digits above 9 are letters from A.
    """
    texts = ["".join(puzzle.split()) for puzzle in puzzles]
    for number, text in enumerate(texts):
        if len(text) != side * side:
            raise ProblemError(
                f"Sudoku {number} has {len(text)} cells: {side * side} are needed for side {side}"
            )
    letters = np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32)
    known = DIGITS[:side]
    digit_of = np.full(128, -2)
    digit_of[[ord(letter) for letter in EMPTY]] = -1
    digit_of[[ord(letter) for letter in known]] = np.arange(side)
    digit_of[[ord(letter.lower()) for letter in known]] = np.arange(side)
    digits = np.where(letters < 128, digit_of[letters % 128], -2)
    if (digits == -2).any():
        place = int((digits == -2).argmax())
        raise ProblemError(
            f"Sudoku {place // side**2}, cell {place % side**2}: {chr(letters[place])!r} is "
            f"neither a digit ({known}) nor empty ({' or '.join(EMPTY)})"
        )
    cells = np.arange(digits.size) % side**2
    return np.where(digits < 0, -1, cells * side + digits).reshape(len(texts), side**2)


def sudoku_text(options: Sequence[int], side: int = 9) -> str:
    """The cells of a solution row by row, from its options."""
    digits = ["."] * side**2
    for option in options:
        digits[option // side] = DIGITS[option % side]
    return "".join(digits)

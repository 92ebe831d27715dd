"""Each thing once in every row and column: Langford pairs, queens, Latin squares, Sudoku, words.

Queens are the model that secondary items are for: every file and every rank has just one queen,
every diagonal at most one. The diagonals of a single square are left out, since nothing else can
lie on them.

An option of a Latin square fills a cell with a symbol, and covers the cell, the symbol in the row
and the symbol in the column. Completing a square is the same problem below the options given, which
`solve_each` does for many squares at once. A Sudoku has each digit once in its boxes, too:

    problem = sudoku()
    answers = solve_each(problem, sudoku_givens(puzzles), limit=2)
    sudoku_text(answers.solution(0))

Option `81 row + 9 column + digit - 1` writes the digit into the cell, in the usual size.

Words across and down agree in every cell. The cells are secondary items, and a letter is a colour:
an option writes a word into a row or a column, and a cell may be covered by both if they have the
same letter there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from exactcover.errors import ProblemError
from exactcover.problem import Coloured, Problem


def langford(n: int, *, mirrored: bool = False) -> Problem:
    """The rows of two each of 1..n, with k numbers between the two of k.

    Options are named `(number, first place)`, both from 1. With `mirrored`, rows and their
    reversals both count. Otherwise one number, n or n - 1, whichever cannot be its own mirror
    image, is in the first half only.
    """
    halved = 0 if mirrored else n - (n % 2 == 0)
    options = {
        (k, place): [("number", k), ("place", place), ("place", place + k + 1)]
        for k in range(1, n + 1)
        for place in range(1, 2 * n - k)
        if k != halved or 2 * place < 2 * n - k
    }
    numbers = [("number", k) for k in range(1, n + 1)]
    places = [("place", place) for place in range(1, 2 * n + 1)]
    return Problem.from_options(options, primary=[*numbers, *places])


def queens(n: int) -> Problem:
    """The ways to place n queens on a board of side n; options are named `(file, rank)`."""
    options = {
        (x, y): [("file", x), ("rank", y), *_diagonals(n, x, y)] for x in range(n) for y in range(n)
    }
    lines = [(line, place) for line in ("file", "rank") for place in _middle_first(n)]
    return Problem.from_options(options, primary=lines)


def _diagonals(n: int, x: int, y: int) -> list[tuple[str, int]]:
    return [("up", x - y)] * (abs(x - y) < n - 1) + [("down", x + y)] * (0 < x + y < 2 * n - 2)


def _middle_first(n: int) -> list[int]:
    """Lines from the middle outwards: of equals the first is branched on, and these block most."""
    return sorted(range(n), key=lambda line: abs(2 * line - n + 1))


def latin_squares(n: int, given: Mapping[tuple[int, int], int] | None = None) -> Problem:
    """The Latin squares of side n that agree with the cells given, `{(row, column): symbol}`.

    Rows, columns and symbols are 0..n - 1; options are named `(row, column, symbol)`.
    """
    given = {} if given is None else given
    options = {
        (row, column, symbol): [
            ("cell", row, column),
            ("row", row, symbol),
            ("column", column, symbol),
        ]
        for row in range(n)
        for column in range(n)
        for symbol in range(n)
    }
    settled = {(*cell, symbol) for cell, symbol in given.items()}
    covered = {item for name in settled for item in options[name]}
    left = {
        name: items
        for name, items in options.items()
        if name in settled or not covered.intersection(items)
    }
    return Problem.from_options(
        left, primary=dict.fromkeys(i for row in options.values() for i in row)
    )


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


def word_rectangles(across: Collection[str], down: Collection[str]) -> Problem:
    """The rectangles with words of one list as rows and of another as columns.

    All words of a list have one length: the number of columns, and of rows. A word may be used
    often. Options are named `("across", row, word)` and `("down", column, word)`.
    """
    columns, rows = _length("across", across), _length("down", down)
    options = {
        ("across", row, word): [
            ("across", row),
            *(Coloured((row, column), letter) for column, letter in enumerate(word)),
        ]
        for row in range(rows)
        for word in across
    } | {
        ("down", column, word): [
            ("down", column),
            *(Coloured((row, column), letter) for row, letter in enumerate(word)),
        ]
        for column in range(columns)
        for word in down
    }
    lines = [("across", row) for row in range(rows)] + [("down", at) for at in range(columns)]
    return Problem.from_options(options, primary=lines)


def _length(direction: str, words: Collection[str]) -> int:
    lengths = {len(word) for word in words}
    if len(lengths) != 1:
        raise ProblemError(f"the words {direction} must have one length, not {sorted(lengths)}")
    return lengths.pop()

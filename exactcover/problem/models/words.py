"""Word rectangles: words across and words down that agree in every cell.

The cells are secondary items, and a letter is a colour: an option writes a word into a row or a
column, and a cell may be covered by both if they have the same letter there.
"""

from __future__ import annotations

from collections.abc import Collection

from exactcover.errors import ProblemError
from exactcover.problem import Coloured, Problem


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

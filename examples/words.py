"""Fill a rectangle with words of one list across and of another down.

    python examples/words.py

The cells are secondary items, and a letter is a colour: an option writes a word into a row or a
column, and a cell may be covered by both if they have the same letter there.
"""

from collections.abc import Collection

import exactcover as ec


def word_rectangles(across: Collection[str], down: Collection[str]) -> ec.Problem:
    """The rectangles whose rows and columns are words; all words of a list have one length.

    A word may be used often. Options are named `("across", row, word)`, `("down", column, word)`.
    """
    [columns], [rows] = {len(word) for word in across}, {len(word) for word in down}
    options = {
        ("across", row, word): [
            ("across", row),
            *(ec.Coloured((row, column), letter) for column, letter in enumerate(word)),
        ]
        for row in range(rows)
        for word in across
    } | {
        ("down", column, word): [
            ("down", column),
            *(ec.Coloured((row, column), letter) for row, letter in enumerate(word)),
        ]
        for column in range(columns)
        for word in down
    }
    lines = [("across", row) for row in range(rows)] + [("down", at) for at in range(columns)]
    return ec.Problem.from_options(options, primary=lines)


if __name__ == "__main__":
    across = ["ace", "bad", "bee", "add"]
    down = ["ab", "ad", "ca", "cd", "ed", "ee", "dd"]
    for solution in ec.solve(word_rectangles(across, down)):
        print(*(word for direction, _, word in solution.names if direction == "across"))

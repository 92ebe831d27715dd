"""Latin squares: each symbol once in every row and every column.

An option fills a cell with a symbol, and covers the cell, the symbol in the row and the symbol in
the column. Completing a square is the same problem below the options that are given, which
`solve_each` does for many squares at once.
"""

from __future__ import annotations

from collections.abc import Mapping

from exactcover.problem import Problem


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

"""Fill a square with n symbols, each once in every row and column.

    python examples/latin_squares.py

A square is completed below given cells: options that contradict them are left out.
"""

import exactcover as ec


def latin_squares(n: int, given: dict[tuple[int, int], int] | None = None) -> ec.Problem:
    """The Latin squares of side n that agree with the cells given, `{(row, column): symbol}`.

    Rows, columns and symbols are 0..n - 1; options are named `(row, column, symbol)`.
    """
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
    settled = {(*cell, symbol) for cell, symbol in (given or {}).items()}
    covered = {item for name in settled for item in options[name]}
    left = {
        name: items
        for name, items in options.items()
        if name in settled or not covered.intersection(items)
    }
    every = dict.fromkeys(item for items in options.values() for item in items)
    return ec.Problem.from_options(left, primary=every)


if __name__ == "__main__":
    print(*(ec.count(latin_squares(n)) for n in range(5)))  # OEIS A002860
    reduced = {(0, at): at for at in range(5)} | {(at, 0): at for at in range(5)}
    print(ec.count(latin_squares(5, reduced)))  # OEIS A000315

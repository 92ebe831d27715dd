"""Solve Sudokus, and see whether each has one solution.

    python examples/sudoku.py

Option `81 row + 9 column + digit - 1` writes the digit into the cell. So the options that a puzzle
gives, and the digits of a solution, are found from the numbers alone.
"""

from collections.abc import Iterable, Sequence

import exactcover as ec


def sudoku(height: int = 3, width: int = 3) -> ec.Problem:
    """The empty Sudoku with boxes of this height and width; options `(row, column, digit)`."""
    side = height * width
    return ec.Problem.from_options(
        {
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
    )


def givens(puzzles: Iterable[str]) -> list[list[int]]:
    """The options that puzzles give: 81 digits row by row, anything else where a cell is empty."""
    return [
        [9 * cell + int(digit) - 1 for cell, digit in enumerate(puzzle) if digit in "123456789"]
        for puzzle in puzzles
    ]


def text(options: Sequence[int]) -> str:
    """The digits of a solution row by row, from its options."""
    return "".join(str(option % 9 + 1) for option in sorted(options))


if __name__ == "__main__":
    puzzles = [
        "003020600900305001001806400008102900700000008006708200002609500800203009005010300",
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        "12......." + 72 * ".",
    ]
    answers = ec.solve_each(sudoku(), givens(puzzles), limit=2)
    for puzzle, found, solution in zip(puzzles, answers.found, answers, strict=True):
        print(puzzle)
        print(text(solution) if found == 1 else "not the only solution")
    print(ec.count(sudoku(2, 2)))  # the grids of side four

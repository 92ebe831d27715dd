"""Make Sudokus without a clue to spare, and solve thousands of them at once.

    python examples/sudoku_batch.py [MANY]

A filled grid is found from a shuffled first row. Then clues are taken away one by one, and stay
away while the solution is still the only one. For each clue that means two solutions at most are
looked for, which is what `limit=2` is for.
"""

from __future__ import annotations

import random
import sys
from time import perf_counter

from sudoku import sudoku, text

import exactcover as ec

PROBLEM = sudoku()


def puzzle(draw: random.Random) -> list[int]:
    """The options given of a Sudoku that needs all of them."""
    first_row = [9 * column + digit for column, digit in enumerate(draw.sample(range(9), 9))]
    grid = ec.solve_each(PROBLEM, [first_row]).solution(0)
    assert grid is not None
    clues = list(grid)
    for clue in draw.sample(grid, len(grid)):
        fewer = [other for other in clues if other != clue]
        if ec.solve_each(PROBLEM, [fewer], limit=2).found[0] == 1:
            clues = fewer
    return clues


def main(many: int) -> None:
    draw = random.Random(1)
    puzzles = [puzzle(draw) for _ in range(10)]
    print(text(puzzles[0]))
    began = perf_counter()
    answers = ec.solve_each(PROBLEM, [puzzles[at % len(puzzles)] for at in range(many)], limit=2)
    took = perf_counter() - began
    print(text(answers.solution(0) or ()))
    print(f"{int((answers.found == 1).sum())} with one solution, {many / took:,.0f} a second")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)

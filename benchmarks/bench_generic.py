"""Exact cover without geometry, beside the packages that Python users have for it.

    python benchmarks/bench_generic.py [--repeats 9] [--only first sudoku]

`first`: the first solution of hard instances, beside xcover. Both are given lists of items, and
the time is from the lists to the solution: reading the options, making the tables, searching.
Nothing is compiled in it; all times are those of the processor. The options of each repeat are
shuffled, the same for both, since the first solution is a matter of luck; the figure is the median
of the ratios, xcover / exactcover.

`sudoku`: a batch of Sudokus by `solve_each` with a limit of 1 and of 2, where 2 shows that the
solution is the only one; and some of them, one by one, by `exact-cover`, which needs the matrix of
what the clues leave: once with the time that this matrix takes, once without. The puzzles are made
here: random grids with clues taken away while the solution is the only one, so that no clue can be
spared; and of a few known as hard a hundred copies each, with digits, rows and columns exchanged,
since which of them a search likes is a matter of luck, too.
"""

from __future__ import annotations

import argparse
import contextlib
import random
from collections.abc import Callable
from math import nan
from statistics import median
from time import process_time
from typing import Any

import numpy as np

import exactcover as ec
from benchmarks.peers import installed
from exactcover.problem import Problem
from examples.langford import langford
from examples.latin_squares import latin_squares
from examples.queens import queens
from examples.sudoku import givens, sudoku

HARD = {
    name: "".join(lines)
    for name, *lines in (
        (
            "Inkala 2012",
            "8..........36......7..9.2...5...7.......457.....1...3.",
            "..1....68..85...1..9....4..",
        ),
        (
            "golden nugget",
            ".......39.....1..5..3.5.8....8.9...6.7...2...1..4....",
            "...9.8..5..2....6..4..7.....",
        ),
        (
            "Easter monster",
            "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.",
            "7.....6...3...9.8...2.....1",
        ),
        (
            "17 clues",
            "..............3.85..1.2.......5.7.....4...1...9.......",
            "5......73..2.1........4...9",
        ),
    )
}

Instance = tuple[list[list[object]], list[object]]
"""The options, and the primary items."""


def below(problem: Problem, given: list[int]) -> Instance:
    """What is left of a problem of primary items below the options given."""
    covered = {int(item) for option in given for item in problem.items_of(option)}
    options = [
        [problem.items[item] for item in problem.items_of(option)]
        for option in range(problem.n_options)
        if covered.isdisjoint(problem.items_of(option).tolist())
    ]
    items = [problem.items[i] for i in range(problem.primary) if i not in covered]
    return options, items


def quasigroup(side: int, holes: float, seed: int) -> Instance:
    """A Latin square with so large a part of its cells emptied; hardest at about 0.42."""
    draw = random.Random(seed)
    rows, columns, symbols = (draw.sample(range(side), side) for _ in range(3))
    cells = [(r, c) for r in range(side) for c in range(side)]
    kept = draw.sample(cells, round((1 - holes) * len(cells)))
    problem = latin_squares(side, {(r, c): symbols[(rows[r] + columns[c]) % side] for r, c in kept})
    names = {problem.option_name(o): o for o in range(problem.n_options)}
    given = [names[r, c, symbols[(rows[r] + columns[c]) % side]] for r, c in kept]
    return below(problem, given)


def hard_sudoku(name: str) -> Instance:
    return below(sudoku(), givens([HARD[name]])[0])


INSTANCES: dict[str, Callable[[int], Instance]] = {
    **{f"Sudoku: {name}": lambda _, name=name: hard_sudoku(name) for name in HARD},  # type: ignore[misc]
    "queens 20": lambda _: below(queens(20), []),
    "queens 28": lambda _: below(queens(28), []),
    "Langford 16": lambda _: below(langford(16), []),
    "Langford 24": lambda _: below(langford(24), []),
    "Latin square 20, 42% open": lambda seed: quasigroup(20, 0.42, seed),
    "Latin square 30, 42% open": lambda seed: quasigroup(30, 0.42, seed),
    "Latin square 33, 42% open": lambda seed: quasigroup(33, 0.42, seed),
}

PATIENCE = 20.0
"""Seconds after which a search is given up, and counts as lasting so long."""


def first_of_ours(instance: Instance, strategy: str | None = None) -> float:
    began = process_time()
    options, primary = instance
    problem = Problem.from_options(options, primary=primary)
    with contextlib.suppress(ec.ExactCoverError):
        ec.first(problem, strategy=strategy, time_limit=PATIENCE)
    return process_time() - began


def first_of_xcover(xcover: Any, instance: Instance) -> float:
    if xcover is None:
        return nan
    began = process_time()
    options, primary = instance
    next(xcover.covers(options, primary=primary), None)
    return process_time() - began


def measure_first(repeats: int, strategy: str | None, xcover: Any) -> None:
    """Both on the same instances, in turns."""
    warm = quasigroup(4, 0.5, 1)
    first_of_ours(warm, strategy), first_of_xcover(xcover, warm)
    first_of_ours(below(queens(6), []), strategy)
    print(f"{'first solution':28} {'options':>7} {'xcover ms':>10} {'ours ms':>10} {'ratio':>7}")
    for name, make in INSTANCES.items():
        theirs: list[float] = []
        ours: list[float] = []
        for seed in range(repeats):
            options, primary = make(seed)
            random.Random(seed).shuffle(options)
            for times in (theirs, ours)[:: 1 - 2 * (seed % 2)]:
                instance = options, primary
                if times is theirs:
                    took = first_of_xcover(xcover, instance)
                else:
                    took = first_of_ours(instance, strategy)
                times.append(1000 * took)
        ratio = median(a / b for a, b in zip(theirs, ours, strict=True))
        print(
            f"{name:28} {len(options):7} {median(theirs):10.2f} {median(ours):10.2f} {ratio:7.2f}",
            flush=True,
        )


def minimal_puzzles(many: int) -> list[list[int]]:
    """The given options of Sudokus, none of which can be spared."""
    problem, draw = sudoku(), random.Random(17)
    puzzles = []
    for _ in range(many):
        grid = list(ec.solve_each(problem, [_some(draw)]).solution(0) or ())
        for option in draw.sample(grid, 81):
            fewer = [other for other in grid if other != option]
            if ec.solve_each(problem, [fewer], limit=2).found[0] == 1:
                grid = fewer
        puzzles.append(grid)
    return puzzles


def _some(draw: random.Random) -> list[int]:
    """The first row and the rest of the first column in a random order: there is always a grid."""
    row = draw.sample(range(9), 9)
    box = draw.sample(row[3:], 6)
    rest = draw.sample([digit for digit in range(9) if digit not in (row[0], *box[:2])], 6)
    column = [*box[:2], *rest]
    return [9 * cell + digit for cell, digit in enumerate(row)] + [
        81 * (at + 1) + digit for at, digit in enumerate(column)
    ]


def relabelled(text: str, many: int, draw: random.Random) -> list[str]:
    """Copies of a Sudoku with digits, rows, columns and bands exchanged, some mirrored."""

    def lines() -> list[int]:
        return [
            3 * band + line
            for band in draw.sample(range(3), 3)
            for line in draw.sample(range(3), 3)
        ]

    copies = []
    for _ in range(many):
        digits = str.maketrans("123456789", "".join(draw.sample("123456789", 9)))
        rows, columns = lines(), lines()
        across, down = draw.choice([(1, 9), (9, 1)])
        copies.append(
            "".join(text[down * r + across * c] for r in rows for c in columns).translate(digits)
        )
    return copies


def whole_matrix(problem: Problem) -> np.ndarray:
    """All options and items of a problem."""
    matrix = np.zeros((problem.n_options, problem.n_items), bool)
    matrix[np.repeat(np.arange(problem.n_options), np.diff(problem.starts)), problem.entries] = True
    return matrix


def what_is_left(matrix: np.ndarray, given: list[int]) -> np.ndarray:
    """The matrix below the options given, as small as can be."""
    covered = matrix[given].any(axis=0)
    return matrix[~matrix[:, covered].any(axis=1)][:, ~covered]


def measure_sudoku(repeats: int, exact_cover: Any) -> None:
    """Puzzles a second by the batch call, and one by one by `exact-cover`."""
    problem = sudoku()
    matrix = whole_matrix(problem)
    draw = random.Random(5)
    sets = {"random, minimal": minimal_puzzles(100)}
    for name, text in HARD.items():
        sets[name] = givens(relabelled(text, 100, draw))
    print(
        f"{'Sudokus a second':16} {'clues':>6} {'limit 1':>9} {'limit 2':>9} {'exact-cover':>12} "
        f"{'ratio':>6} {'matrix ready':>13} {'ratio':>6}"
    )
    for name, puzzles in sets.items():
        many = [puzzles[number % len(puzzles)] for number in range(4000)]
        some = many[:100]
        rates: list[tuple[float, ...]] = []
        for _ in range(repeats):
            clock = [process_time()]
            for limit in (1, 2):
                answers = ec.solve_each(problem, many, limit=limit)
                clock.append(process_time())
                assert (answers.found == 1).all()
            matrices = [what_is_left(matrix, given) for given in some]
            clock.append(process_time())
            for one in matrices if exact_cover else ():
                exact_cover.get_exact_cover(one)
            clock.append(process_time() if exact_cover else nan)
            once, twice, making, solving = np.diff(clock)
            rates.append(
                (len(many) / once, len(many) / twice, len(some) / (making + solving),
                 len(some) / solving)
            )  # fmt: skip
        one, two, theirs, ready = (median(column) for column in zip(*rates, strict=True))
        clues = sum(map(len, puzzles)) / len(puzzles)
        print(
            f"{name:16} {clues:6.1f} {one:9,.0f} {two:9,.0f} {theirs:12,.0f} "
            f"{median(a / b for a, _, b, _ in rates):6.1f} {ready:13,.0f} "
            f"{median(a / b for a, _, _, b in rates):6.1f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="exact cover beside xcover and exact-cover")
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--only", nargs="+", choices=("first", "sudoku"))
    parser.add_argument("--strategy", help="for `first`: instead of the automatic choice")
    chosen = parser.parse_args()
    wanted = chosen.only or ["first", "sudoku"]
    if "first" in wanted:
        measure_first(chosen.repeats, chosen.strategy, installed("xcover"))
    if "sudoku" in wanted:
        measure_sudoku(chosen.repeats, installed("exact-cover"))


if __name__ == "__main__":
    main()

"""The bit matrix beside dancing cells, on the matrices of the article that tells of both.

    python benchmarks/bench_bsx.py [--repeats 5] [--only cube 4x15 ...]

W. Laun, Exact Cover by Dancing Links in Perl, has two tables: figures of the Soma cube, where the
bit matrix (BSX) won, and boards of pentominoes, where dancing links (DLX) did. Here are the same
rows with `dlx` and `bsx`: the matrix after the article's test by flood filling, which is the volume
filter, then the solutions, the choices, which are the same in both, and the seconds, each the
median of runs that take turns. The ratio is what to look at, that of the article beside it.
Neither compilation nor filtering is counted; every engine makes its own tables within its time.
Solutions are counted, not handed out.

The rest is other problems, the larger ones stopped after so many choices: it shows how far the bit
matrix carries in options, and that many items are what it cannot carry.

The article's figures are met but for three. Its stairs have 328 options, which is the number of
their solutions; here they have 482. Its board "64-3,3" has 1520 solutions; the square with the hole
in the middle has 520, and the options, 1432, agree. Its well is not among the puzzles shipped.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter

import numpy as np

from benchmarks.puzzles import read_puzzle
from exactcover.backends import Branching, Status, get_backend
from exactcover.backends.node import Node
from exactcover.problem import Problem
from exactcover.problem.filters.totals import volume
from exactcover.problem.filters.tree import Subtree
from tests.helpers.summed import started

ENGINES = ("dlx", "bsx")
STEPS = 10_000
"""Choices between two looks at how many have been made."""

Searched = tuple[Problem, Branching]


@dataclass(frozen=True)
class Row:
    """A row of a table: what to search, the article's ratio, and after how many choices to stop."""

    name: str
    make: Callable[[], Searched]
    article: str = ""
    choices: int | None = None


def flooded(name: str) -> Callable[[], Searched]:
    """A shipped puzzle, its options filtered by volume."""

    def make() -> Searched:
        puzzle = read_puzzle(name)
        model = puzzle.model
        everything = np.ones(model.problem.n_options, bool)
        return model.problem, Branching(
            root=Node(allowed=volume(Subtree(model.problem, model, (), everything)))
        )

    return make


def langford(n: int) -> Searched:
    """Two each of 1..n in a row, k numbers between the two of k."""
    return Problem.from_options(
        [
            (("number", k), ("place", at), ("place", at + k + 1))
            for k in range(1, n + 1)
            for at in range(2 * n - k - 1)
        ]
    ), Branching()


def queens(n: int) -> Searched:
    """So many queens on a board of side n; diagonals are secondary."""
    return Problem.from_options(
        [
            (("file", x), ("rank", y), ("/", x + y), ("\\", x - y))
            for x in range(n)
            for y in range(n)
        ],
        primary=[(line, place) for line in ("file", "rank") for place in range(n)],
    ), Branching()


def latin_squares(n: int) -> Searched:
    """Squares of side n filled with n symbols."""
    return Problem.from_options(
        [
            (("cell", x, y), ("column", x, symbol), ("row", y, symbol))
            for x in range(n)
            for y in range(n)
            for symbol in range(n)
        ]
    ), Branching()


TABLES = {
    "figures of the Soma cube": [
        Row("cube", flooded("somacube"), "1.10"),
        Row("tower", flooded("soma_tower"), "2.62"),
        Row("stairs", flooded("soma_stairs"), "3.05"),
        Row("steamer", flooded("soma_steamer"), "2.30"),
    ],
    "boards of pentominoes": [
        Row("3x20", flooded("pentominoes_20x3"), "0.69"),
        Row("4x15", flooded("pentominoes_15x4"), "gave up"),
        Row("64-3,3", flooded("pentominoes_8x8_hole"), "gave up"),
    ],
    "other problems": [
        Row("queens 11", lambda: queens(11)),
        Row("langford 11", lambda: langford(11)),
        Row("latin 5", lambda: latin_squares(5)),
    ],
    "larger ones, in part": [
        Row("5x12", flooded("pentominoes_12x5"), choices=500_000),
        Row("1s 30x3", flooded("pentominoes_1s_30x3"), choices=500_000),
        Row("tetriscube", flooded("tetriscube"), choices=500_000),
        Row("bedlam", flooded("bedlamcube"), choices=500_000),
        Row("queens 30", lambda: queens(30), choices=500_000),
        Row("langford 40", lambda: langford(40), choices=500_000),
        Row("latin 8", lambda: latin_squares(8), choices=500_000),
        Row("latin 12", lambda: latin_squares(12), choices=500_000),
        Row("latin 16", lambda: latin_squares(16), choices=500_000),
    ],
}


def search(engine: str, subtree: Searched, choices: int | None) -> tuple[int, int, float]:
    """Solutions, choices, and seconds for each choice."""
    began = perf_counter()
    running = started(get_backend(engine), subtree[0], None, subtree[1])
    status = Status.BUDGET
    while status is not Status.DONE and (choices is None or running.report().fits < choices):
        status = running.advance(STEPS if choices else 1 << 20, keep=False).status
    seconds, report = perf_counter() - began, running.report()
    return report.found, report.fits, seconds / max(report.fits, 1)


def measure(row: Row, repeats: int) -> str:
    """A line of a table: both engines on one matrix."""
    subtree = row.make()
    problem, task = subtree
    options = problem.n_options if task.root.allowed is None else int(task.root.allowed.sum())
    pace: dict[str, list[float]] = {engine: [] for engine in ENGINES}
    found: dict[str, tuple[int, int]] = {}
    for _ in range(repeats):
        for engine in ENGINES:
            solutions, choices, each = search(engine, subtree, row.choices)
            pace[engine].append(each)
            found[engine] = solutions, choices
    if row.choices is None and found["dlx"] != found["bsx"]:
        raise SystemExit(f"{row.name}: the engines do not agree: {found}")
    solutions, choices = found["bsx"]
    dlx, bsx = (median(pace[engine]) for engine in ENGINES)
    return (
        f"  {row.name:12} {f'{options}x{problem.n_items}':>9} {solutions:8,} {choices:10,} "
        f"{dlx * choices:9.4f} {bsx * choices:9.4f} {dlx / bsx:9.2f} {row.article:>9}"
    )


def main() -> None:
    names = [row.name for rows in TABLES.values() for row in rows]
    parser = argparse.ArgumentParser(description="bsx beside dlx, on the matrices of the article")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    chosen = parser.parse_args()
    for engine in ENGINES:  # compiled before it is timed, for matrices of one word and of more
        for problem in (queens(5), queens(12)):
            search(engine, problem, 1000)
    for title, rows in TABLES.items():
        wanted = [row for row in rows if row.name in chosen.only]
        if not wanted:
            continue
        print(
            f"{title}\n  {'':12} {'matrix':>9} {'found':>8} {'choices':>10} {'dlx s':>9} "
            f"{'bsx s':>9} {'dlx / bsx':>9} {'article':>9}"
        )
        for row in wanted:
            print(measure(row, chosen.repeats), flush=True)


if __name__ == "__main__":
    main()

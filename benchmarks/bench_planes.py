"""`planes` beside `bsx` and `dlx`: all solutions counted, listed, and the first one.

    python benchmarks/bench_planes.py [--repeats 5] [--only queens tiling ...]

Processor milliseconds in one process after compilation, tables included: the median of runs that
take turns. `fits` is the number of options chosen, which is the same for `bsx` and `dlx`. Tilings
are searched after the filters `redundancy` and `volume`, which are not timed. Where there are too
many solutions to list, the first 10,000 are taken.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import process_time

import exactcover as ec
from benchmarks.puzzles import read_puzzle
from exactcover.backends import Branching, Status, get_backend, started
from exactcover.problem import Problem
from exactcover.search.plan import make_plan
from exactcover.search.subject import Subject
from examples.langford import langford
from examples.latin_squares import latin_squares
from examples.queens import queens
from examples.sudoku import givens, sudoku
from tests.helpers.small_problems import branching

ENGINES = ("dlx", "bsx", "planes")
LISTED = 10_000
INKALA = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."

Subtree = tuple[Problem, Branching]


@dataclass(frozen=True)
class Row:
    """A row of the table: a class of problems, and whether all solutions are counted."""

    kind: str
    name: str
    make: Callable[[], Subtree]
    counted: bool = True


def plain(problem: Problem) -> Subtree:
    return problem, Branching()


def tiling(name: str) -> Subtree:
    """A shipped puzzle after the filters, symmetric copies left out."""
    puzzle = read_puzzle(name)
    model = puzzle.model
    strategy = ec.Strategy.parse("redundancy; volume; bsx:s")
    plan = make_plan(Subject.of(puzzle, "rotations"), strategy)
    return model.problem, branching((), plan.alive)


def quasigroup(side: int, empty: float) -> Subtree:
    """A Latin square of which this part of the cells is empty."""
    draw = random.Random(1)
    rows, columns, symbols = (draw.sample(range(side), side) for _ in range(3))
    cells = [(r, c) for r in range(side) for c in range(side)]
    kept = draw.sample(cells, round((1 - empty) * len(cells)))
    given = {(r, c): symbols[(rows[r] + columns[c]) % side] for r, c in kept}
    return plain(latin_squares(side, given))


def hard_sudoku() -> Subtree:
    return sudoku(), branching(tuple(givens([INKALA])[0]))


ROWS = (
    *(Row("queens", f"queens {n}", lambda n=n: plain(queens(n))) for n in (8, 10, 12)),  # type: ignore[misc]
    *(Row("langford", f"Langford {n}", lambda n=n: plain(langford(n))) for n in (8, 12)),  # type: ignore[misc]
    *(
        Row("tiling", name, lambda name=name: tiling(name))  # type: ignore[misc]
        for name in ("somacube", "dominoes_6x6", "pentominoes_10x6", "mutilated_chessboard")
    ),
    Row("latin", "Latin squares 5", lambda: plain(latin_squares(5))),
    Row("latin", "Latin squares 10", lambda: plain(latin_squares(10)), counted=False),
    Row("sudoku", "Sudoku (Inkala)", hard_sudoku),
    Row("sudoku", "Sudoku, empty", lambda: plain(sudoku()), counted=False),
    Row("quasigroup", "quasigroup 16, 70 % empty", lambda: quasigroup(16, 0.7), counted=False),
    Row("quasigroup", "quasigroup 20, 42 % empty", lambda: quasigroup(20, 0.42)),
    Row("quasigroup", "quasigroup 30, 42 % empty", lambda: quasigroup(30, 0.42), counted=False),
)


def search(
    engine: str, problem: Problem, task: Branching, most: int | None
) -> tuple[float, int, int]:
    """Seconds, solutions and fits: at most so many solutions listed, or all counted."""
    began = process_time()
    search = started(get_backend(engine), problem, None, task)
    status, found, fits = Status.BUDGET, 0, 0
    while status is not Status.DONE and (most is None or found < most):
        room = 1 << 12 if most is None else min(most - found, 1 << 12)
        made = search.advance(1 << 20, capacity=room, keep=most is not None)
        status, found, fits = made.status, found + made.found, fits + made.fits
    return process_time() - began, found, fits


def line(row: Row, what: str, most: int | None, repeats: int) -> str:
    """A line of the table."""
    problem, task = row.make()
    runs = [
        {engine: search(engine, problem, task, most) for engine in ENGINES} for _ in range(repeats)
    ]
    last = runs[-1]
    if what == "all" and len({solutions for _, solutions, _ in last.values()}) > 1:
        raise SystemExit(f"{row.name}: the engines do not agree: {last}")
    seconds = {engine: median(run[engine][0] for run in runs) for engine in ENGINES}
    columns = "".join(f" {1000 * seconds[e]:10.2f} {last[e][2]:11,}" for e in ENGINES)
    faster = min(seconds["dlx"], seconds["bsx"]) / seconds["planes"]
    return f"{row.name:26} {what:>7} {last['planes'][1]:8,}{columns} {faster:7.2f}"


def main() -> None:
    kinds = list(dict.fromkeys(row.kind for row in ROWS))
    parser = argparse.ArgumentParser(description="planes beside bsx and dlx")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=kinds, default=kinds)
    chosen = parser.parse_args()
    problem = queens(6)
    for engine in ENGINES:  # compiled before it is timed
        search(engine, problem, Branching(), 4)
    heads = "".join(f" {engine + ' ms':>10} {'fits':>11}" for engine in ENGINES)
    print(f"{'problem':26} {'':7} {'found':>8}{heads} {'faster':>7}")
    for row in ROWS:
        if row.kind in chosen.only:
            whole = ("all", None) if row.counted else ("10,000", LISTED)
            for what, most in (whole, ("first", 1)):
                print(line(row, what, most, chosen.repeats), flush=True)


if __name__ == "__main__":
    main()

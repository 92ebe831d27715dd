"""The automaton beside fila, in the same run: states beside a list.

    python benchmarks/bench_automaton.py [--repeats 3] [--only P OP18 PT12 ...]

Seconds are of the processor and tell of the machine; the ratios are what to look at. A row is one
way: how many solutions it finds, the median of its seconds, and how many times faster it is than
the first row of its case. To build the automaton, or the tables of fila, is part of it; to read the
puzzle and to filter its images is not. The ways take turns.

    P      the pentominoes in a box of 10 x 6, each solution once: X in a quarter of it
    OP30   the one-sided pentominoes in 30 x 3, each solution once
    OP18   the same in 18 x 5
    PT12   tetrominoes and pentominoes in a diamond with a bar hole: the automaton counts all
           solutions, fila lists a quarter of them, each once
    dominoes  20 x 20, counted
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import process_time

import numpy as np

from benchmarks import bench_fila
from benchmarks.puzzles import read_puzzle
from exactcover.backends import Branching, Node
from exactcover.backends.base import Phase
from exactcover.lattices import get_lattice
from exactcover.puzzle import Model, Piece, Puzzle, Region
from exactcover.search.solving import Solving
from tests.helpers.automaton_counts import total


@dataclass(frozen=True)
class Case:
    """A puzzle, and in what ways it is done.

    listed     how fila does it; it takes the cells in their order
    stages     else fila follows this strategy
    count_all  the automaton counts all solutions, not those that are left of the symmetries
    """

    listed: bench_fila.Case
    stages: str = ""
    count_all: bool = False


CASES = {
    "P": Case(bench_fila.CASES["P"]),
    "OP30": Case(bench_fila.CASES["OP30"]),
    "OP18": Case(
        bench_fila.Case("pentominoes_1s_18x5", {}, "X", filtered=True, counted="reflections")
    ),
    "PT12": Case(bench_fila.CASES["PT"], "dlx:s; fila:e@16; fila:f@3", count_all=True),
    "dominoes": Case(bench_fila.Case("", {})),
}


def dominoes(side: int) -> Model:
    region = Region(np.argwhere(np.ones((side, side))))
    domino = Piece("D", np.array([(0, 0), (1, 0)]), 0, None)
    return Puzzle(get_lattice("square"), region, (domino,)).model


def ways_of(case: Case) -> dict[str, Callable[[], int]]:
    """Each way with what runs it."""
    listed = case.listed
    if not listed.puzzle:
        model = dominoes(20)
        return {"automaton counts": lambda: total(model.problem, model.layout, Branching())}
    puzzle = read_puzzle(listed.puzzle)
    model = puzzle.model
    _, left, nodes = bench_fila.images_left(model, listed)
    task = Branching() if case.count_all else Branching(Node((), left))
    strategy = f"redundancy={listed.piece}; volume; {case.stages}"
    return {
        "fila lists": lambda: (
            Solving(puzzle, counted=listed.counted, strategy=strategy).run().solutions
            if case.stages
            else bench_fila.by_fila(model, nodes, (Phase("f"),)).solutions
        ),
        "automaton counts": lambda: total(model.problem, model.layout, task),
    }


def measure(case: Case, repeats: int) -> None:
    ways = ways_of(case)
    compiled = ways_of(CASES["P"])
    for run in compiled.values():
        run()  # compiled before it is timed
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    found = {}
    for _ in range(repeats):
        for name, run in ways.items():
            began = process_time()
            found[name] = run()
            seconds[name].append(process_time() - began)
    first = median(next(iter(seconds.values())))
    for name, solutions in found.items():
        its = median(seconds[name])
        print(f"  {name:18} {solutions:16,} {its:9.4f} {first / its:8.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="the automaton beside fila")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=CASES, default=list(CASES))
    chosen = parser.parse_args()
    print(f"  {'':18} {'solutions':>16} {'seconds':>9} {'faster':>8}")
    for name in chosen.only:
        print(f"{name}: {CASES[name].listed.puzzle}")
        measure(CASES[name], chosen.repeats)


if __name__ == "__main__":
    main()

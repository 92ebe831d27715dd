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
from itertools import product
from statistics import median
from time import process_time

import numpy as np
import numpy.typing as npt

import exactcover as ec
from exactcover.backends import Branching, Status, get_backend
from exactcover.backends.automaton import count
from exactcover.backends.base import Phase
from exactcover.lattices import get_lattice
from exactcover.problem.filters.redundancy import constrain
from exactcover.problem.filters.totals import volume
from exactcover.problem.filters.tree import FilterState
from exactcover.puzzle import Model, Piece, Puzzle, Region
from exactcover.search.solving import Solving
from tests.helpers.small_problems import branching
from tests.helpers.summed import started

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Case:
    """A puzzle, the piece that breaks its symmetries, and in what ways it is done.

    by_piece   fila places that piece first, as the article does
    stages     else fila follows this strategy; without one, it takes the cells in their order
    count_all  the automaton counts all solutions, not those that are left of the symmetries
    """

    puzzle: str
    piece: str | None = None
    counted: str = "rotations"
    by_piece: bool = False
    stages: str = ""
    count_all: bool = False


CASES = {
    "P": Case("pentominoes_10x6", "X", by_piece=True),
    "OP30": Case("pentominoes_1s_30x3", "W", "reflections"),
    "OP18": Case("pentominoes_1s_18x5", "X", "reflections", by_piece=True),
    "PT12": Case("PT12", "o", stages="dlx:s; fila:e@16; fila:f@3", count_all=True),
    "dominoes": Case(""),
}


def dominoes(side: int) -> Model:
    region = Region(list(product(range(side), repeat=2)))
    return Puzzle(get_lattice("square"), region, (Piece("D", [(0, 0), (1, 0)], 0, None),)).model


def by_engine(name: str, model: Model, tasks: list[Branching]) -> int:
    """List every solution."""
    found = 0
    for task in tasks:
        search = started(get_backend(name), model.problem, model.layout, task)
        while search.advance(1 << 20).status is not Status.DONE:
            pass
        found += search.report().found
    return found


def ways_of(case: Case) -> dict[str, Callable[[], int]]:
    """Each way with what runs it."""
    if not case.puzzle:
        model = dominoes(20)
        return {"automaton counts": lambda: count(model.problem, model.layout, Branching()).run()}
    puzzle = ec.read(case.puzzle)
    model = puzzle.model
    every = np.ones(model.problem.n_options, bool)
    allowed, shape = every, -1
    if case.piece is not None:
        shape = [group.title for group in model.groups].index(case.piece)
        allowed = constrain(model.layout, model.symmetries.selected(case.counted), shape).allowed
    left = volume(FilterState(model.board, (), allowed))
    fila = [branching((), left, phases=(Phase("f"),))]
    if case.by_piece:
        images = np.flatnonzero(left & (model.layout.option_shape == shape))
        fila = [branching((int(image),), left, phases=(Phase("f"),)) for image in images]
    task = branching((), every if case.count_all else left)
    strategy = f"redundancy={case.piece}; volume; {case.stages}"
    return {
        "fila lists": lambda: (
            Solving(puzzle, counted=case.counted, strategy=strategy).run().solutions
            if case.stages
            else by_engine("fila", model, fila)
        ),
        "automaton counts": lambda: count(model.problem, model.layout, task).run(),
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
        print(f"{name}: {CASES[name].puzzle}")
        measure(CASES[name], chosen.repeats)


if __name__ == "__main__":
    main()

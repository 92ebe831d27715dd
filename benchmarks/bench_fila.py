"""The fila engine with its settings, beside xcover on the same options, in the same run.

    python benchmarks/bench_fila.py [--repeats 3] [--only P TC OP30 ...] [--without xcover]

Seconds tell of the machine; the ratios are what to look at. A row is one way to search a puzzle:
how many solutions, images placed and images tried in vain, the median of the processor seconds it
took, and how many times faster it is than xcover (or, where that is left out, than the first row).
The ways take turns. Reading the puzzle and filtering its images is not counted; making the tables
is. xcover has the symmetries broken by the same images; where ours get fewer, by the volume filter,
xcover is also given those. Everybody lists all solutions.

    P      the pentominoes in a box of 10 x 6, each solution once: X in a quarter and placed first
    P all  the same, all solutions
    TC     the Tetris Cube, each solution once: L is placed first
    OP30   the one-sided pentominoes in a box of 30 x 3, each solution once
    SOMA   the Soma cube, all solutions
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from statistics import median
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt

import exactcover as ec
from exactcover.backends import Status, Task, get_backend
from exactcover.backends.base import Phase
from exactcover.filters.board import Position
from exactcover.filters.redundancy import constrain
from exactcover.filters.volume import volume
from exactcover.puzzle import Model

Ways = dict[str, tuple[Phase, ...]]


@dataclass(frozen=True)
class Case:
    """A puzzle of the shelf, the piece that breaks its symmetries, and the ways to search it.

    first     that piece is placed first, and each of its images is a task of its own
    filtered  the volume filter is applied once
    """

    puzzle: str
    ways: Ways
    piece: str | None = None
    first: bool = True
    filtered: bool = False
    counted: str = "rotations"


@dataclass
class Count:
    """What a search came to, and how long it took each time."""

    solutions: int = 0
    fits: int = 0
    nofits: int = 0
    seconds: list[float] = field(default_factory=list)


def first_cell(**settings: str) -> tuple[Phase, ...]:
    return (Phase("f", None, settings),)


def estimate(then: int, near: str, near_f: str) -> tuple[Phase, ...]:
    """`e`, and from so many pieces left on `f`."""
    return Phase("e", None, {"nof": near}), Phase("f", then, {"nof": near_f})


PLAIN: Ways = {
    "f nof=0": first_cell(nof="0"),
    "f nof=adjacent": first_cell(nof="adjacent"),
    "f nof=4": first_cell(nof="4"),
    "f nof": first_cell(),
    "f nof=8": first_cell(nof="8"),
    "f nof, 2 words": first_cell(words="2"),
}

CASES: dict[str, Case] = {
    "P": Case("pentominoes_10x6", PLAIN, "X", filtered=True),
    "P all": Case("pentominoes_10x6", PLAIN, filtered=True),
    "TC": Case(
        "tetriscube",
        {
            "e; f@3 nof=0": estimate(3, "0", "0"),
            "e; f@3 nof=adjacent": estimate(3, "adjacent", "adjacent"),
            "e; f@3 nof": estimate(3, "adjacent", "6"),
            "e; f@2 nof": estimate(2, "adjacent", "6"),
            "e; f@4 nof": estimate(4, "adjacent", "6"),
            "e nof": (Phase("e"),),
        },
        "L",
    ),
    "OP30": Case(
        "pentominoes_1s_30x3", PLAIN, "W", first=False, filtered=True, counted="reflections"
    ),
    "SOMA": Case("somacube", {**PLAIN, "e; f@2": estimate(2, "adjacent", "6")}),
}


Flags = npt.NDArray[np.bool_]


def images_left(model: Model, case: Case) -> tuple[Flags, Flags, list[Task]]:
    """The images before and after the filter, and the tasks that make up the search."""
    allowed = np.ones(model.problem.n_options, bool)
    shape = -1
    if case.piece is not None:
        shape = [group.title for group in model.groups].index(case.piece)
        symmetries = model.symmetries.selected(case.counted)
        allowed = constrain(model.layout, symmetries, shape).allowed
    filtered = volume(Position(model.board, (), allowed)) if case.filtered else allowed
    if case.piece is None or not case.first:
        return allowed, filtered, [Task((), filtered)]
    images = np.flatnonzero(filtered & (model.layout.option_shape == shape))
    return allowed, filtered, [Task((int(image),), filtered) for image in images]


def by_fila(model: Model, tasks: list[Task], phases: tuple[Phase, ...]) -> Count:
    count = Count()
    above = Task((), tasks[0].allowed, phases=phases)
    opening = get_backend("fila").opening(model.problem, model.layout, above)
    for task in tasks:
        search = opening.start(Task(task.chosen, task.allowed, phases=phases))
        while search.advance(1 << 20).status is not Status.DONE:
            pass
        count.solutions += search.found
        count.fits += search.fits
        count.nofits += search.nofits
    return count


def by_xcover(xcover: Any, matrix: npt.NDArray[np.bool_]) -> Count:
    return Count(solutions=sum(1 for _ in xcover.covers_bool(matrix)))


def matrix_of(model: Model, allowed: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    problem = model.problem
    matrix = np.zeros((problem.n_options, problem.n_items), bool)
    matrix[np.repeat(np.arange(problem.n_options), np.diff(problem.starts)), problem.entries] = True
    return matrix[allowed]


def rows(case: Case, xcover: Any) -> Iterator[tuple[str, Callable[[], Count]]]:
    """Each way with what runs it."""
    model = ec.read(case.puzzle).model
    allowed, filtered, tasks = images_left(model, case)
    if xcover is not None:
        matrix, less = matrix_of(model, allowed), matrix_of(model, filtered)
        yield "xcover", lambda: by_xcover(xcover, matrix)
        if case.filtered:
            yield "xcover, filtered too", lambda: by_xcover(xcover, less)
    for name, phases in case.ways.items():
        yield name, lambda phases=phases: by_fila(model, tasks, phases)


def measure(case: Case, xcover: Any, repeats: int) -> None:
    ways = list(rows(case, xcover))
    found: dict[str, Count] = {}
    for name, run in ways:
        if not name.startswith("xcover"):
            run()  # compiled before it is timed
    for _ in range(repeats):
        for name, run in ways:
            began = process_time()
            count = run()
            seconds = process_time() - began
            found.setdefault(name, count).seconds.append(seconds)
    reference = median(found[ways[0][0]].seconds)
    for name, count in found.items():
        its = median(count.seconds)
        print(
            f"  {name:22} {count.solutions:9,} {count.fits:13,} {count.nofits:15,} "
            f"{its:9.4f} {reference / its:8.2f}"
        )
    sys.stdout.flush()
    if len({count.solutions for count in found.values()}) > 1:
        raise SystemExit("they do not agree")


def main() -> None:
    parser = argparse.ArgumentParser(description="fila beside xcover")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--without", nargs="+", choices=["xcover"], default=[])
    chosen = parser.parse_args()
    xcover = None
    if "xcover" not in chosen.without:
        try:
            xcover = import_module("xcover")
        except ImportError:
            print("xcover is not installed, so it is left out: pip install xcover")
    print(f"  {'':22} {'solutions':>9} {'fits':>13} {'no-fits':>15} {'seconds':>9} {'faster':>8}")
    for name in chosen.only:
        print(f"{name}: {CASES[name].puzzle}")
        measure(CASES[name], xcover, chosen.repeats)


if __name__ == "__main__":
    main()

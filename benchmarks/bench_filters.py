"""What filters and triggers save: fits and seconds with them and without, in the same run.

    python benchmarks/bench_filters.py [--starts 60] [--left 17] [--budget 200000] [--repeats 3]
                                       [--only OP HBD]

Seconds tell of the machine; the ratios are what to look at, each to the first row of its table.

    OP     the one-sided pentominoes in a box of 30 x 3, all solutions. The volume filter takes 776
           of 1936 images away before the search, 765 of those that the redundancy filter leaves;
           the article found it nine times as fast.
    HBD    the hexominoes in the box in a diamond. Too large to be searched, so a sample is: starts
           drawn at random, with so many pieces left, each searched to its end or until its budget
           of choices is spent. As in the article the pieces of a start are placed
           counter-clockwise from 160 degrees on. All rows search below the same starts. In many of
           them the parity is lost already, as in the tree; HBD+ are those in which it is right.
           The article's rates of solutions: 1 with neither, 1.65 with the parity trigger, 2.4 with
           the parity filter at each step, 8.2 with that and the volume filter once.

All of it is searched by `dlx:s`, the article's min-fit heuristic.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from statistics import median
from time import perf_counter

import numpy as np

from benchmarks.puzzles import read_puzzle
from exactcover.backends import Branching, Status, get_backend
from exactcover.problem import Problem
from exactcover.problem.filters.totals import parity
from exactcover.problem.filters.tree import Subtree
from exactcover.puzzle.model import Model
from exactcover.search.plan import make_plan
from exactcover.search.solving import Solving
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from tests.helpers.small_problems import branching
from tests.helpers.summed import searched, started

ONE_SIDED = ("", "volume; ", "volume-trigger@9; ", "volume; volume-trigger@9; ")

DIAMOND = (
    "",
    "parity-trigger; ",
    "volume-trigger@6; ",
    "parity-trigger; volume-trigger@6; ",
    "parity@{step}; ",
    "volume; ",
    "volume; parity@{step}; ",
    "volume; parity-trigger; ",
    "volume; parity-trigger; volume-trigger@6; ",
)
"""`step` is one less than the pieces left: the start is filtered, and each node just below it."""

FIRST_ANGLE = 160.0

LEAST_FITS = 1_000
"""A start below which there is less to search is drawn again."""

LOOKS = 6
"""So often a random order is tried: what follows in it is much the same."""

Chosen = tuple[int, ...]


@dataclass(frozen=True)
class Row:
    """What one strategy did."""

    strategy: str
    solutions: int
    fits: int
    seconds: float
    note: str = ""


def table(rows: list[Row]) -> None:
    """Print the rows with their ratios to the first one."""
    first = rows[0]
    print(
        f"  {'strategy':54} {'solutions':>9} {'fits':>12} {'seconds':>9} "
        f"{'fewer fits':>10} {'faster':>7}"
    )
    for row in rows:
        print(
            f"  {row.strategy:54} {row.solutions:9,} {row.fits:12,} {row.seconds:9.3f} "
            f"{first.fits / max(1, row.fits):10.2f} {first.seconds / row.seconds:7.2f}  {row.note}"
        )
    sys.stdout.flush()


# -- the one-sided pentominoes, searched to the end -----------------------------------------------


def one_sided_pentominoes(repeats: int) -> None:
    puzzle = read_puzzle("pentominoes_1s_30x3")
    print(f"OP: {puzzle.model.problem.n_options} images")
    rows: dict[str, list[Row]] = {}
    for _ in range(repeats):
        for filters in ONE_SIDED:
            strategy = f"redundancy; {filters}dlx:s"
            result = Solving(puzzle, counted="rotations", strategy=strategy).run()
            removed = sum(one.removed for one in result.applied if one.filter == "volume")
            row = Row(
                strategy, result.solutions, result.fits, result.seconds,
                f"{removed} images removed" if removed else "",
            )  # fmt: skip
            rows.setdefault(strategy, []).append(row)
    table([replace(r[0], seconds=median(one.seconds for one in r)) for r in rows.values()])


# -- the box in a diamond, sampled ----------------------------------------------------------------


def turned(model: Model) -> np.ndarray:
    """The cells counter-clockwise around the centre, from the first angle on."""
    places = model.layout.positions
    x, y = (places - (places.min(axis=0) + places.max(axis=0)) / 2).T[:2]
    angles = (np.degrees(np.arctan2(y, x)) - FIRST_ANGLE) % 360
    return np.argsort(angles, kind="stable")


def start(model: Model, left: int, random: np.random.Generator) -> Chosen:
    """A random way to place all but so many pieces that is no dead end at once.

    With the items numbered as cells are turned to, `f` takes the cells in that order; the options
    are in random order. A search that comes so far that enough pieces are placed is looked into.
    """
    problem, layout = model.problem, model.layout
    pieces = int(layout.copies[:, 0].sum()) - left
    others = np.setdiff1d(np.arange(problem.n_items), layout.cell_item)
    number = np.argsort(np.concatenate([layout.cell_item[turned(model)], others]))
    while True:
        order = random.permutation(problem.n_options)
        rows = [np.sort(number[problem.items_of(option)]) for option in order.tolist()]
        starts = np.cumsum([0, *map(len, rows)])
        shuffled = Problem.from_arrays(problem.n_items, starts, np.concatenate(rows))
        search = started(get_backend("dlx"), shuffled, None, Branching.by("f"))
        looks = 0
        while looks < LOOKS and search.report().fits < 4_000:
            search.advance(1, keep=False)
            placed = search.where().chosen
            if len(placed) == pieces:
                chosen = tuple(order[list(placed)].tolist())
                looks += 1
                if is_alive(problem, chosen):
                    return chosen


def is_alive(problem: Problem, chosen: Chosen) -> bool:
    """Whether a search below it does not end at once: such a start costs no row anything."""
    search = started(get_backend("dlx"), problem, None, branching(chosen))
    while search.report().fits < LEAST_FITS:
        if search.advance(LEAST_FITS, keep=False).status is Status.DONE:
            return False
    return True


def has_parity(model: Model, chosen: Chosen) -> bool:
    everything = np.ones(model.problem.n_options, bool)
    colours = model.colourings()[0]
    return bool(parity(Subtree(model.problem, model, chosen, everything), colours).any())


def sampled(model: Model, text: str, starts: list[Chosen], budget: int) -> Row:
    """Search below every start with one strategy; the filters before the search are done once."""
    strategy = Strategy.parse(text)
    plan = make_plan(Subject(model.problem, model), strategy)
    solutions = fits = unfinished = gone = 0
    began = perf_counter()
    for chosen in starts:
        if not plan.alive[list(chosen)].all():
            gone += 1
            continue
        search = searched(plan, strategy, branching(chosen))
        batch = search.advance(1)
        while batch.status is not Status.DONE and search.report().fits < budget:
            batch = search.advance(min(100_000, budget), keep=False)
        solutions, fits = solutions + search.report().found, fits + search.report().fits
        unfinished += batch.status is not Status.DONE
    took = perf_counter() - began
    notes = [f"{gone} starts removed"] if gone else []
    notes += [f"{unfinished} unfinished"] if unfinished else []
    return Row(text, solutions, fits, took, ", ".join(notes))


def box_in_a_diamond(number: int, left: int, budget: int) -> None:
    model = read_puzzle("hexominoes_box_in_a_diamond").model
    strategies = [f"{filters.format(step=left - 1)}dlx:s" for filters in DIAMOND]
    random = np.random.default_rng(2011)
    began = perf_counter()
    starts = [start(model, left, random) for _ in range(number)]
    right = [chosen for chosen in starts if has_parity(model, chosen)]
    print(
        f"HBD: {number} starts with {left} pieces left, drawn in {perf_counter() - began:.0f} s",
        flush=True,
    )
    for text in strategies:
        sampled(model, text, starts[:1], 10)  # compiled before it is timed
    table([sampled(model, text, starts, budget) for text in strategies])
    print(f"HBD+: the {len(right)} of them whose parity is right")
    if right:
        table([sampled(model, text, right, budget) for text in strategies])


def main() -> None:
    parser = argparse.ArgumentParser(description="what filters and triggers save")
    parser.add_argument("--starts", type=int, default=60)
    parser.add_argument("--left", type=int, default=17)
    parser.add_argument("--budget", type=int, default=200_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=("OP", "HBD"), default=["OP", "HBD"])
    chosen = parser.parse_args()
    if "OP" in chosen.only:
        one_sided_pentominoes(chosen.repeats)
    if "HBD" in chosen.only:
        box_in_a_diamond(chosen.starts, chosen.left, chosen.budget)


if __name__ == "__main__":
    main()

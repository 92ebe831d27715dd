"""Measure how counts grow with the size of a board, and plot it: `python docs/pictures/growth.py`.

Each family of boards is counted by an engine that lists solutions, by one that remembers
subproblems, and by one that keeps states, until a count takes more than `SECONDS` of the processor.
The figures are kept in `growth.csv` beside this file. With `--draw` they are drawn again without
measuring.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from time import process_time

from matplotlib.figure import Figure

import exactcover as ec
from exactcover.puzzle.library import piece_set
from exactcover.search.automatic import automatic
from exactcover.search.subject import Subject
from exactcover.show.render.plots import Plot

HERE = Path(__file__).parent
TABLE = HERE / "growth.csv"
SECONDS = 4.0

LISTING, STATES = "listing", "states"
ENGINES = {LISTING: "", "subproblems": "memo:f memory=2000", STATES: "automaton:narrow memory=3000"}
COLOURS = {LISTING: "#c2410c", "subproblems": "#7c3aed", STATES: "#0369a1"}


@dataclass(frozen=True)
class Measured:
    """One count; `states` is 0 for an engine that keeps none."""

    family: str
    size: int
    engine: str
    solutions: int
    seconds: float
    states: int


def one_sided(n: int) -> ec.Puzzle:
    """The first n one-sided pentominoes on a board n long and 5 wide."""
    names = list(piece_set("one-sided pentominoes").pieces)[:n]
    pieces = [f"{name} pentomino reflections false" for name in names]
    return ec.Puzzle.of(pieces, f"{n}x5")


FAMILIES: dict[str, tuple[str, str, range, Callable[[int], ec.Puzzle]]] = {
    "one_sided": ("The first n one-sided pentominoes on n x 5", "n", range(5, 19), one_sided),
    "dominoes": (
        "Dominoes on k x k",
        "k",
        range(2, 23, 2),
        lambda k: ec.Puzzle.of("domino any", f"{k}x{k}"),
    ),
    "pentacubes": (
        "Pentacubes of any shape in 2 x k x 5",
        "k",
        range(1, 7),
        lambda k: ec.Puzzle.of("pentacubes any", f"5x{k}x2", "cubic"),
    ),
    "hexiamonds": (
        "Hexiamonds of any shape in a strip n x 3",
        "n",
        range(2, 31, 2),
        lambda n: ec.Puzzle.of("hexiamonds any", f"parallelogram {n} 3"),
    ),
}


def measured(family: str, size: int, engine: str) -> Measured | None:
    """The count of all solutions by an engine; None if it takes too long."""
    puzzle = FAMILIES[family][3](size)
    strategy = ENGINES[engine] or str(automatic(Subject.of(puzzle, "all")))
    took = []
    for _ in range(2):  # the first run may compile, or read compiled code
        counting = ec.Counting(puzzle, counted="all", strategy=strategy, cache=False)
        began = process_time()
        try:
            while counting.step():
                if process_time() - began > SECONDS:
                    return None
        except ec.TooLarge:
            return None
        took.append(process_time() - began)
        if took[0] > 1:
            break
    kept = counting.kept
    states = kept.states if engine == STATES and kept is not None else 0
    return Measured(family, size, engine, counting.found, round(min(took), 5), states)


def measure() -> Iterator[Measured]:
    """All counts; an engine that is too slow for a size is not tried on larger boards."""
    for family, (_, _, sizes, _) in FAMILIES.items():
        for engine in ENGINES:
            for size in sizes:
                one = measured(family, size, engine)
                if one is None:
                    break
                yield one


def read() -> list[Measured]:
    """The figures in the table."""
    with TABLE.open(encoding="utf-8", newline="") as stream:
        return [
            Measured(
                row["family"],
                int(row["size"]),
                row["engine"],
                int(row["solutions"]),
                float(row["seconds"]),
                int(row["states"]),
            )
            for row in csv.DictReader(stream)
        ]


def drawn(family: str, rows: list[Measured]) -> Figure:
    """Seconds by engine on the left, states and solutions on the right."""
    title, letter, _, _ = FAMILIES[family]
    figure = Figure((9, 3.6), layout="constrained")
    figure.suptitle(title, fontsize=11)
    left, right = figure.subplots(1, 2)
    for engine in ENGINES:
        points = [row for row in rows if (row.family, row.engine) == (family, engine)]
        style = {"marker": "o", "markersize": 3.5, "color": COLOURS[engine]}
        left.plot([p.size for p in points], [p.seconds for p in points], label=engine, **style)
    points = [row for row in rows if (row.family, row.engine) == (family, STATES)]
    style = {"marker": "o", "markersize": 3.5}
    sizes = [p.size for p in points]
    right.plot(sizes, [p.states for p in points], label="states", color=COLOURS[STATES], **style)
    there = [p for p in points if p.solutions]
    right.plot(
        [p.size for p in there],
        [p.solutions for p in there],
        label="solutions",
        color="#57534e",
        **style,
    )
    for axes, what in ((left, "seconds"), (right, "number")):
        axes.set_yscale("log")
        axes.set_xlabel(letter)
        axes.set_ylabel(what)
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.grid(visible=True, color="#e7e5e4", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=9)
    return figure


def main(arguments: list[str]) -> None:
    """Measure, keep the figures, and draw them."""
    if "--draw" not in arguments:
        rows = []
        for one in measure():
            rows.append(one)
            sys.stdout.write(f"{one}\n")
            sys.stdout.flush()
        with TABLE.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(field.name for field in fields(Measured))
            writer.writerows(astuple(row) for row in rows)
    for family in FAMILIES:
        Plot(drawn(family, read())).save(HERE / f"growth_{family}.svg")


if __name__ == "__main__":
    main(sys.argv[1:])

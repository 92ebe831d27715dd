"""How counts grow with the size of a board: seconds, choices and states, as pictures.

    python -m counts.growth            measure, write counts/growth.csv, and draw
    python -m counts.growth --draw     draw the figures that are there

Each family of boards is counted by listing, by remembering subproblems, and by states, until a
count takes more than `SECONDS` of the processor or more memory than an engine is given.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from math import nan
from pathlib import Path
from time import process_time

from matplotlib.figure import Figure

import exactcover as ec
from exactcover.puzzle.library import piece_set
from exactcover.search.automatic import automatic
from exactcover.search.subject import Subject
from exactcover.show.plots import save_figure

TABLE = Path(__file__).parent / "growth.csv"
PICTURES = Path(__file__).parents[1] / "docs/pictures"

SECONDS = 10.0

ENGINES = {
    "listing": ("choices", "#c2410c"),
    "memo": ("subproblems", "#7c3aed"),
    "automaton": ("states", "#0369a1"),
}
"""For each engine, the word for its work, and its colour in the plots."""

STRATEGIES = {"memo": "memo:f memory=3000", "automaton": "automaton:narrow memory=3000"}


@dataclass(frozen=True)
class Measured:
    """One count; `made` is the number of its choices, subproblems or states."""

    family: str
    size: int
    engine: str
    solutions: int
    seconds: float
    made: int


@dataclass(frozen=True)
class Family:
    """Boards of one kind: the board of a size, and the sizes."""

    title: str
    letter: str
    sizes: range
    board: Callable[[int], ec.Puzzle]


def one_sided(n: int) -> ec.Puzzle:
    """The first n one-sided pentominoes on a board n long and 5 wide."""
    names = list(piece_set("one-sided pentominoes").pieces)[:n]
    pieces = [f"{name} pentomino" for name in names]
    return ec.puzzle_of(pieces, f"{n}x5", reflections=False)


FAMILIES = {
    "one_sided": Family(
        "The first n one-sided pentominoes on n x 5", "n", range(5, 19), one_sided
    ),
    "dominoes": Family(
        "Dominoes on k x k", "k", range(2, 27, 2),
        lambda k: ec.puzzle_of("domino any", f"{k}x{k}"),
    ),
    "pentacubes": Family(
        "Pentacubes of any shape in 5 x 2 x k", "k", range(1, 8),
        lambda k: ec.puzzle_of("pentacubes any", f"5x2x{k}", "cubic"),
    ),
    "hexiamonds": Family(
        "Hexiamonds of any shape in a strip n x 6", "n", range(1, 25),
        lambda n: ec.puzzle_of("hexiamonds any", f"parallelogram {n} 6"),
    ),
}  # fmt: skip


def measured(family: str, size: int, engine: str) -> Measured | None:
    """The count of all solutions by an engine; None if it takes too much time or memory."""
    puzzle = FAMILIES[family].board(size)
    strategy = STRATEGIES.get(engine) or str(automatic(Subject.of(puzzle, "all")))
    took: list[float] = []
    while len(took) < 2 and sum(took) < 1:  # the first run may compile
        counting = ec.Counting(puzzle, counted="all", strategy=strategy)
        began = process_time()
        try:
            while counting.step():
                if process_time() - began > SECONDS:
                    return None
        except ec.TooLarge:
            return None
        took.append(process_time() - began)
    result = counting.result
    return Measured(family, size, engine, result.solutions, round(min(took), 5), result.fits)


def measure() -> Iterator[Measured]:
    """All counts; an engine that is too slow for a size is not tried on larger boards."""
    for family, boards in FAMILIES.items():
        for engine in ENGINES:
            for size in boards.sizes:
                one = measured(family, size, engine)
                if one is None:
                    break
                yield one


def kept() -> list[Measured]:
    """The figures in the table."""
    with TABLE.open(encoding="utf-8", newline="") as stream:
        return [
            Measured(family, int(size), engine, int(solutions), float(seconds), int(made))
            for family, size, engine, solutions, seconds, made in list(csv.reader(stream))[1:]
        ]


def drawn(family: str, rows: list[Measured]) -> Figure:
    """Seconds on the left; choices, subproblems, states and solutions on the right."""
    figure = Figure((9, 3.6), layout="constrained")
    figure.suptitle(FAMILIES[family].title, fontsize=11)
    seconds, numbers = figure.subplots(1, 2)
    for engine, (made, colour) in ENGINES.items():
        rows_of_engine = [row for row in rows if row.engine == engine]
        sizes = [row.size for row in rows_of_engine]
        style = {"marker": "o", "markersize": 3.5, "color": colour}
        seconds.plot(sizes, [row.seconds for row in rows_of_engine], label=engine, **style)
        numbers.plot(sizes, [row.made or nan for row in rows_of_engine], label=made, **style)
    solutions = sorted({(row.size, row.solutions) for row in rows if row.solutions})
    numbers.plot(*zip(*solutions, strict=True), "--", label="solutions", color="#57534e")
    for axes, what in ((seconds, "processor seconds"), (numbers, "number")):
        axes.set_yscale("log")
        axes.set_xlabel(FAMILIES[family].letter)
        axes.set_ylabel(what)
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.grid(visible=True, color="#e7e5e4", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=9)
    return figure


def main() -> None:
    """Measure, keep the figures, and draw them."""
    if "--draw" not in sys.argv[1:]:
        rows = []
        for row in measure():
            rows.append(row)
            sys.stdout.write(f"{row}\n")
            sys.stdout.flush()
        with TABLE.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            names = [field.name for field in fields(Measured)]
            writer.writerows([names, *([getattr(row, name) for name in names] for row in rows)])
    for family in FAMILIES:
        rows = [row for row in kept() if row.family == family]
        save_figure(drawn(family, rows), PICTURES / f"growth_{family}.svg")


if __name__ == "__main__":
    main()

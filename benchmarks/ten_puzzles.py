"""Draw the plots of `docs/ten-puzzles.md` from the results of `benchmarks.sweep`.

    python -m benchmarks.ten_puzzles [build/sweep.jsonl]

Each plot compares what a command does by itself with the named strategies. Pale bars are runs that
were broken off: they take at least this long.
"""

from __future__ import annotations

import json
import sys
from math import inf
from pathlib import Path
from statistics import median
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from exactcover.show.render.palette import FAINT, GROUND, INK
from exactcover.show.render.plots import Look, Plot, dress

PICTURES = Path(__file__).parent.parent / "docs/pictures"

TEN = (
    ("square/pentominoes_square_8x8", "count"),
    ("square/PT12", "count"),
    ("square/pentominoes_1s_18x5", "count --all"),
    ("square/PT12_spread", "solve"),
    ("cubic/tetriscube", "count"),
    ("cubic/bedlamcube", "count"),
    ("cubic/y_pentacubes_5x5x5", "count --all"),
    ("sticks-square/tetrasticks_5x5_without_J", "solve"),
    ("hypercubic-6/dominoes_2x2x2x2x2x2", "count --all"),
    ("square/calendar_any", "count"),
)

DEFAULT = "the default"


def bars(row: dict[str, Any]) -> dict[str, tuple[float, bool]]:
    """The seconds of the default and of each strategy, and whether it was finished."""
    found = {DEFAULT: (median(one["seconds"] for one in row["default"]), True)}
    for text, ran in sorted(
        row["named"].items(), key=lambda one: (one[1]["seconds"], one[1]["least"])
    ):
        finished = ran["seconds"] < inf
        found[text] = (ran["seconds"] if finished else ran["least"], finished)
    if row["paired_best"]:
        found[row["best"]] = (median(one["seconds"] for one in row["paired_best"]), True)
    return found


def drawn(row: dict[str, Any]) -> Plot:
    """The plot of a row."""
    look, found = Look("light"), bars(row)
    figure = Figure(
        figsize=(8.5, 0.9 + 0.26 * len(found)), layout="constrained", facecolor=look.of(GROUND)
    )
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for number, (text, (seconds, finished)) in enumerate(found.items()):
        colour = look.line(0) if text == DEFAULT else look.line(1)
        axes.barh(number, seconds, label=text, color=colour if finished else look.of(FAINT))
        said = f" {seconds:.2f}" if finished else f" over {seconds:.1f}"
        axes.text(seconds, number, said, va="center", color=look.of(INK), fontsize=8)
    dress(axes, f"{row['command']} {row['puzzle']}", look, across="seconds", whole=False)
    axes.grid(visible=False, axis="y")
    axes.title.set_parse_math(False)
    axes.set_yticks(range(len(found)), found, fontsize=8)
    axes.margins(x=0.1)
    axes.invert_yaxis()
    return Plot(figure, "strategy")


def main(path: Path) -> None:
    """Draw what is measured; say what is not."""
    rows = map(json.loads, path.read_text().splitlines())
    measured = {(row["puzzle"], row["command"]): row for row in rows if row["default"]}
    for name, command in TEN:
        row = measured.get((name, command))
        if row is None:
            print(f"{command} {name}: not measured")
            continue
        drawn(row).save(PICTURES / f"choice_{name.rpartition('/')[2]}.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/sweep.jsonl"))

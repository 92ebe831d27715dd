"""What is chosen for somebody who names no strategy, beside what could have been chosen.

    python benchmarks/bench_automatic.py [--repeats 3] [--only somacube PT12_spread ...] [--long]

All solutions are listed, symmetric ones once, each way after the same filters: `redundancy` and
`volume`. A row is a puzzle; a column the processor seconds of one strategy, filters and tables
counted, reading and compiling not, the median of runs that take turns. The last two columns are the
automatic strategy's seconds, and how they compare with the best: 1 where the best was chosen. A
strategy that has taken ten times the seconds of the best so far is stopped, and shown as `-`.
"""

from __future__ import annotations

import argparse
import sys
from math import inf, nan
from statistics import geometric_mean, median
from time import process_time

from benchmarks.puzzles import read_puzzle
from exactcover.errors import CapabilityError
from exactcover.problem.layout import pieces_left
from exactcover.puzzle import Puzzle
from exactcover.search.solving import Solving

FILTERS = "redundancy; volume; "

STRATEGIES = {
    "bsx:s": "bsx:s",
    "dlx:s": "dlx:s",
    "dlx; fila:f nof=6": "dlx:s; fila:f@{below} nof=6",
    "dlx; fila:e, f@3": "dlx:s; fila:e@{below}; fila:f@3",
    "dlx; fila:s, f@3": "dlx:s; fila:s@{below}; fila:f@3",
}
"""What is beside the automatic strategy; `below` is one piece less than there are."""

PUZZLES = (
    "tetracubes_4x4x2", "tetracubes_8x2x2", "somacube", "soma_crystal", "soma_tower",
    "steinhaus_cube", "conway_5x5x5", "solid_pentominoes_10x3x2", "solid_pentominoes_6x5x2",
    "solid_pentominoes_5x4x3", "tetrahexes_7x4", "tetrahexes_rectangle",
    "tri_and_tetrahexes_hexagon", "pyramid_55", "hexiamonds_6x6", "pentominoes_20x3",
    "pentominoes_15x4", "pentominoes_12x5", "pentominoes_10x6", "pentominoes_8x8_corners",
    "pentominoes_square_8x8", "pentominoes_1s_30x3", "PT12_spread",
)  # fmt: skip

LONG = ("tetriscube", "bedlamcube", "PT12")
"""These take from ten seconds to minutes each way."""

TIMES = 10
"""A strategy is given so many times the seconds of the best so far."""


def seconds_of(puzzle: Puzzle, strategy: str | None, most: float) -> tuple[float, int]:
    """The processor seconds of a search, and how many solutions it lists; too long: infinite."""
    solving = Solving(puzzle, counted="rotations", strategy=strategy)
    began = process_time()
    found = 0
    for _ in solving:
        found += 1
        if process_time() - began > most:
            return inf, 0
    return process_time() - began, found


def ways(puzzle: Puzzle) -> dict[str, str | None]:
    """The strategies that can search a puzzle, the automatic one last."""
    model = puzzle.model
    below = pieces_left(model.problem, model.layout) - 1
    told: dict[str, str | None] = {}
    for name, stages in STRATEGIES.items():
        strategy = FILTERS + stages.format(below=below)
        try:
            Solving(puzzle, counted="rotations", strategy=strategy, limit=1).run()
        except CapabilityError:
            continue
        told[name] = strategy
    Solving(puzzle, counted="rotations", limit=1).run()  # compiled before it is timed
    return {**told, "automatic": None}


def measure(name: str, repeats: int) -> float:
    """Print the row of a puzzle; how the automatic strategy compares with the best."""
    puzzle = read_puzzle(name)
    strategies = ways(puzzle)
    times: dict[str, list[float]] = {way: [] for way in strategies}
    found: set[int] = set()
    for _ in range(repeats):
        for way, strategy in strategies.items():
            if inf in times[way]:
                continue
            best = min((min(its) for its in times.values() if its), default=inf)
            seconds, solutions = seconds_of(puzzle, strategy, max(1.0, TIMES * best))
            times[way].append(seconds)
            if seconds < inf:
                found.add(solutions)
    if len(found) > 1:
        raise SystemExit(f"{name}: they do not agree: {sorted(found)}")
    medians = {way: median(its) for way, its in times.items()}
    ratio = medians["automatic"] / min(medians.values())
    cells = [medians.get(way, nan) for way in (*STRATEGIES, "automatic")]
    written = (f"{its:>20.3f}" if its < inf else f"{'-':>20}" for its in cells)
    print(f"{name:28}{puzzle.model.problem.n_options:>7}{''.join(written)}{ratio:>9.2f}")
    sys.stdout.flush()
    return ratio


def main() -> None:
    parser = argparse.ArgumentParser(description="the automatic strategy beside others")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--long", action="store_true", help="also what takes minutes")
    chosen = parser.parse_args()
    names = chosen.only or (*PUZZLES, *(LONG if chosen.long else ()))
    heads = "".join(f"{way:>20}" for way in (*STRATEGIES, "automatic"))
    print(f"{'':28}{'images':>7}{heads}{'to best':>9}")
    ratios = [measure(name, chosen.repeats) for name in names]
    print(f"the geometric mean of the last column: {geometric_mean(ratios):.2f}")


if __name__ == "__main__":
    main()

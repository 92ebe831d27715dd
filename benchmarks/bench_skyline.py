"""The search by skyline: Calibron 12 by the article's rules and with pruning, and beside CP-SAT.

    python benchmarks/bench_skyline.py [--repeats 5] [--cpsat 60] [--partridge]

The article's program takes 12 ms for the 1,910 backtracks to the first solution, largest first. The
kernel alone is timed, in processor seconds; the median of the repeats counts. CP-SAT gets the model
with NoOverlap2D, with one worker for all solutions. It is stopped after `--cpsat` seconds; then its
processor time and the ratio to it are lower bounds. With `--partridge` all solutions of order 8 are
counted too, which takes minutes.
"""

from __future__ import annotations

import argparse
from statistics import median
from time import monotonic, process_time

from benchmarks.puzzles import read_puzzle
from exactcover.backends import Status
from exactcover.backends.rectangles.no_overlap import NoOverlapSearch
from exactcover.backends.rectangles.skyline import SkylineSearch
from exactcover.base.values import Convention
from exactcover.problem.rectangles import Floor, FloorMotions

ARTICLE = 12e-3 / 1910
"""Seconds of the article's program for a backtrack."""

WHOLE = 1 << 60

CALIBRON = "calibron_12"
PARTRIDGE = "partridge_8"
SQUARED = ("squared_rectangle_33x32", "squared_rectangle_69x61", "squared_square_112x112")


def floor_of(name: str) -> Floor:
    """The floor of a puzzle that comes with the program."""
    floor = read_puzzle(name).floor
    assert floor is not None
    return floor


def searched(
    floor: Floor, order: str, rule: str, counted: Convention, first: bool, repeats: int
) -> tuple[float, SkylineSearch]:
    """The median seconds of a search, and the search."""
    seconds = []
    for _ in range(repeats):
        search = SkylineSearch(floor, order, rule, counted)
        begun = process_time()
        _, places = search.advance(WHOLE, capacity=1 if first else 1 << 20)
        seconds.append(process_time() - begun)
    # Those that are images of others are found too, where no corner shows it.
    search.found = int(FloorMotions.of(floor, search.poses, counted).fixing(places)[0].sum())
    return median(seconds), search


def show(name: str, seconds: float, search: SkylineSearch) -> None:
    print(
        f"{name:36}{search.found:>10,}{search.fits:>16,}{search.backtracks:>16,}"
        f"{seconds * 1e3:>14,.3f}{seconds / max(1, search.backtracks) * 1e9:>8,.0f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="the search by skyline")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--cpsat", type=float, default=60.0)
    parser.add_argument("--partridge", action="store_true")
    asked = parser.parse_args()
    calibron, partridge = floor_of(CALIBRON), floor_of(PARTRIDGE)
    searched(calibron, "largest", "pruned", "reflections", False, 1)  # loads the kernels
    print(f"{'':36}{'solutions':>10}{'placements':>16}{'backtracks':>16}{'ms':>14}{'ns':>8}")
    cases: list[tuple[str, str, str, Convention, bool]] = [
        ("Calibron 12, plain, first", "largest", "plain", "all", True),
        ("the same, smallest first", "smallest", "plain", "all", True),
        ("plain, all", "largest", "plain", "all", False),
        ("pruned, first", "largest", "pruned", "all", True),
        ("pruned, all", "largest", "pruned", "all", False),
        ("pruned, unique, largest first", "largest", "pruned", "reflections", False),
        ("pruned, unique, widest first", "widest", "pruned", "reflections", False),
    ]
    for name, order, rule, counted, first in cases:
        seconds, search = searched(calibron, order, rule, counted, first, asked.repeats)
        show(name, seconds, search)
        if rule == "plain":
            ratio = ARTICLE / (seconds / search.backtracks)
            print(f"    {ratio:,.0f} times as fast per backtrack as the article's program")
    for name in SQUARED:
        seconds, search = searched(
            floor_of(name), "largest", "pruned", "reflections", False, asked.repeats
        )
        show(f"{name}, unique", seconds, search)
    seconds, search = searched(partridge, "smallest", "pruned", "all", True, asked.repeats)
    show("partridge of order 8, first", seconds, search)
    if asked.partridge:
        seconds, search = searched(partridge, "smallest", "pruned", "reflections", False, 1)
        show("partridge of order 8, unique", seconds, search)

    print("\nCP-SAT with NoOverlap2D")
    for name in (CALIBRON, *SQUARED):
        floor = floor_of(name)
        mine, _ = searched(floor, "largest", "pruned", "all", False, asked.repeats)
        begun = process_time()
        cpsat, end, done = NoOverlapSearch(floor), monotonic() + asked.cpsat, False
        while not done and monotonic() < end:
            done = cpsat.advance(1)[0].status is Status.DONE
        show_cpsat(f"{name}, all", done, process_time() - begun, mine)
        assert cpsat._run is not None
        cpsat._run.wait(lambda: True)  # Python must not end before its thread does


def show_cpsat(name: str, done: bool, seconds: float, mine: float) -> None:
    least = "" if done else "more than "
    ratio = f"{least}{seconds / mine:,.0f} times as long as skyline"
    print(f"    {name}: {least}{seconds:.2f} s, {ratio}")


if __name__ == "__main__":
    main()

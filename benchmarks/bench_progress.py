"""The progress shown while a search runs, beside the share of its work that is really done.

    python benchmarks/bench_progress.py [PUZZLE ...] [--seeds 4]

The work is the choices, fits and no-fits. Each puzzle is searched once. `equal` counts sibling
branches equally. `shown` is the progress of the `Solving`, which weighs subtrees once the search
has run for a second. The other rows have weights made before the search, each from other probes.
All figures are percent. The error is the largest difference during the run; the cost is the
processor time of the weighing as a share of that of the search.
"""

from __future__ import annotations

import argparse
from random import Random
from time import perf_counter

import exactcover as ec
from exactcover.search.planned import PlannedSearch
from exactcover.search.weigher import SHARE
from exactcover.search.weighing import Weighing

PUZZLES = ("tetriscube", "pentominoes_1s_18x5")
AT = (0.1, 0.25, 0.5, 0.75)


def row(name: str, done: list[float], true: list[float], seconds: float, whole: float) -> None:
    at = [done[next(i for i, x in enumerate(true) if x >= share)] for share in AT]
    error = max(abs(a - b) for a, b in zip(done, true, strict=True))
    shares = "".join(f"{share:8.1%}" for share in at)
    print(f"  {name:14}{shares}{error:8.1%}{seconds / whole:8.2%}", flush=True)


def measured(puzzle: str, seeds: int) -> None:
    ec.Solving(ec.read(puzzle), time_limit=1).run()  # compiles, or loads what is compiled
    solving = ec.Solving(ec.read(puzzle))
    solving.step()
    search = solving._driver.search
    assert isinstance(search, PlannedSearch)
    assert search._search is not None
    seen, cost, began = [], 0.0, perf_counter()
    while solving.step():
        if search._weighing is not None:
            cost = search._weighing.seconds
        work = search.fits + search.nofits
        seen.append((work, search.position(), search._search.progress(), search.progress()))
    whole, choices = perf_counter() - began, search.fits + search.nofits
    true = [work / choices for work, *_ in seen]
    print(f"{puzzle}: {choices:,} choices, {whole:.1f} s")
    heads = "".join(f"{f'at {share:.0%}':>8}" for share in AT)
    print(f"  {'':14}{heads}{'error':>8}{'cost':>8}")
    row("equal", [equal for _, _, equal, _ in seen], true, 0.0, whole)
    row("shown", [shown for *_, shown in seen], true, cost, whole)
    for seed in range(seeds):
        weighing = Weighing(
            search.plan,
            search.strategy,
            seconds=SHARE * whole,
            choices=choices,
            random=Random(seed),
        )
        while weighing.advance():
            pass
        if weighing.weights is None:
            print(f"  weights {seed + 1}: not made")
            continue
        done = [
            weighing.weights.done(weighing.weights.before(position), work)
            for work, position, *_ in seen
        ]
        row(f"weights {seed + 1}", done, true, weighing.seconds, whole)


def main() -> None:
    parser = argparse.ArgumentParser(description="the progress shown beside the work done")
    parser.add_argument("puzzles", nargs="*", default=PUZZLES)
    parser.add_argument("--seeds", type=int, default=4)
    said = parser.parse_args()
    for puzzle in said.puzzles:
        measured(puzzle, said.seeds)


if __name__ == "__main__":
    main()

"""How much sooner several workers are done: threads, processes and Dask beside one thread.

    python -m benchmarks workers
    python benchmarks/bench_workers.py tetriscube --rounds 5 --workers 4

Each round measures all of them one after the other, so that a change of the machine's load meets
all alike; the load average stands beside each round. Both puzzles are listed by the first strategy
of the automatic choice: without a name, one worker would take PT12 by states. The quickest of all
rounds counts. Processor time is that of this process: threads should take no more of it than one
thread. Dask needs the extra `cluster`.
"""

from __future__ import annotations

import argparse
import os
from collections import defaultdict
from time import perf_counter, process_time

from distributed import LocalCluster

import exactcover as ec
from benchmarks.puzzles import read_puzzle
from exactcover.runs import Dask, Processes, Threads
from exactcover.search.automatic import candidates
from exactcover.search.begun import Team
from exactcover.search.subject import Subject

PUZZLES = "tetriscube", "PT12"


def seconds(puzzle: ec.Puzzle, team: Team | None) -> tuple[float, float, tuple[int, int, int]]:
    """The time and processor time of listing all solutions, and the figures, which must agree."""
    began, before = perf_counter(), process_time()
    strategy = candidates(Subject.of(puzzle, "rotations"))[0]
    with ec.Solving(puzzle, team=team, strategy=strategy) as solving:
        for _ in solving:
            pass
        result = solving.result
    spent = perf_counter() - began, process_time() - before
    return *spent, (result.solutions, result.fits, result.nofits)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("puzzles", nargs="*", default=PUZZLES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    local = LocalCluster(n_workers=asked.workers, threads_per_worker=1, dashboard_address=None)  # type: ignore[no-untyped-call]
    teams: dict[str, Team | None] = {
        "one thread": None,
        "threads": Threads(asked.workers),
        "processes": Processes(asked.workers),
        "Dask": Dask(local.scheduler_address),
    }
    for name in asked.puzzles:
        puzzle = read_puzzle(name)
        seconds(puzzle, None)  # compiles
        taken: dict[str, list[float]] = defaultdict(list)
        figures = set()
        for number in range(1, asked.rounds + 1):
            print(f"{name}, round {number}, load {os.getloadavg()[0]:.1f}", flush=True)
            for title, team in teams.items():
                spent, processor, found = seconds(puzzle, team)
                taken[title].append(spent)
                figures.add(found)
                print(f"  {title:11s}{spent:8.2f} s, processor {processor:8.2f} s", flush=True)
        assert len(figures) == 1, figures
        for title, rounds in taken.items():
            ratio = min(taken["one thread"]) / min(rounds)
            print(f"{name}: {title:11s}{min(rounds):8.2f} s, {ratio:.2f} times as quick")
    local.close()


if __name__ == "__main__":
    main()

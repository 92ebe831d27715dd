"""How soon one solution of a huge puzzle is found, by `exactcover solve --first`, over many seeds.

    python benchmarks/bench_first.py
    python benchmarks/bench_first.py partridge_8 hexominoes_rifle --seeds 5 --output first.jsonl

Each run is a process of its own, so its seconds are those that a user waits: starting, making the
tables, searching. The median counts a run without a solution as infinite. Each run is a line of
JSON in `--output`; what stands there already is not run again, so that a stopped benchmark goes on
where it was. Nothing else should run meanwhile.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from math import inf
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

HUGE = (
    "hexominoes_15x14",
    "hexominoes_rifle",
    "hexominoes_box_in_a_diamond",
    "hexominoes_1s_30x12",
    "heptominoes_33x23",
    "pentacubes_7x7x3",
    "n_pentacubes_5x5x5",
    "y_pentacubes_5x5x5",
    "heptiamonds_14x6",
    "hexahexes_29x17",
    "pentatesseracts_11x3x2x2",
)

PATIENCE = 60
"""Seconds beyond the time limit after which a run that does not end is an error."""


def run(puzzle: str, seed: int, time_limit: float, workers: int) -> dict[str, Any]:
    """One run: what it found, and how long it took."""
    command = [
        *(sys.executable, "-m", "exactcover", "solve", puzzle, "--first", "--json"),
        *("--seed", str(seed), "--time-limit", str(time_limit), "--workers", str(workers)),
        *("--progress", "none"),
    ]
    began = perf_counter()
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=time_limit + PATIENCE, check=False
    )
    seconds = perf_counter() - began
    record = json.loads(done.stdout or "{}")
    if "solutions" not in record:
        raise SystemExit(f"{' '.join(command)}\nended with {done.returncode}: {done.stderr}")
    return {
        "puzzle": puzzle,
        "seed": seed,
        "time_limit": time_limit,
        "workers": workers,
        "solved": record["solutions"] > 0,
        "seconds": round(seconds, 2),
    }


def _what(record: dict[str, Any]) -> tuple[Any, ...]:
    """What was asked in a run."""
    return tuple(record[key] for key in ("puzzle", "seed", "time_limit", "workers"))


def measure(asked: argparse.Namespace) -> None:
    """Make the runs that are not there yet and print a row of a table for each puzzle."""
    lines = asked.output.read_text(encoding="utf-8").splitlines() if asked.output.exists() else []
    known = {_what(record): record for record in map(json.loads, lines)}
    print("| puzzle | solved | median s | quickest | slowest |\n|---|---:|---:|---:|---:|")
    for puzzle in asked.puzzles or HUGE:
        runs = []
        for seed in range(1, asked.seeds + 1):
            wanted = puzzle, seed, asked.time_limit, asked.workers
            if wanted not in known:
                known[wanted] = run(*wanted)
                with asked.output.open("a", encoding="utf-8") as file:
                    file.write(f"{json.dumps(known[wanted])}\n")
            runs.append(known[wanted])
        print(row(puzzle, runs), flush=True)


def row(puzzle: str, runs: list[dict[str, Any]]) -> str:
    """A row of the table, of the runs of one puzzle."""
    seconds = sorted(one["seconds"] if one["solved"] else inf for one in runs)
    figures = " | ".join(f"{figure:.1f}" for figure in (median(seconds), seconds[0], seconds[-1]))
    return f"| {puzzle} | {sum(one['solved'] for one in runs)} of {len(runs)} | {figures} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("puzzles", nargs="*")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--time-limit", type=float, default=60.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--output", type=Path, default=Path("first.jsonl"))
    measure(parser.parse_args())


if __name__ == "__main__":
    main()

"""Our engines on published instances of exact cover, beside the times as published.

    python -m benchmarks.published_counts FOLDER
    python -m benchmarks.published_counts FOLDER --only grafo latin7 --strategies memo --limit 20

FOLDER is that of `python -m counts.published`, which compares the numbers. Each run is a process of
its own, after one that compiles. The figures are processor seconds of the search, of the whole
process, and MiB. Runs are kept in a file of JSON lines, and a second call makes only those that are
missing.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Any

import exactcover as ec
from counts.published.__main__ import PROGRAMS, instances, published

STRATEGIES = ("", "memo", "automaton:narrow", "dlx:s", "bsx:s")
"""The first is the default."""


def one(folder: Path, name: str, strategy: str) -> None:
    """Count an instance in this process, and print the number and the seconds of the search."""
    problem = instances(folder)[name].make()
    began = process_time()
    number = ec.count(problem, strategy=strategy or None)
    print(json.dumps({"count": str(number), "search": round(process_time() - began, 2)}))


def run(folder: Path, name: str, strategy: str, limit: float, mebibytes: int) -> dict[str, Any]:
    """Count an instance in a process of its own, within a number of processor seconds."""
    words = ["-m", "benchmarks.published_counts", "--one", str(folder), name, strategy]
    child = subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    seconds = round(limit + 1)
    resource.prlimit(child.pid, resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.prlimit(child.pid, resource.RLIMIT_DATA, (mebibytes << 20, mebibytes << 20))
    assert child.stdout is not None
    assert child.stderr is not None
    out, errors = child.stdout.read(), child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    took = {"seconds": used.ru_utime + used.ru_stime, "mib": round(used.ru_maxrss / 1024)}
    if child.returncode:
        said = errors.strip().splitlines()
        late = took["seconds"] > limit
        return took | {"count": None, "why": "limit" if late or not said else said[-1][:120]}
    return {**took, **json.loads(out)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is missing, and print a row for each instance."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="the folder of the instances")
    parser.add_argument("--only", nargs="+", default=[""], help="names with one of these words")
    parser.add_argument("--strategies", nargs="+", default=STRATEGIES, help="'' is the default")
    parser.add_argument("--limit", type=float, default=60.0, help="processor seconds of a run")
    parser.add_argument("--mib", type=int, default=5120, help="memory of a run")
    parser.add_argument("--results", type=Path, default=Path("build/published_counts.jsonl"))
    given = parser.parse_args(arguments)
    given.results.parent.mkdir(parents=True, exist_ok=True)
    lines = given.results.read_text().splitlines() if given.results.exists() else []
    done = {(ran["instance"], ran["strategy"]): ran for ran in map(json.loads, lines)}
    said, compiled = published(given.folder), set()
    print("instance | number |", " | ".join(one or "default" for one in given.strategies))
    for name in instances(given.folder):
        if not any(word in name for word in given.only):
            continue
        for strategy in given.strategies:
            if (name, strategy) in done:
                continue
            if strategy not in compiled:
                run(given.folder, name, strategy, given.limit, given.mib)
                compiled.add(strategy)
            ran = run(given.folder, name, strategy, given.limit, given.mib)
            done[name, strategy] = ran
            with given.results.open("a") as results:
                results.write(json.dumps({"instance": name, "strategy": strategy} | ran) + "\n")
        runs = [done[name, one] for one in given.strategies]
        found = " and ".join(sorted({ran["count"] or "?" for ran in runs}))
        times = [f"{ran['seconds']:.2f}" if ran["count"] else ran["why"][:20] for ran in runs]
        its = said.get(name, {})
        theirs = ", ".join(
            f"{PROGRAMS[key]} {its[key + '_s']}" for key in PROGRAMS if its.get(f"{key}_s")
        )
        print(f"{name} | {found} | {' | '.join(times)} | {theirs}", flush=True)
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(Path(sys.argv[2]), sys.argv[3], sys.argv[4])
    else:
        sys.exit(main())

"""Our engines on published instances of exact cover, beside the counts and times as published.

    python -m benchmarks.published_counts FOLDER
    python -m benchmarks.published_counts FOLDER --only grafo latin7 --strategies memo --limit 20

FOLDER has instances, or a folder `instances` of them, and may have `published.csv`: a line for each
instance, with the columns `instance`, `METHOD_count` and `METHOD_s`. An instance is a text in one
of three forms, which may be compressed as `.gz`: Knuth's, `p ec ITEMS` with lines `s ITEM ...`, or
a first line `ITEMS OPTIONS` with lines `SIZE ITEM ...`.

Each run is a process of its own, after one that compiles. The figures are processor seconds of the
search, of the whole process, and MiB. Runs are kept in a file of JSON lines, and a second call
makes only those that are missing.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import exactcover as ec
from exactcover.problem import Problem

STRATEGIES = ("", "memo", "automaton:narrow", "dlx:s", "bsx:s")
"""The first is the default."""


def read_instance(path: Path) -> Problem:
    """The problem of a file."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    lines = [line.split() for line in text.splitlines()]
    lines = [words for words in lines if words and words[0] not in ("c", "|")]
    head, *rest = lines
    if head[:2] == ["p", "ec"]:
        names = [str(item) for item in range(1, int(head[2]) + 1)]
        return Problem.from_options([words[1:] for words in rest], primary=names)
    if len(head) == 2 and all(map(str.isdigit, head)):
        names = [str(item) for item in range(1, int(head[0]) + 1)]
        return Problem.from_options([words[1:] for words in rest], primary=names)
    return Problem.from_options(rest, primary=head)


def instances(folder: Path) -> dict[str, Path]:
    """The files of a folder by their names without endings."""
    inner = folder / "instances"
    paths = sorted((inner if inner.is_dir() else folder).glob("*.*"))
    kept = (".dlx", ".dlx.gz", ".ec", ".ec.gz", ".txt", ".txt.gz")
    found = {}
    for path in paths:
        ending = next((end for end in kept if path.name.endswith(end)), None)
        if ending is not None and path.name != "README.txt":
            found[path.name.removesuffix(ending)] = path
    return found


def one(path: Path, strategy: str) -> None:
    """Count an instance in this process, and print the number and the seconds of the search."""
    problem = read_instance(path)
    counting = ec.Counting(problem, strategy=strategy or None)
    while counting.step():
        pass
    result = counting.result
    print(json.dumps({"count": str(result.solutions), "search": result.seconds}))


def run(path: Path, strategy: str, limit: float, mebibytes: int) -> dict[str, Any]:
    """Count an instance in a process of its own, within a number of processor seconds."""
    words = [sys.executable, "-m", "benchmarks.published_counts", "--one", str(path), strategy]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seconds = round(limit + 1)
    resource.prlimit(child.pid, resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.prlimit(child.pid, resource.RLIMIT_DATA, (mebibytes << 20, mebibytes << 20))
    assert child.stdout is not None
    assert child.stderr is not None
    out, errors = child.stdout.read(), child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    took = {"seconds": used.ru_utime + used.ru_stime, "mib": used.ru_maxrss / 1024}
    if child.returncode:
        said = errors.strip().splitlines()
        late = took["seconds"] > limit
        return took | {"count": None, "why": "limit" if late or not said else said[-1][:120]}
    return {**took, **json.loads(out)}


def published(folder: Path) -> dict[str, dict[str, str]]:
    """The lines of `published.csv` by instance."""
    path = folder / "published.csv"
    if not path.exists():
        return {}
    with path.open(newline="") as lines:
        return {row["instance"]: row for row in csv.DictReader(lines)}


def _line(name: str, runs: Mapping[str, Mapping[str, Any]], said: Mapping[str, str]) -> str:
    """A row of the table: the number, the seconds of each strategy, and what others published."""
    counts = {ran["count"] for ran in runs.values() if ran["count"] is not None}
    found = " and ".join(sorted(counts)) or "?"
    times = [
        f"{ran['seconds']:.2f}" if ran["count"] is not None else ran["why"][:20]
        for ran in runs.values()
    ]
    others = [
        f"{method.removesuffix('_s')} {seconds}"
        for method, seconds in said.items()
        if method.endswith("_s") and seconds
    ]
    wrong = {
        f"{key.removesuffix('_count')}: {number}"
        for key, number in said.items()
        if key.endswith("_count") and number and number not in counts
    }
    alarm = "  DIFFER" if len(counts) > 1 else ""
    differs = f"  published otherwise: {', '.join(sorted(wrong))}" if wrong and counts else ""
    return f"{name} | {found}{alarm} | {' | '.join(times)} | {', '.join(others)}{differs}"


def _kept(path: Path) -> Iterator[dict[str, Any]]:
    if path.exists():
        yield from map(json.loads, path.read_text().splitlines())


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
    done = {(ran["instance"], ran["strategy"]): ran for ran in _kept(given.results)}
    said, compiled = published(given.folder), set()
    print("instance | number |", " | ".join(one or "default" for one in given.strategies))
    for name, path in instances(given.folder).items():
        if not any(word in name for word in given.only):
            continue
        for strategy in given.strategies:
            if (name, strategy) in done:
                continue
            if strategy not in compiled:
                run(path, strategy, given.limit, given.mib)
                compiled.add(strategy)
            ran = run(path, strategy, given.limit, given.mib)
            done[name, strategy] = ran
            with given.results.open("a") as results:
                results.write(json.dumps({"instance": name, "strategy": strategy} | ran) + "\n")
        runs = {one or "default": done[name, one] for one in given.strategies}
        print(_line(name, runs, said.get(name, {})), flush=True)
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(Path(sys.argv[2]), sys.argv[3])
    else:
        sys.exit(main())

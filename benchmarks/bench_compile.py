"""Where the first run of a command goes: the compilation of each kernel, in an empty cache.

    python benchmarks/bench_compile.py [--functions | --totals] "solve --first --quiet somacube" ...

Each command runs in a process of its own, which records numba's event `numba:compile`. A row is a
kernel with one signature. Its seconds are processor seconds and include the functions that it
compiles on the way, such as numba's own; `--functions` lists these, too, each without those that it
compiles. A kernel with two rows has two signatures. The last rows are all kernels, and the whole
process; `--totals` prints nothing else. Commands that start worker processes are recorded in the
first process only.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

from exactcover.base import compiled
from exactcover.cli import main as run

DEFAULT = (
    "solve --first --quiet pentominoes_10x6",
    "count pentominoes_10x6",
    "count hexiamonds_6x6",
    "estimate pentominoes_10x6",
)


class Recorder:
    """Records each compilation from the import of numba on; it does not import numba itself.

    rows  of each function: its name and signature, whether no other was being compiled, the seconds
          that it took, and those without the functions that it compiled
    """

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, bool, float, float]] = []
        self._under_way: list[list[float]] = []
        self._numba = compiled._numba
        compiled._numba = cache(self._listened)

    def _listened(self) -> Any:
        numba = self._numba()
        from numba.core import event

        class Listener(event.Listener):
            on_start, on_end = staticmethod(self._on_start), staticmethod(self._on_end)

        event.register("numba:compile", Listener())  # type: ignore[no-untyped-call]
        return numba

    def _on_start(self, event: Any) -> None:
        self._under_way.append([process_time(), 0.0])

    def _on_end(self, event: Any) -> None:
        began, inner = self._under_way.pop()
        took = process_time() - began
        if self._under_way:
            self._under_way[-1][1] += took
        function = event.data["dispatcher"].py_func
        name = f"{function.__module__}.{function.__qualname__}".replace(".<locals>", "")
        signature = ", ".join(map(str, event.data["args"]))
        self.rows.append((name, signature, not self._under_way, took, took - inner))


def record(command: list[str], report: Path) -> None:
    """Run a command in this process, and write what it compiled as JSON."""
    recorder = Recorder()
    with suppress(SystemExit):
        run(command)
    report.write_text(json.dumps({"rows": recorder.rows, "whole": process_time()}))


def recorded(command: str) -> dict[str, Any]:
    """The kernels that a command compiles in an empty cache, see `record`."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(Path(folder) / "cache")}
        subprocess.run(
            [sys.executable, __file__, "--record", str(report), command],
            env=environment, cwd=folder, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        made: dict[str, Any] = json.loads(report.read_text())
        return made


def table(command: str, *, functions: bool, totals: bool) -> None:
    """Print the table of a command."""
    made = recorded(command)
    print(f"\n`{command}`\n\n| function | times | seconds |\n|---|---|---|")
    took: Counter[tuple[str, str]] = Counter()
    times: Counter[tuple[str, str]] = Counter()
    for name, signature, outer, seconds, own in made["rows"]:
        if outer or functions:
            took[name, signature] += own if functions else seconds
            times[name, signature] += 1
    for (name, signature), seconds in [] if totals else took.most_common():
        short = name.removeprefix("exactcover.")
        if len([one for one, _ in took if one == name]) > 1:
            short += f" ({signature})"
        print(f"| {short} | {times[name, signature]} | {seconds:.2f} |")
    print(f"| all {len(took)} | {sum(times.values())} | {sum(took.values()):.2f} |")
    print(f"| the whole process | | {made['whole']:.2f} |", flush=True)


def main() -> None:
    """Measure, and print a table for each command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("commands", nargs="*", default=DEFAULT, help="of exactcover, quoted")
    parser.add_argument("--functions", action="store_true", help="each function by itself")
    parser.add_argument("--totals", action="store_true", help="only the sums")
    parser.add_argument("--record", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.record:
        record(shlex.split(asked.commands[0]), asked.record)
        return
    for command in asked.commands:
        table(command, functions=asked.functions, totals=asked.totals)


if __name__ == "__main__":
    main()

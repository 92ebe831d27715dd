"""Compare the default of `count`, `count --counted all` and `solve` with named strategies.

    make sweep

    python -m benchmarks.sweep                        every shipped puzzle
    python -m benchmarks.sweep somacube PT12 --most 5
    python -m benchmarks.sweep --again                only the last step, of the rows that are there

Each run is a whole command in a process of its own with one worker. Its seconds are the seconds of
searching that it reports, times the share of a processor that the process had: a busy machine
changes them little. A run is broken off at 2.5 times the seconds of the best so far. So that slow
strategies are broken off early, all of them first get two seconds, then twelve, then the most that
is allowed. In the end the default and the best run in turns, five times each: a single pair of runs
of a second differs by a tenth from the next one. A puzzle whose default takes less than 0.2 s is
skipped, and one that no strategy solves within `--most` seconds.

The results are lines of JSON in `build/sweep.jsonl`. A second call skips what is there.
`sweep_table` writes the table of `docs/speed.md` from them.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from math import ceil, inf
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic

import exactcover as ec
from benchmarks.sweep_table import UNMATCHED
from exactcover.formats import shipped
from exactcover.problem.layout import pieces_left
from exactcover.puzzle import Puzzle

RESULTS = Path("build/sweep.jsonl")

COMMANDS = {
    "count": ("count",),
    "count --counted all": ("count", "--counted=all"),
    "solve": ("solve", "--quiet"),
}

FILTERS = {"count": "redundancy; volume; ", "count --counted all": "volume; "}
FILTERS["solve"] = FILTERS["count"]

LISTING = (
    "dlx:s; fila:f@{below}",
    "dlx:s; fila:e@{below}; fila:f@3",
    "bsx:s",
    "dlx:s; fila:s@{below}; fila:f@3",
    "dlx:s; fila:f@{below} nof=adjacent",
    "dlx:s",
)
"""Strategies that list the solutions of a puzzle; `below` is one piece less than there are."""

BY_STATES = "automaton:narrow"
"""It counts the solutions of a puzzle; it is no rival of `solve`, which always lists them."""

FOR_FLOORS = ("skyline:largest", "skyline:widest", "nooverlap")
"""Those that fill a rectangle with rectangles, which may be too large for a matrix of cells."""

PLAIN = ("planes:weighed", "bsx:s", "dlx:s")
PLAIN_COUNTS = "memo:f"

QUICK = 0.2
"""Puzzles that take less are skipped."""

SCREENED = 2.0
"""Seconds for each puzzle, to find those that take more."""

TIMES = 2.5
"""A strategy is broken off at this many times the seconds of the best."""

DEFAULT_TIMES = 6.0
"""So is the default, a little later, so that the table shows how bad it is."""

ROUNDS = (2.0, 12.0)
"""Seconds of the first rounds."""

PAIRS = 5
"""How often the default and the best run in turns."""

CLEARLY = 4.0
"""A strategy has no further round if its progress lets it expect so many times the best's."""

TINY = "tetrominoes_5x4"

START_UP = 1.5
"""Seconds of a process that are no search, at most."""


@dataclass(frozen=True)
class Ran:
    """What a run took.

    seconds  of searching, corrected for the share of a processor; infinite if it was broken off
    least    the seconds that it takes at least, and expected: by its progress
    wall, processor, mib  of the whole process
    """

    seconds: float
    least: float = 0.0
    expected: float = inf
    wall: float = 0.0
    processor: float = 0.0
    mib: float = 0.0
    solutions: int = -1
    strategy: str = ""


@dataclass
class Row:
    """A puzzle and a command: each named strategy's run, and the pairs of runs in the end."""

    puzzle: str
    command: str
    named: dict[str, Ran] = field(default_factory=dict)
    best: str = ""
    paired_best: list[Ran] = field(default_factory=list)
    default: list[Ran] = field(default_factory=list)
    note: str = ""

    def pair(self) -> None:
        """Run the default and the best in turns."""
        best = self.named[self.best].seconds
        most = max(DEFAULT_TIMES * best, best + 2)
        self.default, self.paired_best = [], []
        for _ in range(PAIRS):
            for strategy, runs in ((None, self.default), (self.best, self.paired_best)):
                ran = self.run(strategy, most)
                if ran is not None:
                    runs.append(ran)

    def run(self, strategy: str | None, most: float) -> Ran | None:
        """Run the default or a strategy, and say what it took."""
        ran = run(self.command, self.puzzle, strategy, most)
        said = "refused" if ran is None else f"{ran.seconds:.3f} s of at most {most:.1f}"
        print(f"  {self.command} {self.puzzle}: {strategy or 'default'}: {said}", flush=True)
        return ran

    @classmethod
    def read(cls, line: str) -> Row:
        """A row of the results."""
        told = json.loads(line)
        named = {text: Ran(**ran) for text, ran in told["named"].items()}
        runs = {name: [Ran(**ran) for ran in told[name]] for name in ("default", "paired_best")}
        return cls(**{**told, "named": named, **runs})


def run(command: str, puzzle: str, strategy: str | None, most: float) -> Ran | None:
    """Run a command for at most this many seconds of searching; None: it refuses the strategy."""
    words = [sys.executable, "-m", "exactcover", *COMMANDS[command], puzzle, "--json"]
    words += ["--workers", "1", "--progress", "json"]
    words += [] if strategy is None else ["--strategy", strategy]
    seconds = ceil(most + START_UP)
    with TemporaryFile("w+") as out, TemporaryFile("w+") as told:
        began = monotonic()
        child = subprocess.Popen(words, stdout=out, stderr=told)
        resource.prlimit(child.pid, resource.RLIMIT_CPU, (seconds, seconds + 1))
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        wall = monotonic() - began
        out.seek(0)
        told.seek(0)
        lines, said = out.read().splitlines(), told.read()
    if child.returncode in (1, 2):
        return None
    if "compiling" in said and child.returncode == 0:
        return run(command, puzzle, strategy, most)
    processor = used.ru_utime + used.ru_stime
    mib = used.ru_maxrss / 1024
    record = json.loads(lines[-1]) if lines else {}
    if record.get("status") not in ("complete", "impossible"):
        done = _progress(said)
        expected = processor / done if done else inf
        return Ran(inf, most, expected, wall, processor, mib)
    share = min(1.0, processor / wall)
    searched = record["seconds"] * share
    return Ran(
        searched, searched, searched, wall, processor, mib, record["solutions"], record["strategy"]
    )


@cache
def start_up() -> float:
    """The seconds that a search takes in a new process before it begins."""
    ran = [run("count", TINY, "dlx:s", START_UP) for _ in range(3)]
    return min(one.seconds for one in ran if one is not None)


def _progress(said: str) -> float:
    """The last share of the search that was reported as done."""
    done = 0.0
    for line in said.splitlines():
        if line.startswith("{"):
            done = json.loads(line).get("done") or done
    return float(done)


def strategies(puzzle: Puzzle | None, command: str) -> list[str]:
    """The texts to compare with, those that are usually good first."""
    if puzzle is None:
        return [PLAIN_COUNTS, *PLAIN] if command.startswith("count") else [*PLAIN]
    if puzzle.floor is not None:
        return [*FOR_FLOORS]
    model, filters = puzzle.model, FILTERS[command]
    pieces = pieces_left(model.problem, model.layout)
    stages = [one.format(below=pieces - 1) for one in LISTING]
    if pieces <= 4:
        stages = [one for one in stages if "fila" not in one]
    texts = [filters + one for one in stages]
    return [BY_STATES, *texts, filters + BY_STATES] if command.startswith("count") else texts


class Comparing:
    """The runs of one command on one puzzle."""

    def __init__(self, name: str, puzzle: Puzzle | None, command: str, most: float) -> None:
        self._most = most
        self._texts = strategies(puzzle, command)
        self.row = Row(name, command)

    def compare(self) -> Row:
        """Measure."""
        row, default = self.row, None
        for most in (*(some for some in ROUNDS if some < self._most), self._most):
            if default is None or default.seconds == inf:
                default = row.run(None, most)
                if default is None:
                    row.note = "the default fails"
                    return row
            self._round(most, default)
            if not row.best and default.seconds < inf:
                self._outlast(default.seconds)
            if row.best:
                break
            if default.seconds < inf:
                row.note = UNMATCHED
                row.default = [default]
                return row
        if not row.best:
            row.note = f"over {self._most:g} s each way"
            return row
        if row.named[row.best].seconds < QUICK + start_up():
            row.note = "quick"
            return row
        row.pair()
        return row

    def _round(self, most: float, default: Ran) -> None:
        """Run every strategy that may still be the best, for at most this many seconds."""
        named = self.row.named
        likely = sorted(self._texts, key=lambda text: text != default.strategy)
        for text in likely:
            best = min((one.seconds for one in named.values()), default=inf)
            bound = min(most, TIMES * min(best, default.seconds))
            done = named.get(text)
            if done is not None and (done.seconds < inf or done.least >= bound):
                continue
            expected = min((one.expected for one in named.values()), default=inf)
            if done is not None and done.expected > CLEARLY * expected:
                continue
            self._measure(text, bound)

    def _outlast(self, seconds: float) -> None:
        """Run every strategy for as long as the default took, those without hope, too: then that
        none is as quick does not rest on their progress.
        """
        for text in [*self._texts]:
            known = self.row.named.get(text)
            if known is None or known.least < seconds:
                self._measure(text, seconds)

    def _measure(self, text: str, most: float) -> None:
        """Run a named strategy, and note whether it is the best so far."""
        named, ran = self.row.named, self.row.run(text, most)
        if ran is None:
            self._texts.remove(text)
            return
        named[text] = ran
        if ran.seconds < inf:
            self.row.best = min(named, key=lambda one: named[one].seconds)


def known(path: Path) -> set[tuple[str, str]]:
    """The puzzles and commands that are measured already."""
    if not path.exists():
        return set()
    rows = map(json.loads, path.read_text().splitlines())
    return {(row["puzzle"], row["command"]) for row in rows}


def again(path: Path) -> None:
    """Run the pairs of all rows of the results once more, and keep each row when it is done."""
    rows = [Row.read(line) for line in path.read_text().splitlines()]
    for row in rows:
        if row.note:
            continue
        row.pair()
        path.write_text("".join(json.dumps(asdict(one)) + "\n" for one in rows))


def long_enough(command: str, names: Sequence[str]) -> list[str]:
    """The puzzles whose default takes at least 0.2 s, the start of the process not counted."""
    words = [sys.executable, "-m", "exactcover", *COMMANDS[command], *names, "--json"]
    words += ["--workers", "1", "--progress", "none", "--time-limit", str(SCREENED)]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    records = map(json.loads, done.stdout.decode().splitlines())
    return [one["puzzle"] for one in records if one["seconds"] >= QUICK]


def wanted(
    only: Sequence[str], commands: Sequence[str], path: Path
) -> Iterator[tuple[str, str, Puzzle | None]]:
    """The names, commands and puzzles to measure."""
    done, every = known(path), [*shipped.paths()]
    chosen = [name for name in every if not only or {name, name.rpartition("/")[2]} & {*only}]
    kept: dict[str, list[str]] = {}
    for command in commands:
        left = [name for name in chosen if (name, command) not in done]
        for name in long_enough(command, left) if left else []:
            kept.setdefault(name, []).append(command)
    for name in chosen:
        for command in kept.get(name, []):
            subject = ec.read(name)
            yield name, command, subject if isinstance(subject, Puzzle) else None


def main() -> None:
    """Measure what is not measured yet."""
    parser = argparse.ArgumentParser(description="the defaults beside named strategies")
    parser.add_argument("puzzles", nargs="*", help="their names; all by default")
    parser.add_argument("--most", type=float, default=60.0, help="seconds of the best, at most")
    parser.add_argument("--commands", nargs="+", choices=COMMANDS, default=list(COMMANDS))
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--again", action="store_true", help="run only the pairs, of all rows")
    chosen = parser.parse_args()
    if chosen.again:
        again(chosen.results)
        return
    chosen.results.parent.mkdir(parents=True, exist_ok=True)
    for name, command, puzzle in wanted(chosen.puzzles, chosen.commands, chosen.results):
        row = Comparing(name, puzzle, command, chosen.most).compare()
        with chosen.results.open("a") as results:
            results.write(json.dumps(asdict(row)) + "\n")


if __name__ == "__main__":
    main()

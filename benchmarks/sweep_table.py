"""Write the figures of `docs/speed.md` from the results of `benchmarks.sweep`.

    python -m benchmarks.sweep_table [build/sweep.jsonl]

The page gets the summary of each command, `benchmarks/results/sweep.csv` the rows, which Sphinx
shows. A row compares the default with the best named strategy: the medians of runs in turns. If
every named strategy was broken off, the ratio is an upper bound: the default's seconds to those
that each of them had.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, inf
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.page_section import with_section

PAGE = Path(__file__).parent.parent / "docs/speed.md"
FILE = Path(__file__).parent / "results/sweep.csv"

UNMATCHED = "no named strategy is as quick as the default"

GOOD, BAD, GRACE, MEMORY = 1.3, 2.0, 0.5, 4.0
"""The ratio at the 90th percentile, the worst ratio and the seconds beside it, and the ratio of
memory that the project aims at."""


@dataclass(frozen=True)
class Compared:
    """The default of a command on a puzzle, and the best named strategy, in seconds and MiB.

    finished  whether a named strategy was finished; else `best` is how long each of them had
    """

    puzzle: str
    command: str
    strategy: str
    best: float
    best_mib: float
    default: float
    mib: float
    finished: bool = True

    @classmethod
    def of(cls, row: dict[str, Any]) -> Compared | None:
        """The figures of a result; None: it compares nothing."""
        runs, pairs = row["default"], row["paired_best"]
        if row["note"] == UNMATCHED:
            name, last = min(row["named"].items(), key=lambda one: one[1]["least"])
            return cls(
                row["puzzle"], row["command"], name, last["least"], runs[0]["mib"],
                runs[0]["seconds"], runs[0]["mib"], finished=False,
            )  # fmt: skip
        if not pairs:
            return None
        return cls(
            row["puzzle"], row["command"], row["best"],
            median(one["seconds"] for one in pairs), median(one["mib"] for one in pairs),
            median(one["seconds"] for one in runs), max(one["mib"] for one in runs),
        )  # fmt: skip

    @property
    def ratio(self) -> float:
        return self.default / self.best

    @property
    def memory(self) -> float:
        return self.mib / self.best_mib

    @property
    def bad(self) -> bool:
        """Whether it takes longer than it ever may."""
        return self.default > BAD * self.best + GRACE


def summary(rows: Sequence[Compared]) -> Iterator[str]:
    """A table with a line for each command."""
    yield "| | puzzles | median | 90th percentile | worst | over 1.3 | over 2 and 0.5 s | memory |"
    yield "|---|---|---|---|---|---|---|---|"
    for command in dict.fromkeys(row.command for row in rows):
        yield _summary(f"`{command}`", [row for row in rows if row.command == command])
    yield _summary("all", rows)


def table(rows: Sequence[Compared]) -> Iterator[list[str]]:
    """The rows below their heading, the worst first; a colon marks columns of numbers."""
    yield ["puzzle", "command", "best strategy", "best s:", "default s:", "ratio:", "memory:"]
    for row in sorted(rows, key=lambda one: -one.ratio):
        default = f"{row.default:.2f}" if row.default < inf else "broken off"
        ratio = f"{row.ratio:.2f}" if row.ratio < inf else "over 6"
        strategy, best, memory = f"`{row.strategy}`", f"{row.best:.2f}", f"{row.memory:.1f}"
        if not row.finished:
            strategy, best, memory, ratio = "none is as quick", f"over {best}", "", f"under {ratio}"
        yield [row.puzzle, f"`{row.command}`", strategy, best, default, ratio, memory]


def _summary(name: str, rows: Sequence[Compared]) -> str:
    ratios = sorted(row.ratio for row in rows)
    at_90 = ratios[ceil(0.9 * len(ratios)) - 1]
    figures = (median(ratios), at_90, ratios[-1])
    over = sum(ratio > GOOD for ratio in ratios)
    bad = sum(row.bad for row in rows)
    return " | ".join(
        [f"| {name}", str(len(rows)), *(f"{one:.2f}" if one < inf else "over 6" for one in figures),
         str(over), str(bad), f"{max(row.memory for row in rows):.1f} |"]
    )  # fmt: skip


def main(path: Path) -> None:
    """Put the summary into the page, between its markers, and write the rows."""
    results = map(json.loads, path.read_text().splitlines())
    rows = [row for row in map(Compared.of, results) if row is not None]
    if not rows:
        raise SystemExit(f"{path}: no puzzle takes long enough to be compared")
    with FILE.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(table(rows))
    PAGE.write_text(with_section(PAGE.read_text(), "sweep", "\n".join(summary(rows))))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/sweep.jsonl"))

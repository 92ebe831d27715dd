"""The report of a command, and solutions: for a script as JSON, or for a person.

Each command makes an object and lines from what it found, and hands both to its `Printer`. The
words that several commands use are here: numbers of things, durations, the limit that ended a
search, tables.

Solutions are drawn on standard output or written to a file as they are found, as lines of JSON:

    {"puzzle": "somacube", "solution": 1, "placements": [...]}

The memory of both does not grow with the number of solutions.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import exactcover as ec
from exactcover.base.text import LARGE, escaped, joined, rounded
from exactcover.base.text.files import MIB
from exactcover.cli.files import Target, opened_file

if TYPE_CHECKING:
    from exactcover.base.values import Convention
    from exactcover.formats import Document
    from exactcover.search.result import Remaining
    from exactcover.show.palette import Wish

YEAR = 365.25 * 86400

SPENT = ("seconds", "compiling")
REASONS = ("reason", "why", "fault")

LINES = (".jsonl",)
"""The ending of files of solutions."""


class Printer(NamedTuple):
    """The value of `--json`: it prints an object for a script, or lines for a person.

    With a document, the object begins with the name of the puzzle, an empty reason is left out, and
    seconds are rounded; it ends with the provenance of its numbers. `origin` is what `provenance`
    takes and the object does not have.
    """

    as_json: bool = False

    def __call__(
        self,
        record: dict[str, Any],
        lines: Iterable[str] = (),
        document: Document | None = None,
        **origin: Any,
    ) -> None:
        if self.as_json and document is not None:
            from exactcover.trust.provenance import provenance

            used = origin.pop("strategies", (record.get("strategy", ""),))
            figures = {key: record.get(key) for key in ("counted", *SPENT)} | origin
            record = {
                "puzzle": document.name,
                **{key: value for key, value in record.items() if key not in REASONS or value},
                **{key: round(record[key], 6) for key in SPENT if key in record},
                "provenance": provenance(document, figures, used),
            }
        for line in [json_line(record)] if self.as_json else lines:
            print(line, flush=True)


def json_line(record: Mapping[str, Any]) -> str:
    """An object as a line of JSON without characters that upset a terminal. A date of a TOML file
    is a text."""
    return escaped(json.dumps(record, ensure_ascii=False, default=str))


def quantity(number: int, noun: str) -> str:
    """A number of things: `1 piece`, `2,339 pieces`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def parts_text(in_parts: Mapping[str, int]) -> str:
    """The pieces that are not connected, and the number of parts of each, as far as there is
    room."""
    each = (f"piece {name} is in {parts} separate parts" for name, parts in in_parts.items())
    return joined(each, ", ", room=100)


def solutions(number: int, counted: Convention, document: Document) -> str:
    """A number of solutions, and what counts as one."""
    return f"{quantity(number, 'solution')} ({document.counted_as(counted)})"


def duration(seconds: float) -> str:
    """A number of seconds in a unit that fits: `4.0 s`, `3.5 min`, `1.2e54 years`."""
    if seconds >= LARGE * YEAR:
        return f"{rounded(seconds / YEAR, seconds / YEAR / 10)} years"
    for unit, size in (("years", YEAR), ("d", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds:.1f} s"


def stopped_words(
    stopped_by: str, *, seconds: float | None = None, solutions: int = 0, memory: int = 0
) -> str:
    """The message about the limit that ended a run: seconds, solutions, or bytes of memory."""
    if stopped_by == "solutions":
        return f"stopped after {quantity(solutions, 'solution')} (limit)"
    if stopped_by == "states":
        return "for others it is not decided whether they come apart"
    if stopped_by == "memory":
        return f"stopped at {memory / MIB:,.0f} MiB (memory limit)"
    return f"stopped after {seconds or 0:g} s (time limit)"


def end_words(answer: Any, **limits: Any) -> str:
    """The words after a number of solutions: how the search ended, if it is not complete.

    answer  a result, with the limit that ended it, and why there is no solution
    limits  as for `stopped_words`
    """
    if answer.status == "complete":
        return ""
    if answer.status == "impossible":
        return f": {answer.reason}"
    if answer.status in ("limit", "unknown"):
        unknown = ": unknown" * (answer.status == "unknown")
        return f"{unknown} so far; {stopped_words(answer.stopped_by, **limits)}"
    return " so far; interrupted"


def table(rows: Sequence[Sequence[str]], left: Collection[int], indent: int = 2) -> Iterator[str]:
    """Rows as lines; the columns in `left` are aligned to the left, others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            word.ljust(width) if column in left else word.rjust(width)
            for column, (word, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield " " * indent + "  ".join(cells).rstrip()


def by_remaining(found: Sequence[Remaining]) -> Iterator[str]:
    """The options tried by the number of remaining pieces, as lines of a table."""
    if not found:
        return
    rows: list[tuple[str, ...]] = [("remaining", "stage", "attempts", "fits", "no-fits")]
    rows += [
        (str(row.remaining), row.stage, f"{row.attempts:,}", f"{row.fits:,}", f"{row.nofits:,}")
        for row in found
    ]
    totals = ((row.attempts, row.fits, row.nofits) for row in found)
    rows.append(("total", "", *(f"{sum(column):,}" for column in zip(*totals, strict=True))))
    yield from table(rows, left={1})


# -- solutions ------------------------------------------------------------------------------------


def written(solution: ec.Solution) -> list[Any]:
    """A solution for JSON: pieces with their cells, or the items of each option."""
    if solution.model is None:
        return [solution.problem.words_of(option) for option in solution.options]
    return [
        {"piece": placement.piece, "cells": [list(cell) for cell in placement.cells]}
        for placement in solution.placements
    ]


def key_of(document: Document) -> str:
    """The key of solutions in JSON."""
    return "placements" if document.puzzle else "options"


def write_line(stream: IO[str], document: Document, number: int, solution: ec.Solution) -> None:
    """Write a solution as a line of JSON, and flush it."""
    line = {"puzzle": document.name, "solution": number, key_of(document): written(solution)}
    stream.write(json.dumps(line, ensure_ascii=False) + "\n")
    stream.flush()


def draw_solution(heading: str, solution: ec.Solution, color: Wish) -> None:
    """Draw a solution, or a part of one, below a line of words, with its cost if it has one."""
    costs = solution.problem.costs is not None
    cost = f"\ncost {solution.cost:.15g}" if costs else ""
    print(f"{heading}\n{ec.draw(solution, color=color)}{cost}")


class Sink:
    """Takes the solutions of one puzzle after the other.

    output    where they are written as lines; None: nowhere
    color     how they are drawn on standard output; None: they are not
    keep      whether those of a puzzle are kept for its `record`
    picture   how many of all, which are `taken`, are kept for a picture, in `pictured`
    """

    def __init__(
        self, output: Target | None, color: Wish | None, *, keep: bool = False, picture: int = 0
    ) -> None:
        self._output, self.color = output, None if output else color
        self._keep, self._picture = keep, picture
        self._file: IO[str] | None = None
        self.record: dict[str, Any] = {}
        self.pictured: list[ec.Solution] = []
        self.taken = 0

    def __bool__(self) -> bool:
        """Whether it does anything with solutions."""
        return bool(self._output or self.color or self._keep or self._picture)

    def begin(self, document: Document) -> None:
        """Take the solutions of this puzzle from now on; a file is replaced now, and no earlier."""
        self._document, self.record = document, {key_of(document): []} if self._keep else {}
        if self._output is not None and (self._file is None or self._output.in_folder):
            self.close()
            self._file = opened_file(self._output.file_of(document.name))

    def add(self, solution: ec.Solution, number: int) -> None:
        """Take a solution."""
        self.taken += 1
        if self._file is not None:
            write_line(self._file, self._document, number, solution)
        if self.color is not None:
            from exactcover.show.text import heading

            draw_solution(heading(number), solution, self.color)
        for kept in self.record.values():
            kept.append(written(solution))
        if len(self.pictured) < self._picture:
            self.pictured.append(solution)

    def close(self) -> None:
        """Close the file, if one is open."""
        if self._file is not None:
            self._file.close()

"""The report of a command: an object of JSON for a script, or lines for a person.

Each command makes both from what it found, and hands them to its `Printer`. The words that several
commands use are here: numbers of things, durations, the limit that ended a search, tables.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from exactcover.base.text.names import escaped
from exactcover.base.text.numerals import LARGE, rounded

if TYPE_CHECKING:
    from exactcover.base.values import Convention
    from exactcover.formats import Document
    from exactcover.search.result import Remaining

MIB = 1 << 20

YEAR = 365.25 * 86400


@dataclass(frozen=True)
class Printer:
    """The value of `--json`: it prints an object for a script, or lines for a person."""

    as_json: bool = False

    def __call__(self, record: Mapping[str, Any], lines: Iterable[str] = ()) -> None:
        for line in [json_line(record)] if self.as_json else lines:
            print(line, flush=True)

    def with_origin(
        self,
        document: Document,
        record: dict[str, Any],
        lines: Iterable[str] = (),
        strategies: Sequence[str] | None = None,
        **figures: Any,
    ) -> None:
        """Print a record of a puzzle with the provenance of its numbers, or the lines.

        figures  those that `provenance` takes and the record does not have
        """
        if self.as_json:
            from exactcover.trust.provenance import provenance

            used = strategies if strategies is not None else (record.get("strategy", ""),)
            said = {key: record.get(key) for key in ("counted", "seconds", "compiling")}
            record["provenance"] = provenance(document, said | figures, used)
        self(record, lines)


def json_line(record: Mapping[str, Any]) -> str:
    """An object as a line of JSON without characters that upset a terminal. A date of a TOML file
    is a text."""
    return escaped(json.dumps(record, ensure_ascii=False, default=str))


def quantity(number: int, noun: str) -> str:
    """A number of things: `1 piece`, `2,339 pieces`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


NAMED = 5
"""A notice names at most this many pieces, and gives the number of the others."""


def parts_text(in_parts: Mapping[str, int]) -> str:
    """The pieces that are not connected, and the number of parts of each: `G is in 3 separate
    parts, H in 2`."""
    first, *others = list(in_parts.items())[:NAMED]
    more = len(in_parts) - NAMED
    return (
        f"piece {first[0]} is in {first[1]} separate parts"
        + "".join(f", {name} in {parts}" for name, parts in others)
        + (f", and {quantity(more, 'more piece')}" if more > 0 else "")
    )


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

"""Write the tables of `docs/sequences.md` from the records: `python -m counts.sequences.page`."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.page_section import with_section
from counts.pages import table
from counts.sequences.record import Record, methods
from counts.sequences.sequence import FOLDER, Sequence, sequences

PAGE = Path(__file__).parents[2] / "docs/sequences.md"

LONGEST = 24
"""Digits of a number that the page shows; the record has all of them."""


def page(text: str) -> str:
    """A page whose section between the marks shows what was counted."""
    return with_section(text, "sequences", section())


def section() -> str:
    """The table of the sequences that were continued, and the list of the others."""
    rows, whole, partly = [], [], []
    for one in sequences():
        record = Record(FOLDER / f"{one.number}.jsonl")
        new, same = new_terms(one, record), reproduced(one, record)
        if new:
            rows.append(_row(one, record, new))
        elif same == len(one.published):
            whole.append(one.number)
        elif same:
            partly.append(f"{one.number} {same}/{len(one.published)}")
    lines = ["| sequence | new | largest of them | engines | s |", "|---|--:|---|---|--:|"]
    return "\n".join(
        [
            *lines,
            *table(rows),
            "",
            f"All published terms of these {len(rows)} sequences are reproduced, and those of "
            f"{', '.join(whole)}. In part: {', '.join(partly)}.",
        ]
    )


def new_terms(sequence: Sequence, record: Record) -> list[int]:
    """The indices of the terms that are not published, and on which two engines agree."""
    counted = sorted({one.index for one in record.lines})
    unknown = (index for index in counted if sequence.published_at(index) is None)
    return [index for index in unknown if record.settled(index) is not None]


def reproduced(sequence: Sequence, record: Record) -> int:
    """How many of the published terms were counted with this result."""
    indices = range(sequence.first, sequence.first + len(sequence.published))
    return sum(
        any(one.value == sequence.published_at(index) for one in record.at(index))
        for index in indices
    )


def _row(sequence: Sequence, record: Record, new: list[int]) -> list[str]:
    found = max((record.at(index) for index in new), key=lambda found: found[0].value)
    value = str(found[0].value)
    if len(value) > LONGEST:
        value = f"{value[:12]}... ({len(value)} digits)"
    seconds = sum(one.seconds for one in found)
    term = f"a({found[0].index})={value}"
    return [sequence.number, str(len(new)), term, methods(found), f"{seconds:.2g}"]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
    sys.stdout.write(f"{PAGE}\n")

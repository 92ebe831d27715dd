"""Published numbers of solutions, each beside our own: the rows of `counts/known.csv`.

`python -m counts` writes the file. A row states a puzzle, the published number, and what was
counted here by two engines that work differently. The verdict follows from these numbers.
"""

from __future__ import annotations

import csv
import json
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal, get_args

from exactcover.base.values import CONVENTIONS, Convention
from exactcover.errors import FormatError
from exactcover.formats.files import parse
from exactcover.formats.shipped import read_puzzle
from exactcover.problem import Problem
from exactcover.puzzle import Puzzle
from exactcover.trust.provenance import METHODS

Verdict = Literal["holds", "differs by convention", "refuted", "not settled", "not expressible"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

FILE = Path(__file__).parent / "known.csv"
NEW = FILE.parent / "new.csv"
"""Counts that nobody has published, in the same columns; `expected` is then our own number."""

LISTINGS = ("fila:f", "dlx:s")
"""Two engines that list solutions and share no search: one fills the cells in their order, the
other covers the item with the fewest options. Neither has a filter or another stage."""

PROOF = ("proof", "certificate")
"""A certificate that there is no solution, and the program that checks certificates."""

EXHIBITED = ("solution", "check")
"""A solution of a puzzle that is said to have none, and the check of its placements."""


@dataclass(frozen=True)
class KnownCount:
    """A published number of solutions, and our own.

    id             the key of the row
    source         who published the number, and where
    name           what the puzzle is called there
    lattice        the lattice of the puzzle
    pieces, region as behind `pieces =` and `region =` in a TOML file; a bare text needs no quotes
                   A table has the pieces, and what all of them may do
    file           a file or a shipped puzzle, instead of pieces and region
    counted        the convention of the published number
    expected       the published number
    found          our number in the same convention; None if it is not known
    otherwise      our numbers in other conventions, as "all 48, rotations 2"; counted only where
                   `found` is not the published number. "parts 4" counts solutions up to motions of
                   each part of a region in several parts; "least 1" says that a solution is known
    engine         the first engine that found it
    second_engine  a second one, which works differently
    seconds        what the two took
    verdict        what follows from the numbers
    note           why a row is not expressible; the argument where it is refuted; other remarks
    """

    id: str
    source: str
    name: str
    lattice: str
    pieces: str
    region: str
    file: str
    counted: Convention
    expected: int
    found: int | None
    otherwise: str
    engine: str
    second_engine: str
    seconds: str
    verdict: Verdict
    note: str

    @property
    def expressible(self) -> bool:
        """Whether the row states a puzzle."""
        return bool(self.file or (self.pieces and self.region))

    @property
    def others(self) -> dict[str, int]:
        """Our numbers in other conventions."""
        pairs = (part.split() for part in self.otherwise.split(", ") if part)
        return {name: int(number) for name, number in pairs}

    def judged(self) -> Verdict:
        """The verdict that follows from the numbers."""
        if not self.expressible:
            return "not expressible"
        if not independent(self.engine, self.second_engine):
            return "not settled"
        if self.others.get("least", 0) > self.expected:
            return "refuted"
        if self.found is None:
            return "not settled"
        if self.found == self.expected:
            return "holds"
        if self.expected in self.others.values():
            return "differs by convention"
        return "refuted"

    def content(self) -> Puzzle | Problem:
        """The puzzle of the row; raises `FormatError` where it cannot be read."""
        if self.file:
            [document] = read_puzzle(self.file)
        else:
            lines = [f"lattice = {json.dumps(self.lattice)}"] if self.lattice else []
            pieces = toml_value(self.pieces)
            if pieces.startswith("{"):  # pieces, and what all of them may do
                said = tomllib.loads(f"said = {pieces}")["said"]
                lines += [f"{key} = {json.dumps(value)}" for key, value in said.items()]
            else:
                lines.append(f"pieces = {pieces}")
            lines.append(f"region = {toml_value(self.region)}")
            [document] = parse("\n".join(lines), "toml")
        return document.content


COLUMNS = tuple(one.name for one in fields(KnownCount))


def independent(first: str, second: str) -> bool:
    """Whether two strategies end with engines of different methods.

    Or are the two `LISTINGS`, or an argument and its check.
    """
    if (first, second) in (LISTINGS, LISTINGS[::-1], PROOF, EXHIBITED):
        return True
    methods = [METHODS.get(engine_of(one)) for one in (first, second)]
    return None not in methods and methods[0] != methods[1]


def engine_of(strategy: str) -> str:
    """The engine of the last stage of a strategy, which does most of the work."""
    return strategy.rpartition(";")[2].strip().partition(":")[0]


def engines_of(row: KnownCount) -> list[str]:
    """The engines that counted a row, by their names alone."""
    return [engine_of(one) for one in (row.engine, row.second_engine) if one]


def toml_value(text: str) -> str:
    """The text as a value of TOML: as it is, or quoted where it is bare."""
    return text if text.startswith(('"', "'", "[", "{")) else json.dumps(text)


def known_counts() -> list[KnownCount]:
    """The rows of the list."""
    return list(read_known(FILE))


def read_known(path: Path) -> Iterator[KnownCount]:
    """The rows of a file; raises `FormatError`, which says the line, if one is not well-formed."""
    with path.open(encoding="utf-8", newline="") as stream:
        table = csv.DictReader(stream)
        if tuple(table.fieldnames or ()) != COLUMNS:
            raise FormatError(f"the columns must be {', '.join(COLUMNS)}").at(file=str(path))
        for row in table:
            yield _row(row, str(path), table.line_num)


def _row(row: dict[str, str], file: str, line: int) -> KnownCount:
    counted = next((one for one in CONVENTIONS if one == row["counted"]), None)
    verdict = next((one for one in VERDICTS if one == row["verdict"]), None)
    numbers = [row["expected"], row["found"] or "0"]
    if counted is None or verdict is None or not all(one.isdecimal() for one in numbers):
        raise FormatError(
            "a row needs a convention, numbers in `expected` and `found`, and a verdict"
        ).at(file=file, line=line)
    texts = {
        key: value
        for key, value in row.items()
        if key not in ("counted", "expected", "found", "verdict")
    }
    return KnownCount(
        **texts,
        counted=counted,
        expected=int(numbers[0]),
        found=int(numbers[1]) if row["found"] else None,
        verdict=verdict,
    )


def write_known(rows: Iterable[KnownCount], path: Path) -> None:
    """Write the rows; the file is replaced at once."""
    partly = path.with_suffix(".part")
    with partly.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in rows:
            values = (getattr(row, column) for column in COLUMNS)
            writer.writerow(["" if value is None else value for value in values])
    partly.replace(path)

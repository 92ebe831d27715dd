"""Lists of puzzles: CSV files with a puzzle a row, and the number of solutions that is expected.

    name,pieces,region,counted,expected
    box,pentominoes,20x3,rotations,2
    ring,domino x 6,"[""4x4"", ""2x2 at 1,1""]",all,2

A row names a puzzle file or a shipped puzzle (`file`), or states a puzzle by the keys of a puzzle
file. A cell of these keys holds what stands on the right of `region =`; a text needs no quotation
marks. All other columns belong to the user, and are kept.

One wrong row leaves the others: it has a fault, which its `document` raises. Only what is wrong
with the file as a whole is raised when it is read.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from exactcover.base.text import COUNT_DIGITS, whole_number
from exactcover.base.text.files import text_of
from exactcover.base.text.toml import read_toml
from exactcover.base.values import CONVENTIONS, Convention
from exactcover.errors import FormatError, one_of, shown
from exactcover.formats.document import Document, Source, errors_at, one_line
from exactcover.formats.files import ENDINGS
from exactcover.formats.json_lines import read_values
from exactcover.formats.limits import MAX_LIST_BYTES
from exactcover.formats.shipped import LISTING, PICKED, read_puzzle

PUZZLE_KEYS = (
    "pieces", "region", "piece", "lattice", "reflections", "crossing", "turns", "wrap", "costs",
)  # fmt: skip
"""The columns that state a puzzle, as the keys of a puzzle file."""

OWN = ("name", "file", "counted", "expected")
"""The other columns that have a meaning."""

GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")
"""A number with commas between its groups of digits."""


@dataclass(frozen=True)
class ListRow:
    """One row of a list.

    name      of the puzzle, for the user
    line      where the row begins in the file
    list_file  the file of the list
    columns   all that the row has, as it stands
    keys      the keys of a puzzle file that state the puzzle; none: `place` has it
    place     the file or the shipped puzzle that is counted
    counted   what counts as one solution; None: the row does not say
    expected  the expected number of solutions; None: none
    fault     what is wrong with the row
    """

    name: str
    line: int
    list_file: str
    columns: Mapping[str, str]
    keys: Mapping[str, Any] = field(default_factory=dict)
    place: str = ""
    counted: Convention | None = None
    expected: int | None = None
    fault: FormatError | None = None

    def document(self) -> Document:
        """The puzzle; raises `FormatError`, which says the line, if there is none."""
        if self.fault is not None:
            raise self.fault
        if self.keys:
            return read_values(self.keys, self.line, Source("", self.name, self.list_file))
        found = read_puzzle(self.place)
        with errors_at(self.line, self.list_file):
            if len(found) != 1:
                message = f"{self.place} holds {len(found)} puzzles: pick one, as in {self.place}#1"
                raise FormatError(message)
        return replace(found[0], name=self.name)


@dataclass(frozen=True)
class RowList:
    """A list that has been read.

    columns  the names of all columns, in the order in which they first come up
    """

    file: str
    columns: tuple[str, ...]
    rows: tuple[ListRow, ...]


def is_list(place: str) -> bool:
    """Whether a place is a file that holds a list, not puzzles."""
    return place.lower().endswith(".csv") and not Path(place).is_dir()


def read_list(path: str | Path) -> RowList:
    """The rows of a list. Raises `FormatError`."""
    file = str(path)
    if not is_list(file):
        raise FormatError("a list ends with .csv", token=Path(path).suffix).at(file=file)
    source = Source(text_of(path, MAX_LIST_BYTES), file, file)
    source.check_characters()
    columns: tuple[str, ...] = ()
    rows: list[ListRow] = []
    for line, cells in _lines(source):
        if columns:
            rows.append(_row(f"row {len(rows) + 1}", line, columns, cells, file))
        else:
            columns = _heads(source, cells, line)
    if not rows:
        raise source.error("no row here: a list has at least one")
    if not {"file", "pieces", "piece"} & set(columns):
        raise source.error(
            f"a list needs a column `file`, or the columns `pieces` and `region`: there are "
            f"{', '.join(map(shown, columns))}"
        )
    return RowList(file, columns, tuple(rows))


def _lines(source: Source) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table with commas, semicolons or tabs between its cells, without blank ones,
    and the line on which each begins."""
    head = next((line for line in source.lines if line.strip()), "")
    separator = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(source.text, newline=""), delimiter=separator, strict=True)
    above = 0
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield above + 1, cells
            above = reader.line_num
    except csv.Error as error:
        raise source.error(f"not CSV: {error}", reader.line_num) from None


def _heads(source: Source, cells: Sequence[str], line: int) -> tuple[str, ...]:
    """The names of the columns; those that have a meaning are in small letters."""
    names = [cell.strip() for cell in cells]
    names = [low if (low := name.lower()) in (*OWN, *PUZZLE_KEYS) else name for name in names]
    for number, name in enumerate(names, 1):
        if not name:
            raise source.error(f"column {number} has no name", line)
        if names.index(name) < number - 1:
            raise source.error("two columns have one name", line, token=shown(name))
    return tuple(names)


# -- one row ---------------------------------------------------------------------------------------


def _row(name: str, line: int, columns: Sequence[str], cells: list[str], file: str) -> ListRow:
    values = dict.fromkeys(columns, "")
    for column, cell in zip(columns, cells, strict=False):
        values[column] = cell if "\n" in cell else cell.strip()  # a drawing keeps its lines
    row = ListRow(name, line, file, values)
    try:
        if len(cells) > len(columns):
            raise FormatError(
                f"{len(cells)} cells, and there are {len(columns)} columns: a cell with a comma "
                'needs quotation marks, "4,0"'
            )
        if said := values.get("name") or values.get("file"):
            row = replace(row, name=one_line(said, "name"))
        return replace(row, **_said(values, file))
    except FormatError as error:
        return replace(row, fault=error.at(line, file))


def _said(values: Mapping[str, str], file: str) -> dict[str, Any]:
    """The fields of a row that its values say; raises `FormatError`."""
    given = {key: value for key, value in values.items() if value}
    said: dict[str, Any] = {"counted": given.get("counted")}
    if said["counted"] not in (None, *CONVENTIONS):
        wrong = given["counted"]
        raise FormatError(f"no way of counting: {one_of(CONVENTIONS, wrong)}", token=shown(wrong))
    if "expected" in given:
        digits = number = given["expected"]
        if GROUPED.fullmatch(digits):
            digits = digits.replace(",", "")
        said["expected"] = whole_number(digits, COUNT_DIGITS)
        if said["expected"] is None:
            raise FormatError("expected must be a whole number", token=shown(number))
    keys = {key: _value(key, given[key]) for key in PUZZLE_KEYS if key in given}
    if "file" in given:  # the lattice may be said for a reader of the list
        if extra := ", ".join(key for key in keys if key != "lattice"):
            raise FormatError(f"a row with a file has its puzzle there: leave {extra} out")
        return said | {"place": _place(Path(file).parent, given["file"])}
    if keys.keys() <= {"lattice"}:
        raise FormatError("a row needs a file, or pieces and a region")
    return said | {"keys": keys}


def _place(folder: Path, said: str) -> str:
    """A file beside the list, or the name of a shipped puzzle."""
    picked = PICKED.fullmatch(said)
    name = picked[1] if picked else said
    if os.path.exists(folder / name):
        return str(folder / said)
    if name.lower().endswith(ENDINGS) or Path(name).is_absolute():
        raise FormatError(f"there is no such file beside the list; {LISTING}", token=shown(said))
    return said


def _value(key: str, cell: str) -> Any:
    """The value in a cell: a list, a table or a text as in TOML, or plain text."""
    if cell[0] not in "[{\"'" and cell not in ("true", "false"):
        return cell
    try:
        return read_toml(f"{key} = {cell}\n")[key]
    except FormatError as error:
        message = error.message.partition("\n")[0]
        raise FormatError(f"{key}: {message}", token=shown(cell)) from None

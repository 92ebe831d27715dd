"""Records of counted puzzles, as `--json` prints them: numbers with their provenance.

A file has one JSON object, or one on each line, or is a CSV file of `batch`. An object is a report
of `count`, `solve`, `run`, `verify` or `batch` with a key `provenance`, or a provenance alone.
Other lines, such as solutions, are passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exactcover.base.text.files import text_of, utf8
from exactcover.base.text.names import one_of
from exactcover.base.values import CONVENTIONS, Convention
from exactcover.errors import FormatError
from exactcover.formats.contents import MAX_LIST_BYTES, Document, Source, errors_at
from exactcover.formats.json_lines import read_object, said_lines
from exactcover.formats.lists import ListRow, rows_of_csv

ENDINGS = (".json", ".jsonl", ".csv")

KINDS = {
    "puzzle": str, "digest": str, "solutions": int, "whole": bool, "counted": str,
    "strategy": str, "engines": dict, "version": str, "date": str,
}  # fmt: skip
"""The keys that a provenance must have, and the type of each."""

DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class CountRecord:
    """A number of solutions with its provenance.

    line    where it stands in `file`
    origin  the provenance, with all keys of `KINDS`
    """

    file: str
    line: int
    origin: Mapping[str, Any]

    @property
    def name(self) -> str:
        return str(self.origin["puzzle"])

    @property
    def counted(self) -> Convention:
        counted: Convention = self.origin["counted"]
        return counted

    @property
    def place(self) -> dict[str, Any]:
        """Where the puzzle is stated, if its name does not say so: `file` or `given`."""
        return {key: self.origin[key] for key in ("file", "given") if key in self.origin}

    def document(self) -> Document:
        """The puzzle that was counted; raises `FormatError` if it cannot be found."""
        given = self.origin.get("given") or {}
        place = str(self.origin.get("file") or self.name)
        return ListRow(self.name, self.line, self.file, self.origin, given, place).document()


def has_records(place: str) -> bool:
    """Whether a file has records, not puzzles; no format of puzzles has the ending `.json`."""
    if Path(place).suffix not in ENDINGS or not Path(place).is_file():
        return False
    if Path(place).suffix == ".json":
        return True
    try:
        objects = _objects(text_of(place, MAX_LIST_BYTES), place)
    except FormatError:
        return False  # whoever reads it as puzzles says what is wrong
    return any(_origin(one) is not None for _, one in objects)


def read_records(place: str, raw: bytes | None = None) -> list[CountRecord]:
    """The records of a file, or of these bytes; raises `FormatError` if there are none."""
    text = text_of(place, MAX_LIST_BYTES) if raw is None else utf8(raw, place)
    found = []
    for line, one in _objects(text, place):
        if (origin := _origin(one)) is not None:
            with errors_at(line, place):
                _check(origin)
            found.append(CountRecord(place, line, origin))
    if not found:
        raise FormatError(
            "no record of a count here: give what a command printed with --json, which has a key "
            "`provenance`"
        ).at(file=place)
    return found


def _objects(text: str, place: str) -> list[tuple[int, dict[str, Any]]]:
    """The objects of a file with their lines: one that fills it, or one on each line."""
    found = []
    if place.endswith(".csv"):
        for number, values, _ in rows_of_csv(Source(text, file=place)):
            if cell := values.get("provenance"):
                with errors_at(number, place):
                    found.append((number, {"provenance": read_object(cell)}))
        return found
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        whole = None  # lines, or a fault that reading its line names
    if isinstance(whole, dict):
        return [(1, whole)]
    for number, line in said_lines(text.splitlines()):
        with errors_at(number, place):
            found.append((number, read_object(line)))
    return found


def _origin(one: Mapping[str, Any]) -> dict[str, Any] | None:
    """The provenance that an object has, or is."""
    found = one.get("provenance", one if "digest" in one and "engines" in one else None)
    return found if isinstance(found, dict) else None


def _check(origin: Mapping[str, Any]) -> None:
    if "solutions" not in origin:
        raise FormatError("this record has no number of solutions: count the puzzle first")
    for key, kind in KINDS.items():
        if not isinstance(origin.get(key), kind):
            raise FormatError(f"the provenance needs a key `{key}`", token=key)
    if not DIGEST.fullmatch(origin["digest"]):
        raise FormatError("a digest has 64 hexadecimal digits", token=str(origin["digest"])[:80])
    if origin["counted"] not in CONVENTIONS:
        wrong = origin["counted"][:80]
        raise FormatError(f"no way of counting; {one_of(CONVENTIONS, wrong)}", token=wrong)
    if origin["solutions"] < 0 or isinstance(origin["solutions"], bool):
        raise FormatError("a number of solutions is 0 or more", token="solutions")

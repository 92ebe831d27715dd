"""Records of counted puzzles, as `--json` prints them: numbers with their provenance.

A file has one JSON object, or one on each line. An object is a report of `count`, `solve`, `run`,
`verify` or `batch` with a key `provenance`, or a provenance alone. Other lines, such as solutions,
are passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from exactcover.base.text.files import text_of
from exactcover.base.values import CONVENTIONS, Convention
from exactcover.errors import ExactCoverError, FormatError, one_of
from exactcover.formats import shipped
from exactcover.formats.document import Document, Source, errors_at, one_line
from exactcover.formats.files import parse, write
from exactcover.formats.json_lines import read_object, read_values, said_lines
from exactcover.formats.limits import MAX_LIST_BYTES, MAX_STATED
from exactcover.puzzle import Puzzle
from exactcover.puzzle.digest import digest

ENDINGS = (".json", ".jsonl")

KINDS = {
    "puzzle": str, "digest": str, "solutions": int, "whole": bool, "counted": str,
    "strategy": str, "engines": dict, "version": str, "date": str,
}  # fmt: skip
"""The keys that a provenance must have, and the type of each."""

DIGEST = re.compile(r"[0-9a-f]{64}")


def statement(document: Document) -> dict[str, Any] | None:
    """The keys of a puzzle file that state a puzzle, for a record; `dlx` has a plain problem.

    None: it comes with the program, is too large, has colours, or Knuth's text cannot hold its
    names.
    """
    from exactcover.formats.toml.puzzles import table_of

    content = document.content
    if isinstance(content, Puzzle):
        size = len(content.space) + sum(len(piece.cells) for piece in content.pieces)
    else:
        size = len(content.entries)
    if size > MAX_STATED or _comes_with_the_program(document):
        return None
    if isinstance(content, Puzzle):
        if content.paint is not None:
            return None
        return table_of(Document(document.name, content))
    try:
        text = write([Document(document.name, content)], "dlx")
        [again] = parse(text, "dlx")
    except ExactCoverError:
        return None
    return {"dlx": text} if digest(again.content) == digest(content) else None


def _comes_with_the_program(document: Document) -> bool:
    """Whether everyone has the puzzle under its name."""
    path = shipped.paths().get(document.name.partition("#")[0])
    if document.file is not None or path is None:
        return document.file in [str(one) for one in shipped.paths().values()]
    try:
        found = shipped.read_puzzle(document.name)
    except ExactCoverError:
        return False
    return len(found) == 1 and digest(found[0].content) == digest(document.content)


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

    @property
    def where(self) -> str:
        """Where it stands: the file, and the line if the file has several."""
        return self.file if self.file.endswith(".json") else f"{self.file}:{self.line}"

    def document(self) -> Document:
        """The puzzle that was counted: as the record states it, else in the file that it names, or
        the shipped one of its name. Raises `FormatError` if there is none.
        """
        if given := self.origin.get("given"):
            if not isinstance(text := given.get("dlx"), str):
                return read_values(given, self.line, Source("", self.name, self.file))
            with errors_at(self.line, self.file):
                [document] = parse(text, "dlx", name=self.name)
            return document
        place = str(self.origin.get("file") or self.name)
        try:
            [document] = shipped.read_puzzle(place) if place.partition("#")[0] != "-" else []
        except (ExactCoverError, ValueError):
            raise FormatError(
                f"this record does not state its puzzle, and {place} holds none: say where it is "
                f"now, as in `exactcover verify {self.file} PUZZLE`; its digest is "
                f"{self.origin['digest']}"
            ).at(self.line, self.file) from None
        return replace(document, name=self.name)


def records_in(place: str) -> list[CountRecord] | None:
    """The records of a file; None: it holds puzzles, or is none. A `.json` file holds records: it
    raises `FormatError` if there are none."""
    surely = Path(place).suffix == ".json"  # no format of puzzles has this ending
    if not surely and (Path(place).suffix not in ENDINGS or not Path(place).is_file()):
        return None
    found = []
    try:
        objects = _objects(text_of(place, MAX_LIST_BYTES), place)
    except FormatError:
        if surely:
            raise
        return None  # whoever reads it as puzzles says what is wrong
    for line, one in objects:
        # The provenance that an object has, or is.
        origin = one.get("provenance", one if "digest" in one and "engines" in one else None)
        if isinstance(origin, dict):
            with errors_at(line, place):
                _check(origin)
                for key in ("solutions", "counted"):
                    if (said := one.get(key, origin[key])) != origin[key]:
                        raise FormatError(
                            f"this record contradicts itself: `{key}` is {str(said)[:80]}, and "
                            f"{origin[key]} in its provenance"
                        )
            found.append(CountRecord(place, line, origin))
    if surely and not found:
        raise FormatError(
            "no record of a count here: give what a command printed with --json, which has a key "
            "`provenance`"
        ).at(file=place)
    return found or None


def _objects(text: str, place: str) -> list[tuple[int, dict[str, Any]]]:
    """The objects of a file with their lines: one that fills it, or one on each line."""
    found = []
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
    if not isinstance(origin.get("given", {}), dict):
        raise FormatError("`given` has the keys of a puzzle file", token="given")
    if not isinstance(file := origin.get("file", ""), str):
        raise FormatError("`file` is a text", token="file")
    one_line(file, "file")
    if origin["solutions"] < 0 or isinstance(origin["solutions"], bool):
        raise FormatError("a number of solutions is 0 or more", token="solutions")

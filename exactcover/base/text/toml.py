"""TOML read with distrust: in linear time, and with the line of every mistake.

The standard library takes time that grows with the square of the number of parts of a key, so keys
of many parts are refused before it sees the text. It also raises `RecursionError` for brackets in
brackets and `ValueError` for whole numbers of more than 4300 digits.

It gives no lines either, so a valid text is gone through once more for the places of its keys. What
stands inside a value is found by looking for its text, from the line of the key to that of the
next.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from typing import Any

from exactcover.base.text import CONTROL
from exactcover.errors import FormatError

MAX_PARTS = 8
"""The most parts of a key: `puzzle.region.plus.cells` has four."""

TEXTS = re.compile(
    r"#.*"  # a comment
    r'|"""(?:[^"\\]|\\.|"(?!""))*+"{3,5}'
    r"|'''.*?'{3,5}"
    r'|("""|\'\'\').*'  # a text that is open at the end of the line
    r'|"(?:[^"\\]|\\.)*+"?|\'[^\']*+\'?'
)
"""A text or a comment in a line."""

DEEP = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{MAX_PARTS}}}")


def outside_texts(line: str, mark: str = "") -> tuple[str, str]:
    """The line with `_` for each text and comment; and the quotation marks of the text of several
    lines that is open at its end.

    mark  those of the text that is open at its beginning
    """
    line = mark + line
    return TEXTS.sub("_", line), next((one[1] for one in TEXTS.finditer(line) if one[1]), "")


PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
"""The end of a message of the standard library that has a place."""

WIDTH = 72
"""The most characters of a line that a message shows."""


def read_toml(text: str) -> dict[str, Any]:
    """The table of a TOML text; raises `FormatError`, with the line."""
    mark = ""
    for number, line in enumerate(text.split("\n"), 1):
        bare, mark = outside_texts(line, mark)
        if DEEP.search(bare):
            message = f"a key of more than {MAX_PARTS} parts"
            raise FormatError(message, token=line[:60].strip()).at(number)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise FormatError("brackets are nested too deeply") from None
    except ValueError as error:  # also of numbers with too many digits
        raise _not_toml(str(error), text) from None


def _not_toml(message: str, text: str) -> FormatError:
    """The parser's message, the line at its place, and a caret below that place."""
    found = PLACE.search(message)
    if not found:
        return FormatError(f"not TOML: {message}")
    text = text.replace("\r\n", "\n")
    lines = text.rstrip().split("\n") if found[1] is None else text.split("\n")
    line = int(found[1] or len(lines))
    column = int(found[2] or len(lines[-1]) + 1)
    start = max(0, column - WIDTH // 2)
    shown = CONTROL.sub(" ", lines[line - 1][start : start + WIDTH]).replace("\t", " ")
    said = message[: found.start() if found[1] else None][: 2 * WIDTH]
    return FormatError(f"not TOML: {said}\n  {shown}\n  {'^':>{column - start}}").at(line)


# -- lines of keys --------------------------------------------------------------------------------


Path = tuple[str | int, ...]
"""The keys that lead to a value; tables of one name are numbered from 0."""

PART = r"(?:\"(?:[^\"\\]|\\.)*\"|'[^']*'|[A-Za-z0-9_-]+)"
PARTS = re.compile(PART)
KEY = re.compile(rf"\s*(\[\[?)?[ \t]*({PART}(?:[ \t]*\.[ \t]*{PART})*)[ \t]*[]=]")
"""A header, or a key and its `=`, at the beginning of a line."""

WORD = re.compile(r"\"[^\"]*\"|'[^']*'|[^\s,'\"]+")
"""The tokens in a line of a value: texts in quotes, and words."""


class KeyLines:
    """The lines of the keys and tables of a TOML text."""

    def __init__(self, text: str) -> None:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.text_lines = text.split("\n")
        self.lines: dict[Path, int] = {}
        table: Path = ()
        copies: dict[Path, int] = {}
        depth, mark = 0, ""
        for number, line in enumerate(self.text_lines, 1):
            found = None if mark or depth > 0 else KEY.match(line)
            bare, mark = outside_texts(line, mark)
            depth += sum(map(bare.count, "[{")) - sum(map(bare.count, "]}"))
            if not found:
                continue
            key = tuple(part.strip("\"'") for part in PARTS.findall(found[2]))
            if found[1]:
                table = ()
                for count, part in enumerate(key, 1):
                    table = (*table, part)
                    if found[1] == "[[" and count == len(key):
                        copies[table] = copies.get(table, -1) + 1
                    if table in copies:
                        table = (*table, copies[table])
                self.lines.setdefault(table, number)
            else:
                for count in range(1, len(key) + 1):
                    self.lines.setdefault((*table, *key[:count]), number)
        self.starts = sorted(set(self.lines.values()))

    def line(self, path: Path, token: str | None = None) -> int | None:
        """The line of a key, or of the token inside its value; of its table if that is unknown."""
        while path not in self.lines:
            if not path:
                return None
            path = path[:-1]
        first = self.lines[path]
        for number in self._value(first) if token else ():
            if str(token) in self.text_lines[number - 1]:
                return number
        return first

    def words(self, path: Path) -> dict[str, int]:
        """The words and the texts in quotes inside the value of a key, and where each first is."""
        found: dict[str, int] = {}
        for number in self._value(self.line(path) or 1):
            for word in WORD.findall(self.text_lines[number - 1]):
                found.setdefault(word.strip("\"'"), number)
        return found

    def _value(self, first: int) -> range:
        """The lines of the value whose key stands on this line."""
        after = bisect_right(self.starts, first)
        last = self.starts[after] - 1 if after < len(self.starts) else len(self.text_lines)
        return range(first, last + 1)

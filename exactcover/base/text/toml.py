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

from exactcover.base.text.names import CONTROL
from exactcover.errors import FormatError

MAX_PARTS = 8
"""The most parts of a key: `puzzle.region.plus.cells` has four."""

PART = r"(?:\"(?:[^\"\\\n]|\\[^\n])*+\"?+|'[^'\n]*+'?+|[A-Za-z0-9_-]++)"
"""One part of a key; a text that is not closed ends with its line, so that it is read only once."""

SPAN = re.compile(
    # Texts of several lines. What follows the repeat always fits, so it is never taken back.
    r'"""(?:[^\\"]+|\\.|"(?!""))*(?:"{3,5}|\\?\Z)|'
    r"'''(?:[^']+|'(?!''))*(?:'{3,5}|\Z)|"
    rf"(?P<deep>{PART}(?:[ \t]*+\.[ \t]*+{PART}){{{MAX_PARTS}}})|"
    rf"{PART}|#[^\n]*+|[^\"'#A-Za-z0-9_-]++",
    re.DOTALL,
)
"""The parts of a text: dots in texts and comments do not divide keys."""

PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
"""The end of a message of the standard library that has a place."""

WIDTH = 72
"""The most characters of a line that a message shows."""


def read_toml(text: str) -> dict[str, Any]:
    """The table of a TOML text; raises `FormatError`, with the line."""
    _check_keys(text)
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


def _check_keys(text: str) -> None:
    """Refuse keys of too many parts."""
    for span in SPAN.finditer(text):
        if span["deep"] is not None:
            message = f"a key of more than {MAX_PARTS} parts"
            raise FormatError(message, token=span["deep"][:60]).at(
                text.count("\n", 0, span.start()) + 1
            )


# -- lines of keys --------------------------------------------------------------------------------


Path = tuple[str | int, ...]
"""The keys that lead to a value; tables of one name are numbered from 0."""

PARTS = re.compile(PART)
KEY = re.compile(rf"{PART}(?:[ \t]*\.[ \t]*{PART})*")
BLANK = re.compile(r"(?:\s|#[^\n]*)+")
TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|' + r"'''.*?'{3,5}|" + PART + r"|#[^\n]*|[\[\]{}\n]|.", re.DOTALL
)
HEADER = re.compile(r"\[\[?[ \t]*")
WORD = re.compile(r"\"[^\"]*\"|'[^']*'|[^\s,'\"]+")
"""The tokens in a line of a value: texts in quotes, and words."""


class KeyLines:
    """The lines of the keys and tables of a TOML text."""

    def __init__(self, text: str) -> None:
        self.text_lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self.lines: dict[Path, int] = {}
        self._go_through(text)
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

    def _go_through(self, text: str) -> None:
        table: Path = ()
        copies: dict[Path, int] = {}
        at, line, counted = 0, 1, 0
        while True:
            if blank := BLANK.match(text, at):
                at = blank.end()
            line += text.count("\n", counted, at)
            counted = at
            header = HEADER.match(text, at)
            found = KEY.match(text, header.end() if header else at)
            if not found:
                return
            key = tuple(part.strip("\"'") for part in PARTS.findall(found.group()))
            if header:
                table = ()
                for number, part in enumerate(key, 1):
                    table = (*table, part)
                    if header.group().startswith("[[") and number == len(key):
                        copies[table] = copies.get(table, -1) + 1
                    if table in copies:
                        table = (*table, copies[table])
                self.lines.setdefault(table, line)
                at = text.find("\n", found.end())
                if at < 0:
                    return
            else:
                for number in range(1, len(key) + 1):
                    self.lines.setdefault((*table, *key[:number]), line)
                at = self._after_value(text, found.end())

    @staticmethod
    def _after_value(text: str, at: int) -> int:
        """Where the value that begins here ends: at the end of a line outside brackets."""
        depth = 0
        for token in TOKEN.finditer(text, at):
            mark = token.group()
            depth += (mark in ("[", "{")) - (mark in ("]", "}"))
            if mark == "\n" and depth <= 0:
                return token.start()
        return len(text)

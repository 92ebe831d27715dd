"""Tables of a TOML file that know on which line they stand.

The standard library reads TOML without a word on lines, so the text is gone through once more, for
the places of its keys. What stands inside a value is found by looking for its text, from the line
of the key to that of the next.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from exactcover.errors import FormatError, LatticeError, PuzzleError, UnknownName
from exactcover.formats.source import Source
from exactcover.text.characters import shown
from exactcover.text.near import one_of
from exactcover.text.numerals import is_short
from exactcover.text.toml import read_toml

MAX_WORDS = 200
"""The most characters in a text such as `pentominoes x 2` or `box 2x2 at 3,3`."""

Path = tuple[str | int, ...]

PART = r"(?:\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|[A-Za-z0-9_-]+)"
PARTS = re.compile(PART)
KEY = re.compile(rf"{PART}(?:[ \t]*\.[ \t]*{PART})*")
BLANK = re.compile(r"(?:\s|#[^\n]*)+")
TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|' + r"'''.*?'{3,5}|" + PART + r"|#[^\n]*|[\[\]{}\n]|.", re.DOTALL
)
HEADER = re.compile(r"\[\[?[ \t]*")
WORD = re.compile(r"\"[^\"]*\"|'[^']*'|[^\s,'\"]+")
"""What stands in a line of a value: texts in quotes, and words."""


class LineNumbers:
    """The lines of the keys and tables of a TOML text."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.lines: dict[Path, int] = {}
        self._go_through(source.text)
        self.starts = sorted(set(self.lines.values()))

    def line(self, path: Path, token: str | None = None) -> int | None:
        """The line of a key, or of the token inside its value; of its table if that is unknown."""
        while path not in self.lines:
            if not path:
                return None
            path = path[:-1]
        first = self.lines[path]
        for number in self._value(first) if token else ():
            if str(token) in self.source.lines[number - 1]:
                return number
        return first

    def words(self, path: Path) -> dict[str, int]:
        """The words and the texts in quotes inside the value of a key, and where each first is."""
        found: dict[str, int] = {}
        for number in self._value(self.line(path) or 1):
            for word in WORD.findall(self.source.lines[number - 1]):
                found.setdefault(word.strip("\"'"), number)
        return found

    def _value(self, first: int) -> range:
        """The lines of the value whose key stands on this line."""
        after = bisect_right(self.starts, first)
        last = self.starts[after] - 1 if after < len(self.starts) else len(self.source.lines)
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


@dataclass(frozen=True)
class Table:
    """A table of the file, and where it stands."""

    values: Mapping[str, Any]
    path: Path
    places: LineNumbers

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def line(self, key: str | None = None, token: str | None = None) -> int | None:
        return self.places.line(self.path if key is None else (*self.path, key), token)

    def words(self, key: str) -> dict[str, int]:
        """The words and the texts in quotes inside the value of a key, and where each first is."""
        return self.places.words((*self.path, key))

    def error(self, message: str, key: str | None = None, token: str | None = None) -> FormatError:
        line = self.line(key, token or key)
        return self.places.source.error(
            message, line, token=None if token is None else shown(token)
        )

    def check_keys(self, known: Sequence[str], what: str) -> None:
        """Refuse keys that mean nothing."""
        for key in self.values:
            if key not in known:
                raise self.error(
                    f"{what} has no key {shown(key)!r}: {one_of(known, key)}", key, key
                )

    def get(self, key: str, kind: type, form: str, default: Any = None) -> Any:
        """The value of a key, of the right kind; `form` says for messages what it should be."""
        value = self.values.get(key, default)
        if key in self.values and (
            not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool)
        ):
            raise self.error(f"{key} must be {form}", key, written(value))
        return value

    def text(self, key: str, default: str = "") -> str:
        return str(self.get(key, str, "text", default))

    def table(self, key: str) -> Table:
        """The table that a key holds; empty where there is none."""
        return Table(self.get(key, dict, "a table", {}), (*self.path, key), self.places)

    def tables(self, key: str) -> list[Table]:
        """The tables that a key holds, as `[[key]]`."""
        values = self.get(key, list, f"tables, each headed [[{key}]]", [])
        for value in values:
            if not isinstance(value, dict):
                raise self.error(
                    f"{key} must be tables, each headed [[{key}]]", key, written(value)
                )
        return [
            Table(value, (*self.path, key, number), self.places)
            for number, value in enumerate(values)
        ]

    @contextmanager
    def told_at(self, key: str, token: str | None = None) -> Iterator[None]:
        """Tell whatever is found wrong in here as being at this key."""
        try:
            yield
        except FormatError as error:
            if error.file is not None and error.file != self.places.source.file:
                raise self.error(str(error), key, token) from None  # in a file that this one names
            raise error.at(self.line(key, error.token or token), self.places.source.file) from None
        except (PuzzleError, UnknownName, LatticeError) as error:
            raise self.error(str(error), key, token) from None


def few_words(text: str) -> str:
    """The text, if it is short enough to be a few words."""
    if len(text) > MAX_WORDS:
        raise FormatError(f"at most {MAX_WORDS} characters are read here", token=shown(text))
    return text


def written(value: object) -> str:
    """A value about as it stands in the file, for messages."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and not is_short(value, 20):
        return "..."
    try:
        return shown(str(value))
    except ValueError:  # a number inside that is too long to be printed
        return "..."


def whole_table(source: Source) -> Table:
    """The file as one table."""
    try:
        return Table(read_toml(source.text), (), LineNumbers(source))
    except FormatError as error:
        raise error.at(file=source.file) from None

"""On which lines the keys of a TOML text stand.

The standard library reads TOML without a word on lines, so the text is gone through once more, for
the places of its keys. What stands inside a value is found by looking for its text, from the line
of the key to that of the next.
"""

from __future__ import annotations

import re
from bisect import bisect_right

Path = tuple[str | int, ...]
"""The keys that lead to a value; tables of one name are numbered from 0."""

PART = r"(?:\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|[A-Za-z0-9_-]+)"
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

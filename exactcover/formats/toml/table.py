"""Tables of a TOML file that know on which line they stand, and the text of values.

So each reader of a key can give the file and the line of what is wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from exactcover.base.text import is_short
from exactcover.base.text.toml import KeyLines, Path, read_toml
from exactcover.errors import FormatError, LatticeError, PuzzleError, UnknownName, one_of, shown
from exactcover.formats.document import Source, whole
from exactcover.formats.limits import MAX_WORDS, Budget
from exactcover.problem.checking import MAX_COUNT

LINE = 100
BARE = re.compile("[A-Za-z0-9_-]+")
"""A key that needs no quotation marks."""


class TomlFile(KeyLines):
    """The lines of the keys and tables of a source."""

    def __init__(self, source: Source) -> None:
        super().__init__(source.text)
        self.source = source


@dataclass(frozen=True)
class Table:
    """A table of the file, and where it stands."""

    values: Mapping[str, Any]
    path: Path
    file: TomlFile

    @classmethod
    def whole(cls, source: Source) -> Table:
        try:
            return cls(read_toml(source.text), (), TomlFile(source))
        except FormatError as error:
            raise error.at(file=source.file) from None

    def __contains__(self, key: str) -> bool:
        return key in self.values

    @property
    def budget(self) -> Budget:
        return self.file.source.budget

    def line(self, key: str | None = None, token: str | None = None) -> int | None:
        return self.file.line(self.path if key is None else (*self.path, key), token)

    def error(self, message: str, key: str | None = None, token: str | None = None) -> FormatError:
        line = self.line(key, token or key)
        return self.file.source.error(message, line, token=None if token is None else shown(token))

    def check_keys(self, known: Sequence[str], what: str) -> None:
        """Refuse keys that mean nothing."""
        for key in self.values:
            if key not in known:
                hint = one_of(known, key)
                raise self.error(f"{what} has no key {shown(key)!r}: {hint}", key, key)

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

    def flag(self, key: str, default: bool | None = None) -> bool | None:
        value: bool | None = self.get(key, bool, "true or false", default)
        return value

    def table(self, key: str) -> Table:
        """The table that a key holds; empty where there is none."""
        return Table(self.get(key, dict, "a table", {}), (*self.path, key), self.file)

    def tables(self, key: str) -> list[Table]:
        """The tables that a key holds, as `[[key]]`."""
        form = f"tables, each headed [[{key}]]"
        values = self.get(key, list, form, [])
        for value in values:
            if not isinstance(value, dict):
                raise self.error(f"{key} must be {form}", key, written(value))
        return [
            Table(value, (*self.path, key, number), self.file)
            for number, value in enumerate(values)
        ]

    @contextmanager
    def errors_at(self, key: str, token: str | None = None) -> Iterator[None]:
        """Give errors from this block the line of this key."""
        file = self.file.source.file
        try:
            yield
        except FormatError as error:
            if error.file is not None and error.file != file:
                raise self.error(str(error), key, token) from None  # in a file that this one names
            raise error.at(self.line(key, error.token or token), file) from None
        except LatticeError as error:
            line = self.file.line((*self.path, key, *error.place), token)
            raise self.file.source.error(str(error), line, token=token and shown(token)) from None
        except (PuzzleError, UnknownName) as error:
            raise self.error(str(error), key, token) from None


def few_words(text: str) -> str:
    """The text, if it is short enough to be a few words."""
    if len(text) > MAX_WORDS:
        raise FormatError(f"at most {MAX_WORDS} characters are read here", token=shown(text))
    return text


Bounds = tuple[int, int | None]

BOUNDS = re.compile(r"(-?[0-9]+)(?:(\.\.)(-?[0-9]+)?)?")


def bounds_of(value: object, what: str) -> Bounds:
    """The least and the most of a number of things: of `3`, `"0..2"`, `"2.."` or `"any"`."""
    if value == "any":
        return 0, None
    high: int | None
    if isinstance(value, int) and not isinstance(value, bool):
        low = high = value
    elif isinstance(value, str) and (found := BOUNDS.fullmatch(value)):
        low = whole(found[1], what)
        high = whole(found[3], what) if found[3] else None if found[2] else low
    else:
        form = f'{what} must be a number, "1..3", "2.." or "any"'
        raise FormatError(form, token=written(value))
    if not 0 <= low <= (MAX_COUNT if high is None else high) <= MAX_COUNT:
        raise FormatError(
            f"{what} must not be negative, and a range not run backwards", token=written(value)
        )
    return low, high


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


# -- writing --------------------------------------------------------------------------------------


def table_lines(table: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """The lines of a table. Those in it come last, under headers that begin with the prefix."""
    inner: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, dict) or (isinstance(value, list) and isinstance(value[0], dict)):
            inner[key] = value
        else:
            yield from value_lines(key, value)
    for key, value in inner.items():
        head = f"[{prefix}{key}]" if isinstance(value, dict) else f"[[{prefix}{key}]]"
        for one in [value] if isinstance(value, dict) else value:
            yield from ("", head)
            for name, item in one.items():
                yield from value_lines(name, item)


def value_lines(key: str, value: Any) -> Iterator[str]:
    """A key with its value; a table has a line for each of its keys."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from value_lines(f"{key}.{name if BARE.fullmatch(name) else quoted(name)}", item)
    elif isinstance(value, list | tuple):
        yield from list_lines(key, value)
    elif isinstance(value, str) and "\n" in value:  # a drawing, in which nothing is an escape
        yield from (f"{key} = '''", *value.removesuffix("\n").split("\n"), "'''")
    else:
        yield f"{key} = {value_text(value)}"


def quoted(text: str) -> str:
    """A basic string: JSON's escapes are TOML's, except for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def value_text(value: Any) -> str:
    """The text of a value in one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        inside = ", ".join(f"{quoted(key)} = {value_text(item)}" for key, item in value.items())
        return f"{{ {inside} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(value_text, value))}]"
    return repr(value)


def list_lines(key: str, values: Sequence[Any]) -> Iterator[str]:
    """A key with a list, in lines that are not too long."""
    words = [value_text(value) for value in values]
    line = f"{key} = [{', '.join(words)}]"
    if len(line) <= LINE:
        yield line
        return
    yield f"{key} = ["
    row = ""
    for word in words:
        if row and len(row) + len(word) > LINE - 3:
            yield row
            row = ""
        row += f"{' ' if row else '  '}{word},"
    yield row
    yield "]"

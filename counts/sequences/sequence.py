"""A sequence: the published terms, and how a term becomes puzzles.

    title = "Number of dissections of an n X n square into squares of integer sides"
    convention = "all dissections, rotated and reflected ones among them"
    first = 1
    published = [1, 2, 6, 40, 472]
    term = "count(cubes(n, n))"

`term` is a Python expression of `n`, with the names of `families` and `ec`, the package. `count`
counts a puzzle, a problem or a list of options by the engine under test. A table has `rows`, an
expression whose value are the entries k of row n. A longer term is a function in `python`.

A file is a program: it is run as it is, so read a file of someone else first.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from hashlib import sha256
from itertools import count as numbers
from pathlib import Path
from typing import Any

import exactcover as ec
from counts.known import independent
from counts.sequences import families
from exactcover.errors import FormatError

FOLDER = Path(__file__).parent

ENGINES = ("automaton:f", "memo:f")
"""The engines that count, unless a file names others: two engines of different methods."""

Count = Callable[..., int]
"""Counts a puzzle: `count(puzzle, "reflections")`."""


@dataclass(frozen=True)
class Sequence:
    """A sequence of counts.

    number      of the encyclopedia, or any name: the stem of the file
    convention  what counts as one
    first       the index of the first term, and of the first row
    published   the terms that are known from elsewhere
    term        an expression of n, and of k in a table
    rows        an expression of n: the entries of row n; empty: no table
    first_row   the n of the first row; None: `first`
    python      definitions that `term` uses
    engines     two strategies of different methods; the first counts published terms alone
    note        a remark for the page, as the reason why a published term is wrong
    """

    number: str
    title: str
    convention: str
    published: tuple[int, ...]
    term: str
    first: int = 1
    rows: str = ""
    first_row: int | None = None
    python: str = ""
    engines: tuple[str, ...] = ENGINES
    note: str = ""

    @classmethod
    def read(cls, name: str) -> Sequence:
        """The sequence of a number, or of a TOML file; raises `FormatError`."""
        path = Path(name) if name.endswith(".toml") else FOLDER / f"{name}.toml"
        try:
            said = tomllib.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            what = "file" if name.endswith(".toml") else "sequence"
            message = f"no {what} {name}: --list names the sequences that are here"
            raise FormatError(message) from None
        except tomllib.TOMLDecodeError as error:
            raise FormatError(str(error)).at(file=str(path)) from None
        known = {one.name for one in fields(cls)} - {"number"}
        for key in said.keys() - known:
            message = f"unknown key {key!r}: a sequence has {', '.join(sorted(known))}"
            raise FormatError(message).at(file=str(path))
        for key in {"title", "convention", "published", "term"} - said.keys():
            raise FormatError(f"the key {key!r} is missing").at(file=str(path))
        lists = {key: tuple(value) for key, value in said.items() if isinstance(value, list)}
        sequence = cls(number=path.stem, **(said | lists))
        if not independent(*sequence.engines):
            message = f"two engines of different methods are needed, not {sequence.engines}"
            raise FormatError(message).at(file=str(path))
        return sequence

    @cached_property
    def _names(self) -> dict[str, Any]:
        """The names that the expressions use."""
        names = {name: value for name, value in vars(families).items() if name[0] != "_"}
        names["ec"] = ec
        exec(compile(self.python, f"{self.number}.toml", "exec"), names)
        return names

    @property
    def digest(self) -> str:
        """A digest of what says how the terms are counted: a record of another one is stale."""
        text = repr((self.term, self.rows, self.python, self.first, self.first_row))
        return sha256(text.encode()).hexdigest()[:12]

    def places(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The index of each term, with its n, and its k in a table; without end."""
        if not self.rows:
            for n in numbers(self.first):
                yield n, {"n": n}
        index = self.first
        for n in numbers(self.first if self.first_row is None else self.first_row):
            for k in self._evaluated(self.rows, {"n": n}):
                yield index, {"n": n, "k": k}
                index += 1

    def value(self, place: dict[str, Any], count: Count) -> int:
        """The term at a place, counted by `count`."""
        return int(self._evaluated(self.term, place | {"count": count}))

    def published_at(self, index: int) -> int | None:
        """The published term, if there is one."""
        at = index - self.first
        return self.published[at] if at < len(self.published) else None

    def _evaluated(self, expression: str, place: dict[str, Any]) -> Any:
        try:
            return eval(expression, self._names | place)
        except (NameError, TypeError, SyntaxError, AttributeError, LookupError) as error:
            raise FormatError(f"{expression!r} at {place}: {error}").at(
                file=f"{self.number}.toml"
            ) from error


def sequences() -> list[Sequence]:
    """The sequences that are here, by number."""
    return [Sequence.read(path.stem) for path in sorted(FOLDER.glob("A*.toml"))]

"""Values of a TOML file, read for a lattice: each function checks one sort and says what is wrong.

A wrong value raises a `ValueError` or a `TypeError`; whoever reads a field adds its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from typing import Any, TypeVar

from exactcover.lattices.motions import Motion
from exactcover.text.characters import CONTROL
from exactcover.text.near import one_of
from exactcover.text.numerals import MAX_DIGITS, is_short

MAX_ENTRIES = 200
"""The most motions, pairs of neighbours, kinds or corners in a list."""

MAX_POINT = 1_000
"""The most that a coordinate may be, near enough to zero for exact sums."""

FRACTION = re.compile(r"-?[0-9]{1,9}(/[0-9]{1,9}|\.[0-9]{1,15})?")

Read = Callable[[Any], Any]
Made = TypeVar("Made")


class Misread(ValueError):
    """A value inside another one that is wrong; `place` are the keys that lead to it."""

    def __init__(self, message: str, place: tuple[str | int, ...]) -> None:
        self.place = place
        super().__init__(message)

    @classmethod
    def under(cls, key: str | int, error: Exception, message: str) -> Misread:
        """An error in the value of a key."""
        return cls(message, (key, *(error.place if isinstance(error, Misread) else ())))


def shown(value: Any) -> str:
    """A value for a message."""
    if isinstance(value, int) and not is_short(value):
        return "a longer number"
    try:
        text = repr(value)
    except ValueError:  # a number inside that is too long to be printed
        text = "this"
    return text if len(text) <= 60 else text[:57] + "..."


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{shown(value)} should be text")
    if len(value) > MAX_ENTRIES or CONTROL.search(value):
        raise ValueError(
            f"{shown(value)} should be text of at most {MAX_ENTRIES} characters, without control "
            "characters"
        )
    return value


def few(values: Any) -> list[Any]:
    """A list that is not too long."""
    if not isinstance(values, list):
        raise TypeError(f"{shown(values)} should be a list")
    if len(values) > MAX_ENTRIES:
        raise ValueError(f"a list of {len(values):,} entries: at most {MAX_ENTRIES} are read")
    return values


def whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not is_short(value):
        raise TypeError(f"{shown(value)} should be a whole number")
    return value


def length(value: Any) -> float:
    """A coordinate in space."""
    if not isinstance(value, int | float) or abs(value) > MAX_POINT:
        raise ValueError(f"{shown(value)} should be a number up to {MAX_POINT}")
    return float(value)


def point(values: Any) -> tuple[Fraction, ...]:
    return tuple(coordinate(value) for value in few(values))


def coordinate(value: Any) -> Fraction:
    right = isinstance(value, int | float) or (
        isinstance(value, str) and FRACTION.fullmatch(value) is not None
    )
    if not right or (isinstance(value, int) and not is_short(value, MAX_DIGITS)):
        raise ValueError(f"{shown(value)} should be a number, as 0.25 or 1/4")
    try:
        number = Fraction(str(value))
    except ZeroDivisionError:
        raise ValueError(f"{shown(value)} divides by zero") from None
    if abs(number) > MAX_POINT:
        raise ValueError(f"{shown(value)} should be a number up to {MAX_POINT}")
    return number


def motion(value: Any) -> Motion:
    if isinstance(value, dict):
        if "matrix" not in value or not value.keys() <= {"matrix", "shift"}:
            raise ValueError(f"a motion has a matrix, and a shift or none, not {shown(value)}")
        return Motion(matrix(value["matrix"]), point(value.get("shift", [])))
    return Motion(matrix(value))


def matrix(rows: Any) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(whole(value) for value in few(row)) for row in few(rows))


def cell(kinds: Sequence[str]) -> Callable[[Any], tuple[int, ...]]:
    """Reads a cell: whole numbers, the last of which may be the name of one of these kinds."""

    def read_cell(values: Any) -> tuple[int, ...]:
        if kinds and len(few(values)) > 1 and isinstance(values[-1], str):
            if values[-1] not in kinds:
                raise ValueError(
                    f"{shown(values[-1])} should be a kind of cell: {one_of(kinds, values[-1])}"
                )
            values = [*values[:-1], kinds.index(values[-1])]
        return whole_numbers(values)

    return read_cell


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{shown(value)} should be true or false")
    return value


def whole_numbers(values: Any) -> tuple[int, ...]:
    return tuple(whole(value) for value in few(values))


def every(read: Read) -> Callable[[Any], tuple[Any, ...]]:
    """Reads a list of values of one sort."""

    def read_list(values: Any) -> tuple[Any, ...]:
        made = []
        for number, value in enumerate(few(values)):
            try:
                made.append(read(value))
            except (TypeError, ValueError) as error:
                raise Misread.under(number, error, str(error)) from None
        return tuple(made)

    return read_list


def table(read: Read, key: Read | None = None) -> Callable[[Any], dict[Any, Any]]:
    """Reads a table of values of one sort, whose keys are texts unless something else is said."""

    def read_table(values: Any) -> dict[Any, Any]:
        if not isinstance(values, dict):
            raise TypeError(f"{shown(values)} should be a table")
        few([*values])
        return {(key or text)(name): at(name, read, value) for name, value in values.items()}

    return read_table


def at(name: str, read: Read, value: Any) -> Any:
    """A value read; an error says under which name it stands."""
    try:
        return read(value)
    except (TypeError, ValueError) as error:
        raise Misread.under(name, error, f"{name}: {error}") from None


def record(kind: Callable[..., Made], readers: Mapping[str, Read]) -> Callable[[Any], Made]:
    """Reads a table with a reader for each key, as the fields of a dataclass."""
    required = [
        field.name
        for field in fields(kind)  # type: ignore[arg-type]
        if field.default is field.default_factory
    ]

    def read_record(values: Any) -> Made:
        if not isinstance(values, dict):
            raise TypeError(f"{shown(values)} should be a table with {', '.join(readers)}")
        for name in values:
            if name not in readers:
                raise Misread(f"there is no key {shown(name)}: {one_of(readers, name)}", (name,))
        for name in required:
            if name not in values:
                raise ValueError(f"the key {name!r} is needed")
        return kind(**{name: at(name, readers[name], value) for name, value in values.items()})

    return read_record

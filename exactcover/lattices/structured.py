"""Dataclasses that are checked, read and written by the type hints of their fields.

A type hint describes a field once for three uses: `check_fields` when Python makes a value, `read`
for a value from TOML, and `plain` to write it. An error names its place in the file, for example
`lattice.regions[1].needs`. The items of a tuple have one type; its length is checked with the rest
of the lattice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from fractions import Fraction
from functools import cache
from numbers import Integral, Rational, Real
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from exactcover.base.text import CONTROL
from exactcover.base.values.arguments import shown
from exactcover.errors import LatticeError, one_of

MAX_NUMBER = 100
"""The most that a whole number in a lattice may be: an entry of a matrix, a step, a coordinate."""

MAX_ENTRIES = 200
"""The most characters of a text, and entries of a list or a table, in a file."""

PLAIN: dict[Any, tuple[str, type]] = {
    bool: ("true or false", bool),
    int: (f"a whole number up to {MAX_NUMBER}", Integral),
    float: ("a number", Real),
    Fraction: ("a fraction", Rational),
    str: ("text", str),
    NoneType: ("None", NoneType),
}
"""For each type of a single value its name in messages, and the class that is accepted."""

Place = tuple[str | int, ...]
"""The keys that lead to a value in a file."""

Read = Callable[[Any, Place], Any]
"""Reads a value that stands at this place; raises `LatticeError`."""


@cache
def hints(kind: type) -> Mapping[str, Any]:
    """The type hints of the fields of a dataclass."""
    return get_type_hints(kind)


# -- checked --------------------------------------------------------------------------------------


def check_fields(value: object) -> None:
    """Raise a `LatticeError` that names the field of a dataclass whose type is wrong."""
    kind: Any = type(value)
    for name, hint in hints(kind).items():
        given = getattr(value, name)
        if not _fits(given, hint):
            form = PLAIN[hint][0] if hint in PLAIN else re.sub(r"\w+\.(?=\w)", "", str(hint))
            raise LatticeError(f"{kind.__name__}: {name}={shown(given)}: it must be {form}")


def _fits(value: object, hint: Any) -> bool:
    if hint in PLAIN:
        if not isinstance(value, PLAIN[hint][1]) or isinstance(value, bool) != (hint is bool):
            return False
        return not isinstance(value, int) or hint is not int or abs(value) <= MAX_NUMBER
    parts, origin = get_args(hint), get_origin(hint)
    if not parts:
        return isinstance(value, hint)
    if origin in (Union, UnionType):
        return any(_fits(value, part) for part in parts)
    if origin is tuple:
        return isinstance(value, tuple | list) and all(_fits(item, parts[0]) for item in value)
    return isinstance(value, Mapping) and all(
        _fits(key, parts[0]) and _fits(item, parts[1]) for key, item in value.items()
    )


# -- read -----------------------------------------------------------------------------------------


def error_at(at: Place, message: str) -> LatticeError:
    """An error with its place: `lattice.regions[1].needs`."""
    place = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in at)
    return LatticeError(f"lattice{place}{message}", place=at)


def wrong(value: object, right: str, at: Place) -> LatticeError:
    return error_at(at, f": {shown(value)} should be {right}")


def read(hint: Any, value: Any, special: Mapping[Any, Read], at: Place = ()) -> Any:
    """The value of a file as one of this type; `special` reads some types in their own way."""
    parts, origin = get_args(hint), get_origin(hint)
    if hint in special:
        return special[hint](value, at)
    if is_dataclass(hint):
        kind: Any = hint
        needed = [one.name for one in fields(kind) if one.default is one.default_factory]
        given = read_fields(hints(kind), needed, value, special, at)
        try:
            return kind(**given)
        except LatticeError as error:
            raise error_at((*at, *error.place), f": {error}") from None
    if not parts:
        return _single(hint, value, at)
    if origin in (Union, UnionType):  # of a type and None, which TOML cannot write
        return read(parts[0], value, special, at)
    sort, name = (list, "a list") if origin is tuple else (dict, "a table")
    if not isinstance(value, sort):
        raise wrong(value, name, at)
    if len(value) > MAX_ENTRIES:
        raise error_at(at, f": {len(value):,} entries: at most {MAX_ENTRIES} are read")
    if isinstance(value, list):
        return tuple(read(parts[0], one, special, (*at, n)) for n, one in enumerate(value))
    return {
        _single(str, key, at): read(parts[1], one, special, (*at, key))
        for key, one in value.items()
    }


def read_fields(
    known: Mapping[str, Any],
    needed: Iterable[str],
    value: Any,
    special: Mapping[Any, Read],
    at: Place = (),
) -> dict[str, Any]:
    """The values of a table whose keys have these types."""
    if not isinstance(value, dict):
        raise wrong(value, f"a table with {', '.join(known)}", at)
    for name in value:
        if name not in known:
            hint = one_of(known, name)
            raise LatticeError(
                f"{error_at(at, '')} has no key {shown(name)}: {hint}", place=(*at, name)
            )
    for name in needed:
        if name not in value:
            raise error_at(at, f" needs the key {name!r}")
    return {name: read(known[name], one, special, (*at, name)) for name, one in value.items()}


def _single(hint: Any, value: Any, at: Place) -> Any:
    if not _fits(value, hint):
        raise wrong(value, PLAIN[hint][0], at)
    if hint is str and (len(value) > MAX_ENTRIES or CONTROL.search(value)):
        form = f"text of at most {MAX_ENTRIES} characters, without control characters"
        raise wrong(value, form, at)
    return value


# -- written --------------------------------------------------------------------------------------


def plain(value: Any, special: Mapping[type, Callable[[Any], Any]]) -> Any:
    """A value as TOML has it: dataclasses as tables without the fields that have their default."""
    if type(value) in special:
        return special[type(value)](value)
    if is_dataclass(value):
        return {
            field.name: plain(getattr(value, field.name), special)
            for field in fields(value)
            if field.default is MISSING or getattr(value, field.name) != field.default
        }
    if isinstance(value, Mapping):
        return {str(key): plain(item, special) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item, special) for item in value]
    return value

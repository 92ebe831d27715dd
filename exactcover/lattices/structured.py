"""Dataclasses that are checked, read and written by the type hints of their fields.

A type hint describes a field once for three uses: `check_fields` when Python makes a value,
`Reader` for a value from TOML, and `plain` to write it. An error names its place in the file, for
example `lattice.views['letters'].across[1]`. The items of a tuple have one type; its length is
checked with the rest of the lattice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from fractions import Fraction
from functools import cache
from numbers import Integral, Rational, Real
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from exactcover.base.text.names import CONTROL, one_of
from exactcover.base.text.numerals import whole_number
from exactcover.base.values.arguments import shown
from exactcover.errors import LatticeError

MAX_NUMBER = 100
"""The most that a whole number in a lattice may be: an entry of a matrix, a step, a coordinate."""

MAX_ENTRIES = 200
"""The most characters of a text, and entries of a list or a table, in a file."""

PLAIN: dict[Any, tuple[str, str, type | tuple[type, ...]]] = {
    bool: ("True or False", "truth values", bool),
    int: (f"a whole number up to {MAX_NUMBER}", f"whole numbers up to {MAX_NUMBER}", Integral),
    float: ("a number", "numbers", Real),
    Fraction: ("a fraction", "fractions", Rational),
    str: ("text", "texts", str),
    NoneType: ("None", "None", NoneType),
}
"""For each type of a single value: one of it, several of it, and the classes that are accepted."""

Read = Callable[[Any, "Place"], Any]
"""Reads a value of a file that stands at this place; raises `LatticeError`."""


@cache
def hints(kind: type) -> Mapping[str, Any]:
    """The type hints of the fields of a dataclass, with their annotations."""
    return get_type_hints(kind, include_extras=True)


# -- checked --------------------------------------------------------------------------------------


def check_fields(value: object) -> None:
    """Raise a `LatticeError` that names the field of a dataclass whose type is wrong."""
    kind: Any = type(value)
    for name, hint in _bare_hints(kind).items():
        given = getattr(value, name)
        if not _fits(given, hint):
            raise LatticeError(f"{kind.__name__}: {name}={shown(given)}: it must be {_one(hint)}")


@cache
def _bare_hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _fits(value: object, hint: Any) -> bool:
    if hint in PLAIN:
        if not isinstance(value, PLAIN[hint][2]) or isinstance(value, bool) != (hint is bool):
            return False
        return not isinstance(value, int) or hint is not int or abs(value) <= MAX_NUMBER
    parts = get_args(hint)
    if not parts:
        return isinstance(value, hint)
    if get_origin(hint) in (Union, UnionType):
        return any(_fits(value, part) for part in parts)
    if get_origin(hint) is tuple:
        return isinstance(value, tuple | list) and all(_fits(item, parts[0]) for item in value)
    return isinstance(value, Mapping) and all(
        _fits(key, parts[0]) and _fits(item, parts[1]) for key, item in value.items()
    )


def _one(hint: Any) -> str:
    """One value of this type, for messages."""
    if hint in PLAIN:
        return PLAIN[hint][0]
    parts = get_args(hint)
    if not parts:
        return f"{'an' if hint.__name__[0] in 'AEIOU' else 'a'} {hint.__name__}"
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(map(_one, parts))
    if get_origin(hint) is tuple:
        return f"a tuple of {_several(parts[0])}"
    return f"a mapping from {_several(parts[0])} to {_several(parts[1])}"


def _several(hint: Any) -> str:
    if hint in PLAIN:
        return PLAIN[hint][1]
    if get_origin(hint) is tuple:
        return f"tuples of {_several(get_args(hint)[0])}"
    return f"{hint.__name__} values"


# -- read -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """A place in a file: its text for messages, and the keys that lead to it."""

    text: str
    keys: tuple[str | int, ...] = ()

    def field(self, name: str) -> Place:
        return Place(f"{self.text}.{name}", (*self.keys, name))

    def item(self, key: str | int) -> Place:
        return Place(f"{self.text}[{shown(key)}]", (*self.keys, key))

    def error(self, message: str) -> LatticeError:
        return LatticeError(f"{self.text}{message}", place=self.keys)

    def wrong(self, value: object, right: str) -> LatticeError:
        return self.error(f": {shown(value)} should be {right}")


@dataclass(frozen=True)
class Reader:
    """Reads the values of a TOML file as the types that a dataclass has for them.

    special  for some types, a function that reads them
    """

    special: Mapping[Any, Read]

    def read(self, hint: Any, value: Any, at: Place) -> Any:
        """The value of a file as one of this type."""
        if hint in self.special:
            return self.special[hint](value, at)
        if is_dataclass(hint):
            return self._record(hint, value, at)
        parts = get_args(hint)
        if not parts:
            return _single(hint, value, at)
        if get_origin(hint) in (Union, UnionType):  # of a type and None, which TOML cannot write
            return self.read(parts[0], value, at)
        check_few(value, list if get_origin(hint) is tuple else dict, at)
        if get_origin(hint) is tuple:
            return tuple(self.read(parts[0], one, at.item(n)) for n, one in enumerate(value))
        return {
            _key(parts[0], key, at): self.read(parts[1], one, at.item(key))
            for key, one in value.items()
        }

    def fields(
        self, known: Mapping[str, Any], required: Iterable[str], value: Any, at: Place
    ) -> dict[str, Any]:
        """The values of a table whose keys have these types."""
        if not isinstance(value, dict):
            raise at.wrong(value, f"a table with {', '.join(known)}")
        for name in value:
            if name not in known:
                message = f"{at.text} has no key {shown(name)}: {one_of(known, name)}"
                raise LatticeError(message, place=(*at.keys, name))
        for name in required:
            if name not in value:
                raise at.error(f" needs the key {name!r}")
        return {name: self.read(known[name], one, at.field(name)) for name, one in value.items()}

    def _record(self, kind: Any, value: Any, at: Place) -> Any:
        required = [one.name for one in fields(kind) if one.default is one.default_factory]
        given = self.fields(hints(kind), required, value, at)
        try:
            return kind(**given)
        except LatticeError as error:
            raise LatticeError(f"{at.text}: {error}", place=(*at.keys, *error.place)) from None


def check_few(value: Any, kind: type[list[Any]] | type[dict[Any, Any]], at: Place) -> None:
    """Raise an error unless the value is a list or a table of few entries."""
    if not isinstance(value, kind):
        raise at.wrong(value, "a list" if kind is list else "a table")
    if len(value) > MAX_ENTRIES:
        raise at.error(f": {len(value):,} entries: at most {MAX_ENTRIES} are read")


def _key(hint: Any, key: str, at: Place) -> Any:
    """The key of a table; TOML has texts only."""
    if hint is not int:
        return _single(str, key, at)
    if (number := whole_number(key)) is None:
        raise at.item(key).error(": the key should be a whole number")
    return number


def _single(hint: Any, value: Any, at: Place) -> Any:
    if not _fits(value, hint):
        raise at.wrong(value, PLAIN[hint][0].lower())
    if hint is str and (len(value) > MAX_ENTRIES or CONTROL.search(value)):
        form = f"text of at most {MAX_ENTRIES} characters, without control characters"
        raise at.wrong(value, form)
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

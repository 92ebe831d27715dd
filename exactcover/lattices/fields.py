"""The types of the fields that describe a lattice, checked when a value is made.

Without this a wrong type is noticed somewhere inside, with a traceback that does not say which
field is wrong. The annotations of a dataclass say what is right, so there is no second list. How
long a tuple is, and what its numbers may be, is checked with the rest of the lattice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from numbers import Integral, Rational, Real
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from exactcover.errors import LatticeError
from exactcover.values.arguments import shown

PLAIN: dict[Any, tuple[str, str, Callable[[object], bool]]] = {
    bool: ("True or False", "truth values", lambda value: isinstance(value, bool)),
    int: ("a whole number", "whole numbers", lambda value: _is_number(value, Integral)),
    float: ("a number", "numbers", lambda value: _is_number(value, Real)),
    Fraction: ("a fraction", "fractions", lambda value: _is_number(value, Rational)),
    str: ("text", "texts", lambda value: isinstance(value, str)),
    NoneType: ("None", "None", lambda value: value is None),
}
"""One of a type, several of it, and whether a value is one."""


def check_fields(value: object) -> None:
    """Raise a `LatticeError` that names the field of a dataclass whose type is wrong."""
    kind: Any = type(value)
    for name, hint in _hints(kind).items():
        given = getattr(value, name)
        if not _fits(given, hint):
            raise LatticeError(f"{kind.__name__}: {name}={shown(given)}: it must be {_one(hint)}")


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _is_number(value: object, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _fits(value: object, hint: Any) -> bool:
    if hint in PLAIN:
        return PLAIN[hint][2](value)
    if isinstance(hint, type) and get_origin(hint) is None:
        return isinstance(value, hint)
    parts = get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return any(_fits(value, part) for part in parts)
    if get_origin(hint) is tuple:
        return isinstance(value, tuple | list) and all(_fits(item, parts[0]) for item in value)
    return isinstance(value, Mapping) and all(
        _fits(key, parts[0]) and _fits(item, parts[1]) for key, item in value.items()
    )


def _one(hint: Any) -> str:
    """What a value of this type is, for messages."""
    if hint in PLAIN:
        return PLAIN[hint][0]
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(map(_one, get_args(hint)))
    if get_origin(hint) is tuple:
        return f"a tuple of {_several(get_args(hint)[0])}"
    if get_origin(hint) is None:
        return f"{'an' if hint.__name__[0] in 'AEIOU' else 'a'} {hint.__name__}"
    key, item = get_args(hint)
    return f"a mapping from {_several(key)} to {_several(item)}"


def _several(hint: Any) -> str:
    if hint in PLAIN:
        return PLAIN[hint][1]
    if get_origin(hint) is tuple:
        return f"tuples of {_several(get_args(hint)[0])}"
    return f"{hint.__name__} values"

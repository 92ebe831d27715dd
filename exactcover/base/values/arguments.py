"""Checks of the arguments of public functions, in one place and with one wording.

    workers='a': it must be a whole number from 1 up, or None

Each message names the argument, the value, and what would be right. Python itself would detect a
wrong type only somewhere inside, with a traceback that does not name the argument.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from numbers import Integral, Real
from typing import TypeGuard

import numpy as np

from exactcover.errors import ExactCoverError, UnknownName

LONGEST = 60
"""Characters of a value that a message shows."""


def shown(value: object) -> str:
    """The text of a value for a message; a long one is cut."""
    try:
        text = repr(value)
    except ValueError:  # Python's limit of digits
        text = "a number with too many digits"
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def wrong(name: str, value: object, right: str) -> ExactCoverError:
    """The error for an argument: its name, its value, and what would be right."""
    return ExactCoverError(f"{name}={shown(value)}: it must be {right}")


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number of Python or numpy, and no truth value."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def check_whole(
    name: str, value: object, *, least: int | None = None, optional: bool = True
) -> None:
    """A whole number, from `least` up; None too, if it is optional."""
    if value is None and optional:
        return
    right = "a whole number" + ("" if least is None else f" from {least} up")
    right += ", or None" if optional else ""
    if not is_whole(value) or (least is not None and value < least):
        raise wrong(name, value, right)


def check_seconds(name: str, value: object, *, optional: bool = True) -> None:
    """A number of seconds that is not negative; None too, if it is optional."""
    if value is None and optional:
        return
    if isinstance(value, bool) or not isinstance(value, Real) or not value >= 0:  # type: ignore[operator]
        right = "a number of seconds from 0 up" + (", or None" if optional else "")
        raise wrong(name, value, right)


def check_choice(
    name: str, value: object, choices: Iterable[str], *, optional: bool = True
) -> None:
    """One of some words; None too, if it is optional."""
    if value is None and optional:
        return
    known = list(choices)
    if not isinstance(value, str):
        named = ", ".join(map(repr, known))
        raise wrong(name, value, f"one of {named}" + (", or None" if optional else ""))
    if value not in known:
        raise UnknownName(name, value, known)


def check_flag(name: str, value: object, *, words: Collection[str] = ()) -> None:
    """True or False, or one of some words."""
    if isinstance(value, bool) or (isinstance(value, str) and value in words):
        return
    named = "".join(f", {word!r}" for word in words)
    raise wrong(name, value, f"True or False{named}")


def check_numbers(name: str, value: object) -> None:
    """A list of numbers, or an array of them."""
    right = "a list of numbers"
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "biuf":
            raise wrong(name, value, right)
        return
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise wrong(name, value, right)
    for number in value:
        check_kind(name, number, Real, right)


def check_function(name: str, value: object) -> None:
    """Something that can be called, or None."""
    if value is not None and not callable(value):
        raise wrong(name, value, "a function, or None")


def check_kind(name: str, value: object, kinds: type | tuple[type, ...], right: str) -> None:
    """An object of some class; `right` says which in a reader's words."""
    if not isinstance(value, kinds):
        raise wrong(name, value, right)

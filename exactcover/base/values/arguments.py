"""Checks of the arguments of public functions, in one place and with one wording.

    workers='a': it must be a whole number from 1 up, or None

Each message names the argument, the value, and what would be right. Python itself would detect a
wrong type only somewhere inside, with a traceback that does not name the argument.
"""

from __future__ import annotations

from collections.abc import Collection
from numbers import Integral, Real
from typing import TypeGuard

from exactcover.errors import ExactCoverError, UnknownName
from exactcover.errors import shown as cut


def shown(value: object) -> str:
    """The text of a value for a message; a long one is cut."""
    try:
        return cut(repr(value))
    except ValueError:  # Python's limit of digits
        return "a number with too many digits"


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


def check_seconds(name: str, value: object) -> None:
    """A number of seconds that is not negative, or None."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, Real) or not value >= 0:  # type: ignore[operator]
        raise wrong(name, value, "a number of seconds from 0 up, or None")


def check_choice(name: str, value: object, choices: Collection[str]) -> None:
    """One of some words, or None."""
    if value is not None and not (isinstance(value, str) and value in choices):
        raise UnknownName(name, str(value), choices)


def check_kind(name: str, value: object, kinds: type | tuple[type, ...], right: str) -> None:
    """An object of some class; `right` says which in a reader's words."""
    if not isinstance(value, kinds):
        raise wrong(name, value, right)

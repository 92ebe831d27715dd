"""Numbers of texts: how a user's are read, and how rounded ones are written.

A user writes plain digits, and not too many of them.

Python's `int` accepts too much for a reader: blanks, underscores, a unit separator and the digits
of every script. It raises `ValueError` for more than 4300 digits, and numbers that long cannot be
printed either. So every reader of this package reads its numbers here, and reports invalid ones in
its own words.

A reader finds every number from 1,000 on with commas between groups of three digits: `{number:,}`.
JSON and files have plain digits, as have the lines that `exactcover polycube` prints like polycube.
"""

from __future__ import annotations

import re
from math import floor, log10

MAX_DIGITS = 9
"""Enough for counts of cells, pieces and copies; such numbers fit into 32 bits."""

SEED_DIGITS = 18
"""Enough for seeds and for MiB of memory; such numbers fit into 64 bits."""

COUNT_DIGITS = 1000
"""Enough for published numbers of solutions."""

DIGITS = re.compile(r"[0-9]+")


def whole_number(text: str, digits: int = MAX_DIGITS) -> int | None:
    """The whole number from 0 on that a text states; None if it is none or has more digits."""
    return int(text) if len(text) <= digits and DIGITS.fullmatch(text) else None


def signed_number(text: str, digits: int = MAX_DIGITS) -> int | None:
    """The whole number that a text states, perhaps with a sign, or None."""
    number = whole_number(text[1:] if text[:1] in ("+", "-") else text, digits)
    return -number if number is not None and text[0] == "-" else number


def is_short(number: int, digits: int = COUNT_DIGITS) -> bool:
    """Whether a number has at most this many digits, so that it can be printed."""
    bound: int = 10**digits
    return -bound < number < bound


LARGE = 1e15
"""From here on a rounded number is written with a power of ten."""


def rounded(value: float, unit: float) -> str:
    """A number rounded to the power of ten below a unit, and to a digit at least: `2,340`, `0.25`,
    `200,000,000,000`, `1.23e16`."""
    unit = min(unit, value)
    digits = floor(log10(unit)) if unit > 0 else 0
    if value < LARGE:
        return f"{round(value, -digits):,.{max(0, min(-digits, 2))}f}"
    shown = max(0, floor(log10(value)) - digits)
    mantissa, _, power = f"{value:.{shown}e}".partition("e")
    return f"{mantissa}e{int(power)}"

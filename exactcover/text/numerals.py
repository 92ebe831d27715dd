"""Whole numbers from a user's text: plain digits, and not too many of them.

Python's `int` accepts too much for a reader: blanks, underscores, a unit separator and the digits
of every script. It raises `ValueError` for more than 4300 digits, and numbers that long cannot be
printed either. So every reader of this package reads its numbers here, and reports invalid ones in
its own words.
"""

from __future__ import annotations

import re

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

"""Texts of users and for readers: characters, names and numbers. They are read with distrust.

A terminal would obey some characters: the control characters of ASCII and of Latin-1 (C0 and C1),
which move the cursor or change colours; the marks that change the direction of writing, so that a
line looks different from its text; the separators of lines and paragraphs; and halves of surrogate
pairs, which cannot be written. Tabs and the ends of lines are not among them. Readers refuse these
characters, and writers replace them. Texts that must be shown unchanged, for example the name of a
file, are escaped.

Python's `int` accepts too much for a reader: blanks, underscores, a unit separator and the digits
of every script. It raises `ValueError` for more than 4300 digits, and numbers that long cannot be
printed either. So every reader of this package reads its numbers here, and reports invalid ones in
its own words.

A reader finds every number from 1,000 on with commas between groups of three digits: `{number:,}`.
JSON and files have plain digits, as have the lines that `exactcover polycube` prints like polycube.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from math import floor, log10

# -- characters and names -------------------------------------------------------------------------

CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # C0 and C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # directions of writing
    "\u2028\u2029\ud800-\udfff]"  # separators; halves of surrogate pairs
)

RULE = "names and titles may not hold control characters or marks of the direction of writing"


def escaped(text: str) -> str:
    """A text with every control character as `\\u001b`, as JSON has it; line ends stay."""
    return CONTROL.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def plain(text: str) -> str:
    """A text in one line, in which every control character is a blank."""
    return " ".join(CONTROL.sub(" ", text).split())


def joined(parts: Iterable[str], between: str, room: int = 50) -> str:
    """The parts as one text, at least the first; `...` stands for those that it has no room for."""
    text = ""
    for number, part in enumerate(parts):
        if number and len(text) + len(between) + len(part) > room:
            return f"{text}{between}..."
        text += between * (number > 0) + part
    return text


def numbered(names: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """Distinct names: those that occur several times, or are taken, get numbers: `L1`, `L2`.

    A name that ends in a digit is numbered `I5_1`. No number makes a name that is there already.
    """
    times, number = Counter(names), Counter[str]()
    reserved = {*names, *taken}
    found = []
    for name in names:
        if times[name] > 1 or name in taken:
            own = name
            while own in reserved:
                number[name] += 1
                own = f"{name}{'_' * name[-1:].isdigit()}{number[name]}"
            reserved.add(own)
            name = own
        found.append(name)
    return found


# -- numbers --------------------------------------------------------------------------------------

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

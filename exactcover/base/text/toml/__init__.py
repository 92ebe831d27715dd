"""TOML read with distrust: in linear time, and with the line of every mistake.

The standard library takes time that grows with the square of the number of parts of a key, so keys
of many parts are refused before it sees the text. It also raises `RecursionError` for brackets in
brackets and `ValueError` for whole numbers of more than 4300 digits.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from exactcover.base.text.characters import CONTROL
from exactcover.errors import FormatError

MAX_PARTS = 8
"""The most parts of a key: `puzzle.region.plus.cells` has four."""

PART = r"(?:\"(?:[^\"\\\n]|\\[^\n])*+\"?+|'[^'\n]*+'?+|[A-Za-z0-9_-]++)"
"""One part of a key; a text that is not closed ends with its line, so that it is read only once."""

SPAN = re.compile(
    # Texts of several lines. What follows the repeat always fits, so it is never taken back.
    r'"""(?:[^\\"]+|\\.|"(?!""))*(?:"{3,5}|\\?\Z)|'
    r"'''(?:[^']+|'(?!''))*(?:'{3,5}|\Z)|"
    rf"(?P<deep>{PART}(?:[ \t]*+\.[ \t]*+{PART}){{{MAX_PARTS}}})|"
    rf"{PART}|#[^\n]*+|[^\"'#A-Za-z0-9_-]++",
    re.DOTALL,
)
"""The parts of a text: dots in texts and comments do not divide keys."""

PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
"""The end of a message of the standard library that has a place."""

WIDTH = 72
"""The most characters of a line that a message shows."""


def read_toml(text: str) -> dict[str, Any]:
    """The table of a TOML text; raises `FormatError`, with the line."""
    _check_keys(text)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise FormatError("brackets are nested too deeply") from None
    except ValueError as error:  # also of numbers with too many digits
        raise _not_toml(str(error), text) from None


def _not_toml(message: str, text: str) -> FormatError:
    """The parser's message, the line at its place, and a caret below that place."""
    found = PLACE.search(message)
    if not found:
        return FormatError(f"not TOML: {message}")
    text = text.replace("\r\n", "\n")
    lines = text.rstrip().split("\n") if found[1] is None else text.split("\n")
    line = int(found[1] or len(lines))
    column = int(found[2] or len(lines[-1]) + 1)
    start = max(0, column - WIDTH // 2)
    shown = CONTROL.sub(" ", lines[line - 1][start : start + WIDTH]).replace("\t", " ")
    said = message[: found.start() if found[1] else None][: 2 * WIDTH]
    return FormatError(f"not TOML: {said}\n  {shown}\n  {'^':>{column - start}}").at(line)


def _check_keys(text: str) -> None:
    """Refuse keys of too many parts."""
    for span in SPAN.finditer(text):
        if span["deep"] is not None:
            message = f"a key of more than {MAX_PARTS} parts"
            raise FormatError(message, token=span["deep"][:60]).at(
                text.count("\n", 0, span.start()) + 1
            )

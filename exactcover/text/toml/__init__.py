"""TOML read with distrust: in linear time, and with the line of every mistake.

The standard library takes time that grows with the square of the number of parts of a key, so keys
of many parts are refused before it sees the text. It also raises `RecursionError` for brackets in
brackets and `ValueError` for whole numbers of more than 4300 digits.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

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


def read_toml(text: str) -> dict[str, Any]:
    """The table of a TOML text; raises `FormatError`, with the line."""
    _check_keys(text)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise FormatError("brackets are nested too deeply") from None
    except ValueError as error:  # also of numbers with too many digits
        from exactcover.text.toml.mistakes import explained

        mistake = explained(str(error), text)
        raise FormatError(f"not TOML: {mistake.message}", token=mistake.token).at(
            mistake.line
        ) from None


def _check_keys(text: str) -> None:
    """Refuse keys of too many parts."""
    for span in SPAN.finditer(text):
        if span["deep"] is not None:
            message = f"a key of more than {MAX_PARTS} parts"
            raise FormatError(message, token=span["deep"][:60]).at(
                text.count("\n", 0, span.start()) + 1
            )

"""Short names: the text in a cell for the piece that covers it.

Where the drawing has room for it, that is the piece's name. A name that is too long, or that would
be mistaken for something else in the drawing, becomes one character, and a legend explains it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from textwrap import wrap
from unicodedata import east_asian_width

EMPTY = "."
RESERVED = frozenset({EMPTY, "~L", "~D"})
LEGEND_WIDTH = 78

_SPARE = (
    range(ord("A"), ord("Z") + 1),
    range(ord("a"), ord("z") + 1),
    range(ord("0"), ord("9") + 1),
    range(0x100, 0x180),  # Latin with accents
    range(0x410, 0x450),  # Cyrillic
    range(0x1401, 0x1600),  # Canadian syllabics
)
"""Characters of one column, to be given to pieces whose own letters are all taken."""


def short_names(names: Iterable[str], longest: int | None) -> dict[str, str]:
    """A distinct token for each name: itself where it is plain and no longer than `longest`."""
    ordered = list(dict.fromkeys(names))
    tokens = {name: name for name in ordered if _is_plain(name, longest)}
    taken = set(tokens)
    for name in ordered:
        if name not in tokens:
            tokens[name] = next((c for c in _candidates(name) if c not in taken), "?")
            taken.add(tokens[name])
    return tokens


def legend(tokens: Iterable[tuple[str, str]]) -> str:
    """Lines that say which token stands for which name, as comments; empty where all are plain."""
    entries = [f"{token}={_shown(name)}" for name, token in tokens if name != token]
    return "\n".join(
        wrap(
            " ".join(entries),
            LEGEND_WIDTH,
            initial_indent="# ",
            subsequent_indent="# ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    )


def _is_plain(name: str, longest: int | None) -> bool:
    return (
        (longest is None or len(name) <= longest)
        and name not in RESERVED
        and name.isprintable()
        and not any(c in ",#" or east_asian_width(c) in "WF" for c in name)
    )


def _candidates(name: str) -> Iterator[str]:
    """First the letters of the name itself, then any others."""
    own = [c for c in name if c.isascii() and c.isalnum()]
    return chain(own, (c.swapcase() for c in own), (chr(code) for code in chain(*_SPARE)))


def _shown(name: str) -> str:
    return name if name.isprintable() else ascii(name)

"""Suggestions for a wrong name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def one_of(names: Iterable[str], wrong: str) -> str:
    """Suggestions for a wrong name: the near names, or all names."""
    known = list(names)
    near = get_close_matches(wrong, known, n=2, cutoff=0.6)
    return f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(known)}"

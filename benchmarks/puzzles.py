"""The puzzles that are measured."""

from __future__ import annotations

import exactcover as ec


def read_puzzle(name: str) -> ec.Puzzle:
    """The puzzle in a file, or the shipped one of this name."""
    found = ec.read(name)
    assert isinstance(found, ec.Puzzle), f"{name} is a problem without geometry"
    return found

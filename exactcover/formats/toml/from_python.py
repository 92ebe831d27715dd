"""Puzzles without a file: from a text in TOML, or from values of Python.

The values of Python go through the reader of TOML files as a table without lines. So the same words
mean the same in both, and Python can say all that a file can.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from string import ascii_uppercase
from typing import Any

import numpy as np

from exactcover.errors import FormatError, PuzzleError
from exactcover.formats.contents import Source
from exactcover.formats.files import parse
from exactcover.formats.toml.puzzles import KEYS, read_document
from exactcover.formats.toml.table import Table, TomlFile
from exactcover.puzzle import Piece, Puzzle

ABOUT = ("title", "source", "counts")
"""The keys of a file about a puzzle that are no part of it."""


def puzzle_in(text: str, number: int | None, name: str) -> Puzzle:
    """The puzzle in a text; of several, the one with this number, counted from 1."""
    documents = parse(text, "toml", name=name)
    if number is None and len(documents) > 1:
        raise PuzzleError(
            f"the text holds {len(documents)} puzzles: say which, for example number=1"
        )
    if number is not None and not 1 <= number <= len(documents):
        raise PuzzleError(f"there is no puzzle {number}: the text holds {len(documents)}")
    puzzle = documents[(number or 1) - 1].puzzle
    assert puzzle is not None, "a TOML file holds puzzles"
    return puzzle


def puzzle_of(pieces: object, region: object, name: str, said: Mapping[str, object]) -> Puzzle:
    """The puzzle of these pieces and this region; `said` are further keys of a file."""
    unknown = [key for key in said if key not in KEYS or key in ABOUT]
    if unknown:
        known = sorted(set(KEYS) - set(ABOUT))
        raise PuzzleError(f"a puzzle has no {unknown[0]!r}: it has {', '.join(known)}")
    values = {key: _plain(value) for key, value in said.items() if value is not None}
    listed = _listed(pieces)
    by_cells = [one for one in listed if _are_cells(one)]
    if by_cells and not any(isinstance(one, str | Mapping) for one in listed):
        values.setdefault("lattice", f"{len(by_cells[0][0])}d")
    lettered = len(by_cells) == len(listed) <= len(ascii_uppercase)
    names = iter(ascii_uppercase) if lettered else map(str, count(1))
    listed = [Piece(next(names), one) if _are_cells(one) else one for one in listed]
    values["pieces"] = [one for one in listed if not isinstance(one, Mapping)]
    if tables := [one for one in listed if isinstance(one, Mapping)]:
        values["piece"] = [*tables, *values.get("piece", [])]
    values["region"] = _region(region)
    table = Table(values, (), TomlFile(Source("", name)))
    try:
        puzzle = read_document(table, name).puzzle
    except FormatError as error:
        at = "" if error.token is None else f" (at {error.token!r})"
        raise PuzzleError(f"{error.message}{at}") from None
    assert puzzle is not None, "a table holds a puzzle"
    return puzzle


def _listed(pieces: object) -> list[Any]:
    """Pieces as a list: one text, one piece, one table or the cells of one piece is a list of one.

    Pieces by their cells are lists of cells, which are lists of numbers.
    """
    if isinstance(pieces, str | Piece | Mapping):
        return [_plain(pieces)]
    if not isinstance(pieces, Iterable):
        raise PuzzleError(
            "pieces are text such as 'pentominoes', a Piece, a list of cells, or a list of these, "
            f"not {pieces!r}"
        )
    listed = [_plain(one) for one in pieces]
    return [listed] if _are_cells(listed) else listed


def _are_cells(value: object) -> bool:
    """Whether these are the cells of a piece, each a list of numbers."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(cell, list) and cell and isinstance(cell[0], int) for cell in value)
    )


def _region(region: object) -> Any:
    """A region as a file would say it; cells that are listed are its one part."""
    value = _plain(region)
    if isinstance(value, list) and value and all(isinstance(cell, list) for cell in value):
        return {"cells": value}
    return value


def _plain(value: Any) -> Any:
    """The value as a TOML reader would give it: arrays and tuples as lists."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset | range):
        return [_plain(item) for item in value]
    return value

"""Puzzles without a file: values of Python, read as the table of a TOML file without lines.

So the same words mean the same in both, and Python can say all that a file can.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from numbers import Real
from string import ascii_uppercase
from typing import Any

import numpy as np
import numpy.typing as npt

from exactcover.errors import FormatError, PuzzleError
from exactcover.formats.document import Source
from exactcover.formats.toml.puzzles import KEYS, read_document
from exactcover.formats.toml.table import Table, TomlFile
from exactcover.lattices import Lattice
from exactcover.puzzle import Piece, Puzzle, Region

OnePiece = str | Piece | Mapping[str, object] | Iterable[Sequence[int]]

Pieces = OnePiece | Iterable[OnePiece] | npt.NDArray[np.integer]
"""Pieces as Python says them: see `puzzle_of`."""

Parts = str | Region | Mapping[str, object] | Sequence[object] | npt.NDArray[np.integer]
"""A region as Python says it: see `puzzle_of`."""

ABOUT = ("title", "source", "counts")
"""The keys of a file about a puzzle that are no part of it."""


def puzzle_of(
    pieces: Pieces,
    region: Parts,
    lattice: Lattice | str | Mapping[str, object] | None = None,
    *,
    reflections: bool | None = None,
    crossing: bool = True,
    name: str = "",
    **said: object,
) -> Puzzle:
    """The puzzle that these words say; they mean what they mean in a TOML file.

        >>> from exactcover import Piece, puzzle_of
        >>> puzzle_of("pentominoes", "10x6")
        <Puzzle: 12 pieces on 60 square cells>
        >>> puzzle_of(["L tetromino x 2", "domino any cost 3"], ["4x4", "1x1 at 4,0"])
        <Puzzle: 2 or more pieces on 17 square cells>
        >>> puzzle_of([Piece("I", [(0, 0), (1, 0)], 3, 3)], [(0, 0), (1, 0), (2, 0)], "square")
        <Puzzle: 3 pieces on 3 square cells>
        >>> puzzle_of([[(0, 0), (1, 0)], [(0, 0)]], [(0, 0), (1, 0), (2, 0)])
        <Puzzle: 2 pieces on 3 square cells>

    pieces       a text such as "pentominoes" or "O tetromino x 2", or a drawing; a Piece; a
                 table with the keys of `[[piece]]`; a list of cells; or a list of these. Pieces
                 by their cells are called A, B, C ...; among others, or if there are more than
                 26, by numbers
    region       a text such as "10x6" or "diamond 6 at 3,3", or a drawing; the sizes of a box,
                 (10, 6); a list of parts, which are texts; a table with the keys `plus`,
                 `minus`, `optional` and `empty`; a list or an array of cells; or a Region
    lattice      a name, a Lattice, or a table with the fields of one. Default: None, that of
                 the pieces; of cells alone the square lattice if they have two coordinates,
                 the cubic one if they have three
    reflections  whether pieces may be turned over. Default: None, as is natural on the lattice
    crossing     whether pieces of sticks may cross each other. Default: True
    name         of the puzzle. Default: nothing
    said         further keys of a TOML file, as in `costs=`

    Raises `PuzzleError` if a text cannot be read.
    """
    said |= {"lattice": lattice, "reflections": reflections, "crossing": crossing}
    unknown = [key for key in said if key not in KEYS or key in ABOUT]
    if unknown:
        known = sorted(set(KEYS) - set(ABOUT))
        raise PuzzleError(f"a puzzle has no {unknown[0]!r}: it has {', '.join(known)}")
    values = {key: _plain(value) for key, value in said.items() if value is not None}
    listed = _listed(pieces)
    lettered = all(map(_are_cells, listed)) and len(listed) <= len(ascii_uppercase)
    names = iter(ascii_uppercase) if lettered else map(str, count(1))
    listed = [Piece(next(names), one) if _are_cells(one) else one for one in listed]
    if listed and all(isinstance(one, Piece) for one in listed):
        values = {"lattice": _lattice_of(listed)} | values
    values["pieces"] = [one for one in listed if not isinstance(one, Mapping)]
    if tables := [one for one in listed if isinstance(one, Mapping)]:
        values["piece"] = [*tables, *values.get("piece", [])]
    value: Any = _plain(region)
    by_cells = isinstance(value, list) and value and all(isinstance(one, list) for one in value)
    if isinstance(value, list) and value and all(type(one) is int for one in value):
        value = "x".join(map(str, value))  # the sizes of a box
    values["region"] = {"cells": value} if by_cells else value
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
    alone = bool(listed) and all(
        isinstance(one, list) and one and isinstance(one[0], Real) for one in listed
    )
    return [listed] if alone else listed


def _are_cells(value: object) -> bool:
    """Whether these are the cells of a piece, which are lists; there may be none."""
    return isinstance(value, list) and all(isinstance(cell, list) for cell in value)


def _lattice_of(pieces: Sequence[Piece]) -> Lattice | str | None:
    """The lattice of pieces by their cells: that of the puzzle they are from, or of boxes."""
    of_puzzles = {id(piece.lattice): piece.lattice for piece in pieces if piece.lattice}
    if of_puzzles:
        return of_puzzles.popitem()[1] if len(of_puzzles) == 1 else None
    with suppress(TypeError, IndexError):  # what is no list of cells is reported later
        return f"{len(pieces[0].cells[0])}d"
    return None


def _plain(value: Any) -> Any:
    """The value as a TOML reader would give it: arrays and tuples as lists."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset | range):
        return [_plain(item) for item in value]
    return value

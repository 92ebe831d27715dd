"""The parts of a lattice that show it, read from TOML and written: drawings, regions and names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from exactcover.lattices.base import Board, Lattice
from exactcover.lattices.family import Family
from exactcover.lattices.names import Letters, NamedSet
from exactcover.lattices.sketch import Rows, Sketch
from exactcover.lattices.toml_values import (
    Read,
    cell,
    every,
    few,
    flag,
    point,
    record,
    shown,
    table,
    text,
    whole,
    whole_numbers,
)
from exactcover.lattices.view import Glyph, Mark, View, Wall

ROWS = "rows"
"""The word for a sketch in rows."""

PIECE = re.compile(r"\S+")
SET = re.compile(r"[a-z][a-z0-9]*( [a-z0-9]+)*")
MAX_SIZE = 99

REQUIRED = ("name", "dimension", "rotations", "reflections", "neighbours")
"""The fields of a lattice that a file must have."""


def _number_text(value: Any) -> str:
    """A number or an expression, as text."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else text(value)


def _drawing(kinds: Sequence[str]) -> Read:
    """Reads a drawing, or a list of cells, as text."""

    def read_drawing(value: Any) -> str:
        if isinstance(value, str):
            return text(value)
        return " ".join(",".join(map(str, read_cell(one))) for one in few(value))

    read_cell = cell(kinds)
    return read_drawing


def _piece(value: Any) -> str:
    if not isinstance(value, str) or not PIECE.fullmatch(text(value)):
        raise ValueError(f"{shown(value)} should be a name in one word")
    return value


def size(value: str) -> int:
    """The key of a table of letters: a number of cells."""
    if not (value.isascii() and value.isdigit() and 1 <= int(value[:4]) <= MAX_SIZE):
        raise ValueError(f"{shown(value)} should be a number of cells from 1 to {MAX_SIZE}")
    return int(value)


def set_name(value: str) -> str:
    """The name of a set of pieces."""
    if not SET.fullmatch(text(value)):
        raise ValueError(f"{shown(value)} should be a name of small letters, digits and blanks")
    return value


def sketch(value: Any) -> Sketch | Rows:
    """A table, or `rows`."""
    if isinstance(value, dict):
        return _sketch(value)
    if value != ROWS:
        raise ValueError(f'{shown(value)} should be "{ROWS}", or a table with across and up')
    return Rows()


_mark = {"line": whole, "column": whole, "text": text}
_glyph = record(
    Glyph,
    {
        "up": whole,
        "column": whole,
        "walls": every(record(Wall, {**_mark, "ends": every(whole_numbers)})),
        "strokes": every(record(Mark, _mark)),
        "marks": every(record(Mark, _mark)),
        "bare": text,
        "ends": every(whole_numbers),
    },
)
view = record(
    View,
    {
        "across": whole_numbers,
        "up": whole_numbers,
        "layers": every(whole_numbers),
        "glyphs": every(_glyph),
        "layer_names": text,
        "share": whole,
        "halves": flag,
        "nodes": text,
        "vertices": text,
        "fill": whole,
        "room": whole,
        "longest": lambda value: whole(value) or None,
        "pad": text,
        "boxed": flag,
        "commas": flag,
        "apart": flag,
    },
)
_sketch = record(
    Sketch,
    {
        "across": whole_numbers,
        "up": whole_numbers,
        "places": every(whole_numbers),
        "marks": text,
        "points": every(every(whole_numbers)),
        "rule": text,
    },
)
region = record(
    Family,
    {
        "name": text,
        "sizes": every(text),
        "summary": text,
        "limits": every(text),
        "where": text,
        "needs": text,
        "sides": every(every(_number_text)),
    },
)
board = record(Board, {"lattice": text, "shift": point})


def letters(kinds: Sequence[str]) -> Read:
    """Reads the names of the shapes of one size, made of cells of these kinds."""
    return record(
        Letters,
        {
            "drawings": table(_drawing(kinds), _piece),
            "mirrors": table(_piece, _piece),
            "aliases": table(_piece),
        },
    )


named_set = record(
    NamedSet,
    {"pieces": table(text, _piece), "also": every(set_name), "aliases": table(_piece)},
)


def fields_of(lattice: Lattice) -> dict[str, Any]:
    """A lattice as the fields of a lattice file."""
    names = lattice.piece_names
    values = {
        field.name: _plain(getattr(lattice, field.name))
        for field in fields(lattice)
        if field.name != "names"
    }
    values["pieces"] = {str(size): _plain(letters) for size, letters in names.pieces.items()}
    values["sets"] = _plain(names.sets)
    natural: tuple[Any, ...] = ((), "", {}, None)
    return {key: one for key, one in values.items() if key in REQUIRED or one not in natural}


def _plain(value: Any) -> Any:
    """What a part of a lattice is in a file: tables without what is natural, and lists."""
    if isinstance(value, Rows):
        return ROWS
    if is_dataclass(value) and type(value) in (View, Glyph, Wall, Mark, Sketch, Family, Board):
        return _fields(value)
    if isinstance(value, Letters | NamedSet):
        return _fields(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return value


def _fields(value: Any) -> dict[str, Any]:
    """The fields of a part that differ from what they are when they are left out."""
    given = {field.name: getattr(value, field.name) for field in fields(value)}
    natural = {field.name: field.default for field in fields(value) if field.default is not MISSING}
    return {
        name: 0 if item is None else _plain(item)  # the longest name of a view: never too long
        for name, item in given.items()
        if name not in natural or item != natural[name]
    }

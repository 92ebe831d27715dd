"""A lattice as a TOML file, read and written.

    name = "square"
    polyform = "polyomino"
    dimension = 2
    rotations = [[[0, -1], [1, 0]]]
    reflections = [[[0, 1], [1, 0]]]
    neighbours = [[[0, 0], [1, 0]]]

The keys are the fields of `Lattice` and of its parts, except that `pieces` and `sets` stand for
`names`; how a lattice is drawn in characters stays out. Some values are easier to write than in
Python: a number as "1/3", a motion without a shift as its matrix, a cell with the name of its kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

from exactcover.base.text.files import bytes_of, utf8
from exactcover.base.text.names import one_of
from exactcover.base.text.numerals import MAX_DIGITS, is_short
from exactcover.base.text.toml import KeyLines, read_toml
from exactcover.errors import FormatError, LatticeError
from exactcover.lattices.base import Cell, Lattice
from exactcover.lattices.family import Expression
from exactcover.lattices.motions import Motion
from exactcover.lattices.names import Drawing, PieceNames
from exactcover.lattices.structured import Place, Read, Reader, check_few, hints, plain

MAX_BYTES = 1 << 20

MAX_POINT = 1_000
"""The most that a coordinate may be, near enough to zero for exact sums."""

FRACTION = re.compile(r"-?[0-9]{1,9}(/[0-9]{1,9}|\.[0-9]{1,15})?")

LEFT_OUT = ("names", "views", "sketch")
"""The fields that a file does not have."""

REQUIRED = ("name", "dimension", "rotations", "reflections", "neighbours")
"""The fields that a file must have."""


def read_lattice(path: Path) -> Lattice:
    """The lattice that a TOML file describes."""
    raw, file = bytes_of(path, MAX_BYTES), str(path)
    try:
        content = utf8(raw, file)
        return lattice_from_fields(read_toml(content))
    except FormatError as error:
        message = f"not a TOML file: {error.message}"
        raise FormatError(message, token=error.token).at(error.line, file) from None
    except LatticeError as error:
        line = KeyLines(content).line(error.place) if error.place else None
        raise FormatError(str(error)).at(line, file) from None


def lattice_from_fields(values: dict[str, Any]) -> Lattice:
    """The lattice with these fields, as TOML gives them."""
    centres = values.get("centres")
    reader = Reader(_readers([*centres] if isinstance(centres, dict) else []))
    known = {key: hint for key, hint in hints(Lattice).items() if key not in LEFT_OUT}
    known |= {key: hint for key, hint in hints(PieceNames).items() if key != "complete"}
    given = reader.fields(known, REQUIRED, values, Place("lattice"))
    names = PieceNames(given.pop("pieces", {}), given.pop("sets", {}))
    given.setdefault("polyform", f"poly-{given['name']}")
    return Lattice(**given, names=names)


def fields_of(lattice: Lattice) -> dict[str, Any]:
    """A lattice as the fields of a lattice file.

    Names of shapes that are drawn by marks are left out: a file has no sketch to read them by.
    """
    names = lattice.piece_names if lattice.sketch is None else PieceNames()
    values = {
        field.name: plain(getattr(lattice, field.name), WRITERS)
        for field in fields(lattice)
        if field.name not in LEFT_OUT
    }
    values |= {"pieces": plain(names.pieces, WRITERS), "sets": plain(names.sets, WRITERS)}
    return {key: one for key, one in values.items() if key in REQUIRED or one}


# -- values that a file writes in its own way -----------------------------------------------------


def _readers(kinds: Sequence[str]) -> dict[Any, Read]:
    """The readers of these values where cells may have these kinds."""

    def cell(value: Any, at: Place) -> tuple[int, ...]:
        check_few(value, list, at)
        if kinds and len(value) > 1 and isinstance(value[-1], str):
            if value[-1] not in kinds:
                raise at.wrong(value[-1], f"a kind of cell: {one_of(kinds, value[-1])}")
            value = [*value[:-1], kinds.index(value[-1])]
        numbers: tuple[int, ...] = reader.read(tuple[int, ...], value, at)
        return numbers

    def drawing(value: Any, at: Place) -> str:
        if isinstance(value, str):
            return str(reader.read(str, value, at))
        cells = reader.read(tuple[Cell, ...], value, at)
        return " ".join(",".join(map(str, one)) for one in cells)

    def expression(value: Any, at: Place) -> str:
        number = isinstance(value, int) and not isinstance(value, bool) and is_short(value)
        return str(value) if number else str(reader.read(str, value, at))

    def motion(value: Any, at: Place) -> Motion:
        if not isinstance(value, dict):
            value = {"matrix": value}
        elif "matrix" not in value or not value.keys() <= {"matrix", "shift"}:
            raise at.error(": a motion has a matrix, and a shift or none")
        return Motion(**{
            name: reader.read(hints(Motion)[name], one, at.field(name))
            for name, one in value.items()
        })  # fmt: skip

    readers: dict[Any, Read] = {
        Cell: cell,
        Drawing: drawing,
        Expression: expression,
        Fraction: _fraction,
        Motion: motion,
        float: _length,
    }
    reader = Reader(readers)
    return readers


def _fraction(value: Any, at: Place) -> Fraction:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    text = isinstance(value, str) and FRACTION.fullmatch(value)
    if not (number or text) or (isinstance(value, int) and not is_short(value, MAX_DIGITS)):
        raise at.wrong(value, "a number, as 0.25 or 1/4")
    try:
        fraction = Fraction(str(value))
    except (ValueError, ZeroDivisionError):  # nan; 1/0
        raise at.wrong(value, "a number, as 0.25 or 1/4") from None
    if abs(fraction) > MAX_POINT:
        raise at.wrong(value, f"a number up to {MAX_POINT}")
    return fraction


def _length(value: Any, at: Place) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or abs(value) > MAX_POINT:
        raise at.wrong(value, f"a number up to {MAX_POINT}")
    return float(value)


WRITERS: Mapping[type, Callable[[Any], Any]] = {
    Fraction: lambda value: int(value) if value.denominator == 1 else str(value),
    Motion: lambda motion: (
        {"matrix": motion.matrix, "shift": plain(motion.shift, WRITERS)}
        if motion.shift
        else motion.matrix
    ),
}

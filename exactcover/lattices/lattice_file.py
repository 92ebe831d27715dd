"""A lattice as a TOML file, read and written.

    name = "square"
    polyform = "polyomino"
    dimension = 2
    rotations = [[[0, -1], [1, 0]]]
    reflections = [[[0, 1], [1, 0]]]
    neighbours = [[[0, 0], [1, 0]]]

The keys are the fields of `Lattice` that are mathematics or polygons: how it is drawn in
characters, and the names of its pieces, are said in Python only. Some values are easier to write
than in Python: a number as "1/3", a motion without a shift as its matrix, a cell with the name of
its kind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

from exactcover.base.text import MAX_DIGITS, is_short
from exactcover.base.text.files import bytes_of, utf8
from exactcover.base.text.toml import KeyLines, read_toml
from exactcover.errors import FormatError, LatticeError
from exactcover.lattices.base import Lattice
from exactcover.lattices.motions import Matrix, Motion
from exactcover.lattices.structured import Place, Read, hints, plain, read, read_fields, wrong

MAX_BYTES = 1 << 20

MAX_POINT = 1_000
"""The most that a coordinate may be, near enough to zero for exact sums."""

FRACTION = re.compile(r"-?[0-9]{1,9}(/[0-9]{1,9}|\.[0-9]{1,15})?")

LEFT_OUT = ("names", "views", "sketch")
"""The fields that a file does not have."""

REQUIRED = ("name", "dimension", "rotations", "reflections", "neighbours")
"""The fields that a file must have."""

WITH_CELLS = ("neighbours", "junctions")
"""The fields in which a cell may have its kind by name."""


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
    if isinstance(values.get("centres"), dict):
        kinds = [*values["centres"]]
        values = values | {key: _numbered(values[key], kinds) for key in WITH_CELLS & values.keys()}
    known = {key: hint for key, hint in hints(Lattice).items() if key not in LEFT_OUT}
    given = read_fields(known, REQUIRED, values, READERS)
    given.setdefault("polyform", f"poly-{given['name']}")
    return Lattice(**given)


def fields_of(lattice: Lattice) -> dict[str, Any]:
    """A lattice as the fields of a lattice file."""
    values = {
        field.name: plain(getattr(lattice, field.name), WRITERS)
        for field in fields(lattice)
        if field.name not in LEFT_OUT
    }
    return {key: one for key, one in values.items() if key in REQUIRED or one}


# -- values that a file writes in its own way -----------------------------------------------------


def _numbered(value: Any, kinds: Sequence[str]) -> Any:
    """Lists of cells with numbers in place of the names of their kinds."""
    if isinstance(value, list):
        return [_numbered(one, kinds) for one in value]
    return kinds.index(value) if isinstance(value, str) and value in kinds else value


def _fraction(value: Any, at: Place) -> Fraction:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    text = isinstance(value, str) and FRACTION.fullmatch(value)
    if not (number or text) or (isinstance(value, int) and not is_short(value, MAX_DIGITS)):
        raise wrong(value, "a number, as 0.25 or 1/4", at)
    try:
        fraction = Fraction(str(value))
    except (ValueError, ZeroDivisionError):  # nan; 1/0
        raise wrong(value, "a number, as 0.25 or 1/4", at) from None
    if abs(fraction) > MAX_POINT:
        raise wrong(value, f"a number up to {MAX_POINT}", at)
    return fraction


def _length(value: Any, at: Place) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or abs(value) > MAX_POINT:
        raise wrong(value, f"a number up to {MAX_POINT}", at)
    return float(value)


def _motion(value: Any, at: Place) -> Motion:
    if isinstance(value, dict):
        return Motion(**read_fields(hints(Motion), ("matrix",), value, READERS, at))
    return Motion(read(Matrix, value, READERS, at))


READERS: dict[Any, Read] = {Fraction: _fraction, Motion: _motion, float: _length}

WRITERS: dict[type, Any] = {
    Fraction: lambda value: int(value) if value.denominator == 1 else str(value),
    Motion: lambda motion: (
        {"matrix": motion.matrix, "shift": plain(motion.shift, WRITERS)}
        if motion.shift
        else motion.matrix
    ),
}

"""A lattice from a TOML file, without code.

    name = "square"
    polyform = "polyomino"
    dimension = 2
    rotations = [[[0, -1], [1, 0]]]
    reflections = [[[0, 1], [1, 0]]]
    neighbours = [[[0, 0], [1, 0]]]
    # optional: corners, basis, aliases, summary, and with several kinds of cell
    # [centres] / [outlines], whose numbers may be written "1/3"

The fields are those of `Lattice`; a motion with a shift is `{matrix = ..., shift = [...]}`.
"""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

from exactcover.errors import FormatError, LatticeError
from exactcover.lattices.base import Lattice, Motion
from exactcover.text.characters import CONTROL
from exactcover.text.files import bytes_of, utf8
from exactcover.text.numerals import MAX_DIGITS, is_short
from exactcover.text.toml import read_toml

REQUIRED = ("name", "dimension", "rotations", "reflections", "neighbours")
OPTIONAL = (
    "polyform",
    "corners",
    "centres",
    "basis",
    "outlines",
    "junctions",
    "aliases",
    "summary",
)
MAX_BYTES = 1 << 20
MAX_ENTRIES = 200
"""The most motions, pairs of neighbours, kinds or corners in a list."""

MAX_POINT = 1_000
"""The most that a coordinate may be, near enough to zero for exact sums."""

FRACTION = re.compile(r"-?[0-9]{1,9}(/[0-9]{1,9}|\.[0-9]{1,15})?")


def read_lattice(path: Path) -> Lattice:
    """The lattice that a TOML file describes."""
    raw, file = bytes_of(path, MAX_BYTES), str(path)
    try:
        return lattice_from_fields(read_toml(utf8(raw, file)))
    except FormatError as error:
        message = f"not a TOML file: {error.message}"
        raise FormatError(message, token=error.token).at(error.line, file) from None
    except LatticeError as error:
        raise FormatError(str(error)).at(file=file) from None


def lattice_from_fields(fields: dict[str, Any]) -> Lattice:
    """The lattice with these fields, as TOML gives them."""
    for name in REQUIRED:
        if name not in fields:
            raise LatticeError(f"a lattice needs {name!r}")
    for name in fields:
        if name not in REQUIRED + OPTIONAL:
            raise LatticeError(
                f"a lattice has no field {name!r}; it has {', '.join(REQUIRED + OPTIONAL)}"
            )
    try:
        name = _text(fields["name"])
        return Lattice(
            name=name,
            polyform=_text(fields.get("polyform", f"poly-{name}")),
            dimension=_whole(fields["dimension"]),
            rotations=tuple(_motion(value) for value in _few(fields["rotations"])),
            reflections=tuple(_motion(value) for value in _few(fields["reflections"])),
            neighbours=_cells(fields["neighbours"]),
            corners=_cells(fields.get("corners", [])),
            centres={_text(kind): _point(at) for kind, at in _table(fields, "centres")},
            basis=tuple(
                tuple(_length(x) for x in _few(row)) for row in _few(fields.get("basis", []))
            ),
            outlines={
                _text(kind): tuple(_point(value) for value in _few(corners))
                for kind, corners in _table(fields, "outlines")
            },
            junctions=_cells(fields.get("junctions", [])),
            aliases=tuple(_text(value) for value in _few(fields.get("aliases", []))),
            summary=_text(fields.get("summary", "")),
        )
    except (TypeError, ValueError) as error:
        raise LatticeError(f"a field has the wrong form: {error}") from None


def _shown(value: Any) -> str:
    """A value for a message."""
    if isinstance(value, int) and not is_short(value):
        return "a longer number"
    try:
        text = repr(value)
    except ValueError:  # a number inside that is too long to be printed
        text = "this"
    return text if len(text) <= 60 else text[:57] + "..."


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{_shown(value)} should be text")
    if len(value) > MAX_ENTRIES or CONTROL.search(value):
        raise ValueError(
            f"{_shown(value)} should be text of at most {MAX_ENTRIES} characters, without control "
            "characters"
        )
    return value


def _few(values: Any) -> list[Any]:
    """A list that is not too long."""
    if not isinstance(values, list):
        raise TypeError(f"{_shown(values)} should be a list")
    if len(values) > MAX_ENTRIES:
        raise ValueError(f"a list of {len(values):,} entries: at most {MAX_ENTRIES} are read")
    return values


def _table(fields: dict[str, Any], name: str) -> list[tuple[str, Any]]:
    """The entries of a table that is not too long."""
    table = fields.get(name, {})
    if not isinstance(table, dict):
        raise TypeError(f"{_shown(table)} should be a table")
    return _few([*table.items()])


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not is_short(value):
        raise TypeError(f"{_shown(value)} should be a whole number")
    return value


def _length(value: Any) -> float:
    """A coordinate in space."""
    if not isinstance(value, int | float) or abs(value) > MAX_POINT:
        raise ValueError(f"{_shown(value)} should be a number up to {MAX_POINT}")
    return float(value)


def _point(values: Any) -> tuple[Fraction, ...]:
    return tuple(_coordinate(value) for value in _few(values))


def _coordinate(value: Any) -> Fraction:
    right = isinstance(value, int | float) or (
        isinstance(value, str) and FRACTION.fullmatch(value) is not None
    )
    if not right or (isinstance(value, int) and not is_short(value, MAX_DIGITS)):
        raise ValueError(f"{_shown(value)} should be a number, as 0.25 or 1/4")
    try:
        number = Fraction(str(value))
    except ZeroDivisionError:
        raise ValueError(f"{_shown(value)} divides by zero") from None
    if abs(number) > MAX_POINT:
        raise ValueError(f"{_shown(value)} should be a number up to {MAX_POINT}")
    return number


def _motion(value: Any) -> Motion:
    if isinstance(value, dict):
        if "matrix" not in value or not value.keys() <= {"matrix", "shift"}:
            raise ValueError(f"a motion has a matrix, and a shift or none, not {_shown(value)}")
        return Motion(_matrix(value["matrix"]), _point(value.get("shift", [])))
    return Motion(_matrix(value))


def _matrix(rows: Any) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(_whole(value) for value in _few(row)) for row in _few(rows))


def _cells(values: Any) -> Any:
    return tuple(
        tuple(tuple(_whole(x) for x in _few(cell)) for cell in _few(cells))
        for cells in _few(values)
    )

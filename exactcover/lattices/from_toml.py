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
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

from exactcover.errors import FormatError, LatticeError
from exactcover.lattices.base import Lattice, Motion

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
FRACTION = re.compile(r"-?\d{1,9}(/\d{1,9}|\.\d{1,15})?")


def read_lattice(path: Path) -> Lattice:
    """The lattice that a TOML file describes."""
    try:
        raw = path.read_bytes()
        if len(raw) > MAX_BYTES:
            raise FormatError(f"a lattice file may have {MAX_BYTES} bytes, this has {len(raw)}")
        fields = tomllib.loads(raw.decode("utf-8"))
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}").at(file=str(path)) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise FormatError(f"not a TOML file: {error}").at(file=str(path)) from None
    except FormatError as error:
        raise error.at(file=str(path)) from None
    try:
        return lattice_from_fields(fields)
    except LatticeError as error:
        raise FormatError(str(error)).at(file=str(path)) from None


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
        return Lattice(
            name=_text(fields["name"]),
            polyform=_text(fields.get("polyform", f"poly-{fields['name']}")),
            dimension=_whole(fields["dimension"]),
            rotations=tuple(_motion(value) for value in fields["rotations"]),
            reflections=tuple(_motion(value) for value in fields["reflections"]),
            neighbours=_cells(fields["neighbours"]),
            corners=_cells(fields.get("corners", [])),
            centres={kind: _point(value) for kind, value in fields.get("centres", {}).items()},
            basis=tuple(tuple(float(x) for x in row) for row in fields.get("basis", [])),
            outlines={
                kind: tuple(_point(value) for value in corners)
                for kind, corners in fields.get("outlines", {}).items()
            },
            junctions=_cells(fields.get("junctions", [])),
            aliases=tuple(_text(value) for value in fields.get("aliases", [])),
            summary=_text(fields.get("summary", "")),
        )
    except (TypeError, ValueError, AttributeError, ZeroDivisionError, OverflowError) as error:
        raise LatticeError(f"a field has the wrong form: {error}") from None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} should be text")
    return value


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} should be a whole number")
    return value


def _point(values: Any) -> tuple[Fraction, ...]:
    for value in values:
        if isinstance(value, str) and not FRACTION.fullmatch(value):
            raise ValueError(f"{value!r} should be a number, as 0.25 or 1/4")
    return tuple(Fraction(str(value)) for value in values)


def _motion(value: Any) -> Motion:
    if isinstance(value, dict):
        if "matrix" not in value or not value.keys() <= {"matrix", "shift"}:
            raise ValueError(f"a motion has a matrix, and a shift or none, not {value}")
        return Motion(_matrix(value["matrix"]), _point(value.get("shift", [])))
    return Motion(_matrix(value))


def _matrix(rows: Any) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(_whole(value) for value in row) for row in rows)


def _cells(values: Any) -> Any:
    return tuple(tuple(tuple(_whole(x) for x in cell) for cell in cells) for cells in values)

"""A lattice from a TOML file, without code.

    name = "square"
    polyform = "polyomino"
    dimension = 2
    rotations = [[[0, -1], [1, 0]]]
    reflections = [[[0, 1], [1, 0]]]
    neighbours = [[[0, 0], [1, 0]]]
    # optional: corners, basis, aliases, summary, and with several kinds of cell
    # [centres] / [outlines], whose numbers may be written "1/3"; then a cell ends with its kind;
    # balls = true
    # how it is drawn, and what is named: views, sketch, regions, board, flat, pieces, sets

The fields are those of `Lattice`, but `pieces` and `sets` stand for its `names`; a motion with a
shift is `{matrix = ..., shift = [...]}`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from exactcover.errors import FormatError, LatticeError
from exactcover.lattices.base import Lattice
from exactcover.lattices.names import PieceNames
from exactcover.lattices.toml_parts import (
    REQUIRED,
    board,
    letters,
    named_set,
    region,
    set_name,
    size,
    sketch,
    view,
)
from exactcover.lattices.toml_values import (
    Misread,
    Read,
    cell,
    every,
    flag,
    length,
    motion,
    point,
    shown,
    table,
    text,
    whole,
)
from exactcover.text.files import bytes_of, utf8
from exactcover.text.near import one_of
from exactcover.text.toml import read_toml
from exactcover.text.toml.lines import KeyLines

MAX_BYTES = 1 << 20


def readers(kinds: Sequence[str]) -> dict[str, Read]:
    """How each field is read where cells may have these kinds."""
    cells = every(every(cell(kinds)))
    return {
        "name": text,
        "dimension": whole,
        "rotations": every(motion),
        "reflections": every(motion),
        "neighbours": cells,
        "polyform": text,
        "corners": cells,
        "centres": table(point),
        "basis": every(every(length)),
        "outlines": table(every(point)),
        "balls": flag,
        "junctions": cells,
        "views": table(view),
        "sketch": sketch,
        "regions": every(region),
        "board": board,
        "flat": text,
        "pieces": table(letters(kinds), size),
        "sets": table(named_set, set_name),
        "aliases": every(text),
        "summary": text,
    }


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


def lattice_from_fields(fields: dict[str, Any]) -> Lattice:
    """The lattice with these fields, as TOML gives them."""
    centres = fields.get("centres")
    known = readers([*centres] if isinstance(centres, dict) else [])
    for name in fields:
        if name not in known:
            message = f"a lattice has no field {shown(name)}: {one_of(known, name)}"
            raise LatticeError(message, place=(name,))
    for name in REQUIRED:
        if name not in fields:
            raise LatticeError(f"a lattice needs {name!r}")
    values = {}
    for name, value in fields.items():
        try:
            values[name] = known[name](value)
        except (TypeError, ValueError) as error:
            place = Misread.under(name, error, str(error)).place
            message = f"the field {name} has the wrong form: {error}"
            raise LatticeError(message, place=place) from None
    names = PieceNames(values.pop("pieces", {}), values.pop("sets", {}))
    values.setdefault("polyform", f"poly-{values['name']}")
    return Lattice(**values, names=names)

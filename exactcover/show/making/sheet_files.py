"""Files of lines to cut: SVG and DXF in millimetres; PDF and PNG of the SVG.

Cuts are thin red lines, engraving is blue, as programs for laser cutters expect it; each has a
layer of its own. SVG has y downwards, DXF upwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from exactcover.base.text.files import ending_of, write
from exactcover.show.render.raster import SUFFIXES, saved
from exactcover.show.render.svg import FONT, plain

if TYPE_CHECKING:
    from exactcover.show.making.sheets import CutSheet, Stroke

ENDINGS = (*SUFFIXES, ".dxf")

HAIR = 0.1
"""The width of a line to cut, in millimetres."""

RED, BLUE = 1, 5
"""Numbers of colours in DXF."""


def write_sheet(path: Path, sheet: CutSheet, title: str) -> Path:
    """Write the lines of one sheet; the ending of the file says how."""
    ending = ending_of(path, ENDINGS)
    if ending == ".dxf":
        write(path, dxf_of(sheet).encode("ascii"))
    else:
        saved(svg_of(sheet, title), path, 4.0 if ending == ".png" else 1.0)
    return path


def svg_of(sheet: CutSheet, title: str, hair: float = HAIR) -> str:
    """The lines as SVG, in millimetres.

    hair  the width of a line to cut; a picture for readers wants a wider one
    """
    width, height = _number(sheet.width), _number(sheet.height)
    lines = [
        "<svg xmlns='http://www.w3.org/2000/svg' "
        "xmlns:inkscape='http://www.inkscape.org/namespaces/inkscape' "
        f"width='{width}mm' height='{height}mm' viewBox='0 0 {width} {height}'>",
        f"<title>{plain(title)}</title>",
        "<g id='cut' inkscape:groupmode='layer' inkscape:label='cut' fill='none' stroke='#ff0000' "
        f"stroke-width='{hair:g}'>",
        *(f"<path d='{_path(stroke, sheet.height)}'/>" for stroke in sheet.strokes),
        "</g>",
    ]
    if sheet.words:
        lines.append(
            "<g id='engrave' inkscape:groupmode='layer' inkscape:label='engrave' fill='#0000ff' "
            f"font-family='{FONT}' text-anchor='middle'>"
        )
        lines += [
            f"<text x='{_number(word.x)}' "
            f"y='{_number(sheet.height - word.y + 0.35 * word.height)}' "
            f"font-size='{_number(word.height)}'>{plain(word.text)}</text>"
            for word in sheet.words
        ]
        lines.append("</g>")
    return "\n".join([*lines, "</svg>", ""])


def _path(stroke: Stroke, height: float) -> str:
    closed = np.array_equal(stroke[0], stroke[-1])
    points = [f"{_number(x)} {_number(height - y)}" for x, y in stroke.tolist()]
    return f"M{' L'.join(points[:-1] if closed else points)}{'Z' if closed else ''}"


def _number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


def dxf_of(sheet: CutSheet) -> str:
    """The lines as DXF of release 12, which every program reads: polylines and texts."""
    return "\n".join(f"{code}\n{value}" for code, value in _entities(sheet)) + "\n"


def _entities(sheet: CutSheet) -> Iterator[tuple[int, object]]:
    """Group codes and values."""
    yield from [(0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"), (0, "ENDSEC")]
    yield from [(0, "SECTION"), (2, "TABLES"), (0, "TABLE"), (2, "LAYER"), (70, 2)]
    for layer, colour in (("CUT", RED), ("ENGRAVE", BLUE)):
        yield from [(0, "LAYER"), (2, layer), (70, 0), (62, colour), (6, "CONTINUOUS")]
    yield from [(0, "ENDTAB"), (0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES")]
    for stroke in sheet.strokes:
        closed = bool(np.array_equal(stroke[0], stroke[-1]))
        yield from [(0, "POLYLINE"), (8, "CUT"), (66, 1), (70, int(closed))]
        yield from [(10, "0"), (20, "0"), (30, "0")]
        for x, y in (stroke[:-1] if closed else stroke).tolist():
            yield from [(0, "VERTEX"), (8, "CUT"), (10, _number(x)), (20, _number(y)), (30, "0")]
        yield from [(0, "SEQEND"), (8, "CUT")]
    for word in sheet.words:
        x, y = _number(word.x), _number(word.y)
        yield from [(0, "TEXT"), (8, "ENGRAVE"), (10, x), (20, y), (30, "0")]
        yield from [(40, _number(0.7 * word.height)), (1, _in_ascii(word.text))]
        yield from [(72, 1), (73, 2), (11, x), (21, y), (31, "0")]  # the middle is at this point
    yield from [(0, "ENDSEC"), (0, "EOF")]


def _in_ascii(text: str) -> str:
    """A text of DXF: other characters are written as \\U+ and the four digits of their UTF-16."""
    units = text.encode("utf-16-be")
    codes = [int.from_bytes(units[place : place + 2]) for place in range(0, len(units), 2)]
    return "".join(chr(code) if code < 0x80 else f"\\U+{code:04X}" for code in codes)

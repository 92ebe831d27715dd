"""Lines for a laser cutter, or for scissors: the outlines of flat pieces on sheets.

    cut_lines(puzzle, unit=20, kerf=0.15, sheet=(300, 200)).save("sheet.svg")

Pieces of a puzzle lie apart, so each outline can be moved outwards by half of what the beam burns
away. Pieces of a solution lie in their places, and a line between two of them is cut once.

Files are SVG and DXF in millimetres. Cuts are thin red lines, engraving is
blue, as programs for laser cutters expect it; each has a layer of its own. SVG has y downwards, DXF
upwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from exactcover.base import check_kind, ending_of, write_bytes
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import POLYGON, Bodies, bodies_of
from exactcover.lattices import Lattice
from exactcover.show.packages import package
from exactcover.show.subjects import PieceList, check_length, copies_of, pieces_to_make
from exactcover.show.svg import FONT, plain
from exactcover.show.tiles import middle_cell, room_in
from exactcover.studio.making.flat_shapes import (
    OVERLAP,
    check_width,
    flat_shape,
    grown,
    polygons,
)
from exactcover.studio.making.sheets import Cut, CutSheet, Stroke, laid_out, sheet_size


@dataclass(frozen=True)
class CutPart:
    """A part to cut: name, number of copies, length of its outline, and area, in mm.

    polygons  how many separate parts each copy is; more than 1 if its cells do not all share sides
    """

    name: str
    copies: int
    length: float
    area: float
    polygons: int = 1


@dataclass(frozen=True, eq=False)
class CutLines:
    """The lines to cut, on sheets."""

    title: str
    parts: tuple[CutPart, ...]
    sheets: tuple[CutSheet, ...]

    @property
    def length(self) -> float:
        """The length of all cuts, in millimetres."""
        return sum(sheet.length for sheet in self.sheets)

    def __repr__(self) -> str:
        noun = "sheet" if len(self.sheets) == 1 else "sheets"
        return f"<CutLines: {self.length:.1f} mm on {len(self.sheets)} {noun}>"

    def save(self, path: str | Path) -> list[Path]:
        """Write them, and return the files: one for each sheet, numbered if there are several.

        path  a file that ends with .svg or .dxf
        """
        path, many = Path(path), len(self.sheets)
        ending = ending_of(path, ENDINGS)
        files = []
        for number, sheet in enumerate(self.sheets, 1):
            file = path if many == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
            title = self.title + f", sheet {number} of {many}" * (many > 1)
            if ending == ".dxf":
                entities = "\n".join(f"{code}\n{value}" for code, value in _entities(sheet))
                write_bytes(file, f"{entities}\n".encode("ascii"))
            else:
                write_bytes(file, svg_of(sheet, title).encode())
            files.append(file)
        return files

    def _repr_svg_(self) -> str:
        return svg_of(self.sheets[0], self.title)


def cut_lines(
    what: object,
    *,
    lattice: Lattice | str | None = None,
    unit: float = 20.0,
    kerf: float = 0.0,
    width: float | None = None,
    tray: float | None = None,
    sheet: tuple[float, float] | str | None = None,
    spacing: float = 3.0,
    names: bool = False,
) -> CutLines:
    """The lines that cut flat pieces out of a sheet. Needs the extra `make`.

        >>> import exactcover as ec
        >>> from exactcover.studio.making import cut_lines
        >>> puzzle = ec.read("pentominoes_10x6")
        >>> cut_lines(puzzle, kerf=0.15, sheet=(300, 200))
        <CutLines: 2847.2 mm on 1 sheet>
        >>> cut_lines(ec.first(puzzle))
        <CutLines: 1740.0 mm on 1 sheet>

    what     a puzzle; a solution, whose pieces stay in their places, so that a line between two of
             them is cut once; a piece; the name of a set of pieces; a list of pieces or of shapes
    lattice  for pieces and shapes: a lattice, or its name. Default: None, that of the puzzle which
             they are taken from
    unit     millimetres of one unit of the lattice: the side of a square or a triangle, the width
             of a hexagon. Default: 20
    kerf     millimetres that the beam burns away: outlines are moved outwards by half of it, holes
             inwards. Not for a solution, whose lines have pieces on both sides. Default: 0
    width    millimetres, of the bars of sticks. Default: None, 0.3 of their length
    tray     millimetres of the rim of a tray: a frame round the board, and a base. Default: None,
             no tray
    sheet    width and height of a sheet in millimetres, or "A3", "A4", "A5" or "letter". Default:
             None, one sheet that is large enough
    spacing  millimetres between pieces on a sheet, and at its edges. Default: 3
    names    the names of the pieces are engraved. Default: False

    Raises `ExactCoverError` for cells in space, and for a piece that is larger than a sheet.
    """
    wanted = pieces_to_make(what, lattice)
    bodies = bodies_of(wanted.lattice)
    if bodies.solid:
        raise ExactCoverError(
            f"{wanted.lattice.name} cells lie in space, so they cannot be cut out of a sheet; "
            "make solids of them: `solids`, or a file that ends with .stl or .3mf; "
            "`exactcover draw --pieces` draws them"
        )
    check_length("unit", unit, 0.1, 1000)
    check_length("kerf", kerf, 0, unit)
    check_length("spacing", spacing, 0, 1000)
    check_width(bodies, width, unit)
    check_length("tray", tray, 0.1, 1000, optional=True)
    check_kind("names", names, bool, "True or False")
    if kerf and wanted.in_place:
        raise ExactCoverError(
            "kerf: a line of a solution has a piece on each side, so it cannot be moved; give the "
            "puzzle without a solution, and its pieces are cut one by one"
        )
    made = []
    for piece, cells, _ in wanted.with_cells():
        shape = flat_shape(bodies, cells, unit, width)
        cell = middle_cell(bodies, cells)
        middle = package("shapely").Point(bodies.centre(cell) * unit)
        room = 0.9 * room_in(bodies, bodies.body(cell)) * unit
        number = copies_of(piece)
        count = len(polygons(shape))
        made.append(Cut(piece.name, number, grown(shape, kerf / 2), middle, room, polygons=count))
    if wanted.in_place:
        made = [_together(made)]
    if tray:
        made = _with_tray(made, bodies, wanted, unit, width, tray, kerf)
    parts = [part for one in made for part in one.pieces or (one,)]
    measured = tuple(
        CutPart(p.name, p.copies, round(p.shape.length, 6), round(p.shape.area, 6), p.polygons)
        for p in parts
    )
    sheets = laid_out(made, spacing, sheet_size(sheet), names=names)
    return CutLines(wanted.title, measured, tuple(sheets))


def _together(made: Sequence[Cut]) -> Cut:
    """The pieces of a solution as one thing on the sheet."""
    shapely = package("shapely")
    for one, other in combinations(made, 2):
        if one.shape.intersection(other.shape).area > OVERLAP * one.shape.area:
            raise ExactCoverError(
                f"the pieces {one.name} and {other.name} cross in this solution, so they cannot "
                "be cut in their places; take a solution without crossings"
            )
    whole = shapely.MultiPolygon([part for one in made for part in polygons(one.shape)])
    return Cut("the solution", 1, whole, pieces=tuple(made))


def _with_tray(
    made: Sequence[Cut], bodies: Bodies, wanted: PieceList, unit: float, width: float | None,
    rim: float, kerf: float,
) -> list[Cut]:  # fmt: skip
    """The pieces, a frame that holds them, and a base to glue it on.

    The hole of the frame is the board; round bars and discs without the room between them.
    """
    shapely = package("shapely")
    if not wanted.board:
        raise ExactCoverError("tray: pieces alone have no board; give a puzzle or a solution")
    board = flat_shape(bodies, wanted.board, unit, width)
    if not all(body.sort == POLYGON for body in bodies.kinds):
        board = shapely.union_all([shapely.Polygon(part.exterior) for part in polygons(board)])
    around = shapely.box(*board.bounds).buffer(rim)
    base = Cut("base", 1, grown(around, kerf / 2))
    frame = Cut("frame", 1, grown(around.difference(board), kerf / 2))
    if not wanted.in_place:
        return [*made, frame, base]
    (solution,) = made
    return [Cut("the solution in its frame", 1, base.shape, pieces=(*solution.pieces, frame)), base]


# -- files -----------------------------------------------------------------------------------------

ENDINGS = (".svg", ".dxf")

HAIR = 0.1
"""The width of a line to cut, in millimetres."""

RED, BLUE = 1, 5
"""Numbers of colours in DXF."""


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


def _entities(sheet: CutSheet) -> Iterator[tuple[int, object]]:
    """The lines as DXF of release 12, which every program reads: group codes and values."""
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
        # Other characters than those of ASCII are written as \U+ and the four digits of UTF-16.
        units = np.frombuffer(word.text.encode("utf-16-le"), "<u2").tolist()
        text = "".join(chr(code) if code < 0x80 else f"\\U+{code:04X}" for code in units)
        yield from [(40, _number(0.7 * word.height)), (1, text)]
        yield from [(72, 1), (73, 2), (11, x), (21, y), (31, "0")]  # the middle is at this point
    yield from [(0, "ENDSEC"), (0, "EOF")]

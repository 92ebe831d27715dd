"""The files of polycube: `D:xDim=10:yDim=6:zDim=1`, then pieces as `C` lines or drawings, `~D`.

The format is a program's, so it is read as that program's users wrote it; where its description
leaves room, this reader takes what can mean only one thing and refuses the rest:

* Fields of a directive may stand in any order, in any case, with blanks round them. An unknown or
  repeated field is an error, and so is a directive outside `D ... ~D` or one that is not closed: a
  file that was cut off is not a smaller puzzle.
* A row of a drawing may be short at its end, and rows may have different numbers of layers: columns
  count from the left, rows from the bottom, so nothing moves.
* With zDim = 1 the puzzle is one of squares. A mobile piece drawn in another plane is turned into
  that of the puzzle; with one that lies in no plane the puzzle is one of cubes, without a solution.
* With zDim > 1 it is one of cubes, which can be turned but have no mirror to step through.

Writing: a region that is not a box becomes the smallest box round it, with a stationary piece in
the rest; n copies of a piece become n pieces. A puzzle that the format cannot represent is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from exactcover.base.text import numbered
from exactcover.errors import ConversionError, FormatError, PuzzleError, one_of, shown
from exactcover.formats.document import (
    Document,
    NotRepresentable,
    Remarks,
    Source,
    check_squares_or_cubes,
    errors_at,
    represented,
    whole,
)
from exactcover.formats.limits import Budget, check_number_of_pieces
from exactcover.geometry.cells import MAX_CELLS, CellSet
from exactcover.lattices import Cells, get_lattice
from exactcover.puzzle import Piece, Puzzle, Region
from exactcover.puzzle.pieces import many

DIRECTIVES = ("D", "C", "L", "~L", "~D")
SIZES = ("xDim", "yDim", "zDim")
EMPTY = "."
MISPLACED = re.compile(r"~\s*D\s*$|[DC]\s*:|L\s*:\s*stationary")
"""Text that can only be a directive; inside a drawing it shows that `~L` is missing."""

Triple = tuple[int, int, int]


class DrawnPiece(NamedTuple):
    """A piece as it stands in the file."""

    cells: list[Triple]
    stationary: bool
    line: int


def read_polycube(source: Source) -> list[Document]:
    """The puzzle of a text, which has one."""
    remarks, lines = Remarks(), []
    for number, line in enumerate(source.lines, 1):
        statement, _, comment = line.partition("#")
        if statement.strip():
            lines.append((number, statement.strip()))
        else:
            with errors_at(number):
                remarks.add(comment)
    if not lines:
        raise source.error("no puzzle here: one begins with a line D:xDim=..:yDim=..:zDim=..")
    definition = Definition(source.budget)
    definition.read(lines)
    places = {piece: drawn.line for piece, drawn in definition.pieces.items()}
    with errors_at(lines[0][0], source.file, places):
        puzzle = _puzzle(definition, source.name)
    return [source.document(puzzle, remarks, places)]


# -- lines ----------------------------------------------------------------------------------------


@dataclass
class Definition:
    """The contents of the lines of a puzzle."""

    budget: Budget
    size: Triple = (0, 0, 0)
    one_sided: bool = False
    pieces: dict[str, DrawnPiece] = field(default_factory=dict)

    def add(self, name: str, piece: DrawnPiece) -> None:
        if name in self.pieces:
            raise FormatError(
                f"piece {name} was defined on line {self.pieces[name].line} already: "
                "a name may be used once",
                token=name,
            ).at(piece.line)
        with errors_at(piece.line):
            check_number_of_pieces(len(self.pieces) + 1)
        self.pieces[name] = piece

    def read(self, numbered_lines: Sequence[tuple[int, str]]) -> None:
        """Read the lines from `D` to `~D`."""
        lines = iter(numbered_lines)
        directive = ""
        for number, statement in lines:
            with errors_at(number):
                begun = bool(directive)
                directive, body = _directive(statement, inside=begun)
                if not begun and directive in ("C", "L", "~D"):
                    what = {"C": "a piece", "L": "a drawing"}.get(directive, "~D")
                    raise FormatError(
                        f"{what} is outside a puzzle: a line D:xDim=..:yDim=..:zDim=.. must come "
                        "first"
                    )
                if directive == "D":
                    self._read_size(body)
                elif directive == "C":
                    self.add(*_piece(body, number))
                elif directive == "L":
                    self._read_drawing(body, number, lines)
                elif directive == "~L":
                    raise FormatError("no drawing is open: it begins with a line L", token="~L")
        if directive != "~D":
            raise FormatError("this puzzle is not closed by ~D").at(numbered_lines[0][0])

    def _read_size(self, body: str | None) -> None:
        fields = _fields(body, "D", needed=SIZES, flags=("oneSide",))
        x, y, z = (whole(fields[name], name) for name in SIZES)
        for name, size in zip(SIZES, (x, y, z), strict=True):
            if size < 1:
                raise FormatError(f"{name} must be 1 or more", token=fields[name])
        self.budget.take(x * y * z, token=f"{x}x{y}x{z}")
        if "oneSide" in fields and z != 1:
            raise FormatError("a one-sided puzzle is flat: zDim must be 1", token=fields["zDim"])
        self.size, self.one_sided = (x, y, z), "oneSide" in fields

    def _read_drawing(self, body: str | None, line: int, lines: Iterator[tuple[int, str]]) -> None:
        """Read the lines up to `~L`; each name in them is a piece."""
        stationary = []
        if body is not None:
            stationary = [
                _name(one) for one in _fields(body, "L", ("stationary",))["stationary"].split()
            ]
        rows: list[tuple[int, str]] = []
        for number, statement in lines:
            if "".join(statement.split()) == "~L":
                break
            if MISPLACED.match(statement):
                raise FormatError(
                    f"the drawing that begins on line {line} is not closed by ~L",
                    token=shown(statement.split(maxsplit=1)[0]),
                ).at(number)
            rows.append((number, statement))
        else:
            raise FormatError("this drawing is not closed by ~L").at(line)
        found: dict[str, DrawnPiece] = {}
        for above, (number, row) in enumerate(rows):
            y = len(rows) - 1 - above
            for z, layer in enumerate(row.split(",")):
                row_names = layer.split()
                self.budget.take(len(row_names))
                for x, name in enumerate(row_names):
                    if name != EMPTY:
                        found.setdefault(name, DrawnPiece([], name in stationary, number))
                        found[name].cells.append((x, y, z))
        for name, piece in found.items():
            self.add(name, piece)
        for name in stationary:
            if name not in found:
                message = f"stationary piece {name} is not in the drawing"
                raise FormatError(message, token=name).at(line)


def _directive(statement: str, *, inside: bool = False) -> tuple[str, str | None]:
    """The name of a directive, and the text behind its colon."""
    head, colon, body = statement.partition(":")
    name = "".join(head.split())
    if name not in DIRECTIVES:
        hint = "; a drawing begins with a line L" if inside and "." in statement.split() else ""
        raise FormatError(
            f"a line begins with {', '.join(DIRECTIVES)} or #{hint}",
            token=shown(statement.split(maxsplit=1)[0]),
        )
    if name[0] == "~" and colon:
        raise FormatError(f"nothing may follow {name}", token=shown(":" + body))
    return name, body if colon else None


def _piece(body: str | None, line: int) -> tuple[str, DrawnPiece]:
    fields = _fields(body, "C", needed=("name", "type", "layout"))
    name = _name(fields["name"])
    kind = fields["type"].upper()
    if kind not in ("M", "S"):
        raise FormatError("type must be M (mobile) or S (stationary)", token=shown(fields["type"]))
    cells = [_cell(text) for text in fields["layout"].split(",")]
    return name, DrawnPiece(cells, kind == "S", line)


def _fields(
    body: str | None, directive: str, needed: tuple[str, ...], flags: tuple[str, ...] = ()
) -> dict[str, str]:
    """The fields of a directive by name; flags have no value."""
    known = {name.lower(): name for name in (*needed, *flags)}
    fields: dict[str, str] = {}
    for text in [] if body is None else body.split(":"):
        given, equals, value = (part.strip() for part in text.partition("="))
        name = known.get(given.lower())
        if name is None:
            raise FormatError(
                f"{directive} has no field {shown(given)!r}: {one_of(known.values(), given)}",
                token=shown(text.strip()),
            )
        if name in fields:
            raise FormatError(f"{name} is given twice", token=shown(text.strip()))
        if (name in flags) == bool(equals):
            form = name if name in flags else f"{name}=..."
            raise FormatError(f"{name} is written {form}", token=shown(text.strip()))
        fields[name] = value
    for name in needed:
        if name not in fields:
            raise FormatError(f"{directive} needs {', '.join(needed)}: {name} is missing")
    return fields


def _name(text: str) -> str:
    if not text or len(text.split()) > 1 or text == EMPTY or "," in text:
        raise FormatError(
            "a piece's name is one word without a comma, and not a lone dot", token=shown(text)
        )
    return text


def _cell(text: str) -> Triple:
    words = text.split()
    if len(words) != 3:
        raise FormatError(
            "each cell is three whole numbers x y z, with a comma between cells",
            token=shown(text.strip()),
        )
    x, y, z = (whole(word, "a coordinate") for word in words)
    return x, y, z


# -- puzzles --------------------------------------------------------------------------------------


def _puzzle(definition: Definition, name: str) -> Puzzle:
    # With a mobile piece that lies in no plane even a flat puzzle is one of cubes.
    flat = definition.one_sided or (
        definition.size[2] == 1
        and not any(
            np.ptp(np.array(piece.cells, np.int64), axis=0).all()
            for piece in definition.pieces.values()
            if not piece.stationary
        )
    )
    width = 2 if flat else 3
    lattice = get_lattice("square" if flat else "cubic")
    pieces = []
    for title, drawn in definition.pieces.items():
        cells = np.array(drawn.cells, np.int64).reshape(-1, 3)
        if flat:
            cells = _in_the_plane(title, cells, drawn.stationary, definition.one_sided)
        pieces.append(Piece(title, cells, stationary=drawn.stationary))
    box = np.indices(definition.size[:width]).reshape(width, -1).T
    return Puzzle(
        lattice,
        Region(box, np.zeros((0, width), np.int64)),
        tuple(pieces),
        reflections=flat and not definition.one_sided,
        name=name,
    )


def _in_the_plane(name: str, cells: Cells, stationary: bool, one_sided: bool) -> Cells:
    """The cells x y of a piece of a flat puzzle; a mobile one may be turned for it."""
    if stationary or one_sided:
        if cells[:, 2].any():
            why = "in a one-sided puzzle every z is 0" if one_sided else "zDim is 1"
            raise PuzzleError(f"piece {name} has a cell with z other than 0: {why}", piece=name)
        return cells[:, :2]
    axis = next(axis for axis in (2, 1, 0) if not np.ptp(cells[:, axis]))
    return np.delete(cells, axis, axis=1)


# -- writing --------------------------------------------------------------------------------------


ODD = re.compile(r"[#,:=]|^~|^\.$")
"""The characters that no name may contain in a polycube file."""

FILLER = "*"


def write_polycube(documents: Sequence[Document], *, drawn: bool = False) -> str:
    """The puzzles, one after the other; stationary pieces drawn, or by their coordinates."""
    return "\n".join("\n".join([*_written(document, drawn)]) + "\n" for document in documents)


def _written(document: Document, drawn: bool) -> Iterator[str]:
    puzzle = document.puzzle
    if puzzle is None:
        raise ConversionError(f"{document.name} is a plain problem: polycube needs a geometry")
    with represented(document, "polycube's format"):
        one_sided = _is_one_sided(puzzle)
        named = [*_copies_of_pieces(puzzle)]
        box, filler = _box(puzzle)
    yield from Remarks.written(document.title, document.source, document.counts, "#")
    sizes = ":".join(f"{axis}Dim={size}" for axis, size in zip("xyz", box, strict=True))
    yield f"D:{sizes}{':oneSide' if one_sided else ''}"
    [name] = numbered([FILLER], {name for name, _, _ in named})
    shown = [(name, filler)] if len(filler) else []
    if drawn:
        shown += [(name, cells) for name, cells, stationary in named if stationary]
        named = [one for one in named if not one[2]]
    if shown:
        yield f"L:stationary={' '.join(name for name, _ in shown)}"
        yield from _drawn(box, shown)
        yield "~L"
    for name, cells, stationary in named:
        layout = ", ".join(" ".join(map(str, cell)) for cell in cells.tolist())
        yield f"C:name={name}:type={'S' if stationary else 'M'}:layout={layout}"
    yield "~D"


def _is_one_sided(puzzle: Puzzle) -> bool:
    """Whether the file must say oneSide; refuses what it could not say."""
    if puzzle.paint is not None:
        raise NotRepresentable("colours")
    if any(piece.groups for piece in puzzle.pieces):
        raise NotRepresentable("pieces that may hold together")
    flat = check_squares_or_cubes(puzzle)
    turned: list[str] = []
    fixed: list[str] = []
    for piece in puzzle.movable:
        if puzzle.is_handed(piece):
            (turned if puzzle.may_turn_over(piece) else fixed).append(piece.name)
    if flat:
        if turned and fixed:
            raise NotRepresentable(
                f"that piece {turned[0]} may be turned over and piece {fixed[0]} may not"
            )
        return bool(fixed) if turned or fixed else not puzzle.turns_over
    if turned:
        raise NotRepresentable(f"that piece {turned[0]} may be its mirror image")
    return False


def _box(puzzle: Puzzle) -> tuple[tuple[int, int, int], Cells]:
    """The smallest box round the region, and its cells x y z that are not in the region."""
    region = puzzle.region
    if len(region.optional):
        raise NotRepresentable(f"that {len(region.optional)} cells may stay empty")
    low = region.cells.min(axis=0)
    sizes = [int(size) for size in region.cells.max(axis=0) - low + 1]
    if float(np.prod(np.array(sizes, float))) > MAX_CELLS:
        raise NotRepresentable(f"a box of {'x'.join(map(str, sizes))} cells")
    box = np.indices(sizes).reshape(len(sizes), -1).T.astype(np.int64)
    rest = box[CellSet.of(puzzle.lattice, region.cells - low).find(box) < 0]
    x, y, z = (*sizes, 1)[:3]
    return (x, y, z), _in_space(rest)


def _in_space(cells: Cells) -> Cells:
    """Cells x y z, of squares with z = 0."""
    return np.pad(cells, ((0, 0), (0, 3 - cells.shape[1])))


def _copies_of_pieces(puzzle: Puzzle) -> Iterator[tuple[str, Cells, bool]]:
    """Each copy of each piece: its name, its cells x y z, and whether it is stationary."""
    low = puzzle.region.cells.min(axis=0) if len(puzzle.region.cells) else 0
    copies = _copies(puzzle)
    if sum(number * len(piece.cells) for piece, number in copies) > MAX_CELLS:
        raise NotRepresentable(f"pieces of more than {MAX_CELLS:,} cells together")
    each = [piece for piece, number in copies for _ in range(number)]
    names = numbered([ODD.sub("_", piece.name) or "_" for piece in each])
    for piece, name in zip(each, names, strict=True):
        cells = piece.cells - (low if piece.stationary else piece.cells.min(axis=0))
        yield name, _in_space(cells), piece.stationary


def _copies(puzzle: Puzzle) -> list[tuple[Piece, int]]:
    """How many there are of each piece. One range may be left open if the cells settle it."""
    ranged = [piece for piece in puzzle.pieces if piece.low != piece.high]
    fixed = sum(len(piece.cells) * piece.low for piece in puzzle.pieces if piece not in ranged)
    settled = -1
    if len(ranged) == 1:
        piece = ranged[0]
        settled, rest = divmod(len(puzzle.space) - fixed, len(piece.cells))
        if rest or settled < piece.low or (piece.high is not None and settled > piece.high):
            settled = -1
    if ranged and settled < 0:
        piece = ranged[0]
        number = many(piece.low, piece.high, "copies")
        raise NotRepresentable(f"that there are {number} of piece {piece.name}")
    copies = [(piece, settled if piece in ranged else piece.low) for piece in puzzle.pieces]
    if not any(number for _, number in copies):
        raise NotRepresentable("a puzzle without pieces")
    return copies


def _drawn(box: tuple[int, int, int], shown: Sequence[tuple[str, Cells]]) -> Iterator[str]:
    """The box with these pieces in it, its highest row first, its layers side by side."""
    width, height, depth = box
    longest = max(len(name) for name, _ in shown)
    tokens = np.full(box, ".".ljust(longest), object)
    for name, cells in shown:
        tokens[tuple(cells.T)] = name.ljust(longest)
    for y in reversed(range(height)):
        layers = (" ".join(tokens[x, y, z] for x in range(width)) for z in range(depth))
        yield ", ".join(layers).rstrip()

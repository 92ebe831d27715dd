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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from exactcover.base.text.characters import shown
from exactcover.base.text.names import numbered
from exactcover.base.text.near import one_of
from exactcover.errors import ConversionError, FormatError, PuzzleError
from exactcover.formats.contents import (
    MAX_CELLS,
    MAX_PIECES,
    MAX_PUZZLES,
    MAX_TOKENS,
    TOO_MANY_PIECES,
    Document,
    Names,
    Refused,
    Remarks,
    Source,
    placed,
    puzzle_name,
    whole,
)
from exactcover.geometry.cells import CellSet
from exactcover.lattices import Cells, get_lattice
from exactcover.puzzle import Piece, Puzzle, Region
from exactcover.puzzle.pieces import many

DIRECTIVES = ("D", "C", "L", "~L", "~D")
SIZES = ("xDim", "yDim", "zDim")
EMPTY = "."
MISPLACED = re.compile(r"~\s*D\s*$|[DC]\s*:|L\s*:\s*stationary")
"""Text that can only be a directive; inside a drawing it shows that `~L` is missing."""

BEGIN = re.compile(r"D\s*:")
END = re.compile(r"~\s*D")
"""Where a definition begins and ends, whatever is wrong between."""

Triple = tuple[int, int, int]


@dataclass(frozen=True)
class DrawnPiece:
    """A piece as it stands in the file."""

    cells: list[Triple]
    stationary: bool
    line: int


@dataclass
class Drawing:
    """A drawing that is not closed yet: the names that stay in place, and the rows so far."""

    line: int
    stationary: list[str]
    rows: list[tuple[int, str]] = field(default_factory=list)


@dataclass
class Definition:
    """A puzzle that is not closed yet."""

    line: int
    size: Triple
    one_sided: bool
    remarks: Remarks
    pieces: dict[str, DrawnPiece] = field(default_factory=dict)

    def add(self, name: str, piece: DrawnPiece) -> None:
        if name in self.pieces:
            raise FormatError(
                f"piece {name} was defined on line {self.pieces[name].line} already: "
                "a name may be used once",
                token=name,
            )
        if len(self.pieces) == MAX_PIECES:
            raise FormatError(TOO_MANY_PIECES)
        self.pieces[name] = piece


def read_polycube(source: Source) -> Iterator[Document | Refused]:
    """The puzzles of a file."""
    definitions = list(_Reader(source).definitions())
    if not definitions:
        raise source.error("no puzzle here: one begins with a line D:xDim=..:yDim=..:zDim=..")
    total = len(definitions)
    for number, definition in enumerate(definitions, 1):
        name = puzzle_name(source.name, number, total)
        if isinstance(definition, FormatError):
            yield Refused(name, definition)
            continue
        try:
            yield _document(source, definition, name)
        except FormatError as error:
            yield Refused(name, error)


# -- lines ----------------------------------------------------------------------------------------


MAX_REFUSED = 1_000
"""With more puzzles that cannot be read, the file is refused: each needs a message of its own."""


class _Reader:
    """Where the reader stands: in a definition or not, in a drawing or not."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.remarks = Remarks()
        self.definition: Definition | None = None
        self.drawing: Drawing | None = None
        self.finished: Definition | None = None
        self.tokens = self.cells = self.puzzles = self.refused = 0
        self.directives: dict[str, Callable[[int, str | None], None]] = {
            "D": self.open_definition,
            "C": self.piece,
            "L": self.open_drawing,
            "~L": self.stray_end_of_drawing,
            "~D": self.close_definition,
        }

    def definitions(self) -> Iterator[Definition | FormatError]:
        """The definitions; of one that cannot be read, what is wrong first.

        After an error a definition is skipped up to its end, or to where the next one begins. What
        is wrong outside of all definitions, or too large, is wrong with the whole file.
        """
        wrong: FormatError | None = None
        first: FormatError | None = None
        for number, line in enumerate(self.source.lines, 1):
            statement, _, comment = line.partition("#")
            statement = statement.strip()
            begins, ends = BEGIN.match(statement), END.fullmatch(statement)
            if wrong is not None:
                if not begins:
                    if ends:
                        yield wrong
                        wrong = None
                    continue
                yield wrong
            inside = self.definition is not None
            wrong = self.wrong_with(number, statement, comment)
            if wrong is not None and inside and begins:
                yield wrong  # with the definition before: it is not closed
                first = first or wrong
                wrong = self.wrong_with(number, statement, comment)
            if wrong is not None:
                self.refused += 1
                if self.too_large or not (inside or begins):
                    raise first or wrong
                first = first or wrong
                if ends:
                    yield wrong
                    wrong = None
            elif self.finished is not None:
                yield self.finished
                self.finished = None
        if self.drawing is not None:
            wrong = self.source.error("this drawing is not closed by ~L", self.drawing.line)
        elif self.definition is not None:
            wrong = self.source.error("this puzzle is not closed by ~D", self.definition.line)
        if wrong is not None:
            yield wrong

    @property
    def too_large(self) -> bool:
        """Whether the puzzles of the file are too many, or too large together."""
        return (
            self.puzzles > MAX_PUZZLES
            or self.refused > MAX_REFUSED
            or self.cells > 4 * MAX_CELLS
            or self.tokens > MAX_TOKENS
        )

    def wrong_with(self, number: int, statement: str, comment: str) -> FormatError | None:
        """Take a line; what is wrong with it, if anything, and then no definition is open."""
        try:
            if not statement:
                self.remarks.add(comment)
            elif self.drawing is not None:
                self.row(number, statement)
            else:
                self.directive(number, statement)
        except FormatError as error:
            self.definition, self.drawing, self.remarks = None, None, Remarks()
            return error.at(number, self.source.file)
        return None

    def directive(self, number: int, statement: str) -> None:
        head, colon, body = statement.partition(":")
        name = "".join(head.split())
        if name not in self.directives:
            hint = ""
            if self.definition is not None and "." in statement.split():
                hint = "; a drawing begins with a line L"
            raise FormatError(
                f"a line begins with {', '.join(DIRECTIVES)} or #{hint}",
                token=shown(statement.split(maxsplit=1)[0]),
            )
        if name[0] == "~" and colon:
            raise FormatError(f"nothing may follow {name}", token=shown(":" + body))
        self.directives[name](number, body if colon else None)

    def open_definition(self, number: int, body: str | None) -> None:
        if self.definition is not None:
            raise FormatError(
                f"the puzzle that begins on line {self.definition.line} is not closed by ~D",
                token="D",
            )
        fields = _fields(body, "D", needed=SIZES, flags=("oneSide",))
        x, y, z = (_size(fields[name], name) for name in SIZES)
        self.puzzles += 1
        self.cells += x * y * z
        if x * y * z > MAX_CELLS or self.cells > 4 * MAX_CELLS:
            raise FormatError(
                f"a box may have {MAX_CELLS:,} cells, those of one file {4 * MAX_CELLS:,} together",
                token=f"{x}x{y}x{z}",
            )
        if self.puzzles > MAX_PUZZLES:
            raise FormatError(f"a file may hold {MAX_PUZZLES:,} puzzles, here is one more")
        if "oneSide" in fields and z != 1:
            raise FormatError("a one-sided puzzle is flat: zDim must be 1", token=fields["zDim"])
        self.definition = Definition(number, (x, y, z), "oneSide" in fields, self.remarks)

    def close_definition(self, number: int, body: str | None) -> None:
        self.finished = self.inside(f"~D on line {number}")
        self.definition, self.remarks = None, Remarks()

    def inside(self, what: str) -> Definition:
        """The definition that the reader is in."""
        if self.definition is None:
            raise FormatError(
                f"{what} is outside a puzzle: a line D:xDim=..:yDim=..:zDim=.. must come first"
            )
        return self.definition

    def piece(self, number: int, body: str | None) -> None:
        definition = self.inside("a piece")
        fields = _fields(body, "C", needed=("name", "type", "layout"))
        name = _name(fields["name"])
        kind = fields["type"].upper()
        if kind not in ("M", "S"):
            raise FormatError(
                "type must be M (mobile) or S (stationary)", token=shown(fields["type"])
            )
        cells = [_cell(text) for text in fields["layout"].split(",")]
        definition.add(name, DrawnPiece(cells, kind == "S", number))

    def open_drawing(self, number: int, body: str | None) -> None:
        self.inside("a drawing")
        names: list[str] = []
        if body is not None:
            names = [
                _name(name) for name in _fields(body, "L", ("stationary",))["stationary"].split()
            ]
        self.drawing = Drawing(number, names)

    def stray_end_of_drawing(self, number: int, body: str | None) -> None:
        raise FormatError("no drawing is open: it begins with a line L", token="~L")

    def row(self, number: int, statement: str) -> None:
        assert self.drawing is not None
        if "".join(statement.split()) == "~L":
            self.close_drawing(self.drawing)
        elif MISPLACED.match(statement):
            raise FormatError(
                f"the drawing that begins on line {self.drawing.line} is not closed by ~L",
                token=shown(statement.split(maxsplit=1)[0]),
            )
        else:
            self.tokens += len(statement.replace(",", " ").split())
            if self.tokens > MAX_TOKENS:
                raise FormatError(
                    f"the drawings of one file may have {MAX_TOKENS:,} tokens, here is one more"
                )
            self.drawing.rows.append((number, statement))

    def close_drawing(self, drawing: Drawing) -> None:
        definition = self.inside("a drawing")
        stationary = set(drawing.stationary)
        found: dict[str, DrawnPiece] = {}
        for above, (number, row) in enumerate(drawing.rows):
            y = len(drawing.rows) - 1 - above
            for z, layer in enumerate(row.split(",")):
                for x, name in enumerate(layer.split()):
                    if name == EMPTY:
                        continue
                    if name not in found:
                        found[name] = DrawnPiece([], name in stationary, number)
                    found[name].cells.append((x, y, z))
        for name, piece in found.items():
            try:
                definition.add(name, piece)
            except FormatError as error:
                raise error.at(piece.line) from None
        for name in drawing.stationary:
            if name not in found:
                raise FormatError(f"stationary piece {name} is not in the drawing", token=name).at(
                    drawing.line
                )
        self.drawing = None


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


def _size(token: str, name: str) -> int:
    size = whole(token, name)
    if size < 1:
        raise FormatError(f"{name} must be 1 or more", token=token)
    return size


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


def _document(source: Source, definition: Definition, name: str) -> Document:
    lines = {piece: drawn.line for piece, drawn in definition.pieces.items()}
    remarks = definition.remarks
    try:
        puzzle = _puzzle(definition, name)
    except PuzzleError as error:
        raise placed(error, source, definition.line, lines) from None
    return Document(name, puzzle, remarks.title, remarks.source, remarks.counts, source.file, lines)


def _puzzle(definition: Definition, name: str) -> Puzzle:
    flat = definition.size[2] == 1 and not _has_solid_piece(definition)
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


def _has_solid_piece(definition: Definition) -> bool:
    """Whether a mobile piece lies in no plane: then even a flat puzzle is one of cubes."""
    return not definition.one_sided and any(
        not piece.stationary and np.ptp(np.array(piece.cells, np.int64), axis=0).all()
        for piece in definition.pieces.values()
    )


# -- writing --------------------------------------------------------------------------------------


ODD = re.compile(r"[#,:=]|^~|^\.$")
"""The characters that no name may contain in a polycube file."""

FILLER = "*"

Vector = npt.NDArray[np.int64]


def write_polycube(documents: Sequence[Document], *, drawn: bool = False) -> str:
    """The puzzles, one after the other; stationary pieces drawn, or by their coordinates."""
    return "\n".join("\n".join([*_written(document, drawn)]) + "\n" for document in documents)


def _written(document: Document, drawn: bool) -> Iterator[str]:
    puzzle = document.puzzle
    if puzzle is None:
        raise ConversionError(f"{document.name} is a plain problem: polycube needs a geometry")
    if puzzle.paint is not None:
        raise ConversionError(f"polycube cannot say the colours of {document.name}")
    if puzzle.region.wrap:
        raise ConversionError(f"polycube cannot say the wrapped board of {document.name}")
    for piece in puzzle.pieces:
        if piece.within is not None:
            raise ConversionError(
                f"polycube cannot say that piece {piece.name} of {document.name} has a mask"
            )
    if puzzle.has_costs:
        raise ConversionError(f"polycube cannot say the costs of {document.name}")
    try:
        one_sided = _is_one_sided(puzzle)
        named = [*_pieces(puzzle)]
        box, filler = _box(puzzle)
    except _Unsayable as lost:
        raise ConversionError(f"polycube cannot say {lost} (puzzle {document.name})") from None
    yield from Remarks.written(document.title, document.source, document.counts, "#")
    sizes = ":".join(f"{axis}Dim={size}" for axis, size in zip("xyz", box, strict=True))
    yield f"D:{sizes}{':oneSide' if one_sided else ''}"
    shown = [(_filler_name(puzzle), filler)] if len(filler) else []
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


class _Unsayable(Exception):
    """The parts of the puzzle that the format cannot hold."""


def _is_one_sided(puzzle: Puzzle) -> bool:
    """Whether the file must say oneSide; refuses what it could not say."""
    lattice = puzzle.lattice
    square = lattice is get_lattice("square")
    if not square and lattice is not get_lattice("cubic"):
        raise _Unsayable(f"a puzzle on the lattice {lattice.name}: it knows squares and cubes")
    for piece in puzzle.movable:
        if puzzle.is_fixed(piece):
            raise _Unsayable(f"that piece {piece.name} may not be turned")
    turned, fixed = _by_turning_over(puzzle)
    if square:
        if turned and fixed:
            raise _Unsayable(
                f"that piece {turned[0]} may be turned over and piece {fixed[0]} may not"
            )
        return bool(fixed) if turned or fixed else not puzzle.turns_over
    if turned:
        raise _Unsayable(f"that piece {turned[0]} may be its mirror image")
    return False


def _by_turning_over(puzzle: Puzzle) -> tuple[list[str], list[str]]:
    """The pieces that may be turned over, and those that may not, where it makes a difference."""
    turned: list[str] = []
    fixed: list[str] = []
    for piece in puzzle.movable:
        if puzzle.is_handed(piece):
            (turned if puzzle.may_turn_over(piece) else fixed).append(piece.name)
    return turned, fixed


def _box(puzzle: Puzzle) -> tuple[tuple[int, int, int], Cells]:
    """The smallest box round the region, and its cells x y z that are not in the region."""
    region = puzzle.region
    if len(region.optional):
        raise _Unsayable(f"that {len(region.optional)} cells may stay empty")
    low = region.cells.min(axis=0)
    sizes = [int(size) for size in region.cells.max(axis=0) - low + 1]
    if float(np.prod(np.array(sizes, float))) > min(MAX_CELLS, MAX_TOKENS):
        raise _Unsayable(f"a box of {'x'.join(map(str, sizes))} cells")
    box = np.indices(sizes).reshape(len(sizes), -1).T.astype(np.int64)
    rest = box[CellSet.of(puzzle.lattice, region.cells - low).find(box) < 0]
    x, y, z = (*sizes, 1)[:3]
    return (x, y, z), _in_space(rest)


def _in_space(cells: Cells) -> Cells:
    """Cells x y z, of squares with z = 0."""
    return np.pad(cells, ((0, 0), (0, 3 - cells.shape[1])))


def _pieces(puzzle: Puzzle) -> Iterator[tuple[str, Cells, bool]]:
    """Each copy of each piece: its name, its cells x y z, and whether it is stationary."""
    low = puzzle.region.cells.min(axis=0) if len(puzzle.region.cells) else 0
    copies = _copies(puzzle)
    if sum(number * len(piece.cells) for piece, number in copies) > MAX_TOKENS:
        raise _Unsayable(f"pieces of more than {MAX_TOKENS:,} cells together")
    each = [piece for piece, number in copies for _ in range(number)]
    own_names = numbered([piece.name for piece in each])
    names = Names(own_names)
    for piece, own in zip(each, own_names, strict=True):
        cells = piece.cells - (low if piece.stationary else piece.cells.min(axis=0))
        wanted = ODD.sub("_", own) or "_"
        yield names.take(wanted, own=wanted == own), _in_space(cells), piece.stationary


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
        raise _Unsayable(f"that there are {number} of piece {piece.name}")
    copies = [(piece, settled if piece in ranged else piece.low) for piece in puzzle.pieces]
    if not any(number for _, number in copies):
        raise _Unsayable("a puzzle without pieces")
    return copies


def _filler_name(puzzle: Puzzle) -> str:
    """A name for the piece that fills the box round the region: `*`, `**`, ..."""
    name = FILLER
    while any(piece.name.startswith(name) for piece in puzzle.pieces):
        name += FILLER
    return name


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

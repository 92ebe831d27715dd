"""BurrTools' puzzle files: XML, packed with gzip.

    <puzzle version="2">
     <gridType type="0"/>
     <colors><color red="255" green="0" blue="0"/></colors>
     <shapes><voxel x="2" y="1" z="1" type="0">#1#</voxel> ...</shapes>
     <problems>
      <problem><shapes><shape id="1" count="2"/></shapes><result id="0"/><bitmap/></problem>
     </problems>
    </puzzle>

A shape is a block of voxels, x first, then y, then z: `_` empty, `#` fixed, `+` variable, perhaps
with the number of a colour behind it. A problem says which shapes are pieces, how many of each, and
which shape they are to fill; its variable voxels may stay empty. `bitmap` lists which colour of a
piece may lie on which colour of the result; what has no colour goes with everything. Its pairs
number colours from 0, voxels from 1 (0 is no colour): `<pair piece="0" result="1"/>` allows
voxels `#1` of a piece on voxels `#2` of the result.

Solutions, weights and the state of an unfinished search (`assembler`) are left out. What else is
not understood is refused, since a file that is half understood would be another puzzle.

Writing: squares become cubes in one layer, so their pieces can be turned over. The cells of
stationary pieces are taken out of the result, which changes no assembly. A puzzle that the format
cannot represent otherwise is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from colorsys import hsv_to_rgb
from dataclasses import dataclass
from itertools import chain
from xml.sax.saxutils import escape, quoteattr

import numpy as np
import numpy.typing as npt

from exactcover.base.text import numbered, plain
from exactcover.errors import ConversionError, FormatError
from exactcover.formats.document import (
    Document,
    NotRepresentable,
    Refused,
    Remarks,
    Source,
    check_squares_or_cubes,
    errors_at,
    one_line,
    represented,
)
from exactcover.formats.limits import Budget, check_number_of_pieces
from exactcover.formats.xmpuzzle.grids import (
    GRIDS,
    Grid,
    NoCell,
    Reading,
    VoxelShape,
    in_one_close_packed_plane,
    reading,
)
from exactcover.formats.xmpuzzle.xml import Element, read_markup
from exactcover.geometry.cells import MAX_CELLS, CellSet
from exactcover.geometry.shapes import is_mirror_symmetric
from exactcover.lattices import Cells
from exactcover.puzzle import Piece, Puzzle, Region
from exactcover.puzzle.paint import Paint
from exactcover.puzzle.pieces import Cell, why_no_name

VERSIONS = ("1", "2")
"""BurrTools reads both in the same way."""

SKIPPED = ("solutions", "assembler")
"""The results of BurrTools, and where it stopped: checked to be XML and not kept."""

VOXEL = re.compile(r"[_#+][0-9]{0,3}")
REMARK = re.compile(r"(?:#([0-9]{1,6}) )?(.*)")
CUBES, SPHERES = 0, 2
"""Numbers of grids; cubes are the grid of a file that names none."""

UNSET = str((1 << 32) - 1)
"""BurrTools' id of no shape."""

PROBLEM = ("name", "state", "assemblies", "solutions", "time", "maxholes", "maxHoles")


@dataclass(frozen=True)
class Block(VoxelShape):
    """A shape of the file. A fixed voxel is marked by its colour, 0 for none; a variable one by the
    complement of its colour, which is negative."""

    element: Element

    @property
    def fixed(self) -> npt.NDArray[np.bool_]:
        return self.marks >= 0

    @property
    def colours(self) -> list[int]:
        return [int(mark if mark >= 0 else ~mark) for mark in self.marks]

    def no_cell(self, error: NoCell) -> FormatError:
        return self.element.error(f"shape {self.name} has a voxel at {error.place}, {error.why}")


def read_xmpuzzle(source: Source) -> Iterator[Document | Refused]:
    """The problems of a file, each a puzzle."""
    problems = _problems(read_markup(source, skipped=SKIPPED), source.budget)
    for number, problem in enumerate(problems, 1):
        name = source.name if len(problems) == 1 else f"{source.name}#{number}"
        try:
            yield _document(problem, name, source)
        except FormatError as error:
            yield Refused(name, error)


def _problems(root: Element, budget: Budget) -> list[_Problem]:
    """The problems of a file."""
    if root.name != "puzzle":
        raise root.error("a puzzle file of BurrTools begins with <puzzle>")
    root.check(("version", "commentpopup"), ("gridType", "colors", "shapes", "problems", "comment"))
    if root.attributes.get("version") not in VERSIONS:
        raise root.error("only versions 1 and 2 are read", root.attributes.get("version"))
    grid = _grid(root.only("gridType")) if root.has("gridType") else GRIDS[CUBES]
    n_colours = 0
    for colours in root.every("colors"):
        colours.check((), ("color",))
        n_colours += len(colours.children)
    shapes = root.only("shapes")
    shapes.check((), ("voxel",))
    blocks = [_block(voxel, n, n_colours, budget) for n, voxel in enumerate(shapes.children, 1)]
    try:
        read = reading(grid, blocks)
    except NoCell as error:
        raise blocks[error.shape].no_cell(error) from None
    if read is None:
        raise shapes.error(
            f"{grid.unknown} is not written in a file, and these shapes do not "
            "show it: there is no one way to read them in which each is in one piece"
        )
    problems = root.only("problems")
    problems.check((), ("problem",))
    total = len(problems.children)
    if not total:
        raise problems.error("there is no problem in this file, so nothing to solve")
    return [
        _Problem(element, remarks, grid, read, blocks, n_colours, budget)
        for element, remarks in zip(problems.children, _remarks(root, total), strict=True)
    ]


# -- what the problems share ----------------------------------------------------------------------


def _grid(element: Element) -> Grid:
    element.check(("type",))
    number = element.number("type")
    if number not in GRIDS:
        known = ", ".join(f"{grid.number} {grid.title}" for grid in GRIDS.values())
        raise element.error(f"there is no grid of this type: there are {known}", str(number))
    return GRIDS[number]


def _block(voxel: Element, number: int, n_colours: int, budget: Budget) -> Block:
    voxel.check(("x", "y", "z", "type", "weight", "name", "hx", "hy", "hz"), text=True)
    if voxel.number("type") != 0:
        raise voxel.error("only voxels of type 0 are known", voxel.attributes["type"])
    x, y, z = (voxel.number(axis, 1, MAX_CELLS) for axis in "xyz")
    with voxel.errors():
        budget.take(x * y * z, token=f"{x}x{y}x{z}")
    text = voxel.text
    marks = VOXEL.findall(text)
    if sum(map(len, marks)) != len(text):
        wrong = VOXEL.sub("", text)
        raise voxel.error("its voxels are _, # and +, perhaps with a colour behind", wrong)
    if len(marks) != x * y * z:
        raise voxel.error(f"{len(marks)} voxels, but a block of {x}x{y}x{z} has {x * y * z}")
    colours = np.array([int(mark[1:] or 0) for mark in marks])
    states = np.array([mark[0] for mark in marks])
    wrong_colour = (colours > n_colours) | ((colours > 0) & (states == "_"))
    if wrong_colour.any():
        mark = marks[int(wrong_colour.argmax())]
        raise voxel.error(f"a colour that is not there: the file has {n_colours} colours", mark)
    places = np.arange(len(marks))
    where = np.stack([places % x, places // x % y, places // (x * y)], axis=1)
    full = states != "_"
    name = "_".join(voxel.attributes.get("name", "").split()) or f"S{number}"
    if wrong_name := why_no_name(name):
        raise voxel.error(wrong_name, name)
    return Block(name, where[full], np.where(states == "+", ~colours, colours)[full], voxel)


def _remarks(root: Element, total: int) -> list[Remarks]:
    """The comment on each problem; a line that begins with #2 is about the second."""
    common, own = Remarks(), [Remarks() for _ in range(total)]
    for comment in root.every("comment"):
        comment.check(("popup",), text=True)
        for line in comment.text.splitlines():
            found = REMARK.fullmatch(line.strip())
            assert found, "it takes every line"
            number = int(found[1] or 0)
            if number <= total:
                with comment.errors():
                    (own[number - 1] if number else common).add(found[2])
    return [remark.before(common) for remark in own]


# -- one problem ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Problem:
    """A problem of the file, the remarks about it, and what the problems share."""

    element: Element
    remarks: Remarks
    grid: Grid
    read: Reading
    blocks: list[Block]
    n_colours: int
    budget: Budget

    def block(self, element: Element) -> Block:
        """The block that an element names by its id."""
        if not self.blocks:
            raise element.error("it names a shape, but the file has none")
        if element.name == "result" and element.attributes.get("id") == UNSET:
            raise element.error("the problem has no result shape yet")
        return self.blocks[element.number("id", 0, len(self.blocks) - 1)]

    def cells(self, block: Block, where: Element) -> Cells:
        with where.errors():
            self.budget.take(len(block.voxels), 1)
        try:
            return self.read(block.voxels)
        except NoCell as error:
            raise block.no_cell(error) from None


def _document(problem: _Problem, name: str, source: Source) -> Document:
    element, grid, remark = problem.element, problem.grid, problem.remarks
    element.check(PROBLEM, ("shapes", "result", "bitmap", "comment", "solutions"))
    result = element.only("result")
    result.check(("id",))
    block = problem.block(result)
    cells = problem.cells(block, result)
    pieces, lines, paints = _pieces(problem)
    coloured = zip(cells.tolist(), block.colours, strict=True)
    ground: dict[Cell, int] = {tuple(cell): colour for cell, colour in coloured if colour}
    paint = _paint(problem, ground, paints)
    with errors_at(element.line, source.file, lines):
        holes = next((key for key in ("maxholes", "maxHoles") if key in element.attributes), "")
        empty = (0, element.number(holes)) if holes else None
        region = Region(cells[block.fixed], cells[~block.fixed], empty)
        puzzle = Puzzle(grid.lattice, region, pieces, reflections=False, paint=paint)
        title = one_line(element.attributes.get("name", ""), "title")
    return Document(
        name,
        puzzle,
        remark.title or title,
        remark.source,
        remark.counts,
        source.file,
        lines,
    )


def _pieces(
    problem: _Problem,
) -> tuple[tuple[Piece, ...], dict[str, int], dict[str, tuple[int, ...]]]:
    """The pieces, the line of each, and the colours of those that have some."""
    pieces: list[Piece] = []
    lines, paints = {}, {}
    shapes = [*_shapes(problem)]
    names = numbered([block.name for _, block, _, _ in shapes])
    for name, (shape, block, low, high) in zip(names, shapes, strict=True):
        if not block.fixed.all():
            raise shape.error(
                f"piece {block.name} has variable voxels: only a result may have some"
            )
        if not len(block.voxels):
            raise shape.error(f"piece {block.name} has no voxels")
        with shape.errors():
            check_number_of_pieces(len(pieces) + 1)
        cells = problem.cells(block, shape)
        turning_over = _turning_over(problem, cells, painted=any(block.colours))
        groups = tuple(
            (group.number("group"), copies)
            for group in shape.children
            if (copies := group.number("count")) and group.number("group")
        )
        pieces.append(Piece(name, cells, low, high, reflections=turning_over, groups=groups))
        lines[name] = shape.line
        if any(block.colours):
            paints[name] = tuple(block.colours)
    return tuple(pieces), lines, paints


def _shapes(problem: _Problem) -> Iterator[tuple[Element, Block, int, int]]:
    """The shapes that are pieces of a problem, and how many of each there may be."""
    shapes = problem.element.only("shapes")
    shapes.check((), ("shape",))
    for shape in shapes.children:
        shape.check(("id", "count", "min", "max", "group"), ("group",))
        for group in shape.children:
            group.check(("group", "count"))
        if "count" in shape.attributes:
            low = high = shape.number("count")
        elif "min" in shape.attributes or "max" in shape.attributes:
            high = shape.number("max")
            low = shape.number("min", 0, high)
        else:
            low = high = 1
        block = problem.block(shape)
        if high:
            yield shape, block, low, high


def _paint(
    problem: _Problem, region: dict[Cell, int], pieces: dict[str, tuple[int, ...]]
) -> Paint | None:
    """Which colours may lie on which; None where nothing has a colour.

    Colours that forbid nothing are kept: they tell pieces of one shape apart, and those of the
    region its symmetric copies.
    """
    allowed = set()
    for bitmap in problem.element.every("bitmap"):
        bitmap.check((), ("pair",))
        for pair in bitmap.children:
            pair.check(("piece", "result"))
            if not problem.n_colours:
                raise pair.error("it pairs colours, but the file has none")
            one, other = (
                pair.number(key, 0, problem.n_colours - 1) + 1 for key in ("piece", "result")
            )
            allowed.add((one, other))  # voxels number colours from 1
    if not pieces and not region:
        return None
    return Paint(region, pieces, frozenset(allowed))


def _turning_over(problem: _Problem, cells: Cells, *, painted: bool) -> bool | None:
    """Whether a piece may be turned over, where it is not as the puzzle says.

    A piece of balls in one plane of closest packing can be turned there by 60 degrees, which the
    lattice's own turns do not do. Its mirrors do: they take such a piece to the same places.
    """
    if problem.grid.number != SPHERES or not in_one_close_packed_plane(cells):
        return None
    if painted:
        return True
    with problem.element.errors():
        problem.budget.take(0, 1 + len(cells) // 2)
    return None if is_mirror_symmetric(problem.grid.lattice, cells) else True


# -- writing --------------------------------------------------------------------------------------


NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""The characters that no XML file may contain."""

LINE = 100


def write_xmpuzzle(documents: Sequence[Document]) -> str:
    """The puzzles as the problems of one file, as text: it is packed when it becomes a file."""
    shapes: list[str] = []
    problems: list[str] = []
    comment: list[str] = []
    n_colours = 0
    for number, document in enumerate(documents, 1):
        puzzle = document.puzzle
        if puzzle is None:
            raise ConversionError(
                f"{document.name} is a plain problem: a BurrTools file needs a geometry"
            )
        with represented(document, "BurrTools' format"):
            paint = puzzle.paint or Paint({}, {}, frozenset())
            used = chain(paint.cells.values(), *paint.pieces.values(), *paint.allowed)
            colours = max(used, default=0)
            problems += _problem_of(document, puzzle, shapes, n_colours)
        n_colours += colours
        mark = "" if len(documents) == 1 else f"#{number} "
        remarks = Remarks.written("", document.source, document.counts, "")
        comment += [f"{mark}{line.strip()}" for line in remarks]
    said = escape(NO_XML.sub("_", "\n".join(comment)))
    lines = ['<?xml version="1.0"?>', '<puzzle version="2">', ' <gridType type="0"/>', " <colors>"]
    for number in range(n_colours):
        red, green, blue = (round(255 * one) for one in hsv_to_rgb(number / n_colours, 0.8, 0.9))
        lines.append(f'  <color red="{red}" green="{green}" blue="{blue}"/>')
    lines += [" </colors>", " <shapes>", *shapes, " </shapes>", " <problems>", *problems]
    lines += [" </problems>", f" <comment>{said}</comment>", "</puzzle>"]
    return "\n".join(lines) + "\n"


def _problem_of(
    document: Document, puzzle: Puzzle, shapes: list[str], first_colour: int
) -> Iterator[str]:
    """The lines of a problem; its shapes are added to `shapes`."""
    flat, empty = check_squares_or_cubes(puzzle), puzzle.region.empty
    for piece in puzzle.movable:
        if flat != puzzle.may_turn_over(piece) and puzzle.is_handed(piece):
            may = "may not be turned over" if flat else "may be its mirror image"
            raise NotRepresentable(f"that piece {piece.name} {may}")
    if empty is not None and (empty[0] > 0 or empty[1] < len(puzzle.region.optional)):
        raise NotRepresentable(f"that {empty[0]}..{empty[1]} cells stay empty")
    if all(piece.high == 0 for piece in puzzle.movable):
        raise NotRepresentable("a puzzle without pieces that move")
    result = len(shapes)
    taken = [piece.cells for piece in puzzle.stationary]
    free, optional = puzzle.region.cells, puzzle.region.optional
    if taken:
        covered = CellSet.of(puzzle.lattice, np.concatenate(taken))
        free, optional = (cells[covered.find(cells) < 0] for cells in (free, optional))
    if not len(free) + len(optional):
        raise NotRepresentable("a result without cells: stationary pieces fill the region")
    paint = puzzle.paint or Paint({}, {}, frozenset())
    both = [*free.tolist(), *optional.tolist()]
    colours = [paint.cells.get(tuple(cell), 0) for cell in both]
    shapes.append(_voxels("result", free, optional, colours, first_colour))
    # The name that BurrTools shows is the title, a file's name is not kept.
    name = plain(document.title)
    yield f'  <problem name={_attribute(name)} state="0">'
    yield "   <shapes>"
    for piece in puzzle.movable:
        painted = paint.pieces.get(piece.name, ())
        nothing = np.zeros((0, piece.cells.shape[1]), np.int64)
        groups = "".join(f'<group group="{g}" count="{n}"/>' for g, n in piece.groups)
        shape = f'<shape id="{len(shapes)}" {_copies(puzzle, piece)}'
        yield f"    {shape}>{groups}</shape>" if groups else f"    {shape}/>"
        shapes.append(_voxels(piece.name, piece.cells, nothing, list(painted), first_colour))
    yield "   </shapes>"
    yield f'   <result id="{result}"/>'
    yield "   <bitmap>"
    for one, other in sorted(paint.allowed):
        if one and other:
            # Pairs number colours from 0, voxels from 1.
            pair = one + first_colour - 1, other + first_colour - 1
            yield f'    <pair piece="{pair[0]}" result="{pair[1]}"/>'
    yield "   </bitmap>"
    yield "  </problem>"


def _copies(puzzle: Puzzle, piece: Piece) -> str:
    """How many copies of a piece there are; an open number is what there is room for."""
    if piece.low == piece.high:
        return f'count="{piece.low}"'
    room = len(puzzle.space) // len(piece.cells)
    return f'min="{piece.low}" max="{max(piece.low, room if piece.high is None else piece.high)}"'


def _voxels(name: str, fixed: Cells, variable: Cells, colours: list[int], first_colour: int) -> str:
    """A shape: the smallest block that holds its cells."""
    cells = np.concatenate([fixed, variable])
    cells = np.pad(cells, ((0, 0), (0, 3 - cells.shape[1])))
    cells = cells - cells.min(axis=0)
    sizes = [int(size) for size in cells.max(axis=0) + 1]
    if float(np.prod(np.array(sizes, float))) > MAX_CELLS:
        raise NotRepresentable(f"a block of {'x'.join(map(str, sizes))} voxels")
    marks = np.full(sizes[::-1], "_", dtype=object)
    for number, (x, y, z) in enumerate(cells.tolist()):
        colour = colours[number] if colours else 0
        mark = "#" if number < len(fixed) else "+"
        marks[z, y, x] = f"{mark}{colour + first_colour}" if colour else mark
    x, y, z = sizes
    voxels = "".join(marks.ravel().tolist())
    return f'  <voxel x="{x}" y="{y}" z="{z}" type="0" name={_attribute(name)}>{voxels}</voxel>'


def _attribute(text: str) -> str:
    return quoteattr(NO_XML.sub("_", text))

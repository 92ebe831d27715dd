"""Puzzles of cubes and squares as BurrTools' files, where those can say them.

Squares become cubes in one layer, so their pieces can be turned over. The cells of stationary
pieces are taken out of the result, which changes no assembly. What would be lost otherwise is
refused, and named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from colorsys import hsv_to_rgb
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from exactcover.base.text.characters import plain
from exactcover.errors import ConversionError
from exactcover.formats.document import Document
from exactcover.formats.source import MAX_CELLS, Remarks
from exactcover.geometry.cells import CellSet
from exactcover.lattices import Cells, get_lattice
from exactcover.puzzle import Piece, Puzzle

NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""The characters that no XML file may contain."""

LINE = 100


class _Unsayable(Exception):
    """The parts of the puzzle that the format cannot hold."""


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
        try:
            colours = _colours(puzzle)
            problems += _problem(document, puzzle, shapes, n_colours)
        except _Unsayable as lost:
            raise ConversionError(
                f"BurrTools' format cannot say {lost} (puzzle {document.name})"
            ) from None
        n_colours += colours
        mark = "" if len(documents) == 1 else f"#{number} "
        said = Remarks.written("", document.source, document.counts, "")
        comment += [f"{mark}{line.strip()}" for line in said]
    lines = ['<?xml version="1.0"?>', '<puzzle version="2">', ' <gridType type="0"/>', " <colors>"]
    lines += [_colour(number, n_colours) for number in range(n_colours)]
    lines += [" </colors>", " <shapes>", *shapes, " </shapes>", " <problems>", *problems]
    lines += [" </problems>", f" <comment>{_text(chr(10).join(comment))}</comment>", "</puzzle>"]
    return "\n".join(lines) + "\n"


def _problem(
    document: Document, puzzle: Puzzle, shapes: list[str], first_colour: int
) -> Iterator[str]:
    """The lines of a problem; its shapes are added to `shapes`."""
    _check(puzzle)
    result = len(shapes)
    taken = [piece.cells for piece in puzzle.stationary]
    free = _without(puzzle, puzzle.region.cells, taken)
    optional = _without(puzzle, puzzle.region.optional, taken)
    if not len(free) + len(optional):
        raise _Unsayable("a result without cells: stationary pieces fill the region")
    paint = puzzle.paint
    ground = {} if paint is None else paint.cells
    both = [*free.tolist(), *optional.tolist()]
    colours = [ground.get(tuple(cell), 0) for cell in both]
    shapes.append(_block("result", free, optional, colours, first_colour))
    # The name that BurrTools shows is the title, a file's name is not kept.
    name = plain(document.title)
    yield f'  <problem name={_attribute(name)} state="0">'
    yield "   <shapes>"
    for piece in puzzle.movable:
        painted = () if paint is None else paint.pieces.get(piece.name, ())
        nothing = np.zeros((0, piece.cells.shape[1]), np.int64)
        yield f'    <shape id="{len(shapes)}" {_copies(puzzle, piece)}/>'
        shapes.append(_block(piece.name, piece.cells, nothing, list(painted), first_colour))
    yield "   </shapes>"
    yield f'   <result id="{result}"/>'
    yield "   <bitmap>"
    for one, other in sorted(paint.allowed if paint is not None else ()):
        if one and other:
            # Pairs number colours from 0, voxels from 1.
            pair = one + first_colour - 1, other + first_colour - 1
            yield f'    <pair piece="{pair[0]}" result="{pair[1]}"/>'
    yield "   </bitmap>"
    yield "  </problem>"


def _check(puzzle: Puzzle) -> None:
    """Refuse what would be lost."""
    if puzzle.region.wrap:
        raise _Unsayable("a wrapped board")
    for piece in puzzle.movable:
        if piece.within is not None:
            raise _Unsayable(f"that piece {piece.name} has a mask of cells")
    if puzzle.has_costs:
        raise _Unsayable("what pieces and cells cost")
    lattice, empty = puzzle.lattice, puzzle.region.empty
    flat = lattice is get_lattice("square")
    if not flat and lattice is not get_lattice("cubic"):
        raise _Unsayable(f"a puzzle on the lattice {lattice.name}: cubes and squares are written")
    for piece in puzzle.movable:
        if puzzle.is_fixed(piece):
            raise _Unsayable(f"that piece {piece.name} may not be turned")
        if flat != puzzle.may_turn_over(piece) and puzzle.is_handed(piece):
            may = "may not be turned over" if flat else "may be its mirror image"
            raise _Unsayable(f"that piece {piece.name} {may}")
    if empty is not None and (empty[0] > 0 or empty[1] < len(puzzle.region.optional)):
        raise _Unsayable(f"that {empty[0]}..{empty[1]} cells stay empty")
    if all(piece.high == 0 for piece in puzzle.movable):
        raise _Unsayable("a puzzle without pieces that move")


def _without(puzzle: Puzzle, cells: Cells, taken: list[Cells]) -> Cells:
    """The cells that no stationary piece lies on."""
    if not taken or not len(cells):
        return cells
    return cells[CellSet.of(puzzle.lattice, np.concatenate(taken)).find(cells) < 0]


def _copies(puzzle: Puzzle, piece: Piece) -> str:
    if piece.low == piece.high:
        return f'count="{piece.low}"'
    room = len(puzzle.space) // len(piece.cells)
    high = max(piece.low, room if piece.high is None else piece.high)
    return f'min="{piece.low}" max="{high}"'


def _block(name: str, fixed: Cells, variable: Cells, colours: list[int], first_colour: int) -> str:
    """A shape: the smallest block that holds its cells."""
    cells = np.concatenate([fixed, variable])
    cells = np.pad(cells, ((0, 0), (0, 3 - cells.shape[1])))
    cells = cells - cells.min(axis=0)
    sizes = [int(size) for size in cells.max(axis=0) + 1]
    if float(np.prod(np.array(sizes, float))) > MAX_CELLS:
        raise _Unsayable(f"a block of {'x'.join(map(str, sizes))} voxels")
    marks = np.full(sizes[::-1], "_", dtype=object)
    for number, (x, y, z) in enumerate(cells.tolist()):
        colour = colours[number] if colours else 0
        mark = "#" if number < len(fixed) else "+"
        marks[z, y, x] = f"{mark}{colour + first_colour}" if colour else mark
    x, y, z = sizes
    voxels = "".join(marks.ravel().tolist())
    return f'  <voxel x="{x}" y="{y}" z="{z}" type="0" name={_attribute(name)}>{voxels}</voxel>'


# -- colours and texts ----------------------------------------------------------------------------


def _colours(puzzle: Puzzle) -> int:
    """How many colours the puzzle has."""
    paint = puzzle.paint
    if paint is None:
        return 0
    on_pieces = [colour for colours in paint.pieces.values() for colour in colours]
    paired = [colour for pair in paint.allowed for colour in pair]
    return max([*paint.cells.values(), *on_pieces, *paired], default=0)


def _colour(number: int, total: int) -> str:
    red, green, blue = (round(255 * part) for part in hsv_to_rgb(number / total, 0.8, 0.9))
    return f'  <color red="{red}" green="{green}" blue="{blue}"/>'


def _attribute(text: str) -> str:
    return quoteattr(NO_XML.sub("_", text))


def _text(text: str) -> str:
    return escape(NO_XML.sub("_", text))

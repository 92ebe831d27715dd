"""Puzzles as polycube's files, where polycube can say them.

A region that is not a box becomes the smallest box round it, with a stationary piece in the rest; n
copies of a piece become n pieces. What polycube has no words for is refused, and named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from exactcover.base.text.names import numbered
from exactcover.errors import ConversionError
from exactcover.formats.document import Document
from exactcover.formats.source import MAX_CELLS, MAX_TOKENS, Names, Remarks
from exactcover.geometry.cells import CellSet
from exactcover.lattices import Cells, get_lattice
from exactcover.puzzle import Piece, Puzzle
from exactcover.puzzle.pieces import many

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

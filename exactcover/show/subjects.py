"""The pieces and cells that a user wants to see or to make.

Pictures, pages and models to be made all take the name of a set of pieces, a set, a piece, a list
of pieces or a list of shapes. They are read here, so that all three accept the same and refuse the
rest in the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np

from exactcover.base.text import numbered
from exactcover.base.values.arguments import shown, wrong
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import as_tuples
from exactcover.lattices import get_lattice
from exactcover.lattices.base import Lattice
from exactcover.puzzle import Cell, Piece, Placement, Puzzle, Region, cells_array
from exactcover.puzzle.library import PieceSet, piece_set
from exactcover.search.result import Solution
from exactcover.trust.proofs import Congruence

PIECES = "pieces"
SORTS = {Solution: "solutions", Puzzle: "puzzles", Piece: PIECES, Placement: "placements"}
SINGLE = {
    Solution: "solution",
    Puzzle: "puzzle",
    Region: "region",
    Lattice: "lattice",
    Congruence: "proof",
}
OTHER = "shapes"
"""The contents of a list of shapes; cells, in any form, are a shape."""


@dataclass(frozen=True)
class PieceList:
    """Pieces on a lattice.

    title     what they are, in words
    named     they have names; shapes have only numbers
    board     the cells on which they lie; empty where that is not known
    in_place  they lie where a solution has them, so that they are not moved apart
    """

    pieces: tuple[Piece, ...]
    lattice: Lattice
    title: str
    named: bool = True
    board: tuple[Cell, ...] = ()
    in_place: bool = False

    def with_cells(self) -> Iterator[tuple[Piece, tuple[Cell, ...], str]]:
        """Each piece, its cells, and the number of its copies in brackets if it is not one."""
        for piece in self.pieces:
            cells = cells_array(self.lattice, piece.cells, f"piece {piece.name}")
            copies = piece.copies_text()
            yield piece, tuple(as_tuples(cells)), "" if copies == "1" else f" ({copies})"


def listed(what: object) -> object:
    """Several things of one sort as a list, which can be read twice; anything else as it is."""
    if isinstance(what, str | PieceSet | Lattice) or not isinstance(what, Iterable):
        return what
    many = list(what)
    if not many:
        raise ExactCoverError("the list is empty: it must hold at least one thing")
    sorts = {next((SORTS[kind] for kind in SORTS if isinstance(one, kind)), OTHER) for one in many}
    if len(sorts) > 1:
        found = " and ".join(sorted(sorts))
        raise ExactCoverError(f"a list must hold things of one sort: this one holds {found}")
    return many


def subject_of(what: object, lattice: Lattice | None) -> tuple[str, Any]:
    """The sort of what a user gives, and the thing itself, read; no sort for anything else.

    The sorts are "solution", "puzzle", "region", "lattice" and "proof", then "solutions", "puzzles"
    and "placements" with a list, and "pieces" with a `PieceList`: the pieces of a set, of its name,
    of a piece, or of a list of pieces or shapes.
    """
    what = [what] if isinstance(what, Piece) else listed(what)
    if isinstance(what, str):
        what = piece_set(what, lattice)
    if isinstance(what, PieceSet):
        pieces = tuple(Piece(name, cells) for name, cells in what.pieces.items())
        return PIECES, PieceList(pieces, what.lattice, what.name)
    if not isinstance(what, list):
        return next((sort for kind, sort in SINGLE.items() if isinstance(what, kind)), ""), what
    sort = next((SORTS[kind] for kind in SORTS if isinstance(what[0], kind)), OTHER)
    if sort == PIECES:
        own = next((piece.lattice for piece in what if piece.lattice is not None), None)
        title = what[0].name if len(what) == 1 else f"{len(what)} pieces"
        return PIECES, PieceList(tuple(what), known(lattice or own), title)
    if sort == OTHER:
        shapes = tuple(Piece(str(number), cells) for number, cells in enumerate(what, 1))
        return PIECES, PieceList(shapes, known(lattice), f"{len(what)} shapes", named=False)
    return sort, what


def pieces_to_make(what: object, lattice: Lattice | str | None = None) -> PieceList:
    """The pieces that are made of this; raises `ExactCoverError` where there are none."""
    chosen = get_lattice(lattice) if isinstance(lattice, str) else lattice
    found: PieceList
    sort, read = subject_of(what, chosen)
    if sort == "solution":
        found = _of_solution(read)
    elif sort == "puzzle":
        board = tuple(as_tuples(read.space.cells))
        found = PieceList(read.movable, read.lattice, read.name or "the puzzle", board=board)
    elif sort != PIECES:
        raise ExactCoverError(
            f"nothing can be made of {shown(what)}: give a puzzle, a solution, a piece, the name "
            "of a set of pieces, or a list of pieces or shapes"
        )
    else:
        found = read
    found = replace(found, pieces=tuple(piece for piece in found.pieces if copies_of(piece)))
    if not found.pieces:
        raise ExactCoverError(f"{found.title or 'this'} has no pieces to make")
    if found.lattice.dimension > 3:
        raise ExactCoverError(
            f"{found.lattice.name} cells have {found.lattice.dimension} dimensions: no piece can "
            "be made of them; `draw` shows them as blocks side by side"
        )
    return found


def _of_solution(solution: Solution) -> PieceList:
    if solution.model is None:
        raise ExactCoverError("nothing can be made of a plain problem: it has no cells")
    puzzle, placements = solution.model.puzzle, solution.placements
    names = numbered([placement.piece for placement in placements])
    pieces = [
        Piece(name, np.array(one.cells, np.int64))
        for name, one in zip(names, placements, strict=True)
    ]
    title = f"{puzzle.name or 'the puzzle'}: a solution"
    board = tuple(as_tuples(puzzle.space.cells))
    return PieceList(tuple(pieces), puzzle.lattice, title, board=board, in_place=True)


def copies_of(piece: Piece) -> int:
    """How many copies are made: the most that may be placed; of any number, one or the least."""
    return max(1, piece.low) if piece.high is None else piece.high


def cells_to_fill(region: Region, lattice: Lattice) -> list[Cell]:
    """The cells of a region on a lattice, and behind them those that may stay empty."""
    must = cells_array(lattice, region.cells, "the region")
    return as_tuples(must) + as_tuples(cells_array(lattice, region.optional, "the optional cells"))


def known(lattice: Lattice | None) -> Lattice:
    """The lattice; raises `ExactCoverError` if there is none."""
    if lattice is None:
        raise ExactCoverError(
            'cells alone do not say on which lattice they lie: name it, as in lattice="square"'
        )
    return lattice


def title_of(puzzle: Puzzle) -> str:
    """The name of a puzzle, or words for it."""
    return puzzle.name or f"a puzzle on {puzzle.lattice.name} cells"


def check_length(
    name: str, value: object, least: float, most: float, *, optional: bool = False
) -> None:
    """A number of millimetres in a range; None too, if it is optional."""
    if value is None and optional:
        return
    if isinstance(value, bool) or not isinstance(value, Real) or not least <= float(value) <= most:
        raise wrong(name, value, f"a number of millimetres, {least:g} to {most:g}")

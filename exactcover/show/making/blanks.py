"""The pieces to make, and checks of the measures that a user gives."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from exactcover.base.text.names import numbered
from exactcover.base.values.arguments import shown
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import BAR, Bodies, as_tuples
from exactcover.lattices import get_lattice
from exactcover.lattices.base import Lattice
from exactcover.puzzle import Piece, Puzzle
from exactcover.search.result import Solution
from exactcover.show.render.subjects import PieceList, check_length, pieces_of

OVERLAP = 1e-6
"""The share of a piece that may lie in another one, as a matter of rounding."""


def blanks_of(what: object, lattice: Lattice | str | None = None) -> PieceList:
    """The pieces that are made of this; raises `ExactCoverError` where there are none."""
    chosen = get_lattice(lattice) if isinstance(lattice, str) else lattice
    found: PieceList | None
    if isinstance(what, Solution):
        found = _of_solution(what)
    elif isinstance(what, Puzzle):
        board = tuple(as_tuples(what.space.cells))
        found = PieceList(what.movable, what.lattice, what.name or "the puzzle", board=board)
    else:
        found = pieces_of(what, chosen)
    if found is None:
        raise ExactCoverError(
            f"nothing can be made of {shown(what)}: give a puzzle, a solution, a piece, the name "
            "of a set of pieces, or a list of pieces or shapes"
        )
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


# -- measures --------------------------------------------------------------------------------------

PAPER = {"A3": (297.0, 420.0), "A4": (210.0, 297.0), "A5": (148.0, 210.0), "letter": (215.9, 279.4)}

_MEASURES = re.compile(r"(\d+(?:\.\d+)?)\s*[x×]\s*(\d+(?:\.\d+)?)", re.IGNORECASE)


def check_width(bodies: Bodies, width: object, unit: float) -> None:
    """The width of bars, at most a unit; only a lattice of bars has one."""
    if width is not None and all(body.sort != BAR for body in bodies.kinds):
        raise ExactCoverError(f"width: {bodies.lattice.name} cells are no bars, so leave it out")
    check_length("width", width, unit / 1000, unit, optional=True)


def sheet_size(sheet: object) -> tuple[float, float] | None:
    """Width and height of a sheet, from two numbers, a text such as "300x200", or a name."""
    if sheet is None:
        return None
    if isinstance(sheet, str):
        if size := {name.lower(): size for name, size in PAPER.items()}.get(sheet.lower()):
            return size
        if found := _MEASURES.fullmatch(sheet.strip()):
            sheet = float(found[1]), float(found[2])
    if isinstance(sheet, tuple | list) and len(sheet) == 2:
        sides = [float(side) for side in sheet if isinstance(side, int | float)]
        if len(sides) == 2 and all(1 <= side <= 100_000 for side in sides):
            return sides[0], sides[1]
    raise ExactCoverError(
        f"sheet={shown(sheet)}: it must be a width and a height in millimetres, such as 300x200, "
        f"or one of {', '.join(PAPER)}"
    )

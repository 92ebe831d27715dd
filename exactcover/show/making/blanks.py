"""The pieces to make, by their cells, and the number of copies of each."""

from __future__ import annotations

from dataclasses import dataclass

from exactcover.base.text.names import numbered
from exactcover.base.values.arguments import shown
from exactcover.errors import ExactCoverError
from exactcover.lattices import get_lattice
from exactcover.lattices.base import Lattice
from exactcover.puzzle import Piece, Puzzle
from exactcover.search.result import Solution
from exactcover.show.render.bodies import as_tuples
from exactcover.show.render.parts import Cell
from exactcover.show.render.subjects import Asked, pieces_of


@dataclass(frozen=True)
class Blank:
    """One piece, before it has a shape in millimetres.

    name    its name; copies in a solution are numbered
    copies  how many of it are made
    """

    name: str
    cells: tuple[Cell, ...]
    copies: int = 1


@dataclass(frozen=True)
class Blanks:
    """The pieces of a puzzle, of a set or of a solution.

    title     what they are, for files
    board     the cells on which they lie; empty where that is not known
    in_place  they lie where a solution has them, so that they are not moved apart
    """

    lattice: Lattice
    pieces: tuple[Blank, ...]
    title: str
    board: tuple[Cell, ...] = ()
    in_place: bool = False


def blanks_of(what: object, lattice: Lattice | str | None = None) -> Blanks:
    """The pieces that are made of this; raises `ExactCoverError` where there are none."""
    chosen = get_lattice(lattice) if isinstance(lattice, str) else lattice
    found = _blanks_of(what, chosen)
    if not found.pieces:
        raise ExactCoverError(f"{found.title or 'this'} has no pieces to make")
    if found.lattice.dimension > 3:
        raise ExactCoverError(
            f"{found.lattice.name} cells have {found.lattice.dimension} dimensions: no piece can "
            "be made of them; `draw` shows them as blocks side by side"
        )
    return found


def _blanks_of(what: object, lattice: Lattice | None) -> Blanks:
    if isinstance(what, Solution):
        return _of_solution(what)
    if isinstance(what, Puzzle):
        board = tuple(as_tuples(what.space.cells))
        return _of_pieces(Asked(what.movable, what.lattice, what.name or "the puzzle"), board)
    if (asked := pieces_of(what, lattice)) is not None:
        return _of_pieces(asked)
    raise ExactCoverError(
        f"nothing can be made of {shown(what)}: give a puzzle, a solution, a piece, the name of a "
        "set of pieces, or a list of pieces or shapes"
    )


def _of_solution(solution: Solution) -> Blanks:
    if solution.model is None:
        raise ExactCoverError("nothing can be made of a plain problem: it has no cells")
    puzzle = solution.model.puzzle
    placements = solution.placements
    names = numbered([placement.piece for placement in placements])
    pieces = [Blank(name, one.cells) for name, one in zip(names, placements, strict=True)]
    title = f"{puzzle.name or 'the puzzle'}: a solution"
    board = tuple(as_tuples(puzzle.space.cells))
    return Blanks(puzzle.lattice, tuple(pieces), title, board, in_place=True)


def _of_pieces(asked: Asked, board: tuple[Cell, ...] = ()) -> Blanks:
    made = [(piece.name, cells, copies_of(piece)) for piece, cells, _ in asked.with_cells()]
    pieces = tuple(Blank(*one) for one in made if one[-1])
    return Blanks(asked.lattice, pieces, asked.title, board)


def copies_of(piece: Piece) -> int:
    """How many copies are made: the most that may be placed; of any number, one or the least."""
    return max(1, piece.low) if piece.high is None else piece.high

"""What is to be made: pieces by their cells, and how many copies of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from exactcover.errors import ExactCoverError
from exactcover.lattices import get_lattice
from exactcover.lattices.base import Lattice
from exactcover.library import PieceSet, piece_set
from exactcover.puzzle import Piece, Puzzle, cells_array
from exactcover.render.bodies import as_tuples
from exactcover.search.result import Solution
from exactcover.values.arguments import shown

Cell = tuple[int, ...]


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
        return _of_pieces(what.movable, what.lattice, what.name or "the puzzle", board)
    if isinstance(what, str):
        what = piece_set(what, lattice)
    if isinstance(what, PieceSet):
        pieces = [Piece(name, cells) for name, cells in what.pieces.items()]
        return _of_pieces(pieces, what.lattice, what.name)
    if isinstance(what, Piece):
        what = [what]
    if isinstance(what, Iterable):
        return _of_list(list(what), lattice)
    raise ExactCoverError(
        f"nothing can be made of {shown(what)}: give a puzzle, a solution, a piece, the name of a "
        "set of pieces, or a list of pieces or shapes"
    )


def _of_solution(solution: Solution) -> Blanks:
    if solution.model is None:
        raise ExactCoverError("nothing can be made of a plain problem: it has no cells")
    puzzle = solution.model.puzzle
    placements = solution.placements
    several = Counter(placement.piece for placement in placements)
    used: Counter[str] = Counter()
    pieces = []
    for placement in placements:
        used[placement.piece] += 1
        number = f"-{used[placement.piece]}" if several[placement.piece] > 1 else ""
        pieces.append(Blank(placement.piece + number, placement.cells))
    title = f"{puzzle.name or 'the puzzle'}: a solution"
    board = tuple(as_tuples(puzzle.space.cells))
    return Blanks(puzzle.lattice, tuple(pieces), title, board, in_place=True)


def _of_pieces(
    pieces: Sequence[Piece], lattice: Lattice, title: str, board: tuple[Cell, ...] = ()
) -> Blanks:
    made = []
    for piece in pieces:
        cells = cells_array(lattice, piece.cells, f"piece {piece.name}")
        if copies := copies_of(piece):
            made.append(Blank(piece.name, tuple(as_tuples(cells)), copies))
    return Blanks(lattice, tuple(made), title, board)


def copies_of(piece: Piece) -> int:
    """How many copies are made: the most that may be placed; of any number, one or the least."""
    return max(1, piece.low) if piece.high is None else piece.high


def _of_list(many: list[Any], lattice: Lattice | None) -> Blanks:
    if not many:
        raise ExactCoverError("the list is empty: there is nothing to make")
    if all(isinstance(one, Piece) for one in many):
        own = next((piece.lattice for piece in many if piece.lattice is not None), None)
        return _of_pieces(many, _known(lattice or own), f"{len(many)} pieces")
    if any(isinstance(one, Solution | Piece | Puzzle) for one in many):
        raise ExactCoverError("a list must hold pieces only, or shapes only")
    shapes = [Piece(str(number), cells) for number, cells in enumerate(many, 1)]
    return _of_pieces(shapes, _known(lattice), f"{len(many)} shapes")


def _known(lattice: Lattice | None) -> Lattice:
    if lattice is None:
        raise ExactCoverError('cells alone do not say on which lattice they lie: lattice="square"')
    return lattice

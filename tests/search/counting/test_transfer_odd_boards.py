"""Boards that no one would think of, and solutions counted up to symmetry."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

import exactcover as ec
from exactcover.backends import Branching, Status, get_backend
from exactcover.lattices import get_lattice
from exactcover.puzzle import Piece, Puzzle, Region
from tests.helpers.examples import COMPILED
from tests.helpers.summed import started
from tests.helpers.transfer import DOMINO, Cell, box, transfer_count

pytestmark = pytest.mark.skipif(not COMPILED, reason="too big counts without a compiler")


def board(cells: Iterable[Cell], *pieces: Piece, reflections: bool = True) -> Puzzle:
    """A board of squares."""
    return Puzzle(get_lattice("square"), Region(sorted(cells)), pieces, reflections)


def odd_boards() -> dict[str, tuple[Puzzle, int]]:
    """Boards with how many solutions they have, by thought alone."""
    two = [*box(2, 2), *((x + 9, y) for x, y in box(2, 3))]
    ring = [cell for cell in box(5, 5) if cell[0] in (0, 4) or cell[1] in (0, 4)]
    plus = [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)]
    dominoes = Piece("D", DOMINO, 0, None)
    square = Piece("M", [(0, 0)], 0, None)
    return {
        "two parts": (board(two, dominoes), 2 * 3),
        "one cell": (board([(7, -3)], square), 1),
        "one cell and no piece for it": (board([(0, 0)], dominoes), 0),
        "a ring": (board(ring, dominoes), 2),
        "a cell that no piece reaches": (board([*box(2, 2), (9, 9)], dominoes), 0),
        "a plus": (board(plus, dominoes), 0),
        "more copies than fit": (board(box(2, 2), Piece("D", DOMINO, 0, 500)), 2),
        "none of one": (board(box(2, 2), Piece("M", [(0, 0)], 0, 0), dominoes), 2),
        "none of any": (board(box(2, 2), Piece("D", DOMINO, 0, 0)), 0),
        "too many": (board(box(2, 2), Piece("D", DOMINO, 3, 3)), 0),
        "larger than the board": (
            board(box(2, 2), Piece("I", [(x, 0) for x in range(9)], 0, None), dominoes),
            2,
        ),
        "the same twice": (board(box(2, 2), dominoes, Piece("E", ((0, 0), (0, 1)), 0, None)), 2),
        "the same, once each": (
            board(box(2, 2), Piece("D", DOMINO), Piece("E", ((0, 0), (0, 1)))),
            2,
        ),
        "at least one of each": (board(box(3, 1), Piece("M", [(0, 0)], 1, None), dominoes), 3),
        "all that moves is gone": (
            Puzzle(
                get_lattice("square"),
                Region([(0, 0), (1, 0)]),
                (Piece("S", DOMINO, stationary=True), Piece("M", [(0, 0)], 0, 0)),
            ),
            1,
        ),
        "checkered": (board([c for c in box(6, 6) if sum(c) % 2], Piece("M", [(0, 0)], 18, 18)), 1),
        "far away": (board([(10**6, -(10**6)), (10**6 - 1, -(10**6))], dominoes), 1),
    }


@pytest.mark.parametrize("name", odd_boards())
def test_odd_boards(name: str) -> None:
    puzzle, many = odd_boards()[name]
    model = puzzle.model
    assert ec.count(puzzle, counted="all") == ec.count(puzzle, memory=1, counted="all") == many
    for strategy in ("automaton:f", "automaton:narrow memory=1", "fila:f", "dlx:s"):
        assert ec.count(puzzle, strategy=strategy, counted="all") == many
    assert transfer_count(model.problem) == many or model.reason
    usage = ec.usage(puzzle)
    assert sum(usage.values()) == sum(len(one.options) for one in ec.solve(puzzle, counted="all"))
    assert len(ec.sample(puzzle, 3, seed=2)) == (3 if many else 0)
    for counted in ("rotations", "reflections"):
        unique = ec.count(puzzle, counted=counted)
        assert unique == ec.count(puzzle, counted=counted, strategy="automaton:narrow")
        assert unique == ec.count(puzzle, counted=counted, strategy="dlx:s")
        assert bool(many) <= unique <= many


@pytest.mark.parametrize("engine", ["automaton", "fila"])
@pytest.mark.parametrize("order", ["f", "x", "R"])
def test_a_bound_on_empty_cells_and_no_cell(engine: str, order: str) -> None:
    """One cell must stay empty, and a stationary piece lies on it: an order of no cells."""
    stationary = Piece("S", [(0, 0)], stationary=True)
    region = Region(np.zeros((0, 2), int), [(0, 0)], (1, 1))
    model = Puzzle(get_lattice("square"), region, (stationary,)).model
    search = started(get_backend(engine), model.problem, model.layout, Branching.by(order))
    assert search.advance(1 << 20, keep=False).status is Status.DONE
    assert search.report().found == 0


def test_a_piece_that_must_be_there_and_fits_nowhere() -> None:
    assert ec.count(board(box(2, 2), Piece("I", [(x, 0) for x in range(4)]))) == 0

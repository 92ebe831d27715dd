"""A puzzle that makes no sense is refused with the thing at fault by name; a huge one, in time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import exactcover as ec
from exactcover.errors import PuzzleError
from exactcover.lattices import get_lattice
from exactcover.puzzle import Piece, Puzzle, Region

SQUARE = [(0, 0), (1, 0), (0, 1), (1, 1)]
DOMINO = [(0, 0), (1, 0)]


def puzzle(
    cells: Any = SQUARE,
    optional: Any = (),
    *pieces: Piece,
    lattice: str = "square",
    empty: tuple[int, int] | None = None,
    crossing: bool = True,
) -> Puzzle:
    return Puzzle(
        get_lattice(lattice),
        Region(cells, optional, empty),
        pieces or (Piece("D", DOMINO, 2, 2),),
        crossing=crossing,
    )


@pytest.mark.parametrize(
    ("cells", "optional", "words"),
    [
        ([], [], "no cells"),
        ([(0, 0), (1, 0), (0, 0)], [], r"region.*\(0, 0\).*twice"),
        (SQUARE, [(4, 4), (1, 1)], r"\(1, 1\).*twice"),
        ([(0, 0, 0)], [], r"region.*2 whole numbers"),
        ([(0.5, 0)], [], r"region.*2 whole numbers"),
        ([(1_000_001, 0)], [], r"region.*1000001.*1000000"),
        ([(2**80, 0)], [], r"region.*1000000"),
    ],
)
def test_a_region_that_makes_no_sense(cells: Any, optional: Any, words: str) -> None:
    with pytest.raises(PuzzleError, match=words):
        puzzle(cells, optional, Piece("D", DOMINO))


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([], "no cells"),
        ([(0, 0), (0, 0)], r"\(0, 0\).*twice"),
        ([(0, 0, 0)], "2 whole numbers"),
        ([(0, 2_000_000)], "2000000"),
    ],
)
@pytest.mark.parametrize("stationary", [False, True])
def test_a_piece_that_makes_no_sense(cells: Any, words: str, stationary: bool) -> None:
    with pytest.raises(PuzzleError, match=rf"piece odd.*{words}") as caught:
        puzzle(SQUARE, [], Piece("D", DOMINO), Piece("odd", cells, stationary=stationary))
    assert caught.value.piece == "odd"


def test_stationary_sticks_that_cross() -> None:
    east, north, west, south = get_lattice("sticks-square").junctions[0]
    pieces = [Piece(n, c, stationary=True) for n, c in (("A", [east, west]), ("B", [north, south]))]
    region = [east, north, west, south]
    puzzle(region, [], *pieces, lattice="sticks-square")
    with pytest.raises(PuzzleError, match="A and B cross") as caught:
        puzzle(region, [], *pieces, lattice="sticks-square", crossing=False)
    assert caught.value.piece == "B"


def test_a_piece_with_no_place_left_is_no_solution() -> None:
    given = puzzle(
        [(x, 0) for x in range(5)], [],
        Piece("S", [(2, 0)], stationary=True), Piece("I", [(x, 0) for x in range(4)]),
    )  # fmt: skip
    assert given.model.reason == "piece I has no place left beside the stationary pieces"
    assert ec.solve(given, counted="all").run().status == "impossible"


@pytest.mark.parametrize(
    ("pieces", "reason"),
    [
        ("domino x 3", "the pieces fill 6 cells, but 4 are to be filled"),
        (
            ["domino x 3", "monomino any"],
            "the pieces fill at least 6 cells, but 4 are to be filled",
        ),
        ("I tromino any", "no choice of pieces fills 4 cells, as many as are to be filled"),
    ],
)
def test_pieces_and_cells_that_differ_in_number(pieces: str | list[str], reason: str) -> None:
    assert ec.puzzle_of(pieces, "2x2").model.reason == reason


FAR = [(0, 0, 0, 0), (10**6, 10**6, 10**6, 10**6)]


def test_cells_too_far_apart() -> None:
    with pytest.raises(PuzzleError, match=r"region.*too far apart"):
        puzzle(FAR, [], Piece("A", FAR[:1]), lattice="hypercubic")


def box(*sides: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.stack(np.meshgrid(*map(np.arange, sides), indexing="ij"), -1).reshape(-1, len(sides))


def test_a_large_region_is_built() -> None:
    given = puzzle(box(100, 80), [], Piece("F", [*DOMINO, (1, 1), (2, 1), (1, 2)], 0, None))
    assert given.model.problem.n_options == 8 * 98 * 78


def test_too_many_placements_are_refused_before_they_are_listed() -> None:
    with pytest.raises(PuzzleError, match=r"up to .* too many placements in the 196,608 cells"):
        _ = ec.puzzle_of("pentominoes", "65536x3").model


def test_a_billion_copies_are_no_solution_at_once() -> None:
    given = puzzle(SQUARE, [], Piece("D", DOMINO, 10**9, 10**9))
    assert "2,000,000,000 cells" in given.model.reason

"""A puzzle that makes no sense is refused with the thing at fault by name; a huge one, in time."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import exactcover as ec
from exactcover.errors import PuzzleError
from exactcover.lattices import get_lattice
from exactcover.puzzle import Piece, Puzzle, Region
from exactcover.puzzle.model import volume_reason

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
        (SQUARE, [(3, 3), (3, 3)], r"optional.*\(3, 3\).*twice"),
        (SQUARE, [(4, 4), (1, 1)], r"\(1, 1\).*twice"),
        ([(0, 0, 0)], [], r"region.*2 whole numbers"),
        ([(0,)], [], r"region.*2 whole numbers"),
        ([0, 1], [], r"region.*2 whole numbers"),
        ([(0, 0), (1,)], [], r"region.*2 whole numbers"),
        ([(0.5, 0)], [], r"region.*2 whole numbers"),
        ([("a", "b")], [], r"region.*2 whole numbers"),
        ([(True, False)], [], r"region.*2 whole numbers"),
        ([(None, 0)], [], r"region.*2 whole numbers"),
        ([(1_000_001, 0)], [], r"region.*1000001.*1000000"),
        ([(0, -1_000_001)], [], r"region.*-1000001.*1000000"),
        ([(-(2**63), 0)], [], r"region.*1000000"),
        (np.array([(2**64 - 1, 0)], np.uint64), [], r"region.*18446744073709551615.*1000000"),
        ([(2**80, 0)], [], r"region.*1000000"),
    ],
)
def test_a_region_that_makes_no_sense(cells: Any, optional: Any, words: str) -> None:
    with pytest.raises(PuzzleError, match=words):
        puzzle(cells, optional, Piece("D", DOMINO))


@pytest.mark.parametrize("kind", [-1, 2, 7])
def test_a_kind_that_is_not_there(kind: int) -> None:
    with pytest.raises(PuzzleError, match=rf"region.*\(0, 0, {kind}\).*0 up, 1 down"):
        puzzle([(0, 0, kind)], [], Piece("D", [(0, 0, 0)]), lattice="triangular")
    with pytest.raises(PuzzleError, match=rf"piece D.*\(0, 0, {kind}\)") as caught:
        puzzle([(0, 0, 0)], [], Piece("D", [(0, 0, kind)]), lattice="triangular")
    assert caught.value.piece == "D"


@pytest.mark.parametrize("empty", [(-1, 2), (3, 2)])
def test_a_number_of_empty_cells_that_makes_no_sense(empty: tuple[int, int]) -> None:
    with pytest.raises(PuzzleError, match=rf"{empty[0]}\.\.{empty[1]}"):
        puzzle(SQUARE, [(5, 5), (6, 5), (7, 5)], empty=empty)


def test_more_empty_cells_than_may_be() -> None:
    with pytest.raises(PuzzleError, match=r"3 cells must stay empty.*only 1"):
        puzzle(SQUARE, [(5, 5)], empty=(3, 4))


def test_empty_cells_under_stationary_pieces_are_no_solution() -> None:
    given = puzzle(
        SQUARE, [(5, 5), (6, 5)],
        Piece("S", [(5, 5)], stationary=True), Piece("D", DOMINO, 0, None),
        empty=(2, 2),
    )  # fmt: skip
    assert given.model.reason == "2 cells must stay empty, but only 1 may"


@pytest.mark.parametrize(
    ("low", "high"), [(-1, 1), (2, 1), (0, -1), (0, 10**12), (1_000_000_001, None)]
)
def test_copies_that_make_no_sense(low: int, high: int | None) -> None:
    with pytest.raises(PuzzleError, match=rf"piece A.*{low}\.\.{high}") as caught:
        Piece("A", DOMINO, low, high)
    assert caught.value.piece == "A"


@pytest.mark.parametrize("name", ["", " ", "a b", "a\tb", "\n"])
def test_a_name_that_is_none(name: str) -> None:
    with pytest.raises(PuzzleError, match="one word"):
        Piece(name, DOMINO)


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


def test_no_pieces() -> None:
    with pytest.raises(PuzzleError, match="no pieces"):
        Puzzle(get_lattice("square"), Region(SQUARE), ())


def test_two_pieces_of_one_name() -> None:
    with pytest.raises(PuzzleError, match="two pieces are called D") as caught:
        puzzle(SQUARE, [], Piece("D", DOMINO), Piece("D", [(0, 0)]))
    assert caught.value.piece == "D"


def test_stationary_pieces_in_each_others_way() -> None:
    pieces = Piece("A", DOMINO, stationary=True), Piece("B", [(1, 0), (1, 1)], stationary=True)
    with pytest.raises(PuzzleError, match=r"A and B overlap at \(1, 0\)") as caught:
        puzzle(SQUARE, [], *pieces)
    assert caught.value.piece == "B"


def test_a_stationary_piece_outside() -> None:
    with pytest.raises(PuzzleError, match=r"piece A .*outside.*\(2, 0\)") as caught:
        puzzle(SQUARE, [], Piece("A", [(1, 0), (2, 0)], stationary=True))
    assert caught.value.piece == "A"


def test_stationary_sticks_that_cross() -> None:
    east, north, west, south = get_lattice("sticks-square").junctions[0]
    pieces = (
        Piece("A", [east, west], stationary=True),
        Piece("B", [north, south], stationary=True),
    )
    region = [east, north, west, south]
    puzzle(region, [], *pieces, lattice="sticks-square")
    with pytest.raises(PuzzleError, match="A and B cross") as caught:
        puzzle(region, [], *pieces, lattice="sticks-square", crossing=False)
    assert caught.value.piece == "B"


def test_a_piece_that_cannot_fit() -> None:
    given = puzzle(SQUARE, [], Piece("D", DOMINO), Piece("long", [(0, 0), (0, 1), (0, 2)]))
    assert given.model.reason == (
        "piece long cannot fit: the region has no place for it in any orientation"
    )
    assert ec.solve(given).run().status == "impossible"


def test_a_piece_that_need_not_be_placed_need_not_fit() -> None:
    long = Piece("long", [(0, 0), (0, 1), (0, 2)], 0, None)
    assert ec.count(puzzle(SQUARE, [], Piece("D", DOMINO, 0, None), long), counted="all") == 2


def test_a_piece_with_no_place_left_is_no_solution() -> None:
    given = puzzle(
        [(x, 0) for x in range(5)], [],
        Piece("S", [(2, 0)], stationary=True), Piece("I", [(x, 0) for x in range(4)]),
    )  # fmt: skip
    assert given.model.reason == "piece I has no place left beside the stationary pieces"
    assert ec.solve(given, counted="all").run().status == "impossible"


FAR = [(0, 0, 0, 0), (10**6, 10**6, 10**6, 10**6)]


def test_cells_too_far_apart() -> None:
    with pytest.raises(PuzzleError, match=r"region.*too far apart"):
        puzzle(FAR, [], Piece("A", FAR[:1]), lattice="hypercubic")


def test_a_piece_with_cells_too_far_apart() -> None:
    given = puzzle([(x, 0, 0, 0) for x in range(3)], [], Piece("A", FAR), lattice="hypercubic")
    with pytest.raises(PuzzleError, match=r"piece A.*too far apart") as caught:
        _ = given.model
    assert caught.value.piece == "A"


def test_cells_that_are_just_not_too_far_apart() -> None:
    cells = [(-(10**6), -(10**6)), (10**6, 10**6)]
    assert ec.count(puzzle(cells, [], Piece("A", cells)), counted="all") == 1


def box(*sides: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.stack(np.meshgrid(*map(np.arange, sides), indexing="ij"), -1).reshape(-1, len(sides))


def test_a_large_region_is_built() -> None:
    given = puzzle(box(100, 80), [], Piece("F", [*DOMINO, (1, 1), (2, 1), (1, 2)], 0, None))
    assert given.model.problem.n_options == 8 * 98 * 78


def test_a_large_region_of_sticks_is_built() -> None:
    cells = [(x, y, kind) for x, y, kind in product(range(60), range(60), range(3))]
    given = puzzle(
        cells, [], Piece("I", [(0, 0, 0), (1, 0, 0)], 0, None),
        lattice="sticks-triangular", crossing=False,
    )  # fmt: skip
    assert given.model.problem.n_options == 2 * 59 * 60 + 59 * 59


@pytest.mark.slow
def test_too_many_images_are_refused() -> None:
    staircase = [(0, 0, 0, 0), (1, 0, 0, 0), (1, 1, 0, 0), (1, 1, 1, 0), (1, 1, 1, 1)]
    given = puzzle(box(18, 18, 18, 18), [], Piece("S", staircase, 0, None), lattice="hypercubic")
    with pytest.raises(PuzzleError, match=r"S .*5,000,000 images.*104,976 cells"):
        _ = given.model


def test_a_billion_copies_are_no_solution_at_once() -> None:
    given = puzzle(SQUARE, [], Piece("D", DOMINO, 10**9, 10**9))
    assert "2,000,000,000 cells" in given.model.reason


def test_a_billion_copies_at_most_are_as_many_as_fit() -> None:
    pieces = [Piece(f"D{number}", DOMINO, 0, 10**9) for number in range(3)]
    assert ec.count(puzzle(SQUARE, [], *pieces), counted="all") == 2


def test_reprs_are_a_line() -> None:
    given = puzzle(box(100, 100), [(200, 0)], Piece("D", DOMINO, 2, 5))
    for thing in (given, given.pieces[0], given.model, given.model.problem):
        assert len(repr(thing)) < 200
    assert repr(given) == "<Puzzle: 2..5 pieces on 10,000 + 1 optional square cells>"
    any_number = puzzle(box(2, 2), [], Piece("D", DOMINO, 0, None))
    assert repr(any_number) == "<Puzzle: any number of pieces on 4 square cells>"
    assert repr(any_number.pieces[0]) == "<Piece D: 2 cells, any number of copies>"
    assert repr(Piece("D", DOMINO)) == "<Piece D: 2 cells>"
    assert repr(given.pieces[0]) == "<Piece D: 2 cells, 2..5 copies>"


@pytest.mark.parametrize(
    ("copies", "sizes", "words"),
    [
        ((1, 1), 1, "the pieces fill 2 cells, but 1 is to be filled"),
        ((1, 1), 3, "the pieces fill 2 cells, but 3 are to be filled"),
        ((0, 9), 1, "no choice of pieces fills 1 cell, as many as is to be filled"),
        ((0, 9), 3, "no choice of pieces fills 3 cells, as many as are to be filled"),
    ],
)
def test_one_cell_is_no_plural(copies: tuple[int, int], sizes: int, words: str) -> None:
    row = [(x, 0) for x in range(sizes)]
    given = ec.Puzzle.of([ec.Piece("D", [(0, 0), (1, 0)], *copies)], row, "square")
    assert words in (given.model.reason, volume_reason(given, sizes, 0))

"""Wrapped boards against a plain search, and against formulas for dominoes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.errors import CapabilityError, PuzzleError
from exactcover.geometry.regions import board_periods, region_cells
from exactcover.lattices import Lattice, get_lattice
from exactcover.puzzle import Piece, Puzzle, Region
from exactcover.trust.placements import PlacementCheck
from exactcover.trust.proofs import find_proof
from tests.helpers.examples import few, some
from tests.helpers.naive_symmetry import orbits
from tests.helpers.naive_tiling import Cell, PlainPuzzle, tilings
from tests.helpers.plain_puzzles import plain_puzzles, told

PLANE = (
    "square",
    "hexagonal",
    "triangular",
    "sticks-square",
    "sticks-triangular",
    "sticks-hexagonal",
)
ENGINES = ("dlx", "bsx", "memo", "automaton", "fila")
CONVENTIONS = ("all", "rotations", "reflections")


@st.composite
def wrapped_puzzles(draw: st.DrawFn, lattice: Lattice) -> PlainPuzzle:
    """Small boards with one or two periods, not parallel to the axes in general."""
    plain = draw(plain_puzzles(lattice, 8))
    number = st.integers(-3, 3)
    first = draw(st.tuples(number, number).filter(any))
    wrap = [first]
    if draw(st.booleans()):
        x, y = first
        wrap.append(draw(st.tuples(number, number).filter(lambda v: v[0] * y != v[1] * x)))
    puzzle = replace(plain, cells=(), optional=(), wrap=tuple(wrap))
    for cell in plain.cells:  # those that are different cells of the wrapped board
        if puzzle.own(cell) is None:
            puzzle = replace(puzzle, cells=(*puzzle.cells, cell))
    for cell in plain.optional:
        if puzzle.own(cell) is None:
            puzzle = replace(puzzle, optional=(*puzzle.optional, cell))
    taken: set[Cell | None] = set()
    pieces = []
    for piece in plain.pieces:
        own = {puzzle.own(cell) for cell in piece.cells}
        if piece.stationary and (len(own) < len(piece.cells) or own & taken):
            continue
        if piece.stationary:
            taken |= own
        pieces.append(piece)
    if all(piece.stationary for piece in pieces):
        pieces.append(replace(plain.pieces[0], name="M", stationary=False, low=0, high=None))
    empty = plain.empty
    if empty is not None:
        low = min(empty[0], len(puzzle.optional))
        empty = (low, max(low, empty[1]))
    return replace(puzzle, pieces=tuple(pieces), empty=empty)


def _check(wrapped: PlainPuzzle) -> None:
    found = tilings(wrapped)
    try:
        puzzle = told(wrapped)
        puzzle.model  # noqa: B018
    except PuzzleError as error:
        assert "cannot fit" in str(error) or " cross" in str(error)  # noqa: PT017
        assert not found
        return
    assert not found or find_proof(puzzle.model.problem) is None
    check = PlacementCheck(puzzle)
    for counted in CONVENTIONS:
        wanted = len(orbits(wrapped, found, counted))
        assert ec.count(puzzle, counted=counted) == wanted, counted
        listed = ec.solve(puzzle, counted=counted)
        solutions = [solution.placements for solution in listed]
        assert len(solutions) == wanted, counted
        assert {check.fault(placements) for placements in solutions} <= {None}
    for engine in ENGINES:
        try:
            assert ec.count(puzzle, counted="all", strategy=engine) == len(found), engine
        except CapabilityError:
            assert engine in ("memo", "fila", "bsx")
    filtered = "volume; parity; parity-trigger; volume-trigger; dlx"
    assert ec.count(puzzle, counted="all", strategy=filtered) == len(found)


@pytest.mark.parametrize("name", some(PLANE, one_in=2))
@given(st.data())
@few
def test_wrapped_boards_against_the_plain_search(name: str, data: st.DataObject) -> None:
    _check(data.draw(wrapped_puzzles(get_lattice(name))))


def _dominoes(width: int, height: int, wrap: list[list[int]]) -> Puzzle:
    square = get_lattice("square")
    region = Region(region_cells(square, "box", [width, height]), wrap=wrap)
    return Puzzle(square, region, (Piece("D", np.array([[0, 0], [1, 0]]), 0, None),))


@pytest.mark.parametrize(("width", "height"), [(3, 4), (4, 3), (4, 4), (5, 4), (6, 6)])
def test_dominoes_on_cylinders_and_tori(width: int, height: int) -> None:
    """Against pairs of cells written out by hand; Kasteleyn's formula gives tori of squares."""
    published = {(4, 4): 272, (6, 6): 90_176}
    for round_x, round_y in ((True, False), (False, True), (True, True)):
        pairs = [
            ((x, y), ((x + a) % width, (y + b) % height))
            for x in range(width)
            for y in range(height)
            for a, b in ((1, 0), (0, 1))
            if (round_x or x + a < width) and (round_y or y + b < height)
        ]
        wanted = ec.count(pairs)
        assert not (round_x and round_y) or wanted == published.get((width, height), wanted)
        puzzle = _dominoes(width, height, [[width, 0]] * round_x + [[0, height]] * round_y)
        assert ec.count(puzzle, counted="all") == wanted
        assert ec.count(puzzle, counted="all", strategy="automaton") == wanted


def test_one_board_in_several_ways_of_saying() -> None:
    """Another basis of the periods, another choice of cells: the same counts."""
    square = get_lattice("square")
    ell = Piece("L", np.array([[0, 0], [1, 0], [0, 1]]), 0, None)
    one = Piece("O", np.array([[0, 0]]), 0, 1)
    box = region_cells(square, "box", [5, 3])
    sheared = box + np.stack([5 * (box[:, 1] % 2) - 10, 3 * box[:, 0]], axis=1)
    counts = {
        tuple(
            ec.count(Puzzle(square, Region(cells, wrap=wrap), (ell, one)), counted=counted)
            for counted in CONVENTIONS
        )
        for cells in (box, sheared)
        for wrap in ([[5, 0], [0, 3]], [[5, 3], [0, -3]], [[-5, 6], [5, -3]])
    }
    assert len(counts) == 1


def test_a_skewed_torus_has_fewer_symmetries() -> None:
    straight = _dominoes(4, 4, [[4, 0], [0, 4]]).model.symmetries
    skewed = _dominoes(4, 4, [[4, 0], [1, 4]]).model.symmetries
    assert (len(straight), len(skewed)) == (16 * 8, 16 * 2)
    cylinder = _dominoes(4, 3, [[4, 0]]).model.symmetries
    assert len(cylinder) == 4 * 4


@pytest.mark.parametrize("name", PLANE)
def test_every_cell_of_a_torus_is_like_every_other(name: str) -> None:
    lattice = get_lattice(name)
    cells = region_cells(lattice, "box", [4, 5])
    wrap = board_periods(lattice, "torus", "box", [4, 5])
    piece = Piece("O", cells[:1], 0, None)
    model = Puzzle(lattice, Region(cells, wrap=wrap), (piece,)).model
    assert len(model.free) == 20 * len(lattice.kinds)
    around = np.diff(model.layout.adjacent[0])
    kinds = lattice.kind_numbers(model.free.cells)
    assert around.tolist() == [len(lattice.adjacent[kind]) for kind in kinds.tolist()]


def test_a_piece_in_two_parts_may_hang_together_only_where_it_wraps() -> None:
    """The volume filter must not take it for one part from an image that reaches round."""
    square = get_lattice("square")
    apart = Piece("A", np.array([[0, 0], [2, 0]]), 0, None)
    line = Piece("I", np.array([[0, 0], [0, 1]]), 0, None)
    for height in (2, 3):
        region = Region(region_cells(square, "box", [3, height]), wrap=[[3, 0]])
        puzzle = Puzzle(square, region, (apart, line), reflections=False)
        plain = ec.count(puzzle, counted="all", strategy="dlx")
        for filtered in ("volume; dlx", "volume@0; dlx", "volume-trigger; dlx"):
            assert ec.count(puzzle, counted="all", strategy=filtered) == plain


@pytest.mark.parametrize(
    ("wrap", "message"),
    [
        ([[0, 0]], "depend on each other"),
        ([[4, 0], [2, 0]], "depend on each other"),
        ([[4, 0], [0, 4], [1, 1]], "depend on each other"),
        ([[4]], "lists of 2 whole numbers"),
        ([4, 0], "lists of 2 whole numbers"),
        ([[4.5, 0]], "lists of 2 whole numbers"),
        ([[10**7, 0]], "lists of 2 whole numbers"),
    ],
)
def test_periods_that_make_no_sense(wrap: list[list[int]], message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        _dominoes(4, 4, wrap)


def test_one_cell_with_two_values() -> None:
    square = get_lattice("square")
    cells = np.array([[0, 0], [1, 0]])
    pieces = (Piece("O", cells[:1], 2, 2),)
    with pytest.raises(PuzzleError, match="not the same cost"):
        Puzzle(square, Region(cells, costs={(0, 0): 1, (2, 0): 3}, wrap=[[2, 0]]), pieces)
    priced = Puzzle(square, Region(cells, costs={(2, 0): 3}, wrap=[[2, 0]]), pieces)
    assert priced.region.costs == {(0, 0): 3}
    with pytest.raises(PuzzleError, match="in the region twice"):
        Puzzle(square, Region(cells, np.array([[2, 0]]), wrap=[[2, 0]]), pieces)
    fixed = Piece("S", np.array([[0, 0], [2, 0]]), stationary=True)
    with pytest.raises(PuzzleError, match="lies on itself"):
        Puzzle(square, Region(cells, wrap=[[2, 0]]), (fixed,))

"""Puzzles that are known to be impossible: the reason is found, and it is the known one."""

from __future__ import annotations

from collections import Counter

import pytest

import exactcover as ec
from exactcover.puzzle import Puzzle
from exactcover.puzzle.library import piece_set
from exactcover.trust.proofs import Congruence, check_certificate, find_proof
from tests.helpers.examples import some
from tests.helpers.impossible_puzzles import SMALL, hexiamonds, hexominoes


def is_chessboard(tried: Puzzle, proof: Congruence) -> bool:
    """Whether the cells of one colour of a chessboard weigh 1 and the others 0."""
    colours = tried.model.free.cells.sum(axis=1) % 2
    values = proof.values(tried.model.layout.cell_item)
    return bool((values == colours).all() or (values == 1 - colours).all())


def shape_weights(tried: Puzzle, proof: Congruence) -> Counter[int]:
    """How many pieces have each weight; the copies of every piece are counted here."""
    return Counter(proof.values(tried.model.layout.shape_item).tolist())


@pytest.mark.parametrize("sides", some([((n, 210 // n),) for n in (10, 14, 7, 6, 5, 3)], one_in=3))
def test_hexominoes_fill_no_rectangle(sides: tuple[int, int]) -> None:
    tried = hexominoes(*sides)
    proof = find_proof(tried.model.problem)
    assert proof is not None
    assert proof.modulus == 2
    assert is_chessboard(tried, proof)
    # 24 hexominoes cover an odd number of black cells, 11 an even one.
    assert shape_weights(tried, proof) == {1: 24, 0: 11}
    assert proof.total == 105 + 24
    assert check_certificate(tried.model.problem, proof)


@pytest.mark.parametrize("left_out", some([1, 0, 7, 34, 2, 20], one_in=3, first=1))
def test_34_hexominoes_fill_two_rectangles_only_without_an_even_one(left_out: int) -> None:
    name, cells = [*piece_set("hexominoes").pieces.items()][left_out]
    tried = ec.puzzle_of(f"hexominoes - {name}", ["9x12", "8x12 at 20,0"])
    odd = int((cells.sum(axis=1) % 2).sum()) % 2 == 1
    proof = find_proof(tried.model.problem)
    assert (proof is not None) == odd
    if proof is not None:
        assert is_chessboard(tried, proof)


@pytest.mark.parametrize(
    ("name", "modulus", "total"),
    [("mutilated chessboard", 3, 2), ("T tetrominoes in a square", 8, 100)],
)
def test_one_shape_that_covers_both_colours(name: str, modulus: int, total: int) -> None:
    """Black and white cells have different weights, and each piece a multiple of the modulus."""
    tried = SMALL[name]
    proof = find_proof(tried.model.problem)
    assert proof is not None
    assert (proof.modulus, proof.total) == (modulus, total)
    values = proof.values(tried.model.layout.cell_item)
    black = tried.model.free.cells.sum(axis=1) % 2 == 1
    assert len(set(values[black])) == len(set(values[~black])) == 1
    assert values[black][0] != values[~black][0]


def test_hexiamonds_point_up_as_often_as_down_or_four_times_more() -> None:
    """Ten cover three of each, sphinx and yacht four and two; this trapezoid has six more up."""
    tried = hexiamonds("9 6")
    proof = find_proof(tried.model.problem)
    assert proof is not None
    assert shape_weights(tried, proof) == {1: 10, 0: 2}
    up = tried.model.free.cells[:, 2]
    values = proof.values(tried.model.layout.cell_item)
    assert (values == up).all() or (values == 1 - up).all()
    # Four more, as in a trapezoid of four rows, are no contradiction.
    assert find_proof(hexiamonds("11 4").model.problem) is None


def test_bars_and_bricks_in_a_cube() -> None:
    brick = ec.Piece("brick", [(0, y, z) for y in range(2) for z in range(4)], 27, 27)
    for tried in (SMALL["bars in a cube"], ec.puzzle_of([brick], "6x6x6", "cubic")):
        proof = find_proof(tried.model.problem)
        assert proof is not None
        # One cell in eight: a bar covers none or two of these 27.
        assert Counter(proof.values(tried.model.layout.cell_item).tolist()) == {0: 189, 1: 27}


@pytest.mark.parametrize("name", ["pentominoes_10x6", "dominoes_8x8", "somacube"])
def test_there_is_no_proof_where_there_are_solutions(name: str) -> None:
    assert find_proof(ec.read(name).model.problem, moduli=range(2, 20)) is None

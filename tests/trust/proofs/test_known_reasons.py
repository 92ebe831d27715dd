"""Puzzles that are known to be impossible: the reason is found, and it is the known one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from exactcover.puzzle import Puzzle
from exactcover.puzzle.library import piece_set
from exactcover.trust.proofs import Congruence, check_certificate, explain, find_proof
from tests.helpers.examples import some
from tests.helpers.impossible_puzzles import (
    SMALL,
    T_TETROMINO,
    blacks,
    box,
    bricks_in_cube,
    free_set,
    hexiamonds,
    hexominoes,
    hexominoes_but,
    puzzle,
)


def is_chessboard(tried: Puzzle, proof: Congruence) -> bool:
    """Whether the cells of one colour of a chessboard weigh 1 and the others 0."""
    colours = tried.model.free.cells.sum(axis=1) % 2
    values = proof.cell_values(tried.model.layout)
    return bool((values == colours).all() or (values == 1 - colours).all())


def shape_weights(tried: Puzzle, proof: Congruence) -> Counter[int]:
    """How many pieces have each weight; the copies of every piece are counted here."""
    values = proof.values(tried.model.problem.n_items)
    return Counter(values[tried.model.layout.shape_item].tolist())


@pytest.mark.parametrize(
    "sides",
    some([((n, 210 // n),) for n in (10, 14, 7, 6, 5, 3)], one_in=3),
)
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


@pytest.mark.parametrize("left_out", some([0, 2, 3, 20, 1, 34], one_in=3, first=1))
def test_34_hexominoes_fill_two_rectangles_only_without_an_even_one(left_out: int) -> None:
    tried = hexominoes_but(left_out)
    odd = blacks(free_set("square", 6)[left_out].tolist()) % 2 == 1
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
    tried = SMALL[name]()
    proof = find_proof(tried.model.problem)
    assert proof is not None
    assert (proof.modulus, proof.total) == (modulus, total)
    values = proof.cell_values(tried.model.layout)
    black = tried.model.free.cells.sum(axis=1) % 2 == 1
    assert len(set(values[black])) == len(set(values[~black])) == 1
    assert values[black][0] != values[~black][0]


def test_hexiamonds_point_up_as_often_as_down_or_four_times_more() -> None:
    """Ten cover three of each, sphinx and yacht four and two; this trapezoid has six more up."""
    tried = hexiamonds(9, 6)
    proof = find_proof(tried.model.problem)
    assert proof is not None
    assert shape_weights(tried, proof) == {1: 10, 0: 2}
    up = tried.model.free.cells[:, 2]
    values = proof.cell_values(tried.model.layout)
    assert (values == up).all() or (values == 1 - up).all()
    # Four more, as in a trapezoid of four rows, are no contradiction.
    assert find_proof(hexiamonds(11, 4).model.problem) is None


@pytest.mark.parametrize("tried", [SMALL["bars in a cube"], bricks_in_cube])
def test_bars_and_bricks_in_a_cube(tried: Callable[[], Puzzle]) -> None:
    made = tried()
    proof = find_proof(made.model.problem)
    assert proof is not None
    # One cell in eight: a bar covers none or two of these 27.
    assert Counter(proof.cell_values(made.model.layout).tolist()) == {0: 189, 1: 27}


def test_an_item_without_options_is_the_simplest_reason() -> None:
    tried = puzzle("square", [*box(4, 5), (9, 9), (9, 10), (9, 11), (12, 12)], [T_TETROMINO], 6)
    proof = find_proof(tried.model.problem)
    assert proof is not None
    assert len(proof.weights) == 1


@pytest.mark.parametrize(
    "tried",
    [
        lambda: puzzle("square", box(6, 10), free_set("square", 5)),
        lambda: puzzle("square", box(8, 8), [[(0, 0), (0, 1)]], 32),
        lambda: puzzle("cubic", box(3, 3, 3), [piece.cells for piece in piece_set("soma")]),
    ],
)
def test_there_is_no_proof_where_there_are_solutions(tried: Callable[[], Puzzle]) -> None:
    problem = tried().model.problem
    assert find_proof(problem, moduli=range(2, 20)) is None


def test_words() -> None:
    made = SMALL["five tetrominoes"]()
    proof = find_proof(made.model.problem)
    assert proof is not None
    text = explain(made.model.problem, proof, made.model.layout)
    assert "10 of 20 cells weigh 1:\n  0,0 0,2" in text
    assert "1 of 5 pieces weigh 1:\n" in text
    assert "weighs 2 or 4 in all: a multiple of 2." in text
    assert "weighs 11: 1 modulo 2" in text
    assert "10 of 25 items" not in text
    assert "11 of 25 items weigh 1" in explain(made.model.problem, proof)

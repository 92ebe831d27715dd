"""Digests: fixed for ever, the same for the same puzzle, another for another puzzle."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.problem import Problem
from exactcover.puzzle import Piece, Puzzle, Region
from exactcover.puzzle.digest import digest
from exactcover.puzzle.paint import Paint
from tests.helpers.random_puzzles import problems, puzzles

PINNED = {
    "pentominoes_10x6": "cd826bcd6bfc9a2b141383f1f70b6a96d8e576981197fe6702c4bebc6c9424fb",
    "somacube": "8c69e0bba3193fce4515b31cf092f05f59aab20f8c189c9f540e03adb3b456c8",
    "queens_8": "0df47e723eee7c41512598e9637e1fc7ac30077481dd8e1d1f75d4a3250f633f",
    "hexiamonds_6x6": "f60133a10f3ab4587ba3bdf50a3c5ce59a43ee84725d0febe7e92105302cb724",
}
"""Published records hold them: if one changes, the digest is wrong, not this test."""

WRAPPED = ec.puzzle_of("domino x 4", "4x2", wrap=[[4, 0]])


def painted(red: int, blue: int, green: int = 3) -> Puzzle:
    """A painted puzzle with these numbers for its colours."""
    pieces = [
        Piece("A", [(0, 0), (1, 0)], 2, 2),
        Piece("B", [(0, 0), (1, 0)], 0, 2),
        Piece("C", [(0, 0), (1, 0)], 0, None),
    ]
    cells = {(0, 1): red, (2, 1): blue, (0, 0): blue, (1, 0): red}
    return replace(
        ec.puzzle_of(pieces, "4x2", "square"),
        paint=Paint(
            cells, {"A": (red, 0), "B": (green, green)}, frozenset({(red, red), (green, blue)})
        ),
    )


@pytest.mark.parametrize(("name", "pinned"), PINNED.items())
def test_pinned(name: str, pinned: str) -> None:
    assert digest(ec.read(name)) == pinned


def test_pinned_where_a_board_is_wrapped_or_painted() -> None:
    assert digest(WRAPPED) == "1c2bd27067f88c3e5e374500dde31066f4bd5e30e492dd3c8b663d3114122f40"
    assert (
        digest(painted(1, 2)) == "92791079334c0877d9bbbc254f8d6c49c4da3e5aa82eba35c529e72f1ac6b147"
    )


@given(puzzles())
def test_only_the_puzzle_counts(puzzle: Puzzle) -> None:
    """Neither names, nor the order of pieces and cells, nor how a piece is drawn."""
    moved = np.zeros(puzzle.lattice.width, np.int64)
    moved[: puzzle.lattice.dimension] = 5
    pieces = [
        replace(
            piece, name=f"p{number}", cells=piece.cells if piece.stationary else piece.cells + moved
        )
        for number, piece in enumerate(puzzle.pieces)
    ]
    region = puzzle.region
    other = replace(
        puzzle,
        pieces=tuple(reversed(pieces)),
        region=replace(region, cells=region.cells[::-1], optional=region.optional[::-1], costs={}),
        name="another",
    )
    # Pieces of one shape cost the same, so costs go with the region's.
    assert digest(other) == digest(puzzle)


@given(puzzles(plain=True), st.data())
def test_another_puzzle_has_another(puzzle: Puzzle, data: st.DataObject) -> None:
    """One copy more, a cell less to fill."""
    movable = [piece for piece in puzzle.pieces if not piece.stationary]
    if movable:
        chosen = data.draw(st.sampled_from(movable))
        more = replace(chosen, low=chosen.low + 1, high=None)
        other = replace(puzzle, pieces=tuple(more if p is chosen else p for p in puzzle.pieces))
        assert digest(other) != digest(puzzle)
    taken = {tuple(cell) for piece in puzzle.stationary for cell in piece.cells.tolist()}
    free = [n for n, cell in enumerate(puzzle.region.cells.tolist()) if tuple(cell) not in taken]
    if len(free) > 1:
        last = free[-1]
        region = Region(
            np.delete(puzzle.region.cells, last, axis=0), puzzle.region.cells[last : last + 1]
        )
        assert digest(replace(puzzle, region=region)) != digest(puzzle)


def test_numbers_of_colours_mean_nothing() -> None:
    assert ec.count(painted(1, 2), counted="all") == 65
    assert digest(painted(1, 2)) == digest(painted(2, 1)) == digest(painted(3, 4, 1))
    paint = painted(1, 2).paint
    assert paint is not None
    begins_blue = replace(paint, pieces={**paint.pieces, "A": (2, 0)})
    assert digest(replace(painted(1, 2), paint=begins_blue)) != digest(painted(1, 2))


@given(problems())
def test_options_of_a_problem_have_no_order(problem: Problem) -> None:
    listed = [problem.words_of(option) for option in range(problem.n_options)]
    if problem.colours.any() or (problem.low != 1).any() or (problem.high != 1).any():
        return
    names = [str(item) for item in problem.items]
    primary, secondary = names[: problem.primary], names[problem.primary :]
    one, other = (
        Problem.from_options(
            [order(words) for words in order(listed)], primary=primary, secondary=secondary
        )
        for order in (list, lambda many: list(reversed(many)))
    )
    assert digest(one) == digest(other)
    if listed:
        fewer = Problem.from_options(listed[1:], primary=primary, secondary=secondary)
        assert digest(fewer) != digest(one)

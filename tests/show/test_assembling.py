"""Orders of assembly: nothing is in the way, and a part that is stuck really is."""

from __future__ import annotations

from itertools import product

import pytest

import exactcover as ec
from tests.helpers.examples import some

Cell = tuple[int, ...]

CUBES = ("somacube", "bedlamcube", "tetriscube", "conway_5x5x5", "y_pentacubes_5x5x5")


def rings() -> ec.Solution:
    """Two linked rings of eight cubes: no way apart."""
    flat = [(x, y, 0) for x, y in product(range(3), repeat=2) if (x, y) != (1, 1)]
    upright = [(x + 1, 1, z - 1) for x, z in product(range(3), repeat=2) if (x, z) != (1, 1)]
    assert not set(flat) & set(upright)
    pieces = [ec.Piece("A", flat), ec.Piece("B", upright), ec.Piece("C", [(9, 0, 0)])]
    solution = ec.first(ec.puzzle_of(pieces, [*flat, *upright, (9, 0, 0)], "cubic"))
    assert solution is not None
    return solution


def free_way(moving: list[Cell], others: set[Cell], axis: tuple[float, ...]) -> bool:
    """Whether cubes can move away step by step."""
    step = tuple(map(round, axis))
    return not any(
        tuple(x + far * d for x, d in zip(cell, step, strict=True)) in others
        for cell in moving
        for far in range(1, 20)
    )


@pytest.mark.parametrize("name", some(CUBES, one_in=2))
def test_nothing_is_in_the_way_of_cubes(name: str) -> None:
    for solution in ec.solve(ec.read(name), limit=5):
        order = ec.assembly(solution)
        cells = [[*placed.cells] for placed in solution.placements]
        there = {cell for number in order.stuck for cell in cells[number]}
        for move in order.moves:
            back = tuple(-x for x in move.towards)
            assert free_way(cells[move.placement], there, back)
            there.update(cells[move.placement])
        assert len(there) == sum(map(len, cells))
        assert order.complete


def test_linked_rings_are_stuck() -> None:
    solution = rings()
    order = ec.assembly(solution)
    names = [placed.piece for placed in solution.placements]
    assert not order.complete
    assert sorted(names[number] for number in order.stuck) == ["A", "B"]
    assert [move.piece for move in order.moves] == ["C"]
    for number in order.stuck:
        others = {c for other in order.stuck if other != number
                  for c in solution.placements[other].cells}  # fmt: skip
        for axis in product((-1, 0, 1), repeat=3):
            if sum(map(abs, axis)) == 1:
                assert not free_way([*solution.placements[number].cells], others, axis)


def test_a_stationary_piece_does_not_move() -> None:
    pieces = [ec.Piece("lid", [(0, 0, 1)], stationary=True), ec.Piece("A", [(0, 0, 0), (1, 0, 0)])]
    solution = ec.first(ec.puzzle_of(pieces, [(0, 0, 0), (1, 0, 0), (0, 0, 1)], "cubic"))
    assert solution is not None
    (move,) = ec.assembly(solution).moves
    assert move.piece == "A"
    assert move.towards != (0.0, 0.0, -1.0)  # the lid is above


def test_flat_pieces_are_put_down_from_above() -> None:
    solution = ec.first(ec.read("pentominoes_10x6"))
    assert solution is not None
    order = ec.assembly(solution)
    assert {move.towards for move in order.moves} == {(0.0, 0.0, -1.0)}
    assert sorted(move.placement for move in order.moves) == list(range(12))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("dominoes_2x2x2x2", "4 dimensions"),
        ("tetrahexes_torus_7x4", "the board is wrapped"),
        ("queens_8", "plain problem"),
    ],
)
def test_others_are_refused(name: str, reason: str) -> None:
    solution = ec.first(ec.read(name))
    assert solution is not None
    with pytest.raises(ec.ExactCoverError, match=reason):
        ec.assembly(solution)

"""Counts that nobody can list: formulas, the literature, and the plain transfer matrix.

A board is given by its cells and which of them are neighbours, and its pieces are whatever hangs
together: so the options of the reference are made without lattices, shapes or images.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import exactcover as ec
from exactcover.lattices import Lattice, get_lattice
from tests.helpers.examples import COMPILED
from tests.helpers.lattices_under_test import plain_neighbours, some_cells
from tests.helpers.transfer import (
    Cell,
    Graph,
    box,
    connected_sets,
    graph,
    in_order,
    partitions,
    transfer_count,
)
from tests.helpers.transfer_puzzles import (
    DOMINO,
    HYPERCUBIC,
    by_automaton,
    by_memo,
    puzzle_of,
    shapes_in,
)

pytestmark = pytest.mark.skipif(not COMPILED, reason="too big counts without a compiler")


# -- dominoes in the plane ------------------------------------------------------------------------


def determinant(rows: list[list[int]]) -> int:
    """Of whole numbers, exactly: Bareiss's elimination, where every division comes out even."""
    sign, before = 1, 1
    for k in range(len(rows) - 1):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return 0
        if pivot != k:
            rows[k], rows[pivot], sign = rows[pivot], rows[k], -sign
        top = rows[k]
        for row in rows[k + 1 :]:
            first = row[k]
            if first or top[k] != before:
                row[k + 1 :] = [
                    (a * top[k] - first * b) // before
                    for a, b in zip(row[k + 1 :], top[k + 1 :], strict=True)
                ]
        before = top[k]
    return sign * rows[-1][-1] if rows else 1


def kasteleyn(cells: Iterable[Cell]) -> int:
    """Dominoes on a board without holes: the determinant with a sign in every other column."""
    listed = sorted(cells)
    black = [cell for cell in listed if sum(cell) % 2 == 0]
    white = [cell for cell in listed if sum(cell) % 2]
    if len(black) != len(white):
        return 0

    def weight(one: Cell, other: Cell) -> int:
        (x, y), (u, v) = one, other
        if y == v and abs(x - u) == 1:
            return 1
        return (-1) ** x if x == u and abs(y - v) == 1 else 0

    return abs(determinant([[weight(b, w) for w in white] for b in black]))


@pytest.mark.parametrize("width", range(1, 9))
def test_dominoes_by_the_determinant(width: int) -> None:
    for height in range(1, 9):
        board = box(width, height)
        many = kasteleyn(board)
        assert transfer_count(partitions(board, 2)) == many
        assert by_memo(partitions(board, 2)) == many
        puzzle = puzzle_of("square", board, [DOMINO])
        assert by_automaton(puzzle) == many
        assert by_automaton(puzzle, "f") == many


@pytest.mark.slow
def test_dominoes_in_20_by_20() -> None:
    many = kasteleyn(box(20, 20))
    assert many == 1269984011256235834242602753102293934298576249856
    assert by_automaton(puzzle_of("square", box(20, 20), [DOMINO])) == many


def aztec(n: int) -> Graph:
    """The cells whose squares lie wholly in |x| + |y| <= n + 1."""
    cells = product(range(-n, n), repeat=2)
    return graph((x, y) for x, y in cells if abs(2 * x + 1) + abs(2 * y + 1) <= 2 * n)


@pytest.mark.parametrize("n", [1, 2, 3, 6, 9, 12])
def test_aztec_diamonds(n: int) -> None:
    many = 2 ** (n * (n + 1) // 2)
    puzzle = puzzle_of("square", aztec(n), [DOMINO])
    assert by_automaton(puzzle) == many
    assert by_automaton(puzzle, "xy") == many
    if n <= 6:
        assert kasteleyn(aztec(n)) == transfer_count(partitions(aztec(n), 2)) == many


@pytest.mark.parametrize("gone", [[(0, 0), (5, 5)], [(2, 2), (2, 3)], [(0, 0), (0, 5)], [(2, 2)]])
def test_dominoes_on_a_board_with_cells_gone(gone: list[Cell]) -> None:
    cells = set(box(6, 6)) - set(gone)
    many = transfer_count(partitions(graph(sorted(cells)), 2))
    assert by_automaton(puzzle_of("square", cells, [DOMINO])) == many
    assert ec.count(puzzle_of("square", cells, [DOMINO]), counted="all") == many
    if gone in ([(0, 0), (5, 5)], [(2, 2)]):  # more cells of one colour
        assert many == 0


# -- other lattices -------------------------------------------------------------------------------


def hexagon(a: int, b: int, c: int) -> list[Cell]:
    """The triangles in a hexagon with sides a, b, c, a, b, c."""
    inside = []
    for x, y, kind in product(range(a + c), range(b + c), range(2)):
        u, v = (x + Fraction(1 + kind, 3), y + Fraction(1 + kind, 3))
        if c < u + v < a + b + c:
            inside.append((x, y, kind))
    return inside


def macmahon(a: int, b: int, c: int) -> int:
    """Plane partitions in a box, which lozenges in a hexagon are."""
    many = Fraction(1)
    for i, j, k in product(range(1, a + 1), range(1, b + 1), range(1, c + 1)):
        many *= Fraction(i + j + k - 1, i + j + k - 2)
    return int(many)


@pytest.mark.parametrize(
    "sides",
    [(1, 1, 1), (2, 2, 2), (1, 2, 5), (3, 3, 3), (4, 3, 5), (5, 5, 5), (2, 7, 9), (8, 8, 8)],
)
def test_lozenges_in_hexagons(sides: tuple[int, int, int]) -> None:
    puzzle = puzzle_of("triangular", hexagon(*sides), [((0, 0, 0), (0, 0, 1))])
    assert by_automaton(puzzle) == macmahon(*sides)
    if max(sides) <= 5:
        assert ec.count(puzzle, counted="all") == macmahon(*sides)


def neighbours_of(lattice: Lattice, cells: Iterable[Cell]) -> Graph:
    """Which of some cells are neighbours, by how far they are apart."""
    around, inside = plain_neighbours(lattice), set(cells)
    size = lattice.dimension
    found: Graph = {cell: set() for cell in inside}
    for cell in inside:
        for offset in around[(*cell, 0)[size]]:
            vector = [a + b for a, b in zip(cell[:size], offset[:size], strict=True)]
            other = (*vector, *offset[size:])
            if other in inside:
                found[cell].add(other)
                found[other].add(cell)
    return found


@pytest.mark.parametrize(
    ("name", "side"),
    [
        ("hexagonal", 7),
        ("sticks-square", 4),
        ("sticks-triangular", 3),
        ("sticks-hexagonal", 5),
        ("prism", 3),
        ("fcc", 3),
        ("bcc", 3),
    ],
)
@pytest.mark.parametrize("spare", [0, 1])
def test_two_cells_on_every_lattice(name: str, side: int, spare: int) -> None:
    """All pairs of neighbours, or all but for one cell or two that are gone."""
    lattice = get_lattice(name)
    cells = sorted(map(tuple, some_cells(lattice, side).tolist()))
    cells = cells[spare + (len(cells) - spare) % 2 :]
    board = neighbours_of(lattice, cells)
    problem = partitions(board, 2)
    centres = lattice.positions(np.array(list(board))).tolist()
    many = transfer_count(problem, in_order(problem, dict(zip(board, centres, strict=True))))
    puzzle = puzzle_of(lattice, cells, connected_sets(board, 2))
    assert by_automaton(puzzle) == many
    assert by_automaton(puzzle, "X") == many


# -- boxes of more dimensions ---------------------------------------------------------------------


def test_dominoes_in_boxes() -> None:
    layers = [1, 2]
    for _ in range(10):
        layers.append(4 * layers[-1] - layers[-2] + 2 * (-1) ** len(layers))
    assert layers[:7] == [1, 2, 9, 32, 121, 450, 1681]
    for height, many in enumerate(layers[1:], 1):
        assert by_automaton(puzzle_of("cubic", box(2, 2, height), [((0, 0, 0), (1, 0, 0))])) == many
    for sides, many in (
        ((3, 3, 2), 229),
        ((3, 3, 4), 117_805),
        ((3, 3, 6), 64_647_289),
        ((4, 4, 4), 5_051_532_105),
    ):
        assert transfer_count(partitions(box(*sides), 2)) == many
        assert by_automaton(puzzle_of("cubic", box(*sides), [((0, 0, 0), (1, 0, 0))])) == many


@pytest.mark.parametrize(("n", "many"), [(1, 1), (2, 2), (3, 9), (4, 272), (5, 589_185)])
def test_dominoes_in_hypercubes(n: int, many: int) -> None:
    cube = box(*[2] * n)
    puzzle = puzzle_of(HYPERCUBIC[n], cube, [((0,) * n, (1, *(0,) * (n - 1)))])
    assert transfer_count(partitions(cube, 2)) == many
    assert ec.count(puzzle, counted="all") == many
    assert by_automaton(puzzle) == many


@pytest.mark.slow
def test_dominoes_in_the_cube_of_six_dimensions() -> None:
    many = 16_332_454_526_976
    cube = box(*[2] * 6)
    problem = partitions(cube, 2)
    by_layers = {cell: (sum(cell), *cell) for cell in cube}
    assert transfer_count(problem, in_order(problem, by_layers)) == many
    puzzle = puzzle_of("hypercubic-6", cube, [((0,) * 6, (1, *(0,) * 5))])
    for order in ("narrow", "R@0,0,0,0,0,0"):
        assert by_automaton(puzzle, order) == many


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sides", "size", "many"),
    [
        ((2, 2, 3, 5), 2, 18_434_590_176),
        ((2, 2, 2, 5), 4, 40_596_328_430),
        ((2, 2, 2, 5), 5, 185_666_181_225),
    ],
)
def test_boxes_of_four_dimensions(sides: tuple[int, ...], size: int, many: int) -> None:
    board = box(*sides)
    problem = partitions(board, size)
    slices = {cell: (cell[3], sum(cell) % 2, *cell) for cell in board}
    assert transfer_count(problem, in_order(problem, slices)) == many
    puzzle = puzzle_of("hypercubic", board, shapes_in(board, size))
    for order in ("narrow", "W", "l@1,1,1,9"):
        assert by_automaton(puzzle, order) == many

"""Counts that nobody can list, by formulas and the literature; and boards that are odd."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

import exactcover as ec
from exactcover.backends import Branching
from exactcover.backends.automaton import diagram
from exactcover.lattices import get_lattice
from exactcover.puzzle import Piece, Puzzle, Region
from tests.helpers.automaton_counts import total
from tests.helpers.examples import some

Cell = tuple[int, ...]

DOMINO = ((0, 0), (1, 0))
L_TROMINO = ((0, 0), (1, 0), (0, 1))


def box(width: int, height: int) -> list[Cell]:
    return [*product(range(width), range(height))]


def board(
    cells: Iterable[Cell], *pieces: Piece, lattice: str = "square", reflections: bool = True
) -> Puzzle:
    return Puzzle(get_lattice(lattice), Region(sorted(cells)), pieces, reflections)


def by_automaton(puzzle: Puzzle, order: str = "narrow") -> int:
    """The count of the automaton, with this order of cells."""
    model = puzzle.model
    return total(model.problem, model.layout, Branching.by(order))


# -- boards of one piece --------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 6, 9, 12])
def test_aztec_diamonds(n: int) -> None:
    """The cells whose squares lie wholly in |x| + |y| <= n + 1."""
    cells = product(range(-n, n), repeat=2)
    diamond = [(x, y) for x, y in cells if abs(2 * x + 1) + abs(2 * y + 1) <= 2 * n]
    puzzle = board(diamond, Piece("D", DOMINO, 0, None))
    assert by_automaton(puzzle) == by_automaton(puzzle, "xy") == 2 ** (n * (n + 1) // 2)


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
    lozenge = Piece("L", ((0, 0, 0), (0, 0, 1)), 0, None)
    puzzle = board(hexagon(*sides), lozenge, lattice="triangular")
    assert by_automaton(puzzle) == macmahon(*sides)
    if max(sides) <= 5:
        assert ec.count(puzzle, counted="all") == macmahon(*sides)


TROMINOES = {
    **{(2, 3 * n): 2**n for n in range(1, 9)},
    **{(3, 2 * n): 2**n for n in range(1, 9)},
    **{(4, 3 * n): many for n, many in enumerate((4, 18, 88, 468, 2672, 16072), 1)},
    **{(5, 3 * n): many for n, many in enumerate((0, 72, 384, 8544, 76800), 1)},
    (6, 6): 162,
    (9, 9): 1_193_600,
}


@pytest.mark.parametrize(("sides", "many"), some(TROMINOES.items(), one_in=4))
def test_l_trominoes(sides: tuple[int, int], many: int) -> None:
    puzzle = board(box(*sides), Piece("L", L_TROMINO, 0, None))
    assert by_automaton(puzzle) == by_automaton(puzzle, "f") == many
    assert ec.count(puzzle.model.problem, strategy="memo") == many


def test_samples_where_counts_have_hundreds_of_bits() -> None:
    """Dominoes in 2 x 200: of the first column, upright ones are about 0.618 of all."""
    upright = [((x, 0), (x, 1)) for x in range(200)]
    lying = [((x, y), (x + 1, y)) for x in range(199) for y in (0, 1)]
    solutions = diagram(ec.Problem.from_options([*upright, *lying]), None, Branching())
    one, two = 1, 2
    for _ in range(199):
        one, two = two, one + two
    assert solutions.count == one
    share = sum(0 in options for options in solutions.samples(1000, seed=4)) / 1000
    assert abs(share - 0.618) < 0.07


# -- lines: copies, ranges, empty cells -----------------------------------------------------------


def line(
    cells: Sequence[int],
    *pieces: Piece,
    optional: Sequence[int] = (),
    empty: tuple[int, int] | None = None,
) -> Puzzle:
    """A board in one dimension."""
    region = Region([(x,) for x in cells], np.array(optional, int).reshape(-1, 1), empty)
    return Puzzle(get_lattice("hypercubic-1"), region, pieces, True)


def rod(name: str, length: int, low: int = 0, high: int | None = None) -> Piece:
    """A piece in one dimension."""
    return Piece(name, [(x,) for x in range(length)], low, high)


@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, 3), (2, 5), (70, 80), (0, 90), (90, 99)])
def test_rods_of_which_some_are_there(low: int, high: int) -> None:
    """Squares and dominoes: the number of squares is bounded, and two pieces are of one shape."""
    cells = 90
    some, others = rod("A", 1, low // 2, high // 2), rod("B", 1, low - low // 2, high - high // 2)
    many = sum(
        comb(squares + (cells - squares) // 2, squares)
        for squares in range(low, min(high, cells) + 1)
        if (cells - squares) % 2 == 0
    )
    puzzle = line(range(cells), some, rod("D", 2), others)
    assert by_automaton(puzzle) == ec.count(puzzle, counted="all") == many


@pytest.mark.parametrize(
    ("pieces", "empty"),
    some(
        product(
            [(0, 3), (2, 2), (5, 9), (0, None), (1, 50)], [None, (0, 4), (6, 10), (0, 0), (3, 3)]
        ),
        one_in=3,
    ),
)
def test_dominoes_that_leave_cells_empty(
    pieces: tuple[int, int | None], empty: tuple[int, int] | None
) -> None:
    """In a line of which every cell may stay empty: k dominoes in C(n - k, k) ways."""
    cells = 18
    low, high = pieces
    least, most = empty or (0, cells)
    many = sum(
        comb(cells - k, k)
        for k in range(low, cells // 2 + 1)
        if (high is None or k <= high) and least <= cells - 2 * k <= most
    )
    puzzle = line([], rod("D", 2, low, high), optional=range(cells), empty=empty)
    assert ec.count(puzzle, counted="all") == many
    if not puzzle.model.reason:
        assert by_automaton(puzzle) == by_automaton(puzzle, "X") == many


# -- odd boards -----------------------------------------------------------------------------------


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
    assert ec.count(puzzle, counted="all") == ec.count(puzzle, memory=1, counted="all") == many
    for strategy in ("automaton:f", "automaton:narrow memory=1", "fila:f", "dlx:s"):
        assert ec.count(puzzle, strategy=strategy, counted="all") == many
    usage = ec.usage(puzzle)
    assert sum(usage.values()) == sum(len(one.options) for one in ec.solve(puzzle, counted="all"))
    assert len(ec.sample(puzzle, 3, seed=2)) == (3 if many else 0)
    for counted in ("rotations", "reflections"):
        unique = ec.count(puzzle, counted=counted)
        assert unique == ec.count(puzzle, counted=counted, strategy="automaton:narrow")
        assert unique == ec.count(puzzle, counted=counted, strategy="dlx:s")
        assert bool(many) <= unique <= many

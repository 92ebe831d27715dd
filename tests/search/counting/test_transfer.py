"""Counts that nobody can list: formulas, the literature, and the plain transfer matrix.

A board is given by its cells and which of them are neighbours, and its pieces are whatever hangs
together: so the options of the reference are made without lattices, shapes or images.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product

import pytest

import exactcover as ec
from exactcover.backends import Branching, Status, get_backend
from exactcover.backends.automaton import diagram
from exactcover.lattices import Lattice, get_lattice
from exactcover.problem import Problem
from exactcover.puzzle import Piece, Puzzle, Region
from tests.helpers.examples import COMPILED, some
from tests.helpers.summed import started
from tests.helpers.transfer import DOMINO, Cell, Graph, box, by_automaton, graph, transfer_count

pytestmark = pytest.mark.skipif(not COMPILED, reason="too big counts without a compiler")

HYPERCUBIC = ["hypercubic-1", "square", "cubic", "hypercubic", "hypercubic-5", "hypercubic-6"]
L_TROMINO = ((0, 0), (1, 0), (0, 1))


def puzzle_of(
    lattice: Lattice | str, cells: Iterable[Cell], parts: Iterable[Iterable[Cell]]
) -> Puzzle:
    """Pieces of these shapes, mirror images included, in any number.

    The same shape may come up again and again, each time under another name.
    """
    lattice = get_lattice(lattice) if isinstance(lattice, str) else lattice
    pieces = tuple(Piece(f"P{number}", sorted(part), 0, None) for number, part in enumerate(parts))
    return Puzzle(lattice, Region(sorted(cells)), pieces, reflections=True)


def connected_sets(neighbours: Graph, size: int) -> set[frozenset[Cell]]:
    """Every connected set of this number of cells."""
    found = {frozenset([cell]) for cell in neighbours}
    for _ in range(size - 1):
        found = {
            part | {other} for part in found for cell in part for other in neighbours[cell] - part
        }
    return found


def partitions(neighbours: Graph, size: int) -> Problem:
    """Cut a board into pieces of one size, of any kind and in any number."""
    options = sorted(sorted(part) for part in connected_sets(neighbours, size))
    return Problem.from_options(options, primary=list(neighbours))


def shapes_in(neighbours: Graph, size: int) -> list[frozenset[Cell]]:
    """The connected sets of cells, one of those that are translates of each other.

    Translates of each other are those with equal differences; cells have no kinds here.
    """
    found = {}
    for part in connected_sets(neighbours, size):
        least = tuple(map(min, zip(*part, strict=True)))
        key = frozenset(tuple(a - b for a, b in zip(c, least, strict=True)) for c in part)
        found.setdefault(key, part)
    return list(found.values())


def in_order(problem: Problem, places: Mapping[Cell, Sequence[float]]) -> list[int]:
    """The items of a problem in the order of the places given to them."""
    return sorted(range(problem.n_items), key=lambda item: tuple(places[problem.items[item]]))


def by_memo(problem: Problem) -> int:
    """The count of the engine that remembers states."""
    search = started(get_backend("memo"), problem, None, Branching.by("f"))
    while search.advance(1 << 20, keep=False).status is not Status.DONE:
        pass
    return search.report().found


# -- dominoes in the plane ------------------------------------------------------------------------


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
        assert transfer_count(partitions(aztec(n), 2)) == many


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
    puzzle = puzzle_of(HYPERCUBIC[n - 1], cube, [((0,) * n, (1, *(0,) * (n - 1)))])
    assert transfer_count(partitions(cube, 2)) == many
    assert ec.count(puzzle, counted="all") == many
    assert by_automaton(puzzle) == many


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


# -- pieces of three cells and more: the literature -----------------------------------------------


@pytest.mark.parametrize(("side", "many"), [(1, 1), (2, 2), (3, 10), (4, 117), (5, 4006)])
def test_squares_cut_into_as_many_pieces_as_their_side(side: int, many: int) -> None:
    board = box(side, side)
    assert transfer_count(partitions(board, side)) == many
    assert by_memo(partitions(board, side)) == many
    puzzle = puzzle_of("square", board, shapes_in(board, side))
    assert ec.count(puzzle, counted="all") == by_automaton(puzzle) == many


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
    puzzle = puzzle_of("square", box(*sides), [L_TROMINO])
    assert by_automaton(puzzle) == by_automaton(puzzle, "f") == many
    assert transfer_count(puzzle.model.problem) == by_memo(puzzle.model.problem) == many


# -- samples --------------------------------------------------------------------------------------


def test_samples_where_counts_have_hundreds_of_bits() -> None:
    """Dominoes in 2 x 300: of the first column, upright ones are about 0.618 of all."""
    problem = partitions(box(300, 2), 2)
    upright = next(
        option
        for option in range(problem.n_options)
        if {problem.items[item] for item in problem.items_of(option)} == {(0, 0), (0, 1)}
    )
    solutions = diagram(problem, None, Branching())
    one, two = 1, 2
    for _ in range(299):
        one, two = two, one + two
    assert solutions.count == one
    share = sum(upright in options for options in solutions.samples(1000, seed=4)) / 1000
    assert abs(share - 0.618) < 0.07

"""Wrapped boards against a plain search, and against formulas for dominoes.

The plain search takes two cells for the same where their difference is a whole combination of the
period vectors, found by Cramer's rule; nothing is reduced to a normal form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import atan2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.errors import CapabilityError, PuzzleError
from exactcover.geometry.regions import board_periods, region_cells
from exactcover.lattices import Lattice, get_lattice
from exactcover.puzzle import Piece, Puzzle, Region
from exactcover.trust.proofs import find_proof
from exactcover.trust.verification.placements import PlacementCheck
from tests.helpers.examples import few
from tests.helpers.naive_tiling import (
    Cell,
    PlainPiece,
    PlainPuzzle,
    Point,
    Shape,
    _turned,
    shape_of,
)
from tests.helpers.plain_puzzles import _array, plain_puzzles

Vector = tuple[Fraction | int, ...]
Tiling = frozenset[tuple[Shape, frozenset[Cell]]]


@dataclass
class Wrapped:
    """A plain puzzle on a wrapped board: at most two period vectors."""

    plain: PlainPuzzle
    wrap: tuple[tuple[int, ...], ...]

    @property
    def space(self) -> tuple[Cell, ...]:
        return (*self.plain.cells, *self.plain.optional)

    def own(self, cell: Cell) -> Cell | None:
        """The cell of the region that is the same as this one."""
        size = self.plain.lattice.dimension
        for other in self.space:
            if cell[size:] == other[size:] and self.is_period(minus(cell[:size], other[:size])):
                return other
        return None

    def is_period(self, vector: Vector) -> bool:
        """Whether a vector is a whole combination of the period vectors."""
        if not any(vector) or not self.wrap:
            return not any(vector)
        if len(self.wrap) == 1:
            [period] = self.wrap
            axis = next(number for number, value in enumerate(period) if value)
            times = Fraction(vector[axis]) / period[axis]
            return times.denominator == 1 and tuple(times * x for x in period) == tuple(vector)
        (a, b), (c, d) = self.wrap
        det = a * d - b * c
        x, y = vector
        first, second = Fraction(x * d - y * c) / det, Fraction(a * y - b * x) / det
        return first.denominator == second.denominator == 1

    def same(self, one: Point, other: Point) -> bool:
        """Whether two points of the plane are the same point of the board."""
        difference = minus(one, other)
        return all(Fraction(x).denominator == 1 for x in difference) and self.is_period(difference)

    def shape(self, piece: PlainPiece) -> Shape:
        return shape_of(self.plain.lattice, piece.cells, self.plain.reflections)


def minus(one: Vector, other: Vector) -> Vector:
    return tuple(a - b for a, b in zip(one, other, strict=True))


# -- tilings --------------------------------------------------------------------------------------


def tilings(puzzle: Wrapped) -> set[Tiling]:
    """Every solution; stationary pieces, the same in all of them, left out."""
    plain = puzzle.plain
    fixed = [stationary(puzzle, piece) for piece in plain.pieces if piece.stationary]
    if not plain.crossing and any(cross(puzzle, a, b) for a, b in combinations(fixed, 2)):
        return set()
    free = set(puzzle.space) - {cell for part in fixed for cell in part}
    low: Counter[Shape] = Counter()
    high: Counter[Shape] = Counter()
    for piece in plain.pieces:
        if not piece.stationary:
            low[puzzle.shape(piece)] += piece.low
            high[puzzle.shape(piece)] += 99 if piece.high is None else piece.high
    places = {label: images(puzzle, label, free) for label in high}
    found: set[Tiling] = set()

    def extend(left: list[Cell], placed: list[tuple[Shape, frozenset[Cell]]], holes: int) -> None:
        if not left:
            many = Counter(label for label, _ in placed)
            least, most = plain.empty or (0, len(plain.optional))
            if least <= holes <= most and all(low[s] <= many[s] <= high[s] for s in high):
                found.add(frozenset(placed))
            return
        first, open_ = left[0], set(left)
        if first in plain.optional:
            extend(left[1:], placed, holes + 1)
        for label, listed in places.items():
            for image in listed:
                if first not in image or not image <= open_:
                    continue
                others = [*fixed, *(cells for _, cells in placed)]
                if plain.crossing or not any(cross(puzzle, image, other) for other in others):
                    rest = [cell for cell in left if cell not in image]
                    extend(rest, [*placed, (label, image)], holes)

    extend(sorted(free), [], 0)
    return found


def stationary(puzzle: Wrapped, piece: PlainPiece) -> frozenset[Cell]:
    cells = [puzzle.own(cell) for cell in piece.cells]
    assert None not in cells
    return frozenset(cell for cell in cells if cell is not None)


def images(puzzle: Wrapped, shape: Shape, free: set[Cell]) -> set[frozenset[Cell]]:
    """Every way in which a shape lies on free cells, without lying on itself."""
    lattice = puzzle.plain.lattice
    size = lattice.dimension
    centres = list(lattice.centres.values())
    found = set()
    for points in _turned(lattice, shape, puzzle.plain.reflections):
        for target in free:
            kind = (*target, 0)[size]
            shift = minus(add(centres[kind], target[:size]), points[0])
            if any(Fraction(step).denominator != 1 for step in shift):
                continue
            cells = [puzzle.own(cell_at(puzzle, add(point, shift))) for point in points]
            image = frozenset(cell for cell in cells if cell is not None)
            if None not in cells and len(image) == len(points) and image <= free:
                found.add(image)
    return found


def add(one: Vector, other: Vector) -> Point:
    return tuple(Fraction(a + b) for a, b in zip(one, other, strict=True))


def cell_at(puzzle: Wrapped, place: Point) -> Cell:
    """The cell whose centre this is."""
    lattice = puzzle.plain.lattice
    for kind, centre in enumerate(lattice.centres.values()):
        vector = minus(place, centre)
        if all(Fraction(x).denominator == 1 for x in vector):
            whole = tuple(int(x) for x in vector)
            return (*whole, kind) if lattice.width > lattice.dimension else whole
    raise AssertionError(place)


def cross(puzzle: Wrapped, one: Iterable[Cell], other: Iterable[Cell]) -> bool:
    """Whether two pieces of sticks cross: round some end, their sticks alternate."""
    lattice = puzzle.plain.lattice
    if not lattice.name.startswith("sticks"):
        return False
    round_ends: list[tuple[Point, list[tuple[float, int]]]] = []
    for owner, cells in enumerate((one, other)):
        for cell in cells:
            outline = list(lattice.outlines.values())[cell[2]]
            ends = [add(end, cell[:2]) for end in outline]
            for here, there in (ends, ends[::-1]):
                step = np.array([float(x) for x in minus(there, here)]) @ np.array(lattice.basis)
                same = [listed for place, listed in round_ends if puzzle.same(here, place)]
                if not same:
                    same = [[]]
                    round_ends.append((here, same[0]))
                same[0].append((atan2(step[1], step[0]), owner))
    for _, around in round_ends:
        ring = [owner for _, owner in sorted(around)]
        if sum(ring[i - 1] != ring[i] for i in range(len(ring))) >= 4:
            return True
    return False


# -- symmetries -----------------------------------------------------------------------------------


def orbits(puzzle: Wrapped, solutions: set[Tiling], counted: str) -> int:
    """How many classes the solutions make under the symmetries of the board."""
    moves = [*symmetries(puzzle, counted)]
    left, number = set(solutions), 0
    while left:
        seed = left.pop()
        for move, relabel in moves:
            moved = frozenset(
                (relabel[label], frozenset(move[cell] for cell in cells)) for label, cells in seed
            )
            assert moved in solutions
            left.discard(moved)
        number += 1
    return number


def symmetries(
    puzzle: Wrapped, counted: str
) -> Iterator[tuple[dict[Cell, Cell], dict[Shape, Shape]]]:
    """Motions with translations: where each cell and each label goes."""
    plain, lattice = puzzle.plain, puzzle.plain.lattice
    fixed = {stationary(puzzle, piece) for piece in plain.pieces if piece.stationary}
    free = set(puzzle.space) - {cell for part in fixed for cell in part}
    labels: dict[Shape, Counter[str]] = {}
    for piece in plain.pieces:
        if not piece.stationary:
            many = labels.setdefault(puzzle.shape(piece), Counter())
            many["low"] += piece.low
            many["high"] += 99 if piece.high is None else piece.high
    for shape, many in labels.items():
        room = len(free) // len(shape)
        many["high"] = min(many["high"], max(room, many["low"]))
    places = {label: images(puzzle, label, free) for label in labels}
    for number in range(len(lattice.group)):
        matrix = lattice.group.matrices[number]
        if not all(puzzle.is_period(tuple((matrix @ np.array(p)).tolist())) for p in puzzle.wrap):
            continue
        turn = bool(lattice.group.proper[number]) or plain.reflections
        if not turn and counted == "rotations":
            continue
        for move in translated(puzzle, number):
            if {frozenset(move[cell] for cell in part) for part in fixed} != fixed:
                continue
            if {move[cell] for cell in plain.optional} != set(plain.optional):
                continue
            onto: dict[Shape, Shape] = {}
            for label, listed in places.items():
                there = {frozenset(move[cell] for cell in image) for image in listed}
                shape = label if turn else mirrored(puzzle, label)
                wanted = [label] if shape == label else labels
                for other in wanted:
                    if (
                        other == shape
                        and places[other] == there
                        and labels[other] == labels[label]
                        and other not in onto.values()
                    ):
                        onto[label] = other
                        break
            if len(onto) == len(labels):
                yield move, onto


def mirrored(puzzle: Wrapped, shape: Shape) -> Shape:
    lattice = puzzle.plain.lattice
    cells = np.array([cell_at(puzzle, point) for point in shape])
    mirror = int(np.flatnonzero(~lattice.group.proper)[0])
    turned = lattice.moved(cells, [mirror])[0]
    return shape_of(lattice, map(tuple, turned.tolist()), False)


def translated(puzzle: Wrapped, number: int) -> Iterator[dict[Cell, Cell]]:
    """A motion of the lattice with every translation that keeps the region."""
    lattice = puzzle.plain.lattice
    size = lattice.dimension
    turned = [tuple(cell) for cell in lattice.moved(np.array(puzzle.space), [number])[0].tolist()]
    for target in puzzle.space:
        if target[size:] != turned[0][size:]:
            continue
        shift = minus(target[:size], turned[0][:size])
        there = [
            puzzle.own((*(int(x) for x in add(cell[:size], shift)), *cell[size:]))
            for cell in turned
        ]
        if None not in there and len(set(there)) == len(there):
            yield {a: b for a, b in zip(puzzle.space, there, strict=True) if b is not None}


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
def wrapped_puzzles(draw: st.DrawFn, lattice: Lattice) -> Wrapped:
    """Small boards with one or two periods, not parallel to the axes in general."""
    plain = draw(plain_puzzles(lattice, 8))
    number = st.integers(-3, 3)
    first = draw(st.tuples(number, number).filter(any))
    wrap = [first]
    if draw(st.booleans()):
        x, y = first
        wrap.append(draw(st.tuples(number, number).filter(lambda v: v[0] * y != v[1] * x)))
    puzzle = Wrapped(replace(plain, cells=(), optional=()), tuple(wrap))
    _add_cells(puzzle, plain)
    return puzzle


def _add_cells(puzzle: Wrapped, plain: PlainPuzzle) -> None:
    """The cells of the plain puzzle that are different cells of the wrapped board."""
    for cell in plain.cells:
        if puzzle.own(cell) is None:
            puzzle.plain = replace(puzzle.plain, cells=(*puzzle.plain.cells, cell))
    for cell in plain.optional:
        if puzzle.own(cell) is None:
            puzzle.plain = replace(puzzle.plain, optional=(*puzzle.plain.optional, cell))
    taken: set[Cell] = set()
    pieces = []
    for piece in plain.pieces:
        own = {puzzle.own(cell) for cell in piece.cells}
        if piece.stationary and (len(own) < len(piece.cells) or own & taken):
            continue
        if piece.stationary:
            taken |= {cell for cell in own if cell is not None}
        pieces.append(piece)
    if not any(not piece.stationary for piece in pieces):
        pieces.append(replace(plain.pieces[0], name="M", stationary=False, low=0, high=None))
    empty = plain.empty
    if empty is not None:
        low = min(empty[0], len(puzzle.plain.optional))
        empty = (low, max(low, empty[1]))
    puzzle.plain = replace(puzzle.plain, pieces=tuple(pieces), empty=empty)


def puzzle_of(wrapped: Wrapped) -> Puzzle:
    """The same puzzle in the package's words."""
    plain, lattice = wrapped.plain, wrapped.plain.lattice
    cells, optional = (_array(lattice, listed) for listed in (plain.cells, plain.optional))
    return Puzzle(
        lattice,
        Region(cells, optional, plain.empty, wrap=wrapped.wrap),
        tuple(
            Piece(
                piece.name,
                _array(lattice, piece.cells),
                piece.low,
                piece.high,
                piece.stationary,
            )
            for piece in plain.pieces
        ),
        plain.reflections,
        plain.crossing,
    )


def _check(wrapped: Wrapped) -> None:
    found = tilings(wrapped)
    try:
        puzzle = puzzle_of(wrapped)
        puzzle.model  # noqa: B018
    except PuzzleError as error:
        assert "cannot fit" in str(error) or " cross" in str(error)  # noqa: PT017
        assert not found
        return
    assert not found or find_proof(puzzle.model.problem) is None
    check = PlacementCheck(puzzle)
    for counted in CONVENTIONS:
        wanted = orbits(wrapped, found, counted) if counted != "all" else len(found)
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


@pytest.mark.parametrize("name", PLANE)
@given(st.data())
@few
def test_wrapped_boards_against_the_plain_search(name: str, data: st.DataObject) -> None:
    _check(data.draw(wrapped_puzzles(get_lattice(name))))


# -- dominoes: formulas and published figures -----------------------------------------------------


def _trace(width: int, height: int, round_: tuple[bool, bool]) -> int:
    """Domino tilings by a transfer matrix over the rows, closed along x, y or both."""
    closed_x, closed_y = round_
    states = 1 << width
    ways = np.zeros((states, states), object)
    for below in range(states):
        for above in range(states):
            if not below & above:
                ways[below, above] = _fillings(~(below | above) & (states - 1), width, closed_x)
    power = np.linalg.matrix_power(ways, height)
    return int(np.trace(power)) if closed_y else int(power[0, 0])


def _fillings(open_: int, width: int, closed: bool) -> int:
    """In how many ways dominoes that lie along a row fill its open cells."""

    def along(cells: int, first: int) -> int:
        if first >= width:
            return 1 if not cells else 0
        if not cells >> first & 1:
            return along(cells, first + 1)
        pair = 3 << first
        return along(cells & ~pair, first + 2) if cells & pair == pair else 0

    round_the_end = 1 | 1 << (width - 1)
    found = along(open_, 0)
    if closed and width > 2 and open_ & round_the_end == round_the_end:
        found += along(open_ & ~round_the_end, 0)
    return found


def _dominoes(width: int, height: int, wrap: list[list[int]]) -> Puzzle:
    square = get_lattice("square")
    region = Region(region_cells(square, "box", [width, height]), wrap=wrap)
    return Puzzle(square, region, (Piece("D", np.array([[0, 0], [1, 0]]), 0, None),))


def test_the_matrix_gives_published_numbers() -> None:
    """Of tori, by Kasteleyn's formula, and of the chessboard."""
    assert _trace(4, 4, (True, True)) == 272
    assert _trace(6, 6, (True, True)) == 90_176
    assert _trace(8, 8, (False, False)) == 12_988_816


@pytest.mark.parametrize(
    ("width", "height"), [(3, 4), (4, 3), (4, 4), (5, 4), (6, 3), (6, 4), (6, 6), (7, 4)]
)
def test_dominoes_on_cylinders_and_tori(width: int, height: int) -> None:
    for closed, wrap in (
        ((True, False), [[width, 0]]),
        ((False, True), [[0, height]]),
        ((True, True), [[width, 0], [0, height]]),
    ):
        wanted = _trace(width, height, closed)
        puzzle = _dominoes(width, height, wrap)
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
    for height in (2, 3, 4):
        region = Region(region_cells(square, "box", [3, height]), wrap=[[3, 0]])
        puzzle = Puzzle(square, region, (apart, line), reflections=False)
        plain = ec.count(puzzle, counted="all", strategy="dlx")
        for filtered in ("volume; dlx", "volume@0; dlx", "volume-trigger; dlx"):
            assert ec.count(puzzle, counted="all", strategy=filtered) == plain


# -- what makes no sense --------------------------------------------------------------------------


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

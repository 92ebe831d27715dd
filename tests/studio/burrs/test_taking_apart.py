"""Taking apart: as a plain search says, with moves that are possible at every step."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product

import numpy as np
import pytest

import exactcover as ec
from exactcover.errors import ExactCoverError
from exactcover.formats import Document, parse, write
from exactcover.geometry.bodies import SOLID, bodies_of
from exactcover.lattices import lattices
from exactcover.puzzle import Placement
from exactcover.studio.burrs import GroupMove, TakenApart, apart, assembled
from exactcover.studio.burrs.blocking import Blocking
from exactcover.studio.burrs.moves_kernel import FREE, clear
from exactcover.studio.burrs.search import MAX_STATES, take_apart

Cube = tuple[int, ...]
Cubes = frozenset[Cube]
Places = dict[int, Cube]

WAYS = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]


def moved(cubes: Cubes, by: Cube) -> Cubes:
    """Cubes moved by a vector."""
    return frozenset(tuple(x + d for x, d in zip(cube, by, strict=True)) for cube in cubes)


def plus(a: Cube, b: Cube, times: int = 1) -> Cube:
    return tuple(x + times * y for x, y in zip(a, b, strict=True))


def key(places: Places) -> tuple[tuple[int, Cube], ...]:
    """A state, up to moving all pieces together."""
    first = min(places)
    return tuple((piece, plus(place, places[first], -1)) for piece, place in sorted(places.items()))


def far(pieces: Mapping[int, Cubes], places: Places) -> int:
    """More steps than it takes to be clear of everything."""
    cubes = [cube for piece in places for cube in moved(pieces[piece], places[piece])]
    return max(max(axis) - min(axis) for axis in zip(*cubes, strict=True)) + 2


def steps_of(
    pieces: Mapping[int, Cubes], places: Places
) -> Iterator[tuple[tuple[int, ...], Cube, int, bool]]:
    """All moves: the pieces that move, the direction, the steps, and whether they come off."""
    most = far(pieces, places)
    for size in range(1, len(places)):
        for group in combinations(sorted(places), size):
            others = frozenset().union(
                *(moved(pieces[p], places[p]) for p in places if p not in group)
            )
            for way in WAYS:
                cubes = frozenset().union(*(moved(pieces[p], places[p]) for p in group))
                for steps in range(1, most + 1):
                    cubes = moved(cubes, way)
                    if cubes & others:
                        break
                    yield group, way, steps, steps == most


def shortest(pieces: Mapping[int, Cubes], places: Places) -> tuple[int, Places, set[int]] | None:
    """The fewest moves until some pieces come off, the state before that, and which pieces.

    None: no sequence of moves does it.
    """
    seen = {key(places)}
    waiting = deque([(places, 0)])
    while waiting:
        here, moves = waiting.popleft()
        new = []
        for group, way, steps, comes_off in steps_of(pieces, here):
            if comes_off:
                return moves + 1, here, set(group)
            there = {p: plus(at, way, steps) if p in group else at for p, at in here.items()}
            new.append(there)
        for there in new:
            if (known := key(there)) not in seen:
                seen.add(known)
                waiting.append((there, moves + 1))
    return None


def comes_apart(pieces: Mapping[int, Cubes], places: Places) -> bool:
    """Whether all pieces come apart."""
    if len(places) < 2:
        return True
    found = shortest(pieces, places)
    if found is None:
        return False
    _, here, group = found
    return all(
        comes_apart(pieces, {p: at for p, at in here.items() if (p in group) == inside})
        for inside in (True, False)
    )


CUBIC = ec.get_lattice("cubic")
SPACE = [lattice for lattice in map(ec.get_lattice, lattices()) if lattice.dimension == 3]


def random_pieces(random: np.random.Generator) -> list[list[tuple[int, ...]]]:
    """Two to four pieces in a box, some cells of it left empty.

    They need not be in one piece each, so they hold each other often.
    """
    sizes = random.integers(3, 5, 3).tolist()
    number = int(random.integers(2, 5))
    empty = random.uniform(0.4, 0.7)
    pieces: list[list[tuple[int, ...]]] = [[] for _ in range(number)]
    for line in product(*map(range, sizes[:2])):
        owner = int(random.integers(number))
        for z in range(sizes[2]):
            if random.random() < 0.6:
                owner = int(random.integers(number))
            if random.random() >= empty:
                pieces[owner].append((*line, z))
    pieces = [piece for piece in pieces if piece]
    return pieces if len(pieces) > 1 else random_pieces(random)


def taken_apart(
    pieces: list[list[tuple[int, ...]]],
    blocking: Blocking,
    fixed: int = 0,
    max_states: int = MAX_STATES,
    groups: Sequence[tuple[tuple[int, int], ...]] = ((),) * 9,
) -> TakenApart:
    placements = [Placement(f"P{number}", tuple(cells)) for number, cells in enumerate(pieces)]
    named = [
        ec.Piece(placed.piece, placed.cells, stationary=number < fixed, groups=groups[number])
        for number, placed in enumerate(placements)
    ]
    return take_apart(placements, named, blocking, max_states)


def check_against_plain_search(pieces: list[list[tuple[int, ...]]], found: TakenApart) -> None:
    """The outcome and each number of the level are those of the plain search."""
    cubes = {number: frozenset(cells) for number, cells in enumerate(pieces)}
    places = dict.fromkeys(cubes, (0, 0, 0))
    assert (found.status == "apart") == comes_apart(cubes, places)
    seen: set[tuple[int, ...]] = set()
    if found.status == "apart":
        check_moves(cubes, found.moves)
        ends = iter(found.numbers)
        for move, at in replay(found.moves):
            if tuple(move.among) not in seen:
                seen.add(tuple(move.among))
                fewest = shortest(cubes, {p: at[p] for p in move.among})
                assert fewest is not None
                assert fewest[0] == next(ends)


def replay(moves: Sequence[GroupMove]) -> Iterator[tuple[GroupMove, Places]]:
    """The moves in order, each with where the pieces are before it."""
    places = dict.fromkeys(moves[0].among, (0, 0, 0)) if moves else {}
    for move in moves:
        yield move, dict(places)
        for piece in move.pieces:
            places[piece] = plus(places[piece], move.vector)


def check_moves(cubes: dict[int, Cubes], moves: Sequence[GroupMove]) -> None:
    """No cube is hit on the way of any move, and a part that comes off never is."""
    apart = set()
    for move, before in replay(moves):
        pieces, moving = set(move.among), set(move.pieces)
        assert moving < pieces
        others = frozenset().union(*(moved(cubes[p], before[p]) for p in pieces - moving))
        ahead = frozenset().union(*(moved(cubes[p], before[p]) for p in moving))
        for _ in range(move.steps + 60 * move.separates):
            ahead = moved(ahead, move.step)
            assert not ahead & others
        if move.separates:
            apart |= {frozenset(moving), frozenset(pieces - moving)}
    assert {frozenset([piece]) for piece in cubes} <= apart


@pytest.mark.parametrize(
    ("seed", "number"), [(1, 40), pytest.param(2, 2000, marks=pytest.mark.slow)]
)
def test_random_pieces_come_apart_as_a_plain_search_says(seed: int, number: int) -> None:
    random = np.random.default_rng(seed)
    blocking = Blocking(CUBIC)
    levels = set()
    for _ in range(number):
        pieces = random_pieces(random)
        found = taken_apart(pieces, blocking)
        check_against_plain_search(pieces, found)
        levels.add(found.level.partition(".")[0] or found.status)
    assert {"stuck", "1", "2"} <= levels


@pytest.mark.parametrize("lattice", SPACE, ids=lambda lattice: lattice.name)
def test_cells_have_the_room_that_a_linear_program_says(lattice: ec.Lattice) -> None:
    blocking = Blocking(lattice)
    bodies = bodies_of(lattice)
    random = np.random.default_rng(3)
    kinds = len(bodies.kinds)
    checked = 0
    for _ in range(12):
        a, b = (int(random.integers(kinds)) for _ in range(2))
        offset = random.integers(-3, 4, 3)
        if a == b and not offset.any():
            continue
        first, second = (
            lattice.cells(vector[None], np.array([kind]))[0].tolist()
            for vector, kind in ((np.zeros(3, np.int64), a), (offset, b))
        )
        (one, start), (other, end) = (blocking.image([tuple(cell)]) for cell in (first, second))
        room = np.empty(len(blocking.shapes.steps), np.int16)
        clear(blocking.shapes, one, other, end - start, room)
        for way in random.choice(len(blocking.shapes.steps), 3):
            step = blocking.shapes.steps[way] @ bodies.basis
            time = plain_time(bodies.kinds[a], bodies.kinds[b], lattice, offset, step)
            assert room[way] == (FREE if time is None else int(np.floor(time + 1e-5)))
            checked += 1
    assert checked > 20


def plain_time(a, b, lattice, offset, step):  # type: ignore[no-untyped-def]
    """When a body that moves by a step a second comes to share inner points with another one."""
    from scipy.optimize import linprog
    from scipy.spatial import ConvexHull

    bodies = bodies_of(lattice)
    gap = offset @ bodies.basis
    if a.sort != SOLID:
        goal = gap + bodies.in_space([b.centre])[0] - bodies.in_space([a.centre])[0]
        times = np.linspace(0, 12, 48_001)[:, None]
        near = np.linalg.norm(goal - times * step, axis=1) < bodies.pitch - 1e-6
        return float(times[near.argmax(), 0]) if near.any() else None
    start = ConvexHull(bodies.in_space(list(a.corners))).equations
    goal = ConvexHull(bodies.in_space(list(b.corners)) + gap).equations
    # A point inside both bodies, and the least time: as in the sweep, but solved by a program.
    rows = [[*row[:3], -(row[:3] @ step)] for row in start] + [[*row[:3], 0.0] for row in goal]
    limits = [-row[3] - 1e-7 for row in [*start, *goal]]
    found = linprog([0, 0, 0, 1], rows, limits, bounds=[(None, None)] * 3 + [(0, None)])
    return float(found.fun) if found.status == 0 else None


@pytest.mark.parametrize("name", ["somacube", "fcc/trispheres_octahedron"])
def test_pieces_that_move_alone_have_level_one_throughout(name: str) -> None:
    for solution in ec.solve(ec.read(name), limit=2):
        assert set(apart(solution).numbers) == {1}


def test_a_page_has_the_moves_of_a_burr_backwards() -> None:
    solution, found = next(
        (one, found) for one, found in apart(ec.read("burr_dubois")) if found.status == "apart"
    )
    made = assembled(solution, found)
    assert made is not None
    assert made["level"] == "6.4.1.1.1"
    steps = made["steps"]
    assert isinstance(steps, list)
    assert [step["parts"] for step in steps] == [[*move.pieces] for move in found.moves[::-1]]
    assert [step["joins"] for step in steps].count(True) == 5
    assert steps[-1]["seen"] == [[piece, 0.0, 0.0, 0.0] for piece in range(6)]
    # A step begins where the step before it ended.
    for step, following in pairwise(steps):
        if following["joins"]:
            continue
        at = {piece: shift for piece, *shift in step["seen"]}
        there = {piece: shift for piece, *shift in following["seen"]}
        for piece in following["parts"]:
            went = [x - y for x, y in zip(there[piece], at[piece], strict=True)]
            assert went == following["vector"]


def rings() -> list[list[tuple[int, ...]]]:
    """Two linked rings, and a cube beside them."""
    flat = [(x, y, 0) for x, y in product(range(3), repeat=2) if (x, y) != (1, 1)]
    upright = [(x + 1, 1, z - 1) for x, z in product(range(3), repeat=2) if (x, z) != (1, 1)]
    return [flat, upright, [(9, 0, 0)]]


def test_linked_rings_are_stuck() -> None:
    found = taken_apart(rings(), Blocking(CUBIC))
    assert (found.status, found.holding) == ("stuck", (0, 1))
    assert found.reason == "P0 P1 cannot come apart"
    for both, status in (((1, 1), "apart"), ((2, 1), "stuck")):  # the group's number, its copies
        held = taken_apart(rings(), Blocking(CUBIC), groups=[((1, 1),), (both,), ()])
        assert held.status == status
        assert held.status == "stuck" or held.level == "1"


def test_groups_of_a_file_may_hold_together() -> None:
    """Two linked rings in a box, which both formats keep in one group."""
    flat, upright, _ = (tuple(cells) for cells in rings())
    cells = sorted({*flat, *upright})
    low = [min(axis) for axis in zip(*cells, strict=True)]
    pieces = [
        ec.Piece(name, [plus(c, tuple(low), -1) for c in one], groups=((7, 1),))
        for name, one in (("flat", flat), ("upright", upright))
    ]
    region = ec.Region([c for piece in pieces for c in piece.cells.tolist()])
    puzzle = ec.Puzzle(CUBIC, region, tuple(pieces))
    for form in ("xmpuzzle", "toml"):
        [document] = parse(write([Document("x", puzzle)], form), form)
        assert document.puzzle is not None
        assert [piece.groups for piece in document.puzzle.pieces] == [((7, 1),)] * 2
        assert apart(document.puzzle).run().levels == {"0": 1}
    with pytest.raises(ExactCoverError, match="pieces that may hold together"):
        write([Document("x", puzzle)], "polycube")


def test_stationary_pieces_are_one_piece() -> None:
    """A box of two halves that would come apart, with a block that slides out of its open side."""
    walls = [c for c in product(range(3), range(3), range(4)) if c[:2] != (1, 1) or c[2] == 0]
    halves = [[c for c in walls if c[0] < 2], [c for c in walls if c[0] == 2]]
    block = [(1, 1, z) for z in range(1, 4)]
    free = taken_apart([*halves, block], Blocking(CUBIC))
    kept = taken_apart([*halves, block], Blocking(CUBIC), fixed=2)
    assert free.level == "1.1"
    assert kept.level == "1"
    assert kept.moves[0].pieces == (2,)
    assert kept.moves[0].step == (0, 0, 1)


def test_a_limit_of_states_leaves_it_undecided() -> None:
    random = np.random.default_rng(2)
    blocking = Blocking(CUBIC)
    pieces = next(
        pieces
        for pieces in (random_pieces(random) for _ in range(500))
        if int(taken_apart(pieces, blocking).level.partition(".")[0] or 0) > 2
    )
    found = taken_apart(pieces, blocking, max_states=1)
    assert (found.status, found.reason) == ("undecided", "more than 1 state")
    assert found.moves == ()


def test_a_time_limit_is_never_taken_for_the_end() -> None:
    for seconds in (0.0, 0.5):
        found = apart(ec.read("bedlamcube"), time_limit=seconds).run()
        assert (found.status, found.stopped_by) == ("limit", "time")
    nothing = apart(ec.puzzle_of(["I3", "I3"], "box 5 1 1", "cubic")).run()
    assert nothing.status == "impossible"
    assert nothing.reason

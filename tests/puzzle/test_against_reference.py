"""What the package finds, compared with the plain reference on random small puzzles."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.errors import PuzzleError
from exactcover.lattices import Lattice, lattices
from exactcover.puzzle import Placement
from tests.helpers.examples import few, some
from tests.helpers.naive_symmetry import orbits
from tests.helpers.naive_tiling import PlainPiece, PlainPuzzle, Tiling, drawn, kind_of, tilings
from tests.helpers.plain_puzzles import plain_puzzles, told

LATTICES = [lattice for lattice in lattices().values() if lattice.dimension <= 4]
CROSSED = [lattice for lattice in LATTICES if lattice.junctions]


def by_name(lattice: Lattice) -> str:
    return lattice.name


def tiling_of(plain: PlainPuzzle, placements: tuple[Placement, ...]) -> Tiling:
    """The movable pieces of a solution, labelled by their kinds."""
    kinds = {piece.name: kind_of(plain, piece) for piece in plain.pieces if not piece.stationary}
    return frozenset(
        (kinds[placement.piece], frozenset(placement.cells))
        for placement in placements
        if placement.piece in kinds
    )


def check_names(plain: PlainPuzzle, placements: tuple[Placement, ...]) -> None:
    """Each name as often as its piece allows, and on cells of that piece's shape."""
    given = Counter(placement.piece for placement in placements)
    pieces = {piece.name: piece for piece in plain.pieces}
    assert given.keys() <= pieces.keys()
    for name, piece in pieces.items():
        assert piece.low <= given[name]
        assert piece.high is None or given[name] <= piece.high
    for placement in placements:
        piece = pieces[placement.piece]
        if piece.stationary:
            assert set(placement.cells) == set(piece.cells)
        else:
            assert drawn(plain.lattice, placement.cells) in kind_of(plain, piece).shapes


def check(plain: PlainPuzzle) -> None:
    """The package's solutions are the reference's, once each, and its words agree with them."""
    wanted = tilings(plain)
    event(f"{min(len(wanted), 3)} solutions or more")
    try:
        puzzle = told(plain)
        solving = ec.solve(puzzle, counted="all")
    except PuzzleError:
        event("refused")
        assert not wanted
        return
    found = []
    for solution in solving:
        placements = solution.placements
        check_names(plain, placements)
        assert puzzle.model.problem.violation(solution.options) is None
        found.append(tiling_of(plain, placements))
    assert len(set(found)) == len(found)
    assert set(found) == wanted
    assert solving.result.solutions == len(wanted) == ec.count(puzzle, counted="all")
    for counted in ("rotations", "reflections"):
        classes = len(orbits(plain, wanted, counted))
        assert ec.count(puzzle, counted=counted) == classes
        unique = ec.solve(puzzle, counted=counted, strategy="redundancy; dlx:s")
        assert len(list(unique)) == sum(unique.result.symmetric.values()) == classes
    if puzzle.model.reason:
        event("a reason")
        assert not wanted
        assert solving.result.status == "impossible"
        # The problem says no less than the reason.
        assert ec.count(puzzle.model.problem) == 0
    else:
        assert solving.result.status == "complete"


@pytest.mark.parametrize("lattice", some(LATTICES, one_in=3, first=0), ids=by_name)
@given(data=st.data())
@few
def test_the_solutions_are_those_of_the_reference(lattice: Lattice, data: st.DataObject) -> None:
    check(data.draw(plain_puzzles(lattice, 8 if lattice.dimension == 4 else 10)))


@pytest.mark.parametrize("lattice", some(LATTICES, one_in=3, first=1), ids=by_name)
@given(data=st.data())
@few
def test_pieces_that_may_do_what_others_may_not(lattice: Lattice, data: st.DataObject) -> None:
    most = 8 if lattice.dimension == 4 else 10
    check(data.draw(plain_puzzles(lattice, most, mixed=True)))


@pytest.mark.parametrize("lattice", some(CROSSED, one_in=2), ids=by_name)
@given(data=st.data())
def test_sticks_of_two_that_cross_at_a_point(lattice: Lattice, data: st.DataObject) -> None:
    """All sticks round one point in parts of two or three, some of them stationary."""
    ring = [tuple(stick) for stick in lattice.junctions[0]]
    sticks = data.draw(st.permutations(ring))
    parts = [tuple(sticks[at : at + 2]) for at in range(0, len(sticks), 2)]
    pieces = tuple(
        PlainPiece(
            f"P{number}",
            part,
            stationary=data.draw(st.booleans()),
            crossing=data.draw(st.sampled_from((None, None, True, False))),
        )
        for number, part in enumerate(parts)
    )
    optional = tuple(ring) if data.draw(st.booleans()) else ()
    cells = () if optional else tuple(ring)
    check(PlainPuzzle(lattice, cells, optional, pieces, crossing=data.draw(st.booleans())))

"""The figures of the article on fila, its phases and orders, and its widths."""

from __future__ import annotations

from itertools import product

import pytest

import exactcover as ec
from exactcover.backends import Branching, get_backend
from exactcover.backends.base import Phase
from exactcover.backends.fila import backend
from exactcover.lattices import get_lattice
from exactcover.problem import Problem
from exactcover.puzzle import Piece, Puzzle, Region
from tests.helpers.small_problems import finished
from tests.helpers.summed import started

# -- the article's figures ------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("near", "nofits"), [("0", 1_526_897_959), ("adjacent", 393_143_352)])
def test_tc3_and_tc4(near: str, nofits: int) -> None:
    strategy = f"redundancy=L first; fila:e nof={near}; fila:f@3 nof={near}"
    result = ec.solve(ec.read("tetriscube"), strategy=strategy).run()
    assert (result.solutions, result.fits, result.nofits) == (9839, 80_346_268, nofits)


@pytest.mark.parametrize("puzzle", ["bcc/pairs_3x2x2", "dominoes_2x2x2x2"])
def test_blocked_neighbours_are_those_that_are_not_open(puzzle: str) -> None:
    """A cell has eight or fourteen neighbours, and its pieces are all alike: the orders are one."""

    @ec.heuristic("mine-e", "fewest open neighbours, then fewest fits")
    def mine(cell, state):  # type: ignore[no-untyped-def]
        beside = 0
        for at in range(state.near_starts[cell], state.near_starts[cell + 1]):
            beside += state.open[state.near[at]]
        return 1e6 * beside + state.fits[cell]

    made = [ec.Counting(ec.read(puzzle), strategy=one).run() for one in ("fila:e", "dlx:mine-e")]
    assert made[0].fits == made[1].fits
    assert made[0].solutions == made[1].solutions


# -- phases, orders, settings ---------------------------------------------------------------------


def test_more_kinds_than_bits_in_a_word() -> None:
    """A kind of its own for each option: 72 of them, two words."""
    square = get_lattice("square")
    cells = list(product(range(3), range(4)))
    domino = Puzzle(square, Region(cells), (Piece("D", [(0, 0), (1, 0)], 6, 6),)).model.problem
    many = 70
    options = [list(domino.items_of(option)) for option in range(domino.n_options)]
    options += [[*options[kind % len(options)], 100 + kind] for kind in range(many)]
    counted = {100 + kind: (0, 2) for kind in range(many)}
    problem = Problem.from_options(options, multiplicity=counted)
    search = started(get_backend("dlx"), problem, None, Branching())
    finished(search)
    mine = started(backend, problem, None, Branching.by("f"))
    assert finished(mine).found == search.report().found > 1000


@pytest.mark.slow
@pytest.mark.parametrize("side", [6, 10, 12, 16, 20, 24, 30])
def test_wide_regions(side: int) -> None:
    """The first ways to lay dominoes on big boards, of 1 to 16 words."""
    domino = Piece("D", [(0, 0), (1, 0)], side * side // 2, side * side // 2)
    cells = list(product(range(side), repeat=2))
    model = Puzzle(get_lattice("square"), Region(cells), (domino,)).model
    for phases in ((Phase("f"),), (Phase("y"), Phase("y", 5)), (Phase("y"), Phase("e", 5))):
        search = started(backend, model.problem, model.layout, Branching(phases=phases))
        batch = search.advance(1 << 16, capacity=3)
        assert len(batch) == 3
        for number in range(3):
            assert model.problem.violation(batch.solution(number)) is None


def test_one_fixed_order() -> None:
    model = ec.read("somacube").model
    phases = (Phase("x"), Phase("e", 6), Phase("y", 3))
    with pytest.raises(ec.errors.CapabilityError, match="one fixed order, not in x and y; dlx"):
        started(backend, model.problem, model.layout, Branching(phases=phases))


# -- stopping and going on ------------------------------------------------------------------------


def test_counts_do_not_depend_on_stopping() -> None:
    model = ec.read("pentominoes_1s_30x3").model
    task = Branching.by("f", {"nof": "adjacent"})
    whole = started(backend, model.problem, model.layout, task)
    parts = started(backend, model.problem, model.layout, task)
    whole.advance(300)
    for _ in range(300):
        parts.advance(1)
    assert whole.report() == parts.report()
    assert 0 < whole.report().progress < 1
    assert whole.report().fits == 300

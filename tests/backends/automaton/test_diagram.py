"""The diagram of all solutions: against the list of them, and samples against chance."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Branching
from exactcover.backends.automaton import Diagram, backend, diagram
from exactcover.errors import PuzzleError, TooLarge
from exactcover.lattices import Lattice, get_lattice
from exactcover.problem import Problem
from exactcover.puzzle import Piece, Puzzle, Region
from tests.helpers import naive
from tests.helpers.examples import COMPILED
from tests.helpers.plain_puzzles import plain_puzzles, told
from tests.helpers.small_problems import Option, branching, problems, queens

big = pytest.mark.skipif(not COMPILED, reason="too big a diagram without a compiler")


def check(made: Diagram, wanted: list[Option]) -> None:
    """All that a diagram says, from the list of its solutions."""
    assert made.count == len(wanted)
    assert bool(made.n_nodes) == bool(wanted)
    assert made.usage() == dict(sorted(Counter(o for s in wanted for o in s).items()))
    assert set(made.samples(5, seed=1)) <= set(wanted)


@given(data=st.data())
def test_problems_without_geometry(data: st.DataObject) -> None:
    problem = data.draw(problems(frozenset({"secondary", "multiplicities"})))
    assume(not backend.capabilities.missing(problem))
    check(diagram(problem, None, Branching()), sorted(naive.solutions(problem)))


@pytest.mark.parametrize("lattice", ["square", "hexagonal", "sticks-square"])
@given(data=st.data())
def test_puzzles(lattice: str, data: st.DataObject) -> None:
    """Optional cells, copies and ranges among them."""
    one: Lattice = get_lattice(lattice)
    try:
        model = told(data.draw(plain_puzzles(one, 8))).model
    except PuzzleError:
        assume(False)
    assume(model.problem.n_options < 40 and not model.reason)
    wanted = sorted(naive.solutions(model.problem))
    check(diagram(model.problem, model.layout, Branching()), wanted)
    if wanted and wanted[0]:
        chosen = (wanted[0][0],)
        below = [solution for solution in wanted if chosen[0] in solution]
        check(diagram(model.problem, model.layout, branching(chosen)), below)


@big
def test_more_fields_than_a_word_holds() -> None:
    """Keys of two words: 90 kinds, each used at most once."""
    problem = Problem.from_options(
        [[cell, f"kind {cell} {other}"] for cell in range(9) for other in range(10)],
        multiplicity={f"kind {cell} {other}": (0, 1) for cell in range(9) for other in range(10)},
    )
    assert diagram(problem, None, Branching()).count == 10**9


@big
def test_every_piece_is_in_every_solution() -> None:
    model = ec.read("pentominoes_12x5").model
    made = diagram(model.problem, model.layout, Branching())
    usage = made.usage()
    assert made.count == 4040
    for shape in range(12):
        images = np.flatnonzero(model.layout.option_shape == shape).tolist()
        assert sum(usage.get(image, 0) for image in images) == 4040


# -- samples --------------------------------------------------------------------------------------


@big
@pytest.mark.parametrize("case", ["pentominoes", "copies"])
def test_samples_are_fair(case: str) -> None:
    """Chi-square over all solutions, well below what chance exceeds once in a million."""
    if case == "pentominoes":
        from exactcover.problem.filters.redundancy import choose

        model = ec.read("pentominoes_10x6").model
        made = choose(model.layout, model.symmetries.selected("rotations"))
        assert made is not None
        solutions, task = 2339, branching((), made.allowed)
    else:
        region = Region(list(product(range(4), range(5))))
        pieces = Piece("L", [(0, 0), (1, 0), (0, 1)], 2, 4), Piece("I", [(0, 0), (1, 0)], 4, 7)
        model, task = Puzzle(get_lattice("square"), region, pieces).model, Branching()
        solutions = ec.count(model.problem)
        assert solutions > 100
    drawn = diagram(model.problem, model.layout, task)
    assert drawn.count == solutions
    each = 12
    seen = Counter(drawn.samples(each * solutions, seed=7))
    chi = sum((many - each) ** 2 for many in seen.values()) / each
    chi += each * (solutions - len(seen))
    assert abs(chi - (solutions - 1)) < 5 * (2 * (solutions - 1)) ** 0.5


def test_the_same_seed_draws_the_same() -> None:
    made = diagram(queens(6), None, Branching())
    assert [*made.samples(20, seed=3)] == [*made.samples(20, seed=3)]
    assert len({*made.samples(100, seed=3)}) == 4
    assert not [*diagram(queens(3), None, Branching()).samples(4)]


@big
def test_a_diagram_that_does_not_fit() -> None:
    model = ec.read("pentominoes_1s_18x5").model
    with pytest.raises(TooLarge, match="do not fit 30 MiB"):
        diagram(model.problem, model.layout, Branching.by("s", {"memory": "30"}))

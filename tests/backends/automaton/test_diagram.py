"""The diagram of all solutions: against the list of them, and samples against chance."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Branching, Status
from exactcover.backends.automaton import backend, diagram
from exactcover.backends.diagram import Diagram
from exactcover.errors import PuzzleError, TooLarge
from exactcover.lattices import Lattice, get_lattice
from exactcover.problem import Problem
from exactcover.puzzle import Piece, Puzzle, Region
from tests.helpers import naive
from tests.helpers.automaton_counts import count, total
from tests.helpers.plain_puzzles import plain_puzzles, told
from tests.helpers.small_problems import Option, branching, problems, queens


def check(made: Diagram, wanted: list[Option]) -> None:
    """All that a diagram says, from the list of its solutions."""
    assert made.count == len(wanted)
    assert made.usage() == dict(sorted(Counter(o for s in wanted for o in s).items()))
    assert set(made.samples(5, seed=1)) <= set(wanted)


RANGES = ((0, 0), (0, 1), (0, 2), (1, 2), (1, 1), (2, 2), (2, 5), (0, 9), (1, 10**9), (0, 10**9))


@st.composite
def strips(draw: st.DrawFn) -> Problem:
    """Cells in a row, some of them secondary, and options of one kind each that lie in a window."""
    cells = draw(st.integers(1, 7))
    optional = draw(st.sets(st.integers(0, cells - 1), max_size=draw(st.sampled_from((0, 3)))))
    kinds = draw(st.lists(st.sampled_from(RANGES), max_size=4))
    options = []
    for _ in range(draw(st.integers(1, 4))):
        offsets = [0, *draw(st.sets(st.integers(1, draw(st.integers(1, 9))), max_size=3))]
        kind = draw(st.sampled_from((None, *range(len(kinds)))))
        named = [] if kind is None else [f"kind {kind}"]
        places = range(cells - max(offsets))
        options += [[*(at + offset for offset in offsets), *named] for at in places]
    used = {item for option in options for item in option}
    multiplicity = {
        f"kind {kind}": times for kind, times in enumerate(kinds) if f"kind {kind}" in used
    }
    primary = [*(cell for cell in range(cells) if cell not in optional), *multiplicity]
    return Problem.from_options(options, primary=primary, multiplicity=multiplicity)


@given(problem=strips() | problems(frozenset({"secondary", "multiplicities"})), data=st.data())
def test_problems_without_geometry(problem: Problem, data: st.DataObject) -> None:
    """Also where some options are forbidden, and some are chosen already."""
    assume(not backend.capabilities.missing(problem))
    wanted = sorted(naive.solutions(problem))
    check(diagram(problem, None, Branching()), wanted)
    allowed = np.array([data.draw(st.integers(0, 5)) > 0 for _ in range(problem.n_options)], bool)
    left = sum(all(allowed[[*one]]) for one in wanted)
    for order in ("f", "narrow"):
        counting = count(problem, None, branching((), allowed, heuristic=order))
        shares, steps = [counting.where().progress], data.draw(st.integers(1, 5))
        while counting.advance(steps, keep=False).status is not Status.DONE:
            shares.append(counting.where().progress)
        assert counting.count == left
        assert 0 <= shares[0]
        assert shares == sorted(shares)
        assert shares[-1] <= counting.where().progress == 1
    for option in {option for one in wanted[:2] for option in one}:
        having = sum(option in one for one in wanted)
        assert total(problem, None, branching((option,))) == having


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


def test_more_fields_than_a_word_holds() -> None:
    """Keys of two words: 90 kinds, each used at most once."""
    problem = Problem.from_options(
        [[cell, f"kind {cell} {other}"] for cell in range(9) for other in range(10)],
        multiplicity={f"kind {cell} {other}": (0, 1) for cell in range(9) for other in range(10)},
    )
    assert diagram(problem, None, Branching()).count == 10**9


# -- samples --------------------------------------------------------------------------------------


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
    each = 5
    seen = Counter(drawn.samples(each * solutions, seed=7))
    chi = sum((many - each) ** 2 for many in seen.values()) / each
    chi += each * (solutions - len(seen))
    assert abs(chi - (solutions - 1)) < 5 * (2 * (solutions - 1)) ** 0.5


def test_the_same_seed_draws_the_same() -> None:
    made = diagram(queens(6), None, Branching())
    assert [*made.samples(20, seed=3)] == [*made.samples(20, seed=3)]
    assert len({*made.samples(100, seed=3)}) == 4
    assert not [*diagram(queens(3), None, Branching()).samples(4)]


def test_a_diagram_that_does_not_fit() -> None:
    model = ec.read("pentominoes_1s_18x5").model
    with pytest.raises(TooLarge, match="do not fit 30 MiB"):
        diagram(model.problem, model.layout, Branching.by("s", {"memory": "30"}))

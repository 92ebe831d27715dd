"""The diagram of all solutions: against the list of them, and samples against chance."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Task
from exactcover.backends.automaton import Diagram, backend, diagram
from exactcover.backends.automaton.diagram import as_json, graphviz, zdd
from exactcover.errors import ExactCoverError, PuzzleError, TooLarge
from exactcover.lattices import Lattice, get_lattice
from exactcover.problem import Problem
from exactcover.puzzle import Piece, Puzzle, Region
from tests.helpers import naive
from tests.helpers.examples import COMPILED
from tests.helpers.plain_puzzles import plain_puzzles, told
from tests.helpers.small_problems import Option, langford, problems, queens

big = pytest.mark.skipif(not COMPILED, reason="too big a diagram without a compiler")


def check(made: Diagram, wanted: list[Option], data: st.DataObject) -> None:
    """All that a diagram says, from the list of its solutions."""
    assert sorted(made) == wanted
    assert made.count == len(wanted)
    assert bool(len(made)) == bool(wanted)
    assert made.through() == dict(sorted(Counter(o for s in wanted for o in s).items()))
    assert set(made.sample(5, seed=1)) <= set(wanted)
    options = sorted({option for solution in wanted for option in solution})
    if not options:
        return
    one, other = (data.draw(st.sampled_from(options)) for _ in range(2))
    with_one = [solution for solution in wanted if one in solution]
    not_other = [solution for solution in wanted if other not in solution]
    used, left = made.using(one), made.without(other)
    assert sorted(used) == with_one
    assert sorted(left) == not_other
    assert sorted(used & left) == sorted(set(with_one) & set(not_other))
    assert sorted(used | left) == sorted(set(with_one) | set(not_other))
    assert sorted(made.using(one).without(other)) == sorted(set(with_one) & set(not_other))
    costs = np.arange(made.option.max(initial=max(options)) + 1) ** 2 % 7 - 2.0
    prices = sorted(sum(costs[list(solution)]) for solution in wanted)
    ranked = made.cheapest(costs, 3)
    assert [price for price, _ in ranked] == pytest.approx(prices[:3])
    assert len({solution for _, solution in ranked}) == len(ranked)
    assert all(price == pytest.approx(sum(costs[list(s)])) for price, s in ranked)


@given(data=st.data())
def test_problems_without_geometry(data: st.DataObject) -> None:
    problem = data.draw(problems(frozenset({"secondary", "multiplicities"})))
    assume(not backend.capabilities.missing(problem))
    check(diagram(problem, None, Task()), sorted(naive.solutions(problem)), data)


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
    check(diagram(model.problem, model.layout, Task()), wanted, data)
    if wanted and wanted[0]:
        chosen = (wanted[0][0],)
        below = [solution for solution in wanted if chosen[0] in solution]
        check(diagram(model.problem, model.layout, Task(chosen)), below, data)


@big
def test_more_fields_than_a_word_holds() -> None:
    """Keys of two words: 90 kinds, each used at most once."""
    problem = Problem.from_options(
        [[cell, f"kind {cell} {other}"] for cell in range(9) for other in range(10)],
        multiplicity={f"kind {cell} {other}": (0, 1) for cell in range(9) for other in range(10)},
    )
    assert diagram(problem, None, Task()).count == 10**9


@big
def test_every_piece_is_in_every_solution() -> None:
    model = ec.read("pentominoes_12x5").model
    made = diagram(model.problem, model.layout, Task())
    through = made.through()
    assert made.count == 4040
    for shape in range(12):
        images = np.flatnonzero(model.layout.option_shape == shape).tolist()
        assert sum(through.get(image, 0) for image in images) == 4040


# -- samples --------------------------------------------------------------------------------------


@big
@pytest.mark.parametrize("case", ["pentominoes", "copies"])
def test_samples_are_fair(case: str) -> None:
    """Chi-square over all solutions, well below what chance exceeds once in a million."""
    if case == "pentominoes":
        from exactcover.problem.filters.redundancy import choose

        model = ec.read("pentominoes_10x6").model
        every = np.ones(model.problem.n_options, bool)
        made = choose(model.layout, model.symmetries.selected("rotations"), every)
        assert made is not None
        solutions, task = 2339, Task((), made.allowed)
    else:
        region = Region(list(product(range(4), range(5))))
        pieces = Piece("L", [(0, 0), (1, 0), (0, 1)], 2, 4), Piece("I", [(0, 0), (1, 0)], 4, 7)
        model, task = Puzzle(get_lattice("square"), region, pieces).model, Task()
        solutions = ec.count(model.problem)
        assert solutions > 100
    drawn = diagram(model.problem, model.layout, task)
    assert drawn.count == solutions
    each = 12
    seen = Counter(drawn.sample(each * solutions, seed=7))
    chi = sum((many - each) ** 2 for many in seen.values()) / each
    chi += each * (solutions - len(seen))
    assert abs(chi - (solutions - 1)) < 5 * (2 * (solutions - 1)) ** 0.5


def test_the_same_seed_draws_the_same() -> None:
    made = diagram(queens(6), None, Task())
    assert made.sample(20, seed=3) == made.sample(20, seed=3)
    assert len(set(made.sample(100, seed=3))) == 4
    assert diagram(queens(3), None, Task()).sample(4) == []


# -- for other programs ---------------------------------------------------------------------------


def paths(edges: list[list[int]], node: int, last: int) -> list[list[int]]:
    if node == last:
        return [[]]
    return [
        [option, *rest]
        for begin, to, option in edges
        if begin == node
        for rest in paths(edges, to, last)
    ]


def test_what_other_programs_read() -> None:
    problem = langford(4)
    made = diagram(problem, None, Task())
    wanted = sorted(naive.solutions(problem))
    told = json.loads(as_json(made))
    assert told["count"] == "2"
    assert sorted(tuple(sorted(p)) for p in paths(told["edges"], 0, told["nodes"] - 1)) == wanted
    drawn = re.findall(r'(\d+) -> (\d+) \[label="(\d+)"\]', graphviz(made))
    assert [[int(number) for number in edge] for edge in drawn] == told["edges"]


def test_a_zdd_has_the_same_solutions() -> None:
    problem = queens(6)
    made = diagram(problem, None, Task())
    try:
        import oxidd  # noqa: F401
    except ImportError:
        with pytest.raises(ExactCoverError, match="oxidd"):
            zdd(made)
        pytest.skip("oxidd is not installed")
    root, variables = zdd(made)
    assert sorted(variables) == sorted(made.through())
    found, waiting = [], [(root, ())]
    while waiting:
        node, options = waiting.pop()
        if (at := node.node_var()) is None:
            found += [tuple(sorted(options))] * node.satisfiable()
        else:
            high, low = node.cofactors()
            waiting += [(high, (*options, variables[at])), (low, options)]
    assert sorted(found) == sorted(made)


@big
def test_a_diagram_that_does_not_fit() -> None:
    model = ec.read("pentominoes_1s_18x5").model
    with pytest.raises(TooLarge, match="do not fit 30 MiB"):
        diagram(model.problem, model.layout, Task(settings={"memory": "30"}))

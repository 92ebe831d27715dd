"""What is written is read back as the same puzzle; what cannot be written says why."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from exactcover.errors import ConversionError
from exactcover.formats import Document, parse, write
from exactcover.lattices import get_lattice
from exactcover.problem import Problem
from exactcover.puzzle import Piece, Puzzle, Region
from exactcover.puzzle.digest import digest
from tests.helpers.random_puzzles import problems, puzzles, search, structure


def back(content: Puzzle | Problem, form: str) -> Document:
    (document,) = parse(write([Document("x", content)], form), form)
    return document


@pytest.mark.parametrize("form", ["toml", "jsonl"])
@given(puzzle=puzzles())
def test_toml_and_json_lines_keep_everything(form: str, puzzle: Puzzle) -> None:
    again = back(puzzle, form).puzzle
    assert again is not None
    assert structure(again) == structure(puzzle)
    assert digest(again) == digest(puzzle)


@given(puzzles(names=("square", "cubic"), plain=True))
def test_polycube_keeps_what_is_to_be_solved(puzzle: Puzzle) -> None:
    if puzzle.reflections and puzzle.lattice.dimension == 3:
        puzzle = replace(puzzle, reflections=False)
    again = back(puzzle, "polycube").puzzle
    assert again is not None
    if again.lattice is puzzle.lattice:
        assert search(again) == search(puzzle)
        assert again.reflections == puzzle.reflections


@given(problems())
def test_knuth_keeps_the_problem(problem: Problem) -> None:
    again = back(problem, "dlx").problem
    for name in ("primary", "starts", "entries", "colours", "low", "high"):
        assert np.array_equal(getattr(again, name), getattr(problem, name)), name
    assert tuple(again.items) == tuple(problem.items)
    assert again.colour_names == problem.colour_names
    assert (again.costs is None) == (problem.costs is None)
    if problem.costs is not None:
        assert np.array_equal(again.costs, problem.costs)


def test_several_puzzles_and_their_remarks() -> None:
    text = """\
# title: first
# source: a book
# source: a page
# count all: 1,234
D:xDim=2:yDim=2:zDim=1
C:name=A:type=M:layout=0 0 0, 1 0 0
C:name=B:type=M:layout=0 0 0, 1 0 0
~D
D:xDim=2:yDim=2:zDim=2
# count reflections: 1
L:stationary=*
A A, B B
A ., B *
~L
~D
"""
    documents = parse(text, "polycube", name="x")
    assert [d.name for d in documents] == ["x#1", "x#2"]
    for form in ("toml", "polycube"):
        again = parse(write(documents, form), form, name="x")
        assert [d.name for d in again] == ["x#1", "x#2"]
        assert [d.title for d in again] == ["first", ""]
        assert [d.source for d in again] == ["a book a page", ""]
        assert [dict(d.counts) for d in again] == [{"all": 1234}, {"reflections": 1}]
        for one, other in zip(documents, again, strict=True):
            assert one.puzzle is not None
            assert other.puzzle is not None
            assert search(one.puzzle) == search(other.puzzle)


def test_a_lattice_of_ones_own_is_written_with_the_puzzle() -> None:
    lattice = replace(get_lattice("triangular"), name="mine", aliases=())
    region = Region(np.array([[0, 0, 0], [0, 0, 1]]), np.zeros((0, 3), np.int64))
    puzzle = Puzzle(lattice, region, (Piece("A", np.array([[0, 0, 0], [0, 0, 1]])),))
    again = back(puzzle, "toml").puzzle
    assert again is not None
    assert structure(again) == structure(puzzle)
    assert again.lattice.centres == lattice.centres
    assert len(again.lattice.group) == 12


def test_costs_of_cells_add_up_as_decimals() -> None:
    """0.1 and 0.2 are 0.3, which floats are not: their sum has too many digits to be taken."""
    puzzle = 'pieces = "monomino any"\nregion = "2x1"\n'
    parts = [f'[[costs]]\nregion = "1x1"\ncost = {cost}\n' for cost in (0.1, 0.2)]
    [document] = parse(puzzle + "".join(parts), "toml")
    assert document.problem.costs is not None
    assert document.problem.costs.tolist() == [0.3, 0]


PRICED = """\
pieces = ["domino any cost 2", "monomino any"]
[region]
plus = "2x2"
optional = "1x1 at 2,0"
"""


@pytest.mark.parametrize(
    "costs",
    [
        'costs = """\n 1 .  .\n-2 . .5\n"""\n',
        "[[costs]]\nregion = '1x1 at 0,1'\ncost = 1\n"
        "[[costs]]\nregion = '1x1 at 2,0'\ncost = 0.5\n"
        "[[costs]]\nregion.cells = [[0, 0]]\ncost = -2\n",
        "[[costs]]\nregion = '1x2'\ncost = 1\n"  # parts add up
        "[[costs]]\nregion = ['1x1', '1x1 at 2,0']\ncost = -3\n"
        "[[costs]]\nregion = '1x1 at 2,0'\ncost = 3.5\n",
    ],
)
def test_costs_of_cells(costs: str) -> None:
    drawn = costs.startswith("costs")
    [document] = parse(costs + PRICED if drawn else PRICED + costs, "toml")
    puzzle = document.puzzle
    assert puzzle is not None
    assert puzzle.region.costs == {(0, 1): 1, (0, 0): -2, (2, 0): 0.5}
    problem = document.problem
    assert problem.costs is not None
    by_cells = {
        " ".join(sorted(map(str, (problem.items[i] for i in problem.items_of(o))))): cost
        for o, cost in enumerate(problem.costs.tolist())
    }
    assert by_cells["0,0 1,0 I"] == 0
    assert by_cells["0,1 1,1 I"] == 3
    assert by_cells["1,0 2,0 I"] == 2.5
    assert by_cells["0,0 O"] == -2


def test_dlx_does_not_pretend_that_there_are_solutions() -> None:
    text = 'pieces = "domino"\n[region]\nplus = "2x1"\noptional = "1x1 at 2,0"\nempty = 0\n'
    with pytest.raises(ConversionError, match="no solution"):
        write(parse(text, "toml"), "dlx")

"""Lists trimmed for a first placement do what lists made anew for it do."""

from __future__ import annotations

import numpy as np
import pytest

import exactcover as ec
from exactcover.backends import Branching, Node, get_backend
from exactcover.backends.base import Phase, Search
from exactcover.backends.fila.prepared import FilaRoot
from exactcover.backends.fila.search import FilaLists, FilaSearch
from exactcover.problem import Problem
from tests.helpers.small_problems import branching, finished
from tests.helpers.summed import started


def outcome(search: Search) -> tuple[int, int, int]:
    made = finished(search)
    return made.found, made.fits, made.nofits


@pytest.mark.parametrize(
    ("puzzle", "phases"),
    [
        ("pentominoes_20x3", (Phase("f", None, {"nof": "adjacent"}),)),
        ("somacube", (Phase("e", None, {"nof": "adjacent"}), Phase("f", 3, {"nof": "adjacent"}))),
        ("somacube", (Phase("s", None, {"nof": "0"}),)),
    ],
)
def test_below_each_first_placement(puzzle: str, phases: tuple[Phase, ...]) -> None:
    model = ec.read(puzzle).model
    backend = get_backend("fila")
    begin = backend.prepare(model.problem, model.layout, Branching(phases=phases))
    shape = int(np.argmin(np.bincount(model.layout.option_shape)))
    for image in np.flatnonzero(model.layout.option_shape == shape).tolist():
        task = branching((image,), phases=phases)
        anew = outcome(started(backend, model.problem, model.layout, task))
        assert outcome(begin(Node((image,)), None)) == anew


def test_below_the_last_piece_nothing_is_left() -> None:
    """A single piece fills the board, so below it are neither cells nor lists."""
    problem = Problem.from_options([("A", 0, 1)])
    lists = FilaLists(problem, None, branching((0,)))
    assert outcome(lists.begin(Node((0,)))) == (1, 0, 0)


def test_made_anew_where_that_takes_fewer_words() -> None:
    """67 cells take two words, and one once three of them are filled."""
    rods = [tuple(range(at, at + 3)) for at in range(0, 64, 3)]
    pairs = [tuple(range(at, at + 2)) for at in range(0, 66, 2)]
    problem = Problem.from_options([*rods, *pairs, (66,)])
    lists = FilaLists(problem, None, Branching())
    for first in range(problem.n_options):
        node = Node((first,))
        root = FilaRoot.of(problem, None, Branching(), node)
        anew = FilaSearch(root, node, None, np.zeros(0, np.int64), tally=False)
        assert outcome(lists.begin(Node((first,))))[0] == outcome(anew)[0]

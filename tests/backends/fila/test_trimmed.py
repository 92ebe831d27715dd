"""Lists trimmed for a first placement do what lists made anew for it do."""

from __future__ import annotations

import numpy as np
import pytest

import exactcover as ec
from exactcover.backends import Branching, Node, get_backend
from exactcover.backends.base import Phase, Search
from exactcover.problem import Problem
from exactcover.problem.layout import Layout
from tests.helpers.small_problems import branching, finished
from tests.helpers.summed import started


def outcome(search: Search) -> tuple[int, int, int]:
    made = finished(search)
    return made.found, made.fits, made.nofits


def check(
    problem: Problem, layout: Layout | None, firsts: list[int], phases: tuple[Phase, ...]
) -> None:
    backend = get_backend("fila")
    begin = backend.prepare(problem, layout, Branching(phases=phases))
    for first in firsts:
        anew = started(backend, problem, layout, branching((first,), phases=phases))
        assert outcome(begin(Node((first,)), None)) == outcome(anew)


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
    shape_of = model.layout.option_shape
    images = np.flatnonzero(shape_of == np.argmin(np.bincount(shape_of)))
    check(model.problem, model.layout, images.tolist(), phases)


def test_below_the_last_piece_and_where_fewer_words_are_left() -> None:
    """A single piece fills the board; and 67 cells take two words, one once three are filled."""
    rods = [tuple(range(at, at + 3)) for at in range(0, 64, 3)]
    pairs = [tuple(range(at, at + 2)) for at in range(0, 66, 2)]
    for options in ([("A", 0, 1)], [*rods, *pairs, (66,)]):
        problem = Problem.from_options(options)
        check(problem, None, [*range(problem.n_options)], (Phase("f"),))

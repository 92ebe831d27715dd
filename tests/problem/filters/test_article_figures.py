"""The numbers of images that the articles report, filter by filter."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from exactcover.geometry.enumeration import Sort, shapes
from exactcover.lattices import get_lattice
from exactcover.problem.filters.reduction import fit
from exactcover.problem.filters.redundancy import choose
from exactcover.problem.filters.totals import volume
from exactcover.problem.filters.tree import FilterState
from exactcover.puzzle import Model, Piece, Puzzle, Region


def pentominoes(width: int, height: int, sort: Sort) -> Puzzle:
    square = get_lattice("square")
    pieces = [Piece(f"p{n}", cells) for n, cells in enumerate(shapes(square, 5, sort))]
    cells = np.array(list(product(range(width), range(height))))
    return Puzzle(square, Region(cells), tuple(pieces), sort is Sort.FREE)


@pytest.fixture(scope="module")
def ten_by_six() -> Model:
    return pentominoes(10, 6, Sort.FREE).model


def after_volume(model: Model, alive: np.ndarray) -> np.ndarray:
    return volume(FilterState(model.board, (), alive))


def constrained(model: Model) -> np.ndarray:
    made = choose(model.layout, model.symmetries.selected("rotations"))
    assert made is not None
    return made.allowed


@pytest.mark.parametrize(
    ("width", "height", "sort", "x_first", "options", "left"),
    [
        (10, 6, Sort.FREE, False, 2056, 2056 - 128),
        (10, 6, Sort.FREE, True, 2032, 1907),
        (30, 3, Sort.ONE_SIDED, False, 1936, 1936 - 776),
    ],
)
def test_volume(
    width: int, height: int, sort: Sort, x_first: bool, options: int, left: int
) -> None:
    model = pentominoes(width, height, sort).model
    alive = constrained(model) if x_first else np.ones(model.problem.n_options, bool)
    assert (alive.sum(), after_volume(model, alive).sum()) == (options, left)


def test_fit_removes_what_volume_does_and_16_more(ten_by_six: Model) -> None:
    everything = np.ones(ten_by_six.problem.n_options, bool)
    by_volume = ~after_volume(ten_by_six, everything)
    by_fit = ~fit(ten_by_six.problem, everything)[0]
    assert not (by_volume & ~by_fit).any()
    assert (by_fit & ~by_volume).sum() == 16


def test_fit_removes_235_when_x_is_constrained(ten_by_six: Model) -> None:
    _, removed = fit(ten_by_six.problem, constrained(ten_by_six))
    assert sum(removed) == 235
    assert len(removed) == 2

"""The numbers of images that the articles report, filter by filter."""

from __future__ import annotations

import numpy as np
import pytest

import exactcover as ec
from exactcover.problem.filters.redundancy import choose
from exactcover.problem.filters.registry import fit
from exactcover.problem.filters.totals import volume
from exactcover.problem.filters.tree import Subtree
from exactcover.puzzle import Model


def after_volume(model: Model, alive: np.ndarray) -> np.ndarray:
    return volume(Subtree(model.problem, model, (), alive))


def constrained(model: Model) -> np.ndarray:
    made = choose(model.layout, model.symmetries.selected("rotations"))
    assert made is not None
    return made.allowed


@pytest.mark.parametrize(
    ("name", "x_first", "options", "left"),
    [
        ("pentominoes_10x6", False, 2056, 2056 - 128),
        ("pentominoes_10x6", True, 2032, 1907),
        ("pentominoes_1s_30x3", False, 1936, 1936 - 776),
    ],
)
def test_volume(name: str, x_first: bool, options: int, left: int) -> None:
    model = ec.read(name).model
    alive = constrained(model) if x_first else np.ones(model.problem.n_options, bool)
    assert (alive.sum(), after_volume(model, alive).sum()) == (options, left)


def test_fit_removes_what_volume_does_and_16_more() -> None:
    ten_by_six = ec.read("pentominoes_10x6").model
    everything = np.ones(ten_by_six.problem.n_options, bool)
    by_volume = ~after_volume(ten_by_six, everything)
    by_fit = ~fit(ten_by_six.problem, everything)[0]
    assert not (by_volume & ~by_fit).any()
    assert (by_fit & ~by_volume).sum() == 16


def test_fit_removes_235_when_x_is_constrained() -> None:
    ten_by_six = ec.read("pentominoes_10x6").model
    _, removed = fit(ten_by_six.problem, constrained(ten_by_six))
    assert sum(removed) == 235
    assert len(removed) == 2

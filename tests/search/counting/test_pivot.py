"""Counts in parts: below one image of each orbit of a piece, so many times."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.errors import PuzzleError
from exactcover.lattices import Lattice, lattices
from exactcover.problem.filters.redundancy import Pivot
from exactcover.search.counting.burnside import split
from tests.helpers.examples import few, some
from tests.helpers.naive_tiling import tilings
from tests.helpers.plain_puzzles import plain_puzzles, told

LATTICES = [lattice for lattice in lattices().values() if lattice.dimension <= 4]


@pytest.mark.parametrize(
    "lattice", some(LATTICES, one_in=3, first=1), ids=lambda lattice: lattice.name
)
@given(data=st.data())
@few
def test_the_parts_make_up_the_whole(lattice: Lattice, data: st.DataObject) -> None:
    plain = data.draw(plain_puzzles(lattice, 6 if lattice.dimension == 4 else 9))
    try:
        model = told(plain).model
    except PuzzleError:
        event("refused")
        return
    if model.reason:
        event("no solution by count")
        return
    parts = list(split(model.problem, model.layout, model.symmetries.options))
    event(f"{len(parts)} parts" if parts[0].times > 1 else "whole")
    found = sum(one.times * ec.count(one.problem, strategy="dlx:s") for one in parts)
    assert found == len(tilings(plain))


@pytest.mark.parametrize(
    ("name", "times"),
    [
        ("pentominoes_10x6", [4]),
        ("PT12_spread", [8]),  # 8 orbits of one size, though another piece has 4 of two sizes
        ("pentominoes_1s_15x6", [2, 4]),  # 14 of two sizes, where the next has 52 of one
    ],
)
def test_few_parts_are_worth_more_orbits(name: str, times: list[int]) -> None:
    model = ec.read(name).model
    parts = split(model.problem, model.layout, model.symmetries.options)
    assert [one.times for one in parts] == times


def test_the_piece_with_the_fewest_orbits() -> None:
    """The X of 18 x 5: 48 images, 8 orbits of four of them and 8 of two."""
    model = ec.read("pentominoes_1s_18x5").model
    parts = list(split(model.problem, model.layout, model.symmetries.options))
    assert [one.times for one in parts] == [2, 4]
    left = [model.problem.n_options - one.problem.n_options for one in parts]
    assert left == [48 - 8, 48 - 8]
    assert [one.layout.option_shape.size for one in parts if one.layout] == [
        one.problem.n_options for one in parts
    ]


def test_symmetries_that_take_the_options_elsewhere_do_not_count() -> None:
    """A mirror that swaps two items: neither can be a pivot under it, an item of both can."""
    problem = ec.Problem.from_options([["a", "l"], ["a", "r"], ["b", "l"], ["b", "r"]])
    item = {str(name): number for number, name in enumerate(problem.items)}
    mirror = np.array([[0, 1, 2, 3], [1, 0, 3, 2]], np.int32)

    def pivot(name: str) -> Pivot:
        return Pivot.of("cell", 0, problem.options_of(item[name]), mirror)

    assert pivot("a").kept.tolist() == [0]
    assert pivot("a").sizes.tolist() == [2]
    assert pivot("l").kept.tolist() == [0, 2]
    assert not pivot("l").helps


def test_without_a_piece_that_is_placed_once() -> None:
    model = ec.read("dominoes_8x8").model
    (whole,) = split(model.problem, model.layout, model.symmetries.options)
    assert whole.times == 1
    assert whole.problem is model.problem

"""Bricks in a box: counts against cells, against CP-SAT, published puzzles, and symmetries."""

from __future__ import annotations

import pickle
from math import prod
from random import Random

import pytest

from exactcover.backends.base import Status
from exactcover.backends.rectangles.no_overlap import pack_all
from exactcover.backends.rectangles.skyline import BrickSearch
from exactcover.errors import CapabilityError, StrategyError
from exactcover.problem.rectangles import Box, Brick, Laid, symmetries
from tests.backends.skyline.floors import random_box

WHOLE = 1 << 40


def whole(search: BrickSearch) -> list[tuple[Laid, ...]]:
    return search.advance(WHOLE, capacity=1 << 20).solutions()


def test_random_boxes_agree_with_cpsat_and_with_their_symmetries() -> None:
    random = Random(2)
    for _ in range(30):
        box = random_box(random)
        found = sorted(whole(BrickSearch(box)))
        assert tuple(found) == pack_all(box).solutions
        for counted in ("rotations", "reflections"):
            motions = symmetries(box, counted)
            classes = {frozenset(motion.solution(box, one) for motion in motions) for one in found}
            unique = whole(BrickSearch(box, motions=motions))
            assert len(unique) == len(classes)
            assert all(any(one in images for one in unique) for images in classes)


@pytest.mark.parametrize(("sides", "every"), [((2, 2, 2), 9), ((2, 2, 3), 32), ((2, 3, 4), 1845)])
def test_dominoes_in_a_box_are_counted(sides: tuple[int, int, int], every: int) -> None:
    """OEIS A006253 (2 x 2 x n) and A028447 (2 x 3 x n)."""
    box = Box(*sides, (Brick(2, 1, 1, copies=prod(sides) // 2),))
    assert len(whole(BrickSearch(box))) == every


def test_conways_puzzle_has_one_solution() -> None:
    """Six bricks of 1x2x2 and three of 1x1x1 fill a cube of 3, in one way (Slothouber-Graatsma)."""
    box = Box(3, 3, 3, (Brick(2, 2, 1, copies=6), Brick(1, 1, 1, copies=3)))
    assert len(whole(BrickSearch(box, motions=symmetries(box)))) == 1


def test_a_cube_of_five_with_five_single_cubes_has_one_solution() -> None:
    """Six bricks of 1x2x4, six of 2x2x3, five single cubes; other engines find 8 on cells."""
    box = Box(5, 5, 5, (Brick(4, 2, 1, 6), Brick(3, 2, 2, 6), Brick(1, 1, 1, 5)))
    found = set(whole(BrickSearch(box, "smallest")))
    unique = whole(BrickSearch(box, "smallest", symmetries(box)))
    assert (len(found), len(unique)) == (8, 1)
    motions = symmetries(box)
    assert {motion.solution(box, unique[0]) for motion in motions} == found


def test_a_search_goes_on_where_it_stopped() -> None:
    box = Box(2, 3, 4, (Brick(2, 1, 1, copies=12),))
    at_once = whole(BrickSearch(box))
    search, found, shares = BrickSearch(box), [], [0.0]
    while not search.done:
        search = pickle.loads(pickle.dumps(search))
        found += search.advance(97, capacity=11).solutions()
        shares.append(search.progress())
    assert found == at_once
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert search.fits > search.found > 0
    assert search.advance(1).status is Status.DONE


def test_motions_of_a_cube_are_24_turns_and_48_with_mirrors() -> None:
    box = Box(2, 2, 2, (Brick(2, 1, 1, copies=4),))
    assert len(symmetries(box, "rotations")) == 24
    assert len(symmetries(box)) == 48
    assert [one.is_identity for one in symmetries(box, "all")] == [True]
    fixed = Box(2, 2, 2, (Brick(2, 1, 1, copies=4, turns=False),))
    assert len(symmetries(fixed)) == 16


def test_what_cannot_be_searched_is_refused() -> None:
    with pytest.raises(StrategyError, match="largest"):
        BrickSearch(Box(1, 1, 1, (Brick(1, 1, 1),)), "tallest")
    with pytest.raises(CapabilityError, match="too large"):
        BrickSearch(Box(2003, 2001, 1, (Brick(2003, 2001, 1),)))

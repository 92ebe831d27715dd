"""The search by skyline: the article's counts, a plain reference, pruning, symmetries, resuming."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest

from exactcover.backends.base import Slice, Status, Tally
from exactcover.backends.rectangles import ORDERS, RULES
from exactcover.backends.rectangles.skyline import SkylineSearch
from exactcover.base.values import Convention
from exactcover.errors import CapabilityError
from exactcover.problem.rectangles import Floor, FloorMotions, Placed, Places, Rectangle
from tests.backends.skyline.floors import CALIBRON, is_filled, partridge, random_floor, shipped
from tests.helpers.examples import some

WHOLE = 1 << 40
"""More steps than any search of these tests takes."""


class PlainSkyline:
    """The rules of the plain search in plain Python: all solutions of a floor, and its figures.

    The skyline is a list of column heights, so segments merge by themselves.

    attempts, fit  by the number of rectangles left: the ways tried, and those that fit
    """

    def __init__(self, floor: Floor, order: str) -> None:
        self.floor, self.ways = floor, SkylineSearch(floor, order, "plain").poses
        self.heights = [0] * floor.width
        self.left = [kind.copies for kind in floor.rectangles]
        self.placed: list[Placed] = []
        self.solutions: list[tuple[Placed, ...]] = []
        self.attempts: Counter[int] = Counter()
        self.fit: Counter[int] = Counter()
        self.fits = self.backtracks = 0
        if floor.area == floor.rectangles_area:
            self.search()

    def search(self) -> None:
        floor, heights = self.floor, self.heights
        y = min(heights)
        if y == floor.height:
            self.solutions.append(tuple(sorted(self.placed)))
            return
        x = heights.index(y)
        room = next((at for at in range(x, floor.width) if heights[at] != y), floor.width) - x
        for kind, (width, height) in self.ways:
            self.attempts[sum(self.left)] += self.left[kind] > 0
            if self.left[kind] and width <= room and y + height <= floor.height:
                self.fit[sum(self.left)] += 1
                self.fits += 1
                self.left[kind] -= 1
                self.placed.append(Placed(kind, x, y, width, height))
                heights[x : x + width] = [y + height] * width
                self.search()
                heights[x : x + width] = [y] * width
                self.placed.pop()
                self.left[kind] += 1
        self.backtracks += 1


def filled(search: SkylineSearch, places: Places) -> list[tuple[Placed, ...]]:
    """Solutions of a search, each as its rectangles, sorted."""
    poses = search.poses
    return [
        tuple(sorted(Placed(poses[pose][0], x, y, *poses[pose][1]) for pose, x, y in one))
        for one in places.tolist()
    ]


def whole(
    floor: Floor, order: str = "largest", rule: str = "pruned", counted: Convention = "all"
) -> list[tuple[Placed, ...]]:
    """All solutions that count."""
    return rest(SkylineSearch(floor, order, rule, counted), floor, counted)


def rest(search: SkylineSearch, floor: Floor, counted: Convention = "all") -> list[Any]:
    """The solutions that count of those that a search has not found yet."""
    motions, found = FloorMotions.of(floor, search.poses, counted), []
    while not search.done:
        _, places = search.advance(WHOLE)
        found += filled(search, places[motions.fixing(places)[0]])
    return found


def tally_of(search: SkylineSearch) -> Tally:
    """The ways that a search tries, by the number of rectangles left."""
    slices = []
    while not search.done:
        slices.append(search.advance(WHOLE)[0])
    return Slice.joined(slices, Status.DONE).tally


def images(floor: Floor, solution: tuple[Placed, ...]) -> set[tuple[Placed, ...]]:
    """The images of a solution under all motions of a floor, from the motions of its corners."""
    square = floor.width == floor.height and all(
        set(kind.sizes) == {size[::-1] for size in kind.sizes} for kind in floor.rectangles
    )
    found = set()
    for swaps, across, up in product((0, 1), repeat=3) if square else product((0,), (0, 1), (0, 1)):
        moved = []
        for kind, x, y, width, height in solution:
            (x, y), (width, height) = (x, y)[:: 1 - 2 * swaps], (width, height)[:: 1 - 2 * swaps]
            x, y = abs(across * (floor.width - width) - x), abs(up * (floor.height - height) - y)
            moved.append(Placed(kind, x, y, width, height))
        found.add(tuple(sorted(moved)))
    return found


@pytest.mark.parametrize(("order", "backtracks"), [("largest", 1910), ("smallest", 1001773)])
def test_calibron_12_takes_the_backtracks_of_the_article(order: str, backtracks: int) -> None:
    search = SkylineSearch(CALIBRON, order, "plain")
    made, places = search.advance(WHOLE, capacity=1)
    assert (made.status, len(places), search.backtracks) == (Status.FULL, 1, backtracks)
    assert is_filled(CALIBRON, filled(search, places)[0])


def test_all_of_calibron_12_takes_the_counts_of_the_article() -> None:
    search = SkylineSearch(CALIBRON, "largest", "plain")
    assert len(rest(search, CALIBRON)) == 8
    assert (search.backtracks, search.fits) == (5485425, 5485432)


@pytest.mark.parametrize("order", ORDERS)
def test_pruning_keeps_all_solutions_of_calibron_12(order: str) -> None:
    found = whole(CALIBRON, order)
    assert len(set(found)) == 8
    assert all(is_filled(CALIBRON, one) for one in found)
    [unique] = whole(CALIBRON, order, counted="reflections")
    assert images(CALIBRON, unique) == set(found)


@pytest.mark.parametrize("seed", some(range(12), one_in=12))
def test_plain_and_pruned_search_agree_with_the_reference(seed: int) -> None:
    random = Random(seed)
    for _ in range(10):
        floor = random_floor(random)
        order = random.choice([*ORDERS])
        expected = PlainSkyline(floor, order)
        plain = SkylineSearch(floor, order, "plain")
        assert rest(plain, floor) == expected.solutions
        if floor.area == floor.rectangles_area:
            assert (plain.fits, plain.backtracks) == (expected.fits, expected.backtracks)
            tally = tally_of(SkylineSearch(floor, order, "plain"))
            assert {left: one.attempts for left, one in tally.items()} == expected.attempts
            assert {left: one.fits for left, one in tally.items() if one.fits} == expected.fit
        pruned = SkylineSearch(floor, order)
        assert sorted(rest(pruned, floor)) == sorted(expected.solutions)
        assert pruned.fits <= plain.fits
        classes = {frozenset(images(floor, one)) for one in expected.solutions}
        for rule in RULES:
            unique = whole(floor, order, rule, "reflections")
            assert len(unique) == len(classes)
            assert all(any(one in alike for one in unique) for alike in classes)


def test_a_partridge_square_of_order_8_has_a_solution() -> None:
    search = SkylineSearch(partridge(8), "smallest")
    _, places = search.advance(WHOLE, capacity=1)
    assert is_filled(partridge(8), filled(search, places)[0])


@pytest.mark.parametrize("order", range(2, 7))
def test_no_smaller_partridge_square_has_a_solution(order: int) -> None:
    """B. Cutler and P. Hamlyn: order 8 is the least but 1."""
    floor = partridge(order)
    assert not whole(floor, counted="reflections")


@pytest.mark.slow
def test_the_partridge_square_of_order_8_has_2332_solutions() -> None:
    """B. Cutler: 18,656 solutions, 2,332 up to turns and mirrors."""
    assert len(whole(partridge(8), "smallest", counted="reflections")) == 2332


@pytest.mark.parametrize(("side", "every", "unique"), some([(4, 36, 9), (6, 6728, 930)], one_in=2))
def test_dominoes_are_counted(side: int, every: int, unique: int) -> None:
    """OEIS A004003 and A227691."""
    floor = Floor(side, side, (Rectangle(2, 1, copies=side * side // 2),))
    for rule in RULES:
        assert len(whole(floor, rule=rule)) == every
        assert len(whole(floor, rule=rule, counted="reflections")) == unique


@pytest.mark.parametrize("rule", RULES)
def test_a_search_goes_on_where_it_stopped(rule: str) -> None:
    random = Random(5)
    for _ in range(5):
        floor = random_floor(random)
        at_once = whole(floor, rule=rule)
        search, found, shares = SkylineSearch(floor, rule=rule), [], [0.0]
        while not search.done:
            search = pickle.loads(pickle.dumps(search))
            _, places = search.advance(random.randint(1, 9), capacity=random.randint(1, 2))
            found += filled(search, places)
            shares.append(search.where().progress)
        assert found == at_once
        assert shares == sorted(shares)
        assert shares[-1] == 1.0


def test_kinds_outside_the_table_exclude_no_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    fits, floor = [], shipped("squared_square_112x112")
    for _ in range(2):
        search = SkylineSearch(floor, counted="reflections")
        assert len(rest(search, floor, "reflections")) == 1
        fits.append(search.fits)
        monkeypatch.setattr("exactcover.backends.rectangles.skyline.MOST_WORDS", 1 << 12)
    assert fits[0] < fits[1]


def test_kinds_outside_the_table_may_stand_upright(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactcover.backends.rectangles.skyline.MOST_WORDS", 4)
    random = Random(7)
    for _ in range(20):
        floor = random_floor(random)
        assert len(whole(floor)) == len(PlainSkyline(floor, "largest").solutions)


def test_what_cannot_be_searched_is_refused() -> None:
    with pytest.raises(CapabilityError, match="8192"):
        SkylineSearch(Floor(10007, 1, (Rectangle(10006, 1), Rectangle(1, 1))))

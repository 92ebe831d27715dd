"""The weights of subtrees: what they say, and what they must not change."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import pairwise

import pytest

import exactcover as ec
from exactcover.search import driver, weigher, weighing
from exactcover.search.plan import make_plan, start_search
from exactcover.search.planned import PlannedSearch
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from exactcover.search.turns import TakingTurns
from exactcover.search.weighing import Weighing, weigh
from exactcover.search.weights import Weights

NAME = "pentominoes_20x3"

STRATEGIES = [
    "dlx:s",
    "redundancy; volume; dlx:s; fila:f@10",
    "redundancy; dlx:s; bsx:s@9",
    "fit@11; dlx:s",
]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weigh every search from its first slice on."""
    monkeypatch.setattr(driver, "MOST_STEPS", 1 << 10)
    monkeypatch.setattr(weigher, "AFTER", 0.0)
    monkeypatch.setattr(weigher, "LEFT", -1e9)
    monkeypatch.setattr(weigher, "SHARE", 1e9)
    monkeypatch.setattr(weigher, "LONGEST", 1e9)
    monkeypatch.setattr(weighing, "LONGEST", 1 << 8)
    monkeypatch.setattr(weighing, "STATES", 1 << 6)


def test_what_is_done_counts_by_shares() -> None:
    weights = Weights(((0,), (2,), (5,)), (0.5, 0.25, 0.25), 100.0)
    before = [
        weights.before(position)
        for position in ([], [(0, 6)], [(0, 6), (1, 2)], [(1, 6)], [(2, 6), (1, 4)], [(5, 6)])
    ]
    assert before == [0.0, 0.0, 0.25, 0.5, 0.5625, 0.75]
    assert weights.done(weights.before([(1, 6)]), 50) == 0.5
    assert weights.done(weights.before([(1, 6)]), 150) == pytest.approx((0.5 + 0.75) / 2)


@pytest.mark.parametrize("strategy", ["dlx:s", "redundancy; dlx:s"])
def test_shares_of_subtrees_that_are_searched_to_the_end_are_exact(strategy: str) -> None:
    """Each branch of the root, by the choices that a search makes while it is in it."""
    subject = Subject.of(ec.read("pentominoes_20x3"), "all")
    plan = make_plan(subject, Strategy.of(strategy))
    search, made = start_search(plan, Strategy.of(strategy)), Counter[int]()
    while search.advance(1).status.value != "done":
        if position := search.position():
            made[position[0][0]] = search.fits - sum(
                many for branch, many in made.items() if branch != position[0][0]
            )
    weights = weigh(plan, Strategy.of(strategy), seconds=60)
    assert weights is not None
    assert sum(weights.shares) == pytest.approx(1)
    assert weights.choices == pytest.approx(search.fits, rel=0.1)
    for (branch,), share in zip(weights.paths, weights.shares, strict=True):
        assert share == pytest.approx(made[branch] / search.fits, abs=0.05)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_weighing_changes_neither_solutions_nor_figures(strategy: str) -> None:
    plan = make_plan(Subject.of(ec.read(NAME), "rotations"), Strategy.of(strategy))
    alone = PlannedSearch(plan.subject, Strategy.of(strategy))
    expected = []
    while (batch := alone.advance(1 << 20)).status.value != "done" or len(batch):
        expected += [batch.solution(number) for number in range(len(batch))]
    solving = ec.Solving(ec.read(NAME), strategy=strategy)
    assert [solution.options for solution in solving] == expected
    assert (solving.result.fits, solving.result.nofits) == (alone.fits, alone.nofits)
    assert solving._driver.search._weights is not None  # type: ignore[union-attr]


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_progress_never_goes_back(strategy: str) -> None:
    solving = ec.Solving(ec.read(NAME), strategy=strategy)
    seen = [solving.progress]
    while solving.step():
        seen.append(solving.progress)
    assert all(before <= after for before, after in pairwise(seen))
    assert 0 < max(seen) <= 1
    assert solving.progress == 1


@pytest.mark.usefixtures("at_once")
def test_a_copy_made_while_subtrees_are_weighed_goes_on() -> None:
    solving = ec.Solving(ec.read("pentominoes_20x3"), strategy="dlx:s")
    while solving.step() and solving._driver.search._weighing is None:  # type: ignore[union-attr]
        pass
    copy = pickle.loads(pickle.dumps(solving))
    assert copy.run().solutions == solving.run().solutions == 2


@pytest.mark.usefixtures("at_once")
def test_counts_and_engines_that_cannot_be_cut_go_on_as_before() -> None:
    puzzle = ec.read("pentominoes_20x3")
    assert ec.count(puzzle) == 2
    assert ec.Counting(puzzle, strategy="memo").run().solutions == 2
    assert ec.Counting(puzzle, strategy="automaton").run().solutions == 2
    assert weigh(make_plan(Subject.of(puzzle), Strategy.of("memo")), Strategy.of("memo")) is None


def test_weighing_that_takes_too_long_is_given_up() -> None:
    puzzle, strategy = ec.read("pentominoes_10x6"), Strategy.of("dlx:s")
    given_up = Weighing(make_plan(Subject.of(puzzle), strategy), strategy, seconds=1e-6)
    while given_up.advance():
        pass
    assert given_up.weights is None


def test_a_short_search_is_not_weighed() -> None:
    solving = ec.Solving(ec.read("pentominoes_20x3"))
    solving.run()
    search = solving._driver.search
    assert isinstance(search, TakingTurns)
    search = search.ways[0].search
    assert isinstance(search, PlannedSearch)
    assert search._weighing is None
    assert search._weights is None

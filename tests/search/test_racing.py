"""The race of candidates: it finds the best one, and spends what it may. The sampler is right."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from math import inf
from random import Random
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Status
from exactcover.search import racing, tuning
from exactcover.search.automatic import Candidate, automatic, candidates
from exactcover.search.engine import start_search
from exactcover.search.plan import Plan, make_plan
from exactcover.search.racing import FIRST_ROUND, TimedStrategy, draw, race, ratio, spread
from exactcover.search.sampler import size
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from exactcover.search.subtrees import Tree
from tests.helpers.examples import some

NAME = "pentominoes_20x3"

Value = TypeVar("Value")


@dataclass
class Fake:
    """A candidate that takes these seconds for its subtrees."""

    name: str
    times: list[float]
    spent: list[float]
    searched: list[float] = field(default_factory=list)
    subtrees: None = None

    @property
    def rate(self) -> float:
        return sum(self.searched) / len(self.searched) if self.searched else inf

    @property
    def total(self) -> float:
        return self.rate * len(self.times)

    @property
    def bounds(self) -> tuple[float, float]:
        return (self.total / 2, 2 * self.total) if self.searched else (0.0, inf)

    def more(self) -> bool:
        return len(self.searched) < len(self.times)

    def search(self, most: float) -> Iterator[None]:
        time = self.times[len(self.searched)]
        self.spent[0] += min(time, most)
        self.searched.append(time)
        yield


def field_of(rates: list[float], many: int = 64, seed: int = 0) -> tuple[list[Fake], list[float]]:
    """Candidates whose subtrees vary alike, as those of real ones do."""
    random, spent = Random(seed), [0.0]
    sizes = [random.expovariate(1.0) for _ in range(many)]
    fakes = [
        Fake(str(rate), [rate * size * random.uniform(0.8, 1.25) for size in sizes], spent)
        for rate in rates
    ]
    return fakes, spent


def ended(runners: list[Fake], spent: list[float], most: float) -> list[Fake]:
    running = race(runners, lambda: spent[0] < most)
    while True:
        try:
            next(running)
        except StopIteration as end:
            return list(end.value)


@given(st.permutations([1.0, 1.4, 2.0, 3.0, 8.0, 40.0]), st.integers(0, 9))
def test_the_best_wins(rates: list[float], seed: int) -> None:
    runners, spent = field_of(rates, seed=seed)
    field = ended(runners, spent, inf)
    assert field[0].name == "1.0"


@given(st.permutations([1.0, 1.3, 1.6, 2.0, 2.2, 2.4, 2.6, 2.8]))
def test_halves_are_dropped(rates: list[float]) -> None:
    """Each round searches twice as many subtrees, with half of the candidates."""
    runners, spent = field_of(rates, many=4 * FIRST_ROUND)
    ended(runners, spent, inf)
    searched = sorted(len(one.searched) for one in runners)
    assert searched == [FIRST_ROUND] * 4 + [2 * FIRST_ROUND] * 2 + [4 * FIRST_ROUND] * 2


@given(st.floats(0.1, 100.0), st.integers(0, 9))
def test_the_race_ends_with_its_time(most: float, seed: int) -> None:
    """What is spent is over by one subtree at most."""
    runners, spent = field_of([1.0, 2.0, 5.0], seed=seed)
    ended(runners, spent, most)
    assert spent[0] <= most + max(max(one.times) for one in runners)


@pytest.mark.parametrize("many", [0, 1, 2, 7, 24, 64])
def test_every_beginning_of_an_order_is_spread(many: int) -> None:
    order = spread(many)
    assert sorted(order) == list(range(many))
    for length in (4, 8, 16):
        if length <= many:
            parts = {
                number * length // (1 << max(many - 1, 0).bit_length()) for number in order[:length]
            }
            assert len(parts) == min(length, len(parts))


def whole_of(steps: Iterator[None]) -> None:
    for _ in steps:
        pass


def counting_clock() -> Iterator[float]:
    now = 0.0
    while True:
        yield now
        now += 1.0


def value_of(steps: Generator[None, None, Value]) -> Value:
    """The value of work in slices."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            value: Value = end.value
            return value


def planned(puzzle: str, text: str) -> tuple[Plan, Strategy, int]:
    """A plan of all solutions, and the choices of its search."""
    strategy = Strategy.parse(text)
    plan = make_plan(Subject.of(ec.read(puzzle), "all"), strategy)
    search = start_search(plan, strategy)
    while search.advance(1 << 22, keep=False).status is not Status.DONE:
        pass
    return plan, strategy, search.report().choices


def test_all_subtrees_of_a_level_are_the_whole_tree() -> None:
    """If every subtree is drawn, the choices add up to those of the search."""
    plan, strategy, choices = planned(NAME, "dlx:s")
    subtrees = value_of(draw(plan, strategy, 10_000, np.random.default_rng(0)))
    trial = TimedStrategy(plan, Candidate(strategy, ""), subtrees)
    while trial.more():
        whole_of(trial.search())
    measured = trial.measured()
    assert measured.subtrees == measured.states > 1
    assert measured.choices == pytest.approx(choices)
    assert measured.error == 0.0


@pytest.mark.parametrize("seed", range(3))
def test_choices_are_estimated_from_some_subtrees(seed: int) -> None:
    """The estimate is near the truth, also where subtrees are drawn below others."""
    plan, strategy, choices = planned("pentominoes_15x4", "dlx:s; fila:f@11")
    subtrees = value_of(draw(plan, strategy, 64, np.random.default_rng(seed)))
    trial = TimedStrategy(plan, Candidate(strategy, ""), subtrees)
    while trial.more():
        whole_of(trial.search())
    assert trial.measured().subtrees == 64 < trial.measured().states
    assert trial.measured().choices == pytest.approx(choices, rel=0.5)


@pytest.mark.slow
def test_subtrees_of_a_huge_search_are_short() -> None:
    """They are drawn level by level, so a race of strategies can search them to the end."""
    strategy = Strategy.parse("redundancy; volume; dlx:s")
    plan = make_plan(Subject.of(ec.read("PT12")), strategy)
    subtrees = value_of(draw(plan, strategy, 16, np.random.default_rng(1)))
    assert sum(weight for _, weight in subtrees.states) > 1000
    tree = Tree(plan, strategy)
    searched = [tree.progress(task, subtrees.left, 1 << 22) for task, _ in subtrees.states]
    assert {share for _, share in searched} == {1.0}


def test_the_same_subtrees_compare_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two strategies that take the same time for each subtree, none is better."""
    plan, strategy, _ = planned(NAME, "dlx:s; fila:f@11")
    subtrees = value_of(draw(plan, strategy, 16, np.random.default_rng(0)))
    clock = counting_clock()
    one = TimedStrategy(plan, Candidate(strategy, ""), subtrees)
    other = TimedStrategy(plan, Candidate(strategy, ""), subtrees)
    while one.more():
        monkeypatch.setattr(racing, "thread_time", lambda: next(clock))
        whole_of(one.search())
        monkeypatch.setattr(racing, "thread_time", lambda: 2 * next(clock))
        whole_of(other.search())
    assert ratio(one, other) == (pytest.approx(0.5), pytest.approx(0.0))


def test_a_race_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first choice and two others, whose kernels other tests need too."""
    puzzle = ec.read("pentominoes_20x3")
    field = candidates(Subject.of(puzzle))[:1]
    field += tuple(
        one
        for one in candidates(Subject.of(puzzle))
        if str(one.strategy) in ("redundancy; volume; dlx:s", "redundancy; volume; bsx:s")
    )
    monkeypatch.setattr(tuning, "LOOK", 0.0)
    monkeypatch.setattr(tuning, "DRAWS", 6)
    monkeypatch.setattr(tuning, "candidates", lambda subject: field)
    found = ec.tune(puzzle, time_limit=None, cache=False)
    strategies = {row.candidate.strategy for row in found.rows}
    assert len(field) == 3
    assert strategies <= {one.strategy for one in field}
    assert {field[0].strategy, found.strategy} <= strategies
    assert found.tuned
    assert "subtrees" in found.why


def test_the_first_choice_is_the_first_candidate() -> None:
    for name in ("somacube", "pentominoes_10x6", "langford_8", "conway_5x5x5"):
        subject = Subject.of(ec.read(name))
        found = candidates(subject)
        assert found[0] == Candidate(ec.Solving(ec.read(name)).strategy, "the first choice")
        assert len({one.strategy for one in found}) == len(found)


def test_a_listing_that_states_beat_is_not_taken_for_short() -> None:
    """It makes 129,657,295 choices; an estimate of a third made states give up."""
    subject = Subject.of(ec.read("PT12_plus"))
    strategy = automatic(subject)
    assert 0.5 < value_of(size(make_plan(subject, strategy), strategy)) / 129_657_295 < 2


@pytest.mark.parametrize(
    "name", some(["queens_10", "pentominoes_10x6", "tetrasticks_5x5_without_H"], one_in=3)
)
def test_a_few_subtrees_say_how_large_a_search_is(name: str) -> None:
    """Within a factor of five, and the same each time."""
    subject = Subject.of(ec.read(name), None)
    strategy = Strategy.of("redundancy; dlx:s" if subject.model else "dlx:s")
    plan = make_plan(subject, strategy)
    found = value_of(size(plan, strategy))
    assert found == value_of(size(plan, strategy))
    search = start_search(plan, strategy)
    while search.advance(1 << 20, keep=False).status is not Status.DONE:
        pass
    assert 0.2 < found / search.report().choices < 5

"""The race of candidates: it finds the best one, and spends what it may. The sampler is right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Status
from exactcover.search.automatic import Candidate, candidates
from exactcover.search.plan import make_plan, start_search
from exactcover.search.racing import FIRST_ROUND, Racing, Trial, race, ratio
from exactcover.search.sampler import Level, size, spread
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject

NAME = "pentominoes_20x3"


@dataclass
class Fake:
    """A candidate that takes these seconds for its subtrees."""

    name: str
    times: list[float]
    spent: list[float]
    searched: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        return sum(self.searched) / len(self.searched) if self.searched else inf

    @property
    def total(self) -> float:
        return self.rate * len(self.times)

    @property
    def least(self) -> float:
        return self.total / 2 if self.searched else 0.0

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


def test_all_subtrees_of_a_level_are_the_whole_tree() -> None:
    """If every subtree is drawn, the choices add up to those of the search."""
    subject = Subject.of(ec.read(NAME), "all")
    strategy = Strategy.parse("dlx:s")
    plan = make_plan(subject, strategy)
    search = start_search(plan, strategy)
    while search.advance(1 << 20, keep=False).status is not Status.DONE:
        pass
    level = Level(plan, strategy, choices=search.fits, draws=10_000)
    whole_of(level.work())
    assert len(level.drawn) == level.states > 1
    trial = Trial(plan, strategy, level)
    while trial.more():
        whole_of(trial.search())
    measured = trial.measured()
    assert measured.choices == pytest.approx(search.fits)
    assert measured.error == 0.0


@pytest.mark.parametrize("seed", range(3))
def test_choices_are_estimated_from_some_subtrees(seed: int) -> None:
    """The mean of several estimates is near the truth, also where subtrees are drawn below
    others."""
    subject = Subject.of(ec.read("pentominoes_15x4"), "all")
    strategy = Strategy.parse("dlx:s; fila:f@11")
    plan = make_plan(subject, strategy)
    search = start_search(plan, strategy)
    while search.advance(1 << 22, keep=False).status is not Status.DONE:
        pass
    whole = search.fits + search.nofits
    level = Level(plan, strategy, choices=whole, draws=64, random=Random(seed))
    whole_of(level.work())
    trial = Trial(plan, strategy, level)
    while trial.more():
        whole_of(trial.search())
    assert trial.measured().choices == pytest.approx(whole, rel=0.5)


def test_the_same_subtrees_compare_exactly() -> None:
    """Of two strategies that take the same time for each subtree, none is better."""
    subject = Subject.of(ec.read(NAME), "all")
    strategy = Strategy.parse("dlx:s; fila:f@11")
    plan = make_plan(subject, strategy)
    level = Level(plan, strategy, choices=1e5, draws=16)
    whole_of(level.work())
    ones, others = counting_clock(), counting_clock()
    one = Trial(plan, strategy, level, clock=lambda: next(ones))
    other = Trial(plan, strategy, level, clock=lambda: 2 * next(others))
    while one.more():
        whole_of(one.search())
        whole_of(other.search())
    assert ratio(one, other) == (pytest.approx(0.5), pytest.approx(0.0))


def test_a_race_says_why() -> None:
    subject = Subject.of(ec.read("pentominoes_15x4"))
    first, *others = candidates(subject)
    plan = make_plan(subject, first.strategy)
    racing = Racing(plan, first, others, seconds=1e9, choices=1e6, draws=6, random=Random(0))
    while racing.advance():
        pass
    assert racing.outcome is not None
    rows = {row.candidate for row in racing.outcome.rows}
    assert rows <= {first, *others}
    assert first in rows
    assert racing.outcome.best.candidate in rows
    assert "subtrees" in racing.outcome.why


def test_the_first_choice_is_the_first_candidate() -> None:
    for name in ("somacube", "pentominoes_10x6", "langford_8", "conway_5x5x5"):
        subject = Subject.of(ec.read(name))
        found = candidates(subject)
        assert found[0] == Candidate(ec.Solving(ec.read(name)).strategy, "the first choice")
        assert len({one.strategy for one in found}) == len(found)


@pytest.mark.parametrize("name", ["pentominoes_10x6", "tetrasticks_5x5_without_H", "queens_10"])
@pytest.mark.parametrize("guess", [1e4, 1e9])
def test_a_few_subtrees_say_how_large_a_search_is(name: str, guess: float) -> None:
    """Within a factor of five, whatever its progress made one think."""
    subject = Subject.of(ec.read(name), None)
    strategy = Strategy.of("redundancy; dlx:s" if subject.model else "dlx:s")
    plan, found = make_plan(subject, strategy), 0.0
    sizing = size(plan, strategy, guess)
    while True:
        try:
            next(sizing)
        except StopIteration as end:
            found = end.value
            break
    search = start_search(plan, strategy)
    while search.advance(1 << 20, keep=False).status is not Status.DONE:
        pass
    assert 0.2 < found / (search.fits + search.nofits) < 5

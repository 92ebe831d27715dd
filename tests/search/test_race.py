"""The race of candidates: it finds the best one, spends what it may, and keeps the solutions."""

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
from exactcover.counting import Counting
from exactcover.errors import TimeUp
from exactcover.runs import Threads
from exactcover.search import driver, planned, racer
from exactcover.search.automatic import FIRST_ROUND, Candidate, candidates, race
from exactcover.search.choosing import Racing
from exactcover.search.plan import make_plan, start_search
from exactcover.search.sampled import Level, Trial, ratio, spread
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
    racing = Racing(plan, first, others, seconds=1e9, choices=1e6, replan=True, draws=6)
    while racing.advance():
        pass
    assert racing.outcome is not None
    rows = {row.candidate for row in racing.outcome.rows}
    assert rows <= {first, *others}
    assert first in rows
    assert racing.outcome.best.candidate in rows
    assert "subtrees" in racing.outcome.why


# -- in the course of a search --------------------------------------------------------------------


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let candidates race in every search from its first slice on, and take any of them."""
    monkeypatch.setattr(driver, "MOST_STEPS", 1 << 8)
    monkeypatch.setattr(racer, "AFTER", 0.0)
    monkeypatch.setattr(racer, "LEFT", -1e9)
    monkeypatch.setattr(racer, "SHARE", 1e9)
    monkeypatch.setattr(racer, "AT_ONCE", 1e9)
    monkeypatch.setattr(racer, "AGAIN", 3.0)
    return []


def forced(monkeypatch: pytest.MonkeyPatch, turns: list[int]) -> list[str]:
    """Make every race end with a candidate by these turns; return what was chosen."""
    chosen: list[str] = []

    class Forced(Racing):
        def _work(self):  # type: ignore[no-untyped-def]
            yield from super()._work()
            if self.outcome is not None:
                rows = list(self.outcome.rows)
                rows.sort(key=lambda row: str(row.candidate.strategy))
                best = rows[turns[len(chosen) % len(turns)] % len(rows)]
                strategy = best.candidate.strategy
                plan = make_plan(self._plan.subject, strategy)
                chosen.append(str(strategy))
                from dataclasses import replace

                self.outcome = replace(self.outcome, best=best, plan=plan)

    monkeypatch.setattr(planned, "Racing", Forced)
    monkeypatch.setattr(planned, "AFRESH", 1e9)
    monkeypatch.setattr(planned, "FIRST_ROUND", 0)
    return chosen


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    ("counted", "turns", "team"),
    [
        ("all", [5, 2, 9, 1], None),
        ("rotations", [0, 3, 6], None),
        ("rotations", [5, 2, 9, 1], Threads(2)),
    ],
)
def test_solutions_are_the_same_whatever_is_chosen(
    monkeypatch: pytest.MonkeyPatch, counted: str, turns: list[int], team: Threads | None
) -> None:
    chosen = forced(monkeypatch, turns)
    puzzle = ec.read(NAME)
    expected = {s.options for s in ec.solve(puzzle, counted="all", strategy="dlx:s")}
    with ec.Solving(puzzle, counted=counted, team=team) as solving:
        found, done = [], 0.0
        for solution in solving:
            found.append(solution.options)
            assert solving.progress >= done
            done = solving.progress
        result = solving.result
    assert chosen, "no race took place"
    assert result.status == "complete"
    assert result.solutions == len(found) == len(set(found)) == (8 if counted == "all" else 2)
    assert set(found) <= expected
    assert sum(result.symmetric.values()) in (0, len(found))


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("counted", ["all", "rotations"])
@pytest.mark.parametrize("turns", [[0, 3, 6], [5, 2, 9, 1]])
def test_counts_are_the_same_whatever_is_chosen(
    monkeypatch: pytest.MonkeyPatch, counted: str, turns: list[int]
) -> None:
    chosen = forced(monkeypatch, turns)
    counting = Counting(ec.read("tetracubes_4x4x2"), counted=counted, tally=True)
    found, done = 0, 0.0
    while counting.step():
        assert counting.found >= found
        assert counting.progress >= done
        found, done = counting.found, counting.progress
    expected = ec.count(ec.read("tetracubes_4x4x2"), counted=counted, strategy="dlx:s")
    assert counting.result.solutions == expected
    assert chosen, "no race took place"


@pytest.mark.usefixtures("at_once")
def test_a_named_strategy_is_never_tuned() -> None:
    solving = ec.Solving(ec.read(NAME), strategy="redundancy; dlx:s")
    result = solving.run()
    assert result.strategy == "redundancy; dlx:s"
    assert not result.why


@pytest.mark.usefixtures("at_once")
def test_a_search_with_a_limit_keeps_its_order() -> None:
    """Which solutions come first must not depend on a race."""
    puzzle = ec.read(NAME)
    first = [solution.options for solution in ec.solve(puzzle, counted="all", limit=5)]
    again = [solution.options for solution in ec.solve(puzzle, counted="all", limit=8)]
    assert again[:5] == first


def test_a_short_search_is_not_tuned() -> None:
    assert not ec.Solving({"x": ["a"], "y": ["a"]}).run().why


def test_the_first_choice_is_the_first_candidate() -> None:
    for name in ("somacube", "pentominoes_10x6", "langford_8", "conway_5x5x5"):
        subject = Subject.of(ec.read(name))
        found = candidates(subject)
        assert found[0] == Candidate(ec.Solving(ec.read(name)).strategy, "the first choice")
        assert len({one.strategy for one in found}) == len(found)


@pytest.mark.usefixtures("at_once")
def test_a_time_limit_ends_a_race(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of the search runs while candidates race, and the limit holds."""
    monkeypatch.setattr(racer, "AFTER", 0.0)
    solving = ec.Solving(ec.read("tetriscube"), time_limit=1.0)
    while not solving._racer.under_way and solving.step():
        pass
    result = solving.run()
    assert result.status == "limit"
    assert result.stopped_by == "time"
    assert result.solutions == solving.found


@pytest.mark.usefixtures("at_once")
def test_a_time_limit_may_end_a_race_in_the_middle_of_a_slice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def race(_: object, seconds: float) -> bool:
        assert seconds > 0
        raise TimeUp

    monkeypatch.setattr(racer, "AFTER", 0.0)
    monkeypatch.setattr(planned.PlannedSearch, "race", race)
    result = ec.Solving(ec.read("tetriscube"), time_limit=60.0).run()
    assert result.stopped_by == "time"


@pytest.mark.usefixtures("at_once")
def test_a_race_can_be_stopped() -> None:
    solving = ec.Solving(ec.read("tetriscube"))
    while not solving._racer.under_way:
        solving.step()
    solving.stop()
    assert not solving.step()
    assert solving.result.status == "interrupted"
    assert solving.progress < 1.0

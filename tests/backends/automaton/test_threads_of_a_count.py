"""Levels that several threads make side by side: the same counts and states."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterable, Iterator
from time import monotonic, sleep
from typing import TypeVar

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Branching, Status
from exactcover.backends.automaton import backend, levels
from exactcover.backends.automaton.counting import AutomatonCount
from exactcover.errors import PuzzleError
from exactcover.lattices import Lattice, get_lattice
from exactcover.problem import Problem
from exactcover.problem.layout import Layout
from exactcover.runs import Threads
from exactcover.runs.teams import CountingThreads
from tests.helpers.automaton_counts import count, to_the_end, total
from tests.helpers.examples import few, some
from tests.helpers.plain_puzzles import plain_puzzles, told
from tests.helpers.small_problems import branching, problems

LATTICES = [
    get_lattice(name) for name in ("square", "cubic", "hexagonal", "triangular", "sticks-square")
]

ItemT = TypeVar("ItemT")
DoneT = TypeVar("DoneT")


class Noted(CountingThreads):
    """Threads that note how many calls they shared."""

    calls = 0

    def map(self, do: Callable[[ItemT], DoneT], items: Iterable[ItemT], /) -> list[DoneT]:
        items = list(items)
        self.calls += len(items)
        return super().map(do, items)


@pytest.fixture
def tiny() -> Iterator[None]:
    """Even the smallest level is shared, in tables that grow all the time."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(levels, "LARGE", 1)
        patched.setattr(levels, "FIRST_ROWS", 2)
        patched.setattr(levels, "ROUND", 1)
        yield


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """All levels but the smallest are shared, a few rows a round."""
    monkeypatch.setattr(levels, "LARGE", 1 << 6)
    monkeypatch.setattr(levels, "ROUND", 1 << 12)


def ran(counting: AutomatonCount, steps: int) -> tuple[int | None, int]:
    while counting.advance(steps, keep=False).status is not Status.DONE:
        pass
    return counting.count, counting.states


def check(problem: Problem, layout: Layout | None, data: st.DataObject) -> None:
    alone = ran(count(problem, layout, Branching()), 1 << 20)
    steps = data.draw(st.sampled_from((1, 7, 1 << 20)))
    for number in (1, 3):
        threads = CountingThreads(number)
        assert ran(count(problem, layout, Branching(threads=threads)), steps) == alone


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(
    "lattice", some(LATTICES, one_in=5, first=1), ids=lambda lattice: lattice.name
)
@given(data=st.data())
@few
def test_random_regions(lattice: Lattice, data: st.DataObject) -> None:
    try:
        model = told(data.draw(plain_puzzles(lattice))).model
    except PuzzleError:
        assume(False)
    assume(not model.reason)
    check(model.problem, model.layout, data)


@pytest.mark.usefixtures("tiny")
@given(data=st.data())
def test_problems_with_ranges_of_copies(data: st.DataObject) -> None:
    problem = data.draw(problems(frozenset({"secondary", "multiplicities"})))
    assume(not backend.capabilities.missing(problem))
    check(problem, None, data)


@pytest.mark.usefixtures("tiny")
def test_counts_of_several_words() -> None:
    """Dominoes of a kind that is counted, in a long strip: Fibonacci numbers above 2^64."""
    cells = 100
    options = [[(x, 0), (x, 1), "domino"] for x in range(cells)]
    options += [[(x, y), (x + 1, y), "domino"] for x in range(cells - 1) for y in (0, 1)]
    one, two = 1, 1
    for _ in range(cells - 1):
        one, two = two, one + two
    for fewer in (0, 1):
        many = {"domino": (cells - fewer, cells)}
        problem = ec.Problem.from_options(options, multiplicity=many)
        assert total(problem, None, branching(heuristic="f", threads=CountingThreads(2))) == two


@pytest.mark.usefixtures("shared")
def test_the_memory_is_that_of_one_thread_and_a_round() -> None:
    model, most = ec.read("pentominoes_10x6").model, []
    for threads in (None, CountingThreads(2)):
        counting = count(model.problem, model.layout, Branching(threads=threads))
        to_the_end(counting)
        most.append(counting.memory.most)
    row, pairs, room = 16, 4 * 4, 4 * (128 + 64)  # no node has more than 64 edges
    assert most[0] < most[1] <= most[0] + row * pairs * room


def test_small_levels_stay_in_one_thread() -> None:
    model, threads = ec.read("pentominoes_20x3").model, Noted(2)
    assert total(model.problem, model.layout, Branching(threads=threads)) == 8
    assert not threads.calls


# -- how a count gets its threads ------------------------------------------------------------------


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("counted", ["all", "rotations", "reflections"])
def test_a_team_counts_classes(counted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By Burnside's lemma, several counts share their threads."""
    made: list[Noted] = []

    def counting_threads(team: Threads) -> Noted:
        made.append(Noted(team.number))
        return made[-1]

    monkeypatch.setattr(Threads, "counting_threads", counting_threads)
    puzzle, strategy = ec.read("pentominoes_20x3"), "automaton:narrow"
    found = ec.count(puzzle, counted=counted, strategy=strategy, team=Threads(2))
    assert found == {"all": 8, "rotations": 2, "reflections": 2}[counted]
    assert found == ec.count(puzzle, counted=counted, strategy=strategy)
    assert [one.calls > 0 for one in made] == [True]


# -- the threads themselves ------------------------------------------------------------------------


def test_threads_return_what_each_call_returns_in_order() -> None:
    threads = CountingThreads(3)
    assert threads.map(lambda one: (sleep(0.001 * (9 - one)), one)[1], range(9)) == list(range(9))
    assert threads.map(str, []) == []


def test_an_error_comes_after_all_calls_have_ended() -> None:
    ended = threading.Event()

    def one(number: int) -> None:
        if number == 0:
            raise KeyError("no such state")
        sleep(0.1)
        ended.set()

    with pytest.raises(KeyError, match="no such state"):
        CountingThreads(2).map(one, range(2))
    assert ended.is_set()


@pytest.mark.usefixtures("shared")
def test_threads_end_with_their_count() -> None:
    def threads() -> int:
        return sum(one.name.startswith("count") for one in threading.enumerate())

    def until(there: Callable[[], bool]) -> bool:
        began = monotonic()
        while not there() and monotonic() - began < 60:
            gc.collect()
            sleep(0.01)
        return there()

    assert until(lambda: not threads())
    model = ec.read("pentominoes_20x3").model
    counting = count(model.problem, model.layout, Branching(threads=CountingThreads(2)))
    while not threads():
        counting.advance(100, keep=False)
        assert counting.count is None
    del counting  # in the middle
    assert until(lambda: not threads())

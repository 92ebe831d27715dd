"""Threads that search side by side find what one finds, with the same fits and no-fits."""

from __future__ import annotations

import gc
import threading
from time import monotonic, sleep

import pytest

import exactcover as ec
from exactcover.runs import Threads, workers
from exactcover.runs.frontier import TeamSearch
from exactcover.search import clock
from exactcover.search.judge import Judge
from exactcover.search.plan import make_plan
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from examples.queens import queens
from tests.helpers.examples import some
from tests.helpers.summed import Summed

P5 = "redundancy; volume; dlx:s; fila:f@11 nof=adjacent"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads join at once, and hand back soon."""
    monkeypatch.setattr(Threads, "alone", -1.0)
    monkeypatch.setattr(Threads, "least", 0.002)
    monkeypatch.setattr(Threads, "grain", 0.0)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_article_by_several_threads(threads: int) -> None:
    """P5: solutions, fits and no-fits are those that the article gives."""
    solving = ec.Solving(ec.read("pentominoes_10x6"), strategy=P5, team=Threads(threads))
    result = solving.run()
    assert (result.solutions, result.fits, result.nofits) == (2339, 2_091_215, 4_682_886)


@pytest.mark.parametrize(
    "strategy", some(["fila:e; fila:f@6", "bsx:s", "fila:f", "dlx:s"], one_in=4)
)
def test_solutions_in_the_order_of_one_thread(
    strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "MOST_STEPS", 1000)
    puzzle = ec.read("somacube")
    alone = [one.options for one in ec.solve(puzzle, strategy=strategy, counted="all")]
    together = ec.solve(puzzle, strategy=strategy, counted="all", team=Threads(3))
    assert [one.options for one in together] == alone


def test_an_engine_that_cannot_be_cut_searches_alone() -> None:
    board = queens(6)
    assert ec.count(board, strategy="cpsat:s", team=Threads(2)) == 4


def wait_for_end(before: set[threading.Thread]) -> bool:
    """Whether no other threads than before are left after a while."""
    patience = monotonic() + 30
    while set(threading.enumerate()) - before and monotonic() < patience:
        sleep(0.01)
    return not set(threading.enumerate()) - before


def team_search(threads: Threads, name: str = "pentominoes_15x4") -> Summed:
    model, strategy = ec.read(name).model, Strategy.parse("bsx:s")
    plan = make_plan(Subject(model.problem, model), strategy)
    search = threads.start(plan, strategy, Judge(plan))
    assert isinstance(search, TeamSearch)
    return Summed(search)


@pytest.mark.parametrize("grain", [0.0, 1e9])
def test_a_search_that_hands_over_at_every_turn_is_searched_alone(
    monkeypatch: pytest.MonkeyPatch, grain: float
) -> None:
    """Threads would take turns at the Python between two stages."""
    monkeypatch.setattr(Threads, "grain", grain)
    monkeypatch.setattr(Threads, "alone", 0.02)
    puzzle, strategy = ec.read("pentominoes_10x6"), "redundancy; volume; dlx:s; fila:f@9"
    counting = ec.Counting(puzzle, strategy=strategy, team=Threads(2))
    assert counting.run().solutions == 2339
    assert counting.workers == (1 if grain else 2)


def test_a_reader_of_few_solutions_piles_up_no_choices() -> None:
    search = team_search(Threads(2), "pentominoes_10x6")
    while search.report().found < 300:
        search.advance(1 << 22, capacity=1)
    search.advance(1000, keep=False)
    before = -1
    while (fits := search.report().fits) != before:  # until all threads wait for the reader
        before = fits
        sleep(0.3)
    assert search.report().progress < 0.99


@pytest.mark.parametrize("make", some([ec.Solving, ec.Counting], one_in=2))
def test_threads_end_when_a_search_is_dropped(make: type[ec.Solving] | type[ec.Counting]) -> None:
    """Without waiting for the collector of circles."""
    before = set(threading.enumerate())
    gc.collect()
    gc.disable()
    try:
        solving = make(ec.read("PT12"), strategy="bsx:s", team=Threads(2))
        while set(threading.enumerate()) == before:
            solving.step()
        del solving
        assert wait_for_end(before)
    finally:
        gc.enable()


def test_threads_end_if_others_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(threading.enumerate())
    start = threading.Thread.start

    def only_one(thread: threading.Thread) -> None:
        if thread.name == "worker 2":
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", only_one)
    search = team_search(Threads(3))
    with pytest.raises(RuntimeError, match="can't start"):
        search.advance(1 << 12)
    del search
    gc.collect()
    assert wait_for_end(before)


def test_an_error_of_one_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a worker broke")

    monkeypatch.setattr(workers.SearchJob, "begin", lambda _: broken)
    solving = ec.solve(ec.read("pentominoes_10x6"), strategy="bsx:s", team=Threads(2))
    with pytest.raises(RuntimeError, match="a worker broke"):
        list(solving)

"""Searches shared by several threads: no solution twice, none lost, and no wrong count."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from time import sleep
from typing import Any

import pytest

import exactcover as ec
from exactcover.base.values import Convention
from exactcover.errors import AlreadyRunning
from exactcover.search.counting.counts import Counting
from exactcover.search.optimum import Optimizing
from exactcover.trust.verification import Verifying

BOX, STRIP = ec.read("pentominoes_15x4"), ec.read("pentominoes_20x3")
THREADS = 4


def together(work: Callable[[], Any], threads: int = THREADS) -> list[Any]:
    """What the same work comes to in several threads that begin at once."""
    came: list[Any] = []
    start = threading.Barrier(threads)

    def run() -> None:
        start.wait()
        try:
            came.append(work())
        except Exception as error:  # told to the test
            came.append(error)

    running = [threading.Thread(target=run) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return came


@pytest.mark.parametrize(
    "strategy", ["fila:f", pytest.param("dlx:s", marks=pytest.mark.slow), "redundancy; bsx:s"]
)
def test_threads_share_the_solutions(strategy: str) -> None:
    solving = ec.solve(BOX, counted="all", strategy=strategy)
    came = together(lambda: [solution.options for solution in solving])
    every = Counter(options for part in came for options in part)
    assert set(every.values()) == {1}
    assert len(every) == 4 * 368
    assert (solving.result.status, solving.result.solutions) == ("complete", 4 * 368)


@pytest.mark.parametrize("counted", ["all", "rotations"])
def test_threads_that_count_agree(counted: str) -> None:
    counting = Counting(ec.read("pentominoes_1s_30x3"), counted=counted)
    expected = ec.count(ec.read("pentominoes_1s_30x3"), counted=counted)
    for result in together(counting.run):
        assert (result.status, result.solutions) == ("complete", expected)


def test_what_runs_once_says_so_to_a_second_thread() -> None:
    for search in (
        Optimizing(ec.read("tetriscube"), least="pieces", workers=1, time_limit=0.2),
        Verifying(STRIP, engines=("dlx:s", "fila:f")),
    ):
        run: Callable[[], Any] = search.run
        came = together(run, 2)
        assert [type(one) for one in came].count(AlreadyRunning) == 1


# -- looking at a search while it goes on ----------------------------------------------------------


def looks_at(search: Any) -> tuple[Any, ...]:
    return (
        search.result,
        search.progress,
        search.position,
        search.found,
        search.seconds,
        repr(search),
    )


@pytest.mark.parametrize(
    ("counted", "strategy"),
    [("all", "volume@10; dlx:s; fila:f@8"), ("rotations", "dlx:s"), ("all", "dlx:s")],
)
def test_a_search_can_be_looked_at_while_it_goes_on(counted: Convention, strategy: str) -> None:
    solving = ec.Solving(STRIP, counted=counted, strategy=strategy, tally=strategy == "dlx:s")
    solving.step()
    seen: list[tuple[Any, ...]] = []
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            seen.append(looks_at(solving))
            sleep(0.001)

    looking = threading.Thread(target=look)
    looking.start()
    solutions = sum(1 for _ in solving)
    done.set()
    looking.join()
    assert solutions + solving.result.solutions > 0
    for (result, *_), (after, *_) in pairwise(seen):
        assert result.solutions <= after.solutions
        assert result.fits <= after.fits
    for result, *_ in seen:
        assert result.status != "complete" or result.solutions == solving.result.solutions


def test_stop_and_a_look_from_a_signal_handler() -> None:
    solving = ec.solve(ec.read("pentominoes_1s_30x3"), counted="all", strategy="dlx:s")
    seen: list[Any] = []

    def stop(number: int, frame: object) -> None:
        seen.append(looks_at(solving))
        with pytest.raises(AlreadyRunning):
            next(solving)
        solving.close()

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        result = solving.run()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert result.status == "interrupted"
    assert len(seen) == 1


# -- two searches of one puzzle --------------------------------------------------------------------


def test_searches_of_one_puzzle_do_not_meet() -> None:
    puzzle, ways = ec.read("pentominoes_20x3"), iter(("dlx:s", "fila:f", "bsx:s", "bsx:f"))
    came = together(lambda: ec.solve(puzzle, counted="all", strategy=next(ways)).run().solutions)
    assert came == [8] * THREADS

"""Batches: the records are those of single searches, whoever makes them and whatever fails."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import count, islice
from multiprocessing.connection import wait
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

import exactcover as ec
from exactcover.search import Subject
from exactcover.search.begun import begin_listing
from tests.helpers.commands import PATIENCE, untimed
from tests.helpers.summed import Summed

MIXED = [
    "pentominoes_20x3",
    "no_such_puzzle",
    "somacube",
    ec.puzzle_of("domino x 2", "2x2", name="dominoes"),
    [["a"], ["b"], ["a", "b"]],
    [["a", "a"]],
]


TIMES = ("seconds", "compiling", "provenance")


def timeless(record: dict[str, Any]) -> dict[str, Any]:
    return {key: one for key, one in record.items() if key not in TIMES}


def test_several_workers_give_the_records_of_one() -> None:
    alone = [untimed(record) for record in ec.batch(MIXED)]
    assert [record["status"] for record in alone] == [
        "complete", "error", "complete", "complete", "complete", "error",
    ]  # fmt: skip
    arrived = [untimed(record) for record in ec.batch(MIXED, workers=2)]
    assert sorted(arrived, key=repr) == sorted(alone, key=repr)


def test_figures_are_those_of_a_search_alone() -> None:
    puzzle = ec.read("pentominoes_20x3")
    solving = ec.solve(puzzle)
    assert next(solving)
    first = ec.solve(puzzle, limit=1)
    assert next(first)
    whole = ec.Solving(puzzle, tally=True).run()
    [record] = ec.batch([puzzle])
    assert (record["solutions"], record["fits"], record["nofits"]) == (2, whole.fits, whole.nofits)
    assert record["strategy"] == whole.strategy
    assert record["fits_per_solution"] == whole.fits / 2
    assert record["fits_to_first"] == first.result.fits
    # 12 pieces; after a fit with r pieces left before it, 13 - r lie.
    placed = sum(row.fits * (13 - row.remaining) for row in whole.by_remaining)
    assert record["depth"] == pytest.approx(placed / 12 / whole.fits, abs=5e-4)
    model = puzzle.model
    assert (record["pieces"], record["cells"]) == (12, 60)
    assert record["images"] == model.problem.n_options
    assert record["images_per_cell"] == pytest.approx(model.problem.n_options / 60, abs=5e-4)


@pytest.mark.parametrize("limit", [1, 300])
def test_with_a_limit_fits_end_at_the_very_solution(limit: int) -> None:
    """However long the slices are: the search ends with the solution that reaches the limit."""
    puzzle = ec.read("somacube")
    found = [record for _ in range(2) for record in ec.batch([puzzle], limit=limit)]
    assert timeless(found[0]) == timeless(found[1])
    assert (found[0]["solutions"], found[0]["status"]) == (limit, "limit")
    strategy = ec.Strategy.of(found[0]["strategy"])
    search = Summed(begin_listing(Subject.of(puzzle, "rotations"), strategy).search)
    while search.report().found < limit:
        search.advance(1, capacity=1)
    assert found[0]["fits"] == search.report().fits


@pytest.mark.slow
def test_a_killed_worker_fails_its_puzzle_alone(endless: Path) -> None:
    killed = threading.Event()

    def puzzles() -> Iterator[str]:
        yield from (str(endless), "pentominoes_20x3")
        killed.wait()
        yield from ("somacube", "pentominoes_20x3")

    records = []
    with closing(ec.batch(puzzles(), workers=2)) as batching:
        for record in batching:
            records.append(record)
            if len(records) == 1:
                workers = multiprocessing.active_children()
                for process in workers:
                    os.kill(process.pid or 0, signal.SIGKILL)
                for process in workers:  # one that is dying may still be given a puzzle
                    wait([process.sentinel], PATIENCE)
                sleep(0.1)
                killed.set()
    first, *others = records
    assert first["puzzle"] == "square/pentominoes_20x3"
    by_name = {record["puzzle"]: record for record in others}
    assert by_name[str(endless)]["status"] == "error"
    assert "was ended by signal 9" in by_name[str(endless)]["error"]
    assert by_name["cubic/somacube"]["solutions"] == 480
    assert by_name["square/pentominoes_20x3"]["solutions"] == 2
    assert len(records) == 4


def test_closing_ends_the_workers(endless: Path) -> None:
    before = {process.pid for process in multiprocessing.active_children()}
    batching = ec.batch(["pentominoes_20x3", *[str(endless)] * 9], workers=2)
    assert next(batching)["solutions"] == 2
    ours = [one for one in multiprocessing.active_children() if one.pid not in before]
    assert 1 <= len(ours) <= 2
    batching.close()
    until = monotonic() + PATIENCE
    while {*ours} & {*multiprocessing.active_children()} and monotonic() < until:
        sleep(0.01)  # the thread that watches a process takes its exit status
    assert not {*ours} & {*multiprocessing.active_children()}
    assert [*batching] == []


def test_an_endless_source_is_read_only_as_far_as_needed() -> None:
    taken = []

    def puzzles() -> Iterator[str]:
        for number in count():
            taken.append(number)
            yield "no_such_puzzle"

    assert len([*islice(ec.batch(puzzles()), 3)]) == 3
    assert len(taken) == 3
    taken.clear()
    with closing(ec.batch(puzzles(), workers=2)) as batching:
        assert len([*islice(batching, 3)]) == 3
    assert len(taken) < 1000


def test_errors_of_the_source_are_raised() -> None:
    def puzzles() -> Iterator[str]:
        yield "no_such_puzzle"
        raise ZeroDivisionError

    for workers in (1, 2):
        batching = ec.batch(puzzles(), workers=workers)
        assert next(batching)["status"] == "error"
        with pytest.raises(ZeroDivisionError):
            next(batching)


def test_what_no_other_process_can_have_fails_alone() -> None:
    nameless = {object: ["a"], (lambda: 0): ["b"]}
    records = {one["puzzle"]: one for one in ec.batch([nameless, [["a"]]], workers=2)}
    assert "cannot be given to another process" in records["1"]["error"]
    assert records["2"]["solutions"] == 1


def test_a_fault_of_the_program_fails_one_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("exactcover.runs.batches.provenance_of", broken)
    records = [*ec.batch(["somacube", "no_such_puzzle"])]
    assert "a fault of the program: ZeroDivisionError" in records[0]["error"]
    assert "in broken" in records[0]["traceback"]
    assert len(records) == 2

"""Engines side by side: the same verdict for any number of workers, and an end of all at once."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf
from typing import Any

import pytest

import exactcover as ec
from exactcover.backends import Task
from exactcover.base.patience import left, within
from exactcover.trust.verification import Limits, Verdict, Verifying, engines, verify
from tests.helpers.commands import records, refused, untimed
from tests.helpers.examples import some

BOX = "dominoes_4x4"
WORKERS = (1, 2, 4)


@pytest.fixture
def none_left() -> Iterator[None]:
    """No thread is left behind."""
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= before


def timeless(verdict: Verdict) -> Verdict:
    """A verdict without the seconds that engines took."""
    engines = [
        replace(
            one, seconds=0.0, compiling=0.0, reason=re.sub(r"in [0-9.]+ s$", "in S s", one.reason)
        )
        for one in verdict.engines
    ]
    return replace(verdict, engines=tuple(engines))


def verdicts(subject: Any, **given: Any) -> list[Verdict]:
    """The verdict for each number of workers."""
    return [timeless(verify(subject, counted="all", workers=number, **given)) for number in WORKERS]


# -- the same for any number ----------------------------------------------------------------------


@pytest.mark.usefixtures("none_left")
@pytest.mark.parametrize("name", ["dominoes_4x4", "assignment"])
def test_shipped_puzzles(name: str) -> None:
    one, *others = verdicts(ec.read(name))
    assert (one.status, one.compared) == ("complete", "sets")
    assert others == [one, one]


@pytest.mark.parametrize(
    ("names", "status"),
    [
        (("bsx", "dlx", "volume; dlx", "cpsat", "planes"), "complete"),
        (("bsx", "volume; dlx", "automaton"), "limit"),
    ],
)
def test_engines_that_refuse(names: Sequence[str], status: str) -> None:
    """The first that does not is the one that others are compared with."""
    one, *others = verdicts(ec.read("word_square"), engines=names)
    assert one.engines[0].result == "refused"
    assert one.status == status
    assert others == [one, one]


def test_counts_where_there_are_too_many_to_list() -> None:
    names, limits = ("dlx", "bsx", "memo"), Limits(listed=100)
    one, *others = verdicts(ec.read("dominoes_6x6"), engines=names, limits=limits)
    assert (one.solutions, one.compared) == (6728, "counts")
    assert one.checked == 1024
    assert others == [one, one]


@pytest.mark.usefixtures("none_left")
@pytest.mark.parametrize("expected", [36, 37])
def test_engines_that_count_where_the_first_lists_no_end(
    expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are begun anew, to count; others are compared in parts, and not run on the whole."""
    find = engines.Contender.find
    wholes: list[tuple[str, int]] = []

    def found(
        engine: engines.Contender, task: Task, bounds: engines.SearchBounds, *told: Any
    ) -> Any:
        got = find(engine, task, bounds, *told)
        if not task.chosen:
            wholes.append((engine.name, bounds.kept))
            if bounds.kept:
                return replace(got, finished=False, solutions=None, some=())
        return got

    monkeypatch.setattr(engines.Contender, "find", found)
    names = ("dlx", "bsx", "memo", "automaton", "cpsat")
    limits = Limits(samples=3)
    one, *others = verdicts(
        ec.read("dominoes_4x4"), engines=names, limits=limits, expected=expected
    )
    assert [other.compared for other in one.engines] == [
        "", "samples", "samples", "counts", "samples",
    ]  # fmt: skip
    assert (one.solutions, one.fault == "") == (36, expected == 36)
    assert others == [one, one]
    counted = [name for name, kept in wholes if not kept]
    assert sorted(counted) == 3 * ["automaton"] + 3 * ["memo"]


@pytest.mark.usefixtures("liars")
@pytest.mark.parametrize(
    ("name", "limits"),
    [(BOX, Limits()), (BOX, Limits(listed=20)), ("dominoes_6x6", Limits(seconds=0.0, samples=40))],
    ids=["as sets", "by count", "in parts"],
)
def test_an_engine_that_lies(name: str, limits: Limits) -> None:
    names = ("dlx:s", "bsx:s", "forgetful:s", "memo")
    for verdict in verdicts(ec.read(name), engines=names, limits=limits):
        assert not verdict.equal
        assert [one.result for one in verdict.engines] == ["first", "equal", "different"]
        assert verdict.difference is not None
        assert verdict.difference.missed_by == "forgetful:s"


# -- how many at once -----------------------------------------------------------------------------


class Doors:
    """Counts the searches in progress; those of the whole wait until there are `wanted`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, wanted: int = 1) -> None:
        self.most = self._inside = 0
        self.deadlines: list[float] = []
        self._changed = threading.Condition()
        find = engines.Contender.find

        def counted(engine: engines.Contender, task: Task, *told: Any) -> engines.Findings:
            with self._changed:
                self._inside += 1
                self.most = max(self.most, self._inside)
                self.deadlines.append(left())
                self._changed.notify_all()
                self._changed.wait_for(lambda: self.most >= wanted, timeout=60)
            try:
                return find(engine, task, *told)
            finally:
                with self._changed:
                    self._inside -= 1

        monkeypatch.setattr(engines.Contender, "find", counted)


@pytest.mark.parametrize("workers", some([3, 1, 2], one_in=3))
def test_as_many_as_said_search_at_once(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    doors = Doors(monkeypatch, wanted=workers)
    names = ("dlx", "bsx", "fila:f", "memo")
    assert verify(ec.read(BOX), engines=names, workers=workers).equal
    assert doors.most == workers


def test_parts_are_searched_in_turn_with_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller's thread compares parts by one engine while others search the whole."""
    doors = Doors(monkeypatch)
    counted = engines.Contender.find

    def found(engine: engines.Contender, task: Task, *told: Any) -> engines.Findings:
        got = counted(engine, task, *told)
        breathless = engine.name == "bsx" and not task.chosen
        return replace(got, finished=False, solutions=None) if breathless else got

    monkeypatch.setattr(engines.Contender, "find", found)
    names = ("dlx", "bsx", "fila:f", "memo", "planes")
    verdict = verify(ec.read("dominoes_6x6"), engines=names, limits=Limits(samples=4), workers=2)
    assert verdict.equal
    assert verdict.engines[1].samples == 4
    assert doors.most == 2


def test_the_deadline_of_the_caller_holds_in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    doors = Doors(monkeypatch)
    with within(1000.0):
        verify(ec.read("queens_8"), limits=Limits(seconds=None), workers=2)
    assert max(doors.deadlines) < inf


# -- ends -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("none_left")
@pytest.mark.parametrize("broken", [0, 1, 2])
def test_the_error_of_an_engine_is_raised(broken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("dlx", "bsx", "fila:f")
    find = engines.Contender.find

    def breaking(engine: engines.Contender, *told: Any) -> engines.Findings:
        if engine.name == names[broken]:
            raise ZeroDivisionError(engine.name)
        return find(engine, *told)

    monkeypatch.setattr(engines.Contender, "find", breaking)
    for workers in WORKERS:
        with pytest.raises(ZeroDivisionError, match=names[broken]):
            verify(ec.read(BOX), engines=names, workers=workers)


@pytest.mark.usefixtures("none_left")
def test_a_time_limit() -> None:
    limits = Limits(seconds=0.05, samples=6)
    verdict = verify(
        ec.read("dominoes_10x10"), engines=("dlx", "bsx", "fila:f"), limits=limits, workers=3
    )
    assert (verdict.status, verdict.equal, verdict.compared) == ("limit", True, "samples")
    assert not any(one.finished for one in verdict.engines)
    assert 0 < verdict.engines[1].samples <= 6


@pytest.mark.usefixtures("none_left")
def test_a_stop_ends_all() -> None:
    verifying = Verifying(ec.read("dominoes_10x10"), engines=("dlx", "bsx", "fila:f"), workers=3)

    def after_a_while(text: str) -> None:
        if text.count("found") == 3:
            verifying.stop()

    verdict = verifying.run(after_a_while)
    assert (verdict.status, verdict.equal) == ("interrupted", True)
    assert [one.engine for one in verdict.engines] == ["dlx"]


@pytest.mark.usefixtures("none_left")
def test_ctrl_c_in_a_program_ends_all() -> None:
    verifying = Verifying(ec.read("dominoes_10x10"), engines=("dlx", "bsx"), workers=2)

    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verifying.run(interrupt)
    assert verifying.broken_off().status == "interrupted"


# -- the command line -----------------------------------------------------------------------------


def test_the_report_is_that_of_one_worker() -> None:
    told = ["verify", "dominoes_4x4", "--all", "--engines", "dlx,bsx"]
    alone, together = records(*told), records(*told, "--workers", "3")
    assert [report["solutions"] for report in alone] == [36]
    assert untimed(together) == untimed(alone)


def test_a_number_of_workers_is_at_least_one() -> None:
    assert "--workers" in refused("verify", "queens_8", "--workers", "0", status=2)


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
@pytest.mark.parametrize("number", some([signal.SIGINT, signal.SIGTERM], one_in=2))
def test_ctrl_c_stops_all_with_what_was_found(number: int) -> None:
    command = [
        sys.executable, "-m", "exactcover", "verify", "queens_8", "dominoes_10x10",
        "--engines", "dlx,bsx", "--workers", "2", "--progress", "json",
    ]  # fmt: skip
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stderr is not None
        line = ""
        while "dominoes_10x10" not in line or " found; bsx: " not in line:
            line = process.stderr.readline()
            assert line
        process.send_signal(number)
        said, errors = process.communicate(timeout=60)
    assert said.startswith("generic/queens_8: 92 solutions (all); the engines agree on every one")
    assert "solutions (all) so far; not compared; interrupted" in said
    assert "Traceback" not in errors
    assert process.returncode == 130

"""Progress: what is shown, when, and where."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from itertools import pairwise
from mmap import mmap

import pytest
from click.testing import CliRunner

import exactcover as ec
from exactcover.backends.base import KeptStates
from exactcover.cli import options, progress
from exactcover.cli.progress import Progress
from exactcover.cli.reports import duration

RESULT = ec.Solving([["a"]]).result


@dataclass
class Half:
    """A search that is half done."""

    found: int = 3
    progress: float = 0.5
    result: ec.Result = RESULT
    workers: int = 2
    kept: KeptStates | None = None


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, to be set."""
    now = [100.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    return now


def shown(
    mode: str, clock: list[float], seconds: float, search: Half | None = None, **begun: Half
) -> list[str]:
    """The lines of a search that takes so long, looked at every tenth of a second."""

    @options.command()
    @options.progress
    def shown() -> None:
        line = Progress("box")
        for earlier in begun.values():
            line.resume(earlier)
        for _ in range(round(seconds * 10)):
            clock[0] += 0.1
            line.show(search or Half())

    result = CliRunner().invoke(shown, ["--progress", mode])
    assert result.exit_code == 0
    assert result.stdout == ""
    return result.stderr.splitlines()


def test_json_has_an_object_each_second(clock: list[float]) -> None:
    records = [json.loads(line) for line in shown("json", clock, 5.5)]
    assert 4 <= len(records) <= 6
    assert all(a["seconds"] < b["seconds"] for a, b in pairwise(records))
    assert {"puzzle", "done", "solutions", "left", "fits", "nofits", "strategy"} <= set(records[0])
    assert records[-1]["done"] == 0.5


def test_the_time_left_follows_from_the_share_done(clock: list[float]) -> None:
    [record, *_] = [json.loads(line) for line in shown("json", clock, 5.5)]
    assert record["done"] == 0.5
    assert record["left"] == pytest.approx(record["seconds"], abs=0.1)


def test_what_was_done_before_took_no_time(clock: list[float]) -> None:
    begun = Half(progress=0.4, result=replace(RESULT, fits=1000))
    search = replace(begun, progress=0.5, result=replace(RESULT, fits=3000))
    record = json.loads(shown("json", clock, 10, search, begun=begun)[-1])
    assert record["left"] == pytest.approx(5 * record["seconds"], abs=0.1)
    assert record["fits_per_second"] == pytest.approx(2000 / record["seconds"], rel=0.01)


@pytest.mark.skipif(sys.platform == "win32", reason="the peak is not known")
def test_the_memory_is_the_most_that_was_taken(clock: list[float]) -> None:
    block = mmap(-1, 64 << 20)
    block.write(b"1" * (64 << 20))
    peak, *_ = (json.loads(line)["memory_mib"] for line in shown("json", clock, 1.5))
    assert 64 < peak < 1 << 20
    block.close()
    later, *_ = (json.loads(line)["memory_mib"] for line in shown("json", clock, 1.5))
    assert later >= peak


def test_durations_have_a_unit_that_fits() -> None:
    assert [duration(x) for x in (0.04, 119, 120, 7200, 172800, 1e30)] == [
        "0.0 s", "119.0 s", "2.0 min", "2.0 h", "2.0 d", "3.2e22 years"
    ]  # fmt: skip

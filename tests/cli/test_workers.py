"""`--workers`: several threads give the same report."""

from __future__ import annotations

import pytest

from exactcover.runs import Threads
from tests.helpers.commands import records, untimed


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads join at once."""
    monkeypatch.setattr(Threads, "alone", -1.0)


@pytest.mark.parametrize("command", ["solve", "count"])
def test_the_report_is_that_of_one_thread(command: str) -> None:
    asked = [command, "pentominoes_10x6", "--strategy", "redundancy; volume; dlx:s; fila:f@11"]
    told = [*asked, "--stats", "--json"]
    (alone,), (together,) = (records(*told, "--workers", many) for many in ("1", "3"))
    assert alone["solutions"] == 2339
    assert (alone["provenance"]["workers"], together["provenance"]["workers"]) == (1, 3)
    assert untimed(together) == untimed(alone)


def test_processes_give_the_same_report() -> None:
    (alone,) = records("count", "pentominoes_10x6", "--json")
    (together,) = records("count", "pentominoes_10x6", "--json", "--processes", "--workers", "2")
    assert alone["seconds"] >= 0
    assert together["seconds"] >= 0
    assert untimed(together) == untimed(alone)

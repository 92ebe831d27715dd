"""`--workers`: several threads give the same report."""

from __future__ import annotations

import pytest

from exactcover.runs import team
from tests.helpers.commands import records, refused


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads join at once."""
    monkeypatch.setattr(team, "ALONE", 0)


@pytest.mark.parametrize("command", ["solve", "count"])
def test_the_report_is_that_of_one_thread(command: str) -> None:
    asked = [command, "pentominoes_10x6", "--strategy", "redundancy; volume; dlx:s; fila:f@11"]
    told = [*asked, "--stats", "--json"]
    (alone,), (together,) = records(*told), records(*told, "--workers", "3")
    for report in (alone, together):
        del report["seconds"]
        for one in report["filters"]:
            del one["seconds"]
    assert alone["solutions"] == 2339
    assert together == alone


def test_a_number_of_workers_is_at_least_one() -> None:
    assert "--workers" in refused("solve", "somacube", "--workers", "0", status=2)

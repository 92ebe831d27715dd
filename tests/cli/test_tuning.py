"""`tune`, and `--no-cache`, on the command line."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import exactcover as ec
from exactcover.search import tuning, winners
from tests.helpers.commands import ran, records, refused


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A file of winners for one test, and short measurements."""
    path = tmp_path / "winners.json"
    monkeypatch.setenv(winners.VARIABLE, str(path))
    monkeypatch.setattr(tuning, "LOOK", 0.0)
    monkeypatch.setattr(tuning, "DRAWS", 6)
    return path


def test_tune_prints_the_candidates_and_keeps_the_winner(file: Path) -> None:
    *rows, last = ran("tune", "soma_dog").stdout.splitlines()
    assert rows[0].split() == ["seconds", "error", "choices", "subtrees", "strategy"]
    name, _, chosen = last.partition(": ")
    assert name == "cubic/soma_dog"
    strategy = chosen.partition(" (")[0]
    assert any(row.endswith(strategy) for row in rows)
    [used] = records("solve", "soma_dog", "--quiet")
    assert used["strategy"] == strategy
    assert used["why"].startswith("the best when it was tuned: ")
    assert file.exists()


@pytest.mark.slow
def test_no_cache_neither_keeps_nor_uses(file: Path) -> None:
    ran("tune", "pentominoes_20x3", "--no-cache")
    assert not file.exists()
    ran("tune", "pentominoes_20x3", "--seed", "2")
    for command in ("solve", "count"):
        [record] = records(command, "pentominoes_20x3", "--no-cache")
        assert "why" not in record
        assert record["solutions"] == 2


@pytest.mark.usefixtures("file")
def test_tune_as_json() -> None:
    [record] = records("tune", "soma_dog", "--counted", "all")
    assert record["puzzle"] == "cubic/soma_dog"
    assert record["tuned"]
    strategies = [row["strategy"] for row in record["candidates"]]
    assert record["strategy"] in strategies
    for text in (*strategies, *record["unmeasured"]):
        assert str(ec.Strategy.parse(text)) == text
    assert set(record["candidates"][0]) == {
        "strategy", "why", "seconds", "error", "choices", "subtrees", "states",
    }  # fmt: skip


def test_a_tuning_that_is_stopped_has_what_it_measured_and_keeps_nothing(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning, "SLICE", 1e-5)  # one measurement a step
    tuner = tuning.Tuner(ec.read("soma_dog"))
    while not tuner.tuning.tuned:
        assert tuner.step()
    tuner.stop()
    assert not tuner.step()
    assert tuner.stopped
    assert len(tuner.tuning.rows) > 1
    tuner.keep()
    assert not file.exists()


def test_strategies_of_ones_own_stand_beside_the_candidates(file: Path) -> None:
    mine = ("redundancy; dlx:f", "bsx:s")
    named = [word for one in mine for word in ("--strategy", one)]
    rows = ran("tune", "soma_dog", *named).stdout.splitlines()
    assert [sum(row.endswith(f"  {one}  (your own)") for row in rows) for one in mine] == [1, 1]
    assert len({row for row in rows if "of" in row and "own" not in row}) > 3
    made = ec.tune(ec.read("soma_dog"), strategies=mine, cache=False)
    assert {"your own": 2}.items() <= Counter(row.candidate.why for row in made.rows).items()


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        ("dlx:tigt", "dlx has no heuristic 'tigt'"),
        ("automaton", "the searches of automaton cannot be cut"),
        ("redundancy=Q; dlx:s", "no movable piece is called 'Q'"),
    ],
)
@pytest.mark.usefixtures("file")
def test_a_strategy_of_ones_own_that_cannot_be_measured_is_refused(
    strategy: str, message: str
) -> None:
    assert message in refused("tune", "pentominoes_20x3", "--strategy", strategy)


def test_a_time_that_is_too_short_says_how_long_may_do() -> None:
    tuner = tuning.Tuner(ec.read("bedlamcube"), time_limit=0.001)
    while tuner.step():
        pass
    assert not tuner.tuning.tuned
    assert tuner.tuning.why.endswith("within 0.001 s: try a time limit of 30 s")


def test_a_tuning_that_is_stopped_at_once_has_measured_nothing() -> None:
    tuner = tuning.Tuner(ec.read("pentominoes_10x6"))
    tuner.stop()
    assert not tuner.step()
    assert not tuner.tuning.tuned
    assert tuner.tuning.why == "interrupted before anything was measured"

"""Comparisons: exact figures are those of the search, estimates hold, and it can be stopped."""

from __future__ import annotations

import json

import pytest

import exactcover as ec
from exactcover.search import comparing
from exactcover.search.automatic import automatic, candidates
from exactcover.search.comparing import Comparing
from exactcover.search.subject import Subject
from tests.helpers.commands import ran, records, refused

BOX = "pentominoes_10x6"

P4 = "redundancy; volume; dlx:s; fila:f@11 nof=0"
P5 = "redundancy; volume; dlx:s; fila:f@11 nof=adjacent"

PUBLISHED = {
    12: (7, 7),
    11: (131, 131),
    10: (3088, 1744),
    9: (28279, 7994),
    8: (126819, 17275),
    7: (200366, 26950),
    6: (386776, 82406),
    5: (1284992, 272072),
    4: (3665538, 617667),
    3: (5722296, 760374),
    2: (3478035, 302256),
    1: (301677, 2339),
}
"""Attempts and fits by remaining pieces, as the article prints them for its case P4."""


@pytest.fixture
def sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """No search is made as a whole."""
    monkeypatch.setattr(comparing, "WHOLE", 0.0)


def test_the_table_of_the_article_with_the_settings_in_force() -> None:
    made = ec.compare(ec.read(BOX), [P4, P5])
    p4, p5 = sorted(made.rows, key=lambda row: -row.choices.value)
    assert {row.remaining: (row.attempts, row.fits) for row in p4.by_remaining} == PUBLISHED
    assert [(row.nodes.value, row.choices.value) for row in (p4, p5)] == [
        (2_091_215, 2_091_215 + 13_106_789),
        (2_091_215, 2_091_215 + 4_682_886),
    ]
    assert {row.stage for row in p5.by_remaining} == {"dlx:s", "fila:f@11 nof=adjacent"}
    assert made.status == "complete"
    assert made.best == made.rows[0].strategy
    assert {row.status for row in made.rows} == {"exact"}


@pytest.mark.parametrize(
    ("written", "in_force"),
    [
        ("fila:f", "adjacent"),
        ("fila:f nof=3", "3"),
    ],
)
def test_the_no_fit_setting_in_force_is_the_same_as_one_written(
    written: str, in_force: str
) -> None:
    puzzle = ec.read("pentominoes_20x3")
    (row,) = ec.compare(puzzle, [written]).rows
    heuristic = written.partition(" ")[0]
    assert {one.stage for one in row.by_remaining} == {f"{heuristic} nof={in_force}"}
    (said,) = ec.compare(puzzle, [f"{heuristic} nof={in_force}"]).rows
    assert said.by_remaining == row.by_remaining


@pytest.mark.usefixtures("sampled")
def test_a_longer_search_is_estimated() -> None:
    strategies = [f"redundancy; volume; dlx:s; fila:f@11 nof={nof}" for nof in ("0", "adjacent")]
    made = ec.compare(ec.read(BOX), strategies, time_limit=6)
    for row in made.rows:
        assert row.batches >= 3
        assert row.nodes.value == pytest.approx(2_091_215, rel=0.5)
        assert sum(one.fits for one in row.by_remaining) == pytest.approx(row.nodes.value, abs=12)
        assert row.by_remaining[0].fits == 7  # the top is known
    nofits = [sum(one.nofits for one in row.by_remaining) for row in made.rows]
    assert max(nofits) > 1.5 * min(nofits)


@pytest.mark.usefixtures("sampled")
def test_a_seed_draws_other_subtrees() -> None:
    """Without time there are three batches in any case."""
    puzzle = ec.read(BOX)
    first, again, other = (
        ec.compare(puzzle, ["volume; bsx:s"], time_limit=0, seed=seed).rows[0] for seed in (1, 1, 2)
    )
    assert first.nodes == again.nodes != other.nodes
    assert first.batches == 3


def test_without_strategies_the_automatic_one_is_compared_with_candidates() -> None:
    puzzle = ec.read("soma_dog")
    field = candidates(Subject.of(puzzle))
    made = ec.compare(puzzle)
    assert {row.strategy for row in made.rows} == set(map(str, field))
    seconds = [row.seconds.value for row in made.rows]
    assert seconds == sorted(seconds)
    assert len(field) > 5


def test_auto_is_the_automatic_strategy() -> None:
    puzzle = ec.read("pentominoes_20x3")
    made = ec.compare(puzzle, ["auto", "fila:f"])
    assert {row.strategy for row in made.rows} == {
        str(automatic(Subject.of(puzzle))),
        "fila:f",
    }


def test_filters_that_leave_nothing_need_no_search() -> None:
    board = ec.read("mutilated_chessboard")
    made = ec.compare(board, ["parity; dlx:s", "dlx:s"])
    assert str(made.best) == "parity; dlx:s"
    assert made.rows[0].nodes.value == 0 < made.rows[1].nodes.value


def test_a_comparison_that_is_stopped_has_what_it_measured() -> None:
    work = Comparing(ec.read("pentominoes_10x6"))
    while not work.comparison.rows:
        assert work.step()
    work.stop()
    assert not work.step()
    made = work.comparison
    assert made.status == "interrupted"
    assert made.rows
    assert made.unmeasured


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        ("dlx:tigt", "dlx has no heuristic 'tigt'"),
        ("automaton", "the searches of automaton cannot be cut"),
        ("redundancy=Q; dlx:s", "no movable piece is called 'Q'"),
    ],
)
def test_a_strategy_that_cannot_be_measured_is_refused(strategy: str, message: str) -> None:
    assert message in refused("compare", "pentominoes_20x3", "--strategy", strategy)


def test_the_command() -> None:
    words = ("pentominoes_20x3", "--strategy", "fila:f", "--strategy", "dlx:f")
    head, first, second, *tables, last = ran("compare", *words).stdout.splitlines()
    assert head.split() == ["seconds", "interval", "fits", "no-fits", "batches", "strategy"]
    assert {row.split()[3] for row in (first, second)} == {"71,190", "67,250"}
    assert sum(row.startswith("  remaining") for row in tables) == 2
    assert last == f"square/pentominoes_20x3: the quickest is {first.split()[-1]}"
    [record] = records("compare", *words)
    assert {row["strategy"]: row["choices"]["value"] for row in record["strategies"]} == {
        "fila:f": 71_190 + 128_539,
        "dlx:f": 67_250,
    }
    assert record["best"] == record["strategies"][0]["strategy"]
    assert json.dumps(record["strategies"][0]["by_remaining"][0])

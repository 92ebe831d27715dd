"""The list of known counts: its form, its verdicts, and a sample of its rows counted again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import exactcover as ec
from counts.__main__ import EXHIBITS, Ledger, Row
from counts.known import (
    EXHIBITED,
    FILE,
    NEW,
    PROOF,
    KnownCount,
    engines_of,
    independent,
    known_counts,
    read_known,
    write_known,
)
from counts.pages import PAGE, page
from counts.relaxation import holds, inequality
from exactcover.puzzle import Placement
from exactcover.trust.placements import PlacementCheck

ROWS = known_counts()
LISTS = {FILE: ROWS, NEW: list(read_known(NEW))}
COUNTED = [row for row in ROWS if row.second_engine and row.engine != EXHIBITED[0]]
AGAIN = [row for row in COUNTED if row.engine != PROOF[0]]
QUICK = [row for row in AGAIN if float(row.seconds) < 0.1]
UNDER_A_SECOND = [row for row in AGAIN if float(row.seconds) < 1]
SAMPLE = QUICK[:: max(1, len(QUICK) // 10)]


@pytest.mark.parametrize("file", LISTS, ids=lambda file: file.name)
def test_the_list_is_written_as_the_program_writes_it(file: Path, tmp_path: Path) -> None:
    write_known(LISTS[file], tmp_path / "list.csv")
    assert file.read_bytes() == (tmp_path / "list.csv").read_bytes()


@pytest.mark.parametrize("name", LISTS)
def test_ids_are_unique_and_verdicts_follow_from_the_numbers(name: str) -> None:
    rows = LISTS[name]
    assert len({row.id for row in rows}) == len(rows)
    assert [row.verdict for row in rows] == [row.judged() for row in rows]
    assert all(row.name and row.source for row in rows)


def test_each_number_comes_from_two_engines_that_work_differently() -> None:
    assert len(ROWS) >= 700
    assert len(COUNTED) >= 600
    new = [row for row in LISTS[NEW] if row.second_engine]
    assert len(new) >= 20
    for row in (*COUNTED, *new):
        assert row.found is not None
        assert independent(row.engine, row.second_engine), row.id
    assert all(row.found is None for row in ROWS if row not in COUNTED)


def test_refuted_and_inexpressible_rows_have_an_argument() -> None:
    for row in ROWS:
        if row.verdict in ("refuted", "not expressible"):
            assert len(row.note) > 20, row.id
        if row.verdict == "refuted":
            assert row.otherwise, row.id


def test_solutions_refute_rows_that_are_said_to_have_none() -> None:
    lines = EXHIBITS.read_text("utf-8").splitlines()
    exhibited = {one["id"]: one["solution"] for one in map(json.loads, lines)}
    rows = {row.id: row for row in ROWS if row.engine == EXHIBITED[0]}
    assert rows.keys() == exhibited.keys()
    for key, row in rows.items():
        puzzle = row.content()
        assert isinstance(puzzle, ec.Puzzle)
        placements = [Placement(piece, tuple(map(tuple, cells))) for piece, cells in exhibited[key]]
        assert PlacementCheck(puzzle).fault(placements) is None, key
        assert (row.expected, row.others, row.verdict) == (0, {"least": 1}, "refuted")


def _found_again(row: KnownCount) -> int:
    content = row.content()
    return ec.count(content, counted=row.counted if isinstance(content, ec.Puzzle) else None)


@pytest.mark.parametrize("row", SAMPLE, ids=lambda row: row.id)
def test_a_sample_is_counted_again(row: KnownCount) -> None:
    assert _found_again(row) == row.found


@pytest.mark.slow
@pytest.mark.parametrize("row", UNDER_A_SECOND, ids=lambda row: row.id)
def test_rows_under_a_second_are_counted_again(row: KnownCount) -> None:
    assert _found_again(row) == row.found


def _row(**fields: object) -> KnownCount:
    row = KnownCount(
        "a", "test", "A", "square", "domino any", "2x3", "", "all", 3, None, "", "", "", "",
        "not settled", "",
    )  # fmt: skip
    return replace(row, **fields)  # type: ignore[arg-type]


def test_verdicts() -> None:
    counted = {"engine": "redundancy; dlx:s", "second_engine": "automaton:narrow memory=9"}
    assert _row().judged() == "not settled"
    assert _row(found=3, **counted).judged() == "holds"
    assert _row(found=3, engine="dlx:s", second_engine="fila:f").judged() == "holds"
    assert _row(found=3, engine="volume; dlx:s", second_engine="fila:f").judged() == "not settled"
    assert _row(found=3, engine="dlx:s", second_engine="bsx:s").judged() == "not settled"
    assert _row(found=4, otherwise="all 3, rotations 1", **counted).judged() == (
        "differs by convention"
    )
    assert _row(found=4, otherwise="all 5", **counted).judged() == "refuted"
    exhibited = {"engine": "solution", "second_engine": "check", "otherwise": "least 1"}
    assert _row(expected=0, **exhibited).judged() == "refuted"
    assert _row(**exhibited).judged() == "not settled"
    proved = {"engine": "proof", "second_engine": "certificate", "found": 0}
    assert _row(expected=0, **proved).judged() == "holds"
    assert _row(region="").judged() == "not expressible"
    assert engines_of(_row(**counted)) == ["dlx", "automaton"]


def test_a_row_is_settled_by_two_engines(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "counts.jsonl")
    row = Row(_row(), ledger).settle(60)
    assert (row.found, row.verdict) == (3, "holds")
    wrong = Row(_row(expected=2), ledger).settle(60)
    assert (wrong.verdict, wrong.otherwise) == (
        "differs by convention",
        "rotations 2, reflections 2",
    )
    assert Row(_row(expected=7), ledger).settle(60).verdict == "refuted"


def test_a_puzzle_that_is_said_to_have_no_solution_is_proved_or_refuted(tmp_path: Path) -> None:
    exhibits = tmp_path / EXHIBITS.name
    impossible = _row(expected=0, region="3x3")
    settled = Row(impossible, Ledger(tmp_path / "counts.jsonl"), exhibits).settle(60)
    assert (settled.found, settled.verdict, settled.engine) == (0, "holds", PROOF[0])
    settled = Row(_row(expected=0), Ledger(tmp_path / "counts.jsonl"), exhibits).settle(60)
    assert (settled.found, settled.verdict) == (None, "refuted")
    assert json.loads(exhibits.read_text("utf-8"))["id"] == "a"
    assert Row(settled, Ledger(tmp_path / "counts.jsonl"), exhibits).settle(60) == settled


def test_a_run_goes_on_after_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "counts.jsonl"
    Row(_row(), Ledger(path)).settle(60)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    assert [json.loads(line)["number"] for line in lines] == [3, 3]
    path.write_text(lines[0] + lines[1][:40], "utf-8")  # killed within a line
    ledger = Ledger(path)
    assert Row(_row(), ledger).settle(60).found == 3
    again = Ledger(path)
    key = json.loads(lines[0])["puzzle"]
    for line in lines:
        assert again.get(key, "all", json.loads(line)["strategy"]) is not None


def test_the_page_sums_up_the_list() -> None:
    text = PAGE.read_text("utf-8")
    assert text == page(ROWS), "run `python -m counts.pages`"


def test_zeros_that_no_fractions_reach() -> None:
    """The whole numbers hold, and no longer once one of them is changed."""
    [row] = [row for row in ROWS if row.id == "puzzler-SolidPentominoesCrossBlock_x1"]
    puzzle = row.content()
    assert isinstance(puzzle, ec.Puzzle)
    problem = puzzle.model.problem
    weights = inequality(problem)
    assert weights is not None
    assert holds(problem, weights)
    assert not holds(problem, [-one for one in weights])
    assert not holds(
        problem, [one + (number == 0) * 9 * max(weights) for number, one in enumerate(weights)]
    )
    solved = ec.read("pentominoes_20x3").model.problem
    assert inequality(solved) is None

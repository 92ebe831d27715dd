"""Rows of a list: the numbers are those of plain searches, whatever fails and whoever counts."""

from __future__ import annotations

import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from time import sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.errors import ExactCoverError
from exactcover.puzzle.digest import digest
from exactcover.runs.batches import Question, begin_batch
from exactcover.runs.rows import RESULTS
from tests.helpers.commands import PATIENCE, ran, ran_apart, refused, untimed
from tests.helpers.examples import few
from tests.helpers.naive import solutions

HEAD = "name,pieces,region,counted,expected\n"

BOXES = [(2, n, fits) for n, fits in enumerate([1, 2, 3, 5, 8, 13, 21, 34, 55, 89], 1)]
"""Dominoes in 2 x n: numbers of Fibonacci."""


def dominoes(wrong: tuple[int, ...] = ()) -> str:
    """Thirty rows, three times ten boxes; the expected numbers of these rows are one too large."""
    rows = [
        f"{width}x{length} {number},domino any,{width}x{length},all,{fits + (number in wrong)}\n"
        for number, (width, length, fits) in enumerate(BOXES * 3, 1)
    ]
    return HEAD + "".join(rows)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "list.csv"


def test_three_wrong_numbers_of_thirty(path: Path) -> None:
    path.write_text(dominoes(wrong=(4, 17, 30)))
    run = ran("batch", path, "--strict", status=3)
    found = [json.loads(line) for line in run.stdout.splitlines()]
    assert [one["found"] for one in found] == [fits for _, _, fits in BOXES * 3]
    assert [one["name"] for one in found if not one["agrees"]] == ["2x4 4", "2x7 17", "2x10 30"]
    assert run.stderr.splitlines() == [
        "exactcover: warning: 2x4 4: expected 6, found 5",
        "exactcover: warning: 2x7 17: expected 22, found 21",
        "exactcover: warning: 2x10 30: expected 90, found 89",
        "exactcover: 30 rows: 27 as expected, 3 different: 2x4 4, 2x7 17, 2x10 30",
    ]
    assert ran("batch", path).stdout.count("\n") == 30


@few
@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=3))
def test_random_lists(
    tmp_path_factory: pytest.TempPathFactory, boxes: list[tuple[int, int]]
) -> None:
    """Compared with the plain search of the tests."""
    path = tmp_path_factory.mktemp("lists") / "list.csv"
    pieces = "domino any, I tromino any"
    rows = [
        {"pieces": pieces, "region": f"{w}x{h}", "counted": "all", "tag": str(n)}
        for n, (w, h) in enumerate(boxes)
    ]
    puzzles = [ec.puzzle_of(pieces, row["region"]) for row in rows]
    numbers = [len(list(solutions(puzzle.model.problem))) for puzzle in puzzles]
    listed = [row | {"expected": str(number)} for row, number in zip(rows, numbers, strict=True)]
    with path.open("w", newline="") as stream:
        table = csv.DictWriter(stream, list(listed[0]))
        table.writeheader()
        table.writerows(listed)
    found = list(ec.batch(path))
    for row, record, puzzle, number in zip(listed, found, puzzles, numbers, strict=True):
        assert record["found"] == number
        assert record["agrees"] is True
        assert {key: record[key] for key in row} == row
        assert list(record)[-len(RESULTS) :] == list(RESULTS)
        assert record["digest"] == record["provenance"]["digest"] == digest(puzzle)


MIXED = (
    HEAD + "right,pentominoes,20x3,,2\n"
    "no number,pentominoes,20x3,all,\n"
    "another way,pentominoes,20x3,rotations,8\n"
    "no region,pentominoes,,all,1\n"
    "impossible,domino x 2,3x1,all,0\n"
    "wrong,domino x 6,3x4,all,12\n"
)


def test_verdicts(path: Path) -> None:
    path.write_text(MIXED)
    found = list(ec.batch(path))
    names = [one["name"] for one in found]
    assert [one["agrees"] for one in found] == [True, None, False, None, True, False]
    assert [one["status"] for one in found] == [
        "complete", "complete", "complete", "error", "impossible", "complete",
    ]  # fmt: skip
    assert found[0]["counted"] == "rotations"
    assert found[3]["error"].startswith(f"{path}:5: the puzzle needs a region")
    assert found[4]["note"]
    assert found[5]["note"] is None
    several = sorted(ec.batch(path, workers=2), key=lambda one: names.index(one["name"]))
    assert untimed(several) == untimed(found)


def test_a_row_that_takes_too_long(path: Path) -> None:
    path.write_text(f"{HEAD}long,pentominoes,10x6,all,1\nshort,domino x 2,2x2,all,2\n")
    found = list(ec.batch(path, time_limit=0.0))
    assert found[0]["status"] == "limit"
    run = ran("batch", path, "--time-limit", "0", status=4)
    assert "2 not finished" in run.stderr.splitlines()[-1]


# -- runs that are stopped -------------------------------------------------------------------------


def begun(path: Path, *more: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "exactcover", "batch", str(path), *map(str, more)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


STUCK = "stuck,domino x 50,10x10,all,1\n"
"""More solutions than can be listed in a lifetime."""


def kept_in(folder: Path) -> list[tuple[str]]:
    """The keys of the rows that a folder keeps."""
    with closing(sqlite3.connect(folder / "rows.sqlite")) as file:
        return file.execute("SELECT key FROM finished").fetchall()


def test_killed_and_gone_on(path: Path, tmp_path: Path) -> None:
    """Rows that were finished are taken from the folder, and no other."""
    folder, output = tmp_path / "run", tmp_path / "out.csv"
    rows = dominoes(wrong=(4, 17, 30)).splitlines(keepends=True)
    path.write_text("".join([*rows[:6], STUCK, *rows[6:]]))
    asked = ["--dir", folder, "-o", output, "--strategy", "dlx:s"]
    process = begun(path, *asked)
    while not output.exists() or output.read_text().count("\n") < 6:
        assert process.poll() is None
        sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=PATIENCE)
    assert len(kept_in(folder)) == 5
    path.write_text("".join(rows))
    run = ran("batch", path, *asked, "--strict", status=3)
    assert run.stdout == ""
    assert "exactcover: 15 rows of an earlier run taken from" in run.stderr
    assert run.stderr.splitlines()[-1].endswith(
        "27 as expected, 3 different: 2x4 4, 2x7 17, 2x10 30"
    )
    again = ran("batch", path, *asked, "--strict", status=3)
    assert "exactcover: 30 rows of an earlier run" in again.stderr
    assert len(kept_in(folder)) == 10  # the boxes, each once


def test_another_question_is_counted_anew(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    path.write_text(f"{HEAD}box,domino x 6,3x4,all,11\n")
    for more, reused in (({}, 0), ({}, 1), ({"strategy": "dlx:s"}, 0)):
        asked = Question(**more)  # type: ignore[arg-type]
        records, _, finished = begin_batch(path, asked, folder, 1)
        [record] = records
        assert finished is not None
        assert (record["found"], finished.used) == (11, reused)
    path.write_text(f"{HEAD}renamed,domino x 6,3x4,all,12\n")
    records, _, finished = begin_batch(path, Question(), folder, 1)
    [record] = records
    assert finished is not None
    assert (record["name"], record["agrees"], finished.used) == ("renamed", False, 1)
    assert record["provenance"]["puzzle"] == "renamed"


# -- the command -----------------------------------------------------------------------------------


def test_refused(path: Path) -> None:
    path.write_text(dominoes())
    assert "is for a list, a CSV file" in refused("batch", "somacube", "--dir", path.parent)
    assert f"`exactcover batch {path}`" in ran("batch", path, "somacube", status=1).stdout
    assert "limit is for puzzles" in refused("batch", path, "--limit", "1")
    with pytest.raises(ExactCoverError, match="limit is for puzzles"):
        ec.batch(path, limit=1)
    with pytest.raises(ExactCoverError, match="directory is for a list"):
        ec.batch(["somacube"], directory=path.parent)
    assert ran_apart("batch", path.parent / "none.csv").returncode == 1

"""A flipped bit of a ledger is noticed, or harmless; what it has damaged is searched again."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest

from exactcover.errors import LedgerError
from exactcover.formats import read_puzzles
from exactcover.runs import pooled
from exactcover.runs.ledger import Run, merge, resuming, standings
from exactcover.runs.ledger.ledger import Ledger, in_order
from exactcover.runs.ledger.ledger_file import path_in
from tests.helpers.commands import ran, refused
from tests.helpers.shuffled import InProcess

PUZZLE = "somacube"

FLIPS = 40

Answer = tuple[list[dict[str, Any]], list[tuple[int, ...]]]


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a run that was stopped halfway."""
    folder = tmp_path_factory.mktemp("run")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pooled, "LONGEST", 1e-9)
        patched.setattr(resuming.PuzzleRun, "least", 1e-9)
        with Run.begin(folder, read_puzzles(PUZZLE)) as run:
            one = run.puzzles[0]
            one.go_on(InProcess(), shown=lambda it: it.found > 240 and run.stop())
    [standing] = standings(folder)
    assert standing.totals.tasks_done > 2
    assert standing.totals.tasks_waiting > 2
    with Ledger.open(folder, write=True):
        return path_in(folder).read_bytes()


@pytest.fixture(scope="module")
def solutions(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[int, ...]]:
    """All solutions of the puzzle."""
    folder = tmp_path_factory.mktemp("whole")
    with Run.begin(folder, read_puzzles(PUZZLE)) as run:
        run.go_on()
    return answer(folder)[1]


def answer(folder: Path) -> Answer:
    """The report of `status` on a ledger, and its solutions."""
    records = [standing.record() for standing in standings(folder)]
    with Ledger.open(folder) as ledger:
        return records, list(in_order(ledger, 1))


def resumed(folder: Path) -> Answer:
    """The same when the run has come to its end."""
    with Run.open(folder) as run:
        run.go_on()
    return answer(folder)


def changed(folder: Path, raw: bytes, *statements: str) -> Path:
    """The ledger after some SQL."""
    folder.mkdir()
    path_in(folder).write_bytes(raw)
    with sqlite3.connect(path_in(folder)) as connection:
        for statement in statements:
            assert connection.execute(statement).rowcount
    connection.close()
    return folder


def test_each_flipped_bit_is_noticed_or_harmless(
    tmp_path: Path, raw: bytes, solutions: list[tuple[int, ...]]
) -> None:
    folder = changed(tmp_path / "run", raw)
    right = answer(folder)
    drawn = Random(1)
    ends = dict.fromkeys(("harmless", "searched again", "refused"), 0)
    for bit in drawn.sample(range(8 * len(raw)), FLIPS):
        flipped = bytearray(raw)
        flipped[bit // 8] ^= 1 << bit % 8
        for file in folder.iterdir():
            file.unlink()
        path_in(folder).write_bytes(flipped)
        end = "harmless"
        try:
            assert answer(folder) == right, bit
        except LedgerError:
            end = "searched again"
        try:
            [record], found = resumed(folder)
            assert (record["status"], record["solutions"]) == ("complete", 480), bit
            assert found == solutions, bit
        except LedgerError:
            assert end != "harmless", bit
            end = "refused"
        ends[end] += 1
    assert all(ends.values()), ends


def numbers(raw: bytes, folder: Path, sql: str) -> list[int]:
    """The rows that a query of a ledger gives."""
    connection = sqlite3.connect(path_in(changed(folder, raw)))
    return [number for (number,) in connection.execute(sql)]


def test_every_command_names_the_damaged_task(
    tmp_path: Path, raw: bytes, solutions: list[tuple[int, ...]]
) -> None:
    with_solutions = "SELECT id FROM task WHERE solutions > 0 AND parent IS NOT NULL"
    task = numbers(raw, tmp_path / "whole", with_solutions)[-1]
    flip = "UPDATE batch SET options = substr(options, 2) || x'01' WHERE task = "
    folder = changed(tmp_path / "run", raw, f"{flip}{task}")
    named = rf"task {task} of cubic/somacube is damaged.*exactcover run resume {folder}"
    for command in (
        ("run", "status", folder),
        ("run", "status", folder, "--solutions", tmp_path / "x.txt"),
        ("run", "merge", folder, "--into", tmp_path / "joined"),
    ):
        assert re.search(named, refused(*command)), command
    run = ran("run", "resume", folder)
    assert (
        f"task {task} of cubic/somacube was damaged; the lost parts are searched again"
        in run.stderr
    )
    assert run.stdout == "cubic/somacube: 480 solutions (unique up to rotations)\n"
    assert answer(folder)[1] == solutions
    again = ran("run", PUZZLE, "--dir", changed(tmp_path / "again", raw, f"{flip}{task}"))
    assert f"task {task} of cubic/somacube was damaged" in again.stderr


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE task SET solutions = solutions + 1 WHERE id = {done}",
        "UPDATE task SET fits = fits + 1 WHERE id = {done}",
        "UPDATE task SET symmetric = '{{}}' WHERE id = {done}",
        "UPDATE task SET state = 0 WHERE id = {done}",
        "UPDATE task SET state = 1 WHERE id = {waiting}",
        "UPDATE task SET bundle = x'00' WHERE id = {waiting}",
        "UPDATE task SET share = share / 2 WHERE id = {waiting}",
        "UPDATE task SET parent = parent + 1 WHERE id = {waiting}",
        "UPDATE task SET id = 1000000 WHERE id = {done}",
        "DELETE FROM task WHERE id = {waiting}",
        "DELETE FROM task WHERE parent IS NULL",
        "DELETE FROM batch WHERE task = {done}",
        "UPDATE batch SET task = {waiting} WHERE task = {done}",
        "UPDATE batch SET task = 1000000 WHERE task = {done}",
        "UPDATE task SET bundle = x'00'",
    ],
)
def test_what_is_damaged_is_searched_again(
    tmp_path: Path, raw: bytes, solutions: list[tuple[int, ...]], damage: str
) -> None:
    done = numbers(raw, tmp_path / "1", "SELECT id FROM task WHERE solutions AND parent NOT NULL")
    waiting = numbers(raw, tmp_path / "2", "SELECT id FROM task WHERE state = 0")
    said = damage.format(done=done[0], waiting=waiting[0])
    folder = changed(tmp_path / "run", raw, said)
    with pytest.raises(LedgerError, match=r"damaged.*exactcover run resume"):
        answer(folder)
    [record], found = resumed(folder)
    assert (record["status"], record["solutions"]) == ("complete", 480)
    assert found == solutions


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE run SET puzzle = 'cubic/tomacube'",
        "UPDATE run SET counted = 'all'",
        "UPDATE run SET width = 4",
        "UPDATE part SET number = 2",
        "UPDATE run SET id = 2",
    ],
)
def test_what_cannot_be_searched_again_is_refused(tmp_path: Path, raw: bytes, damage: str) -> None:
    folder = changed(tmp_path / "run", raw, damage)
    with pytest.raises(LedgerError, match=r"damaged.*begin again"):
        answer(folder)
    with pytest.raises(LedgerError, match=r"damaged.*begin again"):
        Run.open(folder)


def test_a_damaged_part_begins_again(tmp_path: Path) -> None:
    folders = [tmp_path / "1", tmp_path / "2"]
    for number, folder in enumerate(folders, 1):
        with Run.begin(folder, read_puzzles(PUZZLE), part=(number, 2)) as run:
            run.go_on()
    right = merge(folders, tmp_path / "right")[0].record()
    with sqlite3.connect(path_in(folders[1])) as connection:
        connection.execute("UPDATE task SET nofits = nofits + 1 WHERE parent IS NULL")
    connection.close()
    with pytest.raises(LedgerError, match="task 1 of cubic/somacube is damaged"):
        merge(folders, tmp_path / "both")
    with Run.open(folders[1]) as run:
        run.go_on()
    record = merge(folders, tmp_path / "both")[0].record()
    for key in ("status", "solutions", "fits", "nofits", "missing", "symmetries"):
        assert record[key] == right[key]

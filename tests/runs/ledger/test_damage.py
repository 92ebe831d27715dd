"""A flipped bit of a ledger is noticed, or harmless; a damaged ledger is refused by name."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from exactcover.errors import LedgerError
from exactcover.formats import read_puzzle
from exactcover.runs import Run, frontier, standing
from exactcover.runs.ledger.ledger import Ledger
from exactcover.runs.ledger.ledger_file import path_in
from tests.helpers.commands import refused
from tests.helpers.shuffled import AtOnce

PUZZLE = "somacube"


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a run that was stopped halfway."""
    folder = tmp_path_factory.mktemp("run")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(frontier, "LONGEST", 1e-9)
        patched.setattr(Run, "least", 1e-9)
        with Run.begin(folder, *read_puzzle(PUZZLE)) as run:
            there = run.go_on(AtOnce(), shown=lambda it: it.found > 240 and it.stop())
    assert there.totals.tasks_done > 2
    assert there.totals.tasks_waiting > 2
    return path_in(folder).read_bytes()


def answer(folder: Path) -> tuple[dict[str, Any], list[tuple[int, ...]]]:
    """The report of `status` on a ledger, and its solutions."""
    with closing(Ledger.open(folder)) as ledger:
        return standing(folder).record(), list(ledger.solutions())


def changed(folder: Path, raw: bytes, *statements: str) -> Path:
    """The ledger after some SQL."""
    folder.mkdir()
    path_in(folder).write_bytes(raw)
    with sqlite3.connect(path_in(folder)) as connection:
        for statement in statements:
            assert connection.execute(statement).rowcount
    connection.close()
    return folder


@pytest.mark.parametrize("flips", [12, pytest.param(100, marks=pytest.mark.slow)])
def test_each_flipped_bit_is_noticed_or_harmless(tmp_path: Path, raw: bytes, flips: int) -> None:
    folder = changed(tmp_path / "run", raw)
    right = answer(folder)
    noticed = 0
    for bit in Random(1).sample(range(8 * len(raw)), flips):
        flipped = bytearray(raw)
        flipped[bit // 8] ^= 1 << bit % 8
        path_in(folder).write_bytes(flipped)
        try:
            assert answer(folder) == right, bit
            with Run(folder) as run:
                there = run.go_on()
            assert (there.status, there.totals.solutions) == ("complete", 480), bit
        except LedgerError:
            noticed += 1
    assert 0 < noticed < flips


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE task SET solutions = solutions + 1 WHERE id = {done}",
        "UPDATE task SET state = 0 WHERE id = {done}",
        "UPDATE task SET state = 1 WHERE id = {waiting}",
        "UPDATE task SET nodes = x'00' WHERE id = {waiting}",
        "UPDATE task SET share = share / 2 WHERE id = {waiting}",
        "UPDATE task SET parent = parent + 1 WHERE id = {waiting}",
        "UPDATE task SET id = 1000000 WHERE id = {done}",
        "DELETE FROM task WHERE id = {waiting}",
        "DELETE FROM task WHERE parent IS NULL",
        "UPDATE task SET found = NULL WHERE id = {done}",
        "UPDATE task SET found = x'00' || substr(found, 2) WHERE id = {done}",
        "UPDATE run SET terms = replace(terms, 'somacube', 'tomacube')",
        "DELETE FROM run",
        "DELETE FROM task",
        "DROP TABLE run",
    ],
)
def test_damage_is_refused(tmp_path: Path, raw: bytes, damage: str) -> None:
    connection = sqlite3.connect(path_in(changed(tmp_path / "whole", raw)))
    [(done,)] = connection.execute("SELECT max(id) FROM task WHERE solutions AND parent NOT NULL")
    [(waiting,)] = connection.execute("SELECT min(id) FROM task WHERE state = 0")
    folder = changed(tmp_path / "run", raw, damage.format(done=done, waiting=waiting))
    for begin in (answer, Run):
        with pytest.raises(LedgerError, match=r"damaged.*restore a copy|no such table"):
            begin(folder)


def test_every_command_names_the_damaged_task(tmp_path: Path, raw: bytes) -> None:
    damage = "UPDATE task SET fits = fits + 1 WHERE id = 2"
    folder = changed(tmp_path / "run", raw, damage)
    for command in (
        ("run", "resume", folder),
        ("run", PUZZLE, "--dir", folder),
        ("run", "status", folder),
        ("run", "status", folder, "--solutions", tmp_path / "x.jsonl"),
    ):
        said = refused(*command)
        assert "task 2 is damaged: restore a copy of it" in said, command

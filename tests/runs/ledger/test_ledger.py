"""The ledger: nothing is lost, nothing counts twice, and every fault of the file is told."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.backends.base import Slice, Status
from exactcover.errors import LedgerError
from exactcover.runs.ledger.ledger import Ledger
from exactcover.runs.ledger.ledger_file import NAME, has_ledger, path_in
from exactcover.runs.workers import SearchOutcome
from tests.helpers.examples import few
from tests.helpers.ledgers import (
    OPTIONS,
    TERMS,
    finish,
    finish_some,
    new_ledger,
    numbers_in,
    searched,
)

ALL = list(range(OPTIONS))


# -- what it keeps --------------------------------------------------------------------------------


@few
@given(st.integers(0, 1 << 32))
def test_whatever_the_order_each_solution_is_there_once(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """Tasks are split anywhere, finished in any order, and some of them twice."""
    random = Random(seed)
    folder = new_ledger(tmp_path_factory.mktemp("run"))
    with closing(Ledger.open(folder)) as ledger:
        while tasks := ledger.waiting(5):
            task, nodes = random.choice(tasks)
            outcome = searched(nodes, random.randint(1, 200), random.randint(1, 3))
            assert finish(ledger, task, outcome)
            if random.random() < 0.5:
                assert not finish(ledger, task, searched(nodes, 7, 1))
            totals = ledger.totals()
            waiting = sum(
                last - first
                for _, ((subtree),) in ledger.waiting(1000)
                for first, last in [subtree.chosen]
            )
            assert totals.solutions + waiting == OPTIONS
            assert totals.done == pytest.approx(totals.solutions / OPTIONS)
        assert sorted(numbers_in(ledger)) == ALL
        assert list(ledger.solutions()) == [(number,) for number in ALL]
        totals = ledger.totals()
        assert (totals.solutions, totals.fits, totals.nofits) == (OPTIONS, OPTIONS, 2 * OPTIONS)
        assert totals.seconds == totals.tasks_done / 2
        assert totals.compiling == totals.tasks_done / 4


@pytest.mark.parametrize("options", [1 << 16, 1 << 17])
def test_solutions_of_any_size_are_kept(tmp_path: Path, options: int) -> None:
    random = np.random.default_rng(1)
    solutions = [
        tuple(sorted(random.choice(options, size, replace=False).tolist()))
        for size in random.integers(1, 9, 2000).tolist()
    ]
    solutions = [*{*solutions, (0, 255, 256, options - 1), ()}]
    new_ledger(tmp_path, replace(TERMS, options=options))
    with closing(Ledger.open(tmp_path)) as ledger:
        made = Slice.of(Status.DONE, solutions, found=len(solutions))
        finish(ledger, 1, SearchOutcome(made))
    with closing(Ledger.open(tmp_path)) as ledger:
        assert list(ledger.solutions()) == sorted(solutions)


def test_a_run_goes_on_while_its_solutions_are_read(tmp_path: Path) -> None:
    """Solutions found meanwhile are left out."""
    with (
        closing(Ledger.open(new_ledger(tmp_path))) as writing,
        closing(Ledger.open(tmp_path)) as reading,
    ):
        finish_some(writing, 10)
        found = reading.solutions()
        first = next(found)
        finish_some(writing, 10)
        assert len([first, *found]) == 100


def test_a_transaction_that_is_broken_off_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Ledger.open(new_ledger(tmp_path))) as ledger:
        [(task, nodes)] = ledger.waiting(1)

        def broken_off(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(Ledger, "seal", broken_off)
            with pytest.raises(KeyboardInterrupt):
                finish(ledger, task, searched(nodes, 10, 2))
        assert ledger.totals().tasks_waiting == 1
        assert ledger.totals().tasks_done == 0
        assert finish(ledger, task, searched(nodes, OPTIONS, 1))
        assert numbers_in(ledger) == ALL


def test_a_run_can_begin_where_one_was_broken_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken_off(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Ledger, "seal", broken_off)
        with pytest.raises(KeyboardInterrupt):
            new_ledger(tmp_path)
    assert not has_ledger(tmp_path)
    with closing(Ledger.open(new_ledger(tmp_path))) as ledger:
        assert ledger.totals().tasks_waiting == 1
    assert [one.name for one in tmp_path.iterdir()] == [NAME]


KILLED = """
import os, signal, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.executescript("PRAGMA cache_size = 5; BEGIN; CREATE TABLE a (b)")
for _ in range(200):
    connection.execute("INSERT INTO a VALUES (randomblob(4000))")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of a process")
def test_a_run_can_begin_where_one_was_killed_as_it_wrote(tmp_path: Path) -> None:
    path = path_in(tmp_path)
    subprocess.run([sys.executable, "-c", KILLED, path], check=False)
    assert path.stat().st_size > 0
    assert not has_ledger(tmp_path)
    with closing(Ledger.open(new_ledger(tmp_path))) as ledger:
        assert ledger.totals().tasks_waiting == 1


# -- files that are no ledger, or damaged ---------------------------------------------------------


def refused(folder: Path) -> str:
    """The message of a ledger that cannot be opened."""
    with pytest.raises(LedgerError) as caught:
        Ledger.open(folder).close()
    message = str(caught.value)
    assert message.startswith(str(path_in(folder)))
    return message


def test_each_file_that_is_no_ledger_is_told_for_what_it_is(tmp_path: Path) -> None:
    assert "there is no ledger here" in refused(tmp_path)
    assert "exactcover run PUZZLE --dir" in refused(tmp_path / "not" / "there")
    path = path_in(tmp_path)
    path.write_bytes(b"")
    assert "there is no ledger here" in refused(tmp_path)
    path.write_bytes(b"no database at all" * 100)
    assert "it is no ledger, or its beginning is lost" in refused(tmp_path)
    path.unlink()
    sqlite3.connect(path).executescript("CREATE TABLE mine (a); PRAGMA application_id = 7").close()
    assert "give a folder without ledger.sqlite" in refused(tmp_path)
    path.unlink()
    new_ledger(tmp_path)
    for form in (10, 12):
        sqlite3.connect(path).executescript(f"PRAGMA user_version = {form}").close()
        assert f"format {form}, and this version reads format 11" in refused(tmp_path)


def test_a_file_cut_short_is_noticed_at_every_length(tmp_path: Path) -> None:
    whole = new_ledger(tmp_path / "whole")
    with closing(Ledger.open(whole)) as ledger:
        finish_some(ledger, 40)
    raw = path_in(whole).read_bytes()
    lengths = {1, 15, 16, 17, 99, 100, 101, 511, 1024, 4095, 4096, 4097, len(raw) - 1}
    lengths |= {*range(0, len(raw), 4096)} | {*range(1, len(raw), 5003)}
    for length in lengths - {0}:
        part = tmp_path / "part"
        part.mkdir(exist_ok=True)
        path_in(part).write_bytes(raw[:length])
        assert "cut short" in (told := refused(part)) or "beginning is lost" in told, length


# -- disks ----------------------------------------------------------------------------------------

LIMITED = """
import resource, sys
from contextlib import closing
from pathlib import Path
from exactcover.errors import LedgerError
from exactcover.runs.ledger.ledger import Ledger
from tests.helpers.ledgers import finish_some
folder = Path(sys.argv[1])
with closing(Ledger.open(folder)) as ledger:
    if sys.argv[2] != "0":
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
    for number in range(10_000):
        try:
            finish_some(ledger, 1)
        except LedgerError as error:
            print(number, error)
            break
"""


def filled(folder: Path, most_bytes: int) -> tuple[int, str]:
    """Finish tasks until the disk takes no more: how many were finished, and the message."""
    run = subprocess.run(
        [sys.executable, "-c", LIMITED, folder, str(most_bytes)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    finished, message = run.stdout.split(" ", 1)
    return int(finished), message


@pytest.mark.skipif(os.name != "posix", reason="limits of a process")
@pytest.mark.parametrize("most_bytes", [21_000, 26_000])
def test_a_limit_on_the_size_of_files_loses_no_finished_task(
    tmp_path: Path, most_bytes: int
) -> None:
    finished, message = filled(new_ledger(tmp_path), most_bytes)
    assert "ulimit -f" in message
    assert "no finished task is lost" in message
    with closing(Ledger.open(tmp_path)) as ledger:
        assert ledger.totals().tasks_done == finished
        assert len(numbers_in(ledger)) == ledger.totals().solutions == 10 * finished
        finish_some(ledger, OPTIONS)
        assert sorted(numbers_in(ledger)) == ALL


def test_a_full_disk_loses_no_finished_task(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=56k", "tmpfs", str(small)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("no right to mount a small disk")
    try:
        finished, message = filled(new_ledger(small), 0)
        assert "the disk is full: make room, then resume" in message
        with closing(Ledger.open(small)) as ledger:
            assert ledger.totals().tasks_done == finished
            assert len(numbers_in(ledger)) == 10 * finished
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_a_ledger_on_a_disk_that_cannot_be_written_can_be_read(tmp_path: Path) -> None:
    folder = new_ledger(tmp_path / "run")
    with closing(Ledger.open(folder)) as ledger:
        finish_some(ledger, 5)
    bind = ["sh", "-c", f"mount --bind {folder} {folder} && mount -o remount,ro,bind {folder}"]
    if subprocess.run(bind, capture_output=True, check=False).returncode:
        pytest.skip("no right to mount")
    try:
        with closing(Ledger.open(folder)) as ledger:
            assert ledger.totals().tasks_done == 5
            with pytest.raises(LedgerError, match="cannot be written"):
                finish_some(ledger, 1)
    finally:
        subprocess.run(["umount", str(folder)], check=True)

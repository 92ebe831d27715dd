"""Dask workers search as one process does, also where some are killed or cannot be reached."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from time import sleep

import pytest

import exactcover as ec
from exactcover.runs import Dask, standing
from exactcover.runs.ledger.ledger_file import path_in
from tests.helpers.commands import PATIENCE
from tests.helpers.shuffled import job_of

if find_spec("distributed") is None:  # to import it takes a second
    pytest.skip("there is no distributed", allow_module_level=True)
else:
    from exactcover.runs import cluster
    from exactcover.runs.cluster import DaskCluster

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are enlisted at once."""
    monkeypatch.setattr(Dask, "alone", -1.0)


def dask(*words: str) -> subprocess.Popen[bytes]:
    """A program of Dask in a process of its own."""
    command = [sys.executable, "-m", "dask", *words]
    return subprocess.Popen(
        command, cwd=REPOSITORY, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


@contextmanager
def scheduling() -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A scheduler that has no workers, and its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    with ended(dask("scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")) as [one]:
        yield f"tcp://127.0.0.1:{port}", one


@contextmanager
def ended(*running: subprocess.Popen[bytes]) -> Iterator[tuple[subprocess.Popen[bytes], ...]]:
    """Programs that are ended afterwards."""
    try:
        yield running
    finally:
        for one in running:
            one.kill()
            one.wait()


WORKER = ("--nthreads", "1", "--no-dashboard", "--no-nanny")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a scheduler that has no workers."""
    with scheduling() as (address, _):
        yield address


@pytest.fixture
def workers(scheduler: str) -> Iterator[tuple[subprocess.Popen[bytes], ...]]:
    """Two workers of the scheduler, with a thread each."""
    with ended(*(dask("worker", scheduler, *WORKER) for _ in range(2))) as running:
        yield running


def test_a_scheduler_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "WAIT_FOR_SCHEDULER", 0.5)
    with pytest.raises(ec.ExactCoverError, match="no Dask scheduler answers at tcp:"):
        ec.count(ec.read("pentominoes_10x6"), strategy="fila:f", team=Dask("tcp://127.0.0.1:9"))


def test_a_scheduler_without_workers(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "WAIT_FOR_WORKERS", 0.5)
    with pytest.raises(ec.ExactCoverError, match="has no workers: start some with `dask worker"):
        DaskCluster(job_of("somacube", "dlx:s"), scheduler)


@pytest.mark.slow
def test_two_workers_of_which_one_is_killed(
    scheduler: str, workers: tuple[subprocess.Popen[bytes], ...]
) -> None:
    puzzle = ec.read("pentominoes_10x6")
    alone = ec.Solving(puzzle, strategy="fila:f").run()
    solving = ec.Solving(puzzle, strategy="fila:f", team=Dask(scheduler))
    killed = False
    while solving.step():
        if not killed and solving.progress > 0.2:
            os.killpg(workers[0].pid, signal.SIGKILL)
            killed = True
    assert killed
    result = solving.result
    assert (result.solutions, result.fits, result.nofits) == (2339, alone.fits, alone.nofits)


@pytest.mark.slow
def test_a_scheduler_that_ends_is_an_error(tmp_path: Path) -> None:
    """One line says so, without a traceback of Dask's."""
    asked = ("run", "PT12", "--strategy", "fila:f", "--dir", str(tmp_path))
    with scheduling() as (address, running), ended(dask("worker", address, *WORKER)):
        command = [sys.executable, "-m", "exactcover", *asked, "--cluster", address]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        while not (path_in(tmp_path).exists() and standing(tmp_path).totals.tasks_done):
            assert process.poll() is None
            sleep(0.1)
        running.kill()
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert said == f"exactcover: the connection to the scheduler at {address} is lost\n"

"""Processes search as one does, whatever ends them; and none is left behind."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

import numpy as np
import pytest

import exactcover as ec
from exactcover.backends.base import Status
from exactcover.backends.node import Node
from exactcover.runs import Processes
from exactcover.runs.executors import Work
from exactcover.runs.frontier import TeamSearch
from exactcover.runs.processes import process_pool
from exactcover.runs.workers import EVERYTHING, SearchJob, SearchOutcome, SearchTask
from tests.helpers.examples import some
from tests.helpers.shuffled import AtOnce, job_of
from tests.helpers.summed import Summed

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="it reads /proc")

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes are started at once."""
    monkeypatch.setattr(Processes, "alone", -1.0)


def children(process: int) -> list[int]:
    """The processes that a process has started and that have not ended, but the tracker of
    semaphores."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = status.read_text().rpartition(")")[2].split()[:2]
            words = status.with_name("cmdline").read_bytes()
        except OSError:
            continue
        if int(parent) == process and state != "Z" and b"spawn_main" in words:
            found.append(int(status.parent.name))
    return found


def ended(processes: list[int]) -> bool:
    """Whether all these processes end within a while."""
    patience = monotonic() + 60
    while monotonic() < patience:
        if not any(Path(f"/proc/{one}").exists() for one in processes):
            return True
        sleep(0.05)
    return False


@pytest.mark.parametrize(
    ("name", "strategy", "counted"),
    some(
        [
            ("pentominoes_20x3", "redundancy; volume; fila:f", "rotations"),
            ("somacube", "fila:e; fila:f@3", "all"),
            ("pentominoes_20x3", "redundancy=none; dlx:s", "reflections"),
            ("rods_6", "redundancy=none; bsx:s", "rotations"),
        ],
        one_in=4,
    ),
)
def test_processes_find_what_one_finds(name: str, strategy: str, counted: str) -> None:
    job = job_of(name, strategy, counted)
    alone = ec.Solving(ec.read(name), strategy=strategy, counted=counted)
    wanted = sorted(one.options for one in alone)
    search = Summed(TeamSearch(job, AtOnce(lambda job: process_pool(job, 2), 0.001)))
    found: list[tuple[int, ...]] = []
    status = Status.BUDGET
    while status is not Status.DONE:
        batch = search.advance(100, capacity=50)
        found += [batch.solution(number) for number in range(len(batch))]
        status = batch.status
    assert sorted(found) == wanted
    report = search.report()
    assert (report.fits, report.nofits) == (alone.result.fits, alone.result.nofits)


def test_a_killed_worker_costs_nothing() -> None:
    solving = ec.Solving(ec.read("pentominoes_10x6"), strategy="fila:f", team=Processes(2))
    killed = False
    while solving.step():
        if not killed and solving.progress > 0.1 and (workers := children(os.getpid())):
            os.kill(workers[0], signal.SIGKILL)
            killed = True
    assert killed
    alone = ec.Solving(ec.read("pentominoes_10x6"), strategy="fila:f").run()
    result = solving.result
    assert (result.solutions, result.fits, result.nofits) == (2339, alone.fits, alone.nofits)


def test_arrays_in_a_worker_are_of_the_types_that_they_have_here() -> None:
    """Else numba compiles all kernels again in each process."""
    plan = job_of("somacube", "fila:f").plan
    assert plan.subject.layout is not None
    copy = pickle.loads(pickle.dumps(plan))
    for one, other in ((plan.subject.layout, copy.subject.layout), (plan.problem, copy.problem)):
        arrays = {name for name, value in vars(one).items() if isinstance(value, np.ndarray)}
        assert arrays
        for name in arrays:
            here, there = getattr(one, name), getattr(other, name)
            assert (here.dtype, here.flags.writeable) == (there.dtype, there.flags.writeable), name


@dataclass(frozen=True)
class Deadly(Work[Path, str]):
    """Work whose tasks end their process, some after they have noted it in a file."""

    tries: int

    def begin(self) -> Callable[[Path], Iterator[str | None]]:
        return self._do

    def _do(self, notes: Path) -> Iterator[str | None]:
        with notes.open("a") as file:
            file.write("x")
        if len(notes.read_text()) < 2:
            os.kill(os.getpid(), signal.SIGKILL)
        yield "done"

    def lost(self, notes: Path, reason: str) -> str:
        return reason


@pytest.mark.parametrize(
    ("tries", "answer"), some([(1, "its worker was ended"), (2, "done")], one_in=2, first=1)
)
def test_a_task_that_ends_its_workers_is_lost_after_some_tries(
    tmp_path: Path, tries: int, answer: str
) -> None:
    with closing(process_pool(Deadly(tries), 1)) as pool:
        pool.submit(7, tmp_path / "notes")
        [(number, said)] = pool.finished(120)
    assert number == 7
    assert said.startswith(answer)
    assert len((tmp_path / "notes").read_text()) == tries


def test_workers_end_with_their_search() -> None:
    before = set(children(os.getpid()))
    with ec.solve(ec.read("PT12"), team=Processes(2)) as solving:
        mine: set[int] = set()
        while len(mine) < 2 and solving.step():  # they start one after the other
            mine = set(children(os.getpid())) - before
        assert len(mine) == 2
    assert ended([*mine])


LONG = "-m exactcover count PT12 --strategy fila:f --processes --workers 2"


@pytest.fixture
def long_run() -> Iterator[tuple[subprocess.Popen[bytes], list[int]]]:
    """A long count by two processes, and these."""
    with subprocess.Popen(
        [sys.executable, *LONG.split()],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as run:
        patience = monotonic() + 120
        while len(children(run.pid)) < 2 and monotonic() < patience:
            sleep(0.05)
        workers = children(run.pid)
        try:
            yield run, workers
        finally:
            run.kill()
    assert len(workers) == 2


def test_no_worker_outlives_a_killed_parent(
    long_run: tuple[subprocess.Popen[bytes], list[int]],
) -> None:
    run, workers = long_run
    run.kill()
    assert ended(workers)


@pytest.mark.slow
@pytest.mark.parametrize("moment", [0.0, 1.5])
def test_ctrl_c_ends_a_run_with_its_result(
    long_run: tuple[subprocess.Popen[bytes], list[int]], moment: float
) -> None:
    """The whole group hears it, as at a terminal; the workers say nothing."""
    run, workers = long_run
    sleep(moment)
    os.killpg(run.pid, signal.SIGINT)
    said, faults = run.communicate(timeout=60)
    assert run.returncode == 130
    assert b"Traceback" not in faults
    assert b"interrupted" in said + faults
    assert ended(workers)


# -- errors, and what is a user's own -------------------------------------------------------------


def answer(job: SearchJob, task: SearchTask) -> SearchOutcome:
    """The answer of a process to a task."""
    with closing(process_pool(job, 1)) as pool:
        pool.submit(1, task)
        [(_, outcome)] = pool.finished(120)
    return outcome


def test_an_error_of_a_worker_is_raised_here() -> None:
    with pytest.raises(RuntimeError, match="IndexError") as caught:
        answer(
            job_of("somacube", "dlx:s"), SearchTask((Node((0, 0), np.ones(3, bool), 5, 0.5),), 1.0)
        )
    assert "in a worker:" in caught.value.__notes__[0]


PLUGIN = """
import numpy as np
import exactcover as ec

@ec.heuristic("from-the-right", "the open cell farthest to the right")
def from_the_right(cell, state):
    return -state.positions[cell, 0]

@ec.option_filter("odd-one-out", "all, but fails on a subtree", symmetric=True)
def odd_one_out(tree):
    if tree.chosen:
        raise ValueError("this filter dislikes subtrees")
    return np.ones(tree.problem.n_options, bool)
"""


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    path = tmp_path / "of_my_own.py"
    path.write_text(PLUGIN)
    ec.load_plugin(path)
    return path


def test_workers_know_a_heuristic_of_a_plugin_file(plugin: Path) -> None:
    """The file may be gone by then."""
    with closing(process_pool(job_of("somacube", "dlx:from-the-right"), 1)) as pool:
        plugin.unlink()
        pool.submit(1, SearchTask(EVERYTHING, 1e9))
        assert [outcome.made.found for _, outcome in pool.finished(120)] == [480]


def test_a_filter_that_fails_in_a_worker_is_an_error_with_its_message(plugin: Path) -> None:
    with pytest.raises(ec.StrategyError, match="this filter dislikes subtrees"):
        answer(job_of("somacube", "odd-one-out@3; dlx:s"), SearchTask(EVERYTHING, 1e9))

"""A search over an executor finds what one search finds, however it is cut up."""

from __future__ import annotations

import gc
import pickle
import weakref
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends.base import Batch, Search, Status, Task
from exactcover.runs import jobs
from exactcover.runs.executors import Executor, Pool, Work, thread_pool
from exactcover.runs.jobs import EVERYTHING, BundleOutcome, Portion, SearchJob, TreePart, Worker
from exactcover.runs.pooled import PooledSearch, Sharing
from exactcover.search import driver
from exactcover.search.engine import start_cutting
from exactcover.search.plan import Plan, make_plan
from exactcover.search.planned import PlannedSearch
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from tests.helpers.drawn_plans import LATTICES, drawn_plan
from tests.helpers.drawn_strategies import drawn_strategy, found_by
from tests.helpers.examples import few, some
from tests.helpers.shuffled import InProcess, done
from tests.helpers.small_problems import problems

AT_ONCE = Sharing(alone=-1.0, least=0.0)


@pytest.fixture(autouse=True)
def at_once() -> Iterator[None]:
    """Workers are enlisted after the first slice, which is short."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(driver, "MOST_STEPS", 2000)
        yield


@pytest.fixture
def tiny() -> Iterator[None]:
    """Even a small search is split."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(jobs, "Pace", lambda: driver.Pace(20))
        patched.setattr(driver, "MOST_STEPS", 20)
        yield


class Here:
    """A team whose only worker is this process, which hands back what it can at once."""

    any_order = False

    def crew(self) -> None:
        return None

    def start(self, plan: Plan, strategy: Strategy, *, tally: bool = False) -> Search:
        return PooledSearch(SearchJob(plan, strategy, tally=tally), InProcess, AT_ONCE)


def check(plan: Plan, data: st.DataObject, *, geometry: bool) -> None:
    strategy = drawn_strategy(data, plan.problem, geometry=geometry)
    alone = start_cutting(plan, strategy, Task(tally=True))
    wanted = sorted(found_by(alone, 1 << 16, 100))
    job = SearchJob(plan, strategy, tally=True)
    steps, capacity = data.draw(st.sampled_from((1, 3, 100))), data.draw(st.integers(1, 3))
    together = PooledSearch(job, lambda: Copying(InProcess()), AT_ONCE)
    assert sorted(found_by(together, steps, capacity)) == wanted
    assert together.report().found == len(wanted)
    assert together.report().progress == 1
    lists = strategy.stepwise and any(stage.backend == "fila" for stage in strategy.stages)
    if not lists and (plan.problem.low == plan.problem.high).all():
        one, other = together.report(), alone.report()
        assert (one.fits, one.nofits, one.tally) == (other.fits, other.nofits, other.tally)
    counting = PooledSearch(job, InProcess, AT_ONCE)
    before = 0.0
    while counting.advance(steps, keep=False).status is not Status.DONE:
        assert before - 1e-9 <= counting.report().progress <= 1 + 1e-9
        before = counting.report().progress
    assert counting.report().found == len(wanted)


class Copying:
    """An executor whose job, bundles and outcomes travel as bytes."""

    def __init__(self, executor: Executor[Portion, BundleOutcome]) -> None:
        self._executor = executor

    @property
    def number(self) -> int:
        return self._executor.number

    @property
    def ready(self) -> bool:
        return self._executor.ready

    def start(self, work: Work[Portion, BundleOutcome]) -> None:
        self._executor.start(pickle.loads(pickle.dumps(work)))

    def submit(self, number: int, task: Portion) -> None:
        self._executor.submit(number, pickle.loads(pickle.dumps(task)))

    def finished(self, wait: float) -> list[tuple[int, BundleOutcome]]:
        return pickle.loads(pickle.dumps(self._executor.finished(wait)))  # type: ignore[no-any-return]

    def close(self) -> None:
        self._executor.close()


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("name", LATTICES)
@given(data=st.data())
@few
def test_tilings(name: str, data: st.DataObject) -> None:
    check(drawn_plan(data, name), data, geometry=True)


@pytest.mark.usefixtures("tiny")
@given(data=st.data())
def test_plain_problems(data: st.DataObject) -> None:
    features = data.draw(
        st.sampled_from((("secondary", "multiplicities"), ("secondary", "colours")))
    )
    problem = data.draw(problems(frozenset(features)))
    check(make_plan(Subject(problem), Strategy.parse("dlx:s")), data, geometry=False)


@pytest.mark.parametrize("counted", some(["rotations", "all", "reflections"], one_in=3))
@pytest.mark.parametrize(
    "strategy",
    ["redundancy; volume; dlx:s; fila:f@9", "redundancy=none; dlx:s", "volume-trigger; dlx:s"],
)
@pytest.mark.parametrize("keep", [True, False])
def test_solutions_and_their_symmetries(counted: str, strategy: str, keep: bool) -> None:
    """With a canonical test in the workers, and a reader that takes a few solutions at a time."""
    for name in ("pentominoes_20x3", "rods_6"):
        puzzle = ec.read(name)
        alone = ec.Solving(puzzle, counted=counted, strategy=strategy)
        here = ec.Solving(puzzle, counted=counted, strategy=strategy, team=Here())
        if keep:
            assert {one.options for one in here} == {one.options for one in alone}
        else:
            alone.run(), here.run()
        for field in ("solutions", "fits", "nofits", "symmetric", "status"):
            assert getattr(here.result, field) == getattr(alone.result, field)


@pytest.mark.parametrize("steps", [50, 500])
@pytest.mark.parametrize("slices", [200, 2000])
def test_the_nodes_are_the_same_wherever_the_tree_is_split(
    slices: int, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a part is handed back just above the stage that takes over."""

    class Steady(driver.Pace):
        def __init__(self) -> None:
            super().__init__(slices)

        def learn(self, seconds: float, *, spent: bool = True) -> None:
            """Stay as it is."""

    monkeypatch.setattr(jobs, "Pace", Steady)
    strategy = Strategy.parse("redundancy; volume; dlx:s; fila:f@9")
    plan = make_plan(Subject.of(ec.read("pentominoes_20x3")), strategy)
    search = PooledSearch(SearchJob(plan, strategy), InProcess, AT_ONCE)
    while search.advance(steps, keep=False).status is not Status.DONE:
        pass
    report = search.report()
    assert (report.found, report.fits, report.nofits) == (2, 9613, 1903)


@pytest.mark.parametrize("name", ["pentominoes_20x3", "rods_6"])
@pytest.mark.parametrize("counted", ["all", "rotations", "reflections"])
def test_symmetries_add_up_at_any_time(counted: str, name: str) -> None:
    """Some solutions of the rods have symmetries, others have none."""
    strategy = Strategy.parse("redundancy=none; fila:f")
    search = PlannedSearch(Subject.of(ec.read(name), counted), strategy, team=Here())
    status = Status.BUDGET
    while status is not Status.DONE:
        status = search.advance(1000, capacity=1).status
        if counted != "all":
            assert sum(search.report().symmetric.values()) == search.report().found


def test_a_count_by_orbits_is_not_judged() -> None:
    puzzle = ec.read("pentominoes_20x3")
    assert ec.count(puzzle, counted="all", team=Here()) == 8


@pytest.mark.parametrize("seed", some(range(4), one_in=4))
def test_solutions_are_counted_once_whether_kept_or_not(seed: int) -> None:
    drawn = Random(seed)
    model, strategy = ec.read("pentominoes_20x3").model, Strategy.parse("fila:f")
    plan = make_plan(Subject(model.problem, model), strategy)
    search = PooledSearch(SearchJob(plan, strategy), InProcess, AT_ONCE)
    handed, counted, status = 0, 0, Status.BUDGET
    while status is not Status.DONE:
        keep, before = drawn.random() < 0.5, search.report().found
        batch: Batch = search.advance(20, capacity=drawn.choice((1, 3, 100)), keep=keep)
        assert keep or not len(batch)
        handed += len(batch)
        counted += search.report().found - before - len(batch)
        status = batch.status
    assert handed + counted == search.report().found == 8


def test_a_limit_is_kept() -> None:
    puzzle = ec.read("pentominoes_10x6")
    for limit in (0, 1, 7, 300):
        solving = ec.solve(puzzle, limit=limit, team=Here())
        assert len(list(solving)) == limit
        assert solving.result.status == "limit"


def test_an_executor_is_closed_when_its_search_is_dropped() -> None:
    closed = []

    class Noted(InProcess):
        def close(self) -> None:
            closed.append(self)
            super().close()

    model, strategy = ec.read("pentominoes_10x6").model, Strategy.parse("dlx:s")
    plan = make_plan(Subject(model.problem, model), strategy)
    search = PooledSearch(SearchJob(plan, strategy), Noted, AT_ONCE)
    for _ in range(5):
        search.advance(100)
    closed.clear()
    dropped = weakref.ref(search)
    gc.disable()
    try:
        del search
        assert dropped() is None
        assert len(closed) == 1
    finally:
        gc.enable()


def test_a_search_by_workers_says_that_it_cannot_be_copied() -> None:
    with ec.solve(ec.read("pentominoes_10x6"), team=Here()) as solving:
        next(solving)
        with pytest.raises(ec.ExactCoverError, match="neither copied nor pickled"):
            pickle.dumps(solving)


def test_threads_do_bundles() -> None:
    model, strategy = ec.read("pentominoes_10x6").model, Strategy.parse("fila:f")
    job = SearchJob(make_plan(Subject(model.problem, model), strategy), strategy)
    pool: Pool[Portion, BundleOutcome] = thread_pool(3)
    search = PooledSearch(job, lambda: pool, AT_ONCE)
    while search.advance(100, keep=False).status is not Status.DONE:
        pass
    assert search.report().found == 9356


def test_an_error_of_a_thread_is_raised() -> None:
    model, strategy = ec.read("somacube").model, Strategy.parse("dlx:s")
    pool: Pool[Portion, BundleOutcome] = thread_pool(1)
    pool.start(SearchJob(make_plan(Subject(model.problem, model), strategy), strategy))
    pool.submit(1, Portion((TreePart(Task((0, 0), np.ones(3, bool)), 5, 0.5),), 1.0))
    with pytest.raises(IndexError):
        pool.finished(60)
    pool.close()


def test_a_subtree_pickles_compactly_and_is_the_same_search() -> None:
    model, strategy = ec.read("tetriscube").model, Strategy.parse("volume-trigger; dlx:s")
    worker = Worker(SearchJob(make_plan(Subject(model.problem, model), strategy), strategy))
    [*_, first] = done(worker, EVERYTHING, 0.0).rest
    assert len(pickle.dumps(first)) < model.problem.n_options / 8 + 500
    subtree = first[0]
    copy: TreePart = pickle.loads(pickle.dumps(subtree))
    assert copy.task.chosen == subtree.task.chosen
    assert copy.task.allowed is not None
    assert subtree.task.allowed is not None
    assert copy.task.allowed.dtype == np.bool_
    assert (copy.task.allowed == subtree.task.allowed).all()
    assert (copy.remaining, copy.share) == (subtree.remaining, subtree.share)


def test_a_worker_with_many_solutions_hands_back_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exactcover.runs.jobs.MOST_KEPT", 50)
    model, strategy = ec.read("pentominoes_10x6").model, Strategy.parse("fila:f")
    worker = Worker(SearchJob(make_plan(Subject(model.problem, model), strategy), strategy))
    outcome = done(worker, EVERYTHING, 1e9)
    assert 50 < outcome.found < 9356
    assert outcome.rest

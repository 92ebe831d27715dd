"""Whatever is done in whatever order, workers together find what a plain listing finds.

Everything is drawn: the problem, the strategy, the budgets, when workers do a slice, when they
answer, when a run stops and who goes on with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.backends.base import Branching, Status
from exactcover.formats import Document
from exactcover.problem import Problem
from exactcover.runs import Run, standing, workers
from exactcover.runs.frontier import TeamSearch
from exactcover.runs.ledger.ledger import Ledger
from exactcover.runs.workers import SearchJob, SearchOutcome, SearchTask
from exactcover.search.clock import Pace
from exactcover.search.plan import Plan, make_plan
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from tests.helpers import naive
from tests.helpers.drawn_strategies import LATTICES, drawn_plan, drawn_strategy, found_by
from tests.helpers.examples import few
from tests.helpers.shuffled import AtOnce, Shuffled
from tests.helpers.small_problems import problems_with_places
from tests.helpers.summed import Summed, searched

FEATURES = st.sampled_from((("secondary", "multiplicities"), ("secondary", "colours")))


@pytest.fixture(autouse=True)
def small_slices() -> Iterator[None]:
    """A slice is three choices, and a task hands back what it can after the first of them."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(workers, "Pace", Steady)
        patched.setattr(Run, "least", 0.0)
        yield


class Steady(Pace):
    """Slices of three choices, however long they take."""

    def __init__(self) -> None:
        super().__init__(3)

    def learn(self, *, spent: bool = True) -> None:
        """Stay as it is."""


def drawn_problem(data: st.DataObject) -> Problem:
    return data.draw(problems_with_places(frozenset(data.draw(FEATURES))))


def is_exact(plan: Plan, strategy: Strategy) -> bool:
    """Whether fits and no-fits do not depend on where the tree is split."""
    lists = strategy.stepwise and any(stage.backend == "fila" for stage in strategy.stages)
    return not lists and bool((plan.problem.low == plan.problem.high).all())


def check_pool(plan: Plan, strategy: Strategy, wanted: list[tuple[int, ...]], seed: int) -> None:
    """A reader with changing budgets, who at times only counts, over workers in any order."""
    drawn = Random(seed)
    alone = searched(plan, strategy, Branching(tally=True))
    listed = found_by(alone, 1 << 16, 100)
    assert sorted(listed) == wanted
    keeps = drawn.choice((1.0, 0.5, 0.0))
    made: list[Shuffled[SearchTask, SearchOutcome]] = []

    def recruit(job: SearchJob) -> Shuffled[SearchTask, SearchOutcome]:
        made.append(Shuffled(job, drawn))
        return made[0]

    team = AtOnce(recruit, drawn.choice((0.0, 0.001)))
    search = Summed(TeamSearch(SearchJob(plan, strategy, tally=True), team))
    found: list[tuple[int, ...]] = []
    counted, status = 0, Status.BUDGET
    while status is not Status.DONE:
        keep, capacity = drawn.random() < keeps, drawn.randint(1, 4)
        before = search.report()
        batch = search.advance(drawn.choice((1, 3, 10)), capacity=capacity, keep=keep)
        after, status = search.report(), batch.status
        assert len(batch) <= (capacity if keep else 0)
        assert before.progress - 1e-9 <= after.progress <= 1 + 1e-9
        if made and made[0].open:  # workers are in several places
            assert after.progress < 1
            assert (after.position, after.chosen) == ((), ())
        found += [batch.solution(number) for number in range(len(batch))]
        counted += after.found - before.found - len(batch)
    report = search.report()
    assert len(found) + counted == report.found == len(wanted)
    assert len(set(found)) == len(found)
    assert set(found) <= set(wanted)
    if keeps == 1.0:
        assert sorted(found) == wanted
        steady = not strategy.stepwise and all(one.backend != "dlx" for one in strategy.stages)
        assert found == listed or not steady
    if is_exact(plan, strategy):
        one = alone.report()
        assert (report.fits, report.nofits, report.tally) == (one.fits, one.nofits, one.tally)
    assert search.advance(1).status is Status.DONE
    assert all(executor.closed for executor in made)


@given(data=st.data(), seed=st.integers(0, 1 << 32))
def test_a_pool_finds_the_solutions_of_plain_problems(data: st.DataObject, seed: int) -> None:
    problem = drawn_problem(data)
    strategy = drawn_strategy(data, problem, geometry=False)
    plan = make_plan(Subject(problem), Strategy.parse("dlx:s"))
    check_pool(plan, strategy, sorted(naive.solutions(problem)), seed)


@pytest.mark.parametrize("name", LATTICES)
@given(data=st.data(), seed=st.integers(0, 1 << 32))
@few
def test_a_pool_finds_the_tilings(name: str, data: st.DataObject, seed: int) -> None:
    plan = drawn_plan(data, name)
    strategy = drawn_strategy(data, plan.problem, geometry=True)
    check_pool(plan, strategy, sorted(naive.solutions(plan.problem)), seed)


@given(data=st.data(), seed=st.integers(0, 1 << 32))
@few
def test_runs_that_stop_and_go_on_keep_each_solution_once(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, seed: int
) -> None:
    """Each part of the tree in a ledger of its own."""
    drawn, problem = Random(seed), drawn_problem(data)
    document = Document("drawn", problem)
    strategy = Strategy.parse(drawn.choice(("dlx:s", "bsx:s") if is_plain(problem) else ("dlx:s",)))
    wanted = sorted(naive.solutions(problem))
    folder, parts = tmp_path_factory.mktemp("runs"), drawn.randint(1, 3)
    left = [*range(1, parts + 1)]
    while left:
        part = drawn.choice(left)
        place = folder / str(part)
        with Run.begin(place, document, strategy=strategy, part=(part, parts)) as run:
            go_on(run, drawn)
        with Run(place) as run:
            if not run.standing().totals.tasks_waiting:
                left.remove(part)
        check_so_far(place, wanted)
    places = [folder / str(part) for part in range(1, parts + 1)]
    summed = standing(*places)
    assert summed.status in ("complete", "impossible")
    assert sorted(one for place in places for one in check_so_far(place, wanted)) == wanted
    plan = make_plan(Subject.of(problem), strategy)
    if is_exact(plan, strategy) and not plan.reason:
        alone = searched(plan, strategy, Branching(tally=True))
        found_by(alone, 1 << 16, 100)
        report = alone.report()
        assert (summed.totals.fits, summed.totals.nofits) == (report.fits, report.nofits)


def is_plain(problem: Problem) -> bool:
    return bool((problem.high == 1).all()) and not problem.colours.any()


def go_on(run: Run, drawn: Random) -> None:
    """Search for a while, by workers in a random order."""
    patience = drawn.choice((0, 1, 3, 10, 1000))

    def answered() -> None:
        nonlocal patience
        patience -= 1
        if patience < 0:
            run.stop()

    if patience == 0:
        run.stop()
    team = AtOnce(lambda job: Shuffled(job, drawn, answered))
    assert run.go_on(team).totals.solutions == run.found


def check_so_far(folder: Path, wanted: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The solutions of a ledger, which are some of those wanted, each once."""
    with closing(Ledger.open(folder)) as ledger:
        found = [*ledger.solutions()]
        assert len(found) == ledger.totals().solutions
    assert len(set(found)) == len(found)
    assert set(found) <= set(wanted)
    return found

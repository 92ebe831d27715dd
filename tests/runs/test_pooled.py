"""A search over an executor finds what one search finds, however it is cut up."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import exactcover as ec
from exactcover.backends.base import Status
from exactcover.runs import workers
from exactcover.runs.frontier import TeamSearch
from exactcover.runs.workers import EVERYTHING
from exactcover.search import clock
from exactcover.search.begun import begin_listing
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from tests.helpers.examples import some
from tests.helpers.shuffled import AtOnce, done, job_of
from tests.helpers.summed import Summed


@pytest.fixture(autouse=True)
def at_once() -> Iterator[None]:
    """Workers are enlisted after the first slice, which is short."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(clock, "MOST_STEPS", 2000)
        yield


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
        here = ec.Solving(puzzle, counted=counted, strategy=strategy, team=AtOnce())
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

    class Steady(clock.Pace):
        def __init__(self) -> None:
            super().__init__(slices)

        def learn(self, *, spent: bool = True) -> None:
            """Stay as it is."""

    monkeypatch.setattr(workers, "Pace", Steady)
    job = job_of("pentominoes_20x3", "redundancy; volume; dlx:s; fila:f@9")
    search = Summed(TeamSearch(job, AtOnce()))
    while search.advance(steps, keep=False).status is not Status.DONE:
        pass
    report = search.report()
    assert (report.found, report.fits, report.nofits) == (2, 9613, 11885)


@pytest.mark.parametrize("name", ["pentominoes_20x3", "rods_6"])
@pytest.mark.parametrize("counted", ["all", "rotations", "reflections"])
def test_symmetries_add_up_at_any_time(counted: str, name: str) -> None:
    """Some solutions of the rods have symmetries, others have none."""
    strategy = Strategy.parse("redundancy=none; fila:f")
    begun = begin_listing(Subject.of(ec.read(name), counted), strategy, team=AtOnce())
    search = Summed(begun.search)
    status = Status.BUDGET
    while status is not Status.DONE:
        status = search.advance(1000, capacity=1).status
        if counted != "all":
            assert sum(search.report().symmetric.values()) == search.report().found


def test_a_worker_with_many_solutions_hands_back_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactcover.runs.workers.MOST_KEPT", 50)
    outcome = done(job_of("pentominoes_10x6", "fila:f", "all"), EVERYTHING, 1e9)
    assert 50 < outcome.made.found < 9356
    assert outcome.rest

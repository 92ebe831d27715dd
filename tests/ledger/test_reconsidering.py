"""The choice of a long run may change between its tasks; what comes out may not."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from exactcover.formats import read_puzzles
from exactcover.ledger import Run, merge, reconsidering, resuming, standings
from exactcover.ledger.ledger import Choice, Ledger, Totals
from exactcover.ledger.listing import in_order
from exactcover.ledger.reconsidering import Reconsidering
from exactcover.ledger.terms import prepared_again
from exactcover.runs.executors import Executor, InProcess, ThreadPool
from exactcover.search import Solving
from exactcover.search.automatic import Candidate, candidates
from exactcover.search.plan import Plan

PUZZLE = "pentominoes_10x6"

SLOW = Choice("redundancy; volume; dlx:s")


@pytest.fixture(autouse=True)
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks of some milliseconds, so that there are many."""
    monkeypatch.setattr(resuming, "LONGEST", 0.02)
    monkeypatch.setattr(resuming, "SHORTEST", 0.005)


@pytest.mark.parametrize("executor", [InProcess(), ThreadPool(2)], ids=["one", "threads"])
def test_every_solution_is_found_once_whatever_is_chosen_between_tasks(
    executor: Executor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = random.Random(1)
    used = set()

    def look(self: Reconsidering, totals: Totals) -> bool:
        if drawn.random() < 0.7:
            return False
        field = candidates(self._plan.subject)
        alike = [one.strategy for one in field if one.strategy.once == field[0].strategy.once]
        self.choice = Choice(str(drawn.choice(alike)), "at random")
        used.add(self.choice.strategy)
        return True

    monkeypatch.setattr(Reconsidering, "look", look)
    with Run.begin(tmp_path, read_puzzles(PUZZLE)) as run:
        run.go_on(executor)
    executor.close()
    assert len(used) > 1
    [standing] = standings(tmp_path)
    assert standing.status == "complete"
    assert standing.choice is not None
    assert standing.result.strategy in used
    [document] = read_puzzles(PUZZLE)
    with Ledger.open(tmp_path) as ledger:
        found = [tuple(one) for one in in_order(ledger, 1)]
    assert sorted(found) == sorted(one.options for one in Solving(document.content))


class Won:
    """A race that the first of the others wins at its third slice."""

    begun: ClassVar[list[str]] = []

    def __init__(self, _: Plan, present: Candidate, others: list[Candidate], **given: Any) -> None:
        self.begun.append(str(present.strategy))
        best = SimpleNamespace(candidate=others[0])
        self.outcome = SimpleNamespace(best=best, why="measured on 3 of 9 subtrees")
        self.seconds = 0.0
        assert given["seconds"] <= 0.15 * 1000
        assert given["choices"] == pytest.approx(20_000)

    def advance(self, seconds: float) -> bool:
        """Go on."""
        self.seconds += seconds
        return self.seconds < 3 * seconds


def test_the_winner_is_kept_in_the_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconsidering, "Racing", Won)
    halfway = Totals(fits=9_000, nofits=1_000, seconds=1000.0, tasks_waiting=5, whole=1.0, left=0.5)
    with Run.begin(tmp_path, read_puzzles(PUZZLE)) as run:
        one = run.puzzles[0]
        one._choose(SLOW)
        totals = one._totals
        looking = Reconsidering(prepared_again(one.terms).plan, SLOW, totals)
        assert not looking.look(replace(halfway, seconds=0.1, left=0.99))  # too early
        assert not looking.look(replace(halfway, left=1e-4))  # too late
        assert not any(looking.look(halfway) for _ in range(2))
        assert looking.look(halfway)
        assert not looking.look(halfway)  # not again so soon
        one._choose(looking.choice)
        assert run.go_on()[0].totals.solutions == 2339
    assert Won.begun == [SLOW.strategy]
    [standing] = standings(tmp_path)
    assert standing.choice == looking.choice != SLOW
    assert standing.result.why == "measured on 3 of 9 subtrees"
    assert standing.result.strategy == looking.choice.strategy
    assert merge([tmp_path], tmp_path / "merged")[0].choice == standing.choice


def test_a_named_strategy_and_a_short_run_stay_as_they_are(tmp_path: Path) -> None:
    for name, strategy in {"short": None, "named": "redundancy; volume; dlx:s"}.items():
        with Run.begin(tmp_path / name, read_puzzles(PUZZLE), strategy=strategy) as run:
            run.go_on()
        [standing] = standings(tmp_path / name)
        assert standing.result.why == ""
        assert standing.result.strategy == standing.terms.strategy
        assert (standing.choice is None) == (strategy is not None)


def test_no_race_if_there_shall_be_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXACTCOVER_RACE", "never")
    monkeypatch.setattr(Reconsidering, "_limit", lambda *_: pytest.fail("it looks for a limit"))
    with Run.begin(tmp_path, read_puzzles(PUZZLE)) as run:
        run.go_on()

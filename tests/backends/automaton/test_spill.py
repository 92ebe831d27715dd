"""Levels in files: the same counts in less memory, and no file left however a count ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Status, Task, started
from exactcover.backends.automaton import backend, count, diagram, memory, nodes, tables
from exactcover.backends.automaton.counting import AutomatonCount
from exactcover.backends.automaton.memory import Memory
from exactcover.errors import CapabilityError, StrategyError, TooLarge
from tests.helpers.examples import COMPILED
from tests.helpers.small_problems import problems

big = pytest.mark.skipif(not COMPILED, reason="too big a count without a compiler")


def counting(name: str, **told: object) -> AutomatonCount:
    model = ec.read(name).model
    words = {setting: str(value) for setting, value in told.items()}
    return count(model.problem, model.layout, Task(settings=words))


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders in which files were made, one entry for each file."""
    folders: list[Path] = []
    made: Callable[..., object] = memory.TemporaryFile

    def noted(**told: object) -> object:
        folders.append(Path(str(told["dir"])))
        return made(**told)

    monkeypatch.setattr(memory, "TemporaryFile", noted)
    return folders


@big
def test_what_does_not_fit_the_memory_fits_the_disk(tmp_path: Path, written: list[Path]) -> None:
    """The levels are many times as large as the table, so most of them are of several runs."""
    with pytest.raises(TooLarge):
        counting("pentominoes_10x6", memory=7).run()
    spilled = counting("pentominoes_10x6", memory=7, spill=tmp_path)
    assert spilled.run() == 9356
    assert spilled.memory.most <= 7 << 20
    plain = counting("pentominoes_10x6")
    assert plain.run() == 9356
    assert spilled.states > plain.states  # some are in two runs
    assert len(written) > 10
    assert set(written) == {tmp_path}
    assert not list(tmp_path.iterdir())


@big
def test_nothing_is_left_of_what_was_not_finished(tmp_path: Path, written: list[Path]) -> None:
    small = counting("pentominoes_10x6", memory=7, spill=tmp_path)
    while not written:
        assert not small.advance(1 << 12)
    del small
    assert not list(tmp_path.iterdir())


@given(data=st.data())
def test_runs_of_a_few_rows(data: st.DataObject, tmp_path: Path) -> None:
    """Tables that hold hardly anything, slices of a few rows, a file for every table.

    States are in many runs then, and edges are handed on a few at a time.
    """
    problem = data.draw(problems(frozenset({"secondary", "multiplicities"})))
    if backend.capabilities.missing(problem):
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables.StateTable, "may_grow", lambda table: table.room < 16)
        patch.setattr(tables, "FIRST_ROWS", 8)
        patch.setattr(tables, "SLICE", data.draw(st.integers(1, 5)))
        patch.setattr(memory, "WORTH_A_FILE", 1)
        patch.setattr(nodes, "MOST_EDGES", data.draw(st.integers(1, 9)))
        patch.setattr(nodes, "FIRST_ROOM", 1)
        spilled = count(problem, None, Task(settings={"spill": str(tmp_path)}))
        assert spilled.run() == count(problem, None, Task()).run()
        search = started(backend, problem, None, Task(settings={"spill": str(tmp_path)}))
        listed = search.advance(1 << 40, capacity=1 << 20)
        assert listed.status is Status.DONE
        assert listed.starts.size - 1 == spilled.count


def test_the_runs_of_a_level_add_up(tmp_path: Path) -> None:
    """The bound by which counts get their words is of all runs."""
    key_format, room = tables.KeyFormat(1, 1, 8), Memory(1 << 20)
    level = tables.Spilled(key_format, 1, tmp_path)
    for _ in range(3):
        table = tables.StateTable(key_format, 1, room)
        table.begin(key_format.keys(np.array([4]), np.array([7], np.uint64))[0])
        level.write(table)
        table.drop()
    assert level.total() >= level.rows == 3
    assert [one.rows for one in level.hashed(room)] == [1, 1, 1]
    key = (5 << 8) + 7
    assert np.concatenate([*level.slices(2)]).tolist() == 3 * [key, 1, 0]
    assert room.taken == 0
    level.drop()
    assert not level.rows


@pytest.mark.parametrize("fewer", [0, 1])
def test_counts_that_become_wider(
    fewer: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than a word of ways: dominoes of a kind that is counted, in a long strip."""
    monkeypatch.setattr(tables, "SLICE", 3)
    cells = 2 * (100 if COMPILED else 20)
    options = [[(x, 0), (x, 1), "domino"] for x in range(cells)]
    options += [[(x, y), (x + 1, y), "domino"] for x in range(cells - 1) for y in (0, 1)]
    problem = ec.Problem.from_options(options, multiplicity={"domino": (cells - fewer, cells)})
    one, two = 1, 1
    for _ in range(cells - 1):
        one, two = two, one + two
    assert two > (1 << 64 if COMPILED else 0)
    task = Task(heuristic="f", settings={"spill": str(tmp_path)})
    assert count(problem, None, task).run() == two


@big
def test_a_strategy_may_say_it(tmp_path: Path, written: list[Path]) -> None:
    strategy = f"automaton:narrow memory=12 spill={tmp_path}"
    assert ec.count(ec.read("pentominoes_10x6"), strategy=strategy, counted="all") == 9356
    assert written
    model = ec.read("pentominoes_20x3").model
    task = Task(settings={"spill": str(tmp_path)})
    search = started(backend, model.problem, model.layout, task)
    assert search.advance(1 << 30, keep=False).status is Status.DONE
    assert search.report().found == 8


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    model = ec.read("pentominoes_20x3").model
    for told in ("", str(tmp_path / "nowhere")):
        with pytest.raises(StrategyError, match="a folder that is there"):
            count(model.problem, model.layout, Task(settings={"spill": told}))
    with pytest.raises(CapabilityError, match="held in memory as a whole"):
        diagram(model.problem, model.layout, Task(settings={"spill": str(tmp_path)}))


def test_a_disk_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_told: object) -> object:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(memory, "TemporaryFile", full)
    problem = ec.Problem.from_options([["a", "k"], ["b", "k"]], multiplicity={"k": (1, 2)})
    with pytest.raises(StrategyError, match="No space left on device; name a folder"):
        count(problem, None, Task(settings={"spill": str(tmp_path)})).run()
    assert not list(tmp_path.iterdir())

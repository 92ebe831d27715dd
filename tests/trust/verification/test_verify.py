"""A second opinion: engines that agree, engines that lie, and where neither comes to an end."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import exactcover as ec
from exactcover.backends import Task
from exactcover.cli.command_table import exactcover
from exactcover.cli.commands.verify import engine_names
from exactcover.errors import ExactCoverError, UnknownName
from exactcover.formats import shipped
from exactcover.search.plan import Plan, make_plan
from exactcover.search.subject import Subject
from exactcover.trust.verification import Limits, engines, verify

ON_EACH_LATTICE = [
    "dominoes_4x4",
    "dominoes_2x2x2",
    "squares_2x2x2x2",
    "rods_6",
    "lozenges_hexagon_3",
    "trihexes_any_hexagon_3",
    "tristicks_any_2x2",
    "polytwigs_hexagon_1",
    "diprisms_hexagon",
    "pyramid_20",
    "pairs_3x2x2",
    "word_square",
    "queens_8",
    "assignment",
]


def told(*arguments: str) -> Result:
    return CliRunner().invoke(exactcover, ["verify", *arguments], standalone_mode=False)


# -- engines that agree ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * name.endswith("polytwigs_hexagon_1"))
        for name in ON_EACH_LATTICE
    ],
)
def test_independent_engines_agree(name: str) -> None:
    document = ec.read(name)
    verdict = verify(document, counted="all", limits=Limits(seconds=None))
    assert verdict.equal
    assert (verdict.status, verdict.compared) == ("complete", "sets")
    assert (
        verdict.checked == verdict.solutions == ec.count(document, strategy="dlx:s", counted="all")
    )
    assert [one.result for one in verdict.engines] == ["first", "equal", "equal"]


def test_an_engine_that_cannot_is_told_with_its_reason() -> None:
    verdict = verify(ec.read("word_square"), engines=("dlx:s", "bsx:s", "volume; dlx:s"))
    _, bsx, volume = verdict.engines
    assert (bsx.result, volume.result) == ("refused", "refused")
    assert "colours" in bsx.reason
    assert "no cells" in volume.reason
    assert (verdict.equal, verdict.status, verdict.compared) == (True, "limit", "")


def breathless(monkeypatch: pytest.MonkeyPatch, wrong: str = "") -> None:
    """Engines that list come to no end on the whole; one that counts finds one too many there."""
    find = engines.Contender.find

    def found(engine: engines.Contender, task: Task, *told: Any) -> engines.Findings:
        got = find(engine, task, *told)
        if task.chosen:
            return got
        if not engine.counts:
            return replace(got, finished=False, solutions=None)
        return replace(got, count=got.count + 1) if engine.name == wrong else got

    monkeypatch.setattr(engines.Contender, "find", found)


def test_counts_that_differ_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two that count what the first cannot list, one is wrong."""
    breathless(monkeypatch, wrong="automaton")
    names, limits = ("dlx", "memo", "automaton"), Limits(samples=2)
    verdict = verify(ec.read("dominoes_4x4"), engines=names, limits=limits)
    assert [one.result for one in verdict.engines] == ["first", "equal", "different"]
    assert verdict.difference is not None
    assert (verdict.difference.found_by, verdict.difference.missed_by) == ("automaton", "memo")


def test_what_does_not_fit_the_memory_is_told() -> None:
    """The first is done, so the whole was tried; of a part, less is to be kept."""
    puzzle, limits = ec.read("pentominoes_10x6"), Limits(listed=0, samples=1)
    names = ("auto", "automaton:narrow memory=1")
    _, automaton = verify(puzzle, engines=names, limits=limits).engines
    assert (automaton.result, automaton.compared) == ("equal", "samples")
    assert "do not fit 1 MiB" in automaton.reason


# -- engines that do not --------------------------------------------------------------------------


@pytest.mark.usefixtures("liars")
@pytest.mark.parametrize("order", [("dlx:s", "forgetful:s"), ("forgetful:s", "dlx:s")])
def test_the_first_solution_that_is_missed_is_named(order: tuple[str, str]) -> None:
    puzzle = ec.read("dominoes_4x4")
    missed = [s.options for s in ec.solve(puzzle, counted="all") if sum(s.options) % 5 == 0]
    found = verify(puzzle, engines=order).difference
    assert found is not None
    assert found.solution == min(missed)
    assert (found.found_by, found.missed_by) == ("dlx:s", "forgetful:s")


@pytest.mark.usefixtures("liars")
@pytest.mark.parametrize(
    "limits",
    [Limits(listed=20), Limits(listed=0), Limits(seconds=0.0, samples=40)],
    ids=["by count", "never listed", "in parts"],
)
def test_it_is_found_without_listing_all(limits: Limits) -> None:
    puzzle = ec.read("dominoes_6x6")
    verdict = verify(puzzle, engines=("dlx:s", "forgetful:s"), limits=limits)
    found = verdict.difference
    assert found is not None
    assert not verdict.equal
    if found.whole:
        assert sum(found.solution) % 5 == 0
        assert puzzle.model.problem.violation(found.solution) is None
    else:
        below = [
            s.options
            for s in ec.solve(puzzle, counted="all")
            if set(found.solution) <= set(s.options)
        ]
        assert any(sum(options) % 5 == 0 for options in below)


@pytest.mark.usefixtures("liars")
def test_a_solution_found_twice_is_a_difference() -> None:
    verdict = verify(ec.read("dominoes_4x4"), engines=("dlx:s", "repeating:s"))
    assert verdict.difference is not None
    assert verdict.difference.found_by == "repeating:s"


def test_a_filter_that_takes_too_much_is_found_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts fix options too that the filter took away: it says that they are in no solution."""

    def greedy(*arguments: object) -> Plan:
        plan = make_plan(*arguments)  # type: ignore[arg-type]
        if not plan.applied:
            return plan
        return replace(plan, alive=plan.alive & (np.arange(plan.alive.size) % 2 == 1))

    monkeypatch.setattr(engines, "make_plan", greedy)
    puzzle = ec.read("dominoes_6x6")
    verdict = verify(puzzle, engines=("dlx:s", "volume; dlx:s"), limits=Limits(seconds=0.0))
    assert verdict.difference is not None
    assert verdict.difference.missed_by == "volume; dlx:s"

    filtered = engines.Contender("volume; dlx:s", Subject.of(puzzle, "all"))
    solution = next(
        one.options
        for one in ec.solve(puzzle, counted="all")
        if any(o % 2 == 0 for o in one.options)
    )
    gone = [option for option in solution if option % 2 == 0]
    assert filtered.find(Task(tuple(gone)), engines.SearchBounds(kept=10)).count == 0
    assert filtered.find(Task(solution), engines.SearchBounds(kept=10)).count == 0


# -- the command line -----------------------------------------------------------------------------


@pytest.mark.usefixtures("liars")
def test_a_difference_is_drawn_and_the_status_is_3() -> None:
    run = told("dominoes_4x4", "--engines", "dlx:s, forgetful:s")
    assert run.return_value == 3
    assert "NOT VERIFIED" in run.output
    puzzle = ec.read("dominoes_4x4")
    missed = min(s.options for s in ec.solve(puzzle, counted="all") if sum(s.options) % 5 == 0)
    assert f"dlx:s finds it and forgetful:s does not: {', '.join(map(str, missed))}" in run.output
    drawn = next(ec.draw(s) for s in ec.solve(puzzle, counted="all") if s.options == missed)
    assert drawn in run.output


@pytest.mark.usefixtures("liars")
def test_a_script_is_told_of_a_difference() -> None:
    run = told("dominoes_4x4", "--engines", "dlx,forgetful", "--json")
    said = json.loads(run.stdout)
    assert run.return_value == 3
    assert (said["equal"], said["difference"]["missed_by"]) == (False, "forgetful")


def test_a_wrong_number_in_the_file_is_found(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(
        'lattice = "square"\npieces = "dominoes any"\nregion = "4x4"\n[counts]\nall = 37\n'
    )
    run = told(str(path))
    assert run.return_value == 3
    assert "the file stores 37 solutions (all), but there are 36" in run.output


def test_what_agrees_is_told_in_a_line_an_engine() -> None:
    run = told("queens_8")
    assert run.return_value == 0
    first, *others = run.stdout.splitlines()
    assert first == (
        "generic/queens_8: 92 solutions (all); the engines agree on every one; 92 checked against "
        "the problem"
    )
    assert [line.split()[0].rstrip(":") for line in others] == ["auto", "dlx:s", "cpsat"]


def test_a_script_is_told_all() -> None:
    said = json.loads(told("queens_8", "--json", "--engines", "dlx,memo").stdout)
    assert said["puzzle"] == "generic/queens_8"
    assert (said["status"], said["solutions"], said["counted"]) == ("complete", 92, "all")
    assert (said["compared"], said["checked"]) == ("counts", 92)
    assert [one["engine"] for one in said["engines"]] == ["dlx", "memo"]


def test_lists_of_engines() -> None:
    assert engine_names("dlx:s, fila:l@1,2 nof=0,cpsat") == ("dlx:s", "fila:l@1,2 nof=0", "cpsat")
    assert {name.partition(":")[0] for name in engine_names("all")} >= {"auto", "dlx", "cpsat"}
    with pytest.raises(UnknownName):
        verify(ec.read("queens_8"), engines=("dxl",))
    with pytest.raises(ExactCoverError, match="no engine"):
        verify(ec.read("queens_8"), engines=())


@pytest.mark.parametrize("arguments", [(), ("queens_8", "--all-defs")])
def test_puzzles_or_all_of_them(arguments: tuple[str, ...]) -> None:
    run = told(*arguments)
    assert "name puzzles, or say --all-defs" in str(run.exception)


def test_the_sample_has_puzzles_of_each_lattice() -> None:
    """`make verify` compares these; of `hypercubic-6` no puzzle ends in time."""
    sample = (Path(__file__).parent / "sample.txt").read_text().split()
    names = shipped.names()
    assert sample == sorted(set(sample) & set(names))
    lattices = {name.partition("/")[0] for name in names} - {"hypercubic-6"}
    assert {name.partition("/")[0] for name in sample} == lattices

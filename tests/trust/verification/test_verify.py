"""A second opinion: engines that agree, engines that lie, and where neither comes to an end."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import exactcover as ec
from exactcover.backends import BACKENDS
from exactcover.backends.base import Backend, Begin, Branching, Search, Slice
from exactcover.backends.dlx import DlxRoot, DlxSearch
from exactcover.backends.dlx import backend as dlx
from exactcover.backends.node import Node
from exactcover.cli.commands.verify import engine_names
from exactcover.cli.program import exactcover
from exactcover.errors import ExactCoverError, UnknownName
from exactcover.formats import shipped
from exactcover.problem import Problem
from exactcover.problem.layout import Layout
from exactcover.search import begun
from exactcover.search.plan import Plan, make_plan
from exactcover.trust import verification
from exactcover.trust.verification import Verifying, verify
from tests.helpers.examples import some
from tests.helpers.plugged import plugged_in

Solutions = list[tuple[int, ...]]


class LyingSearch(DlxSearch):
    """It gives other solutions than it finds."""

    lie: Callable[[Solutions], Solutions]

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        made = super().advance(steps, capacity=capacity)
        said = self.lie(made.solutions)
        return Slice.of(made.status, said if keep else [], found=len(said))


def lying(name: str, lie: Callable[[Solutions], Solutions]) -> Backend:
    def prepared(problem: Problem, layout: Layout | None, how: Branching) -> Begin:
        root = DlxRoot(problem, layout, how)

        def begin(node: Node, cut: int | None) -> Search:
            search = LyingSearch(root, node, cut)
            search.lie = lie
            return search

        return begin

    return replace(dlx, name=name, prepare=prepared)


forgetful = lying("forgetful", lambda found: [one for one in found if sum(one) % 5])
repeating = lying("repeating", lambda found: found * 2)


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


@pytest.fixture
def liars() -> Iterator[None]:
    """Two wrong engines, installed as those of another package are."""
    lying = __name__
    with plugged_in(BACKENDS, forgetful=f"{lying}:forgetful", repeating=f"{lying}:repeating"):
        yield


def told(*arguments: str) -> Result:
    return CliRunner().invoke(exactcover, ["verify", *arguments], standalone_mode=False)


# -- engines that agree ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", some(ON_EACH_LATTICE, one_in=2))
def test_independent_engines_agree(name: str) -> None:
    document = ec.read(name)
    verdict = verify(document, counted="all", time_limit=None)
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
    assert "needs the cells" in volume.reason
    assert (verdict.equal, verdict.status, verdict.compared) == (True, "limit", "")


def test_counts_where_there_are_too_many_to_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "LISTED", 100)
    verdict = verify(ec.read("dominoes_6x6"), counted="all", engines=("dlx", "bsx", "memo"))
    assert (verdict.solutions, verdict.compared, verdict.checked) == (6728, "counts", 100)


@pytest.mark.parametrize("wrong", ["", "dlx", "automaton"])
def test_engines_that_end_where_others_do_not(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that list come to no end. One more than there are is a difference, fewer is none."""
    find = Verifying.find

    def found(verifying: Verifying, name: str, *told: Any) -> verification.Findings:
        got = find(verifying, name, *told)
        if name not in ("dlx", "bsx"):
            more = 1 if name == wrong else 0
            return got._replace(line=replace(got.line, solutions=got.line.solutions + more))
        count = got.line.solutions - 5 + (6 if name == wrong else 0)
        line = replace(got.line, finished=False, solutions=count)
        return got._replace(line=line)

    monkeypatch.setattr(Verifying, "find", found)
    names = ("dlx", "bsx", "memo", "automaton")
    verdict = verify(ec.read("dominoes_4x4"), engines=names)
    results = [one.result for one in verdict.engines]
    if wrong:
        assert results[names.index(wrong)] == "different"
        assert verdict.fault == f"{wrong} finds more solutions than memo"
    else:
        assert results == ["unfinished", "unfinished", "first", "equal"]
        assert (verdict.status, verdict.whole, verdict.numbers["all"]) == ("complete", True, 36)
        assert verdict.checked == 36


def test_what_does_not_fit_the_memory_is_told() -> None:
    names = ("auto", "automaton:narrow memory=1")
    verdict = verify(ec.read("hexiamonds_6x6"), engines=names)
    assert (verdict.status, verdict.engines[1].result) == ("limit", "unfinished")
    assert "do not fit 1 MiB" in verdict.engines[1].reason


def test_a_time_limit() -> None:
    verdict = verify(ec.read("pentominoes_10x6"), engines=("dlx", "bsx"), time_limit=0.05)
    assert (verdict.status, verdict.equal, verdict.compared) == ("limit", True, "")
    assert [one.result for one in verdict.engines] == ["unfinished", "unfinished"]
    assert not any(one.finished for one in verdict.engines)


def test_a_stop_and_an_error_end_all() -> None:
    verifying = Verifying(ec.read("dominoes_10x10"), engines=("dlx", "bsx"))
    verdict = verifying.run(lambda _: verifying.stop())
    assert (verdict.status, verdict.equal) == ("interrupted", True)
    assert [one.engine for one in verdict.engines] == ["dlx"]

    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    other = Verifying(ec.read("dominoes_10x10"), engines=("dlx", "bsx"))
    with pytest.raises(KeyboardInterrupt):
        other.run(interrupt)
    assert other.verdict.status == "interrupted"


# -- engines that do not --------------------------------------------------------------------------


@pytest.mark.usefixtures("liars")
@pytest.mark.parametrize("order", [("dlx:s", "forgetful:s"), ("forgetful:s", "dlx:s")])
def test_the_first_solution_that_is_missed_is_named(order: tuple[str, str]) -> None:
    puzzle = ec.read("dominoes_4x4")
    missed = [s.options for s in ec.solve(puzzle, counted="all") if sum(s.options) % 5 == 0]
    verdict = verify(puzzle, engines=order)
    assert verdict.faulty == min(missed)
    assert verdict.fault.startswith("dlx:s finds it and forgetful:s does not: ")


@pytest.mark.usefixtures("liars")
def test_a_solution_found_twice_is_a_difference() -> None:
    verdict = verify(ec.read("dominoes_4x4"), engines=("dlx:s", "repeating:s"))
    assert verdict.fault == "repeating:s finds more solutions than dlx:s"


def test_a_filter_that_takes_too_much_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy(*arguments: object) -> Plan:
        plan = make_plan(*arguments)  # type: ignore[arg-type]
        if not plan.applied:
            return plan
        return replace(plan, alive=plan.alive & (np.arange(plan.alive.size) % 2 == 1))

    monkeypatch.setattr(begun, "make_plan", greedy)
    verdict = verify(ec.read("dominoes_6x6"), engines=("dlx:s", "volume; dlx:s"))
    assert " and volume; dlx:s does not: " in verdict.fault


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


def test_lists_of_engines() -> None:
    assert engine_names("dlx:s, fila:l@1,2 nof=0,cpsat") == ("dlx:s", "fila:l@1,2 nof=0", "cpsat")
    assert {name.partition(":")[0] for name in engine_names("all")} >= {"auto", "dlx", "cpsat"}
    with pytest.raises(UnknownName):
        verify(ec.read("queens_8"), engines=("dxl",))
    with pytest.raises(ExactCoverError, match="no engine"):
        verify(ec.read("queens_8"), engines=())


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_ctrl_c_stops_all_with_what_was_found() -> None:
    command = [
        sys.executable, "-m", "exactcover", "verify", "queens_8", "dominoes_10x10",
        "--engines", "dlx,bsx", "--progress", "json",
    ]  # fmt: skip
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stderr is not None
        line = ""
        while "dominoes_10x10" not in line or " found" not in line:
            line = process.stderr.readline()
            assert line
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate(timeout=60)
    assert said.startswith("generic/queens_8: 92 solutions (all); the engines agree on every one")
    assert "solutions (all) so far; not compared; interrupted" in said
    assert "Traceback" not in errors
    assert process.returncode == 130


def test_the_sample_has_puzzles_of_each_lattice() -> None:
    """`make verify` compares these; of `hypercubic-6` no puzzle ends in time."""
    sample = (Path(__file__).parent / "sample.txt").read_text().split()
    names = list(shipped.paths())
    assert sample == sorted(set(sample) & set(names))
    lattices = {name.partition("/")[0] for name in names} - {"hypercubic-6"}
    assert {name.partition("/")[0] for name in sample} == lattices

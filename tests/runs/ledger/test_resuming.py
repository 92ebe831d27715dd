"""A run with a ledger: whatever stops it, what comes out in the end is the same."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from exactcover.errors import CapabilityError, ExactCoverError, LedgerError
from exactcover.formats import Document, read_puzzle
from exactcover.problem import Problem
from exactcover.runs import Run, Standing, Threads, frontier
from exactcover.runs import standing as standing_in
from exactcover.runs.frontier import SharingTeam
from exactcover.runs.ledger import terms
from exactcover.runs.ledger.ledger import Ledger
from exactcover.runs.ledger.ledger_file import is_locked
from exactcover.search import Solving
from exactcover.search.automatic import automatic
from exactcover.search.subject import Subject
from tests.helpers.commands import domino_box
from tests.helpers.examples import some
from tests.helpers.shuffled import AtOnce

PUZZLE = "pentominoes_10x6"
HALFWAY = 400
"""A number of solutions at which a run is well under way."""

Figures = tuple[int, int, int]


def document(name: str) -> Document:
    """A shipped puzzle, or that of a file."""
    [found] = read_puzzle(name)
    return found


@pytest.fixture(autouse=True)
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks of some milliseconds, so that there are many."""
    monkeypatch.setattr(frontier, "LONGEST", 0.02)
    monkeypatch.setattr(Run, "least", 0.005)


@pytest.fixture(scope="module")
def alone() -> tuple[Figures, list[tuple[int, ...]]]:
    """The figures and the solutions of the puzzle, by one search without a ledger."""
    content = document(PUZZLE).content
    solving = Solving(content, strategy=automatic(Subject.of(content)))
    found = sorted(solution.options for solution in solving)
    result = solving.result
    return (result.solutions, result.fits, result.nofits), found


def figures(standing: Standing) -> Figures:
    """Solutions, fits and no-fits."""
    return standing.totals.solutions, standing.totals.fits, standing.totals.nofits


def listed(folder: Path) -> list[tuple[int, ...]]:
    """The solutions of a ledger, in its order."""
    with closing(Ledger.open(folder)) as ledger:
        return list(ledger.solutions())


def finish(folder: Path, team: SharingTeam | None = None) -> Standing:
    """Go on to the end."""
    with Run(folder) as run:
        return run.go_on(team or AtOnce())


# -- what comes out -------------------------------------------------------------------------------


def test_a_run_goes_on_again_and_again(
    tmp_path: Path, alone: tuple[Figures, list[tuple[int, ...]]]
) -> None:
    """Also as a copy in another place, with more workers, and by the command that began it."""
    with Run.begin(tmp_path / "one", document(PUZZLE)) as run:
        run.go_on(AtOnce(), shown=lambda it: it.found > HALFWAY and it.stop())
    shutil.copytree(tmp_path / "one", tmp_path / "copy")
    before = standing_in(tmp_path / "copy")
    assert before.status == "interrupted"
    assert 0 < before.totals.done < 1
    standing = finish(tmp_path / "copy", Threads(3))
    assert (figures(standing), listed(tmp_path / "copy")) == alone
    with Run.begin(tmp_path / "one", document(PUZZLE)) as run:
        standing = run.go_on(time_limit=0)
        assert standing.status == "limit"
        standing = run.go_on()
    assert (figures(standing), listed(tmp_path / "one")) == alone
    again = finish(tmp_path / "one")
    assert figures(again) == figures(standing)


@pytest.mark.parametrize(
    "strategy", ["dlx:s", "volume; parity-trigger; dlx:s", "redundancy=P first; fila:f", "bsx:s"]
)
@pytest.mark.parametrize("counted", some(["rotations", "all", "reflections"], one_in=3))
def test_every_convention_and_strategy_survives_the_ledger(
    tmp_path: Path, strategy: str, counted: str
) -> None:
    """Triggers, filters and the canonical test are made again from the ledger."""
    if counted == "all" and "redundancy" in strategy:
        strategy = strategy.partition("; ")[2]
    puzzle = document("pentominoes_20x3")
    result = Solving(puzzle.content, strategy=strategy, counted=counted).run()
    with Run.begin(tmp_path, puzzle, strategy=strategy, counted=counted) as run:
        run.go_on(time_limit=0.05)
    standing = finish(tmp_path)
    assert figures(standing) == (result.solutions, result.fits, result.nofits)


# -- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"counted": "all"}, "the ledger counts rotations, not all: `exactcover run resume`"),
        ({"strategy": "dlx:s"}, "not 'dlx:s': "),
        ({"part": (1, 2)}, "the ledger splits the tree into 1, not 2"),
    ],
)
def test_another_run_in_the_same_folder_is_refused(
    tmp_path: Path, asked: dict[str, Any], told: str
) -> None:
    with Run.begin(tmp_path, document("dominoes_4x4")):
        pass
    with pytest.raises(LedgerError, match=told):
        Run.begin(tmp_path, document("dominoes_4x4"), **asked)
    with Run.begin(tmp_path, document("dominoes_4x4")) as run:  # the folder is free again
        assert run.terms.puzzle == "square/dominoes_4x4"


def test_another_puzzle_and_a_changed_one_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "box.txt"
    file.write_text(domino_box(4, 3))
    with Run.begin(tmp_path / "run", document(str(file))):
        pass
    with pytest.raises(LedgerError, match=r"has a run of .*box\.txt, not of square/dominoes_4x4"):
        Run.begin(tmp_path / "run", document("dominoes_4x4"))
    file.write_text(domino_box(2, 6))
    with pytest.raises(LedgerError, match="has the puzzle as it was"):
        Run.begin(tmp_path / "run", document(str(file)))
    file.write_text(domino_box(3, 4))
    with pytest.raises(LedgerError, match="has the puzzle as it was"):
        Run.begin(tmp_path / "run", document(str(file)))
    file.unlink()
    assert finish(tmp_path / "run").status == "complete"


@pytest.mark.parametrize("digest", ["digest_of", "digest_of_plan"])
def test_a_version_that_makes_something_else_of_it_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, digest: str
) -> None:
    with Run.begin(tmp_path, document("dominoes_4x4")):
        pass
    monkeypatch.setattr(terms, digest, lambda *_: "another")
    monkeypatch.setattr(terms, "__version__", "9.9")
    with pytest.raises(LedgerError, match="or filters otherwise by the strategy") as caught:
        finish(tmp_path)
    assert "exactcover 9.9 " in str(caught.value)
    assert f"resume with version {standing_in(tmp_path).terms.version}" in str(caught.value)


def test_what_cannot_be_split_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(CapabilityError, match="cpsat"):
        Run.begin(tmp_path / "run", document("dominoes_4x4"), strategy="cpsat")
    with pytest.raises(ExactCoverError, match="part 3/2"):
        Run.begin(tmp_path / "run", document("dominoes_4x4"), part=(3, 2))
    with pytest.raises(LedgerError, match="there is no ledger here"):
        Run(tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_two_runs_at_one_time_are_refused(tmp_path: Path) -> None:
    with Run.begin(tmp_path, document("dominoes_4x4")):
        assert is_locked(tmp_path)
        with pytest.raises(LedgerError, match="another run works on it"):
            Run(tmp_path)
    assert not is_locked(tmp_path)


# -- while it runs, and after a crash -------------------------------------------------------------


def test_status_reads_beside_a_run(tmp_path: Path) -> None:
    seen: list[dict[str, Any]] = []
    with Run.begin(tmp_path, document(PUZZLE)) as run:

        def look(_: object) -> None:
            if run.found > HALFWAY and len(seen) < 3:
                seen.append(standing_in(tmp_path).record())
                assert seen[-1]["solutions"] == run.found

        run.go_on(AtOnce(), shown=look)
    assert [record["status"] for record in seen] == ["searching"] * 3
    for record in seen:
        assert 0 < record["done"] < 1
        assert json.loads(json.dumps(record)) == record


RUN = [sys.executable, "-m", "exactcover"]


def killed_again_and_again(
    folder: Path, puzzle: str, kills: int, seconds: float, seed: int, *options: str
) -> tuple[Figures, list[tuple[int, ...]]]:
    """A run whose process is killed at random moments, each time resumed; what it comes to."""
    draw = random.Random(seed)
    Run.begin(folder, document(puzzle)).close()
    for _ in range(kills):
        process = subprocess.Popen(
            [*RUN, "run", "resume", folder, *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        while not is_locked(folder) and process.poll() is None:
            time.sleep(0.01)
        time.sleep(draw.uniform(0, seconds))
        process.send_signal(signal.SIGKILL)
        process.wait()
        with closing(Ledger.open(folder)) as ledger:
            many = len([*ledger.solutions()])
        assert many == standing_in(folder).totals.solutions
    standing = finish(folder)
    assert standing.status == "complete"
    return figures(standing), listed(folder)


def test_kill_9_loses_and_doubles_nothing(
    tmp_path: Path, alone: tuple[Figures, list[tuple[int, ...]]]
) -> None:
    assert killed_again_and_again(tmp_path, PUZZLE, 3, 1.0, 5) == alone


@pytest.mark.slow
@pytest.mark.parametrize("options", ["--workers 1", "--workers 2", "--workers 2 --processes"])
def test_twenty_kills_lose_and_double_nothing(tmp_path: Path, options: str) -> None:
    """On a puzzle of several seconds."""
    (found, _, _), solutions = killed_again_and_again(
        tmp_path, "tetriscube", 20, 2.0, 1, *options.split()
    )
    assert found == len(set(solutions)) == 9839


# -- parts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("parts", some([3, 2], one_in=2))
def test_the_parts_of_a_tree_make_the_whole(
    tmp_path: Path, alone: tuple[Figures, list[tuple[int, ...]]], parts: int
) -> None:
    folders = [tmp_path / str(number) for number in range(1, parts + 1)]
    for number, folder in enumerate(folders, 1):
        with Run.begin(folder, document(PUZZLE), part=(number, parts)) as run:
            if number == 1:
                run.go_on(AtOnce(), time_limit=0.02)
            else:
                standing = run.go_on()
                assert standing.status == "part"
                assert standing.missing == (*(n for n in range(1, parts + 1) if n != number),)
    some_of_it = standing_in(*folders[1::-1])
    assert some_of_it.missing == (*range(3, parts + 1),)
    assert some_of_it.status == "interrupted"
    assert finish(folders[0]).status == "part"
    whole = standing_in(*folders[::-1])
    assert (whole.missing, whole.status) == ((), "complete")
    found = sorted(one for folder in folders for one in listed(folder))
    assert (figures(whole), found) == alone


def test_the_parts_of_a_tree_without_branches_have_its_solution_once(tmp_path: Path) -> None:
    """Each item has one option, so only the first part has anything to do."""
    folders = [tmp_path / str(number) for number in (1, 2)]
    forced = Document("forced", Problem.from_options([["a"], ["b"]]))
    for number, folder in enumerate(folders, 1):
        with Run.begin(folder, forced, part=(number, 2), strategy="dlx:s") as run:
            standing = run.go_on()
        assert standing.totals.solutions == (number == 1)
    assert standing_in(*folders).totals.solutions == 1


def test_what_does_not_belong_together_is_not_added_up(tmp_path: Path) -> None:
    def part(name: str, puzzle: str = "dominoes_4x4", **asked: Any) -> Path:
        Run.begin(tmp_path / name, document(puzzle), **{"part": (2, 2), **asked}).close()
        return tmp_path / name

    first = part("first", part=(1, 2))
    for name, asked, told in (
        ("convention", {"counted": "all"}, "it counts all, not rotations, unlike"),
        ("strategy", {"strategy": "dlx:s"}, "it searches by the strategy 'dlx:s', not"),
        ("parts", {"part": (2, 3)}, "it splits the tree into 3, not 2"),
        ("puzzle", {"puzzle": "pentominoes_20x3"}, "it has a run of square/pentominoes_20x3"),
        ("again", {"part": (1, 2)}, "part 1 is in .*first and in .*again"),
    ):
        with pytest.raises(LedgerError, match=told):
            standing_in(first, part(name, **asked))  # type: ignore[arg-type]
    wrong = part("wrong")
    finish(wrong)
    with closing(Ledger.open(wrong)) as ledger, ledger.writing():
        ledger.do("UPDATE task SET found = NULL")
    with pytest.raises(LedgerError, match="is damaged"):
        standing_in(first, wrong)
    assert standing_in(first).missing == (2,)

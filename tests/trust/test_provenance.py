"""The provenance of a number: complete, true of this machine, and the same in every command."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import pytest

import exactcover as ec
from exactcover.errors import FormatError
from exactcover.formats import Document
from exactcover.formats.count_records import CountRecord, records_in
from exactcover.formats.shipped import entries
from exactcover.puzzle.digest import digest
from exactcover.trust.provenance import program, provenance_of
from tests.helpers.commands import records

KEYS = [
    "puzzle", "digest", "solutions", "whole", "counted", "counted_as", "strategy", "engines",
    "seed", "workers", "seconds", "compiling", "version", "commit", "python", "system", "date",
]  # fmt: skip


def test_of_a_result() -> None:
    puzzle = ec.read("somacube")
    result = ec.Counting(puzzle, strategy="dlx:s", limit=7).run()
    before = datetime.now(UTC).replace(microsecond=0)
    made = provenance_of(puzzle, result)
    assert list(made) == KEYS
    assert (made["solutions"], made["whole"], made["counted"]) == (7, False, "rotations")
    assert made["digest"] == digest(puzzle)
    assert made["engines"] == {"dlx": f"numba {version('numba')}"}
    assert before <= datetime.fromisoformat(made["date"]) <= datetime.now(UTC)
    assert made["seconds"] == round(result.seconds, 6)
    assert made["compiling"] == round(result.compiling, 6)


def test_the_program() -> None:
    said = program()
    assert said["version"] == ec.__version__
    assert said["python"].endswith(".".join(map(str, sys.version_info[:3])))
    root = Path(ec.__file__).parents[1]
    if not (root / ".git").exists():
        assert said["commit"] is None
        return
    head = subprocess.run(
        ["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert said["commit"].removesuffix("-dirty") == head


@pytest.mark.parametrize(
    "words",
    [
        ["count"],
        ["solve", "--quiet"],
        ["solve", "--random", "1", "--seed", "7"],
        ["batch"],
        ["verify", "--engines", "auto, dlx"],
        ["run", "--dir", "run", "--workers", "1"],
    ],
)
def test_every_command_reports_it(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    [record] = records(*words, "queens_8")
    made = record["provenance"]
    assert list(made) == KEYS
    assert (made["solutions"], made["whole"], made["counted"]) == (92, True, "all")
    assert made["digest"] == digest(ec.read("queens_8"))
    assert made["seed"] == (7 if "--seed" in words else None)
    assert made["workers"] == 1


@pytest.mark.parametrize(
    "words", [["best", "--least", "pieces"], ["estimate"], ["compare", "--time-limit", "0.1"]]
)
def test_results_that_are_no_number_of_solutions_have_one_too(
    words: list[str], tmp_path: Path
) -> None:
    [record] = records(*words, "langford_3")
    made = record["provenance"]
    left = {"solutions", "whole"} | ({"counted", "counted_as"} if words[0] == "best" else set())
    assert list(made) == [key for key in KEYS if key not in left]
    assert made["digest"] == digest(ec.read("langford_3"))
    assert made["engines"]
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record), "utf-8")
    with pytest.raises(FormatError, match="this record has no number of solutions"):
        records_in(str(path))


def test_a_puzzle_of_python_is_stated(tmp_path: Path) -> None:
    puzzle = ec.puzzle_of("domino x 6", "4x3", name="box", reflections=True)
    [one] = ec.batch([puzzle], counted="all")
    made = provenance_of(puzzle, ec.Counting(puzzle, counted="all").run())
    assert made["given"] == one["provenance"]["given"]
    assert made["puzzle"] == "box"
    path = tmp_path / "box.json"
    path.write_text(json.dumps(made), "utf-8")
    assert digest((records_in(str(path)) or [])[0].document().content) == digest(puzzle)
    [again] = records("verify", path)
    assert (again["status"], again["found"], again["puzzle"]) == ("equal", 11, "box")


def test_a_plain_problem_is_stated_in_knuths_text(tmp_path: Path) -> None:
    problem = [["a", "b"], ["b", "c"], ["a"], ["c"]]
    mine = Document("mine", ec.Problem.of(problem))
    made = provenance_of(mine, ec.Counting(problem).run())
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(made), "utf-8")
    [again] = records("verify", path)
    assert (again["status"], again["found"], again["puzzle"]) == ("equal", 2, "mine")
    odd = ec.Problem.of([["a b"], ["a_b"]])  # Knuth's text has no names with blanks
    assert "given" not in provenance_of(odd, ec.Counting(odd).run())


@pytest.mark.slow
def test_every_shipped_puzzle_can_be_stated(subtests: pytest.Subtests) -> None:
    for document in entries():
        with subtests.test(document.name):
            mine = Document("mine", document.content)
            result = ec.Counting(document.content, limit=1, time_limit=0).result
            stated = json.loads(json.dumps(provenance_of(mine, result)))
            record = CountRecord("record.json", 1, stated)
            assert digest(record.document().content) == stated["digest"]

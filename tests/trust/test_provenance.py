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
from exactcover.formats.count_records import read_records
from exactcover.puzzle.digest import digest
from exactcover.trust.provenance import engines, of_result, program
from tests.helpers.commands import records

KEYS = [
    "puzzle", "digest", "solutions", "whole", "counted", "strategy", "engines", "seed", "workers",
    "seconds", "compiling", "version", "commit", "numpy", "python", "system", "processor", "date",
]  # fmt: skip


def test_of_a_result() -> None:
    puzzle = ec.read("somacube")
    result = ec.Counting(puzzle, strategy="dlx:s", limit=7).run()
    before = datetime.now(UTC).replace(microsecond=0)
    made = of_result(puzzle, result, name="soma")
    assert list(made) == KEYS
    assert (made["solutions"], made["whole"], made["counted"]) == (7, False, "rotations")
    assert made["digest"] == digest(puzzle)
    assert made["engines"] == {"dlx": f"numba {version('numba')}"}
    assert before <= datetime.fromisoformat(made["date"]) <= datetime.now(UTC)
    assert made["seconds"] == round(result.seconds, 6)
    assert made["compiling"] == round(result.compiling, 6)


def test_engines_are_those_that_a_strategy_names() -> None:
    numba, ortools = f"numba {version('numba')}", f"ortools {version('ortools')}"
    strategy = "redundancy=L; volume@13; dlx:s; fila:e@11 nof; cpsat"
    assert engines(strategy) == [("dlx", numba), ("fila", numba), ("cpsat", ortools)]
    assert engines("nooverlap") == [("nooverlap", ortools)]
    assert engines("") == []


def test_the_program() -> None:
    said = program()
    assert said["version"] == version("exactcover")
    assert said["python"].endswith(".".join(map(str, sys.version_info[:3])))
    assert said["processor"]
    root = Path(ec.__file__).parents[1]
    if not (root / ".git").exists():
        assert said["commit"] is None
        return
    head = subprocess.run(
        ["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert said["commit"].removesuffix("-dirty") == head


@pytest.mark.parametrize(
    "words", [["count"], ["solve", "--quiet"], ["batch"], ["verify", "--engines", "auto, dlx"]]
)
def test_every_command_reports_it(words: list[str]) -> None:
    [record] = records(*words, "queens_8")
    made = record["provenance"]
    assert list(made) == KEYS
    assert (made["solutions"], made["whole"], made["counted"]) == (92, True, "all")
    assert made["digest"] == digest(ec.read("queens_8"))
    assert made["strategy"] == record["strategy"]


@pytest.mark.parametrize(
    "words",
    [["best", "--least", "pieces"], ["estimate"], ["tune", "--no-cache", "--time-limit", "0.1"]],
)
def test_results_that_are_no_number_of_solutions_have_one_too(
    words: list[str], tmp_path: Path
) -> None:
    [record] = records(*words, "langford_3")
    made = record["provenance"]
    left = {"solutions", "whole"} | ({"counted"} if words[0] == "best" else set())
    assert list(made) == [key for key in KEYS if key not in left]
    assert made["digest"] == digest(ec.read("langford_3"))
    said = "cpsat" if words[0] == "best" else record["strategy"]
    assert made["engines"] == dict(engines(said))
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record), "utf-8")
    with pytest.raises(FormatError, match="this record has no number of solutions"):
        read_records(str(path))


def test_a_sample_has_the_number_of_solutions_and_the_seed() -> None:
    [record] = records("solve", "queens_8", "--random", "1", "--seed", "7")
    made = record["provenance"]
    assert list(made) == KEYS
    assert (made["solutions"], made["seed"], made["counted"]) == (92, 7, "all")


def test_run_reports_it(tmp_path: Path) -> None:
    [record] = records("run", "queens_8", "--dir", tmp_path / "run", "--counted", "all")
    [later] = records("run", "status", tmp_path / "run")
    assert list(record["provenance"]) == list(later["provenance"]) == KEYS
    assert record["provenance"]["digest"] == digest(ec.read("queens_8"))
    assert record["provenance"]["workers"] == 1
    assert later["provenance"]["workers"] is None


def test_seeds_are_those_of_what_is_drawn() -> None:
    [first] = records("solve", "pentominoes_20x3", "--first", "--seed", "5")
    [verified] = records("verify", "queens_8", "--seed", "4", "--engines", "dlx, fila:f")
    assert (first["provenance"]["seed"], verified["provenance"]["seed"]) == (5, 4)

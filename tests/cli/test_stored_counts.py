"""Numbers of solutions that a file stores, held against the number that is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers.commands import ran
from tests.helpers.examples import some


def told(path: Path, text: str, *arguments: str, status: int = 0) -> tuple[dict[str, object], str]:
    """The record of a count, and what stands on standard error."""
    path.write_text(text)
    run = ran(*arguments, path, "--json", status=status)
    return json.loads(run.stdout), run.stderr


def test_a_contradiction_weighs_more_than_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    wrong, unreadable = tmp_path / "wrong.toml", tmp_path / "unreadable.toml"
    wrong.write_text('region = "2x2"\npieces = "domino x 2"\n[counts]\nall = 3\n')
    unreadable.write_text("region = ")
    ran("verify", wrong, unreadable, status=3)
    ran("verify", unreadable, wrong, status=3)


FILES = {
    "x.toml": 'pieces = "domino any"\nregion = "2x3"\n[counts]\n{} = {}\n',
    "x.txt": "# count {}: {}\nD:xDim=2:yDim=3:zDim=1\n"
    + "".join(f"C:name=D{n}:type=M:layout=0 0 0, 1 0 0\n" for n in range(3))
    + "~D\n",
    "x.dlx": "| count {}: {}\na b\na b\na\nb\n",
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("command", some(["count", "batch", "verify"], one_in=2))
def test_numbers_in_every_format(tmp_path: Path, name: str, command: str) -> None:
    strict = () if command == "verify" else ("--strict",)
    counts = {"all": 2} if name == "x.dlx" else {"all": 3, "rotations": 2, "reflections": 2}
    for counted, right in counts.items():
        for switches in ((), ("--counted=all",)):
            for number in (right, 0 if switches else right + 1):
                text, wrong = FILES[name].format(counted, number), number != right
                given = (command, *switches, *strict)
                record, stderr = told(tmp_path / name, text, *given, status=3 if wrong else 0)
                assert ("warning" in record) == wrong
                if wrong:
                    assert record["stored"] == {counted: number}
                    assert f"the file stores {number} solutions" in str(record["warning"])
                    assert f"but there are {right}" in str(record["warning"])
                    assert command == "verify" or record["warning"] in stderr


@pytest.mark.parametrize("command", ["count", "solve", "batch", "run --dir {}"])
def test_nothing_is_compared_unless_it_is_wanted(tmp_path: Path, command: str) -> None:
    text = FILES["x.toml"].format("all", 7)
    words = command.format(tmp_path / "run").split()
    record, stderr = told(tmp_path / "x.toml", text, *words)
    assert "warning" not in stderr
    assert not record.keys() & {"warning", "stored", "not_compared"}


WRONG = """pieces = "domino any"
region = "2x3"
[counts]
all = 3
rotations = 3
reflections = 2
"""


@pytest.mark.parametrize(
    "command",
    [
        "verify --engines dlx,bsx",
        "count --strict",
        "batch --strict",
        "count --counted all --strict",
    ],
)
def test_a_wrong_number_of_unique_solutions_is_status_3(tmp_path: Path, command: str) -> None:
    path = tmp_path / "bad.toml"
    words = "the file stores 3 solutions (unique up to rotations and turning over), but there are 2"
    record, stderr = told(path, WRONG, *command.split(), status=3)
    assert words in str(record["warning"])
    assert "verify" in command or f"exactcover: warning: {path}: {words}" in stderr
    assert record["stored"] == {"rotations": 3}
    run = ran(*command.split(), path, status=3)
    assert words in run.stdout + run.stderr
    right = WRONG.replace("rotations = 3", "rotations = 2")
    record, stderr = told(path, right, *command.split())
    assert not stderr
    assert not record.keys() & {"warning", "stored", "not_compared"}


def test_what_is_not_compared_is_said_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    limit = ("--time-limit", "0")
    long = WRONG.replace('"domino any"', '"pentominoes"').replace("2x3", "20x3")
    reason = "the search did not come to its end"
    for command in ("count --strict", "batch --strict", "verify"):
        record, _ = told(path, long, *command.split(), *limit, status=4)
        assert record["not_compared"] == dict.fromkeys(("all", "rotations", "reflections"), reason)
    for command in ("count --strict", "verify"):
        run = ran(*command.split(), path, *limit, status=4)
        said = f"(unique up to rotations and turning over) is not compared: {reason}"
        assert said in run.stdout + run.stderr

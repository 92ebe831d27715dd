"""Records of counts: `verify` counts each again."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.commands import domino_box, ran, records, refused

LIST = """\
name,pieces,region,counted,expected
three,domino any,3x4,all,11
four,domino any,4x4,all,36
"""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of a count."""
    return kept(tmp_path / "record.json", ran("count", "queens_8", "--json").stdout)


def kept(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def changed(path: Path, **keys: Any) -> Path:
    """A record with other keys in its provenance, and itself; None: without this key."""
    made = json.loads(path.read_text("utf-8"))
    made["provenance"] |= keys
    made |= {key: value for key, value in keys.items() if key in made}
    made["provenance"] = {k: value for k, value in made["provenance"].items() if value is not None}
    return kept(path.with_name("changed.json"), json.dumps(made, indent=1))


@pytest.mark.parametrize(
    "command",
    [
        ("count", "queens_8", "cube_o"),
        ("solve", "queens_8", "--quiet"),
        ("verify", "queens_8"),
        ("batch", "queens_8"),
    ],
)
def test_records_of_each_command_are_counted_again(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    path = kept(tmp_path / "records.jsonl", ran(*command, "--json").stdout)
    again = records("verify", path)
    assert [one["status"] for one in again] == ["equal"] * (
        len(command) - 1 - ("--quiet" in command)
    )
    for old, new in zip(path.read_text("utf-8").splitlines(), again, strict=True):
        origin = json.loads(old)["provenance"]
        assert (new["digest"], new["found"]) == (origin["digest"], origin["solutions"])
        assert not new["provenance"]["engines"].keys() & {"bsx", "dlx", "fila"}


def test_rows_of_a_list_are_counted_again_from_what_they_state(tmp_path: Path) -> None:
    path = tmp_path / "found.jsonl"
    ran("batch", kept(tmp_path / "list.csv", LIST), "-o", path)
    again = records("verify", path)
    assert [(one["puzzle"], one["found"]) for one in again] == [("three", 11), ("four", 36)]
    assert again[0]["provenance"]["given"] == {"pieces": "domino any", "region": "3x4"}


def test_a_record_states_its_puzzle_or_finds_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    box = kept(tmp_path / "box.txt", domino_box(4, 3))
    path = kept(tmp_path / "record.json", ran("count", "box.txt", "--json").stdout)
    old = changed(path, given=None)
    assert records("verify", old)[0]["status"] == "equal"
    box.rename(tmp_path / "other.txt")
    assert records("verify", path)[0]["status"] == "equal"  # the record states the puzzle
    said = refused("verify", old)
    origin = json.loads(path.read_text("utf-8"))["provenance"]
    assert all(word in said for word in ("changed.json", "box.txt", origin["digest"]))
    assert records("verify", old, tmp_path / "other.txt")[0]["status"] == "equal"
    wrong = ran("verify", old, "somacube", status=3).stdout
    assert "changed.json" in wrong
    assert "somacube" in wrong


def test_a_record_from_standard_input_states_its_puzzle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = io.TextIOWrapper(io.BytesIO(b'pieces = "domino any"\nregion = "4x4"\n'))
    monkeypatch.setattr("sys.stdin", given)
    path = kept(tmp_path / "record.json", ran("count", "-", "--counted=all", "--json").stdout)
    assert records("verify", path)[0]["found"] == 36
    assert "- holds none" in refused("verify", changed(path, given=None))


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"whole": False, "solutions": 91}, "at least 91 solutions"),
        ({"solutions": 5}, "recorded: 5 solutions (all); "),
        ({"digest": "0" * 64}, "another digest"),
    ],
)
def test_another_number_or_puzzle_is_different(
    keys: dict[str, Any], words: str, record: Path
) -> None:
    assert (
        words in ran("verify", changed(record, **keys), status=0 if "whole" in keys else 3).stdout
    )


@pytest.mark.parametrize("key", ["solutions", "counted"])
def test_a_record_that_contradicts_itself_is_refused(key: str, record: Path) -> None:
    made = json.loads(record.read_text("utf-8"))
    made[key] = {"solutions": 91, "counted": "rotations"}[key]
    kept(record, json.dumps(made))
    assert f"contradicts itself: `{key}` is {made[key]}, and" in refused("verify", record)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"digest": "12"}, "64 hexadecimal digits"),
        ({"engines": None}, "needs a key `engines`"),
        ({"solutions": -1}, "0 or more"),
        ({"file": 3}, "`file` is a text"),
    ],
)
def test_a_broken_record_is_refused_with_its_place(
    keys: dict[str, Any], message: str, record: Path
) -> None:
    said = refused("verify", changed(record, **keys))
    assert message in said
    assert "changed.json:1" in said

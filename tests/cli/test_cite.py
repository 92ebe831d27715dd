"""Records of counts: `cite` writes a citation of each, `verify` counts each again."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

import exactcover as ec
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


def test_a_citation_says_what_a_reader_needs(record: Path) -> None:
    origin = json.loads(record.read_text("utf-8"))["provenance"]
    said = ran("cite", record).stdout
    program = f"exactcover {origin['version']}"
    title = "8 queens on an 8 x 8 board, none attacking another (generic/queens_8)"
    for part in (f"{title}: 92 solutions", program, origin["digest"], origin["date"][:10]):
        assert part in said
    assert said.splitlines()[4] == f"@misc{{exactcover-queens-8-{origin['digest'][:8]},"
    assert r"another (generic/queens\_8): 92 solutions (all)}}" in said
    assert said.count("{") - said.count(r"\{") == said.count("}") - said.count(r"\}")


@pytest.mark.parametrize(
    ("title", "cited"), [('title = "Ten dominoes."\n', "Ten dominoes"), ("", "box")]
)
def test_a_file_is_cited_by_its_title_or_without_its_ending(
    title: str, cited: str, tmp_path: Path
) -> None:
    box = kept(tmp_path / "box.toml", f'{title}pieces = "domino any"\nregion = "5x4"\n')
    path = kept(tmp_path / "record.json", ran("count", box, "--all", "--json").stdout)
    said = ran("cite", path).stdout
    assert said.startswith(f"{cited}: 95 solutions (all).\n")
    assert f"title = {{{{{cited}: 95 solutions (all)}}}}" in said
    assert "@misc{exactcover-box-" in said


@pytest.mark.parametrize(
    ("name", "key"),
    [("-", ""), ("-#2", ""), ("ten/hex.toml#2", "hex-2-"), ("my.box.xmpuzzle", "my-box-")],
)
def test_the_key_of_a_citation_has_no_folder_and_no_ending(
    name: str, key: str, record: Path
) -> None:
    said = ran("cite", changed(record, puzzle=name, title=None)).stdout
    assert f"@misc{{exactcover-{key}0df47e72," in said


@pytest.mark.parametrize(
    ("puzzle", "counted", "words"),
    [
        ("pentominoes_20x3", "rotations", "rotations and turning over: 4 symmetries of the puzzle"),
        ("somacube", "rotations", "rotations: 24 symmetries of the puzzle"),
        ("somacube", "reflections", "rotations and reflections: 48 symmetries of the puzzle"),
    ],
)
def test_a_citation_names_the_symmetries(
    puzzle: str, counted: str, words: str, tmp_path: Path
) -> None:
    run = ran("count", puzzle, "--counted", counted, "--json")
    said = ran("cite", kept(tmp_path / "record.json", run.stdout)).stdout
    assert said.count(f"(unique up to {words})") == 2  # for the paper, and for BibTeX


def test_a_citation_of_a_wrapped_board_names_translations(tmp_path: Path) -> None:
    torus = kept(
        tmp_path / "torus.toml",
        'pieces = "domino any"\nregion = "4x3"\nwrap = [[4, 0], [0, 3]]\n',
    )
    run = ran("count", torus, "--json")
    said = ran("cite", kept(tmp_path / "record.json", run.stdout)).stdout
    assert "unique up to rotations, translations and turning over: 48 symmetries" in said


def test_a_number_that_a_limit_cut_short_is_a_lower_bound(record: Path) -> None:
    assert "queens_8): at least 92 solutions" in ran("cite", changed(record, whole=False)).stdout
    short = changed(record, whole=False, solutions=91)
    assert "at least 91 solutions" in ran("verify", short).stdout


def test_standard_input_is_cited(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = io.TextIOWrapper(io.BytesIO(record.read_bytes()))
    monkeypatch.setattr("sys.stdin", given)
    assert ran("cite", "-").stdout == ran("cite", record).stdout


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


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_rows_of_a_list_are_counted_again_from_what_they_state(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"found.{ending}"
    ran("batch", kept(tmp_path / "list.csv", LIST), "-o", path)
    again = records("verify", path)
    assert [(one["puzzle"], one["found"]) for one in again] == [("three", 11), ("four", 36)]
    assert again[0]["provenance"]["given"] == {"pieces": "domino any", "region": "3x4"}


def test_a_puzzle_file_is_found_where_it_was(tmp_path: Path) -> None:
    box = kept(tmp_path / "box.txt", domino_box(4, 3))
    path = kept(tmp_path / "record.json", ran("count", box, "--json").stdout)
    assert records("verify", path)[0]["status"] == "equal"
    box.unlink()
    assert records("verify", path)[0]["status"] == "equal"  # the record states the puzzle


def test_a_record_from_standard_input_states_its_puzzle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = io.TextIOWrapper(io.BytesIO(b'pieces = "domino any"\nregion = "4x4"\n'))
    monkeypatch.setattr("sys.stdin", given)
    path = kept(tmp_path / "record.json", ran("count", "-", "--all", "--json").stdout)
    assert records("verify", path)[0]["found"] == 36


def test_a_record_that_states_no_puzzle_finds_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, elsewhere = tmp_path / "then", tmp_path / "now"
    for one in (folder, elsewhere):
        one.mkdir()
    monkeypatch.chdir(folder)
    box = kept(folder / "box.txt", domino_box(4, 3))
    path = kept(folder / "record.json", ran("count", "box.txt", "--json").stdout)
    old = changed(path, given=None)
    monkeypatch.chdir(elsewhere)
    kept(elsewhere / "box.txt", domino_box(2, 3))  # another puzzle of the same name
    assert records("verify", old)[0]["status"] == "equal"
    said = ran("verify", path).stderr
    assert "box.txt holds another puzzle now" in said
    assert "record.json" in said
    box.rename(tmp_path / "other.txt")
    (elsewhere / "box.txt").unlink()
    said = refused("verify", old)
    origin = json.loads(path.read_text("utf-8"))["provenance"]
    assert all(word in said for word in ("changed.json", "box.txt", origin["digest"]))
    assert records("verify", old, tmp_path / "other.txt")[0]["status"] == "equal"
    wrong = ran("verify", old, "somacube", status=3).stdout
    assert "changed.json" in wrong
    assert "somacube" in wrong


def test_a_record_of_two_methods_is_counted_by_a_third(tmp_path: Path) -> None:
    path = tmp_path / "found.jsonl"
    ran("batch", kept(tmp_path / "list.csv", LIST), "--verify", "-o", path)
    for old, new in zip(path.read_text("utf-8").splitlines(), records("verify", path), strict=True):
        assert not new["provenance"]["engines"].keys() & json.loads(old)["provenance"]["engines"]


def test_another_number_is_refused(record: Path) -> None:
    run = ran("verify", changed(record, solutions=5), status=3)
    assert "recorded: 5 solutions" in run.stdout
    assert "finds 92" in run.stdout


@pytest.mark.parametrize("key", ["solutions", "counted"])
def test_a_record_that_contradicts_itself_is_refused(key: str, record: Path) -> None:
    made = json.loads(record.read_text("utf-8"))
    made[key] = {"solutions": 91, "counted": "rotations"}[key]
    kept(record, json.dumps(made))
    for command in ("cite", "verify"):
        assert f"contradicts itself: `{key}` is {made[key]}, and" in refused(command, record)


def test_another_puzzle_is_refused(record: Path) -> None:
    run = ran("verify", changed(record, digest="0" * 64), status=3)
    assert "another digest" in run.stdout


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"digest": "12"}, "64 hexadecimal digits"),
        ({"counted": "turns"}, "no way of counting"),
        ({"engines": None}, "needs a key `engines`"),
        ({"solutions": -1}, "0 or more"),
        ({"solutions": True}, "0 or more"),
    ],
)
def test_a_broken_record_is_refused_with_its_place(
    keys: dict[str, Any], message: str, record: Path
) -> None:
    said = refused("cite", changed(record, **keys))
    assert message in said
    assert "changed.json:1" in said


def test_what_has_no_record_is_refused(tmp_path: Path) -> None:
    assert "no record of a count" in refused("cite", kept(tmp_path / "a.json", '{"puzzle": "x"}'))
    assert "b.jsonl:2: not JSON" in refused("cite", kept(tmp_path / "b.jsonl", "{}\n{,}\n"))
    for command in ("cite", "verify"):
        assert "c.json: there is no such file\n" in refused(command, tmp_path / "c.json")
    assert "no record of a count" in refused("verify", tmp_path / "a.json")


def test_of_several_puzzles_each_record_takes_its_own(tmp_path: Path) -> None:
    boxes = [kept(tmp_path / f"{n}.txt", domino_box(n, 3)) for n in (2, 4)]
    lines = ran("count", *boxes, "--json").stdout
    path = kept(tmp_path / "records.jsonl", lines)
    for given in ((*reversed(boxes),), boxes[:1]):  # the other one is stated in its record
        again = records("verify", path, *given)
        assert [one["status"] for one in again] == ["equal", "equal"]
    again = records("verify", path, boxes[0], "somacube", status=3)
    assert [one["status"] for one in again] == ["equal", "different"]


def test_the_citation_of_the_program_has_its_version() -> None:
    root = Path(ec.__file__).parents[1]
    version = f"version: {ec.__version__}\n"
    assert version in (root / "CITATION.cff").read_text("utf-8")

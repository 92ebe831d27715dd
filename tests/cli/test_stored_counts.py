"""Numbers of solutions that a file stores, held against the number that is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import exactcover as ec
from exactcover.base.values import CONVENTIONS
from exactcover.formats import read_puzzle
from exactcover.search.counting.stored import Numbers
from tests.helpers.commands import ran, records
from tests.helpers.examples import some

SOMA = ["###_", "####__", "###_#_", "##__##", "###_#___", "##_##___", "##_#___#"]
SIZES = ["2x2x1", "3x2x1", "3x2x1", "3x2x1", "2x2x2", "2x2x2", "2x2x2"]


def soma(stored: str, *, copies: str = 'count="1"', shapes: list[str] = SOMA) -> str:
    """The Soma cube as BurrTools' file: 480 solutions up to rotations, 240 up to reflections."""
    voxels = ['<voxel x="3" y="3" z="3" type="0">' + "#" * 27 + "</voxel>"]
    for size, marks in zip(SIZES, shapes, strict=True):
        x, y, z = size.split("x")
        voxels.append(f'<voxel x="{x}" y="{y}" z="{z}" type="0">{marks}</voxel>')
    pieces = "".join(f'<shape id="{n}" {copies}/>' for n in range(1, 8))
    return (
        '<?xml version="1.0"?><puzzle version="2"><gridType type="0"/><colors/>'
        f"<shapes>{''.join(voxels)}</shapes><problems><problem {stored}>"
        f'<shapes>{pieces}</shapes><result id="0"/></problem></problems></puzzle>'
    )


def told(path: Path, text: str, *arguments: str, status: int = 0) -> tuple[dict[str, object], str]:
    """The record of a count, and what stands on standard error."""
    path.write_text(text)
    run = ran(*arguments, path, "--json", status=status)
    return json.loads(run.stdout), run.stderr


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a further count take longer than a second, since a busy machine needs that."""
    monkeypatch.setattr("exactcover.search.counting.stored.AT_LEAST", 600.0)


SOLVED = 'state="2" assemblies="{}" solutions="9" time="1"'
RANGES = 'min="0" max="1"'


@pytest.mark.parametrize(
    "switches", some([((),), (("--counted=reflections",),), (("--all",),)], one_in=3)
)
@pytest.mark.parametrize(
    ("stored", "copies", "warning"),
    [
        (240, 'count="1"', ""),
        (241, 'count="1"', "stores 241 solutions (unique up to rotations and reflections), "
         "but there are 240"),
        (480, 'count="1"', "stores 480 solutions (unique up to rotations and reflections), "
         "but there are 240; 480 is the number of those that are unique up to rotations"),
        (7, RANGES, "stores 7 solutions, but there are 480 (unique up to rotations) and 240 "
         "(unique up to rotations and reflections)"),
    ],
)  # fmt: skip
def test_burrtools_number_of_assemblies(
    tmp_path: Path, switches: tuple[str, ...], stored: int, copies: str, warning: str
) -> None:
    text = soma(SOLVED.format(stored), copies=copies)
    record, stderr = told(tmp_path / "soma.xmpuzzle", text, "count", *switches)
    if not warning:
        assert not stderr
        assert not record.keys() & {"warning", "stored"}
        return
    assert f"warning: {tmp_path / 'soma.xmpuzzle'}: the file {warning}\n" in stderr
    assert record["warning"] == f"the file {warning}"
    ways = {"rotations", "reflections"} if copies == RANGES else {"reflections"}
    assert record["stored"] == dict.fromkeys(ways, stored)


@pytest.mark.parametrize(("stored", "way"), [(480, "rotations"), (240, "reflections")])
@pytest.mark.parametrize(
    "switches", some([((),), (("--counted=reflections",),), (("--all", "--strict"),)], one_in=3)
)
def test_burrtools_may_count_ranges_of_pieces_in_either_way(
    tmp_path: Path, switches: tuple[str, ...], stored: int, way: str
) -> None:
    path = tmp_path / "soma.xmpuzzle"
    text = soma(SOLVED.format(stored), copies=RANGES)
    record, stderr = told(path, text, "count", *switches)
    assert not stderr
    assert record["stored_as"] == way
    assert not record.keys() & {"warning", "stored", "not_compared"}
    said = ran("count", path, *switches).stderr
    words = {"rotations": "rotations", "reflections": "rotations and reflections"}[way]
    assert (
        said == f"exactcover: {path}: the {stored} solutions of the file are unique up to {words}\n"
    )


def test_no_number_that_can_be_compared(tmp_path: Path) -> None:
    twice = [*SOMA[:-2], SOMA[-1], SOMA[-1]]
    for text in (
        soma('state="1" assemblies="17"'),  # not at its end
        soma('state="2" assemblies="4294967295"'),  # too many to count
        soma('state="0"'),
        soma('state="2"'),
        soma('state="2" assemblies="many"'),
    ):
        record, stderr = told(tmp_path / "soma.xmpuzzle", text, "count")
        assert not stderr
        assert not record.keys() & {"warning", "not_compared"}
    text = soma(SOLVED.format(7), shapes=twice)
    record, stderr = told(tmp_path / "soma.xmpuzzle", text, "count")
    assert not stderr
    assert "warning" not in record
    reason = "BurrTools distinguishes pieces of one shape"
    assert record["not_compared"] == {"reflections": reason}


FILES = {
    "x.toml": 'pieces = "domino any"\nregion = "2x3"\n[counts]\n{} = {}\n',
    "x.txt": "# count {}: {}\nD:xDim=2:yDim=3:zDim=1\n"
    + "".join(f"C:name=D{n}:type=M:layout=0 0 0, 1 0 0\n" for n in range(3))
    + "~D\n",
    "x.dlx": "| count {}: {}\na b\na b\na\nb\n",
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("command", some(["count", "solve", "batch", "verify"], one_in=2))
def test_numbers_in_every_format(tmp_path: Path, name: str, command: str) -> None:
    counts = {"all": 2} if name == "x.dlx" else {"all": 3, "rotations": 2, "reflections": 2}
    for counted, right in counts.items():
        for switches in ((), ("--all",)):
            for number in (right, right + 1, 0):
                text = FILES[name].format(counted, number)
                wrong = number != right
                status = 3 if wrong and command == "verify" else 0
                record, stderr = told(tmp_path / name, text, command, *switches, status=status)
                assert ("warning" in record) == wrong
                if wrong:
                    assert record["stored"] == {counted: number}
                    assert f"the file stores {number} solutions" in str(record["warning"])
                    assert f"but there are {right}" in str(record["warning"])
                    assert command == "verify" or record["warning"] in stderr


def test_an_answer_that_is_not_at_its_end_contradicts_nothing(tmp_path: Path) -> None:
    text = FILES["x.toml"].format("all", 7)
    for switches in (("--limit", "1"), ("--first",)):
        record, stderr = told(tmp_path / "x.toml", text, "solve", *switches)
        assert not stderr
        assert "warning" not in record
    none = text.replace("2x3", "3x3")
    record, stderr = told(tmp_path / "x.toml", none, "solve", "--first")
    assert "stores 7 solutions (all), but there are 0" in stderr


def test_solve_tells_it_after_the_solutions(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(FILES["x.toml"].format("rotations", 9))
    run = ran("solve", path)
    assert "2 solutions" in run.stdout
    assert f"exactcover: warning: {path}: the file stores 9 solutions" in run.stderr


WRONG = """pieces = "pentominoes"
region = "20x3"
[counts]
all = 8
rotations = 3
reflections = 2
"""


@pytest.mark.parametrize(
    "command",
    ["verify --engines dlx,bsx", "count --strict", "batch --strict", "count --all --strict"],
)
def test_a_wrong_number_of_unique_solutions_is_status_3(tmp_path: Path, command: str) -> None:
    path = tmp_path / "bad.toml"
    words = "the file stores 3 solutions (unique up to rotations), but there are 2"
    record, stderr = told(path, WRONG, *command.split(), status=3)
    assert words in str(record["warning"])
    assert "verify" in command or f"exactcover: warning: {path}: {words}" in stderr
    assert record["stored"] == {"rotations": 3}
    run = ran(*command.split(), path, status=3)
    assert words in run.stdout + run.stderr
    right = WRONG.replace("3", "2").replace("20x2", "20x3")
    record, stderr = told(path, right, *command.split())
    assert not stderr
    assert not record.keys() & {"warning", "stored", "not_compared"}


def test_what_is_not_compared_is_said_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    limit = ("--time-limit", "0")
    reason = "the search did not come to its end"
    for command in ("count", "batch", "verify"):
        record, stderr = told(path, WRONG, command, *limit, status=4)
        assert not stderr
        assert record["not_compared"] == dict.fromkeys(("all", "rotations", "reflections"), reason)
    for command in ("count", "verify"):
        run = ran(command, path, *limit, status=4)
        said = f"the 3 solutions of the file (unique up to rotations) are not compared: {reason}"
        assert said in run.stdout + run.stderr
    run = ran("solve", path, "--first")
    assert run.stderr == ""


def test_more_than_the_file_stores_is_wrong_before_the_end(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    text = 'pieces = "domino any"\nregion = "20x20"\n[counts]\nall = 7\nrotations = 99\n'
    record, _ = told(path, text, "solve", "--all", "--limit", "9")
    assert record["warning"] == "the file stores 7 solutions (all), but there are at least 9"
    assert record.keys() >= {"stored", "not_compared"}


@pytest.mark.parametrize("counted", some(["rotations", "all", "reflections"], one_in=3))
def test_verify_counts_as_count_does(counted: str) -> None:
    for name in ("pentominoes_20x3", "soma_dog", "dominoes_2x2x2"):
        [one] = records("verify", name, "--counted", counted, "--engines", "dlx,bsx")
        [other] = records("count", name, "--counted", counted)
        assert (one["solutions"], one["counted"]) == (other["solutions"], other["counted"])


def test_verify_says_that_the_engines_agree() -> None:
    shown = ran("verify", "pentominoes_20x3", "--engines", "dlx,bsx").stdout
    assert "2 solutions (unique up to rotations); the engines agree" in shown


@pytest.mark.parametrize(
    ("name", "follow"),
    [
        ("pentominoes_20x3", "rotations>all reflections>all rotations>reflections "
         "reflections>rotations"),
        ("soma_stairs", "rotations>all reflections>all reflections>rotations"),
        ("pairs_3x2x2", ""),
    ],
)  # fmt: skip
def test_numbers_that_follow_from_symmetries(name: str, follow: str) -> None:
    """They are those that a count finds, and are not counted."""
    [document] = read_puzzle(name)
    right = {way: ec.count(document.content, counted=way) for way in CONVENTIONS}
    found = set()
    for first, known in right.items():
        for way in set(CONVENTIONS) - {first}:
            numbers = Numbers(document, {first: known}, True, lambda *_: None, patience=0.0)
            number = numbers.number(way)
            assert number in (None, right[way])
            if number is not None:
                found.add(f"{first}>{way}")
    assert found == set(follow.split())


def test_a_further_count_takes_a_moment_or_as_long_as_it_must(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    text = 'pieces = "pentominoes"\nregion = "10x6"\n[counts]\nall = 9356\nrotations = 2339\n'
    seconds = ("--time-limit", "0.0001")
    search = ("count", "--strategy", "automaton:narrow")
    record, _ = told(path, text, *search, *seconds, status=4)
    assert set(record["not_compared"]) == {"all", "rotations"}
    record, _ = told(path, text, *search, "--strict")
    assert "not_compared" not in record


def test_large_rectangles_have_no_matrix_to_compare_by() -> None:
    """The number of all solutions is counted, as it cannot be derived from that up to rotations."""
    run = ran("count", "squared_square_112x112", "--json")
    record = json.loads(run.stdout)
    assert (record["solutions"], run.stderr) == (1, "")

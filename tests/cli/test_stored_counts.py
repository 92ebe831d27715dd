"""Numbers of solutions that a file stores, held against the number that is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from exactcover.cli.commands import exactcover

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


def told(path: Path, text: str, *arguments: str) -> tuple[dict[str, object], str]:
    """The record of a count, and what stands on standard error."""
    path.write_text(text)
    result = CliRunner().invoke(exactcover, [*arguments, str(path), "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout), result.stderr


SOLVED = 'state="2" assemblies="{}" solutions="9" time="1"'
RANGES = 'min="0" max="1"'


@pytest.mark.parametrize("switches", [(), ("--counted=reflections",), ("--all",)])
@pytest.mark.parametrize(
    ("stored", "copies", "warning"),
    [
        (240, 'count="1"', ""),
        (241, 'count="1"', "stores 241 solutions (unique up to rotations and reflections), "
         "but there are 240"),
        (480, 'count="1"', "stores 480 solutions (unique up to rotations and reflections), "
         "but there are 240; 480 is the number of those that are unique up to rotations"),
        (480, RANGES, ""),
        (240, RANGES, "stores 240 solutions (unique up to rotations), but there are 480; "
         "240 is the number of those that are unique up to rotations and reflections"),
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
    counted = "rotations" if copies == RANGES else "reflections"
    assert f"warning: {tmp_path / 'soma.xmpuzzle'}: the file {warning}\n" in stderr
    assert record["warning"] == f"the file {warning}"
    assert record["stored"] == {counted: stored}


def test_no_number_that_can_be_compared(tmp_path: Path) -> None:
    twice = [*SOMA[:-2], SOMA[-1], SOMA[-1]]
    for text in (
        soma('state="1" assemblies="17"'),  # not at its end
        soma('state="2" assemblies="4294967295"'),  # too many to count
        soma('state="0"'),
        soma('state="2"'),
        soma('state="2" assemblies="many"'),
        soma(SOLVED.format(7), shapes=twice),  # BurrTools tells equal shapes apart
    ):
        record, stderr = told(tmp_path / "soma.xmpuzzle", text, "count")
        assert not stderr
        assert "warning" not in record


FILES = {
    "x.toml": 'pieces = "domino any"\nregion = "2x3"\n[counts]\n{} = {}\n',
    "x.txt": "# count {}: {}\nD:xDim=2:yDim=3:zDim=1\n"
    + "".join(f"C:name=D{n}:type=M:layout=0 0 0, 1 0 0\n" for n in range(3))
    + "~D\n",
    "x.dlx": "| count {}: {}\na b\na b\na\nb\n",
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("command", ["count", "solve"])
def test_numbers_in_every_format(tmp_path: Path, name: str, command: str) -> None:
    counts = {"all": 2} if name == "x.dlx" else {"all": 3, "rotations": 2, "reflections": 2}
    for counted, right in counts.items():
        for switches in ((), ("--all",)):
            for number in (right, right + 1, 0):
                text = FILES[name].format(counted, number)
                record, stderr = told(tmp_path / name, text, command, *switches)
                assert ("warning" in record) == (number != right)
                if number != right:
                    assert f"the file stores {number} solutions" in stderr
                    assert f"but there are {right}" in stderr


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
    result = CliRunner().invoke(exactcover, ["solve", str(path)])
    assert "2 solutions" in result.stdout
    assert f"exactcover: warning: {path}: the file stores 9 solutions" in result.stderr

"""A puzzle of a file that cannot be read does not keep the others from being solved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import exactcover as ec
from exactcover.cli.program import exactcover
from exactcover.errors import FormatError
from exactcover.formats import Refused, read_file, read_puzzle, read_puzzles
from tests.helpers.examples import some

PROBLEM = '<problem><shapes><shape id="1" count="{}"/></shapes><result id="0"/></problem>\n'
XMPUZZLE = (
    '<puzzle version="2"><gridType type="0"/><colors/><shapes>'
    '<voxel x="2" y="2" z="1" type="0">####</voxel><voxel x="2" y="1" z="1" type="0">##</voxel>'
    "</shapes><problems>\n{}</problems></puzzle>"
)

TABLE = '[[puzzle]]\npieces = "domino x {}"\nregion = "2x2"\n'
BOX = "D:xDim=2:yDim=2:zDim=1\nC:name=A:type=M:layout=0 0 0, 1 0 0\n{}\n~D\n"

GOOD = {
    "x.xmpuzzle": PROBLEM.format(2),
    "x.toml": TABLE.format(2),
    "x.txt": BOX.format("C:name=B:type=M:layout=0 0 0, 1 0 0"),
}
"""Two dominoes in a square, one solution up to rotations."""

BAD = {
    "x.xmpuzzle": [
        PROBLEM.format("many"),
        PROBLEM.replace('result id="0"', 'result id="4294967295"').format(2),
        "<problem/>\n",
    ],
    "x.toml": [
        TABLE.format("-1"),
        '[[puzzle]]\npieces = "dominoo"\nregion = "2x2"\n',
    ],
    "x.txt": [
        BOX.format("C:name=A:type=M:layout=0 0 0"),
        BOX.format("L\nB B"),  # the drawing is not closed
        BOX.format("").replace("~D\n", ""),
        BOX.format("L\nB B\n").replace("~D\n", ""),
        BOX.format("C:name=S:type=S:layout=5 5 0"),
    ],
}

CASES = [(name, bad) for name, listed in BAD.items() for bad in listed]


def whole(name: str, *parts: str) -> str:
    text = "".join(parts)
    return XMPUZZLE.format(text) if name == "x.xmpuzzle" else text


@pytest.mark.parametrize(("name", "bad"), CASES)
@pytest.mark.parametrize("place", some([2, 1, 3], one_in=3))
def test_the_others_are_solved(tmp_path: Path, name: str, bad: str, place: int) -> None:
    parts = [GOOD[name]] * 2
    parts.insert(place - 1, bad)
    path = tmp_path / name
    path.write_text(whole(name, *parts))
    entries = read_puzzles(str(path))
    assert [isinstance(entry, Refused) for entry in entries] == [n == place for n in (1, 2, 3)]
    assert [entry.name for entry in entries] == [f"{path}#{n}" for n in (1, 2, 3)]
    result = CliRunner().invoke(exactcover, ["count", str(path), "--json"])
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [r["puzzle"] for r in records] == [f"{path}#{n}" for n in (1, 2, 3) if n != place]
    assert all(record["solutions"] == 1 for record in records)
    refused = entries[place - 1]
    assert isinstance(refused, Refused)
    assert f"exactcover: {path}#{place}: {refused.error}\n" in result.stderr
    assert "exactcover: 1 of 3 puzzles failed\n" in result.stderr
    for number in (1, 2, 3):
        if number == place:
            with pytest.raises(FormatError) as caught:
                ec.read(f"{path}#{number}")
            assert caught.value.line is not None
        else:
            assert ec.count(ec.read(f"{path}#{number}"), counted="rotations") == 1
    with pytest.raises(FormatError):
        read_file(path)
    with pytest.raises(FormatError):
        read_puzzle(str(path))

"""Lists of puzzles: what the columns mean, in each format, and what a broken list says."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import exactcover as ec
from exactcover.errors import FormatError
from exactcover.formats import Document, parse, write
from exactcover.formats.lists import RowList, read_list
from exactcover.puzzle import Puzzle
from exactcover.puzzle.digest import digest
from tests.helpers.random_puzzles import puzzles


def listed(folder: Path, text: str) -> RowList:
    path = folder / "list.csv"
    path.write_text(text, encoding="utf-8")
    return read_list(path)


def test_a_row_says_what_a_file_says(tmp_path: Path) -> None:
    found = listed(
        tmp_path,
        "name,Pieces,region,counted,expected,by\n"
        'one,pentominoes,20x3,all,"1,008",Golomb\n'
        '"","[""domino x 2""]","[""1x1"", ""3x1 at 0,1""]",,,\n'
        '"a, b",domino,"##\n",rotations,0,\n',
    )
    assert found.columns == ("name", "pieces", "region", "counted", "expected", "by")
    one, two, three = found.rows
    assert (one.name, one.line, one.counted, one.expected) == ("one", 2, "all", 1008)
    assert one.columns["by"] == "Golomb"
    assert digest(one.document().content) == digest(ec.puzzle_of("pentominoes", "20x3"))
    assert (two.name, two.line, two.counted, two.expected) == ("row 2", 3, None, None)
    same = ec.puzzle_of(["domino x 2"], ["1x1", "3x1 at 0,1"])
    assert digest(two.document().content) == digest(same)
    assert (three.name, three.line) == ("a, b", 4)
    assert digest(three.document().content) == digest(ec.puzzle_of("domino", "2x1"))


def test_a_row_names_a_file_or_a_shipped_puzzle(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        '[[puzzle]]\npieces = "domino"\nregion = "2x1"\n'
        '[[puzzle]]\npieces = "domino"\nregion = "1x2"\n'
    )
    found = listed(
        tmp_path, "file,lattice\nown.toml#2,square\nsomacube,\nown.toml,\nno.toml,\nnone,\n"
    )
    second, soma, both, missing, none = found.rows
    assert second.document().name == "own.toml#2"
    assert digest(second.document().content) == digest(ec.puzzle_of("domino", "1x2"))
    assert digest(soma.document().content) == digest(ec.read("somacube"))
    for row, said in (
        (both, "holds 2 puzzles"), (missing, "no such file"),
        (none, "no puzzle is called"),
    ):  # fmt: skip
        with pytest.raises(ec.ExactCoverError, match=said):
            row.document()


@given(puzzle=puzzles())
def test_a_row_can_state_every_puzzle(
    puzzle: Puzzle, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """With the values of its file as cells."""
    [line] = write([Document("p", puzzle)], "jsonl").splitlines()
    keys = json.loads(line)
    folder = tmp_path_factory.mktemp("lists")
    text = write([Document("p", puzzle)], "toml")
    [row] = listed(folder, as_csv([{key: in_toml(one) for key, one in keys.items()}])).rows
    [read] = parse(text, "toml")
    assert digest(row.document().content) == digest(read.content)


def in_toml(value: Any) -> str:
    """A value of JSON as TOML in one line."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{json.dumps(k)} = {in_toml(one)}' for k, one in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(in_toml, value))}]"
    return json.dumps(value)


def as_csv(rows: list[dict[str, str]]) -> str:
    stream = io.StringIO(newline="")
    table = csv.DictWriter(stream, list(rows[0]))
    table.writeheader()
    table.writerows(rows)
    return stream.getvalue()


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_separators_and_line_ends(separator: str, tmp_path: Path) -> None:
    lines = [["name", "file", "expected"], ["s", "somacube", "480"], [], ["t", "queens_8", "92"]]
    text = "\ufeff" + "\r\n".join(separator.join(cells) for cells in lines)
    found = listed(tmp_path, text)
    assert [(row.name, row.place, row.expected, row.line) for row in found.rows] == [
        ("s", "somacube", 480, 2), ("t", "queens_8", 92, 4),
    ]  # fmt: skip


BROKEN = [
    ("", "no row here"),
    ("name,expected\na,3\n", "a list needs a column `file`"),
    ("file,x,File\na,b,c\n", r"two columns have one name \(at 'file'\)"),
    ("file\nsoma\0\n", "list.csv:2: a control character"),
]


@pytest.mark.parametrize(("text", "said"), BROKEN)
def test_a_broken_list(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=said):
        listed(tmp_path, text)


WRONG = [
    ("somacube,,,,,extra", "7 cells|6 cells, and there are 5 columns"),
    ("somacube,domino,,,", "a row with a file has its puzzle there: leave pieces out"),
    (",domino,2x1,,2.0", "expected must be a whole number"),
    (",domino,2x1,rotation,", "did you mean rotations"),
    (",domono,2x1,,", "domino"),
]


@pytest.mark.parametrize(("text", "said"), WRONG)
def test_a_wrong_row_leaves_the_others(text: str, said: str, tmp_path: Path) -> None:
    found = listed(tmp_path, f"file,pieces,region,counted,expected\n{text}\nsomacube,,,,480\n")
    if text.strip(","):
        with pytest.raises(ec.ExactCoverError, match=said) as raised:
            found.rows[0].document()
        assert "list.csv:2: " in str(raised.value)
    assert len(found.rows[-1].document().puzzle.pieces) == 7  # type: ignore[union-attr]

"""Where a puzzle is looked for: files, standard input, the shipped puzzles."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from exactcover.errors import ExactCoverError, FormatError, UnknownName
from exactcover.formats import read_puzzle, shipped
from exactcover.formats.shipped import located

ONE = 'pieces = "domino"\nregion = "2x1"\n'
TWO = "D:xDim=1:yDim=1:zDim=1\nC:name=A:type=M:layout=0 0 0\n~D\n" * 2


@pytest.fixture
def defs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "defs"
    for name, text in {
        "square/box.toml": "title = 'flat'\n" + ONE,
        "square/pair.txt": TWO,
        "cubic/box.toml": ONE,
        "cubic/deep/far.toml": ONE,
        "cubic/odd_lattice.toml": "",
        "README.md": "",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    monkeypatch.setattr(shipped, "folder", lambda: root)
    monkeypatch.chdir(tmp_path)
    return root


def test_find(defs: Path) -> None:
    assert located("square/box")[0] == defs / "square/box.toml"
    assert located("pair")[0] == defs / "square/pair.txt"
    assert located("deep/far")[0] == located("far")[0] == defs / "cubic/deep/far.toml"
    with pytest.raises(ExactCoverError, match="say cubic/box or square/box"):
        located("box")
    with pytest.raises(UnknownName, match="did you mean pair"):
        located("pairs")
    with pytest.raises(UnknownName, match="did you mean square/pair"):
        located("square/pairs")


def test_a_file_comes_before_a_shipped_puzzle(defs: Path) -> None:
    assert read_puzzle("pair#2")[0].name == "square/pair#2"
    assert len(read_puzzle("pair")) == 2
    Path("pair").write_text("")
    with pytest.raises(FormatError, match="no format has the ending"):
        read_puzzle("pair")


def test_one_of_several(defs: Path) -> None:
    Path("a#2.txt").write_text(TWO)
    assert [d.name for d in read_puzzle("a#2.txt")] == ["a#2.txt#1", "a#2.txt#2"]
    assert [d.name for d in read_puzzle("a#2.txt#1")] == ["a#2.txt#1"]
    Path("one.toml").write_text(ONE)
    assert read_puzzle("one.toml#1")[0].name == "one.toml"
    for where, many in (
        ("one.toml#2", "there is 1 puzzle: "),
        ("a#2.txt#0", "there are 2 puzzles, #1 to #2"),
    ):
        with pytest.raises(FormatError, match=many):
            read_puzzle(where)


@pytest.mark.parametrize(
    ("text", "puzzles"), [(ONE, 1), (TWO, 2), ("a b\na b\n", 1), ("| a\na\na\n", 1)]
)
def test_standard_input(text: str, puzzles: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
    documents = read_puzzle("-")
    assert len(documents) == puzzles
    assert documents[0].name == ("-" if puzzles == 1 else "-#1")


def test_a_lattice_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "my_lattice.toml").write_text(
        'name = "mine"\ndimension = 1\n'
        "rotations = []\nreflections = [[[-1]]]\nneighbours = [[[0], [1]]]\n"
    )
    (tmp_path / "p.toml").write_text(
        'lattice = "my_lattice.toml"\nregion = "4"\n'
        '[[piece]]\nname = "A"\ncells = [[0], [1]]\ncopies = 2\n'
    )
    (document,) = read_puzzle(str(tmp_path / "p.toml"))
    assert document.puzzle is not None
    assert document.puzzle.lattice.name == "mine"


@pytest.mark.parametrize("where", ["no_such_puzzle", "square/no_such", "no_such.toml"])
def test_what_is_not_there_says_how_to_list_what_is(defs: Path, where: str) -> None:
    with pytest.raises(ExactCoverError, match="`exactcover list puzzles` lists"):
        read_puzzle(where)

"""Numbers, characters and files of a user: what is refused, and by whom."""

from __future__ import annotations

import os
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import numpy as np
import pytest

import exactcover as ec
from exactcover.base.text import CONTROL
from exactcover.errors import ExactCoverError, FormatError
from exactcover.formats import Document, parse, read_file, write
from exactcover.geometry.regions import region_cells
from exactcover.lattices import get_lattice
from exactcover.problem import Problem
from exactcover.puzzle import Piece, Puzzle, Region
from exactcover.trust.proofs import load_proof
from tests.helpers.commands import refused

# -- numbers, by those who read them: more of them in tests/fuzz ----------------------------------


def test_numbers_in_python() -> None:
    square = get_lattice("square")
    for wrong in (
        lambda: Problem.from_options([["a"]], costs=[10**400]),
        lambda: Piece("A", np.array([[0, 0]]), cost=10**400),
        lambda: Piece("A", np.array([[0, 0]]), cost=-(10**400)),
        lambda: region_cells(square, "box", [10**5000, 1]),
        lambda: region_cells(square, "box", [10_000, 1000]),
        lambda: region_cells(square, "diamond", [3000]),
        lambda: region_cells(get_lattice("6d"), "box", [12] * 6),
        lambda: Puzzle(
            square,
            Region(np.indices((4000, 1000)).reshape(2, -1).T),
            (Piece("A", np.array([[0, 0]])),),
        ),
    ):
        with pytest.raises(ExactCoverError) as caught:
            wrong()  # type: ignore[no-untyped-call]
        assert len(str(caught.value)) < 300


@pytest.mark.slow
def test_a_million_options() -> None:
    """Of one item, and each of its own."""
    million = 1_000_000
    assert ec.count(Problem.from_options([["a"]] * million)) == million
    apart = Problem.from_options([[number] for number in range(million)])
    assert len(ec.first(apart).options) == million
    colours = [["a", f"c:{number}"] for number in range(70_000)]
    coloured = Problem.from_options(colours, secondary=["c"], colored=True)
    assert ec.count(coloured) == 70_000


# -- characters -----------------------------------------------------------------------------------

WRONG = ["\x1b", "\x7f", "\x9b", "\u202e", "\u2028"]
TEXTS = {
    "toml": 'title = "{0}"\npieces = "domino"\nregion = "2x1"\n',
    "dlx": "| title: {0}\na{0}\na{0}\n",
    "polycube": "# source: {0}\nD:xDim=1:yDim=1:zDim=1\nC:name=A{0}:type=M:layout=0 0 0\n~D\n",
    "xmpuzzle": '<puzzle version="2"><gridType type="0"/><colors/><shapes>'
    '<voxel x="1" y="1" z="1" type="0" name="a{0}">#</voxel></shapes><problems>'
    '<problem name="b{0}"><shapes><shape id="0" count="1"/></shapes><result id="0"/></problem>'
    "</problems><comment>source: {0}</comment></puzzle>",
}


@pytest.mark.parametrize("character", WRONG)
@pytest.mark.parametrize("form", TEXTS)
def test_control_characters_are_refused(form: str, character: str) -> None:
    assert len(parse(TEXTS[form].format(""), form)) == 1
    with pytest.raises(FormatError, match=r"x(:1)?: .*control character|escape"):
        parse(TEXTS[form].format(character), form, file="x")


@pytest.mark.parametrize("character", WRONG)
@pytest.mark.parametrize(
    ("form", "old", "escape"),
    [
        ("toml", "region", 'source = "\\u{1:04x}"\nregion'),
        ("toml", "region", '[[piece]]\nname = "a\\u{1:04x}"\ncells = [[0, 0]]\n[region]\nx'),
        ("xmpuzzle", "a{0}", "&#{1};"),
        ("xmpuzzle", "source: {0}", "source: &#{1};"),
    ],
)
def test_so_are_escaped_ones(form: str, old: str, escape: str, character: str) -> None:
    assert old in TEXTS[form]
    written = escape.replace("{1}", str(ord(character))).replace("{1:04x}", f"{ord(character):04x}")
    text = TEXTS[form].replace(old, written).replace("{0}", "")
    if character == "\u2028" and old in ("a{0}", "source: {0}"):
        [document] = parse(text, form)  # there it is blank space, which parts words and lines
        assert not CONTROL.search(document.title + document.source)
        return
    with pytest.raises(FormatError):
        parse(text, form, file="x")


def test_what_is_written_can_be_read() -> None:
    """Titles of Python may hold anything; on the way into a file it becomes plain."""
    with pytest.raises(ExactCoverError, match="control"):
        Piece("\x1b[31m", np.array([[0, 0]]))
    content = ec.read("dominoes_4x4")
    document = Document("x", content, title="a\x9b\nb\u202e", source="\x1b" + "".join(WRONG))
    for form in ("toml", "dlx", "xmpuzzle", "polycube"):
        [again] = parse(write([document], form), form)
        assert again.title == "a b"
        assert again.source == ""
    odd = Problem.from_options([["a\x1b", "b\u202e"]])
    [again] = parse(write([Document("x", odd)], "dlx"), "dlx")
    assert not CONTROL.search("".join(map(str, again.problem.items)))


# -- files ----------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_refused_and_nobody_waits(tmp_path: Path) -> None:
    for name in ("x.toml", "x.txt", "proof.json"):
        os.mkfifo(tmp_path / name)
    for read in (
        lambda: read_file(tmp_path / "x.txt"),
        lambda: get_lattice("x.toml", tmp_path),
        lambda: load_proof(tmp_path / "proof.json"),
        lambda: parse('lattice = "x.toml"\n', "toml", file=str(tmp_path / "puzzle.toml")),
    ):
        with pytest.raises(FormatError, match="a pipe or a device"):
            read()  # type: ignore[no-untyped-call]


def test_a_device_and_a_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.toml").mkdir()
    with pytest.raises(FormatError, match="cannot be read"):
        read_file(tmp_path / "x.toml")
    if Path("/dev/zero").exists():
        (tmp_path / "zero.txt").symlink_to("/dev/zero")
        with pytest.raises(FormatError, match="a pipe or a device"):
            read_file(tmp_path / "zero.txt")


@pytest.mark.parametrize(
    "text", ["garbage\n", "", "\n\n", "# only\n", "| only\n", "a b c", "\ufeff"]
)
def test_text_without_items_or_options_is_an_error(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(text.encode())))
    assert "standard input" in refused("count", "-")


def test_a_problem_without_options_says_so() -> None:
    with pytest.raises(FormatError, match="no options here"):
        parse("a b\n", "dlx")
    [document] = parse("| options: 0\na b\n", "dlx")
    assert document.problem.n_options == 0
    assert write([document], "dlx") == "| options: 0\na b\n"

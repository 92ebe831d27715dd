"""BurrTools' files: what is read of them, what is refused, and that nothing in them does harm."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import exactcover as ec
from exactcover.errors import ConversionError, FormatError
from exactcover.formats import Document, parse, read_file, read_puzzle, write, written
from exactcover.formats.limits import MAX_ELEMENTS
from exactcover.puzzle import Puzzle
from exactcover.puzzle.paint import Paint
from exactcover.search.counting.counts import count
from exactcover.search.solving import solve
from tests.helpers.examples import few
from tests.helpers.random_puzzles import puzzles, search
from tests.helpers.xmpuzzle_texts import asked, file, number, puzzle_of

SOMA = file(
    [
        ("3x3x3", "#" * 27),
        ("2x2x1", "###_"),
        ("3x2x1", "####__"),
        ("3x2x1", "###_#_"),
        ("3x2x1", "##__##"),
        ("2x2x2", "###_#___"),
        ("2x2x2", "##_##___"),
        ("2x2x2", "##_#___#"),
    ],
    asked("".join(f'<shape id="{n}" count="1"/>' for n in range(1, 8))),
)


def test_the_soma_cube() -> None:
    # BurrTools leaves mirror images out by default: 240 assemblies.
    assert number(SOMA) == 11520
    assert number(SOMA, "rotations") == 480
    assert number(SOMA, "reflections") == 240


def test_ranges_and_variable_voxels() -> None:
    shapes = [("3x1x1", "##+"), ("1x1x1", "#"), ("2x1x1", "##")]
    text = file(shapes, asked('<shape id="1" min="0" max="3"/><shape id="2" min="0" max="1"/>'))
    # Cells 1 and 2 must be filled: 111, 11., 22., 221, 122.
    assert number(text) == 5
    assert number(text.replace('state="0"', 'state="0" maxholes="0"')) == 3


CHEQUERED = file(
    [("2x2x1", "#1#2#2#1"), ("2x1x1", "#1#2")],
    asked('<shape id="1" count="2"/>', "<bitmap>PAIRS</bitmap>"),
    colours=2,
)


@pytest.mark.parametrize(
    ("pairs", "solutions"),
    [
        ([(0, 0), (1, 1)], 2),  # each colour on its own
        ([(0, 1), (1, 0)], 2),  # each colour on the other
        ([(0, 0), (0, 1)], 0),  # colour 2 of the piece goes with nothing
        ([], 0),
    ],
)
def test_pairs_number_colours_from_0(pairs: list[tuple[int, int]], solutions: int) -> None:
    written_pairs = "".join(f'<pair piece="{a}" result="{b}"/>' for a, b in pairs)
    puzzle = puzzle_of(CHEQUERED.replace("PAIRS", written_pairs))
    assert puzzle.paint is not None
    assert puzzle.paint.allowed == {(a + 1, b + 1) for a, b in pairs}
    assert count(puzzle, counted="all") == solutions
    again = write([Document("x", puzzle)], "xmpuzzle")
    for a, b in pairs:
        assert f'<pair piece="{a}" result="{b}"/>' in again


def test_several_problems(tmp_path: Path) -> None:
    one = '<problem name="A"><shapes><shape id="1" count="2"/></shapes><result id="0"/></problem>'
    two = one.replace('"A"', '"B"').replace('count="2"', 'min="1" max="2" group="1"')
    text = file([("2x2x1", "####"), ("2x1x1", "##")], "").replace(
        '<problem name="P" state="0"></problem>',
        one
        + two.replace("/></shapes", '><group group="1" count="2"/></shape></shapes')
        + two.replace('"B"', '"C"'),
    )
    path = tmp_path / "several.xmpuzzle"
    path.write_bytes(gzip.compress(text.encode()))
    assert [d.title for d in read_file(path)] == ["A", "B", "C"]
    [second] = read_puzzle(f"{path}#2")
    assert second.title == "B"
    assert len([*solve(second.content, counted="all")]) == 2
    path.write_bytes(text.encode())
    assert len(read_file(path)) == 3


NAMED = file(
    [("2x1x1", "##"), ("1x1x1", "#")], asked('<shape id="1" count="2"/>', "<bitmap/>")
).replace('name="P"', 'name="Käse – “Würfel”"')


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("", "cp1252"),
        ("", "utf-8-sig"),
        ("ISO-8859-1", "cp1252"),
        ("windows-1252", "cp1252"),
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_encodings_of_names(
    tmp_path: Path, declared: str, encoding: str, pack: Callable[[bytes], bytes]
) -> None:
    text = NAMED.replace('"1.0"?', f'"1.0" encoding="{declared}"?') if declared else NAMED
    path = tmp_path / "x.xmpuzzle"
    path.write_bytes(pack(text.encode(encoding)))
    [document] = read_file(path)
    assert document.title == "Käse – “Würfel”"


def test_text_files_of_other_programs_may_be_latin(tmp_path: Path) -> None:
    for name, text in (
        ("x.txt", "# title: Käse\nD:xDim=1:yDim=1:zDim=1\nC:name=A:type=M:layout=0 0 0\n~D\n"),
        ("x.dlx", "| title: Käse\na\na\n"),
    ):
        path = tmp_path / name
        path.write_bytes(text.encode("latin-1"))
        assert read_file(path)[0].title == "Käse"
        path.write_bytes(text.replace("A", "Ä").replace("\na", "\nä").encode("latin-1"))
        [document] = read_file(path)
        content = document.content
        named = content.pieces[0].name if isinstance(content, Puzzle) else content.items[0]
        assert named.lower() == "ä"
        path.write_bytes(text.encode("latin-1") + b"\x81")
        with pytest.raises(FormatError, match="not UTF-8"):
            read_file(path)


RINGS = {"even down": ("3x2x1", "######"), "even up": ("4x2x1", "_###_###")}
UPRIGHT = {"even down": ("1x2x1", "##"), "even up": ("2x2x1", "_#_#")}
"""A pair of triangles one above the other, which holds together only if they point so."""


@pytest.mark.parametrize("shown", RINGS)
@pytest.mark.parametrize("region", RINGS)
def test_prisms_are_read_as_what_holds_together(shown: str, region: str) -> None:
    """Three columns of two rows are six triangles round a point, or a chain with two ends."""
    shapes = [RINGS[region], ("2x1x1", "##"), UPRIGHT[shown]]
    puzzle = puzzle_of(file(shapes, asked('<shape id="1" count="3"/>'), grid=1))
    _, others = puzzle.model.layout.adjacent
    assert len(puzzle.space) == 6
    assert len(others) // 2 == (6 if region == shown else 5)
    assert count(puzzle, counted="all") == (2 if region == shown else 0)


def test_prisms_that_do_not_show_their_way_up() -> None:
    text = file([("3x2x1", "######"), ("2x1x1", "##")], asked('<shape id="1" count="3"/>'), grid=1)
    with pytest.raises(FormatError, match="which of the triangles point up"):
        parse(text, "xmpuzzle")


def test_spheres() -> None:
    """The pyramid of 20 balls from two rods of four and two rectangles of six has one assembly."""

    def block(cells: np.ndarray) -> tuple[str, str]:
        cells = cells - cells.min(axis=0)
        cells[:, 0] += cells[0].sum() % 2
        sizes = cells.max(axis=0) + 1
        marks = np.full(sizes[::-1], "_")
        marks[tuple(cells.T[::-1])] = "#"
        return "x".join(map(str, sizes)), "".join(marks.ravel())

    unit = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]])
    pyramid = [(a, b, c) for a in range(4) for b in range(4) for c in range(4) if a + b + c < 4]
    rod = [(n, 0, 0) for n in range(4)]
    plate = [(n, m, -m) for n in range(3) for m in range(2)]
    shapes = [block(np.array(cells) @ unit) for cells in (pyramid, rod, plate)]
    text = file(shapes, asked('<shape id="1" count="2"/><shape id="2" count="2"/>'), grid=2)
    assert number(text) == 3
    assert number(text, "rotations") == 1


@given(puzzles(names=("cubic",), plain=True))
@few
def test_cubes_come_back(puzzle: Puzzle) -> None:
    puzzle = replace(puzzle, reflections=False)
    try:
        again = puzzle_of(write([Document("x", puzzle, "A title", "who")], "xmpuzzle"))
    except ConversionError as error:
        assert "without" in str(error)  # noqa: PT017 - pieces or cells
        return
    assert search(again) == search(puzzle)
    assert not again.reflections


def test_squares_lie_flat(tmp_path: Path) -> None:
    text = 'pieces = "pentominoes"\nregion = "10x6"\ntitle = "Ten by six"\n[counts]\nall = 9356\n'
    path = tmp_path / "x.xmpuzzle"
    path.write_bytes(written(parse(text, "toml"), "xmpuzzle"))
    assert path.read_bytes()[:2] == b"\x1f\x8b"
    [document] = read_file(path)
    assert (document.title, dict(document.counts)) == ("Ten by six", {"all": 9356})
    assert document.puzzle is not None
    assert count(document.puzzle, counted="rotations") == 2339


def test_colours_of_the_region_alone_come_back() -> None:
    """They make its two halves unlike, so a solution and its image are two."""
    puzzle = replace(
        ec.puzzle_of(["domino", "monomino"], "3x1"), paint=Paint({(0, 0): 1}, {}, frozenset())
    )
    again = puzzle_of(write([Document("x", puzzle)], "xmpuzzle"))
    assert count(again, counted="rotations") == 2


def test_optional_cells_ranges_and_several_puzzles_come_back() -> None:
    text = """
[[puzzle]]
title = "one"
source = "a <book> & more"
lattice = "cubic"
pieces = ["domino 1..2", "monomino any"]
region.plus = "2x1x1"
region.optional = "1x1x1 at 2,0,0"
[[puzzle]]
lattice = "cubic"
pieces = "domino x 2"
region = "2x2x1"
counts.all = 2
"""
    documents = parse(text, "toml")
    again = parse(write(documents, "xmpuzzle"), "xmpuzzle")
    assert [d.title for d in again] == ["one", ""]
    assert [d.source for d in again] == ["a <book> & more", ""]
    assert [dict(d.counts) for d in again] == [{}, {"all": 2}]
    for one, other in zip(documents, again, strict=True):
        assert count(one.content, counted="all") == count(other.content, counted="all")


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ('pieces = "hexiamonds"\nregion = "hexagon 3"', "lattice triangular"),
        ('pieces = "L tetromino"\nreflections = false\nregion = "3x3"', "may not be turned over"),
        ('pieces = "free tetracubes"\nregion = "2x2x7"', "may be its mirror image"),
        (
            'pieces = "domino x 2"\n[region]\nplus = "2x2"\noptional = "2x1 at 2,0"\nempty = 1',
            "1..1 cells stay empty",
        ),
        ('pieces = "domino x 2 cost 3"\nregion = "2x2"', "cannot represent costs"),
    ],
)
def test_what_cannot_be_written(text: str, lost: str) -> None:
    with pytest.raises(ConversionError, match=lost):
        write(parse(text, "toml"), "xmpuzzle")
    with pytest.raises(ConversionError, match="needs a geometry"):
        write(parse("a\na\n", "dlx"), "xmpuzzle")


GOOD = file([("2x1x1", "##"), ("1x1x1", "#")], asked('<shape id="1" count="2"/>', "<bitmap/>"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<puzzle ", "<jigsaw ", "no proper XML"),
        ('version="2"', 'version="3"', "<puzzle>: only versions 1 and 2"),
        ('gridType type="0"', 'gridType type="9"', "no grid of this type"),
        ('gridType type="0"', 'gridType type="0" skew="1"', "an attribute that is not understood"),
        (">##<", ">#?<", "its voxels are _, # and \\+"),
        (">##<", ">###<", "3 voxels, but a block of 2x1x1 has 2"),
        (">##<", ">##1<", "the file has 0 colours"),
        ('x="2" y="1" z="1"', 'x="9999" y="9999" z="9999"', "may have 1,000,000 cells"),
        ('type="0">#<', 'type="0">+<', "piece S2 has variable voxels"),
        ('shape id="1"', 'shape id="7"', "id must lie in 0..1"),
        ('shape id="1" count="2"', 'shape id="1" min="1"', "its attribute max is missing"),
        ('result id="0"', 'result id="4294967295"', "no result shape yet"),
    ],
)
def test_what_is_not_understood_is_refused(old: str, new: str, message: str) -> None:
    text = GOOD.replace(old, new, 1)
    assert text != GOOD
    with pytest.raises(FormatError, match=message) as caught:
        parse(text, "xmpuzzle", file="x.xmpuzzle")
    assert caught.value.file == "x.xmpuzzle"
    assert caught.value.line in range(2, 9)


HARM = {
    "a document type": '<!DOCTYPE puzzle SYSTEM "file:///etc/passwd">' + GOOD[21:],
    "an outer entity": '<!DOCTYPE p [<!ENTITY a SYSTEM "file:///etc/passwd">]><puzzle>&a;</puzzle>',
    "laughs": "<!DOCTYPE p [<!ENTITY a 'ha'>"
    + "".join(f"<!ENTITY a{n} '{'&a' + str(n - 1 or '') + ';' * 1}'>" for n in range(1, 9))
    + "]><puzzle>&a8;</puzzle>",
    "an unknown entity": GOOD.replace("<bitmap/>", "&nbsp;"),
    "depth": "<puzzle>" * 50_000 + "</puzzle>" * 50_000,
    "depth in what is skipped": GOOD.replace("<bitmap/>", "<solutions>" + "<a>" * 100_000),
    "many elements": "<puzzle>" + "<a/>" * (MAX_ELEMENTS + 1) + "</puzzle>",
    "a long attribute": f'<puzzle version="{"2" * 1_000_000}"/>',
    "many problems": GOOD.replace("<problems>", "<problems>" + "<problem/>" * 100_001),
    "many large results": file(
        [("1000x1000x1", "#" * 1_000_000), ("1x1x1", "#")], asked('<shape id="1" count="1"/>')
    ).replace("</problems>", '<problem><shapes/><result id="0"/></problem>' * 9 + "</problems>"),
}


LARGE = ("depth", "many elements", "many problems", "many large results")


@pytest.mark.parametrize(
    "what", [pytest.param(one, marks=[pytest.mark.slow] * (one in LARGE)) for one in HARM]
)
def test_tricks_are_refused(what: str) -> None:
    with pytest.raises(FormatError):
        parse(HARM[what], "xmpuzzle")


def test_a_gzip_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xmpuzzle"
    path.write_bytes(gzip.compress(b"<puzzle>" + b" " * (64 << 20)))
    assert path.stat().st_size < 1 << 19
    with pytest.raises(FormatError, match="unpacked it is larger than 16 MiB"):
        read_file(path)
    path.write_bytes(gzip.compress(b" " * (9 << 20)) * 3)
    with pytest.raises(FormatError, match="unpacked it is larger than 16 MiB"):
        read_file(path)


def test_packed_files_that_are_broken(tmp_path: Path) -> None:
    path = tmp_path / "x.xmpuzzle"
    good = gzip.compress(GOOD.encode())
    for raw, message in (
        (good[:-9], "cut off"),
        (good[:20], "cut off"),
        (good[:10] + b"\xff" * 20, "cannot be unpacked"),
        (good + b"more", "cannot be unpacked"),
        (good[:-8] + b"\0" * 8, "cannot be unpacked"),
        (zlib.compress(GOOD.encode()), "not UTF-8"),
    ):
        path.write_bytes(raw)
        with pytest.raises(FormatError, match=message):
            read_file(path)
    path.write_bytes(good + b"\0" * 20)
    assert len(read_file(path)) == 1

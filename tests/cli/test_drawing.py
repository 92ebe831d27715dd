"""`exactcover draw`, `--picture` of other commands, and drawings in text."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.helpers.commands import ran, ran_apart, records

SVG = "{http://www.w3.org/2000/svg}"


def titles(text: str) -> list[str]:
    """The titles of the outlines of a picture."""
    paths = ElementTree.fromstring(text).iter(f"{SVG}path")
    return [str(title.text) for path in paths if (title := path.find(f"{SVG}title")) is not None]


@pytest.mark.parametrize(
    ("said", "outlines"),
    [
        (["--solution", "2"], 12),
        (["--solutions", "3"], 24),
        (["--solutions", "3", "--counted=all"], 36),
        (["--pieces"], 12),
    ],
)
def test_solutions_and_pieces(said: list[str], outlines: int) -> None:
    """This puzzle has two solutions, so a sheet of up to three has both."""
    assert len(titles(ran("draw", "pentominoes_20x3", *said).stdout)) == outlines


def test_letters_and_shapes_are_seen_together(tmp_path: Path) -> None:
    """In text below each shape, and in the picture of a set, which is named like a puzzle."""
    lines = ran("list", "shapes", "triangular", "4", "--draw").stdout.splitlines()
    assert lines[-1].split() == ["I", "C", "T"]
    assert "+---+" in lines[-2]
    assert "tetriamonds        triangular: I, C, T\n" in ran("list", "sets").stdout
    ran("draw", "tetriamonds", "-o", tmp_path / "set.svg")
    text = (tmp_path / "set.svg").read_text()
    assert titles(text) == re.findall(r"<text[^>]*>(\w)<", text) == ["I", "C", "T"]
    ran("draw", "hexiamonds_coin", "-o", tmp_path / "coin.svg")  # no set `hexiamonds coin`
    ran("draw", "triangular/hexiamonds_coin", "-o", tmp_path / "same.svg")
    assert (tmp_path / "coin.svg").read_text() == (tmp_path / "same.svg").read_text()


def test_a_sheet_of_paper_has_the_board_the_pieces_and_a_title() -> None:
    text = ran("draw", "pentominoes_10x6", "--paper", "A4", "--title", "T & U").stdout
    root = ElementTree.fromstring(text)
    size = [float(root.attrib[side]) / 96 * 25.4 for side in ("width", "height")]
    assert size == pytest.approx([210, 297], abs=0.01)
    _, pieces = (ElementTree.tostring(one, "unicode") for one in root.findall(f"{SVG}g"))
    assert len(titles(pieces)) == 12
    assert [one.text for one in root.findall(f"{SVG}text")] == ["T & U"]


def test_a_png_is_a_thousand_pixels_wide_unless_its_cells_have_a_size(tmp_path: Path) -> None:
    for said, width in (([], 1000), (["--cell", "10"], 116)):
        ran("draw", "pentominoes_10x6", *said, "-o", tmp_path / "x.png")
        assert int.from_bytes((tmp_path / "x.png").read_bytes()[16:20], "big") == width


def test_a_page_of_an_impossible_puzzle_says_so(tmp_path: Path) -> None:
    file = tmp_path / "board.html"
    said = ran("draw", "mutilated_chessboard", "-o", file).stdout
    assert "no solution. The empty region and the pieces" in said
    assert "No solution. The empty region and the pieces." in file.read_text()


@pytest.mark.parametrize(
    ("said", "outlines"),
    [
        (["solve", "pentominoes_20x3", "--first", "-q"], 12),
        (["solve", "pentominoes_20x3", "--random", "3", "--seed", "1"], 36),
        (["solve", "pentominoes_20x3", "--random", "1", "--seed", "1", "--json"], 12),
    ],
)
def test_other_commands_draw_what_they_find(said: list[str], outlines: int, tmp_path: Path) -> None:
    file = tmp_path / "found.svg"
    ran(*said, "--picture", file)
    assert len(titles(file.read_text())) == outlines


def test_a_picture_of_some_of_the_solutions_says_so(tmp_path: Path) -> None:
    said = ran("solve", "hexiamonds_6x6", "-q", "--picture", tmp_path / "some.svg")
    assert "some.svg has the first 100 of 156 solutions" in said.stderr
    assert len(titles((tmp_path / "some.svg").read_text())) == 100 * 12


def test_the_best_solution_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "best.svg"
    [report] = records("best", "tetrominoes_franklin", "--picture", file)
    pieces = Counter(placement["piece"] for placement in report["placements"][0])
    drawn = Counter(title for title in titles(file.read_text()) if len(title) == 1)
    assert drawn == pieces


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def scenes(file: str) -> int:
    """The number of scenes of a page."""
    return Path(file).read_text().count('"owners":')


@pytest.mark.parametrize(
    ("said", "printed", "count"),
    [
        ([], "all 2 solutions (unique up to rotations and turning over)", 2),
        (["--counted=all", "--solutions", "5"], "the first 5 solutions", 5),
        (["--solution", "2"], "solution 2", 1),
        (["--pieces"], "the empty region and the pieces", 1),
    ],
)
def test_solutions_on_a_page(said: list[str], printed: str, count: int) -> None:
    run = ran("draw", "--page", "pentominoes_20x3", *said)
    assert run.stdout == f"pentominoes_20x3.html: {printed}\n"
    assert scenes("pentominoes_20x3.html") == count
    note = f"{printed[0].upper()}{printed[1:]}."
    assert f'<p id="note">{note}</p>' in Path("pentominoes_20x3.html").read_text()


IN_COLOUR = [
    ("solve", "dominoes_4x4", "--limit", "2"),
    ("solve", "dominoes_4x4", "--random", "1", "--seed", "1"),
    ("best", "dominoes_4x4", "--most", "pieces"),
]


@pytest.mark.parametrize("command", IN_COLOUR)
def test_colours(command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in ran(*command).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" in ran(*command, "--colour", "always").stdout


def test_an_encoding_without_walls_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    run = ran_apart("solve", "dominoes_4x4", "--first")
    assert run.returncode == 0
    assert run.stdout.splitlines()[1].startswith("????")

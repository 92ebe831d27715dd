"""`exactcover draw`, and `--picture` of other commands."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from exactcover.app.cli.command_table import exactcover

SVG = "{http://www.w3.org/2000/svg}"


def run(*words: str) -> Result:
    return CliRunner().invoke(exactcover, words)


def titles(text: str) -> list[str]:
    """The titles of the outlines of a picture."""
    paths = ElementTree.fromstring(text).iter(f"{SVG}path")
    return [str(title.text) for path in paths if (title := path.find(f"{SVG}title")) is not None]


def test_a_puzzle_is_drawn_to_standard_output() -> None:
    assert titles(run("draw", "pentominoes_10x6").output) == ["to be filled"]


@pytest.mark.parametrize(
    ("said", "outlines"),
    [(["--solution", "2"], 12), (["--sheet", "3"], 24), (["--pieces"], 12)],
)
def test_solutions_and_pieces(said: list[str], outlines: int) -> None:
    """This puzzle has two solutions, so a sheet of up to three has both."""
    assert len(titles(run("draw", "pentominoes_20x3", *said).output)) == outlines


def test_a_proof_is_drawn() -> None:
    found = titles(run("draw", "mutilated_chessboard", "--proof").output)
    assert len(found) >= 2
    assert all(title.startswith("weight ") for title in found)


def test_several_puzzles_go_to_a_folder(tmp_path: Path) -> None:
    assert run("draw", "somacube", "pentominoes_20x3", "-o", str(tmp_path)).exit_code == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "pentominoes_20x3.svg",
        "somacube.svg",
    ]


def test_several_puzzles_go_on_one_sheet() -> None:
    result = run("draw", "pentominoes_20x3", "tetrominoes_5x4", "--together")
    root = ElementTree.fromstring(result.output)
    names = [text.text for text in root.iter(f"{SVG}text")]
    assert names == ["pentominoes_20x3", "tetrominoes_5x4"]


def test_light_and_dark_and_names(tmp_path: Path) -> None:
    dark = run("draw", "pentominoes_20x3", "--solution", "1", "--dark", "--no-names").output
    light = run("draw", "pentominoes_20x3", "--solution", "1", "--light", "--cell", "50").output
    assert "#111418" in dark
    assert "<text" not in dark
    assert "#111418" not in light
    assert ElementTree.fromstring(light).attrib["width"] == "1016"


def test_solve_draws_what_it_finds(tmp_path: Path) -> None:
    one, both = tmp_path / "one.svg", tmp_path / "both.svg"
    assert run("solve", "pentominoes_20x3", "--first", "-q", "--picture", str(one)).exit_code == 0
    assert run("solve", "pentominoes_20x3", "-q", "--picture", str(both)).exit_code == 0
    assert len(titles(one.read_text())) == 12
    assert len(titles(both.read_text())) == 24


def test_without_a_solution_no_picture_is_written(tmp_path: Path) -> None:
    file = tmp_path / "none.svg"
    result = run("solve", "mutilated_chessboard", "-q", "--picture", str(file))
    assert result.exit_code == 0
    assert "is not written" in result.output
    assert not file.exists()


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (["draw", "somacube", "--pieces", "--sheet", "2"], "give one of"),
        (["draw", "somacube", "-o", "soma.gif"], "its ending must be one of .svg, .png, .pdf"),
        (["solve", "somacube", "--picture", "soma.gif"], "its ending must be one of"),
        (["draw", "somacube", "pentominoes_20x3"], "name a folder"),
        (["draw", "somacube", "--together", "--pieces"], "give one of"),
        (["draw", "somacube", "--together", "-o", "."], "one picture"),
    ],
)
def test_wrong_usage_says_what_would_be_right(said: list[str], message: str) -> None:
    result = run(*said)
    assert result.exit_code == 2
    assert message in result.output


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (["pentominoes_20x3", "--solution", "3"], "has 2 solutions"),
        (["mutilated_chessboard", "--sheet", "3"], "has no solution to draw"),
        (["pentominoes_20x3", "--proof"], "no proof was found"),
    ],
)
def test_what_is_not_there_is_told(said: list[str], message: str) -> None:
    result = run("draw", *said)
    assert message in str(result.exception)


@pytest.mark.parametrize(
    ("said", "outlines"),
    [
        (["list", "shapes", "triangular", "6"], 12),
        (
            ["list", "shapes", "cubic", "3", "--json"],
            2 * 7,
        ),  # of each of the two one sees seven squares
        (["sample", "pentominoes_20x3", "-n", "3", "--seed", "1"], 36),
        (["sample", "pentominoes_20x3", "--seed", "1", "--json"], 12),
    ],
)
def test_other_commands_draw_what_they_find(said: list[str], outlines: int, tmp_path: Path) -> None:
    file = tmp_path / "found.svg"
    result = run(*said, "--picture", str(file))
    assert result.exit_code == 0, result.output
    assert len(titles(file.read_text())) == outlines


def test_the_best_solution_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "best.svg"
    report = json.loads(
        run("best", "tetrominoes_franklin", "--json", "--picture", str(file)).output
    )
    pieces = Counter(placement["piece"] for placement in report["placements"][0])
    drawn = Counter(title for title in titles(file.read_text()) if len(title) == 1)
    assert drawn == pieces


def test_the_weights_that_check_finds_are_drawn(tmp_path: Path) -> None:
    file = tmp_path / "proof.svg"
    assert run("check", "mutilated_chessboard", "--picture", str(file)).exit_code == 0
    assert file.read_text() == run("draw", "mutilated_chessboard", "--proof").output
    result = run("check", "somacube", "--picture", str(tmp_path / "none.svg"))
    assert "is not written" in result.output
    assert not (tmp_path / "none.svg").exists()


def test_pictures_that_would_be_too_much_are_refused(tmp_path: Path) -> None:
    file = str(tmp_path / "much.svg")
    result = run("list", "shapes", "square", "10", "--picture", file)
    assert result.exit_code == 2
    assert "at most 400" in result.output
    result = run("check", "somacube", "mutilated_chessboard", "--picture", file)
    assert result.exit_code == 2
    assert "give one puzzle, not 2" in result.output

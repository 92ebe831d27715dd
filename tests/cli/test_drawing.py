"""`exactcover draw`, and `--picture` of other commands."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.helpers.commands import ran, records, refused

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


def test_a_proof_is_drawn() -> None:
    found = titles(ran("draw", "mutilated_chessboard", "--proof").stdout)
    assert len(found) >= 2
    assert all(title.startswith("weight ") for title in found)


def test_solve_draws_what_it_finds(tmp_path: Path) -> None:
    one, both = tmp_path / "one.svg", tmp_path / "both.svg"
    ran("solve", "pentominoes_20x3", "--first", "-q", "--picture", one)
    ran("solve", "pentominoes_20x3", "-q", "--picture", both)
    assert len(titles(one.read_text())) == 12
    assert len(titles(both.read_text())) == 24


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (["draw", "somacube", "--pieces", "--solutions", "2"], "give one of"),
        (["draw", "somacube", "-o", "soma.gif"], "its ending must be one of .svg, .png"),
        (["solve", "somacube", "--picture", "soma.gif"], "its ending must be one of"),
        (["draw", "somacube", "pentominoes_20x3"], "name a folder"),
        (["draw", "somacube", "--solutions", "401"], "a picture has up to 400"),
        (["draw", "somacube", "--time-limit", "1"], "--time-limit is for solutions"),
    ],
)
def test_wrong_usage_says_what_would_be_right(said: list[str], message: str) -> None:
    assert message in refused(*said, status=2)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (["pentominoes_20x3", "--solution", "3"], "has 2 solutions"),
        (["mutilated_chessboard", "--solutions", "3"], "has no solution to draw"),
        (["pentominoes_20x3", "--proof"], "no proof was found"),
        (["pentominoes_10x6", "--solutions", "3", "--time-limit", "0"], "no solution so far"),
        (["pentominoes_10x6", "--solution", "3", "--time-limit", "0"], "0 solutions so far"),
    ],
)
def test_what_is_not_there_is_told(said: list[str], message: str) -> None:
    assert message in refused("draw", *said)


@pytest.mark.parametrize(
    ("said", "outlines"),
    [
        (["list", "shapes", "triangular", "6"], 12),
        (
            ["list", "shapes", "cubic", "3", "--json"],
            2 * 7,
        ),  # of each of the two one sees seven squares
        (["solve", "pentominoes_20x3", "--random", "3", "--seed", "1"], 36),
        (["solve", "pentominoes_20x3", "--random", "1", "--seed", "1", "--json"], 12),
    ],
)
def test_other_commands_draw_what_they_find(said: list[str], outlines: int, tmp_path: Path) -> None:
    file = tmp_path / "found.svg"
    ran(*said, "--picture", file)
    assert len(titles(file.read_text())) == outlines


def test_the_best_solution_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "best.svg"
    [report] = records("best", "tetrominoes_franklin", "--picture", file)
    pieces = Counter(placement["piece"] for placement in report["placements"][0])
    drawn = Counter(title for title in titles(file.read_text()) if len(title) == 1)
    assert drawn == pieces


def test_the_weights_that_check_finds_are_drawn(tmp_path: Path) -> None:
    file = tmp_path / "proof.svg"
    ran("check", "mutilated_chessboard", "--picture", file)
    assert file.read_text() == ran("draw", "mutilated_chessboard", "--proof").stdout
    none = ran("check", "somacube", "--picture", tmp_path / "none.svg")
    assert "is not written" in none.stderr
    assert not (tmp_path / "none.svg").exists()


def test_pictures_that_would_be_too_much_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "much.svg"
    many = ran("list", "shapes", "square", "8", "--sort", "fixed", "--picture", file, status=2)
    assert "at most 400" in many.stderr
    two = refused("check", "somacube", "mutilated_chessboard", "--picture", file, status=2)
    assert "--picture is for one puzzle, not for 2" in two

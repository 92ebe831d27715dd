"""`exactcover view`, and `solve --picture FILE.html`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from exactcover.app.cli.command_table import exactcover
from tests.helpers.commands import ran


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> Result:
    return CliRunner().invoke(exactcover, words)


def scenes(file: str) -> int:
    """The number of scenes of a page."""
    return Path(file).read_text().count('"owners":')


@pytest.mark.parametrize(
    ("said", "printed", "count"),
    [
        ([], "all 2 solutions (unique up to rotations)", 2),
        (["--all"], "all 8 solutions (all)", 8),
        (["--counted", "all", "--solutions", "5"], "the first 5 solutions", 5),
        (["--solutions", "1"], "one solution", 1),
        (["--strategy", "dlx:s"], "all 2 solutions (unique up to rotations)", 2),
        (["--pieces"], "the empty region and the pieces", 1),
    ],
)
def test_solutions_on_a_page(said: list[str], printed: str, count: int) -> None:
    result = run("view", "pentominoes_20x3", *said)
    assert result.output == f"pentominoes_20x3.html: {printed}\n"
    assert scenes("pentominoes_20x3.html") == count
    note = f"{printed[0].upper()}{printed[1:]}."
    assert f'<p id="note">{note}</p>' in Path("pentominoes_20x3.html").read_text()


def test_a_puzzle_without_solution_is_shown_with_its_pieces() -> None:
    result = run("view", "mutilated_chessboard", "-o", "board.html")
    assert result.output.startswith("board.html: no solution")
    assert result.exit_code == 0
    assert "to be filled" in Path("board.html").read_text()


def test_a_search_cut_short_says_so() -> None:
    result = ran("view", "pentominoes_10x6", "--time-limit", "0", status=4)
    assert "no solution so far; stopped after 0 s (time limit)" in result.stdout


def test_several_puzzles_go_to_a_folder(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    assert run("view", "somacube", "pentominoes_20x3", "-o", "pages").exit_code == 0
    assert sorted(file.name for file in (tmp_path / "pages").iterdir()) == [
        "pentominoes_20x3.html",
        "somacube.html",
    ]


def test_a_page_goes_to_standard_output(tmp_path: Path) -> None:
    result = run("view", "somacube", "--solutions", "1", "-o", "-")
    assert result.output.startswith("<!DOCTYPE html>")
    assert [*tmp_path.iterdir()] == []


def test_a_file_of_the_reader_names_its_page() -> None:
    Path("mine.v2.toml").write_text('pieces = ["domino"]\nregion = "2x1"\n')
    assert run("view", "mine.v2.toml").output == (
        "mine.v2.html: the only solution (unique up to rotations)\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["somacube", "-o", "x.svg"], "its ending must be one of .html"),
        (["somacube", "bedlamcube", "-o", "x.html"], "name a folder"),
        (["somacube", "bedlamcube", "-o", "-"], "name a folder"),
        (["somacube", "--solutions", "0"], "1<=x<=1000"),
    ],
)
def test_mistakes_are_explained(words: list[str], message: str, tmp_path: Path) -> None:
    result = run("view", *words)
    assert result.exit_code == 2
    assert message in result.output
    assert [*tmp_path.iterdir()] == []


def test_a_plain_problem_has_no_page() -> None:
    Path("plain.dlx").write_text("a b\na b\n")
    result = run("view", "plain.dlx")
    assert "a plain problem has no page" in str(result.exception)


def test_solve_writes_a_page_as_its_picture() -> None:
    result = run("solve", "pentominoes_20x3", "-q", "--picture", "both.html")
    assert result.exit_code == 0
    assert scenes("both.html") == 2

"""`exactcover play`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.commands import ran


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ([], "all 8 solutions, symmetric ones included"),
        (["--solutions", "1"], "one solution; the page does not count what is left"),
        (["--time-limit", "0"], "no solution found so far; the page does not count what is left"),
    ],
)
def test_a_page_is_named_after_the_puzzle(said: list[str], printed: str) -> None:
    run = ran("play", "pentominoes_20x3", *said)
    assert run.stdout == f"pentominoes_20x3-play.html: {printed}\n"
    assert "data-aid" in Path("pentominoes_20x3-play.html").read_text()


def test_why_there_is_no_solution_is_said() -> None:
    Path("odd.toml").write_text('lattice = "square"\npieces = "pentominoes"\nregion = "7x8"\n')
    said = ran("play", "odd.toml").stdout
    assert "has no solution: the pieces fill 60 cells, but 56 are to be filled" in said


def test_several_puzzles_go_to_a_folder() -> None:
    ran("play", "pentominoes_20x3", "mutilated_chessboard", "-o", "pages")
    names = ["mutilated_chessboard-play.html", "pentominoes_20x3-play.html"]
    assert sorted(file.name for file in Path("pages").iterdir()) == names
    for page, other in (names, names[::-1]):
        text = Path("pages", page).read_text()
        assert f'"address":"{other}"' in text.replace('": "', '":"')

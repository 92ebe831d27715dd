"""`exactcover draw --page`, and `solve --picture FILE.html`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.commands import ran, refused


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def scenes(file: str) -> int:
    """The number of scenes of a page."""
    return Path(file).read_text().count('"owners":')


@pytest.mark.parametrize(
    ("said", "printed", "count"),
    [
        ([], "all 2 solutions (unique up to rotations)", 2),
        (["--counted=all"], "all 8 solutions (all)", 8),
        (["--counted=all", "--solutions", "5"], "the first 5 solutions", 5),
        (["--solutions", "1"], "one solution", 1),
        (["--strategy", "dlx:s"], "all 2 solutions (unique up to rotations)", 2),
        (["--pieces"], "the empty region and the pieces", 1),
    ],
)
def test_solutions_on_a_page(said: list[str], printed: str, count: int) -> None:
    run = ran("draw", "--page", "pentominoes_20x3", *said)
    assert run.stdout == f"pentominoes_20x3.html: {printed}\n"
    assert scenes("pentominoes_20x3.html") == count
    note = f"{printed[0].upper()}{printed[1:]}."
    assert f'<p id="note">{note}</p>' in Path("pentominoes_20x3.html").read_text()


def test_several_puzzles_go_to_a_folder(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    ran("draw", "--page", "somacube", "pentominoes_20x3", "-o", "pages")
    assert sorted(file.name for file in (tmp_path / "pages").iterdir()) == [
        "pentominoes_20x3.html",
        "somacube.html",
    ]


def test_a_page_goes_to_standard_output(tmp_path: Path) -> None:
    run = ran("draw", "--page", "somacube", "--solutions", "1", "-o", "-")
    assert run.stdout.startswith("<!DOCTYPE html>")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["somacube", "-o", "x.svg"], "its ending must be one of .html"),
        (["somacube", "bedlamcube", "-o", "x.html"], "name a folder"),
        (["somacube", "bedlamcube", "-o", "-"], "name a folder"),
        (["somacube", "--solutions", "0"], "1<=x<=1000"),
        (["somacube", "--layers"], "--layers is for pictures, and --page writes pages"),
        (["somacube", "-o", "x.html", "--proof"], "--proof is for pictures, and x.html is a page"),
        (
            ["somacube", "--pieces", "--counted=all"],
            "--counted is for solutions, and none are drawn",
        ),
    ],
)
def test_mistakes_are_explained(words: list[str], message: str, tmp_path: Path) -> None:
    assert message in refused("draw", "--page", *words, status=2)
    assert [*tmp_path.iterdir()] == []


def test_one_solution_of_many_on_a_page() -> None:
    run = ran("draw", "somacube", "--page", "--solution", "3")
    assert run.stdout == "somacube.html: solution 3\n"
    assert scenes("somacube.html") == 1


def test_solve_writes_a_page_as_its_picture() -> None:
    ran("solve", "pentominoes_20x3", "-q", "--picture", "both.html")
    assert scenes("both.html") == 2

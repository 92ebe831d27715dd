"""`exactcover animate`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.commands import ran


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_it_writes_a_page_named_after_the_puzzle() -> None:
    run = ran("animate", "pentominoes_20x3", "--strategy", "dlx:s", "--until-solution", "1")
    assert run.stdout == (
        "pentominoes_20x3-film.html: square/pentominoes_20x3\n"
        "  dlx:s: events 1 to 4,556; 2,686 fits, 0 no-fits, 1 solution\n"
    )
    assert (
        "<title>The 12 pentominoes in a 20 x 3 box: a film</title>"
        in Path("pentominoes_20x3-film.html").read_text()
    )


def test_several_strategies_and_a_window() -> None:
    said = ["--strategy", "dlx:s", "--strategy", "fila:f", "--from", "100", "--events", "50"]
    run = ran("animate", "pentominoes_20x3", *said, "-o", "two.html")
    assert run.stdout.splitlines()[0] == "two.html: square/pentominoes_20x3"
    assert [line.split("; ")[0] for line in run.stdout.splitlines()[1:]] == [
        "  dlx:s: events 100 to 149",
        "  fila:f: events 100 to 149",
    ]


def test_a_gif() -> None:
    ran("animate", "somacube", "--events", "20", "-o", "s.gif", "--fps", "5", "--seconds", "1")
    assert Path("s.gif").read_bytes().startswith(b"GIF89a")

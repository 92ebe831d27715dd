"""`play`: the file, what it holds, and what it cannot hold."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import exactcover as ec
from exactcover.studio import play, playing


def puzzle_called(name: str) -> ec.Puzzle:
    puzzle = ec.read(name)
    assert isinstance(puzzle, ec.Puzzle)
    return puzzle


def data_in(html: str, name: str) -> Any:
    found = re.search(f'<script type="application/json" id="data-{name}">(.*?)</script>', html)
    assert found
    return json.loads(found[1])


def test_a_file_holds_the_puzzle_and_its_solutions(tmp_path: Path) -> None:
    page = play(puzzle_called("pentominoes_20x3"), title="A <strip>")
    page.save(tmp_path / "strip.html")
    html = (tmp_path / "strip.html").read_text()
    assert '<h1 tabindex="-1">A &lt;strip&gt;</h1>' in html
    aid = data_in(html, "aid")
    assert (aid["total"], aid["complete"]) == (8, True)
    shown = data_in(html, "puzzle")
    assert len(shown["board"]["cells"]) == 60
    assert len(shown["pieces"]) == 12
    assert 'data-module="three"' not in html


def test_the_file_of_a_box_of_pentominoes_is_small() -> None:
    html = play(puzzle_called("pentominoes_10x6")).html
    assert data_in(html, "aid")["total"] == 4 * 2339
    assert len(html.encode()) < 250_000


def test_more_solutions_than_it_may_hold() -> None:
    preparing = playing.Preparing(puzzle_called("somacube"), solutions=100)
    preparing.search()
    made = preparing.file()
    assert (made.solutions, made.complete) == (100, False)
    assert made.words == "the first 100 solutions; the page does not count what is left"
    aid = data_in(made.page.html, "aid")
    assert (aid["complete"], aid["total"]) == (False, 100)

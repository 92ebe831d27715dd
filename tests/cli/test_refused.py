"""Options and puzzles that a command refuses: a message that says what would be right, no file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.commands import refused

USAGE = {
    "slove puzzle": "'slove': did you mean solve",
    "solve somacube --with-solutions": "goes with --json",
    "solve somacube --memory 100": "--memory goes with",
    "solve somacube --random 2 --stats": "leave out --stats",
    "solve somacube --processes --cluster tcp://h:1": "give one of them",
    "solve somacube --picture x.gif": "its ending must be one of",
    "count pentominoes_20x3 --strategy dlx:s --memory 9": "a strategy says it itself",
    "check somacube mutilated_chessboard --certificate x": "for one puzzle, not for 2",
    "draw somacube -o x.gif": "its ending must be one of .svg, .png",
    "draw somacube --time-limit 1": "--time-limit is for solutions",
    "draw --page somacube bedlamcube -o -": "name a folder",
    "draw --page somacube -o x.html --proof": "--proof is for pictures, .svg and .png, and x.html",
    "make somacube -o x.step": "its ending must be one of .stl, .3mf",
    "make somacube -o x.svg --thickness 1": "--thickness is for solids",
}
"""Wrong usage, with exit status 2."""

PUZZLES = {
    "list shapes squire 3": "'squire'",
    "best queens_8": "all solutions are equally good",
    "best pentominoes_10x6 --least cost": "the problem has no costs",
    "apart langford_7": "a plain problem has no pieces to take apart",
    "draw mutilated_chessboard --solutions 3": "has no solution to draw",
    "draw pentominoes_10x6 --solutions 3 --time-limit 0": "no solution so far",
    "animate somacube --strategy cpsat": "those of these engines can: dlx, fila, bsx",
    "make pentominoes_20x3 -o x.svg --solution 3": "has 2 solutions",
    "make somacube -o x.svg": "`exactcover draw --pieces` draws them",
    "make pentominoes_20x3 -o x.svg --sheet A9": ": --sheet A9: it must be a width",
    "make hypercubic/dominoes_2x2x2x2 -o x.stl": "have 4 dimensions",
}
"""Refusals that depend on the puzzle, with exit status 1."""


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("words", [*USAGE, *PUZZLES])
def test_it_is_refused_with_what_would_be_right(words: str) -> None:
    said = refused(*words.split(), status=2 if words in USAGE else 1)
    assert (USAGE | PUZZLES)[words] in " ".join(said.split())
    assert not [*Path().iterdir()]


@pytest.mark.parametrize(
    "words",
    [
        *("run somacube --dir", "run resume", "run status", "solve somacube -o"),
        *("count somacube --plugin", "convert somacube -o", "check somacube --recheck"),
    ],
)
def test_an_empty_name_is_not_the_current_folder(words: str) -> None:
    assert "the name is empty" in refused(*words.split(), "", status=2)
    assert not [*Path().iterdir()]

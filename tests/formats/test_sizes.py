"""Rectangles and bricks by their sizes, read and written."""

from __future__ import annotations

import pytest

import exactcover as ec
from exactcover.formats import Document, parse, write


@pytest.mark.parametrize(
    ("text", "region", "copies"),
    [
        ("3x2, 1x1 * 2", "4x2", {"3x2": 1, "1x1": 2}),
        ("3x2 x 2", "3x4", {"3x2": 2}),
        ("3×2 * 2", "3x4", {"3x2": 2}),
        ("3x2,\n  1x1 * 2", "4x2", {"3x2": 1, "1x1": 2}),
        ("2x1x1 * 4", "2x2x2", {"2x1x1": 4}),
        (["3x2", "1x1 * 2"], "4x2", {"3x2": 1, "1x1": 2}),
        (["domino", "2x2"], "3x2", {"domino": 1, "2x2": 1}),
    ],
)
def test_sizes_are_pieces(text: object, region: str, copies: dict[str, int]) -> None:
    puzzle = ec.puzzle_of(text, region)
    found = {piece.name: piece.low for piece in puzzle.pieces}
    assert found == copies or sorted(found.values()) == sorted(copies.values())
    for piece in puzzle.pieces:
        if "x" in piece.name:
            sizes = [int(size) for size in piece.name.split("x")]
            assert (piece.cells.max(axis=0) + 1).tolist() == sizes


@pytest.mark.parametrize("name", ["calibron_12", "squares_1_to_9", "partridge_8"])
def test_large_rectangles_are_written_by_their_sizes(name: str) -> None:
    puzzle = ec.read(name)
    text = write([Document("x", puzzle)], "toml")
    assert 'shape = "' in text
    [again] = parse(text, "toml")
    assert again.puzzle == puzzle

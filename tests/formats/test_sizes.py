"""Rectangles and bricks by their sizes, read and written."""

from __future__ import annotations

import pytest

import exactcover as ec
from exactcover.formats import parse, write


@pytest.mark.parametrize(
    ("text", "region", "copies"),
    [
        ("3x2, 1x1 * 2", "4x2", {"3x2": 1, "1x1": 2}),
        ("2 * 3x2", "3x4", {"3x2": 2}),
        ("3x2 x 2", "3x4", {"3x2": 2}),
        ("3×2 * 2", "3x4", {"3x2": 2}),
        ("3x2,\n  1x1 * 2", "4x2", {"3x2": 1, "1x1": 2}),
        ("2x1x1 * 4", "2x2x2", {"2x1x1": 4}),
        (["3x2", "1x1 * 2"], "4x2", {"3x2": 1, "1x1": 2}),
        (["domino", "2x2"], "3x2", {"domino": 1, "2x2": 1}),
    ],
)
def test_sizes_are_pieces(text: object, region: str, copies: dict[str, int]) -> None:
    puzzle = ec.Puzzle.of(text, region)
    found = {piece.name: piece.low for piece in puzzle.pieces}
    assert found == copies or sorted(found.values()) == sorted(copies.values())
    for piece in puzzle.pieces:
        if "x" in piece.name:
            sizes = [int(size) for size in piece.name.split("x")]
            assert (piece.cells.max(axis=0) + 1).tolist() == sizes


def test_a_rectangle_in_space_is_one_cube_high() -> None:
    puzzle = ec.Puzzle.of("2x1 * 4", "2x2x2", "cubic")
    assert ec.count(puzzle, counted="all") == 9  # domino tilings of a cube of 2


@pytest.mark.parametrize(
    ("text", "lattice", "why"),
    [
        ("0x3", None, "1 to 1,000,000 cells"),
        ("9999x9999", None, "1 to 1,000,000 cells"),
        ("3 x 2", None, "without blanks"),
        ("3x2,", None, "beside a comma"),
        ("3x2, foo", None, "foo"),
        ("3x2 * 2 * 2", None, "twice"),
        ("3x2", "hexagonal", "does not have"),
        ("3x2x1", "square", "does not have"),
    ],
)
def test_what_is_wrong_with_a_size_is_said(text: str, lattice: str | None, why: str) -> None:
    with pytest.raises(ec.ExactCoverError, match=why):
        ec.Puzzle.of(text, "3x2", lattice)


@pytest.mark.parametrize("name", ["calibron_12", "squares_1_to_9", "partridge_8"])
def test_large_rectangles_are_written_by_their_sizes(name: str) -> None:
    puzzle = ec.read(name)
    text = write([*parse(write_of(puzzle), "toml")], "toml")
    assert 'shape = "' in text
    [again] = parse(text, "toml")
    assert again.puzzle == puzzle


def write_of(puzzle: ec.Puzzle) -> str:
    """The puzzle as a TOML file."""
    from exactcover.formats import Document

    return write([Document("x", puzzle)], "toml")


def test_a_set_and_a_size_go_together() -> None:
    puzzle = ec.Puzzle.of(["pentominoes", "2x2"], "8x8")
    assert len(puzzle.pieces) == 13
    assert puzzle.floor is None

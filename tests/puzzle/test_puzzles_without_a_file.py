"""Puzzles from Python: from a text in TOML, and from the words that such a text would hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import exactcover as ec
from exactcover import Piece, Region
from exactcover.formats import parse

DRAWN = """
A A B
A B B
"""
DOMINO = [(0, 0), (1, 0)]
CORNER = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]

SAID: list[tuple[dict[str, Any], str]] = [
    (
        {"pieces": ["L tetromino x 2", "domino any cost 3"], "region": ("4x4", "1x1 at 4,0")},
        'pieces = ["L tetromino x 2", "domino any cost 3"]\nregion = ["4x4", "1x1 at 4,0"]',
    ),
    (
        {"pieces": "pentominoes", "region": {"plus": "8x8", "minus": "2x2 at 3,3"}},
        'pieces = "pentominoes"\nregion.plus = "8x8"\nregion.minus = "2x2 at 3,3"',
    ),
    (
        {"pieces": DRAWN, "region": "3x2", "lattice": "square", "reflections": False},
        f'pieces = """{DRAWN}"""\nregion = "3x2"\nlattice = "square"\nreflections = false',
    ),
    (
        {"pieces": "domino x 3", "region": Region(np.argwhere(np.ones((3, 2))))},
        'pieces = "domino x 3"\nregion = "3x2"',
    ),
    (
        {"pieces": Piece("I", DOMINO, 3, 3), "region": "3x2", "lattice": ec.get_lattice("square")},
        'lattice = "square"\nregion = "3x2"\n[[piece]]\nname="I"\ncells=[[0,0],[1,0]]\ncopies=3',
    ),
    (
        {"pieces": "domino x 3", "region": "3x2", "costs": "1 . .\n. . 2"},
        'pieces = "domino x 3"\nregion = "3x2"\ncosts = """\n1 . .\n. . 2"""',
    ),
    ({"pieces": "soma", "region": (3, 3, 3)}, 'pieces = "soma"\nregion = "3x3x3"'),
    (
        {"pieces": "domino x 6", "region": np.array([4, 3]), "wrap": "torus"},
        'pieces = "domino x 6"\nregion = "4x3"\nwrap = "torus"',
    ),
    (
        {"pieces": [CORNER, Piece("B", CORNER)], "region": "2x2x2"},
        'lattice = "cubic"\nregion = "2x2x2"\n'
        '[[piece]]\nname="1"\ncells=[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]\n'
        '[[piece]]\nname="B"\ncells=[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]',
    ),
    (
        {"pieces": ec.puzzle_of("hexiamonds", "3x3").pieces, "region": "parallelogram 6 6"},
        'pieces = "hexiamonds"\nregion = "parallelogram 6 6"',
    ),
]


@pytest.mark.parametrize(("said", "text"), SAID)
def test_python_and_toml_say_the_same(said: dict[str, Any], text: str) -> None:
    puzzle, read = ec.puzzle_of(**said), parse(text)[0].puzzle
    assert puzzle == read
    assert hash(puzzle) == hash(read)
    assert puzzle.lattice is read.lattice


def test_a_region_keeps_what_it_says() -> None:
    region = Region([(0, 0), (1, 0)], [(2, 0)], (1, 1), {(0, 0): 2.5})
    puzzle = ec.puzzle_of("domino", region, costs=[{"cost": 1, "region": "1x1 at 1,0"}])
    assert dict(puzzle.region.costs) == {(0, 0): 2.5, (1, 0): 1}
    assert puzzle.region.empty == (1, 1)
    assert ec.best(puzzle).value == 3.5
    with pytest.raises(ec.PuzzleError, match="each cell is 3 whole numbers"):
        ec.puzzle_of("soma", region)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"pieces": "pentominoez x", "region": "10x6"}, "no piece or set of pieces is called"),
        ({"pieces": "soma", "region": "3x3x3", "reflections": 3}, "reflections must be true or"),
        ({"pieces": [[(0, 0), (0, 0)]], "region": "2x1"}, "twice"),
        ({"pieces": [[(0.5, 0)]], "region": "4x4"}, "piece A: each cell is 2 whole numbers"),
        ({"pieces": "soma", "region": (3, 3)}, r"it takes 'box a b c'.* \(at '3x3'\)"),
    ],
)  # fmt: skip
def test_mistakes_are_told_without_a_line(said: dict[str, Any], words: str) -> None:
    with pytest.raises(ec.PuzzleError, match=words) as caught:
        ec.puzzle_of(**said)
    assert "line" not in str(caught.value)


@pytest.mark.parametrize(
    ("pieces", "copies"),
    [
        (["L pentomino", "I tetromino", "L pentomino x 2"], {"L": "3", "I": "1"}),
        (["L pentomino any", "L pentomino x 2"], {"L": "2 or more"}),
        ("2x1, 3x1, 2x1 * 2", {"2x1": "3", "3x1": "1"}),
        (["L tetromino", "L pentomino", "L tetromino"], {"L4": "2", "L5": "1"}),
        (["L tetromino", "L tetromino cost 3", "O tetromino"], {"L1": "1", "L2": "1", "O": "1"}),
        (["L tetromino cost 3", "L5 x 2", "L4"], {"L4_1": "1", "L5": "2", "L4_2": "1"}),
        (["I4", Piece("I", DOMINO), Piece("I4", DOMINO)], {"I4_1": "1", "I": "1", "I4": "1"}),
    ],
)
def test_names_are_distinct_and_the_shortest(pieces: Any, copies: dict[str, str]) -> None:
    """A piece that is listed twice is one piece with more copies."""
    puzzle = ec.puzzle_of(pieces, "20x20", lattice="square")
    assert {piece.name: piece.copies_text() for piece in puzzle.pieces} == copies


ELL, ROW = [(0, 0), (0, 1), (0, 2), (1, 0)], [(0, 0), (1, 0), (2, 0), (3, 0)]


@pytest.mark.parametrize(
    "pieces", [[ELL, ROW], [np.array(ELL), set(ROW)], np.array([ELL, ROW]), iter([ELL, ROW])]
)
def test_pieces_by_their_cells(pieces: Any) -> None:
    puzzle = ec.puzzle_of(pieces, "4x2")
    assert puzzle.lattice.name == "square"
    assert [piece.name for piece in puzzle.pieces] == ["A", "B"]
    assert [len(piece.cells) for piece in puzzle.pieces] == [4, 4]
    assert ec.count(puzzle) == 0
    assert ec.count(ec.puzzle_of([ELL, ELL], "4x2"), counted="all") == 2


@pytest.mark.parametrize(
    ("region", "filled", "optional"),
    [
        ({"plus": "2x2", "optional": "4x4 at -1,-1"}, "2x2", 12),
        ({"plus": "4x4", "optional": "2x2 at 1,1"}, {"plus": "4x4", "minus": "2x2 at 1,1"}, 4),
        ({"plus": "2x2", "optional": ["1x1", "4x4"]}, ["2x1 at 0,1", "1x1 at 1,0"], 13),
        ({"plus": "4x4", "optional": "4x2 at 4,0"}, "4x4", 8),
        ({"plus": "2x2", "optional": "2x2"}, None, 4),
    ],
)  # fmt: skip
def test_the_inner_of_plus_and_optional_wins(region: Any, filled: Any, optional: int) -> None:
    made = ec.puzzle_of("domino any", region).region
    assert len(made.optional) == optional
    wanted = ec.puzzle_of("domino any", filled).region.cells if filled else np.zeros((0, 2))
    assert made.cells.tolist() == wanted.tolist()

"""Colours, masks and wrapped boards in TOML: read, written, converted, and refused elsewhere."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import exactcover as ec
from exactcover.errors import ConversionError, FormatError
from exactcover.formats import Document, parse, write
from exactcover.lattices import get_lattice
from exactcover.puzzle import Paint, Puzzle
from exactcover.puzzle.digest import digest
from tests.helpers.random_puzzles import puzzles

CONVENTIONS = ("all", "rotations", "reflections")


def one(text: str) -> Puzzle:
    [document] = parse(text, "toml")
    assert document.puzzle is not None
    return document.puzzle


def back(puzzle: Puzzle, form: str = "toml") -> Puzzle:
    [document] = parse(write([Document("x", puzzle)], form), form)
    assert document.puzzle is not None
    return document.puzzle


@st.composite
def boards(draw: st.DrawFn) -> Puzzle:
    """Random puzzles on every lattice, with colours, masks and periods here and there."""
    puzzle = draw(puzzles())
    cells = [tuple(cell) for cell in puzzle.space.cells.tolist()]
    pieces = [
        replace(piece, within=np.array(sorted(draw(st.sets(st.sampled_from(cells), min_size=1)))))
        if not piece.stationary and draw(st.integers(0, 2)) == 0
        else piece
        for piece in puzzle.pieces
    ]
    paint = None
    if draw(st.booleans()):
        colour = st.sampled_from((0, 0, 1, 2, 3))
        pairs = st.tuples(st.integers(1, 3), st.integers(1, 3))
        paint = Paint(
            {cell: draw(colour) for cell in cells},
            {piece.name: tuple(draw(colour) for _ in piece.cells) for piece in pieces},
            frozenset(draw(st.sets(pairs))),
            draw(st.sampled_from(((), ("red", "c3"), ("a", "b", "1")))),
        )
    region = puzzle.region
    if draw(st.booleans()):
        axes = range(puzzle.lattice.dimension)
        far = [200 * (axis == 0) + draw(st.integers(0, 3)) for axis in axes]
        region = replace(region, wrap=(tuple(far),))
    return replace(puzzle, region=region, pieces=tuple(pieces), paint=paint)


@settings(phases=(Phase.explicit, Phase.generate))
@given(boards())
def test_toml_keeps_colours_masks_and_periods(puzzle: Puzzle) -> None:
    again = back(puzzle)
    assert digest(again) == digest(puzzle)
    assert write([Document("x", back(again))], "toml") == write([Document("x", again)], "toml")


COLOURED = """
lattice = "cubic"
region = "3x2x1"
colours = '''
 .    red  .
 blue red  .
'''
together = [["red", "red"], ["red", "blue"]]

[[piece]]
name = "A"
cells = [[0, 0, 0], [1, 0, 0]]
colours = ["red", "."]
copies = 2

[[piece]]
name = "B"
drawing = "##"
colours = "red"
copies = 1
"""


def test_colours_go_to_burrtools_and_back() -> None:
    puzzle = one(COLOURED)
    counts = [ec.count(puzzle, counted=counted) for counted in CONVENTIONS]
    assert counts[0] > 0
    boxed = back(puzzle, "xmpuzzle")
    assert [ec.count(boxed, counted=counted) for counted in CONVENTIONS] == counts
    assert [ec.count(back(boxed), counted=counted) for counted in CONVENTIONS] == counts
    again = write([Document("x", back(back(back(boxed), "xmpuzzle")))], "toml")
    assert again == write([Document("x", back(boxed))], "toml")


SAME = [
    'colours = """\nred .\nred blue\n"""\n',
    """
[[colours]]
region = "1x2"
colour = "red"
[[colours]]
region = { cells = [[1, 0]] }
colour = "blue"
""",
]


@pytest.mark.parametrize("ground", SAME)
@pytest.mark.parametrize(
    "colours",
    [
        'cells = [[0, 0], [0, 1]]\ncolours = ["red", "."]\n',
        'drawing = "#\\n#"\ncolours = ".\\nred"\n',
        'cells = [[0, 0], [0, 1]]\ncolours = [{ region = "1x1", colour = "red" }]\n',
        'cells = [[0, 1], [0, 0]]\ncolours = [".", "red"]\n',
    ],
)
def test_ways_to_say_colours(ground: str, colours: str) -> None:
    head = 'lattice = "square"\nregion = "2x2"\n'
    piece = f'[[piece]]\nname = "A"\ncopies = 2\n{colours}'
    puzzle = one(head + ground + piece if ground.startswith("c") else head + piece + ground)
    paint = puzzle.paint
    assert paint is not None
    ground = {cell: paint.name(colour) for cell, colour in paint.cells.items() if colour}
    assert ground == {(0, 0): "red", (0, 1): "red", (1, 0): "blue"}
    assert sorted(paint.name(colour) for colour in paint.pieces["A"] if colour) == ["red"]
    # Across or upright: the red end may lie anywhere but on the blue cell.
    assert ec.count(puzzle, counted="all") == 2


def test_one_word_colours_everything() -> None:
    text = 'region = "2x1"\ncolours = "dark"\n[[piece]]\nshape = "domino"\ncolours = "{}"\n'
    assert ec.count(one(text.format("dark"))) == 1
    assert ec.count(one(text.format("light"))) == 0
    assert ec.count(one(text.format("light") .replace('"2x1"\n', '"2x1"\ntogether = '
                                                      '[["light", "dark"]]\n'))) == 1  # fmt: skip


def test_masks() -> None:
    text = """
pieces = "pentominoes - X"
region = "10x6"
[[piece]]
shape = "X pentomino"
within = {}
"""
    free = one('pieces = "pentominoes"\nregion = "10x6"\n')
    images = (free.model.layout.option_shape == 9).sum()
    assert images == 8 * 4
    for within, fitting in (
        ('"5x6"', 3 * 4),
        ('"10x6"', 32),
        ('"20x3 at -5,0"', 8),
        ('["3x3", "3x3 at 1,0"]', 2),
        ("{ plus = '10x6', minus = '6x6' }", 2 * 4),
        ("'''\n. # .\n# # #\n. # .\n'''", 1),
        ("{ family = 'box', sizes = [3, 3], at = [7, 3] }", 1),
    ):
        puzzle = one(text.format(within))
        assert (puzzle.model.layout.option_shape == 11).sum() == fitting, within
        assert (back(puzzle).model.layout.option_shape == 11).sum() == fitting
    first = one(text.format('"5x6"'))
    assert first.pieces[-1].name == "X"
    assert len(first.model.symmetries) == 2


@pytest.mark.parametrize(
    ("lines", "periods"),
    [
        ('region = "4x3"\nwrap = "torus"', ((4, 0), (0, 3))),
        ('region = "4x3"\nwrap = "cylinder"', ((4, 0),)),
        ('region = "4x3 at 5,5"\nwrap = [[0, 3]]', ((0, 3),)),
        ('region = "4x3"\nwrap = [[4, 0], [2, 3]]', ((4, 0), (2, 3))),
        ("region = {plus = '4x4', minus = '2x2 at 1,1'}\nwrap = 'torus'", ((4, 0), (0, 4))),
        ('lattice = "triangular"\nregion = "rhombus 3"\nwrap = "torus"', ((3, 0), (0, 3))),
        ('lattice = "hexagonal"\nregion = "rectangle 3 4"\nwrap = "torus"', ((3, 0), (-2, 4))),
        ('lattice = "hexagonal"\nregion = "rectangle 3 3"\nwrap = "cylinder"', ((3, 0),)),
        ('lattice = "sticks"\nregion = "3x2"\nwrap = "torus"', ((3, 0), (0, 2))),
        ('lattice = "hypercubic-1"\nregion = "6"\nwrap = "torus"', ((6,),)),
        (
            'lattice = "cubic"\nregion = "3x3x3"\nwrap = "torus"',
            ((3, 0, 0), (0, 3, 0), (0, 0, 3)),
        ),
    ],
)
def test_wrapped_boards(lines: str, periods: tuple[tuple[int, ...], ...]) -> None:
    lattice = re.search(r'lattice = "([^"]+)"', lines)
    width = get_lattice(lattice[1]).width if lattice else 2
    text = lines if lattice else f'lattice = "square"\n{lines}'
    puzzle = one(f'{text}\n[[piece]]\nname = "O"\ncells = [{[0] * width}]\ncopies = "any"\n')
    assert puzzle.region.wrap == periods
    again = back(puzzle)
    assert again.region.wrap == periods
    assert digest(again) == digest(puzzle)
    assert ec.count(again, counted="all") == 1


def test_costs_of_a_wrapped_board_count_each_cell_once() -> None:
    """The edges on opposite sides of a box are the same on a torus."""
    text = 'lattice = "sticks"\nregion = "2x2"\nwrap = "torus"\n'
    text += (
        '[[costs]]\nregion = "2x2"\ncost = 3\n[[costs]]\nregion = {cells = [[2, 0, 1]]}\ncost = 1\n'
    )
    puzzle = one(text + '[[piece]]\nname = "O"\ncells = [[0, 0, 0]]\ncopies = "any"\n')
    assert len(puzzle.space) == 8
    assert sorted(puzzle.region.costs.values()) == [3] * 7 + [4]


PIECE = '[[piece]]\nname = "A"\ncells = [[0, 0], [1, 0]]\n'
HEAD = 'lattice = "square"\nregion = "3x2"\n'


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        (HEAD + 'wrap = "sphere"\n' + PIECE, "'cylinder' or 'torus'", 3),
        (HEAD + "wrap = [[3]]\n" + PIECE, "lists of 2 whole numbers", 3),
        (HEAD + "wrap = 3\n" + PIECE, "lists of 2 whole numbers", 3),
        (HEAD + "wrap = [[3, 0], [6, 0]]\n" + PIECE, "depend on each other", 3),
        (
            'lattice = "square"\nregion = "diamond 3"\nwrap = "torus"\n' + PIECE,
            "has no sides to be closed",
            3,
        ),
        (
            "lattice = 'square'\nregion = '''\n###\n###\n'''\nwrap = 'torus'\n" + PIECE,
            "list the period vectors: wrap = [[10, 0], [0, 10]]",
            6,
        ),
        (HEAD + PIECE + 'colours = ["red"]\n', "2 cells and 1 colours", 6),
        (HEAD + PIECE + 'colours = ["red", "a b"]\n', "printable word", 6),
        (HEAD + PIECE + "colours = 3\n", "colours are one word", 6),
        (HEAD + PIECE + 'colours = [{region = "1x1"}]\n', "needs a region and a colour", 6),
        (HEAD + PIECE + 'colours = [{region = "1x1 at 5,5", colour = "x"}]\n', "not in piece A", 6),
        (
            HEAD + PIECE + 'colours = [{region = "1x1", colour = "x"}, {region = "2x1", '
            'colour = "y"}]\n',
            "is both x and y",
            6,
        ),
        (HEAD + 'together = [["red", "red"]]\n' + PIECE, "the puzzle has none", 3),
        (
            HEAD + 'together = [["red", "bleu"]]\n' + PIECE + 'colours = ["red", "blue"]\n',
            "has the colour 'bleu': did you mean blue?",
            3,
        ),
        (HEAD + 'together = "red"\n' + PIECE + 'colours = "red"\n', "list of pairs", 3),
        (HEAD + PIECE + 'stationary = true\ncolours = "red"\n', "is stationary", 7),
        (HEAD + PIECE + 'stationary = true\nwithin = "2x1"\n', "is stationary", 7),
        (HEAD + PIECE + 'within = "2x1 at 9,9"\n', "no cell of the region", 3),
        (HEAD + PIECE + "within = { optional = '2x1' }\n", "no key 'optional'", 6),
        (HEAD + '[[piece]]\nname = "A"\n', "either cells or a drawing, or a shape", 3),
        (HEAD + '[[piece]]\nshape = "dominose"\n', "dominose", 4),
        (HEAD + '[[piece]]\nshape = "pentominoes - X"\n', "pentominoes - X", 4),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, message: str, line: int | None) -> None:
    with pytest.raises(FormatError, match=re.escape(message)) as caught:
        parse(text, "toml")
    assert line is None or caught.value.line == line


@pytest.mark.parametrize("form", ["polycube", "xmpuzzle"])
@pytest.mark.parametrize(
    ("line", "lost"), [('wrap = "torus"', "wrapped board"), ("", "the mask of piece A")]
)
def test_other_formats_say_what_would_be_lost(form: str, line: str, lost: str) -> None:
    mask = "" if line else 'within = "2x2"\n'
    text = f"{HEAD}{line}\n{PIECE}copies = 3\n{mask}"
    with pytest.raises(ConversionError, match=lost):
        write(parse(text, "toml"), form)


def test_polycube_cannot_say_colours() -> None:
    with pytest.raises(ConversionError, match="cannot represent colours"):
        write(parse(COLOURED, "toml"), "polycube")


def test_a_problem_of_a_wrapped_board_is_written_for_other_solvers() -> None:
    text = f'{HEAD}wrap = "torus"\n{PIECE}copies = 3\n'
    [document] = parse(write(parse(text, "toml"), "dlx"), "dlx")
    assert ec.count(document.content) == ec.count(one(text), counted="all")


def test_paint_of_python_has_names() -> None:
    assert Paint({}, {}, frozenset(), ("red", "c3")).name(3) == "c3_"


def test_a_drawing_that_could_not_be_read_again_is_not_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exactcover.formats.toml.cells.MAX_CELLS", 100)
    puzzle = ec.Puzzle.of("domino any", "diamond 8")
    with pytest.raises(ConversionError, match="a drawing may have 100 places"):
        write([Document("x", puzzle)], "toml")

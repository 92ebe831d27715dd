"""Wrapped boards in TOML: read, written, converted, and refused elsewhere."""

from __future__ import annotations

import re

import pytest

import exactcover as ec
from exactcover.errors import ConversionError, FormatError
from exactcover.formats import Document, parse, write
from exactcover.lattices import get_lattice
from exactcover.puzzle import Puzzle
from exactcover.puzzle.digest import digest


def one(text: str) -> Puzzle:
    [document] = parse(text, "toml")
    assert document.puzzle is not None
    return document.puzzle


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
        ('lattice = "cubic"\nregion = "3x3x3"\nwrap = "torus"', ((3, 0, 0), (0, 3, 0), (0, 0, 3))),
    ],
)
def test_wrapped_boards(lines: str, periods: tuple[tuple[int, ...], ...]) -> None:
    lattice = re.search(r'lattice = "([^"]+)"', lines)
    width = get_lattice(lattice[1]).width if lattice else 2
    text = lines if lattice else f'lattice = "square"\n{lines}'
    puzzle = one(f'{text}\n[[piece]]\nname = "O"\ncells = [{[0] * width}]\ncopies = "any"\n')
    assert puzzle.region.wrap == periods
    again = one(write([Document("x", puzzle)], "toml"))
    assert again.region.wrap == periods
    assert digest(again) == digest(puzzle)
    assert ec.count(again, counted="all") == 1


def test_costs_of_a_wrapped_board_count_each_cell_once() -> None:
    """The edges on opposite sides of a box are the same on a torus."""
    text = (
        'lattice = "sticks"\nregion = "2x2"\nwrap = "torus"\n[[costs]]\nregion = "2x2"\ncost = 3\n'
    )
    text += "[[costs]]\nregion = {cells = [[2, 0, 1]]}\ncost = 1\n"
    puzzle = one(text + '[[piece]]\nname = "O"\ncells = [[0, 0, 0]]\ncopies = "any"\n')
    assert len(puzzle.space) == 8
    assert sorted(puzzle.region.costs.values()) == [3] * 7 + [4]


PIECE = '[[piece]]\nname = "A"\ncells = [[0, 0], [1, 0]]\n'
HEAD = 'lattice = "square"\nregion = "3x2"\n'


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        (HEAD + 'wrap = "sphere"\n' + PIECE, "'cylinder' or 'torus'", 3),
        (HEAD + "wrap = [[3, 0], [6, 0]]\n" + PIECE, "depend on each other", 3),
        (
            'lattice = "square"\nregion = "diamond 3"\nwrap = "torus"\n' + PIECE,
            "has no sides to be closed",
            3,
        ),
        (
            "lattice = 'square'\nregion = '''\n###\n###\n'''\nwrap = 'torus'\n" + PIECE,
            "list the period vectors, as in wrap = [[10, 0], [0, 6]]",
            6,
        ),
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
def test_other_formats_say_what_would_be_lost(form: str) -> None:
    text = f'{HEAD}wrap = "torus"\n{PIECE}copies = 3\n'
    with pytest.raises(ConversionError, match="wrapped board"):
        write(parse(text, "toml"), form)


def test_a_drawing_that_could_not_be_read_again_is_not_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exactcover.formats.toml.cells.MAX_CELLS", 100)
    puzzle = ec.puzzle_of("domino any", "diamond 8")
    with pytest.raises(ConversionError, match="a drawing may have 100 places"):
        write([Document("x", puzzle)], "toml")


def test_a_drawing_is_of_squares_and_a_blank_line_separates_pieces() -> None:
    text = 'region = """\n###\n###\n"""\npieces = """\nA A B\nA . B\n\nC\n"""\n'
    puzzle = one(text)
    assert {piece.name: len(piece.cells) for piece in puzzle.pieces} == {"A": 3, "B": 2, "C": 1}
    assert puzzle.lattice.name == "square"
    with pytest.raises(FormatError, match="two pieces are called A"):
        parse(text.replace("C\n", "A\n"), "toml")
    assert one('region = "2x1"\n[[piece]]\nname = "A"\ndrawing = "##"\n').lattice.name == "square"

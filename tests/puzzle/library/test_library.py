"""Pieces by name: every lettered set is complete, and names find what they should."""

from __future__ import annotations

import pytest

from exactcover.errors import ExactCoverError, PuzzleError, UnknownName
from exactcover.geometry.enumeration import Sort, shapes
from exactcover.geometry.shapes import normal_form, shape_key
from exactcover.lattices import get_lattice, lattices
from exactcover.puzzle.library import find_piece, piece_set
from exactcover.puzzle.library.letters import complete_set, drawn, letters_of, systematic_name
from tests.helpers.lattices_under_test import POLYKITES

TABLES = {name: lattice.piece_names.pieces for name, lattice in lattices().items()}
LETTERED = [
    pytest.param(get_lattice(name), size, sort, id=f"{name}-{size}-{sort.value}")
    for name, table in TABLES.items()
    for size in table
    for sort in Sort
]


@pytest.mark.parametrize(("lattice", "size", "sort"), LETTERED)
def test_lettered_sets_are_complete(lattice, size: int, sort: Sort) -> None:
    """Exactly the shapes that there are, each once."""
    pieces = complete_set(lattice, size, sort)
    if sort is Sort.FIXED:
        keys = [normal_form(lattice, cells).tobytes() for cells in pieces.values()]
    else:
        reflections = sort is Sort.FREE
        keys = [shape_key(lattice, c, reflections=reflections) for c in pieces.values()]
    assert sorted(keys) == sorted(form.tobytes() for form in shapes(lattice, size, sort))
    assert all(not any(character.isspace() for character in name) for name in pieces)


@pytest.mark.parametrize("name", TABLES)
def test_aliases_and_mirrors_name_pieces(name: str) -> None:
    lattice = get_lattice(name)
    for size in TABLES[name]:
        letters = letters_of(lattice, size)
        both = complete_set(lattice, size, Sort.ONE_SIDED)
        for alias, own in letters.aliases.items():
            assert own in both, alias
        for own, mirror in letters.mirrors.items():
            turned_over = shape_key(lattice, both[mirror], reflections=True)
            assert turned_over == shape_key(lattice, both[own], reflections=True)
            assert mirror in both


SETS = [  # name, lattice, pieces, cells of all, one-sided
    ("pentominoes", "square", 12, 60, False),
    ("free pentominoes", "square", 12, 60, False),
    ("One-sided Pentominoes", "square", 18, 90, True),
    ("fixed dominoes", "square", 2, 4, True),
    ("one_sided_tetrominoes", "square", 7, 28, True),
    ("hexominoes", "square", 35, 210, False),
    ("7-ominoes", "square", 108, 756, False),
    ("soma", "cubic", 7, 27, True),
    ("tetracubes", "cubic", 8, 32, True),
    ("free tetracubes", "cubic", 7, 28, False),
    ("pentacubes", "cubic", 29, 145, True),
    ("solid pentominoes", "cubic", 12, 60, True),
    ("planar pentacubes", "cubic", 12, 60, True),
    ("non-planar pentacubes", "cubic", 17, 85, True),
    ("hexacubes", "cubic", 166, 996, True),
    ("hexiamonds", "triangular", 12, 72, False),
    ("one-sided hexiamonds", "triangular", 19, 114, True),
    ("heptiamonds", "triangular", 24, 168, False),
    ("tetrahexes", "hexagonal", 7, 28, False),
    ("pentahexes", "hexagonal", 22, 110, False),
    ("tetrasticks", "sticks-square", 16, 64, False),
    ("one-sided tetrasticks", "sticks-square", 25, 100, True),
    ("tritrigs", "sticks-triangular", 12, 36, False),
    ("pentatwigs", "sticks-hexagonal", 12, 60, False),
    ("4d dominoes", "hypercubic", 1, 2, True),
    ("4d tetracubes", "hypercubic", 7, 28, True),
    ("4-D pentacubes", "hypercubic", 27, 135, True),
    ("free 4d pentacubes", "hypercubic", 26, 130, False),
    ("tetraspheres", "fcc", 28, 112, True),
    ("free tetraprisms", "prism", 11, 44, False),
    ("diamonds", "triangular", 1, 2, False),
    ("trirhombic tetrahedra", "rhombic", 6, 18, True),
    ("free tetroctets", "octet", 9, 36, False),
    ("trioctet-eighths", "octet-eighths", 3, 9, True),
]


@pytest.mark.parametrize(("name", "lattice", "count", "cells", "one_sided"), SETS)
def test_sets(name: str, lattice: str, count: int, cells: int, one_sided: bool) -> None:
    found = piece_set(name)
    assert found.lattice is get_lattice(lattice)
    assert len(found) == count == len(list(found))
    assert sum(len(piece.cells) for piece in found) == cells
    assert found.one_sided is one_sided
    keys = {
        shape_key(found.lattice, c, reflections=False) if found.sort is not Sort.FIXED else name
        for name, c in found.pieces.items()
    }
    assert len(keys) in (count, 2 if found.sort is Sort.FIXED else count)


def test_names_are_the_customary_ones() -> None:
    assert "".join(piece_set("pentominoes").pieces) == "FILNPTUVWXYZ"
    assert "".join(sorted(piece_set("one-sided tetrominoes").pieces)) == "IJLOSTZ"
    assert "".join(piece_set("one-sided pentominoes").pieces) == "FfILlNnPpTUVWXYyZz"
    assert "".join(piece_set("tetrasticks").pieces) == "FHIJLNOPRTUVWXYZ"
    assert "".join(sorted(piece_set("hexiamonds").pieces)) == "CEFGHIJOPSVX"
    assert "".join(piece_set("soma").pieces) == "VLTZABP"
    assert list(piece_set("fixed dominoes").pieces) == ["I.1", "I.2"]
    assert len({name for name in piece_set("hexominoes").pieces if len(name) == 1}) == 35
    assert [*map(systematic_name, (0, 25, 26, 51, 52, 104))] == ["A", "Z", "a", "z", "A1", "A2"]


def test_letters_look_like_their_pieces() -> None:
    square = get_lattice("square")
    for name, drawing in [
        ("L pentomino", "#./#./#./##"),
        ("J tetromino", ".#/.#/##"),
        ("S tetromino", ".##/##."),
        ("Z tetromino", "##./.##"),
        ("P pentomino", "##/##/#."),
        ("F pentomino", ".##/##./.#."),
        ("Z pentomino", "##./.#./.##"),
    ]:
        cells, expected = find_piece(name).cells, drawn(square, drawing)
        assert shape_key(square, cells, reflections=False) == shape_key(
            square, expected, reflections=False
        )


PIECES = [  # what is asked for, name in its set, lattice, cells
    ("X pentomino", "X", "square", 5),
    ("f pentomino", "f", "square", 5),
    ("Q pentomino", "L", "square", 5),
    ("L tromino", "V", "square", 3),
    ("L1 pentacube", "L1", "cubic", 5),
    ("J tetromino", "J", "square", 4),
    ("one-sided z pentomino", "z", "square", 5),
    ("sphinx hexiamond", "P", "triangular", 6),
    ("Sphinx", "P", "triangular", 6),
    ("propeller tetrahex", "Y", "hexagonal", 4),
    ("soma A", "A", "cubic", 4),
    ("right screw tetracube", "B", "cubic", 4),
]


@pytest.mark.parametrize(("asked", "name", "lattice", "cells"), PIECES)
def test_single_pieces(asked: str, name: str, lattice: str, cells: int) -> None:
    piece = find_piece(asked)
    assert (piece.name, piece.lattice.name, len(piece.cells)) == (name, lattice, cells)


def test_on_other_lattices() -> None:
    cubic, four = get_lattice("cubic"), get_lattice("hypercubic")
    flat = piece_set("pentominoes", cubic)
    assert flat.lattice is cubic
    assert all(cells.shape == (5, 3) for cells in flat.pieces.values())
    assert (flat.pieces["X"][:, 2] == 0).all()
    assert len(piece_set("tetracubes", four)) == 7
    assert find_piece("L tromino", four).cells.shape == (3, 4)
    assert len(piece_set("tetrakites", POLYKITES)) == 10
    assert piece_set("polykites of 3", POLYKITES).lattice is POLYKITES


@pytest.mark.parametrize(
    ("name", "lattice", "error", "message"),
    [
        ("pentaminoes", None, UnknownName, "did you mean pentominoes"),
        ("polycubes of 0", None, UnknownName, "no set of pieces"),
        ("polyominoes of 14", None, PuzzleError, "more than 5,000"),
        ("4d pentominoes", "cubic", PuzzleError, "are pieces of the lattice hypercubic"),
        ("planar hexiamonds", None, PuzzleError, "only sets of cubes are"),
    ],
)
def test_sets_that_there_are_not(name: str, lattice: str, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        piece_set(name, get_lattice(lattice) if lattice else None)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("K pentomino", "no piece of the pentominoes is called 'K': there are: F"),
        ("tetromino", "is 5 pieces; say which: I, O, T, S, L"),
        ("sphynx", "did you mean sphinx"),
        ("", "no piece is called"),
    ],
)
def test_pieces_that_there_are_not(name: str, message: str) -> None:
    with pytest.raises(ExactCoverError, match=message):
        find_piece(name)

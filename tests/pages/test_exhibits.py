"""What a page shows of each kind of thing, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import exactcover as ec
from exactcover.formats import read_puzzles
from exactcover.pages.arrays import real, whole
from exactcover.pages.blocks import nested
from exactcover.pages.complexes import Complex
from exactcover.pages.exhibits import OUTLINED, SHOWN, exhibit_of
from exactcover.pages.fourth import FourthDimension
from exactcover.render.bodies import bodies_of
from tests.helpers.lattices_under_test import EVERY, name_of, some_cells

DEFS = Path(__file__).parents[2] / "defs"


@pytest.mark.parametrize(
    "file",
    sorted(path for path in DEFS.rglob("*.*") if path.suffix in (".toml", ".txt")),
    ids=name_of,
)
def test_every_shipped_puzzle_is_shown(file: Path) -> None:
    for document in read_puzzles(str(file)):
        puzzle = document.puzzle
        if puzzle is None:
            with pytest.raises(ec.ExactCoverError, match="no page"):
                exhibit_of(document.content, None)
            continue
        exhibit = exhibit_of(puzzle, None)
        (scene,) = exhibit.scenes
        made = Complex(bodies_of(puzzle.lattice), exhibit.offsets, exhibit.spots)
        assert json.dumps(made.data())
        # Each part covers as many cells as it has, and nothing lies on anything else.
        counts = np.bincount(scene.owners, minlength=len(scene.parts)).tolist()
        assert counts == [len(part.cells) for part in scene.parts]
        assert len(set(exhibit.spots)) == len(exhibit.spots)


@pytest.mark.parametrize("lattice", EVERY, ids=name_of)
def test_shapes_of_every_lattice_make_a_page(lattice: ec.Lattice) -> None:
    cells = [tuple(cell) for cell in some_cells(lattice, 2).tolist()]
    page = ec.view([cells[:1], cells[:2]], lattice=lattice)
    assert "<title>2 shapes</title>" in page.html


def test_a_solution_says_which_piece_covers_which_cell() -> None:
    solution = ec.first(ec.read("somacube"))
    assert solution is not None
    (scene,) = exhibit_of(solution, None).scenes
    spots = exhibit_of(solution, None).spots
    for number, placed in enumerate(solution.placements):
        cells = {cell for (_, cell), owner in zip(spots, scene.owners, strict=True)
                 if owner == number}  # fmt: skip
        assert cells == set(placed.cells)
    assert scene.order is not None
    assert scene.order["stuck"] == []


def test_empty_cells_are_shown_in_the_plane_and_outlined_in_space() -> None:
    for cells, state in (([(0, 0), (1, 0)], SHOWN), ([(0, 0, 0), (1, 0, 0)], OUTLINED)):
        lattice = "square" if state == SHOWN else "cubic"
        piece = ec.Piece("A", cells[:1])
        region = ec.Region(cells[:1], optional=cells[1:])
        puzzle = ec.Puzzle((lattice), region, (piece,))
        (scene,) = exhibit_of(ec.first(puzzle), None).scenes
        assert [part.title for part in scene.parts] == ["A", "empty cells"]
        assert scene.states == (SHOWN, state)
        assert scene.owners == (0, 1)


def test_a_piece_on_a_wrapped_board_covers_its_cells() -> None:
    region = ec.Region([(x, 0) for x in range(4)], wrap=[(4, 0)])
    pieces = [ec.Piece("I", [(x, 0) for x in range(4)])]
    puzzle = ec.Puzzle("square", region, pieces)
    (scene,) = exhibit_of(ec.first(puzzle), None).scenes
    assert scene.owners == (0, 0, 0, 0)
    assert scene.order is None


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ([], "the list is empty"),
        ([ec.Piece("A", [(0, 0)]), [(0, 0)]], "holds pieces and shapes"),
        ([[(0, 0)]], "do not say on which lattice"),
        (5, "there is no page of 5"),
        (ec.first([["a"]]), "plain problem"),
    ],
)
def test_what_has_no_page_is_refused(what: object, message: str) -> None:
    with pytest.raises(ec.ExactCoverError, match=message):
        ec.view(what)


def test_solutions_of_two_puzzles_are_refused() -> None:
    two = [ec.first(ec.read(name)) for name in ("pentominoes_10x6", "pentominoes_20x3")]
    with pytest.raises(ec.ExactCoverError, match="of one puzzle"):
        ec.view(two)


def test_an_iterator_of_solutions_will_do() -> None:
    assert "cubic/somacube" in ec.view(ec.solve(ec.read("somacube"), limit=2)).html


def test_a_page_of_many_solutions_stays_small() -> None:
    puzzle = ec.read("somacube")
    few = len(ec.view(ec.solve(puzzle, limit=4)).html)
    many = len(ec.view(ec.solve(puzzle, limit=240)).html)
    assert many - few < 236 * 700 + 100_000


# -- blocks and four dimensions -------------------------------------------------------------------


def test_blocks_of_many_dimensions_do_not_overlap() -> None:
    lattice = ec.get_lattice("hypercubic-6")
    cells = [tuple(cell) for cell in some_cells(lattice, 2).tolist()]
    offsets = np.array([*nested(bodies_of(lattice), cells).values()])
    assert len(offsets) == 8
    apart = np.abs(offsets[:, None] - offsets[None]).max(axis=2)
    assert (apart[~np.eye(8, dtype=bool)] > 2).all()


@pytest.mark.parametrize(
    ("cells", "ridges", "edges"),
    [
        ([(0, 0, 0, 0)], 24, 32),
        # Of a box twice as long, 12 of the 24 polygons and 8 of the 32 edges are cut in two.
        ([(0, 0, 0, 0), (1, 0, 0, 0)], 36, 40),
        ([(0, 0, 0, 0), (0, 0, 0, 1)], 36, 40),
    ],
)
def test_a_box_in_four_dimensions_has_its_polygons_and_edges(
    cells: list[tuple[int, ...]], ridges: int, edges: int
) -> None:
    exhibit = exhibit_of([cells], ec.get_lattice("hypercubic"))
    made = FourthDimension(bodies_of(exhibit.lattice), cells)
    found = made._ridges(cells)
    assert len(found) == ridges
    assert len(made._edges(found)) == edges


def test_numbers_are_packed_in_the_smallest_type() -> None:
    assert [whole(values)["type"] for values in ([0, 255], [-1], [256], [40000], [-1, 40000])] == [
        "Uint8",
        "Int16",
        "Int16",
        "Uint16",
        "Int32",
    ]
    assert real([1.0])["bytes"] == "AACAPw=="

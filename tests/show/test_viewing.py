"""What a page shows of each kind of thing, and what it refuses."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import exactcover as ec
from exactcover.geometry.bodies import bodies_of
from exactcover.show.space import nested
from exactcover.show.viewing import OUTLINED, SHOWN, contents_of
from tests.helpers.lattices_under_test import EVERY, name_of, some_cells
from tests.helpers.packed import unpacked


@pytest.mark.parametrize("lattice", EVERY, ids=name_of)
def test_shapes_of_every_lattice_make_a_page(lattice: ec.Lattice) -> None:
    cells = [tuple(cell) for cell in some_cells(lattice, 2).tolist()]
    page = ec.view([cells[:1], cells[:2]], lattice=lattice)
    assert "<title>2 shapes</title>" in page.html


def test_a_solution_says_which_piece_covers_which_cell() -> None:
    solution = ec.first(ec.read("somacube"))
    assert solution is not None
    (scene,) = contents_of(solution, None).scenes
    spots = contents_of(solution, None).board["cells"]
    for number, placed in enumerate(solution.placements):
        cells = {tuple(cell) for cell, owner in zip(spots, scene.state.owners, strict=True)
                 if owner == number}  # fmt: skip
        assert cells == set(placed.cells)
    assert scene.order is None
    known = {"level": "1", "reason": "", "steps": []}
    (scene,) = contents_of(solution, None, [known]).scenes
    assert scene.order == known


def test_flat_pieces_are_put_down_from_above() -> None:
    solution = ec.first(ec.read("pentominoes_10x6"))
    (scene,) = contents_of(solution, None).scenes
    assert scene.order is not None
    steps = scene.order["steps"]
    assert [step["parts"] for step in steps] == [[piece] for piece in range(12)]
    assert {tuple(step["vector"]) for step in steps} == {(0.0, 0.0, -1.0)}


def test_empty_cells_are_shown_in_the_plane_and_outlined_in_space() -> None:
    for cells, state in (([(0, 0), (1, 0)], SHOWN), ([(0, 0, 0), (1, 0, 0)], OUTLINED)):
        lattice = "square" if state == SHOWN else "cubic"
        piece = ec.Piece("A", cells[:1])
        region = ec.Region(cells[:1], optional=cells[1:])
        puzzle = ec.Puzzle((lattice), region, (piece,))
        (scene,) = contents_of(ec.first(puzzle), None).scenes
        assert [part.title for part in scene.state.parts] == ["A", "empty cells"]
        assert scene.states == [SHOWN, state]
        assert scene.state.owners == [0, 1]


def test_a_piece_on_a_wrapped_board_covers_its_cells() -> None:
    region = ec.Region([(x, 0) for x in range(4)], wrap=[(4, 0)])
    pieces = [ec.Piece("I", [(x, 0) for x in range(4)])]
    puzzle = ec.Puzzle("square", region, pieces)
    (scene,) = contents_of(ec.first(puzzle), None).scenes
    assert scene.state.owners == [0, 0, 0, 0]
    assert scene.order is None


def test_a_page_of_many_solutions_stays_small() -> None:
    puzzle = ec.read("somacube")
    few = len(ec.view(ec.solve(puzzle, limit=4)).html)
    many = len(ec.view(ec.solve(puzzle, limit=24)).html)
    assert many - few < 20 * 700 + 100_000


# -- blocks and four dimensions -------------------------------------------------------------------


def test_blocks_of_many_dimensions_do_not_overlap() -> None:
    lattice = ec.get_lattice("hypercubic-6")
    cells = [tuple(cell) for cell in some_cells(lattice, 2).tolist()]
    offsets = np.array([*nested(bodies_of(lattice), cells).values()])
    assert len(offsets) == 8
    apart = np.abs(offsets[:, None] - offsets[None]).max(axis=2)
    assert (apart[~np.eye(8, dtype=bool)] > 2).all()


def test_balls_of_four_dimensions_are_joined_to_those_beside_them() -> None:
    cells = [(x, 0, 0, w) for x in (0, 1) for w in (0, 1)]
    html = ec.view([cells], lattice="hypercubic").html
    (text,) = re.findall(r'id="data-view">(.*?)</script>', html)
    fourth = json.loads(text)["board"]["space"]["fourth"]
    joints = unpacked(fourth["joints"])
    assert len(unpacked(fourth["centres"])) == 4 * len(cells)
    assert [*zip(joints[::2], joints[1::2], strict=True)] == [(0, 1), (0, 2), (1, 3), (2, 3)]

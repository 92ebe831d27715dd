"""The tiles of a board cover it, and note rightly what lies beside them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import exactcover as ec
from exactcover.geometry.bodies import Key, bodies_of
from exactcover.show.board import DrawnBoard
from exactcover.show.outlines import OUTSIDE, parted
from exactcover.show.svg import Point
from exactcover.show.tiles import Sheet

FLAT = ["hexiamonds_snowflake", "tetrahexes_flower_1"]
SOLID = ["somacube", "triprisms_hexagon", "tetratesseracts_3x2x2x2"]
OTHER = ["tetrasticks_5x5_without_H", "pairs_3x2x2", "dioctets_and_trioctets_any_octahedron_2"]


def board(name: str) -> tuple[ec.Puzzle, DrawnBoard]:
    puzzle = ec.read(name)
    assert isinstance(puzzle, ec.Puzzle)
    return puzzle, DrawnBoard.of(puzzle)


def flat(made: DrawnBoard) -> list[Sheet]:
    """The layers of all blocks, as seen from above."""
    return [sheet for layers in made.flat.values() for sheet in layers.values()]


def block(puzzle: ec.Puzzle, cell: int) -> list[int]:
    """The coordinates of a cell that number blocks."""
    vector: list[int] = puzzle.space.cells[cell].tolist()
    return vector[3 : puzzle.lattice.dimension]


def area(points: tuple[Point, ...]) -> float:
    around = pairwise([*points, points[0]])
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in around)) / 2


@pytest.mark.parametrize("name", FLAT + SOLID)
def test_tiles_side_by_side_know_the_neighbours_of_their_cells(name: str) -> None:
    puzzle, made = board(name)
    starts, near = (array.tolist() for array in puzzle.model.layout.adjacent)
    bodies = bodies_of(puzzle.lattice)
    seen = set()
    for sheet in flat(made):
        for tile in sheet.tiles:
            seen.add(tile.cell)
            cell = tuple(puzzle.space.cells[tile.cell].tolist())
            height = bodies.centre(cell)[2:]
            level = {
                other
                for other in near[starts[tile.cell] : starts[tile.cell + 1]]
                if np.allclose(bodies.centre(tuple(puzzle.space.cells[other].tolist()))[2:], height)
                and block(puzzle, other) == block(puzzle, tile.cell)
            }
            assert {other for other in tile.beyond if other != OUTSIDE} == level
    assert seen == set(range(len(puzzle.space)))


@pytest.mark.parametrize("name", FLAT + SOLID + OTHER)
def test_the_layers_of_a_page_hold_every_cell_once_in_boxes_of_one_size(name: str) -> None:
    puzzle, made = board(name)
    layers: Any = made.data(space=False)["layers"]
    assert sorted(cell for layer in layers for cell in layer["cells"]) == [
        *range(len(puzzle.space))
    ]
    assert len({(layer["width"], layer["height"]) for layer in layers}) == 1
    for layer in layers:
        points = np.array([point for polygon in layer["polygons"] for point in polygon])
        assert (points >= 0).all()
        assert (points <= [layer["width"] + 1e-4, layer["height"] + 1e-4]).all()


@pytest.mark.parametrize("name", FLAT + SOLID)
def test_two_cells_of_a_layer_say_the_same_side_of_each_other(name: str) -> None:
    _, made = board(name)
    layers: Any = made.data(space=False)["layers"]
    for layer in layers:
        ends: dict[tuple[int, int], list[Any]] = {}
        for cell, polygon, sides in zip(
            layer["cells"], layer["polygons"], layer["sides"], strict=True
        ):
            for at, other in enumerate(sides):
                if other != OUTSIDE:
                    ends[cell, other] = [polygon[at], polygon[(at + 1) % len(polygon)]]
        assert ends
        for (cell, other), (start, end) in ends.items():
            assert np.allclose(ends[other, cell], [end, start], atol=2e-4)


@pytest.mark.parametrize("name", SOLID[:2])
def test_a_full_solid_shows_the_silhouette_of_its_cells(name: str) -> None:
    """Faces that no cell hides cover it once: their areas are those of the floor behind it."""
    _, made = board(name)
    solid = made.solids[()]
    shown = [tile for tile in solid.tiles if tile.front == OUTSIDE]
    assert 0 < len(shown) < len(solid.tiles)
    assert sum(area(tile.points) for tile in shown) == pytest.approx(
        sum(area(face) for face in solid.floor)
    )


@pytest.mark.parametrize("name", OTHER)
def test_every_cell_has_a_tile_and_a_place_for_a_name(name: str) -> None:
    puzzle, made = board(name)
    everything = list(range(len(puzzle.space)))
    assert sorted(tile.cell for sheet in flat(made) for tile in sheet.tiles) == everything
    assert sorted(cell for sheet in flat(made) for cell in sheet.names) == everything


def test_edges_are_cut_where_cells_do_not_meet_edge_to_edge() -> None:
    """Two bricks under one: its lower edge has one of them beyond each half."""
    bricks: dict[int, list[Key]] = {
        0: [(0, 0), (2, 0), (2, 1), (0, 1)],
        1: [(2, 0), (4, 0), (4, 1), (2, 1)],
        2: [(1, 1), (3, 1), (3, 2), (1, 2)],
    }
    (_, _, first), (_, _, second), (number, keys, above) = parted(bricks.items())
    assert number == 2
    assert list(keys) == [(1, 1), (2, 1), (3, 1), (3, 2), (1, 2)]
    assert above == (0, 1, OUTSIDE, OUTSIDE, OUTSIDE)
    assert sorted(first) == [OUTSIDE, OUTSIDE, OUTSIDE, 1, 2]
    assert sorted(second) == [OUTSIDE, OUTSIDE, OUTSIDE, 0, 2]

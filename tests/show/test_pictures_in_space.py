"""Pictures of cells in space: which faces are seen, in which order they are painted; blocks."""

from __future__ import annotations

import re

import numpy as np
import pytest

import exactcover as ec
from exactcover.geometry.bodies import SOLID, Key, as_tuples, bodies_of
from exactcover.geometry.cells import CellSet
from exactcover.lattices import Lattice, get_lattice
from exactcover.show import tiles
from exactcover.show.board import DrawnBoard, Part, board_with
from exactcover.show.paint import figure
from exactcover.show.palette import colour
from exactcover.show.svg import Disc, Figure
from exactcover.show.svg import Path as Drawn
from exactcover.show.tiles import faces_of
from tests.helpers.examples import some
from tests.helpers.lattices_under_test import EVERY, name_of, some_cells
from tests.helpers.pictured import SVG, parsed


def seen_at(figure: Figure, place: np.ndarray) -> str:
    """The title of the face that is painted last at a place."""
    found = ""
    for shape in figure.shapes:
        if isinstance(shape, Drawn) and shape.fill and shape.title:
            (loop,) = shape.loops
            corners = np.array(loop)
            steps = np.roll(corners, -1, axis=0) - corners
            away = place - corners
            turns = steps[:, 0] * away[:, 1] - steps[:, 1] * away[:, 0]
            if (turns <= 0).all() or (turns >= 0).all():
                found = shape.title
    return found


def first_hit(cells: list[tuple[int, ...]], lattice: Lattice, place: np.ndarray) -> str:
    """The cell that a ray from the viewer hits first: by the half spaces of all cells."""
    bodies = bodies_of(lattice)
    best, name = -np.inf, ""
    for number, cell in enumerate(cells):
        corners = bodies.in_space(bodies.corners(cell)) @ tiles.VIEW
        low, high = -np.inf, np.inf
        for side in bodies.body(cell).sides:
            a, b, c = (corners[k] for k in side[:3])
            normal = np.cross(b - a, c - a)
            if normal @ (corners.mean(axis=0) - a) > 0:
                normal = -normal
            room = normal @ a - normal[:2] @ place  # normal z <= room inside
            if abs(normal[2]) < 1e-9:
                if room < 0:
                    low = np.inf
            elif normal[2] > 0:
                high = min(high, room / normal[2])
            else:
                low = max(low, room / normal[2])
        if low < high and high > best:
            best, name = high, str(number)
    return name


Group = tuple[list[tuple[int, ...]], Part]

SOLIDS = [one for one in EVERY if one.dimension == 3 and bodies_of(one).kinds[0].sort == SOLID]


@pytest.mark.parametrize("lattice", some(SOLIDS, one_in=3), ids=name_of)
def test_what_is_painted_last_is_what_a_ray_hits_first(lattice: Lattice) -> None:
    random = np.random.default_rng(7)
    cells = as_tuples(random.permutation(some_cells(lattice, 3)))[:16]
    parts = [([cell], Part(colour(0), title=str(number))) for number, cell in enumerate(cells)]
    drawn = figure(*board_with(lattice, parts))
    hits = 0
    for place in random.uniform(drawn.low, drawn.high, (40, 2)):
        expected = first_hit(cells, lattice, place * [1, -1])
        assert seen_at(drawn, place) == expected
        hits += bool(expected)
    assert hits > 10


@pytest.mark.parametrize("lattice", SOLIDS, ids=name_of)
def test_a_face_is_orthogonal_to_the_line_between_the_centres_beside_it(lattice: Lattice) -> None:
    """So the order of the centres' depths is right for every solid, see `paint`."""
    bodies = bodies_of(lattice)
    beside: dict[frozenset[Key], list[tuple[int, ...]]] = {}
    normals = {}
    for cell in as_tuples(some_cells(lattice, 3)):
        for face in faces_of(bodies, [cell]):
            beside.setdefault(frozenset(face.keys), []).append(cell)
            normals[frozenset(face.keys)] = face.normal
    shared = {keys: pair for keys, pair in beside.items() if len(pair) > 1}
    assert len(shared) > len(normals) / 4
    for keys, (a, b) in shared.items():
        line = bodies.centre(b) - bodies.centre(a)
        assert np.abs(np.cross(line, normals[keys])).max() < 1e-9


def test_hidden_faces_are_left_out() -> None:
    """Of a cube of 27 cells one sees nine faces on each of three sides."""
    cubic = get_lattice("cubic")
    cells = tuple(as_tuples(some_cells(cubic, 3)))

    def titles(*more: Group) -> list[str]:
        wall: list[Group] = [([cell], Part(colour(0), title=str(cell))) for cell in cells]
        shapes = figure(*board_with(cubic, [*wall, *more])).shapes
        return [shape.title for shape in shapes if isinstance(shape, Drawn) and shape.title]

    assert len(titles()) == 27
    before = [(2, -3, 2)], Part(colour(2))
    assert "behind" in titles(([(0, 3, 0)], Part(colour(1), title="behind")), before)
    assert "hidden" not in titles(([(-2, 2, -2)], Part(colour(1), title="hidden")))


def test_four_dimensions_are_blocks_and_five_a_grid_of_them() -> None:
    def captions(name: str) -> list[str]:
        picture = ec.picture(ec.read(name))
        return [str(text.text) for text in parsed(picture).iter(f"{SVG}text")]

    assert captions("dominoes_2x2x2x2") == ["w=0", "w=1"]
    assert captions("dominoes_2x2x2x2x2") == ["w=0 v=0", "w=1 v=0", "w=0 v=1", "w=1 v=1"]
    assert len(captions("dominoes_2x2x2x2x2x2")) == 8


@pytest.mark.parametrize("name", some(["fcc", "bcc", "octet", "prism"], one_in=2))
def test_the_order_of_painting_does_not_depend_on_the_place(name: str) -> None:
    """Cells at equal depth stay in their order, although rounding differs from place to place."""
    lattice = get_lattice(name)
    cells = some_cells(lattice, 3)
    orders, sheets = set(), set()
    for shift in ((0, 0, 0), (7, 0, -5), (-5, 7, 7), (0, -5, 7)):
        there = cells + np.pad(np.array(shift), (0, lattice.width - 3))
        parts = [([cell], Part(colour(0), title=str(n))) for n, cell in enumerate(as_tuples(there))]
        shapes = figure(*board_with(lattice, parts)).shapes
        orders.add(tuple(one.title for one in shapes if isinstance(one, Disc | Drawn)))
        (solid,) = DrawnBoard.of(CellSet.of(lattice, there)).solids.values()
        sheets.add(tuple(tile.cell for tile in solid.tiles))
    assert len(orders) == len(sheets) == 1


def test_balls_are_painted_from_the_back_to_the_front() -> None:
    fcc = get_lattice("fcc")
    cells = as_tuples(some_cells(fcc, 3))
    parts = [([cell], Part(colour(0), title=str(cell))) for cell in cells]
    drawn = figure(*board_with(fcc, parts))
    bodies = bodies_of(fcc)
    towards = tiles.VIEW[:, 2]
    depths = [
        round(float(bodies.centre(tuple(map(int, re.findall(r"-?\d+", one.title)))) @ towards), 9)
        for one in drawn.shapes
        if isinstance(one, Disc)
    ]
    assert len(depths) == 27
    assert depths == sorted(depths)


def test_balls_that_are_covered_are_left_out() -> None:
    """One ball exactly behind another is covered; the pile without it looks the same."""
    fcc = get_lattice("fcc")
    cells = as_tuples(some_cells(fcc, 4))
    bodies = bodies_of(fcc)
    parts = [([cell], Part(colour(0), title=str(cell))) for cell in cells]
    drawn = figure(*board_with(fcc, parts))
    shown = {shape.title for shape in drawn.shapes if isinstance(shape, Disc)}
    middles = {cell: bodies.centre(cell) @ tiles.VIEW for cell in cells}
    radius = bodies.pitch / 2
    assert len(shown) < len(cells)
    grid = np.linspace(-radius, radius, 21)
    inside = np.array([(x, y) for x in grid for y in grid if x * x + y * y < (0.99 * radius) ** 2])
    for cell, middle in middles.items():
        left = inside + middle[:2]
        for other in middles.values():
            if other[2] > middle[2] + 1e-9:
                left = left[np.linalg.norm(left - other[:2], axis=1) > radius]
        if str(cell) not in shown:
            assert len(left) == 0
        elif len(left) == 0:
            raise AssertionError(f"{cell} is covered and drawn")

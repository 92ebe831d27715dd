"""Pictures of pieces on boards: outlines, colours, joints, costs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import exactcover as ec
from exactcover.geometry.cells import CellSet
from exactcover.geometry.neighbours import neighbour_graph
from exactcover.lattices import get_lattice
from exactcover.show.render.palette import FIXED, PALETTE, colour, colour_numbers, contrast, ink_on
from tests.helpers.pictured import AREAS, SVG, area, parsed, pieces_of

FLAT = ["pentominoes_20x3", "tetrahexes_7x4", "hexiamonds_6x6"]


@pytest.mark.parametrize("name", FLAT)
def test_each_piece_is_one_outline_and_their_areas_make_up_the_region(name: str) -> None:
    puzzle = ec.read(name)
    solution = ec.first(puzzle)
    picture = ec.picture(solution, cell=36)
    outlines = pieces_of(picture)
    assert Counter(title for title, _, _ in outlines) == Counter(
        placement.piece for placement in solution.placements
    )
    whole = len(puzzle.space) * AREAS[puzzle.lattice.name]
    assert sum(area(steps) for _, steps, _ in outlines) == pytest.approx(whole, rel=1e-3)


def test_a_piece_keeps_its_colour_from_one_solution_to_the_next() -> None:
    first, second = (
        {title: fill for title, _, fill in pieces_of(ec.picture(solution))}
        for solution in ec.solve(ec.read("pentominoes_20x3"))
    )
    assert first == second
    assert len(set(first.values())) == 12


def test_colours_of_many_copies_differ_where_they_touch() -> None:
    ring = [(number, (number + 1) % 31) for number in range(31)]
    numbers = colour_numbers(["A"] * 31, {"A": 0}, ring)
    assert all(numbers[a] != numbers[b] for a, b in ring)
    assert len({colour(number) for number in range(60)}) == 60


def test_pieces_of_one_copy_keep_their_colours_beside_many_copies() -> None:
    most = {"A": 1, "I": None, "B": 1}
    names = ["I"] * 30 + ["B", "A"]
    line = [(number, number + 1) for number in range(31)]
    numbers = colour_numbers(names, most, line)
    assert (numbers[-1], numbers[-2]) == (0, 2)
    assert not {0, 2} & set(numbers[:30])
    assert all(numbers[a] != numbers[b] for a, b in line)


def test_copies_take_the_colours_of_their_piece_in_turn() -> None:
    assert colour_numbers(["L", "I", "L", "I"], {"I": 2, "L": 3}, []) == [2, 0, 3, 1]


def test_thousands_of_copies_that_touch_differ() -> None:
    """A board of dominoes, each of which touches four others, has few colours."""
    side = 60
    right = [(at, at + 1) for at in range(side * side) if at % side < side - 1]
    touching = [*right, *((at, at + side) for at in range(side * (side - 1)))]
    numbers = colour_numbers(["I"] * side * side, {"I": None}, touching)
    assert all(numbers[one] != numbers[other] for one, other in touching)
    assert max(numbers) < 6


def test_ink_can_be_read_on_each_colour_of_the_palette() -> None:
    for tone in PALETTE:
        for ground, ink in zip(tone, ink_on(tone), strict=True):
            assert contrast(ground, ink) >= 4.5


def test_stationary_pieces_are_grey() -> None:
    picture = ec.picture(ec.first(ec.read("pentominoes_8x8_hole")))
    fills = Counter(fill for _, _, fill in pieces_of(picture))
    assert fills[FIXED.light] == 1
    assert len(fills) == 13


def test_stationary_pieces_and_holes_are_in_the_picture_of_a_puzzle() -> None:
    puzzle = ec.Puzzle.of(
        ["domino x 3", {"name": "S", "cells": [[0, 0], [1, 0]], "stationary": True}],
        {"plus": ["4x2"], "optional": ["1x1 at 4,0"]},
        "square",
    )
    titles = [title for title, _, _ in pieces_of(ec.picture(puzzle))]
    assert titles == ["to be filled", "may stay empty", "S"]


def test_cells_show_what_they_cost() -> None:
    puzzle = ec.read("tetrominoes_franklin")
    texts = [text.text for text in parsed(ec.picture(puzzle)).iter(f"{SVG}text")]
    assert Counter(texts) == Counter(f"{cost:g}" for cost in puzzle.region.costs.values())


WRAPPED = ["tetrominoes_cylinder_5x4", "tetrahexes_torus_7x4", "hexiamonds_cylinder_12x3"]


@pytest.mark.parametrize("name", WRAPPED)
def test_a_piece_that_crosses_the_joint_is_open_there(name: str) -> None:
    """As many dashes as pairs of neighbours in one piece that are none without the joint, twice."""
    puzzle = ec.read(name)
    solution = ec.first(puzzle)
    expected = 0
    for placement in solution.placements:
        cells = np.array(placement.cells)
        wrapped = CellSet.of(puzzle.lattice, cells, puzzle.periods)
        alone = CellSet.of(puzzle.lattice, cells)
        expected += len(neighbour_graph(wrapped)[1]) - len(neighbour_graph(alone)[1])
    picture = ec.picture(solution)
    dashed = [
        path.attrib["d"].count("M")
        for path in parsed(picture).iter(f"{SVG}path")
        if "stroke-dasharray" in path.attrib
    ]
    assert sum(dashed) == expected > 0
    assert "dashed line" in parsed(picture).find(f"{SVG}desc").text
    outlines = pieces_of(picture)
    areas = {title: area(steps) for title, steps, _ in outlines}
    sizes = {placement.piece: len(placement.cells) for placement in solution.placements}
    cell = min(areas[title] / sizes[title] for title in areas)
    assert all(areas[title] == pytest.approx(cell * sizes[title], rel=1e-2) for title in areas)


def test_a_solid_that_crosses_the_joint_has_dashed_edges_round_its_cut() -> None:
    cubic = get_lattice("cubic")
    cells = [(x, 0, 0) for x in range(3)]
    region = ec.Region(cells, wrap=((3, 0, 0),))
    piece = ec.Piece("I", [(0, 0, 0), (1, 0, 0)])
    single = ec.Piece("O", [(1, 0, 0)], stationary=True)
    picture = ec.picture(ec.first(ec.Puzzle(cubic, region, (piece, single))))
    dashed = [path.attrib for path in parsed(picture).iter(f"{SVG}path")]
    dashed = [path for path in dashed if "stroke-dasharray" in path]
    # The cut to the right is seen with its four edges, the one to the left with two of them.
    assert sum(path["d"].count("M") for path in dashed) == 6 + 2


@pytest.mark.parametrize(("axis", "dashes"), [(0, 6 + 2), (3, 0)])
def test_a_joint_in_four_dimensions_opens_no_other_faces(axis: int, dashes: int) -> None:
    """Blocks beside each other, or along a ring: there the joint lies between two blocks."""
    cells = np.zeros((3, 4), int)
    cells[:, axis] = range(3)
    beside = cells.copy()
    beside[:, 3 - axis] = 1
    ring, other = (list(map(tuple, row.tolist())) for row in (cells, beside))
    region = ec.Region(ring + other, wrap=(tuple(int(3 * (n == axis)) for n in range(4)),))
    crossing = ec.Piece("I", ring[::2], stationary=True)
    single = ec.Piece("O", ring[1:2], stationary=True)
    others = (ec.Piece(f"S{n}", [cell], stationary=True) for n, cell in enumerate(other))
    puzzle = ec.Puzzle("hypercubic", region, (crossing, single, *others))
    root = parsed(ec.picture(ec.first(puzzle)))
    dashed = [path.attrib for path in root.iter(f"{SVG}path") if "stroke-dasharray" in path.attrib]
    assert sum(path["d"].count("M") for path in dashed) == dashes
    assert ("dashed line" in root.find(f"{SVG}desc").text) == bool(dashes)


def test_sticks_and_discs_that_cross_the_joint_have_a_dashed_line_there() -> None:
    sticks = get_lattice("sticks-square")
    row = [(x, 0, 0) for x in range(3)]
    discs = replace(get_lattice("square"), name="discs", outlines={})
    flat = [cell[:2] for cell in row]
    for lattice, cells in ((sticks, row), (discs, flat), (get_lattice("fcc"), row)):
        piece = ec.Piece("I", cells[:2])
        single = ec.Piece("O", cells[1:2], stationary=True)
        period = (3, 0, 0)[: lattice.dimension]
        puzzle = ec.Puzzle(lattice, ec.Region(cells, wrap=(period,)), (piece, single))
        root = parsed(ec.picture(ec.first(puzzle)))
        dashed = [path for path in root.iter(f"{SVG}path") if "stroke-dasharray" in path.attrib]
        assert sum(path.attrib["d"].count("M") for path in dashed) == 2

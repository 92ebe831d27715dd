"""Pictures of pieces on boards: outlines, colours, joined sides."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import exactcover as ec
from exactcover.geometry.bodies import bodies_of
from exactcover.lattices import get_lattice
from exactcover.show.palette import PALETTE, colour, colour_numbers, contrast, ink_on
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


def test_ink_can_be_read_on_each_colour_of_the_palette() -> None:
    for tone in PALETTE:
        for ground, ink in zip(tone, ink_on(tone), strict=True):
            assert contrast(ground, ink) >= 4.5


def test_stationary_pieces_and_holes_are_in_the_picture_of_a_puzzle() -> None:
    puzzle = ec.puzzle_of(
        ["domino x 3", {"name": "S", "cells": [[0, 0], [1, 0]], "stationary": True}],
        {"plus": ["4x2"], "optional": ["1x1 at 4,0"]},
        "square",
    )
    titles = [title for title, _, _ in pieces_of(ec.picture(puzzle))]
    assert titles == ["to be filled", "may stay empty", "S"]


WRAPPED = {"tetrominoes_cylinder_5x4": 1, "tetrahexes_torus_7x4": 3, "hexiamonds_cylinder_12x3": 1}


@pytest.mark.parametrize("name", WRAPPED)
def test_joined_sides_have_the_same_letter(name: str) -> None:
    """Each letter stands twice, and from one to the other it is a period of the board."""
    puzzle = ec.read(name)
    periods = np.array(puzzle.region.wrap) @ np.array(puzzle.lattice.basis)[:, :2]
    for what in (puzzle, ec.first(puzzle)):
        root = parsed(ec.picture(what, cell=100))
        places: dict[str, list[tuple[float, float]]] = {}
        for text in root.iter(f"{SVG}text"):
            if text.text.islower():
                places.setdefault(text.text, []).append(
                    (float(text.attrib["x"]), float(text.attrib["y"]))
                )
        assert sorted(places) == ["a", "b", "c"][: WRAPPED[name]]
        assert "sides of the board are joined" in root.findtext(f"{SVG}desc")
        for one, other in places.values():
            apart = (np.array(other) - one) * [1, -1] / 100 * bodies_of(puzzle.lattice).pitch
            steps = np.linalg.lstsq(periods.T, apart, rcond=None)[0]
            # The letters stand outside of the sides, each at `LABEL` from its own.
            assert np.abs(steps).max() == pytest.approx(1, abs=0.3)


def test_a_piece_that_crosses_joined_sides_has_an_outline_at_both() -> None:
    puzzle = ec.read("tetrahexes_torus_7x4")
    solution = ec.first(puzzle)
    picture = ec.picture(solution)
    assert "stroke-dasharray" not in picture.svg
    areas = {title: area(steps) for title, steps, _ in pieces_of(picture)}
    sizes = {placement.piece: len(placement.cells) for placement in solution.placements}
    cell = min(areas[title] / sizes[title] for title in areas)
    assert all(areas[title] == pytest.approx(cell * sizes[title], rel=1e-2) for title in areas)


@pytest.mark.parametrize("lattice", ["sticks-square", "cubic"])
def test_other_wrapped_boards_have_no_letters(lattice: str) -> None:
    width, dimension = (get_lattice(lattice).width, get_lattice(lattice).dimension)
    cells = [(x, *(0,) * (width - 1)) for x in range(3)]
    region = ec.Region(cells, wrap=((3, *(0,) * (dimension - 1)),))
    pieces = (ec.Piece("I", cells[:2]), ec.Piece("O", cells[:1]))
    root = parsed(ec.picture(ec.first(ec.Puzzle(get_lattice(lattice), region, pieces))))
    assert not [text for text in root.iter(f"{SVG}text") if text.text.islower()]
    assert "sides of the board are joined" in root.findtext(f"{SVG}desc")

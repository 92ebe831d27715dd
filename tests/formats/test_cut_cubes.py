"""BurrTools' grids of tetrahedra: files made from plain solids, and counted without any lattice."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from exactcover.errors import FormatError
from exactcover.formats.xmpuzzle.grids import GRIDS
from exactcover.lattices import get_lattice
from tests.helpers.examples import some
from tests.helpers.tetrahedra import HONEYCOMBS, Corner, Honeycomb, Solid
from tests.helpers.xmpuzzle_texts import asked, file, number, puzzle_of

SIDES = {"rhombic": 5, "octet-eighths": 3}
GRID_NUMBERS = {"rhombic": 3, "octet-eighths": 4}

Block = tuple[str, str]


def voxel(name: str, solid: Solid) -> Corner:
    """The voxel that holds the middle of a solid."""
    total = [sum(corner[axis] for corner in solid) for axis in range(3)]
    unit = 4 * HONEYCOMBS[name].scale
    x, y, z = (value * SIDES[name] // unit for value in total)
    return x, y, z


def block(voxels: set[Corner], mark: str = "#") -> Block:
    """The smallest block from the origin that holds them."""
    x, y, z = (max(v[axis] for v in voxels) + 1 for axis in range(3))
    marks = [
        mark if (a, b, c) in voxels else "_" for c, b, a in product(range(z), range(y), range(x))
    ]
    return f"{x}x{y}x{z}", "".join(marks)


def cut(rng: random.Random, honeycomb: Honeycomb, size: int, pieces: int) -> list[set[Solid]]:
    """A grown set of cells, in parts: the last may be in several pieces."""

    def grown(within: set[Solid] | None, many: int) -> set[Solid]:
        start = sorted(within or honeycomb.solids(0, 0, 0), key=sorted)
        found = {rng.choice(start)}
        while len(found) < many:
            beside = {other for solid in found for other in honeycomb.beside[solid]} - found
            choices = sorted(beside & within if within else beside, key=sorted)
            if not choices:
                break
            found.add(rng.choice(choices))
        return found

    whole = grown(None, size)
    parts = []
    left = set(whole)
    while len(parts) < pieces - 1:
        parts.append(grown(left, size // pieces))
        left -= parts[-1]
    return [whole, *parts, left]


@pytest.mark.parametrize("begins", [0, 1], ids=["first cube", "next cube"])
@pytest.mark.parametrize("name", GRID_NUMBERS)
@pytest.mark.parametrize("seed", some(range(6), one_in=3))
def test_as_many_assemblies_as_of_plain_solids(name: str, begins: int, seed: int) -> None:
    """A grid of cubes that lie alike begins with any, one of octets with either of two."""
    honeycomb = HONEYCOMBS[name]
    rng = random.Random(seed)
    whole, *parts = (honeycomb.at_origin(part) for part in cut(rng, honeycomb, 10, 5))
    shift = begins * SIDES[name]
    shapes = [
        block({(x + shift, y, z) for x, y, z in (voxel(name, solid) for solid in part)})
        for part in (whole, *parts)
    ]
    pieces = "".join(f'<shape id="{n}" count="1"/>' for n in range(1, len(shapes)))
    expected = honeycomb.packings(set(whole), parts)
    assert expected > 0
    assert number(file(shapes, asked(pieces), grid=GRID_NUMBERS[name])) == expected


@pytest.mark.parametrize("name", GRID_NUMBERS)
def test_a_voxel_is_the_solid_whose_middle_it_holds(name: str) -> None:
    """Corner by corner. Numbers of assemblies would be the same if tetrahedra changed places."""
    honeycomb, lattice = HONEYCOMBS[name], get_lattice(name)
    outlines = list(lattice.outlines.values())
    for cube in product(range(3), repeat=3):
        for solid in honeycomb.solids(*cube):
            [cell] = GRIDS[GRID_NUMBERS[name]].readings[0](np.array([voxel(name, solid)])).tolist()
            places = [
                [a + b for a, b in zip(corner, cell[:3], strict=True)]
                for corner in outlines[cell[3]]
            ]
            if name == "rhombic":
                corners = {tuple(int(2 * a + 1) for a in place) for place in places}
            else:
                corners = {(int(x + y), int(x + z), int(y + z)) for x, y, z in places}
            assert corners == solid


def test_which_voxels_are_cells() -> None:
    """As many in each layer as tutorials show; any other is refused by its place."""
    cells = {voxel("rhombic", solid) for solid in HONEYCOMBS["rhombic"].solids(0, 0, 0)}
    assert [sum(cell[2] == layer for cell in cells) for layer in range(5)] == [4, 4, 8, 4, 4]
    for place in [*product(range(5), repeat=3)][::2]:
        text = file([block({place}), block({place})], asked('<shape id="1" count="1"/>'), grid=3)
        if place in cells:
            assert number(text) == 1
        else:
            with pytest.raises(FormatError, match=rf"shape S1 has a voxel at \({place[0]}, "):
                puzzle_of(text)


EVEN = {(0, 0, 0), (2, 2, 0), (2, 0, 2), (0, 2, 2)}
ODD = {(2, 0, 0), (0, 2, 0), (0, 0, 2), (2, 2, 2)}
MIDDLE = {(1, 1, 1)}


@pytest.mark.parametrize("corners", [EVEN, ODD], ids=["even", "odd"])
def test_a_cube_of_five(corners: set[Corner]) -> None:
    """A tetrahedron and four corners; which corners they are, the corners say."""
    shapes = [block(corners | MIDDLE), block(MIDDLE), block({min(corners)})]
    pieces = '<shape id="1" count="1"/><shape id="2" count="4"/>'
    puzzle = puzzle_of(file(shapes, asked(pieces), grid=4))
    assert puzzle.lattice is get_lattice("octet-eighths")
    assert len(puzzle.model.symmetries.selected("reflections")) == 24
    assert number(file(shapes, asked(pieces), grid=4)) == 1


def test_an_octahedron_of_eighths() -> None:
    """Where eight cubes meet; pairs fill it in 9 ways, as dominoes do a cube."""
    eight = set(product((2, 3), repeat=3))
    shapes = [block(eight), block({(2, 2, 2), (3, 2, 2)})]
    assert number(file(shapes, asked('<shape id="1" count="4"/>'), grid=4)) == 9


@pytest.mark.parametrize("result", ["+###", "#1###"])
def test_marks_tell_readings_apart(result: str) -> None:
    """Four prisms that make the same row both ways up: but its first is at an end, or it is not."""
    pieces = asked('<shape id="1" min="1" max="2"/>')
    plain = file([("2x2x1", "####"), ("2x1x1", "##")], pieces, grid=1)
    assert number(plain) == 1
    marked = file([("2x2x1", result), ("2x1x1", "##")], pieces, grid=1, colours=1)
    with pytest.raises(FormatError, match="which of the triangles point up is not written"):
        puzzle_of(marked)

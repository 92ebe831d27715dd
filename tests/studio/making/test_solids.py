"""Solids of pieces: closed, of the right volume, apart by the gap; and the files that hold them."""

from __future__ import annotations

import sys
from itertools import combinations, product
from math import pi
from pathlib import Path

import manifold3d
import numpy as np
import pytest
import trimesh
from scipy.spatial import ConvexHull

import exactcover as ec
from exactcover.geometry.bodies import SOLID, bodies_of
from exactcover.lattices import Lattice, get_lattice
from exactcover.studio.making import Mesh, cut_lines, solids
from exactcover.studio.making.solid_shapes import solid_of
from tests.helpers.cell_graphs import random_shape
from tests.helpers.examples import some
from tests.helpers.lattices_under_test import EVERY, name_of

MAKEABLE = [lattice for lattice in EVERY if lattice.dimension <= 3]
WITH_FACES = [one for one in MAKEABLE if bodies_of(one).kinds[0].sort == SOLID]
FLAT = [lattice for lattice in MAKEABLE if lattice.dimension <= 2]

CUBES = bodies_of(get_lattice("cubic"))


def read_back(path: Path) -> list[trimesh.Trimesh]:
    """The meshes in a file."""
    loaded = trimesh.load(path)
    return list(loaded.geometry.values()) if hasattr(loaded, "geometry") else [loaded]


def manifold(mesh: Mesh) -> manifold3d.Manifold:
    return manifold3d.Manifold(
        manifold3d.Mesh64(
            vert_properties=np.ascontiguousarray(mesh.points),
            tri_verts=mesh.triangles.astype(np.uint64),
        )
    )


# -- every lattice --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lattice", "seed"), some(product(MAKEABLE, range(4)), one_in=7), ids=name_of
)
def test_random_pieces_are_watertight_in_every_file(
    lattice: Lattice, seed: int, tmp_path: Path
) -> None:
    (part,) = made = solids([random_shape(lattice, 5, seed)], lattice=lattice)
    assert part.solids == 1
    for ending in ("stl", "3mf"):
        (file,) = made.save(tmp_path / f"piece.{ending}")
        (mesh,) = read_back(file)
        assert mesh.is_watertight
        assert mesh.is_winding_consistent
        assert mesh.volume == pytest.approx(part.volume, rel=1e-4)
    content = (tmp_path / "piece.stl").read_bytes()
    assert not content.startswith(b"solid")  # which would say that it is a text
    facets = np.frombuffer(content, "(3,)<f4, (3, 3)<f4, <u2", offset=84)
    across = np.cross(*np.moveaxis(np.diff(facets["f1"], axis=1), 1, 0))
    assert ((across * facets["f0"]).sum(axis=1) >= 0).all()


@pytest.mark.parametrize("lattice", WITH_FACES, ids=name_of)
@pytest.mark.parametrize("seed", some(range(3), one_in=3))
def test_without_gap_and_bevel_the_volume_is_that_of_the_cells(lattice: Lattice, seed: int) -> None:
    """The volume of a cell comes from the convex hull of its corners, by another package."""
    cells, bodies = random_shape(lattice, 3, seed), bodies_of(lattice)
    volume = solid_of(bodies, cells, 10, 0, 0).volume()
    hulls = [ConvexHull(bodies.in_space(bodies.body(cell).corners)) for cell in cells]
    assert volume == pytest.approx(1000 * sum(hull.volume for hull in hulls), rel=1e-6)


@pytest.mark.parametrize("lattice", FLAT, ids=name_of)
def test_a_tile_has_the_volume_of_its_area(lattice: Lattice) -> None:
    cells = random_shape(lattice, 5, 3)
    (part,) = solids([cells], lattice=lattice, thickness=3)
    (cut,) = cut_lines([cells], lattice=lattice).parts
    assert part.mesh.size[2] == pytest.approx(3)
    # Sides move inwards by 0.1 mm, and 0.5 mm are cut off the edges above and below.
    rest = cut.area - 0.1 * cut.length
    assert part.volume == pytest.approx(3 * rest - cut.length * 0.5**2, rel=0.02)


# -- by hand --------------------------------------------------------------------------------------


def bar(length: int, gap: float, bevel: float) -> float:
    """The volume of a row of cubes: a box, less a triangle along each edge.

    At each of the 8 corners the prisms of three edges overlap: b^3 counted by pairs, less the
    b^3 / 4 that all three have in common.
    """
    long, across = length - gap, 1 - gap
    edges = 4 * long + 8 * across
    return long * across**2 - edges * bevel**2 / 2 + 8 * (bevel**3 - bevel**3 / 4)


@pytest.mark.parametrize(("gap", "bevel"), [(0.1, 0.1), (0.1, 0), (0.05, 0.2)])
@pytest.mark.parametrize("length", [1, 2, 5])
def test_a_row_of_cubes_has_the_volume_computed_by_hand(
    length: int, gap: float, bevel: float
) -> None:
    cells = [(x, 0, 0) for x in range(length)]
    assert solid_of(CUBES, cells, 1, gap, bevel).volume() == pytest.approx(bar(length, gap, bevel))


def test_two_balls_are_two_balls_and_a_neck() -> None:
    """The neck is a cylinder of half the radius between two caps that lie inside the balls."""
    found = solid_of(bodies_of(get_lattice("fcc")), [(0, 0, 0), (1, 0, 0)], 2, 0, 0).volume()
    radius, neck = 1.0, 0.5
    flat = (radius**2 - neck**2) ** 0.5  # where the neck leaves a ball
    cap = pi * (radius - flat) ** 2 * (2 * radius + flat) / 3
    volume = 2 * 4 / 3 * pi - 2 * cap + pi * neck**2 * 2 * (radius - flat)
    assert found == pytest.approx(volume, rel=0.01)
    assert found < volume  # the balls have flat faces inside the round ones


# -- solutions ------------------------------------------------------------------------------------


APART = [
    *("somacube", "bcc/triples_2x2x2", "prism/diprisms_hexagon", "fcc/pyramid_20"),
    *("pentominoes_20x3", "octet-eighths/pairs_any_2x2x2", "tetrasticks_5x5_without_H"),
]


@pytest.mark.parametrize("puzzle", some(APART, one_in=3))
def test_pieces_of_a_solution_are_apart_by_the_gap(puzzle: str) -> None:
    solution, gap = ec.first(ec.read(puzzle)), 0.2
    assert solution is not None
    made = solids(solution)
    bodies = [manifold(part.mesh) for part in made]
    apart = [a.min_gap(b, 2 * gap) for a, b in combinations(bodies, 2)]
    assert min(apart) == pytest.approx(gap, rel=0.02)
    together = manifold3d.Manifold.batch_boolean(bodies, manifold3d.OpType.Add)
    assert together.volume() == pytest.approx(sum(part.volume for part in made), rel=1e-5)


def test_pieces_that_cross_cannot_lie_together() -> None:
    cross = ec.puzzle_of(
        [ec.Piece("A", [(0, 1, 0), (1, 1, 0)]), ec.Piece("B", [(1, 0, 1), (1, 1, 1)])],
        [(0, 1, 0), (1, 1, 0), (1, 0, 1), (1, 1, 1)],
        "sticks-square",
    )
    solution = ec.first(cross)
    with pytest.raises(ec.ExactCoverError, match="the pieces A and B cross in this solution"):
        solids(solution)
    with pytest.raises(ec.ExactCoverError, match="the pieces A and B cross in this solution"):
        cut_lines(solution)
    assert len(solids(cross)) == 2


# -- shipped puzzles, files -----------------------------------------------------------------------


def test_a_plate_has_all_copies_side_by_side(tmp_path: Path) -> None:
    puzzle = ec.read("fcc/pyramid_20")
    made = solids(puzzle)
    (file,) = made.save(tmp_path / "plate.3mf")
    scene = trimesh.load(file)
    assert sorted(scene.geometry) == ["I1", "I2", "R1", "R2"]
    boxes = [mesh.bounds[:, :2] for mesh in scene.geometry.values()]
    for (low, high), (other_low, other_high) in combinations(boxes, 2):
        assert (low > other_high + 4.9).any() or (other_low > high + 4.9).any()
    assert scene.bounds[0, 2] == pytest.approx(0, abs=1e-4)
    (stl,) = made.save(tmp_path / "plate.stl")
    assert read_back(stl)[0].volume == pytest.approx(
        sum(p.volume * p.copies for p in made), rel=1e-4
    )


def test_files_have_the_names_and_copies_of_the_pieces(tmp_path: Path) -> None:
    pieces = [
        ec.Piece("L/2", [(0, 0), (1, 0)], 3, 3),
        ec.Piece("l_2", [(0, 0)]),
        ec.Piece("many", [(0, 0), (0, 1)], 0, None),
    ]
    files = solids(pieces, lattice="square").save(tmp_path)
    assert [file.name for file in files] == ["L_2_x3.stl", "l_2~2.stl", "many.stl"]


# -- what cannot be made --------------------------------------------------------------------------


def test_cells_that_share_no_face_are_several_solids() -> None:
    (part,) = solids([[(0, 0, 0), (1, 1, 0), (2, 1, 0)]], lattice="cubic")
    assert part.solids == 2
    (tile,) = solids([[(0, 0), (1, 1)]], lattice="square")
    assert tile.solids == 2


@pytest.mark.parametrize(
    ("what", "wishes", "message"),
    [
        ("tetratesseracts", {}, "have 4 dimensions: no piece can be made of them"),
        ("tetracubes", {"thickness": 3}, "cells in space have one already"),
        ("tetracubes", {"width": 3}, "cubic cells are no bars"),
        (7, {}, "nothing can be made of 7"),
    ],
)
def test_what_cannot_be_made_is_told(what: object, wishes: dict[str, float], message: str) -> None:
    with pytest.raises(ec.ExactCoverError, match=message):
        solids(what, **wishes)


@pytest.mark.parametrize(("what", "unit"), [("ditrigs", 1000), ("tetrominoes", 0.1)])
def test_what_can_be_made_does_not_depend_on_the_unit(what: str, unit: float) -> None:
    """The surface of C was not closed with a unit of 700 or 1000 mm."""
    for part, same in zip(solids(what, unit=unit), solids(what), strict=True):
        assert part.mesh.closed
        assert part.volume / unit**3 == pytest.approx(same.volume / 20**3, rel=0.2)


def test_two_solids_that_share_an_edge_are_not_one_closed_surface() -> None:
    """Four triangles meet there, each direction of the edge is run through twice."""
    sides = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
    points = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, -1, 0), (0, 0, -1)], float)
    one = Mesh(points, np.array(sides))
    other = np.array([(0, 1, 4, 5)[number] for side in sides for number in side]).reshape(-1, 3)
    assert one.closed
    assert not Mesh(points, np.concatenate([one.triangles, other])).closed


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, make in (("manifold3d", solids), ("shapely", cut_lines)):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(ec.ExactCoverError, match=r"pip install 'exactcover-tilings\[make\]'"):
            make([[(0, 0)]], lattice="square")


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    made = solids([[(0, 0)]], lattice="square")
    with pytest.raises(ec.ExactCoverError, match=r"tile\.stl cannot be written: No such file"):
        made.save(tmp_path / "nowhere" / "tile.stl")
    (tmp_path / "taken").write_text("")
    with pytest.raises(ec.ExactCoverError, match="taken is no folder: File exists"):
        made.save(tmp_path / "taken")


def test_a_piece_may_have_a_cavity(tmp_path: Path) -> None:
    """Once the surface round the cavity was counted as a second solid."""
    middle = (1, 1, 1)
    hollow = [cell for cell in product(range(3), repeat=3) if cell != middle]
    made = solids([hollow], lattice="cubic", unit=10)
    (part,) = made
    assert part.solids == 1
    bevels = 12 * 29.8 * 0.25**2 / 2
    assert part.volume == pytest.approx(29.8**3 - 10.2**3 - bevels, rel=1e-3)
    (file,) = made.save(tmp_path / "hollow.stl")
    assert trimesh.load_mesh(file).volume == pytest.approx(part.volume, rel=1e-4)


def test_a_ring_may_touch_itself_along_an_edge() -> None:
    """Both edges have the same two ends; once they were joined crosswise, which added a corner."""
    ring = ["000", "001", "011", "100", "111", "200", "210", "211"]
    cells = [tuple(map(int, cell)) for cell in ring]
    (part,) = solids([cells], lattice="cubic")
    cube = 20**3
    assert part.solids == 1
    assert 7.6 * cube < part.volume < 8 * cube

"""BurrTools' grids as lattices of ours: where a voxel x y z of its block lies.

    0  cubes    every voxel
    1  prisms   triangles in rows y, pointing up and down in turn, stacked along z
    2  spheres  the voxels of a block whose coordinates have an even sum, or an odd one
    3  rhombic  a cube is 5x5x5 voxels; of these 24 are cells, the tetrahedra it is cut into
    4  octets   a cube is 3x3x3 voxels; the middle one and four corners are cells

Blocks begin with a whole cube, and a voxel stands for the tetrahedron whose middle it holds.

Which four corners are cells changes from a cube to the next; with which it begins, the guide of
BurrTools does not say, nor which triangles of grid 1 point up. So both readings are tried, and one
is taken if only in that one every voxel is a cell and every shape is in one piece, or if both make
the same puzzle. Pieces and results stand in blocks of their own, so it is of no account where a
grid of spheres begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from exactcover.geometry.shapes import is_connected
from exactcover.lattices import Cells, Lattice, get_lattice
from exactcover.lattices.octet import SIGNS
from exactcover.lattices.rhombic import KINDS

MAX_ASKED = 30_000
"""Up to this many voxels in all are tested for connection, and for mirror images."""

OVERHEAD = 25
"""A shape costs as much time as this many of its voxels."""

Voxels = npt.NDArray[np.int64]
"""int64 [n, 3]: x, y, z in a block."""

Reading = Callable[[Voxels], Cells]


@dataclass(eq=False)
class NoCell(Exception):
    """A voxel where the grid has no cell: where, why, and of which shape if that is known."""

    place: tuple[int, ...]
    why: str
    shape: int = 0


@dataclass(frozen=True)
class VoxelShape:
    """The voxels of a block that are not empty, and what each is marked with: state and colour."""

    name: str
    voxels: Voxels
    marks: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Grid:
    """A grid: its number, what it is called, the lattice, and how the cells of voxels are read.

    unknown  what a file leaves open where there are several readings
    """

    number: int
    title: str
    lattice_name: str
    readings: tuple[Reading, ...]
    unknown: str = ""

    @property
    def lattice(self) -> Lattice:
        return get_lattice(self.lattice_name)


def _cubes(voxels: Voxels) -> Cells:
    return voxels


def _prisms(voxels: Voxels, *, first: int = 0) -> Cells:
    x, y, z = voxels.T
    x = x + first
    kind = (x + y) % 2
    return np.stack([(x - y - kind) // 2, y, z, kind], axis=1)


def _spheres(voxels: Voxels) -> Cells:
    odd = voxels.sum(axis=1) % 2
    if len(odd) and odd.min() != odd.max():
        place = tuple(voxels[odd.argmax()].tolist())
        raise NoCell(place, "between others: x + y + z must be all even or all odd")
    x, y, z = voxels.T
    return _close_packed(np.stack([x + odd, y, z], axis=1))


def _close_packed(points: Voxels) -> Cells:
    """Points whose coordinates have an even sum, in those of `fcc` and of what is built on it."""
    x, y, z = points.T
    return np.stack([(x + y - z) // 2, (x + z - y) // 2, (y + z - x) // 2], axis=1)


# -- cubes cut up ---------------------------------------------------------------------------------

NONE = -1
"""No kind of cell."""


def _within_a_cube(side: int, kinds: dict[tuple[int, ...], int]) -> npt.NDArray[np.int64]:
    """The kind of cell of each of the side x side x side voxels of a cube."""
    table = np.full((side, side, side), NONE)
    for place, kind in kinds.items():
        table[place] = kind
    return table


RHOMBIC = _within_a_cube(
    5,
    {
        tuple(2 + 2 * a + b for a, b in zip(face, edge, strict=True)): kind
        for kind, (face, edge) in enumerate(KINDS.values())
    },
)
"""The middle of a tetrahedron is 3/8 of a cube towards the face and 1/4 towards the edge."""


def _rhombic(voxels: Voxels) -> Cells:
    cubes, places = np.divmod(voxels, 5)
    kinds = RHOMBIC[tuple(places.T)]
    _check(voxels, kinds != NONE, "where there is no cell: of a cube's 5x5x5 voxels 24 are cells")
    return np.column_stack([cubes, kinds])


EIGHTHS = _within_a_cube(
    3, {tuple(1 - sign for sign in signs): 2 + kind for kind, signs in enumerate(SIGNS)}
)
"""The corners of a cube, by the eighth that lies there; 0 and 1 are tetrahedra in the middle."""


def _octets(voxels: Voxels, *, first: int = 0) -> Cells:
    """The corners of cubes where octahedra have their middles have coordinates of an even sum."""
    cubes, places = np.divmod(voxels, 3)
    cubes[:, 0] += first
    middle = (places == 1).all(axis=1)
    kinds = np.where(middle, cubes.sum(axis=1) % 2, EIGHTHS[tuple(places.T)])
    _check(
        voxels,
        kinds != NONE,
        "where there is no cell: of a cube's 3x3x3 voxels the middle and four corners are cells",
    )
    points = cubes + np.where(middle, kinds, places.T // 2).T
    even = points.sum(axis=1) % 2 == 0
    _check(voxels, even, "where there is no cell beside the cells of other voxels")
    return np.column_stack([_close_packed(points), kinds])


def _check(voxels: Voxels, good: npt.NDArray[np.bool_], why: str) -> None:
    if not good.all():
        raise NoCell(tuple(voxels[good.argmin()].tolist()), why)


GRIDS = {
    grid.number: grid
    for grid in (
        Grid(0, "cubes", "cubic", (_cubes,)),
        Grid(
            1,
            "triangular prisms",
            "prism",
            (_prisms, partial(_prisms, first=1)),
            "which of the triangles point up",
        ),
        Grid(2, "spheres", "fcc", (_spheres,)),
        Grid(3, "rhombic tetrahedra", "rhombic", (_rhombic,)),
        Grid(
            4,
            "tetrahedra and octahedra",
            "octet-eighths",
            (_octets, partial(_octets, first=1)),
            "which way round the first tetrahedron lies",
        ),
    )
}


# -- which reading --------------------------------------------------------------------------------


def reading(grid: Grid, shapes: Sequence[VoxelShape]) -> Reading | None:
    """How the voxels of these shapes are to be read; None where the shapes leave it open."""
    if len(grid.readings) == 1:
        return grid.readings[0]
    lattice = grid.lattice
    possible, wrong = [], None
    for read in grid.readings:
        for number, shape in enumerate(shapes):
            try:
                read(shape.voxels)
            except NoCell as error:
                wrong = wrong or replace(error, shape=number)
                break
        else:
            possible.append(read)
    if not possible and wrong is not None:
        raise wrong
    if len(possible) == 1:
        return possible[0]
    small, room = [], MAX_ASKED
    for shape in shapes:
        room -= OVERHEAD + len(shape.voxels)
        if room >= 0:
            small.append(shape)
    whole = [read for read in possible if all(is_connected(lattice, read(s.voxels)) for s in small)]
    if len(whole) == 1:
        return whole[0]
    same = len(small) == len(shapes) and _make_the_same(lattice, possible, shapes)
    return possible[0] if same else None


def _make_the_same(
    lattice: Lattice, readings: Sequence[Reading], shapes: Sequence[VoxelShape]
) -> bool:
    """Whether two readings make the same shapes, or the second the mirror images of the first's."""
    one, other = readings
    proper = lattice.group.proper
    turns, mirrors = np.flatnonzero(proper), np.flatnonzero(~proper)
    forms = [_marked_form(lattice, one(shape.voxels), shape.marks, turns) for shape in shapes]
    return any(
        all(
            _marked_form(lattice, other(shape.voxels), shape.marks, motions) == form
            for shape, form in zip(shapes, forms, strict=True)
        )
        for motions in (turns, mirrors)
    )


def _marked_form(
    lattice: Lattice, cells: Cells, marks: npt.NDArray[np.int64], motions: npt.NDArray[np.int64]
) -> bytes:
    """Equal for marked cells that some of these motions take to the same, up to a translation."""
    if not len(cells):
        return b""
    forms = []
    for image in lattice.moved(cells, motions):
        lattice.vectors(image)[:] -= lattice.vectors(image).min(axis=0)
        marked = np.column_stack([image, marks])
        forms.append(marked[np.lexsort(marked.T)].tobytes())
    return min(forms)


def in_one_close_packed_plane(cells: Cells) -> bool:
    """Whether balls of the lattice `fcc` all lie in one plane of closest packing.

    Such a plane is one more symmetric than the lattice, so that a piece in it can be turned there
    by 60 degrees: into its mirror image, as far as the lattice can say. The planes are those where
    one of a, b, c or a + b + c does not change.
    """
    moved = np.column_stack([cells, cells.sum(axis=1)])
    return bool((np.ptp(moved, axis=0) == 0).any())

"""BurrTools' grids as lattices of ours: where a voxel x y z of its block lies.

    0  cubes    every voxel
    1  prisms   triangles in rows y, pointing up and down in turn, stacked along z; that of voxel
                0 0 0 points up
    2  spheres  the voxels of a block whose coordinates have an even sum, or an odd one
    3  rhombic  a cube is 5x5x5 voxels; of these 24 are cells, the tetrahedra it is cut into
    4  octets   a cube is 3x3x3 voxels; the middle one and four corners are cells: not 0 0 0 in the
                cube at the origin, and in turn from a cube to the next

Blocks begin with a whole cube, and a voxel stands for the tetrahedron whose middle it holds. The
guide of BurrTools leaves some of this open, its program does not. Pieces and results stand in
blocks of their own, so it is of no account where a grid of spheres begins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.lattices import Cells, Lattice, get_lattice
from exactcover.lattices.octet import SIGNS
from exactcover.lattices.rhombic import KINDS

Voxels = npt.NDArray[np.int64]
"""int64 [n, 3]: x, y, z in a block."""


@dataclass(eq=False)
class NoCell(Exception):
    """A voxel where the grid has no cell: where, and why."""

    place: tuple[int, ...]
    why: str


@dataclass(frozen=True)
class Grid:
    """A grid: its number, what it is called, the lattice, and how the cells of voxels are read."""

    number: int
    title: str
    lattice_name: str
    read: Callable[[Voxels], Cells]

    @property
    def lattice(self) -> Lattice:
        return get_lattice(self.lattice_name)


def _prisms(voxels: Voxels) -> Cells:
    x, y, z = voxels.T
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


def _octets(voxels: Voxels) -> Cells:
    """Octahedra have their middles at corners of cubes whose coordinates have an odd sum: an even
    one on our lattice, one cube on."""
    cubes, places = np.divmod(voxels, 3)
    cubes[:, 0] += 1
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
        Grid(0, "cubes", "cubic", lambda voxels: voxels),
        Grid(1, "triangular prisms", "prism", _prisms),
        Grid(2, "spheres", "fcc", _spheres),
        Grid(3, "rhombic tetrahedra", "rhombic", _rhombic),
        Grid(4, "tetrahedra and octahedra", "octet-eighths", _octets),
    )
}


def in_one_close_packed_plane(cells: Cells) -> bool:
    """Whether balls of the lattice `fcc` all lie in one plane of closest packing.

    Such a plane is one more symmetric than the lattice, so that a piece in it can be turned there
    by 60 degrees: into its mirror image, as far as the lattice can say. The planes are those where
    one of a, b, c or a + b + c does not change.
    """
    moved = np.column_stack([cells, cells.sum(axis=1)])
    return bool((np.ptp(moved, axis=0) == 0).any())

"""BurrTools' grids as lattices of ours: where a voxel x y z of its block lies.

    0  cubes    every voxel
    1  prisms   triangles in rows y, pointing up and down in turn, stacked along z
    2  spheres  the voxels of a block whose coordinates have an even sum, or an odd one

Pieces and results stand in blocks of their own, so it is of no account where a grid begins. Which
triangles of grid 1 point up is written down nowhere. So both readings are tried, and one is taken
if only in that one every shape is in one piece, or if both make the same puzzle.

Grids 3 and 4, of tetrahedra, are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.geometry.shapes import canonical_form, is_connected
from exactcover.lattices import Cells, Lattice, get_lattice

SMALL = 10_000
"""Blocks of more voxels are not asked whether they are in one piece."""

Voxels = npt.NDArray[np.int64]
"""int64 [n, 3]: x, y, z in a block."""


class NoCell(Exception):
    """A voxel where the grid has no cell; the argument says why."""


@dataclass(frozen=True)
class Grid:
    """A grid: its number, what it is called, the lattice, and how the cells of voxels are read."""

    number: int
    title: str
    lattice_name: str
    readings: tuple[Callable[[Voxels], Cells], ...]

    @property
    def lattice(self) -> Lattice:
        return get_lattice(self.lattice_name)


def _cubes(voxels: Voxels) -> Cells:
    return voxels


def _prisms(voxels: Voxels) -> Cells:
    x, y, z = voxels.T
    kind = (x + y) % 2
    return np.stack([(x - y - kind) // 2, y, z, kind], axis=1)


def _prisms_other_way_up(voxels: Voxels) -> Cells:
    return _prisms(voxels + np.array([1, 0, 0]))


def _spheres(voxels: Voxels) -> Cells:
    odd = voxels.sum(axis=1) % 2
    if len(odd) and odd.min() != odd.max():
        place = tuple(voxels[odd.argmax()].tolist())
        raise NoCell(f"a sphere at {place}, between others: x + y + z must be all even or all odd")
    x, y, z = voxels.T
    x = x + odd
    return np.stack([(x + y - z) // 2, (x + z - y) // 2, (y + z - x) // 2], axis=1)


GRIDS = {
    grid.number: grid
    for grid in (
        Grid(0, "cubes", "cubic", (_cubes,)),
        Grid(1, "triangular prisms", "prism", (_prisms, _prisms_other_way_up)),
        Grid(2, "spheres", "fcc", (_spheres,)),
    )
}

UNKNOWN = {
    3: "the rhombic grid is not read: there is no lattice of such tetrahedra here",
    4: "the grid of tetrahedra and octahedra is not read: how it numbers its cells is written down "
    "nowhere",
}
"""Grids that BurrTools has and this program has not, and why."""


def reading(grid: Grid, blocks: Sequence[Voxels]) -> Callable[[Voxels], Cells] | None:
    """How the voxels of these blocks are to be read; None where that cannot be told."""
    if len(grid.readings) == 1:
        return grid.readings[0]
    lattice = grid.lattice
    small = [block for block in blocks if 0 < len(block) <= SMALL]
    whole = [
        read for read in grid.readings if all(is_connected(lattice, read(block)) for block in small)
    ]
    if len(whole) == 1:
        return whole[0]
    if not whole or len(small) < len(blocks):
        return None
    first, second = ([read(block) for block in blocks] for read in whole)
    for mirrors in ([0], np.flatnonzero(~lattice.group.proper)[:1]):
        images = [lattice.moved(cells, mirrors)[0] for cells in second]
        if all(
            np.array_equal(
                canonical_form(lattice, one, reflections=False),
                canonical_form(lattice, other, reflections=False),
            )
            for one, other in zip(first, images, strict=True)
        ):
            return whole[0]
    return None


def in_one_close_packed_plane(cells: Cells) -> bool:
    """Whether balls of the lattice `fcc` all lie in one plane of closest packing.

    Such a plane is one more symmetric than the lattice, so that a piece in it can be turned there
    by 60 degrees: into its mirror image, as far as the lattice can say. The planes are those where
    one of a, b, c or a + b + c does not change.
    """
    moved = np.column_stack([cells, cells.sum(axis=1)])
    return bool((np.ptp(moved, axis=0) == 0).any())

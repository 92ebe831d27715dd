"""Pieces as solids for a printer.

    solids(puzzle, unit=20).save("parts")

Every lattice goes the same way: its cells become a solid in millimetres, cells in the plane by a
thickness; the solid becomes a mesh that is checked; meshes become files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from exactcover.base import file_name, numbered
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import POLYGON, SOLID, Bodies, bodies_of
from exactcover.lattices import Lattice
from exactcover.puzzle import Cell, Piece
from exactcover.show.subjects import check_length, copies_of, pieces_to_make
from exactcover.studio.making.flat_shapes import OVERLAP, check_width, flat_shape, grown, polygons
from exactcover.studio.making.meshes import (
    Mesh,
    lying_flat,
    mesh_of,
    solid_in,
    why_not,
    write_meshes,
)
from exactcover.studio.making.sheets import spots
from exactcover.studio.making.solid_shapes import has_edges, solid_of, solids_of, tile, volume_of

SPACING = 5.0
"""Millimetres between parts on one plate."""

UNIT = 20.0
"""Every piece is made with this unit, in millimetres, and scaled.

Tolerances are in millimetres, and 32 bits are too coarse for them in a piece of several metres."""

GAP = 0.2
"""Millimetres between two pieces that lie face to face, so that they slide; each gives half."""

BEVEL = UNIT / 40
"""The strip that is cut off both faces of every edge."""

NUDGES = (1.0, 1.001, 0.9987)
"""Faces of cuts may coincide by chance; then the gap and the bevel are changed by this little."""


@dataclass(frozen=True, eq=False)
class SolidPart:
    """One piece as a solid.

    name    its name; copies in a solution are numbered
    copies  how many of it are needed
    mesh    its surface, in millimetres
    solids  how many separate solids it is; more than 1 if its cells do not all share faces
    """

    name: str
    copies: int
    mesh: Mesh
    solids: int

    @property
    def volume(self) -> float:
        """Its volume in cubic millimetres."""
        return self.mesh.volume


@dataclass(frozen=True, eq=False)
class Solids:
    """Pieces as solids.

    parts     one for each piece
    in_place  they lie where a solution has them; otherwise each lies flat at the origin
    """

    parts: tuple[SolidPart, ...]
    in_place: bool

    def __iter__(self) -> Iterator[SolidPart]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    def __repr__(self) -> str:
        pieces = sum(part.copies for part in self.parts)
        volume = sum(part.copies * part.volume for part in self.parts) / 1000
        noun = "piece" if pieces == 1 else "pieces"
        return f"<Solids: {pieces} {noun}, {volume:.1f} cubic centimetres>"

    def save(self, path: str | Path) -> list[Path]:
        """Write them, and return the files.

        path  a file that ends with .stl or .3mf holds all copies of all pieces: side by side, or as
              the solution has them. A folder gets one STL file for each piece
        """
        path = Path(path)
        if path.suffix and not path.is_dir():
            return [write_meshes(path, self._together())]
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ExactCoverError(f"{path} is no folder: {error.strerror}") from None
        files, taken = [], set[str]()
        for part in self.parts:
            copies = f"_x{part.copies}" if part.copies > 1 else ""
            file = path / f"{file_name(part.name, taken)}{copies}.stl"
            files.append(write_meshes(file, [(part.name, part.mesh)]))
        return files

    def _together(self) -> list[tuple[str, Mesh]]:
        """All copies, each with a name of its own, side by side unless a solution places them."""
        if self.in_place:
            return [(part.name, part.mesh) for part in self.parts]
        copies = [part for part in self.parts for _ in range(part.copies)]
        names = numbered([part.name for part in copies])
        meshes = [part.mesh for part in copies]
        sizes = [(float(mesh.size[0]), float(mesh.size[1])) for mesh in meshes]
        return [
            (name, mesh.moved(np.array([spot.x, spot.y, 0.0]) - mesh.low))
            for name, mesh, spot in zip(names, meshes, spots(sizes, names, SPACING), strict=True)
        ]


def solids(
    what: object,
    *,
    lattice: Lattice | str | None = None,
    unit: float = 20.0,
    thickness: float | None = None,
    width: float | None = None,
) -> Solids:
    """Pieces as solids, to print them: STL and 3MF. Needs the extra `make`.

        >>> import exactcover as ec
        >>> from exactcover.studio.making import solids
        >>> made = solids(ec.read("somacube"), unit=20)
        >>> made
        <Solids: 7 pieces, 210.7 cubic centimetres>
        >>> made.save("soma.3mf")  # doctest: +SKIP
        [PosixPath('soma.3mf')]

    what       a puzzle; a solution, whose pieces stay in their places; a piece; the name of a set
               of pieces, such as "pentominoes"; a list of pieces or of shapes
    lattice    for pieces and shapes: a lattice, or its name. Default: None, that of the puzzle
               which they are taken from
    unit       millimetres of one unit of the lattice: the edge of a cube, a square or a triangle,
               the width of a hexagon, the diameter of a ball. Default: 20
    thickness  millimetres, of pieces in the plane. Default: None, a quarter of the unit
    width      millimetres, of the bars of sticks. Default: None, 0.3 of their length

    Pieces that lie face to face are 0.2 mm apart, or a twentieth of a small unit, and a fortieth of
    the unit is cut off every edge of cells with faces.

    Each piece is checked: its surface is closed, and it has the right volume. Raises
    `ExactCoverError` for what cannot be made, such as cells of four dimensions.
    """
    wanted = pieces_to_make(what, lattice)
    bodies = bodies_of(wanted.lattice)
    check_length("unit", unit, 0.1, 1000)
    if not bodies.solid:
        check_length("thickness", thickness, unit / 1000, 100 * unit, optional=True)
    elif thickness is not None:
        raise ExactCoverError("thickness: cells in space have one already, so leave it out")
    check_width(bodies, width, unit)
    scale = unit / UNIT
    deep = UNIT / 4 if thickness is None else thickness / scale
    parts = tuple(
        _part(bodies, piece, cells, scale, deep, width and width / scale, in_place=wanted.in_place)
        for piece, cells, _ in wanted.with_cells()
    )
    if wanted.in_place and not all(body.sort in (POLYGON, SOLID) for body in bodies.kinds):
        _check_apart(parts)
    return Solids(parts, wanted.in_place)


def _part(
    bodies: Bodies, piece: Piece, cells: tuple[Cell, ...], scale: float, thickness: float,
    width: float | None, *, in_place: bool,
) -> SolidPart:  # fmt: skip
    """One piece, checked; lengths are those before it is scaled."""
    most = np.inf
    if bodies.solid:
        count = solids_of(bodies, cells)
        if has_edges(bodies):
            most = volume_of(bodies, cells) * UNIT**3
    else:
        shape = flat_shape(bodies, cells, UNIT, width)
        count = len(polygons(grown(shape, -1e-4 * UNIT)))
    for nudge in NUDGES:
        gap, bevel = nudge * min(GAP / scale, UNIT / 20), nudge * BEVEL
        if bodies.solid:
            solid = solid_of(bodies, cells, UNIT, gap, bevel, width)
        else:
            flat = grown(shape, -gap / 2)
            solid, most = tile(flat, thickness, bevel), flat.area * thickness
        mesh = mesh_of(solid, scale)
        why = why_not(solid.scale([scale] * 3), mesh, count, most * scale**3)
        if why is None:
            mesh = mesh if in_place else lying_flat(mesh)
            return SolidPart(piece.name, copies_of(piece), mesh, count)
    raise ExactCoverError(f"piece {piece.name} cannot be made: {why}")


def _check_apart(parts: tuple[SolidPart, ...]) -> None:
    """Refuse pieces that take the same room: pieces of sticks may cross, where bars cannot."""
    made = [(part.name, solid_in(part.mesh.points, part.mesh.triangles)) for part in parts]
    for (one, solid), (other, second) in combinations(made, 2):
        if (solid ^ second).volume() > OVERLAP * min(solid.volume(), second.volume()):
            raise ExactCoverError(
                f"the pieces {one} and {other} cross in this solution, so they cannot lie in their "
                "places together; take a solution without crossings"
            )

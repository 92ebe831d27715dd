"""Pieces as solids for a printer, or for a program that shows meshes.

    solids(puzzle, unit=20).save("parts")

Every lattice goes the same way: its cells become a solid in millimetres, cells in the plane by a
thickness; the solid becomes a mesh that is checked; meshes become files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from exactcover.base.text.names import numbered
from exactcover.base.values.products import Floats, length, times
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import POLYGON, SOLID, Bodies, bodies_of
from exactcover.lattices.base import Lattice
from exactcover.puzzle import Cell, Piece
from exactcover.show.making.flat_shapes import OVERLAP, check_width, flat_shape, grown, polygons
from exactcover.show.making.meshes import (
    ENDINGS,
    Form,
    Mesh,
    file_names,
    lying_flat,
    mesh_of,
    solid_in,
    why_not,
    write_meshes,
)
from exactcover.show.making.sheets import spots
from exactcover.show.making.solid_shapes import has_edges, solid_of, solids_of, tile, volume_of
from exactcover.show.render.outlines import unhidden
from exactcover.show.render.palette import Tone, colour, shaded
from exactcover.show.render.picture import MARGIN, Picture
from exactcover.show.render.subjects import check_length, copies_of, pieces_to_make
from exactcover.show.render.svg import AUTO, Figure, Writer
from exactcover.show.render.svg import Path as Outline
from exactcover.show.render.tiles import EDGE_ON, VIEW, lit

SPACING = 5.0
"""Millimetres between parts on one plate."""

NUDGES = (1.0, 1.001, 0.9987)
"""Faces of cuts may coincide by chance; then the gap and the bevel are changed by this little."""

USUAL = 20.0
"""A piece that cannot be made in its own size is made with this unit, in millimetres, and scaled.

Tolerances are in millimetres, and 32 bits are too coarse for them in a piece of several metres."""

LONGEST = 560.0
"""Pixels of the longer side of a picture."""

SEAM = 0.7
"""The width of the line that closes the seam between two triangles, in pixels."""

MANY = 12_000
"""Above this number of triangles the covered ones are drawn, too."""


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

    title: str
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

    @property
    def picture(self) -> Picture:
        """All of them as in one file, seen along a diagonal."""
        return view_of([mesh for _, mesh in self._together()], self.title)

    def _repr_svg_(self) -> str:
        return self.picture.svg

    def save(self, path: str | Path, *, form: Form = "stl") -> list[Path]:
        """Write them, and return the files.

        path  a file that ends with .stl, .3mf, .obj or .glb holds all copies of all pieces: side by
              side, or as the solution has them. A folder gets one file for each piece
        form  the format of the files in a folder: "stl", "3mf", "obj" or "glb". Default: "stl"
        """
        path = Path(path)
        if path.suffix and not path.is_dir():
            return [write_meshes(path, self._together())]
        if f".{form}" not in ENDINGS:
            raise ExactCoverError(
                f"form={form!r}: it must be one of {', '.join(end[1:] for end in ENDINGS)}"
            )
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ExactCoverError(f"{path} is no folder: {error.strerror}") from None
        names = file_names([(part.name, part.copies) for part in self.parts])
        return [
            write_meshes(path / f"{name}.{form}", [(part.name, part.mesh)])
            for name, part in zip(names, self.parts, strict=True)
        ]

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
    gap: float = 0.2,
    bevel: float | None = None,
    thickness: float | None = None,
    width: float | None = None,
) -> Solids:
    """Pieces as solids, to print them: STL, 3MF, OBJ and GLB. Needs the extra `make`.

        >>> import exactcover as ec
        >>> made = ec.solids(ec.read("somacube"), unit=20)
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
    gap        millimetres between two pieces that lie face to face; each gives half. Default: 0.2
    bevel      millimetres that are cut off every edge, on each of its faces; balls and bars in
               space have none. Default: None, a fortieth of the unit
    thickness  millimetres, of pieces in the plane. Default: None, a quarter of the unit
    width      millimetres, of the bars of sticks. Default: None, 0.3 of their length

    Each piece is checked: its surface is closed, and it has the right volume. Raises
    `ExactCoverError` for what cannot be made, such as cells of four dimensions.
    """
    wanted = pieces_to_make(what, lattice)
    bodies = bodies_of(wanted.lattice)
    check_length("unit", unit, 0.1, 1000)
    check_length("gap", gap, 0, unit)
    if not bodies.solid:
        check_length("thickness", thickness, unit / 1000, 100 * unit, optional=True)
    elif thickness is not None:
        raise ExactCoverError("thickness: cells in space have one already, so leave it out")
    check_width(bodies, width, unit)
    check_length("bevel", bevel, 0, unit, optional=True)
    if bodies.solid and not has_edges(bodies):
        if bevel:
            raise ExactCoverError("bevel: balls and bars in space have no edges, so leave it out")
        bevel = 0.0
    bevel = unit / 40 if bevel is None else bevel
    thickness = unit / 4 if thickness is None else thickness
    parts = tuple(
        _part(bodies, piece, cells, unit, gap, bevel, thickness, width, in_place=wanted.in_place)
        for piece, cells, _ in wanted.with_cells()
    )
    if wanted.in_place and not all(body.sort in (POLYGON, SOLID) for body in bodies.kinds):
        _check_apart(parts)
    return Solids(wanted.title, parts, wanted.in_place)


def _part(
    bodies: Bodies, piece: Piece, cells: tuple[Cell, ...], unit: float, gap: float, bevel: float,
    thickness: float, width: float | None, *, in_place: bool,
) -> SolidPart:  # fmt: skip
    """One piece, checked."""
    reason: str | None = None
    for scale in dict.fromkeys((1.0, unit / USUAL)):
        lengths = (unit / scale, gap / scale, bevel / scale, thickness / scale)
        mesh, count, why = _made(bodies, cells, *lengths, width and width / scale, scale)
        if why is None:
            mesh = mesh if in_place else lying_flat(mesh)
            return SolidPart(piece.name, copies_of(piece), mesh, count)
        reason = reason or why
    if gap == 0:
        reason = f"{reason}; if it touches itself along an edge it needs a gap above 0"
    raise ExactCoverError(
        f"piece {piece.name} cannot be made: {reason}; try another gap, a smaller bevel or a "
        "larger unit"
    )


def _made(
    bodies: Bodies, cells: tuple[Cell, ...], unit: float, gap: float, bevel: float,
    thickness: float, width: float | None, scale: float,
) -> tuple[Mesh, int, str | None]:  # fmt: skip
    """The mesh of these cells, scaled; how many solids it is; and what is wrong with it."""
    most = np.inf
    if bodies.solid:
        count = solids_of(bodies, cells)
        if has_edges(bodies):
            most = volume_of(bodies, cells) * unit**3
    else:
        shape = flat_shape(bodies, cells, unit, width)
        count = len(polygons(grown(shape, -1e-4 * unit)))
    for nudge in NUDGES:
        if bodies.solid:
            solid = solid_of(bodies, cells, unit, gap * nudge, bevel * nudge, width)
        else:
            flat = grown(shape, -gap * nudge / 2)
            solid, most = tile(flat, thickness, bevel * nudge), flat.area * thickness
        mesh = mesh_of(solid, scale)
        reason = why_not(solid.scale([scale] * 3), mesh, count, most * scale**3)
        if reason is None:
            break
    return mesh, count, reason


def _check_apart(parts: tuple[SolidPart, ...]) -> None:
    """Refuse pieces that take the same room: pieces of sticks may cross, where bars cannot."""
    made = [(part.name, solid_in(part.mesh.points, part.mesh.triangles)) for part in parts]
    for (one, solid), (other, second) in combinations(made, 2):
        if (solid ^ second).volume() > OVERLAP * min(solid.volume(), second.volume()):
            raise ExactCoverError(
                f"the pieces {one} and {other} cross in this solution, so they cannot lie in their "
                "places together; take a solution without crossings"
            )


# -- a picture -------------------------------------------------------------------------------------


def view_of(meshes: Sequence[Mesh], title: str) -> Picture:
    """The meshes in space, each in a colour.

    Triangles are painted in the order of their middles, which is nearly right: they are small.
    Those that are covered are left out, unless there are very many.
    """
    faces: list[tuple[float, Floats, Tone]] = []
    for owner, mesh in enumerate(meshes):
        corners = times(mesh.points[mesh.triangles], VIEW)
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        sizes = length(normals)
        seen = normals[:, 2] > EDGE_ON * np.maximum(sizes, 1e-9)
        for triangle, normal in zip(corners[seen], normals[seen] / sizes[seen, None], strict=True):
            depth = float(triangle[:, 2].mean())
            faces.append((depth, triangle[:, :2] * [1, -1], shaded(colour(owner), lit(normal))))
    faces.sort(key=lambda face: face[0])
    loops = [tuple((float(x), float(y)) for x, y in loop) for _, loop, _ in faces]
    shown: Iterable[int] = range(len(faces))
    if len(faces) <= MANY:
        shown = unhidden([[(x, -y) for x, y in loop] for loop in loops], [True] * len(loops))
    shapes = [Outline((loops[at],), faces[at][2], faces[at][2], SEAM) for at in shown]
    figure = Figure.around(shapes, np.concatenate([loop for _, loop, _ in faces]))
    scale = LONGEST / max(figure.size)
    return Picture(*Writer(AUTO, scale).document(figure, MARGIN, title, ""))

"""The surfaces of parts: convex faces that are joined, triangles that are checked, and files.

A mesh needs exactly two faces at each edge. Two cells of one piece that touch only along an edge
have four there, and two that touch only at a corner share a point. So points are split: faces share
a point only if one gets from one to the other across edges, inside the same solid. Nothing is
measured for that but the angles round an edge with more than two faces.

STL keeps 32 bits of a coordinate and no numbers of points: a reader joins points that are equal. So
points are rounded to 32 bits here, joined, and triangles that have become lines are dropped. What
is left must be closed, each edge with one triangle on each of its sides, and have the volume of the
solid.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import pairwise
from math import atan2, pi
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
import numpy.typing as npt

from exactcover.base import Floats, dot, ending_of, length, times, write_bytes
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import Key, ring
from exactcover.show.packages import package
from exactcover.show.svg import plain
from exactcover.show.tiles import Face

FLAT = 1e-9
"""Two faces whose normals differ by less lie in one plane."""


class Side(NamedTuple):
    """One side of an edge: the face, and which of its edges."""

    face: int
    edge: int


@dataclass(frozen=True, eq=False)
class Surface:
    """Convex faces, joined.

    points   float64 [n, 3], in millimetres
    faces    corners by number, against the clock as seen from outside
    normals  float64 [faces, 3]
    twins    the side that each side of an edge is joined to
    """

    points: Floats
    faces: tuple[tuple[int, ...], ...]
    normals: Floats
    twins: Mapping[Side, Side]

    def ends(self, side: Side) -> tuple[int, int]:
        """The two points of an edge, in the order of its face."""
        corners = self.faces[side.face]
        return corners[side.edge], corners[(side.edge + 1) % len(corners)]

    def inwards(self, side: Side) -> Floats:
        """The unit vector in a face, across one of its edges and away from it."""
        a, b = (self.points[point] for point in self.ends(side))
        across = np.cross(self.normals[side.face], b - a)
        return np.asarray(across / length(across))

    def bend(self, side: Side) -> float:
        """How the two faces of an edge meet: above 0, as on a ridge; below, as in a valley."""
        other = self.normals[self.twins[side].face]
        if abs(float(dot(other, self.normals[side.face])) - 1) < FLAT:
            return 0.0
        return -float(dot(other, self.inwards(side)))

    def triangles(self) -> tuple[Floats, list[tuple[int, int, int]]]:
        """The faces cut into triangles, and the points of their corners.

        Where the solid touches itself along an edge both of whose ends are one point, each of the
        two edges gets a point of its own in its middle, so that they are different edges.
        """
        edges: dict[frozenset[int], list[Side]] = defaultdict(list)
        for side, twin in self.twins.items():
            if side < twin:
                edges[frozenset(self.ends(side))].append(side)
        points = list(self.points)
        middles: dict[Side, int] = {}
        for those in edges.values():
            for side in those if len(those) > 1 else ():
                middles[side] = middles[self.twins[side]] = len(points)
                points.append(self.points[list(self.ends(side))].mean(axis=0))
        found = []
        for number, face in enumerate(self.faces):
            loop: list[int] = []
            for edge, corner in enumerate(face):
                loop.append(corner)
                if (middle := middles.get(Side(number, edge))) is not None:
                    loop.append(middle)
            # From a middle, so that no triangle has its three corners on one line.
            start = next((place for place, point in enumerate(loop) if point not in face), 0)
            first, *others = loop[start:] + loop[:start]
            found += [(first, a, b) for a, b in pairwise(others)]
        return np.array(points), found


def joined(facets: Sequence[Face], places: Mapping[Key, Floats]) -> Surface:
    """The surface of these faces, which close up round one or several solids.

    places  where the corner of each name lies
    """
    from networkx.utils import UnionFind

    sides: dict[frozenset[Key], list[Side]] = defaultdict(list)
    for number, facet in enumerate(facets):
        for place, ends in enumerate(ring(facet.keys)):
            sides[frozenset(ends)].append(Side(number, place))
    twins: dict[Side, Side] = {}
    groups = UnionFind()
    for those in sides.values():
        for side, twin in _pairs(those, facets, places):
            twins[side], twins[twin] = twin, side
            count, others = len(facets[side.face].keys), len(facets[twin.face].keys)
            # The start of an edge is the end of its twin, and the other way round.
            groups.union((side.face, side.edge), (twin.face, (twin.edge + 1) % others))
            groups.union((side.face, (side.edge + 1) % count), (twin.face, twin.edge))
    numbers: dict[object, int] = {}
    points: list[Floats] = []
    faces = []
    for number, facet in enumerate(facets):
        face = []
        for place, name in enumerate(facet.keys):
            group = groups[number, place]
            if group not in numbers:
                numbers[group] = len(points)
                points.append(places[name])
            face.append(numbers[group])
        faces.append(tuple(face))
    normals = np.array([facet.normal for facet in facets])
    return Surface(np.array(points), tuple(faces), normals, twins)


def _pairs(
    sides: list[Side], facets: Sequence[Face], places: Mapping[Key, Floats]
) -> Iterable[tuple[Side, Side]]:
    """The sides of one edge in pairs; the solid lies between the two of a pair."""
    if len(sides) == 2:
        return [(sides[0], sides[1])]
    if len(sides) % 2:
        raise ExactCoverError(
            "the faces of the cells do not meet edge to edge, so they cannot be joined to a solid"
        )
    first = facets[sides[0].face]
    a, b = _ends(first, sides[0])
    along = (places[b] - places[a]) / length(places[b] - places[a])
    right = np.cross(first.normal, along)
    up = np.cross(along, right)

    def angle(side: Side) -> float:
        facet = facets[side.face]
        start, stop = _ends(facet, side)
        inwards = np.cross(facet.normal, places[stop] - places[start])
        return atan2(float(dot(inwards, up)), float(dot(inwards, right))) % (2 * pi)

    # Looking along the edge, the solid is clockwise of a face whose edge runs along, and against
    # the clock of one whose edge runs back.
    order = sorted(sides, key=lambda side: round(angle(side), 9) % round(2 * pi, 9))
    back = [_ends(facets[side.face], side)[0] != a for side in order]
    start = back.index(True)
    order, back = order[start:] + order[:start], back[start:] + back[:start]
    if back != [True, False] * (len(order) // 2):
        raise ExactCoverError("the faces of the cells overlap, so they cannot be joined to a solid")
    return list(zip(order[::2], order[1::2], strict=True))


def _ends(facet: Face, side: Side) -> tuple[Key, Key]:
    corners = facet.keys
    return corners[side.edge], corners[(side.edge + 1) % len(corners)]


# -- triangles -------------------------------------------------------------------------------------

CLOSE = 1e-4
"""The share by which the volume of the triangles may differ from that of the solid."""


@dataclass(frozen=True, eq=False)
class Mesh:
    """A closed surface of triangles.

    points     float64 [n, 3], in millimetres
    triangles  int64 [m, 3]: points by number, against the clock as seen from outside
    """

    points: Floats
    triangles: npt.NDArray[np.int64]

    @property
    def volume(self) -> float:
        """The volume inside, in cubic millimetres."""
        a, b, c = (self.points[self.triangles[:, place]] for place in range(3))
        return float(dot(a, np.cross(b, c)).sum() / 6)

    @property
    def low(self) -> Floats:
        """The least of each coordinate."""
        return np.asarray(self.points.min(axis=0))

    @property
    def size(self) -> Floats:
        """How large it is along each axis."""
        return np.asarray(self.points.max(axis=0) - self.low)

    def moved(self, by: Floats) -> Mesh:
        """The mesh moved."""
        return replace(self, points=self.points + by)

    def turned(self, matrix: Floats) -> Mesh:
        """The mesh turned: each point is multiplied by a rotation."""
        return replace(self, points=times(self.points, matrix.T))

    def settled(self) -> Mesh:
        """The mesh with its points rounded to 32 bits, and joined where they are equal then."""
        points, numbers = np.unique(self.points.astype(np.float32), axis=0, return_inverse=True)
        triangles = numbers.ravel()[self.triangles]
        a, b, c = triangles.T
        return Mesh(points.astype(np.float64), triangles[(a != b) & (b != c) & (c != a)])

    @property
    def closed(self) -> bool:
        """Whether each edge has two triangles, which run along it in opposite directions."""
        around = self.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
        count = len(self.points)
        there = around[:, 0] * count + around[:, 1]
        back = around[:, 1] * count + around[:, 0]
        return len(np.unique(there)) == len(there) and bool(
            np.array_equal(np.sort(there), np.sort(back))
        )


def mesh_of(solid: Any, scale: float = 1.0) -> Mesh:
    """The triangles of a Manifold, scaled, as a file can hold them."""
    given = solid.to_mesh64()
    return Mesh(given.vert_properties[:, :3] * scale, given.tri_verts.astype(np.int64)).settled()


def solid_in(points: Floats, triangles: npt.ArrayLike) -> Any:
    """The Manifold inside a closed surface of triangles."""
    m3 = package("manifold3d")
    numbers = np.ascontiguousarray(np.asarray(triangles).astype(np.uint64))
    return m3.Manifold(m3.Mesh64(np.ascontiguousarray(points), numbers))


def why_not(solid: Any, mesh: Mesh, solids: int, most: float) -> str | None:
    """The error in the triangles of a solid; None if there is none.

    solids  how many separate solids there should be
    most    the volume that it must not exceed
    """
    m3 = package("manifold3d")
    if solid.status() != m3.Error.NoError:
        return f"its surface is wrong: {solid.status()}"
    if solid.is_empty():
        return "nothing is left of it"
    # The surface round a cavity is a part of its own; it faces inwards, so its volume is negative.
    found = sum(part.volume() > 0 for part in solid.decompose())
    if found != solids:
        return f"it would be {found} solids, not {solids}"
    if not mesh.closed:
        return "its surface is not closed"
    if abs(mesh.volume / solid.volume() - 1) > CLOSE or solid.volume() > most * (1 + CLOSE):
        return f"its volume is wrong: {mesh.volume:.6g} cubic millimetres"
    return None


def lying_flat(mesh: Mesh) -> Mesh:
    """A mesh that lies on the largest face of its convex hull, with its middle over the origin."""
    m3 = package("manifold3d")
    hull = mesh_of(m3.Manifold.hull_points(mesh.points))
    a, b, c = (hull.points[hull.triangles[:, place]] for place in range(3))
    areas = np.cross(b - a, c - a)
    sizes = length(areas)
    keep = sizes > 0
    normals, sizes = areas[keep] / sizes[keep, None], sizes[keep]
    # Take the face that looks down most among equally large ones, to turn the mesh little.
    totals = np.array([sizes[dot(normals, normal) > 1 - 1e-6].sum() for normal in normals])
    best = int(np.lexsort((np.round(normals[:, 2], 6), -np.round(totals, 3)))[0])
    turned = mesh.turned(_downwards(normals[best]))
    turned = turned.turned(_straightened(turned))
    low, size = turned.low, turned.size
    return turned.moved(np.array([-low[0] - size[0] / 2, -low[1] - size[1] / 2, -low[2]]))


def _straightened(mesh: Mesh) -> Floats:
    """The rotation about the vertical that makes a rectangle round the mesh smallest."""
    shapely = package("shapely")
    flat = shapely.MultiPoint(mesh.points[:, :2])
    ring = np.array(shapely.minimum_rotated_rectangle(flat).exterior.coords)
    low, high = mesh.points[:, :2].min(axis=0), mesh.points[:, :2].max(axis=0)
    if shapely.Polygon(ring).area > 0.99 * float(np.prod(high - low)):
        return np.eye(3)
    along = ring[1] - ring[0]
    cosine, sine = along / length(along)
    return np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def _downwards(normal: Floats) -> Floats:
    """The rotation that takes a unit vector straight down by the shortest way."""
    x, y, z = normal.tolist()
    if z > 1 - 1e-9:
        return np.diag([1.0, -1.0, -1.0])
    skew = np.array([[0, 0, x], [0, 0, y], [-x, -y, 0]])
    return np.asarray(np.eye(3) + skew + times(skew, skew) / (1 - z))


# -- files -----------------------------------------------------------------------------------------


ENDINGS = (".stl", ".3mf")

_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
"""A triangle in binary STL: its normal, its corners, and two unused bytes."""


def write_meshes(path: Path, meshes: Sequence[tuple[str, Mesh]]) -> Path:
    """Write meshes, each with its name; in STL, which has no names, they are one."""
    ending = ending_of(path, ENDINGS)
    settled = [(name, mesh.settled()) for name, mesh in meshes]
    for name, mesh in settled:
        if not mesh.closed:
            raise ExactCoverError(f"{path}: the surface of {name} is not closed any more")
    stl = ending == ".stl"
    write_bytes(path, _stl([mesh for _, mesh in settled]) if stl else _three_mf(settled))
    return path


def _stl(meshes: Sequence[Mesh]) -> bytes:
    """The triangles of all meshes in binary STL."""
    corners = np.concatenate([mesh.points[mesh.triangles] for mesh in meshes])
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = length(across)[:, None]
    facets = np.zeros(len(corners), _FACET)
    facets["normal"] = np.divide(across, lengths, where=lengths > 0, out=np.zeros_like(across))
    facets["corners"] = corners
    return bytes(80) + len(facets).to_bytes(4, "little") + facets.tobytes()


_PARTS = {
    "[Content_Types].xml": """<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>
</Types>""",
    "_rels/.rels": """<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="model" Target="/3D/3dmodel.model"
 Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>
</Relationships>""",
    "3D/3dmodel.model": """<model unit="millimeter" xml:lang="en"
 xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">
<resources>
OBJECTS
</resources>
<build>
ITEMS
</build>
</model>""",
}  # fmt: skip
"""The files of which a 3MF file is an archive."""


def _three_mf(meshes: Sequence[tuple[str, Mesh]]) -> bytes:
    """A 3MF file with an object for each mesh; it has no date, so that equal pieces are equal."""
    objects = []
    for number, (name, mesh) in enumerate(meshes, 1):
        points = (f'<vertex x="{x:.9g}" y="{y:.9g}" z="{z:.9g}"/>' for x, y, z in mesh.points)
        corners = (f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in mesh.triangles)
        objects.append(
            f'<object id="{number}" type="model" name="{plain(name)}"><mesh><vertices>'
            f"{''.join(points)}</vertices><triangles>{''.join(corners)}</triangles></mesh></object>"
        )
    items = [f'<item objectid="{number}"/>' for number in range(1, len(meshes) + 1)]
    found = BytesIO()
    with ZipFile(found, "w", ZIP_DEFLATED) as archive:
        for name, text in _PARTS.items():
            text = text.replace("ITEMS", "".join(items)).replace("OBJECTS", "\n".join(objects))
            content = f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    return found.getvalue()

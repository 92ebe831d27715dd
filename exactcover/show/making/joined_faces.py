"""The surface of a part before it is made: convex faces that are joined at their edges.

A mesh needs exactly two faces at each edge. Two cells of one piece that touch only along an edge
have four there, and two that touch only at a corner share a point. So points are split: faces share
a point only if one gets from one to the other across edges, inside the same solid. Nothing is
measured for that but the angles round an edge with more than two faces.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, pi
from typing import NamedTuple

import numpy as np

from exactcover.base.values.products import Floats, dot, length
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import ring

FLAT = 1e-9
"""Two faces whose normals differ by less lie in one plane."""


class Facet(NamedTuple):
    """A convex face: names of its corners, against the clock from outside, and its normal."""

    corners: tuple[Hashable, ...]
    normal: Floats


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


def joined(facets: Sequence[Facet], places: Mapping[Hashable, Floats]) -> Surface:
    """The surface of these faces, which close up round one or several solids.

    places  where the corner of each name lies
    """
    from networkx.utils import UnionFind

    sides: dict[frozenset[Hashable], list[Side]] = defaultdict(list)
    for number, facet in enumerate(facets):
        for place, ends in enumerate(ring(facet.corners)):
            sides[frozenset(ends)].append(Side(number, place))
    twins: dict[Side, Side] = {}
    groups = UnionFind()
    for those in sides.values():
        for side, twin in _pairs(those, facets, places):
            twins[side], twins[twin] = twin, side
            count, others = len(facets[side.face].corners), len(facets[twin.face].corners)
            # The start of an edge is the end of its twin, and the other way round.
            groups.union((side.face, side.edge), (twin.face, (twin.edge + 1) % others))
            groups.union((side.face, (side.edge + 1) % count), (twin.face, twin.edge))
    numbers: dict[Hashable, int] = {}
    points: list[Floats] = []
    faces = []
    for number, facet in enumerate(facets):
        face = []
        for place, name in enumerate(facet.corners):
            group = groups[number, place]
            if group not in numbers:
                numbers[group] = len(points)
                points.append(places[name])
            face.append(numbers[group])
        faces.append(tuple(face))
    normals = np.array([facet.normal for facet in facets])
    return Surface(np.array(points), tuple(faces), normals, twins)


def _pairs(
    sides: list[Side], facets: Sequence[Facet], places: Mapping[Hashable, Floats]
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


def _ends(facet: Facet, side: Side) -> tuple[Hashable, Hashable]:
    corners = facet.corners
    return corners[side.edge], corners[(side.edge + 1) % len(corners)]

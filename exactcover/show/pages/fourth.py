"""Cells in four dimensions, to be turned there and projected by the page.

The surface of a piece in four dimensions is made of solids, the facets of its cells. A facet that
two of its cells share is inside. Two facets of the surface meet in a polygon, a ridge: that is to
four dimensions what an edge is to three. So the page draws the ridges of a piece, as glass, and
their edges; a ridge between two facets in one hyperplane is dropped, as flat edges are. Where a
piece goes on across the joint of a wrapped board, the edges of its facet are dashed.

All this holds for a cell that is a prism over a solid; others are drawn as balls.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm

import numpy as np

from exactcover.base.values.products import Floats, dot, length, times
from exactcover.geometry.bodies import SOLID, Bodies, Body, Key, moved, ring
from exactcover.puzzle import Cell
from exactcover.show.pages.contents import PageScene
from exactcover.show.pages.document import real, whole
from exactcover.show.render.parts import JOINT, NEAR, touching

DIMENSION = 4

FLAT = 1e-9

DASHES = 5
"""The number of dashes of a dashed edge."""

Loop = tuple[Key, ...]
Edge = frozenset[Key]


@dataclass(frozen=True)
class SolidSide:
    """A solid side of a cell: the polygons round it, and the direction in which it looks."""

    ridges: tuple[Loop, ...]
    normal: Floats

    @cached_property
    def corners(self) -> frozenset[Key]:
        return frozenset(corner for ridge in self.ridges for corner in ridge)


@dataclass
class FourthDimension:
    """The corners of all cells, and the ridges and edges of the parts of each scene.

    across   copies of cells across the joint of a wrapped board, with their numbers
    corners  the corners of ridges and the ends of lines, times the denominator
    """

    bodies: Bodies
    cells: Sequence[Cell]
    across: Sequence[tuple[int, Cell]] = ()
    corners: list[tuple[float, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        lattice, kinds = self.bodies.lattice, self.bodies.kinds
        self._basis = np.array(lattice.basis, float)
        self._numbers: dict[tuple[float, ...], int] = {}
        self.solid = all(body.sort == SOLID for body in kinds)
        outlines = [lattice.outlines[kind] for kind in lattice.kinds] if self.solid else []
        ends = [sorted({Fraction(corner[3]) for corner in corners}) for corners in outlines]
        below = (end.denominator for those in ends for end in those)
        self._denominator = lcm(self.bodies.denominator, *below)
        self._facets = [*map(self._facets_of, kinds, ends)]

    def data(self, scenes: Sequence[PageScene]) -> dict[str, object]:
        """The data for the page."""
        surfaces = [self._surfaces(scene) for scene in scenes] if self.solid else []
        centres = self._centres(self.cells)
        stubs, ends = self._stubs(centres)
        near = touching(centres, self.bodies.pitch)
        joints = [number for one, others in near for other in others for number in (one, other)]
        corners = np.array(self.corners, float).reshape(-1, DIMENSION)
        return {
            "corners": real(times(corners / self._denominator, self._basis)),
            "centres": real(centres),
            "joints": whole(joints),
            "stubs": whole(stubs),
            "ends": real(ends),
            "scenes": surfaces,
        }

    def _centres(self, cells: Sequence[Cell]) -> Floats:
        """Where cells lie: float64 [n, 4]."""
        return self.bodies.lattice.positions(np.array(cells, np.int64))

    def _stubs(self, centres: Floats) -> tuple[list[int], Floats]:
        """Pairs of a cell and one beside it across the joint, one number after the other; and
        where a copy of the other one lies."""
        if not self.across:
            return [], np.zeros((0, DIMENSION))
        beyond = self._centres([cell for _, cell in self.across])
        others = [JOINT - number for number, _ in self.across]
        pairs = np.argwhere(length(centres[:, None] - beyond[None]) < NEAR * self.bodies.pitch)
        numbers = [number for cell, copy in pairs.tolist() for number in (cell, others[copy])]
        return numbers, beyond[pairs[:, 1]]

    def _facets_of(self, body: Body, heights: Sequence[Fraction]) -> list[SolidSide]:
        """The facets of a cell that is a prism over this body, between these heights."""
        scale = self._denominator // self.bodies.denominator
        base = [tuple(x * scale for x in corner) for corner in body.corners]
        ends = [int(height * self._denominator) for height in heights]
        centre = np.mean([(*corner, end) for corner, end in product(base, ends)], axis=0)
        faces = [tuple(base[number] for number in side) for side in body.sides]
        found = [tuple((*corner, end) for corner in face) for face, end in product(faces, ends)]
        caps = [[ridge for ridge in found if ridge[0][3] == end] for end in ends]
        walls = []
        for face in faces:
            around = [tuple((*corner, end) for corner in face) for end in ends]
            around += [
                ((*a, ends[0]), (*b, ends[0]), (*b, ends[1]), (*a, ends[1])) for a, b in ring(face)
            ]
            walls.append(around)
        return [SolidSide(tuple(ridges), self._normal(ridges, centre)) for ridges in caps + walls]

    def _normal(self, ridges: Sequence[Loop], centre: Floats) -> Floats:
        """The direction in space in which a facet looks."""
        corners = np.array([corner for ridge in ridges for corner in ridge], float)
        spread = times(corners - corners[0], self._basis)
        normal = np.linalg.svd(spread)[2][-1]
        outward = float(dot(times(corners.mean(axis=0) - centre, self._basis), normal))
        return np.asarray(normal if outward > 0 else -normal)

    # -- surfaces ---------------------------------------------------------------------------------

    def _surfaces(self, scene: PageScene) -> dict[str, object]:
        """The ridges and edges of each part of a scene, and whose they are."""
        loops: list[int] = []
        sizes: list[int] = [0]
        ridge_owners: list[int] = []
        edges: list[int] = []
        edge_owners: list[int] = []
        for number, part in enumerate(scene.parts):
            cells = [
                c for c, owner in zip(self.cells, scene.owners, strict=True) if owner == number
            ]
            ridges = self.ridges(cells)
            for ridge in ridges:
                loops += [self._number(corner) for corner in ridge]
                sizes.append(len(ridge))
                ridge_owners.append(number)
            joints = self._joint_edges(cells, part.beyond)
            for edge in self.edges(ridges):
                ends = _dashes(edge) if edge in joints else sorted(edge)
                edges += [self._number(end) for end in ends]
                edge_owners += [number] * (len(ends) // 2)
        return {
            "starts": whole(np.cumsum(sizes)),
            "loops": whole(loops),
            "ridgeOwners": whole(ridge_owners),
            "edges": whole(edges),
            "edgeOwners": whole(edge_owners),
        }

    def _number(self, corner: tuple[float, ...]) -> int:
        if corner not in self._numbers:
            self._numbers[corner] = len(self.corners)
            self.corners.append(corner)
        return self._numbers[corner]

    def ridges(self, cells: Sequence[Cell]) -> list[Loop]:
        """The ridges of the surface of a piece that are not flat."""
        found: dict[frozenset[Key], list[SolidSide]] = defaultdict(list)
        for facet in self._facets_at(cells):
            found[facet.corners].append(facet)
        surface = [facets[0] for facets in found.values() if len(facets) == 1]
        meeting: dict[frozenset[Key], list[tuple[Loop, Floats]]] = defaultdict(list)
        for facet in surface:
            for ridge in facet.ridges:
                meeting[frozenset(ridge)].append((ridge, facet.normal))
        return [
            met[0][0]
            for met in meeting.values()
            if len(met) != 2 or abs(float(dot(met[0][1], met[1][1]))) < 1 - FLAT
        ]

    def _facets_at(self, cells: Iterable[Cell]) -> Iterator[SolidSide]:
        """The facets of cells."""
        for cell in cells:
            shift = tuple(x * self._denominator for x in cell[:DIMENSION])
            for facet in self._facets[self.bodies.kind(cell)]:
                ridges = tuple(tuple(moved(c, shift) for c in ridge) for ridge in facet.ridges)
                yield SolidSide(ridges, facet.normal)

    def _joint_edges(self, cells: Iterable[Cell], beyond: Iterable[Cell]) -> set[Edge]:
        """The edges of facets where a piece goes on across the joint of a wrapped board."""
        others = {facet.corners for facet in self._facets_at(beyond)}
        return {
            edge
            for facet in self._facets_at(cells if others else ())
            if facet.corners in others
            for ridge in facet.ridges
            for edge in map(frozenset, ring(ridge))
        }

    def edges(self, ridges: Sequence[Loop]) -> list[Edge]:
        """The edges of ridges that are not between two ridges in one plane."""

        def in_plane(met: Sequence[Loop]) -> bool:
            corners = np.array([corner for ridge in met for corner in ridge], float)
            return int(np.linalg.matrix_rank(corners - corners[0])) <= 2

        around: dict[Edge, list[Loop]] = defaultdict(list)
        for ridge in ridges:
            for edge in map(frozenset, ring(ridge)):
                around[edge].append(ridge)
        return [edge for edge, met in around.items() if len(met) != 2 or not in_plane(met)]


def _dashes(edge: Edge) -> list[tuple[float, ...]]:
    """The ends of the dashes of an edge, from one end to the other."""
    first, last = np.array(sorted(edge), float)
    shares = np.linspace(0.0, 1.0, 2 * DASHES)[:, None]
    return [tuple(end) for end in (first + shares * (last - first)).tolist()]

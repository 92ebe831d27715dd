"""Figures of cells in space, as one sees them from far away along a diagonal.

Faces between two filled cells are dropped, faces that look away or are covered are left out, and
the others are painted from the back to the front. A line is drawn where a piece ends or has an
edge, not between two of its faces in one plane. Balls and bars are painted in the order of their
middles, which is right for balls that do not intersect. Depths are whole numbers up to one last
division, so shapes at equal depth stay in the order of the parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, hypot, pi, sin

import numpy as np

from exactcover.render.bodies import BAR, SOLID, Bodies, Key, moved
from exactcover.render.hiding import Face, Polygon, area, middle, painted, uncovered
from exactcover.render.palette import EDGE, FAINT, Tone, shaded
from exactcover.render.parts import Part, bar_width, name_at, stubs
from exactcover.render.surfaces import Edge, OuterFace, flat_edges, joint_faces, outer_faces
from exactcover.render.svg import Disc, Figure, Label, Path, Shape
from exactcover.values.products import Floats, dot, length, times

_TURNED = np.array([[1, -1, 1], [1, 1, -1], [0, 2, 1]])
_LENGTHS = np.sqrt([2.0, 6.0, 3.0])
VIEW = _TURNED / _LENGTHS
"""Space to the coordinates of the viewer: right, up, towards the viewer. z goes up on paper."""

LIGHT = np.array([-0.35, 0.8, 0.5]) / length(np.array([-0.35, 0.8, 0.5]))
"""Where the light comes from, in the coordinates of the viewer."""

DARKEST = 0.62
"""The light on a face that is turned away from the light."""

EDGE_ON = 1e-6
"""A face whose normal is as near as this to the paper is not seen."""

NECK = 0.5
"""The radius of what joins two balls, as a share of theirs."""

SEAM = 1.2
"""The width of the line that closes the seam between two faces of one colour, in pixels."""

BRIGHTER = 0.02
"""By how much a bright face is preferred to a dark one as the place of a name."""

_ROUND = [(cos(number * pi / 12), sin(number * pi / 12)) for number in range(24)]
"""A disc as a polygon, as far as it is compared with others."""

Depth = tuple[float, int]
"""How far towards the viewer; and the rank at that depth."""


def in_view(bodies: Bodies, keys: Sequence[Key]) -> Floats:
    """Where corners lie in the coordinates of the viewer: float64 [n, 3]."""
    places = np.array(keys, np.int64) @ (bodies.steps @ _TURNED)
    return np.asarray(places / (bodies.fine * bodies.denominator * _LENGTHS))


def lit(normal: Floats) -> float:
    """How much light a face gets that looks in this direction of the viewer's coordinates."""
    return DARKEST + (1 - DARKEST) * max(0.0, float(dot(normal, LIGHT)))


def solid_figure(bodies: Bodies, parts: Sequence[Part]) -> Figure:
    """The parts in space; y downwards."""
    drawn = _Block(bodies, parts)
    shapes: list[Shape] = []
    if all(body.sort == SOLID for body in bodies.kinds):
        shapes += drawn.faces()
    else:
        in_order = [shape for _, shape in sorted(drawn.rounded(), key=lambda entry: entry[0])]
        outlines = [_silhouette(shape) for shape in in_order]
        # Only balls are said to cover: bars are narrow.
        balls = [isinstance(shape, Disc) for shape in in_order]
        seen = uncovered(outlines, balls, 1e-3 * bodies.pitch**2)
        shapes += [in_order[number] for number in seen]
    return Figure.around([*shapes, *drawn.labels()], drawn.extent())


class _Block:
    """Cells in space that are seen together."""

    def __init__(self, bodies: Bodies, parts: Sequence[Part]) -> None:
        self._bodies, self._parts = bodies, parts
        self._names: dict[int, tuple[float, Label]] = {}

    def extent(self) -> Floats:
        """Points on paper whose box holds all cells."""
        found = []
        for part in self._parts:
            for cell in part.cells:
                body = self._bodies.body(cell)
                if body.sort == SOLID:
                    found.append(in_view(self._bodies, self._bodies.corners(cell)))
                    continue
                (centre,) = in_view(self._bodies, [self._bodies.middle(cell)])
                reach = self._bodies.pitch / 2
                if body.sort == BAR:
                    ends = self._bodies.in_space(body.corners)
                    reach = 0.8 * float(length(ends[1] - ends[0]))
                found += [centre[None] - reach, centre[None] + reach]
            lines = stubs(self._bodies, part.cells, part.beyond)
            found += [times(line, VIEW) for *_, line in lines]
        points = np.concatenate(found)[:, :2]
        points[:, 1] *= -1
        return np.asarray(points)

    def labels(self) -> Iterator[Label]:
        """The name of each part, where most room is for it."""
        for _, label in self._names.values():
            yield label

    # -- solids -----------------------------------------------------------------------------------

    def faces(self) -> Iterator[Shape]:
        """The faces that are seen, from the back to the front."""
        exposed = outer_faces(self._bodies, [part.cells for part in self._parts])
        faces: list[Face] = []
        sides: list[tuple[OuterFace, Floats]] = []
        for face in exposed:
            corners, normal = in_view(self._bodies, face.keys), times(face.normal, VIEW)
            if face.two_sided and normal[2] < 0:
                face = face._replace(keys=face.keys[::-1])
                corners, normal = corners[::-1], -normal
            if normal[2] > EDGE_ON:
                faces.append(Face(corners, face.owner, len(sides)))
                sides.append((face, normal))
        inner, joints = flat_edges(exposed), self._joints()
        for seen in painted(faces):
            face, normal = sides[seen.face.number]
            part = self._parts[seen.face.owner]
            light = lit(normal)
            tone = shaded(part.tone, light)
            loop = tuple((x, -y) for x, y in seen.face.picture())
            if not part.whole:
                yield Path((loop,), tone, FAINT, 0.75, part.title)
                self._name(seen.face.owner, seen.clear, tone, light)
                continue
            # A line of its own colour closes the seam that two filled faces would show.
            yield Path((loop,), tone, tone, SEAM, part.title)
            edges = zip(face.edges(), loop, (*loop[1:], loop[0]), strict=True)
            drawn = [((face.owner, frozenset(edge)), (p, q)) for edge, p, q in edges]
            drawn = [(edge, line) for edge, line in drawn if edge not in inner]
            for dashed, width in ((False, 1.3), (True, 0.8)):
                lines = tuple(line for edge, line in drawn if (edge in joints) == dashed)
                if lines:
                    yield Path(lines, line=EDGE, width=width, closed=False, dashed=dashed)
            self._name(seen.face.owner, seen.clear, tone, light)

    def _joints(self) -> set[tuple[int, Edge]]:
        """The edges of faces where a piece goes on across the joint of a wrapped board."""
        return {
            (owner, frozenset(edge))
            for owner, part in enumerate(self._parts)
            for face in joint_faces(self._bodies, part.cells, part.beyond)
            for edge in zip(face, (*face[1:], face[0]), strict=True)
        }

    def _name(self, owner: int, clear: Polygon, tone: Tone, light: float) -> None:
        """Keep the place of a part's name, if no larger one is known."""
        part = self._parts[owner]
        size = area(clear) * (1 + BRIGHTER * light)
        if not part.label or size <= self._names.get(owner, (0.0,))[0]:
            return
        x, y = middle(clear)
        room = min(
            abs((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]))
            / (hypot(b[0] - a[0], b[1] - a[1]) or 1.0)
            for a, b in zip(clear, clear[1:] + clear[:1], strict=True)
            if a != b
        )
        self._names[owner] = size, name_at((x, -y), part.label, room, tone)

    # -- balls and bars ---------------------------------------------------------------------------

    def rounded(self) -> Iterator[tuple[Depth, Path | Disc]]:
        """Balls, what joins them, and bars, each with its depth and its rank at that depth."""
        pitch = self._bodies.pitch
        middles: list[Floats] = []
        owners: list[int] = []
        for owner, part in enumerate(self._parts):
            line = EDGE if part.whole else FAINT
            balls = []
            for cell in part.cells:
                body = self._bodies.body(cell)
                (place,) = in_view(self._bodies, [self._bodies.middle(cell)])
                middles.append(place)
                owners.append(owner)
                if body.sort == BAR:
                    corners = self._bodies.corners(cell)
                    (both,) = in_view(self._bodies, [moved(*corners)])
                    width = bar_width(self._bodies, body)
                    ends = in_view(self._bodies, corners)
                    yield from _bar(ends, width, part, line, (float(both[2]) / 2, 0))
                else:
                    balls.append(place)
                    at = float(place[0]), -float(place[1])
                    ball = Disc(at, pitch / 2, part.tone, line, part.title, glossy=part.whole)
                    yield (float(place[2]), 0), ball
            if part.whole:
                yield from _necks(np.array(balls), pitch, part)
            for *_, stub in stubs(self._bodies, part.cells, part.beyond):
                (ax, ay, az), (bx, by, bz) = times(stub, VIEW).tolist()
                loop = ((ax, -ay), (bx, -by))
                yield (min(az, bz), 1), Path((loop,), line=EDGE, closed=False, dashed=True)
        self._name_round(np.array(middles), owners)

    def _name_round(self, middles: Floats, owners: Sequence[int]) -> None:
        """Write the name of a part on the nearest of its balls whose middle can be seen."""
        for number in np.argsort(-middles[:, 2], kind="stable"):
            place, owner = middles[number], owners[number]
            away = length(middles[:, :2] - place[:2])
            covered = (away < 0.7 * self._bodies.pitch) & (middles[:, 2] > place[2] + EDGE_ON)
            part = self._parts[owner]
            if part.label and owner not in self._names and not covered.any():
                at = float(place[0]), -float(place[1])
                room = 0.6 * self._bodies.pitch / 2
                self._names[owner] = 0.0, name_at(at, part.label, room, part.tone)


def _silhouette(shape: Path | Disc) -> Polygon:
    """A ball or a bar as it is seen, as a polygon against the clock."""
    if isinstance(shape, Disc):
        (x, y), radius = shape.centre, shape.radius
        return [(x + radius * across, y + radius * up) for across, up in _ROUND]
    ((a, b),) = shape.loops
    first, second = np.array(a), np.array(b)
    along = second - first
    reach = 0.5 * shape.width * along / (length(along) or 1.0)
    side = np.array([-reach[1], reach[0]])
    corners = (
        first - reach - side,
        second + reach - side,
        second + reach + side,
        first - reach + side,
    )
    return [(float(x), float(y)) for x, y in corners]


def _necks(centres: Floats, pitch: float, part: Part) -> Iterator[tuple[Depth, Path]]:
    """What joins the balls of a piece that touch.

    It is painted before both balls, so only what lies beside them on paper is seen.
    """
    for number, a in enumerate(centres):
        gaps = length(centres[number + 1 :] - a)
        for b in centres[number + 1 :][gaps < 1.01 * pitch]:
            depth = float(min(a[2], b[2]))
            yield from _bar(np.stack([a, b]), NECK * pitch, part, EDGE, (depth, -2))


def _bar(
    ends: Floats, width: float, part: Part, line: Tone, depth: Depth
) -> Iterator[tuple[Depth, Path]]:
    """A bar between two points: a wide dark one, and its colour on it."""
    a, b = ((float(x), -float(y)) for x, y in ends[:, :2])
    yield depth, Path(((a, b),), None, line, 1.12 * width, closed=False, scaled=True)
    above = depth[0], depth[1] + 1
    tone = shaded(part.tone, 0.9)
    yield above, Path(((a, b),), None, tone, width, part.title, closed=False, scaled=True)

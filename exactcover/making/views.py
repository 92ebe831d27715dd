"""A picture of meshes, as one sees them from far away along a diagonal: what a file will hold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from exactcover.making.meshes import Mesh
from exactcover.render.hiding import Face, painted
from exactcover.render.isometric import VIEW, lit
from exactcover.render.palette import Tone, colour, shaded
from exactcover.render.picture import MARGIN, Picture
from exactcover.render.svg import AUTO, Figure, Path, Writer
from exactcover.values.products import length, times

LONGEST = 560.0
"""Pixels of the longer side of a picture."""

SEAM = 0.7
"""The width of the line that closes the seam between two triangles, in pixels."""

MOST = 12_000
"""Triangles that are sorted exactly; more are sorted by their middles, which is nearly right."""


def view_of(meshes: Sequence[Mesh], title: str) -> Picture:
    """The meshes in space, each in a colour."""
    faces: list[Face] = []
    tones: list[Tone] = []
    for owner, mesh in enumerate(meshes):
        corners = times(mesh.points[mesh.triangles], VIEW)
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        sizes = length(normals)
        seen = normals[:, 2] > 1e-6 * np.maximum(sizes, 1e-9)
        for triangle, normal in zip(corners[seen], normals[seen] / sizes[seen, None], strict=True):
            tones.append(shaded(colour(owner), lit(normal)))
            faces.append(Face(triangle, owner, len(faces)))
    if len(faces) <= MOST:
        order = [seen.face for seen in painted(faces)]
    else:
        order = sorted(faces, key=lambda face: float(face.corners[:, 2].mean()))
    shapes = []
    for face in order:
        tone = tones[face.number]
        loop = tuple((x, -y) for x, y in face.picture())
        shapes.append(Path((loop,), tone, tone, SEAM))
    points = np.concatenate([face.corners[:, :2] for face in faces]) * [1, -1]
    figure = Figure.around(shapes, points)
    scale = LONGEST / max(figure.size)
    return Picture(*Writer(AUTO, scale).document(figure, MARGIN, title, ""))

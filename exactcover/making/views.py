"""A picture of meshes in space, each in a colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from exactcover.making.meshes import Mesh
from exactcover.render.covering import unhidden
from exactcover.render.palette import Tone, colour, shaded
from exactcover.render.picture import MARGIN, Picture
from exactcover.render.svg import AUTO, Figure, Path, Writer
from exactcover.render.view import EDGE_ON, VIEW, lit
from exactcover.values.products import Floats, length, times

LONGEST = 560.0
"""Pixels of the longer side of a picture."""

SEAM = 0.7
"""The width of the line that closes the seam between two triangles, in pixels."""

MANY = 12_000
"""Of more triangles the covered ones are drawn, too."""


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
    shapes = [Path((loops[at],), faces[at][2], faces[at][2], SEAM) for at in shown]
    figure = Figure.around(shapes, np.concatenate([loop for _, loop, _ in faces]))
    scale = LONGEST / max(figure.size)
    return Picture(*Writer(AUTO, scale).document(figure, MARGIN, title, ""))

"""Truncated octahedra: body-centred cubic. Eight neighbours across hexagons, six across squares."""

from __future__ import annotations

from exactcover.lattices.base import Lattice, Motion

BCC = Lattice(
    name="bcc",
    polyform="polytruncated octahedron",
    dimension=3,
    # Quarter turn about z and third turn about (1, 1, 1), written in the basis below.
    rotations=(
        Motion(((0, 1, 0), (0, 1, -1), (-1, 1, 0))),
        Motion(((0, 0, 1), (1, 0, 0), (0, 1, 0))),
    ),
    reflections=(Motion(((0, 1, 0), (1, 0, 0), (0, 0, 1))),),
    neighbours=(((0, 0, 0), (1, 0, 0)), ((0, 0, 0), (1, 1, 0))),
    basis=((-0.5, 0.5, 0.5), (0.5, -0.5, 0.5), (0.5, 0.5, -0.5)),
    aliases=("body-centred-cubic", "truncated-octahedra"),
    summary="truncated octahedra",
)

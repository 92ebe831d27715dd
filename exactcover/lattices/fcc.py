"""Balls as greengrocers stack them: face-centred cubic, or rhombic dodecahedra.

The three unit vectors are edges of one tetrahedron, so a tetrahedral pile of side n is the cells
with x, y, z >= 0 and x + y + z < n. Each ball touches twelve others.
"""

from __future__ import annotations

from math import sqrt

from exactcover.lattices.base import Lattice, Motion

_H = sqrt(0.5)

FCC = Lattice(
    name="fcc",
    polyform="polysphere",
    dimension=3,
    # Quarter turn about z and third turn about (1, 1, 1), written in the basis below.
    rotations=(
        Motion(((0, 0, -1), (-1, 0, 0), (1, 1, 1))),
        Motion(((0, 1, 0), (0, 0, 1), (1, 0, 0))),
    ),
    reflections=(Motion(((0, 1, 0), (1, 0, 0), (0, 0, 1))),),
    neighbours=(((0, 0, 0), (1, 0, 0)),),
    corners=(((0, 0, 0), (1, 1, -1)),),
    basis=((_H, _H, 0.0), (_H, 0.0, _H), (0.0, _H, _H)),
    aliases=("sphere", "spheres", "face-centred-cubic", "rhombic-dodecahedra"),
    summary="close-packed balls (rhombic dodecahedra)",
)

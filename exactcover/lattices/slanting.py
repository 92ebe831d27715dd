"""Common parts of plane lattices of triangles and hexagons: unit vectors 60 degrees apart.

One polygon serves triangles and hexagons. Triangles lie between the grid lines, hexagons on the
grid points: a row of n hexagons is n - 1 steps long.
"""

from __future__ import annotations

from math import sqrt

from exactcover.lattices.family import Family
from exactcover.lattices.motions import Motion

PLANE = ((1.0, 0.0), (0.5, sqrt(3) / 2))
"""Two unit vectors 60 degrees apart: the basis of every lattice of triangles and hexagons."""

SIXTH_TURN = Motion(((0, -1), (1, 1)))
MIRROR = Motion(((0, 1), (1, 0)))

POLYGONS = (
    Family(
        "triangle",
        ("n",),
        "a triangle of side n",
        ("0..n", "0..n"),
        "x >= 0 and y >= 0 and x + y <= n",
    ),
    Family(
        "inverted-triangle",
        ("n",),
        "a triangle of side n, point down",
        ("0..n", "0..n"),
        "x <= n and y <= n and x + y >= n",
    ),
    Family(
        "hexagon",
        ("n",),
        "a regular hexagon of side n",
        ("-n..n", "-n..n"),
        "abs(x) <= n and abs(y) <= n and abs(x + y) <= n",
    ),
    Family(
        "hexagon",
        ("a", "b", "c"),  # opposite sides are equal; a is the bottom, and so on against the clock
        "a hexagon of sides a b c a b c",
        ("0..a + c", "0..b + c"),
        "0 <= x <= a + c and 0 <= y <= b + c and c <= x + y <= a + b + c",
    ),
    Family(
        "truncated-triangle",
        ("long", "short"),
        "a hexagon of sides long and short in turn",
        ("0..long + 2 * short", "0..long + 2 * short"),
        "0 <= x <= long + short and 0 <= y <= long + short and short <= x + y <= long + 2 * short",
    ),
    Family(
        "parallelogram",
        ("a", "b"),
        "a parallelogram of sides a and b",
        ("0..a", "0..b"),
        "0 <= x <= a and 0 <= y <= b",
        sides=(("a", "0"), ("0", "b")),
    ),
    Family(
        "rhombus",
        ("n",),
        "a rhombus of side n",
        ("0..n", "0..n"),
        "0 <= x <= n and 0 <= y <= n",
        sides=(("n", "0"), ("0", "n")),
    ),
    Family(
        "trapezoid",
        ("bottom", "height"),
        "a triangle without its tip",
        ("0..bottom", "0..height"),
        "x >= 0 and 0 <= y <= height and x + y <= bottom",
        needs="height <= bottom",
    ),
    Family(
        "star",
        ("n",),
        "a six-pointed star: a hexagon of side n with six triangles",
        ("-2 * n..2 * n", "-2 * n..2 * n"),
        "(x >= -n and y >= -n and x + y <= n) or (x <= n and y <= n and x + y >= -n)",
    ),
)

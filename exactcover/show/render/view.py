"""How cells in space are seen: from far away along a diagonal, with light from the upper left."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from exactcover.base.values.products import Floats, dot, length
from exactcover.show.render.bodies import Bodies, Key

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


def in_view(bodies: Bodies, keys: Sequence[Key]) -> Floats:
    """Where corners lie in the coordinates of the viewer: float64 [n, 3].

    Sums of whole numbers are divided at the end, so equal depths are equal.
    """
    places = np.array(keys, np.int64) @ (bodies.steps @ _TURNED)
    return np.asarray(places / (bodies.fine * bodies.denominator * _LENGTHS))


def lit(normal: Floats) -> float:
    """How much light a face gets that looks in this direction of the viewer's coordinates."""
    return min(1.0, DARKEST + (1 - DARKEST) * max(0.0, float(dot(normal, LIGHT))))

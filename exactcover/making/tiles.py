"""Flat pieces as solids: polygons with a thickness."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from exactcover.making.extra import package
from exactcover.making.flat import polygons
from exactcover.making.surface import Facet, joined
from exactcover.making.trimming import cut_back
from exactcover.values.products import Floats, length


def tile(shape: Any, thickness: float, bevel: float) -> Any:
    """The solid over a polygon, or over several: a Manifold."""
    m3 = package("manifold3d")
    none = np.zeros((0, 3))
    return m3.Manifold.compose(
        [cut_back(joined(*_facets(part, thickness)), none, 0.0, bevel) for part in polygons(shape)]
    )


def _facets(polygon: Any, thickness: float) -> tuple[list[Facet], dict[Hashable, Floats]]:
    """The faces of a prism over a polygon with holes, and where their corners lie."""
    m3, shapely = package("manifold3d"), package("shapely")
    polygon = shapely.geometry.polygon.orient(shapely.simplify(polygon, 1e-6))
    loops = [np.array(ring.coords)[:-1] for ring in (polygon.exterior, *polygon.interiors)]
    points = np.concatenate(loops)
    places: dict[Hashable, Floats] = {
        (number, top): np.array([*point, top * thickness])
        for number, point in enumerate(points)
        for top in (0, 1)
    }
    up = np.array([0.0, 0.0, 1.0])
    facets = []
    for a, b, c in m3.triangulate(loops).tolist():
        facets.append(Facet(((a, 1), (b, 1), (c, 1)), up))
        facets.append(Facet(((c, 0), (b, 0), (a, 0)), -up))
    first = 0
    for loop in loops:
        count = len(loop)
        for place in range(count):
            a, b = first + place, first + (place + 1) % count
            along = points[b] - points[a]
            out = np.array([along[1], -along[0], 0.0]) / length(along)
            facets.append(Facet(((a, 0), (b, 0), (b, 1), (a, 1)), out))
        first += count
    return facets, places

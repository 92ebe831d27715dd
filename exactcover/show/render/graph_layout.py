"""Where the nodes of a graph lie on paper: distances on paper are like those in the graph.

Each connected part is laid out by its stress, which a descent with momentum makes small (Nesterov,
1983), from a start by pivots (Brandes and Pich, 2007). This needs numpy alone; the layouts of
networkx that keep distances, and its springs for more than 500 nodes, need scipy. The start takes
eigenvectors by repeated multiplication from fixed numbers. No step uses BLAS, whose last digits
depend on the processor and would turn symmetric graphs, so a graph has the same layout everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import atan2, cos, sin, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from exactcover.base.values.products import Floats, dot, length, times

if TYPE_CHECKING:
    import networkx

Place = tuple[float, float]

PIVOTS = 60
MOST_STEPS = 300
CLOSE = 1e-5
"""The layout ends when a step lowers the stress by a smaller share."""

IN_FULL = 3000
"""A larger part is laid out by pivots alone: all distances would take too much memory."""

LEAST = 0.62
"""Nodes that lie nearer together, in lengths of an edge, are pushed apart."""

PUSHES = 150

MARGIN = 0.9
"""The room round a part, in lengths of an edge."""

WIDE = 1.5
"""How much wider than high the whole is to be."""

SEED = 7


def layout(graph: networkx.Graph[Any]) -> dict[Hashable, Place]:
    """A place for each node, y downwards; joined nodes lie at a distance of about 1.

    The connected parts lie in rows, the largest first, single nodes below.
    """
    import networkx

    order = {node: number for number, node in enumerate(graph)}
    parts = [sorted(part, key=order.__getitem__) for part in networkx.connected_components(graph)]
    parts.sort(key=lambda part: (-len(part), order[part[0]]))
    laid = [_laid_out(graph, part) for part in parts]
    return {
        node: (float(x), float(y))
        for part, places in zip(parts, _in_rows(laid), strict=True)
        for node, (x, y) in zip(part, places, strict=True)
    }


def layout_of_groups(
    graph: networkx.Graph[Any], groups: Sequence[Sequence[Hashable]]
) -> tuple[dict[Hashable, Place], list[tuple[Place, float]]]:
    """A place for each node, the nodes of a group within a circle; the circles lie apart.

    Groups lie as the graph of groups is laid out. The circles are given by centre and radius.
    """
    import networkx

    number = {node: at for at, group in enumerate(groups) for node in group}
    links: networkx.Graph[Any] = networkx.Graph()
    links.add_nodes_from(range(len(groups)))
    links.add_edges_from((number[a], number[b]) for a, b in graph.edges if number[a] != number[b])
    inner = [np.array([*layout(graph.subgraph(group)).values()]) for group in groups]
    inner = [places - (places.max(axis=0) + places.min(axis=0)) / 2 for places in inner]
    radii = np.array([float(length(places).max()) + MARGIN for places in inner])
    middles = layout(links)
    start = np.array([middles[at] for at in range(len(groups))]) * 2 * radii.mean()
    least = radii[:, None] + radii[None] + MARGIN
    centres = _pushed_apart(start, least, 0.5, 4 * PUSHES, pulled=2 * PUSHES)
    places = {
        node: (float(x), float(y))
        for group, own, centre in zip(groups, inner, centres, strict=True)
        for node, (x, y) in zip(graph.subgraph(group), own + centre, strict=True)
    }
    return places, [
        ((float(x), float(y)), float(radius)) for (x, y), radius in zip(centres, radii, strict=True)
    ]


def _laid_out(graph: networkx.Graph[Any], part: Sequence[Hashable]) -> Floats:
    """The places of a connected part: float64 [n, 2], the longer side across."""
    if len(part) == 1:
        return np.zeros((1, 2))
    from networkx import single_source_shortest_path_length

    def steps_from(start: int) -> Floats:
        """How many edges each node is away from one."""
        away = single_source_shortest_path_length(graph, part[start])
        return np.array([away[node] for node in part], float)

    places = _by_pivots(len(part), steps_from)
    if len(part) <= IN_FULL:
        places = _with_less_stress(places, np.array([*map(steps_from, range(len(part)))]))
        places = _pushed_apart(places, np.array(LEAST), 0.4, PUSHES)
    centred = places - places.mean(axis=0)
    (xx, xy), (_, yy) = times(centred.T, centred)
    angle = 0.5 * atan2(2 * xy, xx - yy)  # the places spread most across the page
    return times(centred, np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]]))


def _by_pivots(n: int, steps_from: Callable[[int], Floats]) -> Floats:
    """Places by the distances from a few nodes far apart from each other."""
    pivots, columns = [0], [steps_from(0)]
    nearest = columns[0].copy()
    for _ in range(min(PIVOTS, n) - 1):
        pivots.append(int(nearest.argmax()))
        columns.append(steps_from(pivots[-1]))
        nearest = np.minimum(nearest, columns[-1])
    squares = np.array(columns).T ** 2
    centred = squares - squares.mean(0) - squares.mean(1)[:, None] + squares.mean()
    random = np.random.default_rng(SEED)
    axes = random.normal(size=(centred.shape[1], 2))
    for _ in range(100):
        first, second = times(centred.T, times(centred, axes)).T
        first = first / length(first)
        for _ in range(2):  # the second time for what rounding has left
            second = second - dot(first, second) * first
        axes = np.stack([first, second / max(float(length(second)), 1e-300)], axis=1)
    places = times(centred, axes)
    gaps = np.sqrt(((places[:, None] - places[pivots][None]) ** 2).sum(axis=2))
    steps = np.array(columns).T
    places = places * ((gaps * steps).sum() / max((gaps**2).sum(), 1e-12))
    return np.asarray(places + random.normal(scale=0.02, size=places.shape))


def _with_less_stress(places: Floats, distances: Floats) -> Floats:
    """Places whose distances are most like the given ones, near pairs counting most.

    A node moves as far as lowers the stress in any case: the slope by twice the sum of its weights
    bounds the stress from above. Momentum makes this quick; a step that is worse drops it.
    """
    weights = 1 / (distances + np.eye(len(places))) ** 2
    np.fill_diagonal(weights, 0)
    pulls, total = weights * distances, weights.sum(axis=1)[:, None]
    last, before, pace = np.inf, places, 1.0
    for _ in range(MOST_STEPS):
        apart = places[:, None] - places[None]
        gaps = length(apart)
        stress = float((weights * (gaps - distances) ** 2).sum())
        if pace > 1 and stress > last:
            places, last, pace = before, np.inf, 1.0
            continue
        if last - stress < CLOSE * stress:
            break
        slopes = ((weights - pulls / np.maximum(gaps, 1e-9))[:, :, None] * apart).sum(axis=1)
        after, faster = places - slopes / (2 * total), (1 + sqrt(1 + 4 * pace**2)) / 2
        places = after + (pace - 1) / faster * (after - before)
        last, before, pace = stress, after, faster
    return before


def _pushed_apart(
    places: Floats, least: Floats, share: float, steps: int, *, pulled: int = 0
) -> Floats:
    """Places that are nearer than `least` pushed apart, little by little.

    share   of what is missing that a push makes up for
    pulled  in the first steps the places are drawn together, too
    """
    for step in range(steps):
        pull = 0.02 * (step < pulled)
        places = places - pull * (places - places.mean(axis=0))
        gaps = places[:, None] - places[None]
        away = length(gaps)
        np.fill_diagonal(away, np.inf)
        short = np.maximum(least - away, 0)
        if not pull and not short.any():
            break
        places = places + share * (gaps * (short / np.maximum(away, 1e-6))[:, :, None]).sum(axis=1)
    return places


def _in_rows(parts: Sequence[Floats]) -> list[Floats]:
    """The parts, moved so that they lie in rows."""
    boxes = [part.max(axis=0) - part.min(axis=0) + MARGIN for part in parts]
    area = sum(float(box.prod()) for box in boxes)
    room = max([sqrt(WIDE * area), *(float(box[0]) for box in boxes)])
    placed, x, y, high = [], 0.0, 0.0, 0.0
    for part, (width, height) in zip(parts, boxes, strict=True):
        if x and x + width > room + 1e-9:
            x, y, high = 0.0, y + high, 0.0
        middle = np.array([x + width / 2, y + height / 2])
        placed.append(part - (part.max(axis=0) + part.min(axis=0)) / 2 + middle)
        x, high = x + width, max(high, height)
    return placed

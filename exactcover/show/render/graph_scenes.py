"""Pictures of graphs: the pieces of a solution that touch, and solutions that are alike.

The drawing is read from the attributes of the graph, so this module needs nothing of the room
that makes graphs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from math import hypot, log2
from typing import TYPE_CHECKING, Any

import numpy as np

from exactcover.base.values.products import Floats
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import bodies_of
from exactcover.lattices import get_lattice
from exactcover.lattices.base import Lattice
from exactcover.search.result import Solution
from exactcover.show.graphs import PIECES
from exactcover.show.render.board import figure_of
from exactcover.show.render.graph_layout import Place, layout, layout_of_groups
from exactcover.show.render.palette import (
    EDGE,
    EMPTY,
    FAINT,
    GROUND,
    INK,
    PALETTE,
    Tone,
    colour,
    mixed,
)
from exactcover.show.render.parts import Patch, middle_cell, name_at, tones_of
from exactcover.show.render.picture import Scene, Wishes, puzzle_of, scene_of
from exactcover.show.render.svg import Disc, Figure, Label, Path, Point, Shape, in_grid

if TYPE_CHECKING:
    import networkx

AS_PICTURES = 48
"""Up to this many solutions are drawn as small pictures, more as dots."""

MOST_NODES = 5000
"""A picture of more nodes would show nothing."""

GROUPED = 100
"""A connected part of more dots is drawn by its groups, which have most lines within themselves."""

NUMBERED = 400
"""Dots of up to this many solutions have numbers."""

PALE = 0.55
"""How much paler a solution is below the graph of its pieces."""

FADED = 0.75
"""How much paler a solution is that has hardly any similar ones."""

STRETCHES = (1.0, 1.15, 1.3, 1.5)
"""How much farther apart solutions may lie, so that lines are seen beside their labels."""

HIDDEN = 0.3
"""A line of which less than this is seen beside its label has none; in distances of cells."""

SPACE = 2.6
"""The length of an edge between dots, in their diameters."""


def graph_scene(graph: networkx.Graph[Any], wishes: Wishes) -> Scene:
    """The scene of a picture of a graph."""
    if not len(graph):
        raise ExactCoverError("the graph is empty: there is nothing to draw")
    if graph.graph["of"] == PIECES:
        return _of_pieces(graph, wishes)
    if len(graph) > MOST_NODES:
        raise ExactCoverError(
            f"{len(graph):,} nodes are too many for a picture: up to {MOST_NODES:,}; "
            "save_graph writes GraphML, which yEd shows"
        )
    return _of_solutions(graph, wishes)


def node_tones(graph: networkx.Graph[Any]) -> dict[Hashable, Tone]:
    """The colours of nodes: of pieces, their own; of solutions, one for each large cluster.

    A solution with few similar ones is paler.
    """
    if graph.graph["of"] == PIECES:
        solution: Solution = graph.graph["solution"]
        own = tones_of(puzzle_of(solution), solution.placements)
        return dict(zip(graph, own, strict=True))
    most = max(dict(graph.degree).values(), default=0)
    tones: dict[Hashable, Tone] = {}
    for node, cluster in graph.nodes(data="cluster"):
        tone = PALETTE[cluster - 1] if cluster <= len(PALETTE) else FAINT
        few = 1 - len(graph[node]) / max(most, 1)
        tones[node] = mixed(tone, GROUND, FADED * few) if graph[node] else EMPTY
    return tones


# -- pieces that touch ----------------------------------------------------------------------------


def _of_pieces(graph: networkx.Graph[Any], wishes: Wishes) -> Scene:
    """In the plane the graph lies on the solution; in space it stands beside it."""
    solution: Solution = graph.graph["solution"]
    scene = scene_of(solution, None, None, replace(wishes, names=False))
    bodies, pitch = bodies_of(scene.lattice), bodies_of(scene.lattice).pitch
    tones = node_tones(graph)
    if bodies.solid:
        places = {
            node: (2.4 * pitch * x, 2.4 * pitch * y) for node, (x, y) in layout(graph).items()
        }
        beside = _around(_drawn(graph, places, tones, 0.5 * pitch, wishes), places, 0.6 * pitch)
        own = scene_of(solution, None, None, wishes).figure
        figure = in_grid([own, beside], 2, 1.5 * pitch)
    else:
        places = {}
        parts = []
        for node, cells in graph.nodes(data="cells"):
            x, y = bodies.centre(middle_cell(bodies, cells))
            places[node] = float(x), -float(y)
            parts.append(Patch(cells, mixed(tones[node], GROUND, PALE), title=str(node)))
        below = figure_of(scene.lattice, parts)
        shapes = _drawn(graph, places, tones, 0.34 * pitch, wishes)
        figure = Figure((*below.shapes, *shapes), below.low, below.high)
    title = scene.title.replace(": a solution", ": which pieces touch")
    words = f"{len(graph)} pieces, {graph.number_of_edges()} pairs that touch"
    return Scene(scene.lattice, figure, title, words)


def _drawn(
    graph: networkx.Graph[Any],
    places: Mapping[Hashable, Place],
    tones: Mapping[Hashable, Tone],
    radius: float,
    wishes: Wishes,
) -> list[Shape]:
    """Pieces as discs, and lines between those that touch, the wider the more sides they share."""
    shapes: list[Shape] = []
    for one, other, met in graph.edges(data=True):
        line = (places[one], places[other])
        sides = met["faces"]
        words = f"{one} and {other} share {_many(sides, 'side')}" if sides else (
            f"{one} and {other} touch at a corner")  # fmt: skip
        tone = INK if sides else FAINT
        shapes.append(Path((line,), line=tone, width=1 + 0.8 * sides, title=words))
    for node, place in places.items():
        shapes.append(Disc(place, radius, tones[node], EDGE, str(node)))
        if wishes.names:
            shapes.append(name_at(place, str(node), 0.8 * radius, tones[node]))
    return shapes


# -- solutions that are alike ---------------------------------------------------------------------


def _of_solutions(graph: networkx.Graph[Any], wishes: Wishes) -> Scene:
    first: Solution = next(iter(graph.nodes(data="solution")))[1]
    small = len(graph) <= AS_PICTURES and first.model is not None
    lattice = get_lattice("square") if first.model is None else first.model.puzzle.lattice
    figure = _as_pictures(graph, lattice, wishes) if small else _as_dots(graph, lattice, wishes)
    edges, differ = graph.number_of_edges(), graph.graph["differ"]
    words = f"{_many(len(graph), 'solution')}, {_many(edges, 'pair')} that differ in up to {differ}"
    return Scene(lattice, figure, f"{graph.graph['name']}: similar solutions", f"{words} pieces")


def _as_dots(graph: networkx.Graph[Any], lattice: Lattice, wishes: Wishes) -> Figure:
    pitch = bodies_of(lattice).pitch
    radius, unit = 0.5 * pitch, SPACE * pitch
    tones = node_tones(graph)
    groups = _groups(graph)
    if groups:
        raw, circles = layout_of_groups(graph, groups)
        places = {node: (unit * x, unit * y) for node, (x, y) in raw.items()}
        rings = [((unit * x, unit * y), unit * size) for (x, y), size in circles]
        shapes = _circles(graph, groups, rings, pitch)
        for number, group in enumerate(groups):
            shapes += _lines(graph.subgraph(group), places)
            most = max(len(graph[node]) for node in group)
            for node in group if most else ():
                few = 1 - len(graph[node]) / most
                tones[node] = mixed(colour(number), GROUND, 0.5 * FADED * few)
    else:
        places = {node: (unit * x, unit * y) for node, (x, y) in layout(graph).items()}
        shapes = _lines(graph, places)
    for node, place in places.items():
        tone = tones[node]
        words = f"solution {node}: {_many(len(graph[node]), 'similar solution')}"
        shapes.append(Disc(place, radius, tone, EDGE, words))
        if wishes.names and len(graph) <= NUMBERED:
            shapes.append(name_at(place, str(node), 0.85 * radius, tone))
    if groups:
        return _around(shapes, dict(enumerate(middle for middle, _ in rings)),
                       np.array([[size] for _, size in rings]))  # fmt: skip
    return _around(shapes, places, 1.2 * radius)


def _groups(graph: networkx.Graph[Any]) -> list[list[Hashable]]:
    """The groups of a graph that has a large connected part; empty: it has none.

    A large part is divided so that most lines are within groups (Clauset, Newman and Moore, 2004).
    """
    import networkx

    parts = [sorted(part) for part in networkx.connected_components(graph)]
    if max(map(len, parts)) <= GROUPED:
        return []
    found: list[list[Hashable]] = []
    for part in parts:
        if len(part) <= GROUPED:
            found.append(part)
            continue
        divided = networkx.community.greedy_modularity_communities(graph.subgraph(part))
        found += [sorted(group) for group in divided]
    return sorted(found, key=lambda group: (-len(group), group[0]))


def _circles(
    graph: networkx.Graph[Any],
    groups: Sequence[Sequence[Hashable]],
    rings: Sequence[tuple[Place, float]],
    pitch: float,
) -> list[Shape]:
    """Groups as circles with the numbers of their solutions, and one line between two of them."""
    number = {node: at for at, group in enumerate(groups) for node in group}
    between = Counter(
        (min(pair), max(pair))
        for pair in ((number[one], number[other]) for one, other in graph.edges)
        if pair[0] != pair[1]
    )
    shapes: list[Shape] = []
    for (one, other), pairs in sorted(between.items()):
        words = f"{_many(pairs, 'pair')} of similar solutions"
        line = rings[one][0], rings[other][0]
        shapes.append(Path((line,), None, FAINT, 1 + 1.5 * log2(pairs), words))
    for at, (group, (middle, radius)) in enumerate(zip(groups, rings, strict=True)):
        if len(group) > 1:
            tone, words = mixed(colour(at), GROUND, 0.85), f"group of {len(group)} solutions"
            shapes.append(Disc(middle, radius, tone, colour(at), words))
            size = 1.3 * pitch
            top = middle[0], middle[1] - radius + 0.9 * size
            shapes.append(Label(top, _many(len(group), "solution"), size, INK))
    return shapes


def _lines(graph: networkx.Graph[Any], places: Mapping[Hashable, Place]) -> list[Shape]:
    """The lines between solutions, the darker and wider the fewer pieces differ."""
    by_changed: dict[int, list[tuple[Point, ...]]] = {}
    for one, other, changed in graph.edges(data="changed"):
        by_changed.setdefault(changed, []).append((places[one], places[other]))
    least = min(by_changed, default=0)
    shapes: list[Shape] = []
    for changed, lines in sorted(by_changed.items(), reverse=True):
        more = changed - least
        share = 0.5 * (1 - 0.5**more)
        tone, width = mixed(INK, GROUND, 0.2 + share), max(0.6, 1.8 - 0.6 * more)
        shapes.append(Path(tuple(lines), line=tone, width=width))
    return shapes


def _as_pictures(graph: networkx.Graph[Any], lattice: Lattice, wishes: Wishes) -> Figure:
    """Each solution as a picture with its number above; the pieces that differ on the lines."""
    pitch = bodies_of(lattice).pitch
    figures = {
        node: scene_of(solution, None, None, wishes).figure
        for node, solution in turned_alike(graph).items()
    }
    across, down = (max(figure.size[axis] for figure in figures.values()) for axis in (0, 1))
    raw = layout(graph)
    points = np.array([*raw.values()])
    gaps = np.abs(points[:, None] - points[None]).max(axis=2)
    np.fill_diagonal(gaps, np.inf)
    # So far apart that pictures one unit wide and high would not overlap.
    wide = 1.15 * float(np.clip(1 / max(gaps.min(), 1e-9), 1.0, 2.5))
    size = 0.75 * pitch
    labels = [
        (pieces, (size * (0.7 * len(pieces) + 0.6), 1.5 * size))
        for _, _, pieces in graph.edges(data="pieces")
    ]
    frame = across + 0.8 * pitch, down + 1.8 * pitch
    for stretch in STRETCHES:
        far = wide * stretch
        places = {
            node: (x * far * (across + pitch), y * far * (down + 1.6 * pitch))
            for node, (x, y) in raw.items()
        }
        seen = [
            seen_between(places[one], places[other], frame, 0.5 * pitch)
            for one, other in graph.edges
        ]
        rooms = [seen_beside(line, label) for line, (_, label) in zip(seen, labels, strict=True)]
        if min(rooms, default=pitch) >= pitch:
            break
    shapes = _lines(graph, places)
    for node, figure in figures.items():
        (x, y), (width, height) = places[node], figure.size
        shapes.append(_panel((x, y - 0.5 * pitch), width + 0.8 * pitch, height + 1.8 * pitch))
        shapes.append(Label((x, y - height / 2 - 0.6 * pitch), str(node), 0.8 * pitch, INK))
        shapes += figure.at(x - width / 2, y - height / 2).shapes
    for (begin, end), (pieces, (width, height)), room in zip(seen, labels, rooms, strict=True):
        if room >= HIDDEN * pitch:
            at = (begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2
            shapes.append(_panel(at, width, height, line=FAINT))
            shapes.append(Label(at, pieces, size, INK))
    return _around(shapes, places, np.array([across / 2 + pitch, down / 2 + 1.6 * pitch]))


def seen_between(one: Place, other: Place, size: Point, raised: float) -> tuple[Point, Point]:
    """The ends of a line between two places, as far as it is seen between the frames there.

    size    of a frame
    raised  by how much frames lie above their places
    """
    (x, y), (dx, dy) = one, (other[0] - one[0], other[1] - one[1])
    wide, (above, below) = size[0] / 2, (size[1] / 2 + raised, size[1] / 2 - raised)
    leaving, entering = (below, above) if dy > 0 else (above, below)
    across, down = wide / max(abs(dx), 1e-9), 1 / max(abs(dy), 1e-9)
    begin, end = min(across, leaving * down), 1 - min(across, entering * down)
    return (x + begin * dx, y + begin * dy), (x + end * dx, y + end * dy)


def seen_beside(line: tuple[Point, Point], label: Point) -> float:
    """The length of a line that a label in its middle leaves to be seen; negative: none is."""
    across, down = (abs(line[0][axis] - line[1][axis]) for axis in (0, 1))
    hidden = min(label[0] / max(across, 1e-9), label[1] / max(down, 1e-9))
    return (1 - hidden) * hypot(across, down)


def turned_alike(graph: networkx.Graph[Any]) -> dict[Hashable, Solution]:
    """The solutions, each turned so that it is most like one that it is joined with."""
    import networkx

    turned: dict[Hashable, Solution] = dict(graph.nodes(data="solution"))
    for part in networkx.connected_components(graph):
        for known, node in networkx.bfs_edges(graph, min(part)):
            solution, like = turned[node], set(turned[known].options)
            assert solution.model is not None, "only solutions of puzzles are drawn as pictures"
            symmetries = solution.model.symmetries.selected(graph.graph["counted"])
            copies = symmetries[:, list(solution.options)].tolist()
            nearest = max(copies, key=lambda options: len(like.intersection(options)))
            turned[node] = replace(solution, options=tuple(sorted(nearest)))
    return turned


def _panel(at: Point, width: float, height: float, line: Tone | None = None) -> Path:
    """A rectangle in the colour of the ground, which hides the lines below it."""
    x, y = at
    left, right, top, bottom = x - width / 2, x + width / 2, y - height / 2, y + height / 2
    loop = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Path((loop,), GROUND, line, 0.75)


def _around(shapes: Sequence[Shape], places: Mapping[Any, Place], room: float | Floats) -> Figure:
    """A figure with room round places: across and down, or for each of them."""
    points = np.array(list(places.values()))
    return Figure.around(shapes, np.concatenate([points - room, points + room]))


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"

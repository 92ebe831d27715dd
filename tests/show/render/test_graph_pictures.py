"""Pictures of graphs: layouts keep distances, and all that the graph has is drawn."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import combinations
from math import dist
from typing import Any
from xml.etree import ElementTree

import networkx
import numpy as np
import pytest

import exactcover as ec
from exactcover.show.render import graph_scenes
from exactcover.show.render.graph_layout import LEAST, layout

SVG = "{http://www.w3.org/2000/svg}"


def gaps(graph: networkx.Graph[Any]) -> dict[tuple[Any, Any], float]:
    places = {node: np.array(place) for node, place in layout(graph).items()}
    return {
        (one, other): float(np.linalg.norm(places[one] - places[other]))
        for one, other in combinations(graph, 2)
    }


def titles(svg: str, tag: str) -> list[str]:
    found = (one.find(f"{SVG}title") for one in ElementTree.fromstring(svg).iter(f"{SVG}{tag}"))
    return [str(title.text) for title in found if title is not None]


# -- layouts --------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 7, 30])
def test_a_path_is_a_straight_line(n: int) -> None:
    """The only layout without stress: every distance on paper is that in the graph."""
    for (one, other), gap in gaps(networkx.path_graph(n)).items():
        assert gap == pytest.approx(abs(one - other), rel=0.03)


def test_a_cycle_is_a_circle() -> None:
    places = np.array(list(layout(networkx.cycle_graph(12)).values()))
    away = np.linalg.norm(places - places.mean(axis=0), axis=1)
    assert away.max() / away.min() == pytest.approx(1, abs=0.02)


def test_a_grid_is_a_grid() -> None:
    graph = networkx.grid_2d_graph(5, 4)
    for (one, other), gap in gaps(graph).items():
        far = float(np.linalg.norm(np.subtract(one, other)))
        assert gap == pytest.approx(far, rel=0.35)


def test_nodes_lie_apart() -> None:
    """Also those of a dense graph, and those of different parts."""
    for graph in (networkx.complete_graph(25), networkx.disjoint_union_all(
        [networkx.star_graph(9), networkx.empty_graph(8), networkx.path_graph(4)]
    )):  # fmt: skip
        assert min(gaps(graph).values()) > 0.9 * LEAST


def test_a_large_part_is_laid_out_by_pivots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactcover.show.render.graph_layout.IN_FULL", 20)
    for (one, other), gap in gaps(networkx.path_graph(50)).items():
        assert gap == pytest.approx(abs(one - other), rel=0.2, abs=0.5)


SAY_LAYOUT = """
import sys
sys.modules["scipy"] = None
import networkx
from exactcover.show.render.graph_layout import layout
print(layout(networkx.cycle_graph(3)), layout(networkx.balanced_tree(2, 4)))
"""


def test_a_layout_is_the_same_on_every_processor_and_needs_no_scipy() -> None:
    """Symmetric graphs may lie in any way; the last digits of numbers must not choose one."""
    runs = {
        subprocess.run(
            [sys.executable, "-c", SAY_LAYOUT],
            env=os.environ | {"OPENBLAS_CORETYPE": processor},
            capture_output=True, text=True, check=True,
        ).stdout
        for processor in ("Nehalem", "Haswell")
    }  # fmt: skip
    here = layout(networkx.cycle_graph(3)), layout(networkx.balanced_tree(2, 4))
    assert runs == {f"{here[0]} {here[1]}\n"}


# -- pictures -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pentominoes_20x3", "somacube", "tetrasticks_5x5_without_H"])
def test_pieces_and_what_touches_are_drawn(name: str) -> None:
    solution = ec.first(ec.read(name))
    assert solution is not None
    graph = ec.piece_graph(solution, corners=True)
    svg = ec.picture(graph).svg
    assert titles(svg, "circle") == list(graph)
    lines = [title for title in titles(svg, "path") if " share " in title or " touch " in title]
    assert Counter(lines) == Counter(
        f"{one} and {other} share {met['faces']} side{'s' * (met['faces'] > 1)}"
        if met["faces"]
        else f"{one} and {other} touch at a corner"
        for one, other, met in graph.edges(data=True)
    )


def test_many_solutions_are_dots() -> None:
    graph = ec.solution_graph(ec.read("hexiamonds_6x6"))
    svg = ec.picture(graph).svg
    alike = ("similar solution", "similar solutions")
    assert sorted(titles(svg, "circle")) == sorted(
        f"solution {node}: {len(graph[node])} {alike[len(graph[node]) != 1]}" for node in graph
    )
    lines = [path.attrib["d"].count("M") for path in ElementTree.fromstring(svg).iter(f"{SVG}path")]
    assert sum(lines) == graph.number_of_edges()
    numbers = {text.text for text in ElementTree.fromstring(svg).iter(f"{SVG}text")}
    assert numbers == {str(node) for node in graph}
    assert "<text" not in ec.picture(graph, names=False).svg


def test_a_large_part_is_drawn_by_its_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each solution lies in the circle of its group, circles are apart, and no line is lost."""
    graph = ec.solution_graph(ec.read("hexiamonds_6x6"))
    largest = max(map(len, networkx.connected_components(graph)))
    monkeypatch.setattr(graph_scenes, "GROUPED", largest - 1)
    svg = ec.picture(graph).svg
    discs = [
        (title.text or "", *(float(disc.attrib[name]) for name in ("cx", "cy", "r")))
        for disc in ElementTree.fromstring(svg).iter(f"{SVG}circle")
        if (title := disc.find(f"{SVG}title")) is not None
    ]
    circles = [disc for disc in discs if disc[0].startswith("group of")]
    dots = [disc for disc in discs if disc[0].startswith("solution ")]
    assert len(circles) > 2
    assert len(dots) == len(graph)
    for (_, *one), (_, *other) in combinations(circles, 2):
        assert dist(one[:2], other[:2]) > one[2] + other[2]
    inside = [sum(dist(c[1:3], dot[1:3]) < c[3] - dot[3] for c in circles) for dot in dots]
    single = sum(not graph[node] for node in graph)
    assert Counter(inside) == Counter({1: len(graph) - single, 0: single})
    between = [int(title.split()[0]) for title in titles(svg, "path") if "pair" in title]
    assert between
    lines = [path.attrib["d"].count("M") for path in ElementTree.fromstring(svg).iter(f"{SVG}path")]
    assert sum(lines) - len(between) + sum(between) == graph.number_of_edges()


def test_few_solutions_are_pictures_turned_alike() -> None:
    """Of 20x3 all copies are joined by a step of no piece, so they are all drawn alike."""
    every = list(ec.solve(ec.read("pentominoes_20x3"), counted="all"))
    graph = ec.solution_graph(every, differ=1)
    root = ElementTree.fromstring(ec.picture(graph).svg)
    shapes = Counter(
        (title.text, path.attrib["d"].partition("L")[2].count("L"))
        for path in root.iter(f"{SVG}path")
        if (title := path.find(f"{SVG}title")) is not None
    )
    assert len(shapes) == 12
    assert set(shapes.values()) == {8}
    drawn = [solution.options for solution in graph_scenes.turned_alike(graph).values()]
    assert sorted(Counter(drawn).values()) == [4, 4]


def test_lines_are_seen_beside_their_labels() -> None:
    """Each line has a label, and is seen on both sides of it."""
    solutions = list(ec.solve(ec.read("pentominoes_10x6"), limit=30))
    graph = ec.solution_graph(solutions)
    root = ElementTree.fromstring(ec.picture(graph).svg)
    texts = Counter(text.text for text in root.iter(f"{SVG}text"))
    labels = Counter(pieces for _, _, pieces in graph.edges(data="pieces"))
    assert labels.total() == 19
    assert all(texts[label] == many for label, many in labels.items())


def test_a_line_between_frames() -> None:
    """Frames of 4 x 2, raised by 0.5: they hide more above a place than below it."""
    across = graph_scenes.seen_between((0, 0), (10, 0), (4, 2), 0.5)
    assert across == ((2, 0), (8, 0))
    down = graph_scenes.seen_between((0, 0), (0, 10), (4, 2), 0.5)
    assert down == ((0, 0.5), (0, 8.5))
    assert graph_scenes.seen_beside(across, (2, 1)) == pytest.approx(4)
    assert graph_scenes.seen_beside(down, (2, 1)) == pytest.approx(7)
    assert graph_scenes.seen_beside(across, (9, 1)) < 0


def test_what_cannot_be_drawn_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = ec.solution_graph(ec.read("pentominoes_20x3"))
    monkeypatch.setattr(graph_scenes, "MOST_NODES", 1)
    with pytest.raises(ec.ExactCoverError, match="too many for a picture"):
        ec.picture(graph)
    with pytest.raises(ec.ExactCoverError, match="the graph is empty"):
        ec.picture(ec.solution_graph([]))


def test_plain_problems_are_dots() -> None:
    problem = ec.Problem.from_options([["a"], ["b"], ["a", "b"], ["c"]])
    assert len(titles(ec.picture(ec.solution_graph(problem)).svg, "circle")) == 2

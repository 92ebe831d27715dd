"""Graphs as files: read back by networkx, and built as yEd's format is documented."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import networkx
import pytest

import exactcover as ec

GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"
YFILES = "{http://www.yworks.com/xml/graphml}"


def solutions() -> networkx.Graph[Any]:
    return ec.solution_graph(ec.read("hexiamonds_6x6"))


def pieces() -> networkx.Graph[Any]:
    solution = ec.first(ec.read("somacube"))
    assert solution is not None
    return ec.piece_graph(solution, corners=True)


@pytest.mark.parametrize("make", [solutions, pieces])
def test_networkx_reads_the_graph_back(make: Any, tmp_path: Path) -> None:
    graph, file = make(), tmp_path / "graph.graphml"
    ec.save_graph(graph, file)
    again = networkx.read_graphml(file)
    assert list(again) == [str(node) for node in graph]
    assert {frozenset(edge) for edge in again.edges} == {
        frozenset(map(str, edge)) for edge in graph.edges
    }
    for one, other, edge in graph.edges(data=True):
        read = again.edges[str(one), str(other)]
        assert {name: read[name] for name in edge} == edge
    for node, said in graph.nodes(data=True):
        read = again.nodes[str(node)]
        assert read["label"] == str(node)
        for name in ("placements", "cluster", "piece", "colour"):
            assert read.get(name) == said.get(name)


@pytest.mark.parametrize("make", [solutions, pieces])
def test_yed_finds_what_it_draws(make: Any, tmp_path: Path) -> None:
    """Each node has a shape with its place, colour and label, each edge a line."""
    graph, file = make(), tmp_path / "graph.graphml"
    ec.save_graph(graph, file)
    root = Xml.parse(file).getroot()
    kinds = {key.get("yfiles.type"): key for key in root.iter(f"{GRAPHML}key")}
    assert kinds["nodegraphics"].get("for") == "node"
    assert kinds["edgegraphics"].get("for") == "edge"
    assert root[-1].tag == f"{GRAPHML}graph"
    assert root[-1].get("edgedefault") == "undirected"
    places = set()
    for node in root.iter(f"{GRAPHML}node"):
        (data,) = node.findall(f"{GRAPHML}data[@key='{kinds['nodegraphics'].get('id')}']")
        (shape,) = data
        assert shape.tag == f"{YFILES}ShapeNode"
        parts = {part.tag.removeprefix(YFILES): part for part in shape}
        assert set(parts) == {"Geometry", "Fill", "BorderStyle", "NodeLabel", "Shape"}
        places.add((float(parts["Geometry"].attrib["x"]), float(parts["Geometry"].attrib["y"])))
        assert parts["Fill"].attrib["color"].startswith("#")
        assert parts["NodeLabel"].text
    assert len(places) == len(graph)
    lines = [
        line
        for edge in root.iter(f"{GRAPHML}edge")
        for line in edge.findall(f"{GRAPHML}data/{YFILES}PolyLineEdge/{YFILES}LineStyle")
    ]
    assert len(lines) == graph.number_of_edges()
    declared = {key.get("id") for key in root.iter(f"{GRAPHML}key")}
    assert {data.get("key") for data in root.iter(f"{GRAPHML}data")} <= declared


def test_pieces_keep_their_colours(tmp_path: Path) -> None:
    graph, file = pieces(), tmp_path / "graph.graphml"
    ec.save_graph(graph, file)
    fills = [fill.get("color") for fill in Xml.parse(file).iter(f"{YFILES}Fill")]
    assert fills == list(dict(graph.nodes(data="colour")).values())


def test_names_that_xml_does_not_take_as_identifiers(tmp_path: Path) -> None:
    puzzle = ec.Puzzle.of([ec.Piece("<&>", [(0, 0)]), ec.Piece("ä", [(0, 0), (1, 0)])], "3x1",
                          "square")  # fmt: skip
    solution = ec.first(puzzle)
    assert solution is not None
    file = tmp_path / "graph.graphml"
    ec.save_graph(ec.piece_graph(solution), file)
    again = networkx.read_graphml(file)
    assert set(dict(again.nodes(data="label")).values()) == {"<&>", "ä"}


def test_json_is_read_back(tmp_path: Path) -> None:
    graph, file = solutions(), tmp_path / "graph.json"
    ec.save_graph(graph, file)
    record = json.loads(file.read_text(encoding="utf-8"))
    again = networkx.node_link_graph(record, edges="links")
    assert set(again.edges) == set(graph.edges)
    assert record["graph"]["differ"] == 3
    for node, solution in graph.nodes(data="solution"):
        cells = [cell for placed in again.nodes[node]["placements"] for cell in placed["cells"]]
        assert len(cells) == 72
        names = [placed["piece"] for placed in again.nodes[node]["placements"]]
        assert names == [placement.piece for placement in solution.placements]


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ec.ExactCoverError, match=r"one of \.graphml"):
        ec.save_graph(pieces(), tmp_path / "graph.gml")
    with pytest.raises(ec.ExactCoverError, match="cannot be written"):
        ec.save_graph(pieces(), tmp_path / "no" / "graph.json")
    with pytest.raises(ec.ExactCoverError, match="no graph of the program"):
        ec.save_graph(networkx.path_graph(2), tmp_path / "graph.json")


def test_the_graph_of_a_puzzle_without_solutions_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "none.graphml"
    ec.save_graph(ec.solution_graph(ec.read("mutilated_chessboard")), file)
    assert len(networkx.read_graphml(file)) == 0

"""Graphs as files: GraphML for yEd, JSON for programs, pictures for people.

yEd opens the GraphML as it is drawn here: with labels, colours and places. Plain
attributes are for every reader of GraphML, among them networkx. What yEd draws is in data of its
own: a key with `yfiles.type="nodegraphics"` for nodes, and one with `edgegraphics` for edges.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as Xml

from exactcover.base.text.files import ending_of, write
from exactcover.base.values.arguments import check_kind, shown
from exactcover.errors import ExactCoverError
from exactcover.show.graphs import PIECES, is_graph
from exactcover.show.render.graph_layout import layout
from exactcover.show.render.graph_scenes import node_tones
from exactcover.show.render.palette import EDGE, INK, Tone, ink_on
from exactcover.show.render.picture import picture
from exactcover.show.render.svg import SUFFIXES

if TYPE_CHECKING:
    import networkx

YFILES = "http://www.yworks.com/xml/graphml"
SCHEMA = "http://www.yworks.com/xml/schema/graphml/1.1/ygraphml.xsd"

UNIT = 90.0
"""The length of an edge, in yEd's units."""

SIZE = 32.0
"""The diameter of a node."""

TYPES = (bool, int, float, str)

TOKEN = re.compile(r"[\w.:-]+", re.ASCII)
"""An identifier of XML; nodes are identified by themselves where all of them are such texts."""

Attributes = Mapping[str, Any]

ENDINGS = (".graphml", ".json", *SUFFIXES)


def save_graph(graph: networkx.Graph[Any], path: str | Path) -> None:
    """Write a graph to a file, in the format that its ending names.

        ec.save_graph(ec.solution_graph(ec.read("somacube")), "soma.graphml")

    graph  what `solution_graph` or `piece_graph` made
    path   the file: `.graphml`, which yEd opens and networkx reads; `.json`, nodes and links as
           `networkx.node_link_graph` reads them; or `.svg`, `.png` or `.pdf` for a picture
    """
    if not is_graph(graph):
        raise ExactCoverError(
            f"{shown(graph)} is no graph of the program: make one by solution_graph or piece_graph"
        )
    check_kind("path", path, (str, Path), "the path of a file")
    file = Path(path)
    suffix = ending_of(file, ENDINGS)
    if suffix in SUFFIXES:
        picture(graph).save(file)
        return
    write(file, _graphml(graph) if suffix == ".graphml" else _json(graph).encode())


def _json(graph: networkx.Graph[Any]) -> str:
    """Nodes and links; of a solution its placements as lists, since a value has no JSON."""
    import networkx

    record = networkx.node_link_data(graph, edges="links")
    record["graph"] = {key: one for key, one in record["graph"].items() if key != "solution"}
    for node in record["nodes"]:
        solution = node.pop("solution", None)
        if solution is not None and solution.model is not None:
            node["placements"] = [
                {"piece": one.piece, "cells": one.cells} for one in solution.placements
            ]
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def _graphml(graph: networkx.Graph[Any]) -> bytes:
    """A graph of pieces or of solutions as networkx writes it, with what yEd draws."""
    import networkx

    names = {node: str(node) for node in graph}
    if not all(map(TOKEN.fullmatch, names.values())):
        names = {node: f"n{number}" for number, node in enumerate(graph)}
    plain = networkx.Graph(**plain_values(graph.graph))
    for node, attributes in graph.nodes(data=True):
        plain.add_node(names[node], **plain_values(attributes))
    for one, other, attributes in graph.edges(data=True):
        plain.add_edge(names[one], names[other], **plain_values(attributes))
    root: Xml.Element = networkx.GraphMLWriter(plain).xml
    root.set("xmlns:y", YFILES)
    root.set("xsi:schemaLocation", f"{root.get('xmlns')} {SCHEMA}")
    for where in ("node", "edge"):
        drawn = {"id": f"{where}graphics", "for": where, "yfiles.type": f"{where}graphics"}
        root.insert(0, Xml.Element("key", drawn))
    places, tones = layout(graph), node_tones(graph)
    for element, node in zip(root.iter("node"), graph, strict=True):
        data = Xml.SubElement(element, "data", {"key": "nodegraphics"})
        _draw_node(data, str(node), places[node], tones[node])
    for element, (_, _, edge) in zip(root.iter("edge"), graph.edges(data=True), strict=True):
        data = Xml.SubElement(element, "data", {"key": "edgegraphics"})
        if graph.graph["of"] == PIECES:
            _draw_edge(data, str(edge["faces"]), 1 + 0.8 * edge["faces"])
        else:
            _draw_edge(data, edge["pieces"], 3 / max(1, edge["changed"]))
    Xml.indent(root)
    text: str = Xml.tostring(root, "unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def plain_values(attributes: Attributes) -> dict[str, Any]:
    """The attributes that are numbers and texts; cells as a text, other objects left out."""
    texts = {
        name: "/".join(",".join(map(str, cell)) for cell in value) if name == "cells" else value
        for name, value in attributes.items()
    }
    return {name: value for name, value in texts.items() if type(value) in TYPES}


def _draw_node(data: Xml.Element, label: str, place: tuple[float, float], tone: Tone) -> None:
    shape = Xml.SubElement(data, "y:ShapeNode")
    x, y = (f"{UNIT * part - SIZE / 2:.1f}" for part in place)
    box = {"x": x, "y": y, "width": str(SIZE), "height": str(SIZE)}
    Xml.SubElement(shape, "y:Geometry", box)
    Xml.SubElement(shape, "y:Fill", {"color": tone.light, "transparent": "false"})
    line = {"color": EDGE.light, "type": "line", "width": "1.0"}
    Xml.SubElement(shape, "y:BorderStyle", line)
    ink = ink_on(tone).light
    Xml.SubElement(shape, "y:NodeLabel", {"fontSize": "12", "textColor": ink}).text = label
    Xml.SubElement(shape, "y:Shape", {"type": "ellipse"})


def _draw_edge(data: Xml.Element, label: str, width: float) -> None:
    edge = Xml.SubElement(data, "y:PolyLineEdge")
    line = {"color": INK.light, "type": "line", "width": f"{width:.1f}"}
    Xml.SubElement(edge, "y:LineStyle", line)
    Xml.SubElement(edge, "y:Arrows", {"source": "none", "target": "none"})
    Xml.SubElement(edge, "y:EdgeLabel", {"fontSize": "10", "textColor": INK.light}).text = label
    Xml.SubElement(edge, "y:BendStyle", {"smoothed": "false"})

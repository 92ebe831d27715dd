"""Graphs as files: GraphML for yEd, JSON for programs, pictures for people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactcover.errors import ExactCoverError
from exactcover.graphs.graphml import graphml
from exactcover.render.graphs import is_graph
from exactcover.render.picture import picture
from exactcover.render.raster import SUFFIXES
from exactcover.values.arguments import check_kind, shown

if TYPE_CHECKING:
    import networkx

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
    suffix = file.suffix.lower()
    if suffix not in ENDINGS:
        raise ExactCoverError(f"{file}: its ending must be one of {', '.join(ENDINGS)}")
    if suffix in SUFFIXES:
        picture(graph).save(file)
        return
    content = graphml(graph) if suffix == ".graphml" else _json(graph).encode()
    try:
        file.write_bytes(content)
    except OSError as error:
        raise ExactCoverError(f"{file} cannot be written: {error.strerror}") from None


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

"""Neighbours of a cell, shapes grown along them, and their graph as one of networkx."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import networkx

from exactcover.geometry.cells import CellSet
from exactcover.geometry.neighbours import neighbour_graph
from exactcover.lattices import Lattice


def neighbours_of(lattice: Lattice, cell: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The cells that share a side with this one."""
    dimension = lattice.dimension
    for offset in lattice.adjacent[(*cell, 0)[dimension]].tolist():
        vector = (a + b for a, b in zip(cell[:dimension], offset, strict=False))
        yield (*vector, *offset[dimension:])


def networkx_graph(region: CellSet) -> networkx.Graph[Any]:
    """The neighbour graph with cells as tuples for nodes."""
    starts, others = neighbour_graph(region)
    names = [tuple(cell) for cell in region.cells.tolist()]
    graph: networkx.Graph[Any] = networkx.Graph()
    graph.add_nodes_from(names)
    for cell, name in enumerate(names):
        graph.add_edges_from(
            (name, names[other])
            for other in others[starts[cell] : starts[cell + 1]]
            if other > cell
        )
    return graph


def random_shape(lattice: Lattice, size: int, seed: int) -> list[tuple[int, ...]]:
    """A connected shape of this many cells; the same for the same seed."""
    choices = Random(f"{lattice.name} {size} {seed}")
    several = lattice.width > lattice.dimension
    kind = (choices.randrange(len(lattice.kinds)),) if several else ()
    cells = [(0,) * lattice.dimension + kind]
    while len(cells) < size:
        other = choices.choice([*neighbours_of(lattice, choices.choice(cells))])
        if other not in cells:
            cells.append(other)
    return cells

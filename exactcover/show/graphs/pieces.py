"""The graph of the pieces of a solution: an edge joins two that touch."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from exactcover.base.text.names import numbered
from exactcover.base.values.arguments import check_flag, check_kind
from exactcover.errors import ExactCoverError
from exactcover.geometry.neighbours import Csr, corner_graph, neighbour_graph
from exactcover.search.result import Solution
from exactcover.show.graphs import PIECES
from exactcover.show.render.board_parts import tones_of

if TYPE_CHECKING:
    import networkx

Pair = tuple[int, int]


def piece_graph(solution: Solution, *, corners: bool = False) -> networkx.Graph[Any]:
    """The graph of the pieces of a solution: those that touch are joined.

        >>> import exactcover as ec
        >>> graph = ec.piece_graph(ec.first(ec.read("pentominoes_20x3")))
        >>> graph.edges["I", "X"]["faces"]
        2

    solution  a solution of a puzzle
    corners   pieces that touch at a corner only are joined, too. Default: False

    A node is the name of a piece; of several copies each has a number behind it. Its attributes are
    `piece`, the name; `cells`; and `colour`, that of pictures on a light ground. An edge has
    `faces`, the number of sides that the two pieces share, and with `corners` also `corners`: how
    often cells of the two touch only at a corner.
    """
    import networkx

    check_kind("solution", solution, Solution, "a solution")
    check_flag("corners", corners)
    if solution.model is None:
        raise ExactCoverError("a solution of a plain problem has no pieces that touch")
    puzzle, placements = solution.model.puzzle, solution.placements
    names = numbered([placement.piece for placement in placements])
    graph: networkx.Graph[Any] = networkx.Graph(
        of=PIECES, name=puzzle.name or "pieces", solution=solution
    )
    for name, placement, tone in zip(names, placements, tones_of(puzzle, placements), strict=True):
        graph.add_node(name, piece=placement.piece, cells=placement.cells, colour=tone.light)
    owners = np.full(len(puzzle.space), -1)
    for number, placement in enumerate(placements):
        owners[puzzle.space.find(np.array(placement.cells, np.int64))] = number
    faces = _meetings(neighbour_graph(puzzle.space), owners)
    at_corners = _meetings(corner_graph(puzzle.space), owners) if corners else Counter()
    for one, other in sorted(faces.keys() | at_corners.keys()):
        met = {"faces": faces[one, other]}
        if corners:
            met["corners"] = at_corners[one, other]
        graph.add_edge(names[one], names[other], **met)
    return graph


def _meetings(cells: Csr, owners: np.ndarray[Any, Any]) -> Counter[Pair]:
    """How often cells of two placements are neighbours in a graph of cells."""
    starts, others = cells
    here = owners[np.repeat(np.arange(len(starts) - 1), np.diff(starts))]
    there = owners[others]
    apart = (here >= 0) & (here < there)
    return Counter(zip(here[apart].tolist(), there[apart].tolist(), strict=True))

"""The graph of solutions, where an edge joins two that differ in few pieces; and its clusters.

A solution that is turned or mirrored is the same solution: of all symmetries the one counts that
leaves most pieces where they are. How pairs are found is in `similar`.

With single linkage a cluster is a connected part: one comes from any solution to any other in small
steps. With complete linkage all pairs in a cluster are joined, so its solutions are alike as a
whole; starting from single solutions, the two clusters whose solutions differ least are joined,
while there are two that may be. Both need the edges alone, never all distances.

The graph of the pieces of one solution joins those that touch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from exactcover.base.text.names import numbered
from exactcover.base.values import CONVENTIONS, Convention
from exactcover.base.values.arguments import (
    check_choice,
    check_flag,
    check_function,
    check_kind,
    check_whole,
    shown,
)
from exactcover.errors import ExactCoverError
from exactcover.geometry.neighbours import Csr, corner_graph, neighbour_graph, pairs_of
from exactcover.problem import IntArray, Problem
from exactcover.puzzle import Model, Puzzle
from exactcover.search.result import Solution
from exactcover.search.solving import solve
from exactcover.show.graphs import PIECES, SOLUTIONS
from exactcover.show.graphs.similar import NONE, similar_pairs
from exactcover.show.render.parts import owners_on, tones_of

if TYPE_CHECKING:
    import networkx


def solution_graph(
    what: Puzzle | Problem | Iterable[Solution],
    *,
    differ: int = 3,
    counted: Convention | None = None,
    tell: Callable[[str], object] | None = None,
) -> networkx.Graph[Any]:
    """The graph of solutions: each is joined with those that differ from it in few pieces.

        >>> import exactcover as ec
        >>> graph = ec.solution_graph(ec.read("somacube"), counted="reflections")
        >>> len(graph), graph.number_of_edges()
        (240, 1083)

    what     a puzzle or a problem, for all its solutions; or a list of solutions
    differ   the most pieces in which two solutions differ that are joined. Default: 3
    counted  which solutions are the same: "rotations": those that rotations take to each other;
             "reflections": those that mirrors take to each other, too; "all": none. Default: None,
             "rotations" for a puzzle
    tell     a function that gets the progress as a text. Default: None

    A node is the number of a solution, counted from 1 in the given order; for a puzzle this is the
    order of `solve`. Its attributes are `solution`; `placements`, a text; and `cluster`, the number
    of the connected part, the largest first. An edge has `changed`, how many pieces differ, and
    `pieces`, their names.

    Raises `ExactCoverError` where the graph would have millions of edges.
    """
    check_whole("differ", differ, least=1, optional=False)
    check_function("tell", tell)
    tell = tell or (lambda text: None)
    if isinstance(what, Puzzle | Problem):
        found: list[Solution] = []
        for solution in solve(what, counted=counted):
            found.append(solution)
            if len(found) % 1000 == 0:
                tell(f"{len(found):,} solutions found")
    else:
        found = _checked(what)
    import networkx

    graph: networkx.Graph[Any] = networkx.Graph(of=SOLUTIONS)
    for number, solution in enumerate(found, 1):
        graph.add_node(number, solution=solution, placements=placements_text(solution))
    if not found:
        return graph
    model, problem = found[0].model, found[0].problem
    convention = checked_counted(counted, puzzle=model is not None)
    name = (model.puzzle.name if model is not None else "") or "solutions"
    graph.graph |= {"name": name, "differ": differ, "counted": convention}
    rows = placed_options(found)
    symmetries = symmetries_for(model, problem, convention)
    pairs = similar_pairs(rows, symmetries, differ, tell)
    tell("the graph is made")
    names = _names_of_options(model, problem)
    for first, second, changed, motion in pairs.tolist():
        theirs = set(symmetries[motion][rows[second]].tolist())
        pieces = sorted(names[o] for o in rows[first].tolist() if o != NONE and o not in theirs)
        graph.add_edge(first + 1, second + 1, changed=changed, pieces=" ".join(pieces))
    parts = sorted(networkx.connected_components(graph), key=lambda part: (-len(part), min(part)))
    for number, part in enumerate(parts, 1):
        networkx.set_node_attributes(graph, dict.fromkeys(part, number), "cluster")
    return graph


def placements_text(solution: Solution) -> str:
    """A solution as one line: each piece with its cells; of a plain problem, its options."""
    if solution.model is None:
        return " ".join(map(str, solution.names))
    return " ".join(
        f"{placement.piece}:" + "/".join(",".join(map(str, cell)) for cell in placement.cells)
        for placement in solution.placements
    )


def placed_by(solution: Solution) -> list[int]:
    """The options of a solution that place a piece; others of a puzzle are holes."""
    if solution.model is None:
        return list(solution.options)
    shape_of = solution.model.layout.option_shape
    return [option for option in solution.options if shape_of[option] >= 0]


def placed_options(solutions: Sequence[Solution]) -> IntArray:
    """The options of each solution that place a piece: int32 [n, p], NONE behind the last one."""
    placed = [*map(placed_by, solutions)]
    rows = np.full((len(placed), max(map(len, placed))), NONE, np.int32)
    for number, options in enumerate(placed):
        rows[number, : len(options)] = options
    return rows


def symmetries_for(model: Model | None, problem: Problem, counted: Convention) -> IntArray:
    """The permutations of options that make the same solution of one."""
    if model is None:
        return np.arange(problem.n_options, dtype=np.int32)[None]
    return model.symmetries.selected(counted)


def checked_counted(counted: Convention | None, *, puzzle: bool = True) -> Convention:
    """The convention that is named, or the usual one."""
    check_choice("counted", counted, CONVENTIONS)
    return counted or ("rotations" if puzzle else "all")


def _checked(what: object) -> list[Solution]:
    """A list of solutions of one puzzle."""
    right = "give a puzzle, a problem, or a list of solutions of one puzzle"
    if not isinstance(what, Iterable):
        raise ExactCoverError(f"there is no graph of {shown(what)}: {right}")
    found = list(what)
    for one in found:
        if not isinstance(one, Solution):
            raise ExactCoverError(f"the list has {shown(one)}: {right}")
        if one.model != found[0].model or one.problem != found[0].problem:
            raise ExactCoverError(f"the solutions are not of one puzzle: {right}")
    return found


def _names_of_options(model: Model | None, problem: Problem) -> list[str]:
    """For each option the name of its piece."""
    if model is None:
        return [str(problem.option_name(option)) for option in range(problem.n_options)]
    titles = [*(group.title for group in model.groups), ""]  # a hole has the shape -1
    return [titles[shape] for shape in model.layout.option_shape.tolist()]


# -- clusters --------------------------------------------------------------------------------------


Linkage = Literal["single", "complete"]
LINKAGES: tuple[Linkage, ...] = get_args(Linkage)
SINGLE: Linkage = "single"


@dataclass(frozen=True)
class Cluster:
    """Similar solutions, by their numbers in the graph.

    solutions       ascending
    representative  the one that is joined with most of the others; of several, the first
    """

    solutions: tuple[int, ...]
    representative: int

    def __len__(self) -> int:
        return len(self.solutions)


def clusters(
    graph: networkx.Graph[Any], *, differ: int | None = None, linkage: Linkage = SINGLE
) -> list[Cluster]:
    """The clusters of similar solutions, the largest first.

        >>> import exactcover as ec
        >>> graph = ec.solution_graph(ec.read("somacube"), counted="reflections")
        >>> [len(cluster) for cluster in ec.clusters(graph)]
        [239, 1]

    graph    what `solution_graph` made
    differ   the most pieces in which two joined solutions differ. Default: None, as in the graph
    linkage  "single": one comes from any solution of a cluster to any other by such steps;
             "complete": each two of a cluster differ so little. Default: "single"
    """
    check_choice("linkage", linkage, LINKAGES, optional=False)
    check_whole("differ", differ, least=1)
    if getattr(graph, "graph", {}).get("of") != SOLUTIONS:
        raise ExactCoverError(f"{shown(graph)} is no graph of solutions; solution_graph makes one")
    if differ is not None and differ > graph.graph.get("differ", differ):
        raise ExactCoverError(
            f"differ={differ}: the graph has the pairs that differ in up to "
            f"{graph.graph['differ']} pieces: make it with differ={differ}"
        )
    import networkx

    kept = graph.copy()
    changes = graph.edges(data="changed")
    kept.remove_edges_from([edge[:2] for edge in changes if differ and edge[2] > differ])
    found = []
    for part in networkx.connected_components(kept) if linkage == SINGLE else _complete(kept):
        joined = {node: sum(other in part for other in kept[node]) for node in part}
        middle = min(part, key=lambda node: (-joined[node], node))
        found.append(Cluster(tuple(sorted(part)), middle))
    return sorted(found, key=lambda cluster: (-len(cluster), cluster.solutions))


def _complete(graph: networkx.Graph[Any]) -> list[set[int]]:
    """Clusters of which all pairs are joined; those that differ least are joined first.

    A cluster has the number of its first solution. `apart` holds, for two clusters that may become
    one, the most pieces in which a solution of one and one of the other differ.
    """
    members = {node: {node} for node in graph}
    apart: dict[int, dict[int, int]] = {
        node: {other: edge["changed"] for other, edge in around.items()}
        for node, around in graph.adjacency()
    }
    queue = [
        (far, one, other) for one, around in apart.items() for other, far in around.items()
        if one < other
    ]  # fmt: skip
    heapify(queue)
    while queue:
        far, one, other = heappop(queue)
        if apart.get(one, {}).get(other) != far:
            continue  # one of them has grown since
        members[one] |= members.pop(other)
        theirs, ours = apart.pop(other), apart[one]
        for third in (theirs.keys() | ours.keys()) - {one, other}:
            del apart[third][other if third in theirs else one]
            apart[third].pop(one, None)
            if third in theirs and third in ours:
                farther = max(theirs[third], ours[third])
                apart[one][third] = apart[third][one] = farther
                heappush(queue, (farther, min(one, third), max(one, third)))
            else:
                ours.pop(third, None)
        del ours[other]
    return list(members.values())


# -- the pieces of a solution ----------------------------------------------------------------------

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
    owners = owners_on(puzzle.space, [placement.cells for placement in placements])
    faces = _meetings(neighbour_graph(puzzle.space), owners)
    at_corners = _meetings(corner_graph(puzzle.space), owners) if corners else Counter()
    for one, other in sorted(faces.keys() | at_corners.keys()):
        met = {"faces": faces[one, other]}
        if corners:
            met["corners"] = at_corners[one, other]
        graph.add_edge(names[one], names[other], **met)
    return graph


def _meetings(cells: Csr, owners: IntArray) -> Counter[Pair]:
    """How often cells of two placements are neighbours in a graph of cells."""
    met = np.sort(owners[pairs_of(cells)], axis=1).tolist()
    return Counter((one, other) for one, other in met if 0 <= one < other)

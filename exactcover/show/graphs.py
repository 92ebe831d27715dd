"""Graphs of networkx: solutions that are alike, and the pieces of a solution that touch.

Solutions are joined that differ in few pieces, however they are turned. They are found without a
comparison of all pairs: for each symmetry, each placement of a solution is looked up in a table of
the solutions that have it, and the placements that two solutions share are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from exactcover.base.text import numbered
from exactcover.base.values import CONVENTIONS, Convention
from exactcover.base.values.arguments import (
    check_choice,
    check_kind,
    check_whole,
    shown,
)
from exactcover.errors import ExactCoverError
from exactcover.geometry.neighbours import Csr, corner_graph, neighbour_graph, pairs_of
from exactcover.problem import IntArray, Problem
from exactcover.puzzle import Puzzle
from exactcover.search.result import Solution
from exactcover.search.solving import solve
from exactcover.show.board import DrawnBoard, tones_of

if TYPE_CHECKING:
    import networkx

__all__ = ["piece_graph", "solution_graph"]

MOST_PAIRS = 5_000_000
"""A graph with more edges would not fit the memory of a small machine."""

AT_ONCE = 1 << 22
"""About how many shared placements are counted together."""

NONE = -1
"""Fills the rows of solutions with fewer pieces than others have."""

Numbers = npt.NDArray[np.int64]


def solution_graph(
    what: Puzzle | Problem | Iterable[Solution],
    *,
    differ: int = 3,
    counted: Convention | None = None,
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

    A node is the number of a solution, counted from 1 in the given order; for a puzzle this is the
    order of `solve`. Its attributes are `solution`; `placements`, a text; and `cluster`, the number
    of the connected part, the largest first. An edge has `changed`, how many pieces differ, and
    `pieces`, their names.

    Raises `ExactCoverError` where the graph would have millions of edges.
    """
    check_whole("differ", differ, least=1, optional=False)
    check_choice("counted", counted, CONVENTIONS)
    if isinstance(what, Puzzle | Problem):
        found = list(solve(what, counted=counted))
    else:
        found = _checked(what)
    import networkx

    graph: networkx.Graph[Any] = networkx.Graph(name="solutions", differ=differ)
    for number, solution in enumerate(found, 1):
        graph.add_node(number, solution=solution, placements=_text(solution))
    if not found:
        return graph
    model, problem = found[0].model, found[0].problem
    if model is None:
        symmetries = np.arange(problem.n_options, dtype=np.int32)[None]
        names = [str(problem.option_name(option)) for option in range(problem.n_options)]
        placed = [[*solution.options] for solution in found]
    else:
        graph.graph |= {"name": model.puzzle.name or "solutions"}
        symmetries = model.symmetries.selected(counted or "rotations")
        shape_of = model.layout.option_shape.tolist()  # a hole has the shape -1
        titles = [*(group.title for group in model.groups), ""]
        names = [titles[shape] for shape in shape_of]
        placed = [[one for one in solution.options if shape_of[one] >= 0] for solution in found]
    graph.graph |= {"counted": counted or ("all" if model is None else "rotations")}
    rows = np.full((len(placed), max(map(len, placed))), NONE, np.int32)
    for at, options in enumerate(placed):
        rows[at, : len(options)] = options
    for first, second, changed, motion in _similar(rows, symmetries, differ).tolist():
        theirs = set(symmetries[motion][rows[second]].tolist())
        pieces = sorted(names[one] for one in placed[first] if one not in theirs)
        graph.add_edge(first + 1, second + 1, changed=changed, pieces=" ".join(pieces))
    parts = sorted(map(sorted, networkx.connected_components(graph)), key=lambda p: (-len(p), p))
    for number, part in enumerate(parts, 1):
        networkx.set_node_attributes(graph, dict.fromkeys(part, number), "cluster")
    return graph


def _text(solution: Solution) -> str:
    """A solution as one line: each piece with its cells; of a plain problem, its options."""
    if solution.model is None:
        return " ".join(map(str, solution.names))
    return " ".join(
        f"{placement.piece}:" + "/".join(",".join(map(str, cell)) for cell in placement.cells)
        for placement in solution.placements
    )


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


# -- similar solutions -----------------------------------------------------------------------------


def _similar(rows: IntArray, symmetries: IntArray, most: int) -> Numbers:
    """Every pair of solutions that differ in at most `most` pieces, in order: int64 [pairs, 4].

    In each row are the two solutions by number, the smaller first; how many pieces differ; and the
    symmetry that makes the second solution most like the first. Solutions with different numbers of
    pieces differ in the pieces of the larger one.

    rows        int32 [n, p]: the placements of each solution, NONE behind the last one
    symmetries  int32 [s, placements]: a group of permutations of placements, the identity first
    """
    n, sizes = len(rows), (rows >= 0).sum(axis=1)
    # Small solutions may have nothing in common, so they share one more placement.
    more = symmetries.shape[1]
    rows = np.column_stack([rows, np.where(sizes <= most, more, NONE)])
    often = np.bincount(rows[rows >= 0], minlength=more + 1)
    starts = np.concatenate([[0], np.cumsum(often)])
    holders = np.argsort(rows.ravel(), kind="stable")[(rows < 0).sum() :] // rows.shape[1]
    table = np.zeros((0, 4), np.int64)
    for motion, moved in enumerate(symmetries):
        images = np.append(moved, [more, NONE])[rows]
        times = np.append(often, 0)[images]
        ends, found = np.cumsum(times.sum(axis=1)), [table]
        cuts = np.searchsorted(ends, np.arange(AT_ONCE, ends[-1], AT_ONCE))
        for block in np.split(np.arange(n), cuts):
            many = times[block].ravel()
            second = np.repeat(np.repeat(block, rows.shape[1]), many)
            within = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
            first = holders[np.repeat(starts[images[block].ravel()], many) + within]
            pairs, shared = np.unique((first * n + second)[first < second], return_counts=True)
            first, second = np.divmod(pairs, n)
            larger = np.maximum(sizes[first], sizes[second])
            changed = larger - shared + (larger <= most)
            rated = np.stack([first, second, changed, np.full(len(pairs), motion)], axis=1)
            found.append(rated[changed <= most])
        table = np.concatenate(found)
        table = table[np.lexsort(table.T[[3, 2, 1, 0]])]  # of each pair, the best symmetry first
        table = table[
            np.append(True, (np.diff(table[:, :2], axis=0) != 0).any(axis=1))[: len(table)]
        ]
        if len(table) > MOST_PAIRS:
            raise ExactCoverError(
                f"more than {MOST_PAIRS:,} pairs of solutions are this similar: "
                "choose fewer solutions, or a smaller number of pieces that may differ"
            )
    return table


# -- the pieces of a solution ----------------------------------------------------------------------


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
    check_kind("corners", corners, bool, "True or False")
    if solution.model is None:
        raise ExactCoverError("a solution of a plain problem has no pieces that touch")
    puzzle, placements = solution.model.puzzle, solution.placements
    names = numbered([placement.piece for placement in placements])
    graph: networkx.Graph[Any] = networkx.Graph(name=puzzle.name or "pieces")
    for name, placement, tone in zip(names, placements, tones_of(puzzle, placements), strict=True):
        graph.add_node(name, piece=placement.piece, cells=placement.cells, colour=tone.light)
    owners = np.array(DrawnBoard.of(puzzle).owners(placement.cells for placement in placements))

    def meetings(cells: Csr) -> Counter[tuple[int, int]]:
        """How often cells of two placements are neighbours in a graph of cells."""
        met = np.sort(owners[pairs_of(cells)], axis=1).tolist()
        return Counter((one, other) for one, other in met if 0 <= one < other)

    faces = meetings(neighbour_graph(puzzle.space))
    at_corners = meetings(corner_graph(puzzle.space)) if corners else Counter()
    for one, other in sorted(faces.keys() | at_corners.keys()):
        met = {"faces": faces[one, other]}
        if corners:
            met["corners"] = at_corners[one, other]
        graph.add_edge(names[one], names[other], **met)
    return graph

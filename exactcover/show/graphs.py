"""Graphs of networkx: solutions that are alike, and the pieces of a solution that touch.

Solutions are joined that differ in few pieces, however they are turned. They are found without a
comparison of all pairs. Two solutions that differ in `k` pieces have a set of placements in common:
either one without its `k` changed pieces. So every solution without `k` of its pieces gets a key,
and only solutions with a common key are compared. A key must not depend on how a solution is
turned: it is the least sum of random numbers, one for each placement, over all symmetries. These
form a group, so turned copies of a set have the same key. Different sets have the same key with a
probability of 2^-64, and the comparison finds such a pair out, so the result is exact.

For `n` solutions of `p` pieces these are n * (p choose k) keys. Where there are more keys than
pairs, all pairs are compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from exactcover.base.text.names import numbered
from exactcover.base.values import CONVENTIONS, Convention
from exactcover.base.values.arguments import (
    check_choice,
    check_flag,
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
from exactcover.show.render.parts import owners_on, tones_of

if TYPE_CHECKING:
    import networkx

__all__ = ["Cluster", "clusters", "piece_graph", "solution_graph"]

MOST_PAIRS = 5_000_000
"""A graph with more edges would not fit the memory of a small machine."""

MOST_KEYS = 1 << 26
"""More keys would not fit it either."""

AT_ONCE = 1 << 24
"""The most entries of an array for comparing pairs."""

SEED = 13
"""The seed of the random numbers; the result does not depend on it."""

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
    for number, part in enumerate(clusters(graph), 1):
        networkx.set_node_attributes(graph, dict.fromkeys(part.solutions, number), "cluster")
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
    # Where all have as many pieces, leaving out just `most` is enough. If two have different
    # numbers, fewer pieces are left out of the smaller one.
    there = Counter(sizes.tolist())
    gone = [(size, left) for size in there for left in range(min(most, size) + 1)]
    gone = gone if len(there) > 1 else gone[-1:]
    n_keys = sum(there[size] * comb(size, left) for size, left in gone)
    if n_keys > n * (n - 1) // 2:
        pairs = np.flatnonzero(np.tri(n, k=-1, dtype=bool).T)
    elif n_keys > MOST_KEYS:
        raise ExactCoverError(
            f"{n:,} solutions are too many to compare them: choose fewer solutions, or a smaller "
            "number of pieces that may differ"
        )
    else:
        pairs = _with_common_keys(rows, symmetries, sizes, gone)
    first, second = np.divmod(pairs, n)
    moved = np.pad(symmetries, ((0, 0), (0, 1)), constant_values=NONE - 1)  # NONE equals nothing
    shared, motion = np.empty((2, len(pairs)), np.int64)
    step = max(1, AT_ONCE // max(1, rows.shape[1] ** 2))
    for start in range(0, len(pairs), step):
        part = slice(start, start + step)
        ours, theirs = rows[first[part], :, None], rows[second[part]]
        same = np.array([(ours == one[theirs][:, None]).sum(axis=(1, 2)) for one in moved])
        shared[part], motion[part] = same.max(axis=0), same.argmax(axis=0)
    changed = np.maximum(sizes[first], sizes[second]) - shared
    table = np.stack([first, second, changed, motion], axis=1)
    return np.asarray(table[changed <= most])


def _with_common_keys(
    rows: IntArray, symmetries: IntArray, sizes: Numbers, gone: list[tuple[int, int]]
) -> Numbers:
    """The pairs that have a key in common, each as first * n + second, ascending.

    gone  numbers of pieces, and how many of them are left out of a key
    """
    of_each = np.random.default_rng(SEED).integers(0, 1 << 64, symmetries.shape[1], np.uint64)
    random = of_each[symmetries]  # of each placement, moved by each symmetry
    found = []
    for size, left in gone:
        here = np.flatnonzero(sizes == size)
        for block in np.array_split(here, 1 + len(here) // 4096):
            values = random[:, rows[block, :size].T]  # [symmetries, pieces, solutions]
            whole = values.sum(axis=1)
            for out in combinations(range(size), left):
                found.append(((whole - values[:, list(out)].sum(axis=1)).min(axis=0), block))
    keys, owners = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(keys)
    keys, owners = keys[order], owners[order]
    pairs = np.zeros(0, np.int64)
    starts, apart = np.arange(len(keys)), 0
    while len(starts):  # the owners of equal keys, next to each other, then two apart, and so on
        apart += 1
        starts = starts[starts < len(keys) - apart]
        starts = starts[keys[starts] == keys[starts + apart]]
        one, other = owners[starts], owners[starts + apart]
        more = np.minimum(one, other) * len(rows) + np.maximum(one, other)
        pairs = np.union1d(pairs, more[one != other])
        if len(pairs) > MOST_PAIRS:
            raise ExactCoverError(
                f"more than {MOST_PAIRS:,} pairs of solutions are this similar: "
                "choose fewer solutions, or a smaller number of pieces that may differ"
            )
    return pairs


# -- clusters --------------------------------------------------------------------------------------


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


def clusters(graph: networkx.Graph[Any]) -> list[Cluster]:
    """The clusters of similar solutions, the largest first.

        >>> import exactcover as ec
        >>> graph = ec.solution_graph(ec.read("somacube"), counted="reflections")
        >>> [len(cluster) for cluster in ec.clusters(graph)]
        [239, 1]

    graph  what `solution_graph` made

    One comes from any solution of a cluster to any other by such steps.
    """
    if "differ" not in getattr(graph, "graph", {}):
        raise ExactCoverError(f"{shown(graph)} is no graph of solutions; solution_graph makes one")
    import networkx

    found = []
    for part in networkx.connected_components(graph):
        middle = min(part, key=lambda node: (-graph.degree(node), node))
        found.append(Cluster(tuple(sorted(part)), middle))
    return sorted(found, key=lambda cluster: (-len(cluster), cluster.solutions))


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
    check_flag("corners", corners)
    if solution.model is None:
        raise ExactCoverError("a solution of a plain problem has no pieces that touch")
    puzzle, placements = solution.model.puzzle, solution.placements
    names = numbered([placement.piece for placement in placements])
    graph: networkx.Graph[Any] = networkx.Graph(name=puzzle.name or "pieces")
    for name, placement, tone in zip(names, placements, tones_of(puzzle, placements), strict=True):
        graph.add_node(name, piece=placement.piece, cells=placement.cells, colour=tone.light)
    owners = owners_on(puzzle.space, [placement.cells for placement in placements])

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

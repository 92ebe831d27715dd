"""How two solutions differ: the changes that make one of the other, and the simplest ones.

The pieces that lie elsewhere fall apart into changes that do not depend on each other: pieces whose
places overlap belong together, and so do the old and the new place of a piece. Each change is the
simplest one that explains it: a block that one rigid move takes to its new place, two blocks that
change places, or else pieces that fill the same cells in another way.

A rigid move is a motion of the lattice and a translation. A block is turned, mirrored or moved as a
whole if one rigid move takes each of its pieces to where it lies afterwards. Cells are compared as
positions in the region, so that a wrapped board needs no other code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_kind
from exactcover.errors import ExactCoverError
from exactcover.geometry.cells import CellSet
from exactcover.lattices.base import Cells, Lattice
from exactcover.puzzle import Model, Placement
from exactcover.search.result import Solution
from exactcover.show.graphs.solutions import checked_counted, placed_by, symmetries_for

MOST_TRIED = 8
"""The most symmetries to try, those under which two solutions are most alike."""


@dataclass(frozen=True)
class Transformation:
    """The changes from one solution to another: `str` describes them, `apply` makes them.

    first, second  the solutions
    symmetry       the number of the puzzle's symmetry that turns the second solution so that it is
                   most like the first one; 0: it stays as it is
    kept           the pieces that lie alike in both
    changes        how the others change
    """

    first: Solution
    second: Solution
    symmetry: int
    kept: tuple[Placement, ...]
    changes: tuple[Change, ...]

    @property
    def changed(self) -> int:
        """How many pieces change."""
        gone = sum(len(change.before) for change in self.changes)
        return max(gone, sum(len(change.after) for change in self.changes))

    def apply(self, solution: Solution) -> Solution:
        """The solution that the changes make of one in which these pieces lie as in the first.

            >>> import exactcover as ec
            >>> first, second = ec.solve(ec.read("pentominoes_20x3"))
            >>> ec.differences(first, second).apply(first) == second
            True

        solution  the first solution, or another one of its puzzle
        """
        model = _model_of(solution)
        if model != self.first.model:
            raise ExactCoverError("the solution is one of another puzzle than the transformation")
        options = set(placed_by(solution))
        for change in self.changes:
            gone, come = change.options
            if not gone <= options:
                raise ExactCoverError(
                    f"the change does not apply: {change}, but in this solution not all of them "
                    "lie as in the first one"
                )
            options = (options - gone) | come
        back = np.argsort(model.symmetries.options[self.symmetry])
        images = back[sorted(options)].tolist()
        filled = np.zeros(len(model.free), np.int64)
        for option in images:
            filled[model.cells_of(option)] += 1
        if filled.max(initial=0) > 1:
            raise ExactCoverError(
                "the change does not apply: in this solution other pieces lie where it takes its "
                "pieces"
            )
        holes = [option for option in np.flatnonzero(model.layout.option_shape < 0).tolist()
                 if not filled[model.cells_of(option)].any()]  # fmt: skip
        return Solution(tuple(sorted([*images, *holes])), model.problem, model)

    @property
    def unexplained(self) -> int:
        """How many pieces change without a rigid move."""
        return sum(len(change.before) for change in self.changes if not change.moves)

    @property
    def turn(self) -> str:
        """How the second solution is turned to be most like the first one; empty if it is not."""
        if self.symmetry == 0:
            return ""
        model = _model_of(self.first)
        motion = int(model.symmetries.motions[self.symmetry])
        return RigidMove(model.puzzle.lattice, motion, ()).text

    def __str__(self) -> str:
        lines = [str(change) for change in self.changes] or ["no piece changes"]
        if self.turn:
            lines.append(f"then the whole is {self.turn}")
        return "\n".join(lines)


def differences(
    first: Solution, second: Solution, *, counted: Convention | None = None
) -> Transformation:
    """How two solutions of a puzzle differ: which pieces change, and how.

        >>> import exactcover as ec
        >>> first, second = ec.solve(ec.read("pentominoes_20x3"))
        >>> print(ec.differences(first, second))
        the block of F, L, N, T, W, Y and Z is turned by a half turn

    first    a solution
    second   another one of the same puzzle
    counted  how the second one may be turned first: "rotations", "reflections", or "all": not at
             all. Default: None, "rotations"
    """
    check_kind("first", first, Solution, "a solution")
    check_kind("second", second, Solution, "a solution")
    model = _model_of(first)
    if second.model != model:
        raise ExactCoverError("the two solutions are not of one puzzle")
    symmetries = symmetries_for(model, model.problem, checked_counted(counted))
    ours, turned = set(placed_by(first)), symmetries[:, placed_by(second)]
    shared = [len(ours.intersection(options)) for options in turned.tolist()]
    nearest = np.flatnonzero(np.array(shared) == max(shared))[:MOST_TRIED]
    found = []
    for at in nearest:
        (number, *_) = np.flatnonzero((model.symmetries.options == symmetries[at]).all(axis=1))
        theirs = set(turned[at].tolist())
        before, after = _places(model, ours - theirs), _places(model, theirs - ours)
        kept, changes = (
            placements_of(model, sorted(ours & theirs)),
            changes_of(model, before, after),
        )
        found.append(Transformation(first, second, int(number), kept, changes))
    return min(found, key=lambda one: (one.unexplained, len(one.changes), one.symmetry))


def _model_of(solution: Solution) -> Model:
    if solution.model is None:
        raise ExactCoverError("a solution of a plain problem has no pieces to compare")
    return solution.model


def _places(model: Model, images: Iterable[int]) -> Places:
    """The cells of the region that each image fills."""
    free = model.puzzle.space.find(model.free.cells)
    return {option: frozenset(free[model.cells_of(option)].tolist()) for option in sorted(images)}


# -- changes ---------------------------------------------------------------------------------------

SWAPPED, REPACKED = "swapped", "repacked"

Places = dict[int, frozenset[int]]
"""Options, and the cells of the region that each fills."""

Moving = tuple["RigidMove", tuple[int, ...]]
"""A move, and the pieces that it moves, by number."""


@dataclass(frozen=True)
class Change:
    """Pieces that lie elsewhere, and how they come there.

    kind    `moved`, `turned` or `mirrored`: a block as a whole; `swapped`: two blocks change
            places; `repacked`: the pieces fill their cells in another way, or others do
    before  where the pieces lie in the first solution
    after   where they lie in the second one
    moves   the rigid move of each block, and the pieces of `before` that it moves, by their
            positions there; nothing for `repacked`
    options  the options that go, and those that come, the second solution turned
    """

    kind: str
    before: tuple[Placement, ...]
    after: tuple[Placement, ...]
    moves: tuple[Moving, ...]
    options: tuple[frozenset[int], frozenset[int]] = field(repr=False)

    @property
    def pieces(self) -> tuple[str, ...]:
        """The names of the pieces that change."""
        return tuple(placement.piece for placement in self.before)

    def __str__(self) -> str:
        if self.kind == SWAPPED:
            one, other = (_block(self.before[number].piece for number in block)
                          for _, block in self.moves)  # fmt: skip
            return f"{one} and {other} change places"
        if self.moves:
            return f"{_block(self.pieces)} is {self.moves[0][0].text}"
        cells = {cell for placement in self.before for cell in placement.cells}
        if cells == {cell for placement in self.after for cell in placement.cells}:
            fill = "fills" if len(self.before) == 1 else "fill"
            return f"{_listed(self.pieces)} {fill} the same {len(cells)} cells in another way"
        if not self.before:
            added = [placement.piece for placement in self.after]
            return f"{_listed(added)} {_is(added)} added"
        how = "placed anew" if self.after else "taken away"
        return f"{_listed(self.pieces)} {_is(self.pieces)} {how}"


def changes_of(model: Model, before: Places, after: Places) -> tuple[Change, ...]:
    """The changes, those of most pieces first."""

    def change(kind: str, old: list[int], new: list[int], moves: Iterable[Moving]) -> Change:
        before, after = placements_of(model, old), placements_of(model, new)
        return Change(kind, before, after, tuple(moves), (frozenset(old), frozenset(new)))

    parts = [_Part(model, old, new) for old, new in _independent(model, before, after)]
    changes = []
    while whole := Counter(move for part in parts for move in part.whole_moves):
        move = min(whole, key=lambda one: (-whole[one], one.rank))
        mine = [part for part in parts if move in part.whole_moves]
        parts = [part for part in parts if part not in mine]
        old = sorted(option for part in mine for option in part.before)
        new = sorted(option for part in mine for option in part.after)
        changes.append(change(move.kind, old, new, [(move, tuple(range(len(old))))]))
    for part in parts:
        old, new = sorted(part.before), sorted(part.after)
        swap = part.swap()
        blocks = [(move, tuple(map(old.index, block))) for move, block in swap]
        changes.append(change(SWAPPED if swap else REPACKED, old, new, blocks))
    return tuple(sorted(changes, key=lambda one: (-len(one.before), str(one))))


def _independent(model: Model, before: Places, after: Places) -> list[tuple[Places, Places]]:
    """The parts of a difference: places that overlap, and old and new places of a piece."""
    import networkx

    graph: networkx.Graph[Any] = networkx.Graph()
    graph.add_nodes_from(product(["before"], before))
    graph.add_nodes_from(product(["after"], after))
    for old, here in before.items():
        graph.add_edges_from(
            (("before", old), ("after", new)) for new, there in after.items() if here & there
        )
    shape_of = model.layout.option_shape
    unequal: dict[int, tuple[str, int]] = {}
    for part in list(networkx.connected_components(graph)):
        sums = Counter(int(shape_of[option]) for when, option in part if when == "before")
        sums.subtract(int(shape_of[option]) for when, option in part if when == "after")
        for shape, surplus in sums.items():
            if surplus:
                some = min(part)
                graph.add_edge(some, unequal.setdefault(shape, some))
    return [
        (
            {option: before[option] for when, option in part if when == "before"},
            {option: after[option] for when, option in part if when == "after"},
        )
        for part in networkx.connected_components(graph)
    ]


class _Part:
    """Old and new places of some pieces, and the rigid moves that take old ones to new ones."""

    def __init__(self, model: Model, before: Places, after: Places) -> None:
        self.before, self.after = before, after
        shape_of, space = model.layout.option_shape, model.puzzle.space
        self.moves: dict[RigidMove, dict[int, int]] = {}
        for old, here in before.items():
            for new, there in after.items():
                if shape_of[old] == shape_of[new]:
                    for move in moves_between(space, sorted(here), sorted(there)):
                        self.moves.setdefault(move, {})[old] = new

    @property
    def whole_moves(self) -> list[RigidMove]:
        """The moves that take all pieces to where they lie afterwards."""
        if len(self.before) != len(self.after):
            return []
        return [move for move, block in self.moves.items() if len(block) == len(self.before)]

    def swap(self) -> list[tuple[RigidMove, list[int]]]:
        """Two blocks that change places, with their moves; nothing if there are none."""
        ranked = sorted(self.moves, key=lambda move: (-len(self.moves[move]), move.rank))
        for move in ranked:
            block = self.moves[move]
            rest = self.before.keys() - block.keys()
            for other in ranked:
                if rest and self.moves[other].keys() == rest:
                    back = self.moves[other]
                    if self._take(block, back) and self._take(back, block):
                        return [(move, sorted(block)), (other, sorted(back))]
        return []

    def _take(self, block: Mapping[int, int], other: Mapping[int, int]) -> bool:
        """Whether a block comes to lie where the other one was."""
        ours = frozenset[int]().union(*(self.after[new] for new in block.values()))
        return ours == frozenset[int]().union(*(self.before[old] for old in other))


def placements_of(model: Model, options: Iterable[int]) -> tuple[Placement, ...]:
    """Options as placements; pieces of one shape have one name here."""
    return tuple(
        Placement(
            model.groups[int(model.layout.option_shape[option])].title,
            tuple(map(tuple, model.free.cells[model.cells_of(option)].tolist())),
        )
        for option in options
    )


def _listed(names: Iterable[str]) -> str:
    """Names in order, for a reader: `F, 2 L and N`."""
    many = Counter(names)
    *others, last = (name if many[name] == 1 else f"{many[name]} {name}" for name in sorted(many))
    return f"{', '.join(others)} and {last}" if others else last


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _block(names: Iterable[str]) -> str:
    known = list(names)
    return known[0] if len(known) == 1 else f"the block of {_listed(known)}"


# -- rigid moves -----------------------------------------------------------------------------------


MOVED, TURNED, MIRRORED = "moved", "turned", "mirrored"

SHARES = {2: "half turn", 3: "third of a turn", 4: "quarter turn", 6: "sixth turn"}
"""The part of a whole turn that a rotation of this order is."""


@dataclass(frozen=True)
class RigidMove:
    """A motion of the lattice, then a translation.

    motion  its number in the lattice's point group
    shift   what is added to each vector afterwards
    """

    lattice: Lattice
    motion: int
    shift: tuple[int, ...]

    def cells(self, cells: Cells) -> Cells:
        """Where it takes cells [n, width]."""
        moved = self.lattice.moved(cells, [self.motion])[0]
        vectors = self.lattice.vectors(moved) + np.array(self.shift, np.int64)
        return self.lattice.cells(vectors, self.lattice.kind_numbers(moved))

    @property
    def kind(self) -> str:
        """`moved`: without a turn; `turned`; or `mirrored`, with or without a turn."""
        if not self.lattice.group.proper[self.motion]:
            return MIRRORED
        return MOVED if self._order == 1 else TURNED

    @property
    def text(self) -> str:
        """For a reader: `turned by a half turn`."""
        share = SHARES.get(self._order)
        return f"turned by a {share}" if self.kind == TURNED and share else self.kind

    @property
    def rank(self) -> tuple[int, int, int, tuple[int, ...]]:
        """The sort key: the least of several moves with the same effect on a block is named."""
        kind = (MOVED, TURNED, MIRRORED).index(self.kind)
        return kind, self._order, self.motion, self.shift

    @property
    def _order(self) -> int:
        """How often the motion is repeated until all directions are as before."""
        matrix = self.lattice.group.matrices[self.motion]
        identity = np.eye(self.lattice.dimension, dtype=np.int64)
        power, order = matrix, 1
        while not np.array_equal(power, identity):
            power, order = power @ matrix, order + 1
        return order


def moves_between(space: CellSet, before: Sequence[int], after: Sequence[int]) -> list[RigidMove]:
    """Every rigid move that takes some cells of a region to others, given by their positions."""
    if len(before) != len(after):
        return []
    lattice = space.lattice
    cells, targets = space.cells[list(before)], space.cells[list(after)]
    images = lattice.moved(cells, np.arange(len(lattice.group)))
    vectors, kinds = lattice.vectors(images), lattice.kind_numbers(images)
    found = []
    for target in targets:
        shifts = lattice.vectors(target) - vectors[:, 0]
        there = space.find(lattice.cells(vectors + shifts[:, None], kinds))
        onto = (np.sort(there, axis=1) == sorted(after)).all(axis=1)
        onto &= kinds[:, 0] == lattice.kind_numbers(target)
        found += [
            RigidMove(lattice, int(motion), tuple(shifts[motion].tolist()))
            for motion in np.flatnonzero(onto)
        ]
    return found

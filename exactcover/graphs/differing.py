"""How two solutions differ, as changes that make one of the other.

The pieces that lie elsewhere fall apart into changes that do not depend on each other: pieces whose
places overlap belong together, and so do the old and the new place of a piece. Each change is the
simplest one that explains it: a block that one rigid move takes to its new place, two blocks that
change places, or else pieces that fill the same cells in another way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from exactcover.errors import ExactCoverError
from exactcover.graphs.moves import RigidMove, motion_text, moved_positions, moves_between
from exactcover.graphs.solutions import checked_counted, symmetries_for
from exactcover.problem import IntArray
from exactcover.puzzle import Model, Placement
from exactcover.search.result import Solution
from exactcover.values.arguments import check_kind

SWAPPED, REPACKED = "swapped", "repacked"

MOST_TRIED = 8
"""Of the symmetries under which two solutions are most alike, this many are tried."""

Places = dict[int, frozenset[int]]
"""Options, and the cells of the region that each fills."""


@dataclass(frozen=True)
class Change:
    """Pieces that lie elsewhere, and how they come there.

    kind    `moved`, `turned` or `mirrored`: a block as a whole; `swapped`: two blocks change
            places; `repacked`: the pieces fill their cells in another way
    before  where the pieces lie in the first solution
    after   where they lie in the second one
    moves   the rigid move of each block, and the pieces of `before` that it moves, by their
            positions there; nothing for `repacked`
    """

    kind: str
    before: tuple[Placement, ...]
    after: tuple[Placement, ...]
    moves: tuple[tuple[RigidMove, tuple[int, ...]], ...] = ()

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
        names = self.pieces or tuple(placement.piece for placement in self.after)
        return f"{_listed(names)} {'is' if len(names) == 1 else 'are'} placed anew"


@dataclass(frozen=True)
class Transformation:
    """What makes one solution of another: `str` says it in words, `apply` does it.

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
        return sum(max(len(change.before), len(change.after)) for change in self.changes)

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
        options = set(solution.options)
        known = _options_by_place(model)
        for change in self.changes:
            gone = {known[_key(model, placement)] for placement in change.before}
            if not gone <= options:
                raise ExactCoverError(
                    f"the change does not apply: {change}, but in this solution not all of them "
                    "lie as in the first one"
                )
            options = (options - gone) | {known[key] for key in _after(model, change)}
        back = np.argsort(model.symmetries.options[self.symmetry])
        return Solution(tuple(sorted(back[sorted(options)].tolist())), model.problem, model)

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
        return motion_text(model.puzzle.lattice, int(model.symmetries.motions[self.symmetry]))

    def __str__(self) -> str:
        lines = [str(change) for change in self.changes] or ["no piece changes"]
        if self.turn:
            lines.append(f"then the whole is {self.turn}")
        return "\n".join(lines)


def differences(first: Solution, second: Solution, *, counted: str | None = None) -> Transformation:
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
    turned = symmetries[:, list(second.options)]
    shared = [len(set(first.options) & set(options)) for options in turned.tolist()]
    nearest = np.flatnonzero(np.array(shared) == max(shared))[:MOST_TRIED]
    found = [_transformation(first, second, model, symmetries[number]) for number in nearest]
    return min(found, key=lambda one: (one.unexplained, len(one.changes), one.symmetry))


def _transformation(
    first: Solution, second: Solution, model: Model, turned: IntArray
) -> Transformation:
    """What makes one solution of another that a symmetry turns."""
    number = int(np.flatnonzero((model.symmetries.options == turned).all(axis=1))[0])
    ours = _places(model, first.options)
    theirs = _places(model, turned[list(second.options)].tolist())
    kept = ours.keys() & theirs.keys()
    before = {option: cells for option, cells in ours.items() if option not in kept}
    after = {option: cells for option, cells in theirs.items() if option not in kept}
    changes = _changes(model, before, after)
    return Transformation(first, second, number, _placements(model, sorted(kept)), changes)


# -- where pieces lie -----------------------------------------------------------------------------


def _model_of(solution: Solution) -> Model:
    if solution.model is None:
        raise ExactCoverError("a solution of a plain problem has no pieces to compare")
    return solution.model


def _places(model: Model, options: Iterable[int]) -> Places:
    """The options that are pieces, and the cells of the region that each fills."""
    free = model.puzzle.space.find(model.free.cells)
    return {
        option: frozenset(free[model.cells_of(option)].tolist())
        for option in options
        if model.layout.option_shape[option] >= 0
    }


def _placements(model: Model, options: Iterable[int]) -> tuple[Placement, ...]:
    """Options as placements; pieces of one shape have one name here."""
    return tuple(
        Placement(
            _name(model, option),
            tuple(map(tuple, model.free.cells[model.cells_of(option)].tolist())),
        )
        for option in options
    )


def _name(model: Model, option: int) -> str:
    return model.groups[int(model.layout.option_shape[option])].title


Key = tuple[str, frozenset[int]]


def _key(model: Model, placement: Placement) -> Key:
    positions = model.free.find(np.array(placement.cells, np.int64))
    return placement.piece, frozenset(positions.tolist())


def _options_by_place(model: Model) -> Mapping[Key, int]:
    """Each option by its shape and its cells."""
    return {
        (_name(model, option), frozenset(model.cells_of(option).tolist())): option
        for option in range(model.problem.n_options)
        if model.layout.option_shape[option] >= 0
    }


def _after(model: Model, change: Change) -> list[Key]:
    """Where a change takes its pieces; by its rigid moves, where it has any."""
    if not change.moves:
        return [_key(model, placement) for placement in change.after]
    keys = []
    for move, block in change.moves:
        for number in block:
            name, positions = _key(model, change.before[number])
            keys.append((name, moved_positions(model.free, move, sorted(positions))))
    return keys


# -- which changes there are ----------------------------------------------------------------------


def _changes(model: Model, before: Places, after: Places) -> tuple[Change, ...]:
    """The changes, those of most pieces first."""
    parts = [_Part(model, old, new) for old, new in _independent(model, before, after)]
    changes = []
    while whole := Counter(move for part in parts for move in part.whole_moves):
        move = min(whole, key=lambda one: (-whole[one], one.rank))
        mine = [part for part in parts if move in part.whole_moves]
        parts = [part for part in parts if part not in mine]
        old = sorted(option for part in mine for option in part.before)
        new = sorted(option for part in mine for option in part.after)
        blocks = [(move, [*range(len(old))])]
        changes.append(_change(model, move.kind, old, new, blocks))
    for part in parts:
        old, new = sorted(part.before), sorted(part.after)
        swap = part.swap()
        blocks = [(move, [old.index(option) for option in block]) for move, block in swap]
        changes.append(_change(model, SWAPPED if swap else REPACKED, old, new, blocks))
    return tuple(sorted(changes, key=lambda change: (-len(change.before), str(change))))


def _change(
    model: Model,
    kind: str,
    before: Sequence[int],
    after: Sequence[int],
    blocks: Iterable[tuple[RigidMove, Iterable[int]]],
) -> Change:
    moves = tuple((move, tuple(numbers)) for move, numbers in blocks)
    return Change(kind, _placements(model, before), _placements(model, after), moves)


def _independent(model: Model, before: Places, after: Places) -> list[tuple[Places, Places]]:
    """The parts of a difference: places that overlap, and old and new places of a piece."""
    import networkx

    graph: networkx.Graph[Any] = networkx.Graph()
    graph.add_nodes_from(("before", option) for option in before)
    graph.add_nodes_from(("after", option) for option in after)
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


def _listed(names: Iterable[str]) -> str:
    """Names in order, for a reader: `F, 2 L and N`."""
    many = Counter(names)
    *others, last = (name if many[name] == 1 else f"{many[name]} {name}" for name in sorted(many))
    return f"{', '.join(others)} and {last}" if others else last


def _block(names: Iterable[str]) -> str:
    known = list(names)
    return known[0] if len(known) == 1 else f"the block of {_listed(known)}"

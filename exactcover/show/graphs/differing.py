"""How two solutions differ: a transformation that makes one of the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_kind
from exactcover.errors import ExactCoverError
from exactcover.puzzle import Model, Placement
from exactcover.search.result import Solution
from exactcover.show.graphs.changes import (
    Change,
    Places,
    changes_of,
    motion_text,
    name_of,
    placements_of,
)
from exactcover.show.graphs.solutions import checked_counted, symmetries_for

MOST_TRIED = 8
"""The most symmetries to try, those under which two solutions are most alike."""

Key = tuple[str, frozenset[int]]
"""The name of a shape, and the free cells on which it lies."""


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
        options, shapes = set(_images(model, solution)), model.layout.option_shape
        known = {
            (name_of(model, option), frozenset(model.cells_of(option).tolist())): option
            for option in np.flatnonzero(shapes >= 0).tolist()
        }
        for change in self.changes:
            gone = {known[_key(model, placement)] for placement in change.before}
            if not gone <= options:
                raise ExactCoverError(
                    f"the change does not apply: {change}, but in this solution not all of them "
                    "lie as in the first one"
                )
            options = (options - gone) | {known[key] for key in _after(model, change)}
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
        holes = [option for option in np.flatnonzero(shapes < 0).tolist()
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
        return motion_text(model.puzzle.lattice, int(model.symmetries.motions[self.symmetry]))

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
    ours, turned = set(_images(model, first)), symmetries[:, _images(model, second)]
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


def _images(model: Model, solution: Solution) -> list[int]:
    """The options of a solution that place a piece; others are holes."""
    return [option for option in solution.options if model.layout.option_shape[option] >= 0]


def _places(model: Model, images: Iterable[int]) -> Places:
    """The cells of the region that each image fills."""
    free = model.puzzle.space.find(model.free.cells)
    return {option: frozenset(free[model.cells_of(option)].tolist()) for option in sorted(images)}


def _key(model: Model, placement: Placement) -> Key:
    positions = model.free.find(np.array(placement.cells, np.int64))
    return placement.piece, frozenset(positions.tolist())


def _after(model: Model, change: Change) -> list[Key]:
    """Where a change takes its pieces; by its rigid moves, where it has any."""
    if not change.moves:
        return [_key(model, placement) for placement in change.after]
    keys = []
    for move, block in change.moves:
        for number in block:
            placement = change.before[number]
            there = model.free.find(move.cells(np.array(placement.cells, np.int64)))
            keys.append((placement.piece, frozenset(there.tolist())))
    return keys

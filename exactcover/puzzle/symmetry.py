"""The symmetries of a puzzle, as permutations of its options.

A motion of the lattice is a symmetry of a puzzle if it takes

* the region onto itself, cells that may stay empty to such cells;
* stationary pieces to stationary pieces, as sets of cells;
* where there is paint, every cell to a cell of its colour;
* where there are costs, every image to one that costs as much;
* every shape to a shape of which there are as many copies, and which may cross as much.

The last is a condition only where a piece may not be turned over: then a mirror takes its shape to
the mirror image, and the set of pieces must be closed under that. A piece that may be turned over
is its own mirror image. If every piece may be turned over, mirrors are rotations within what the
pieces may do; if some piece may not, only `reflections` identifies mirror images.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from exactcover.geometry.symmetry import region_symmetries
from exactcover.patience import patiently
from exactcover.problem import IntArray
from exactcover.puzzle.model import Model
from exactcover.puzzle.puzzle import Puzzle


@dataclass(frozen=True, eq=False)
class PuzzleSymmetries:
    """The symmetries of a puzzle, the identity first.

    motions   int64 [s]           numbers in the lattice's group
    cells     int32 [s, cells]    free cell i goes to free cell cells[s, i]
    shapes    int32 [s, shapes]   shape i goes to shape shapes[s, i]
    options   int32 [s, options]  option i goes to option options[s, i]
    rotation  bool [s]            within what the pieces may do
    proper    bool [s]            a turn of the lattice without a mirror
    """

    motions: npt.NDArray[np.int64]
    cells: IntArray
    shapes: IntArray
    options: IntArray
    rotation: npt.NDArray[np.bool_]
    proper: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.motions)

    def selected(self, counted: str) -> IntArray:
        """The permutations of options that identify solutions when they are so counted."""
        if counted == "all":
            return self.options[:1]
        return self.options if counted == "reflections" else self.options[self.rotation]

    def name_of_group(self, solution: Iterable[int], counted: str) -> str:
        """The symmetries that fix a solution: how many they are, and how many of them mirrors."""
        chosen = np.array(sorted(solution), np.int32)
        fixing = (np.sort(self.options[:, chosen], axis=1) == chosen).all(axis=1)
        if counted == "rotations":
            fixing &= self.rotation
        mirrors = int((fixing & ~self.proper).sum())
        with_mirrors = f" ({mirrors} of them mirrors)" if mirrors else ""
        return f"{int(fixing.sum())} symmetries{with_mirrors}"


def puzzle_symmetries(model: Model) -> PuzzleSymmetries:
    """Every symmetry of the puzzle behind a model."""
    puzzle, free = model.puzzle, model.free
    region = region_symmetries(puzzle.space)
    place = puzzle.space.find(free.cells)
    back = np.full(len(puzzle.space), -1, np.int32)
    back[place] = np.arange(len(free), dtype=np.int32)
    optional = model.layout.optional
    paint = None if puzzle.paint is None else puzzle.paint.of_cells(free)
    costs = model.problem.costs
    fixed = _stationary_parts(puzzle)
    mirrored = _mirror_images(model)

    motions, cells, shapes, options, rotation, turns = [], [], [], [], [], []
    for motion, everywhere, proper in patiently(
        zip(region.motions, region.permutations, region.proper, strict=True)
    ):
        onto = np.arange(len(model.groups), dtype=np.int32) if proper else mirrored
        moved = back[everywhere[place]]
        if onto is None or (moved < 0).any() or (optional[moved] != optional).any():
            continue
        if paint is not None and (paint[moved] != paint).any():
            continue
        if {frozenset(everywhere[list(part)].tolist()) for part in fixed} != fixed:
            continue
        permutation = _option_permutation(model, moved, onto)
        if costs is not None and (costs[permutation] != costs).any():
            continue
        motions.append(motion)
        cells.append(moved)
        shapes.append(onto)
        options.append(permutation)
        rotation.append(proper or puzzle.turns_over)
        turns.append(proper)
    return PuzzleSymmetries(
        np.array(motions),
        np.array(cells, np.int32).reshape(len(motions), len(free)),
        np.array(shapes, np.int32).reshape(len(motions), len(model.groups)),
        np.array(options, np.int32).reshape(len(motions), model.problem.n_options),
        np.array(rotation, bool),
        np.array(turns, bool),
    )


def _stationary_parts(puzzle: Puzzle) -> set[frozenset[int]]:
    """The stationary pieces as sets of positions in the region."""
    return {frozenset(puzzle.space.find(piece.cells).tolist()) for piece in puzzle.stationary}


def _mirror_images(model: Model) -> IntArray | None:
    """The shape that is the mirror image of each shape, or None where one is missing."""
    puzzle = model.puzzle
    lattice = puzzle.lattice
    mirrors = np.flatnonzero(~lattice.group.proper)
    if not len(mirrors):
        return None
    pieces = [group.members[0] for group in model.groups]
    by_kind = {puzzle.kind(piece): number for number, piece in enumerate(pieces)}
    onto = []
    for number, piece in enumerate(pieces):
        mirror = replace(piece, cells=lattice.moved(piece.cells, mirrors[:1])[0])
        other = by_kind.get(puzzle.kind(mirror))
        if other is None or tuple(model.layout.copies[other]) != tuple(model.layout.copies[number]):
            return None
        onto.append(other)
    return np.array(onto, np.int32)


def _option_permutation(model: Model, moved: IntArray, onto: IntArray) -> IntArray:
    """Where a symmetry takes each option: the image of the right shape on the moved cells."""
    shape_of = model.layout.option_shape
    starts, cells = model.option_cells
    permutation = np.empty(model.problem.n_options, np.int32)
    for shape in [*range(len(model.groups)), -1]:
        here = np.flatnonzero(shape_of == shape)
        if not len(here):
            continue
        there = np.flatnonzero(shape_of == (onto[shape] if shape >= 0 else -1))
        size = int(starts[here[0] + 1] - starts[here[0]])
        rows = np.sort(moved[cells[starts[here][:, None] + np.arange(size)]], axis=1)
        targets = cells[starts[there][:, None] + np.arange(size)]
        _, number = np.unique(np.concatenate([targets, rows]), axis=0, return_inverse=True)
        number = number.reshape(-1)
        option_of = np.empty(len(there), np.int32)
        option_of[number[: len(there)]] = there
        permutation[here] = option_of[number[len(there) :]]
    return permutation

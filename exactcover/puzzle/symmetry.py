"""The symmetries of a puzzle, as permutations of its options.

A motion of the lattice is a symmetry of a puzzle if it takes

* the region onto itself, cells that may stay empty to such cells;
* stationary pieces to stationary pieces, as sets of cells;
* where there is paint, every cell to a cell of its colour;
* where there are costs, every placement to one that costs as much;
* every placement of a shape to one of that shape: colours may forbid one of them;
* under a mirror, every shape to its mirror image, of which there must be as many copies that may
  cross as much. A piece that may be turned over is its own mirror image, and so is one without
  copies, or one that may not be turned, if it looks the same in the mirror.

If every piece may be turned over, mirrors are rotations within what the pieces may do; if some
piece may not, only `reflections` identifies mirror images. On a wrapped board translations are
rotations too. Where two motions do the same to a small wrapped board, only the first is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactcover.base.patience import patiently
from exactcover.base.values import Convention
from exactcover.errors import PuzzleError
from exactcover.geometry.symmetry import region_symmetries
from exactcover.problem import IntArray

if TYPE_CHECKING:
    from exactcover.puzzle.model import Model
    from exactcover.puzzle.puzzle import Kind

MOST_ENTRIES = 1 << 26
"""The most options that all symmetries of a wrapped board may move together: 256 MB."""


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

    def selected(self, counted: Convention) -> IntArray:
        """The permutations of options that identify solutions when they are so counted."""
        if counted == "all":
            return self.options[:1]
        return self.options if counted == "reflections" else self.options[self.rotation]

    def name_of_group(self, solution: Iterable[int], counted: Convention) -> str:
        """The symmetries that fix a solution: how many they are, and how many of them mirrors."""
        chosen = list(solution)
        among = np.zeros(self.options.shape[1], bool)
        among[chosen] = True
        fixing = among[self.options[:, chosen]].all(axis=1)
        if counted == "rotations":
            fixing &= self.rotation
        return group_words(int(fixing.sum()), int((fixing & ~self.proper).sum()))


def fixing(symmetries: IntArray, options: Sequence[int]) -> int:
    """How many symmetries, int32 [s, options], take a solution to itself."""
    chosen = np.array(sorted(options), np.int32)
    return int((np.sort(symmetries[:, chosen], axis=1) == chosen).all(axis=1).sum())


def group_words(many: int, mirrors: int) -> str:
    """A group of symmetries in words."""
    return f"{many} symmetries" + (f" ({mirrors} of them mirrors)" if mirrors else "")


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
    fixed = {frozenset(puzzle.space.find(piece.cells).tolist()) for piece in puzzle.stationary}
    themselves = [[shape] for shape in range(len(model.groups))]
    mirrored = _mirror_images(model)
    if puzzle.periods is not None and len(region) * model.problem.n_options > MOST_ENTRIES:
        raise PuzzleError(
            f"{len(region):,} symmetries of {model.problem.n_options:,} placements are too many to "
            "keep: count every solution instead of the unique ones"
        )

    known: set[tuple[bytes, bytes]] = set()
    kept = []
    for motion, everywhere, proper in patiently(
        zip(region.motions, region.permutations, region.proper, strict=True)
    ):
        choices = themselves if proper else mirrored
        moved = back[everywhere[place]]
        if choices is None or (moved < 0).any() or (optional[moved] != optional).any():
            continue
        if paint is not None and (paint[moved] != paint).any():
            continue
        if {frozenset(everywhere[list(part)].tolist()) for part in fixed} != fixed:
            continue
        found = _option_permutation(model, moved, choices)
        if found is None:
            continue
        permutation, onto = found
        if costs is not None and (costs[permutation] != costs).any():
            continue
        key = (moved.tobytes(), onto.tobytes())
        if puzzle.periods is not None and key in known:
            continue
        known.add(key)
        kept.append((motion, moved, onto, permutation, proper))
    motions, cells, shapes, options, turns = zip(*kept, strict=True)  # of the identity at least
    return PuzzleSymmetries(
        np.array(motions),
        np.array(cells, np.int32),
        np.array(shapes, np.int32),
        np.array(options, np.int32),
        np.array(turns, bool) | puzzle.turns_over,
        np.array(turns, bool),
    )


def _mirror_images(model: Model) -> list[list[int]] | None:
    """The shapes that are the mirror image of each shape, or None where one has none."""
    puzzle = model.puzzle
    lattice = puzzle.lattice
    mirrors = np.flatnonzero(~lattice.group.proper)
    if not len(mirrors):
        return None
    pieces = [group.members[0] for group in model.groups]
    by_kind: dict[Kind, list[int]] = {}
    for number, piece in enumerate(pieces):
        by_kind.setdefault(puzzle.kind(piece), []).append(number)
    copies = model.layout.copies
    onto = []
    for number, piece in enumerate(pieces):
        mirror = replace(piece, cells=lattice.moved(piece.cells, mirrors[:1])[0])
        kind = puzzle.kind(mirror)
        own = kind == puzzle.kind(piece) or not puzzle.may_turn(piece) or not copies[number, 1]
        alike = [number] if own else by_kind.get(kind, [])
        alike = [other for other in alike if tuple(copies[other]) == tuple(copies[number])]
        if not alike:
            return None
        onto.append(alike)
    return onto


def _option_permutation(
    model: Model, moved: IntArray, choices: Sequence[Sequence[int]]
) -> tuple[IntArray, IntArray] | None:
    """Where a motion takes each option and each shape: to the placements on the moved cells.

    choices  the shapes that each shape may be taken to; the first that has these placements is
    None where some placement is taken to none.
    """
    shape_of = model.layout.option_shape
    starts, cells = model.option_cells
    permutation = np.empty(model.problem.n_options, np.int32)
    onto = np.full(len(model.groups) + 1, -1, np.int32)  # the last entry stands for holes
    for shape, others in enumerate([*choices, [-1]]):
        here = np.flatnonzero(shape_of == (shape if shape < len(model.groups) else -1))
        width = int(starts[here[0] + 1] - starts[here[0]]) if len(here) else 0
        rows = np.sort(moved[cells[starts[here][:, None] + np.arange(width)]], axis=1)
        for other in others:
            there = np.flatnonzero(shape_of == other)
            if len(there) != len(here) or other in onto[:shape]:
                continue
            targets = cells[starts[there][:, None] + np.arange(width)]
            found = _places(rows, targets, len(model.free))
            if found is not None:
                permutation[here] = there[found]
                onto[shape] = other
                break
        else:
            return None
    return permutation, onto[:-1]


def _places(rows: IntArray, targets: IntArray, n_cells: int) -> IntArray | None:
    """For each row its number among the targets, all distinct; None where one is not there."""
    if n_cells ** rows.shape[1] < 1 << 62:
        weights = n_cells ** np.arange(rows.shape[1], dtype=np.int64)
        keys, known = rows @ weights, targets @ weights
    else:
        _, both = np.unique(np.concatenate([targets, rows]), axis=0, return_inverse=True)
        known, keys = np.split(both.reshape(-1), [len(targets)])
    order = np.argsort(known)
    at = np.minimum(np.searchsorted(known[order], keys), max(0, len(known) - 1))
    if (known[order][at] != keys).any():
        return None
    found: IntArray = order[at].astype(np.int32)
    return found

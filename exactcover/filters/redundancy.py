"""The redundancy filter: constrain one piece so that turned copies of a solution do not arise.

The symmetries move the images of a piece of which there is one copy. Keeping one image an orbit
keeps at least one of the symmetric copies of every solution. What duplicates are left - images that
a symmetry fixes, pieces that a mirror takes to another piece - the test in `canonical` removes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.filters.tree import probe
from exactcover.layout import Layout
from exactcover.patience import patiently
from exactcover.problem import IntArray, Problem

GROWTH = 5
"""The tree below an image goes with this power of the number of images that fit beside it."""

CLEARLY = 2
"""What seems so many times less to search is less."""


@dataclass(frozen=True, eq=False)
class Constraint:
    """One shape, constrained to one image an orbit.

    shape    its number in the layout
    allowed  bool [options]: all options but the images taken away
    images   how many images of the shape are left
    left     how many symmetries an image leaves unbroken, on average; 1: only the identity
    """

    shape: int
    allowed: npt.NDArray[np.bool_]
    images: int
    left: float


def single_shapes(layout: Layout) -> IntArray:
    """The shapes of which there is just one copy in every solution: these can be constrained."""
    return np.flatnonzero((layout.copies == 1).all(axis=1)).astype(np.int32)


def constrain(
    layout: Layout, permutations: IntArray, shape: int, alive: npt.NDArray[np.bool_] | None = None
) -> Constraint:
    """Keep the first image of each orbit of this shape's images under the symmetries.

    permutations  int32 [s, options]: the symmetries; alive: the options not filtered out before.
    """
    images = np.flatnonzero(layout.option_shape == shape)
    onto_itself = layout.option_shape[permutations[:, images[0]]] == shape if len(images) else []
    stabiliser = permutations[onto_itself]
    moved = stabiliser[:, images]
    first = moved.min(axis=0, initial=layout.option_shape.size)
    kept = first == images
    if alive is not None:
        kept &= alive[images]
    fixing = (moved[:, kept] == images[kept]).sum(axis=0)
    index = len(permutations) / max(1, len(stabiliser))
    allowed = np.ones(layout.option_shape.size, bool)
    allowed[images[~kept]] = False
    left = float(fixing.mean() * index) if kept.any() else float(len(permutations))
    return Constraint(shape, allowed, int(kept.sum()), left)


def choose_by_estimate(
    problem: Problem,
    layout: Layout,
    permutations: IntArray,
    alive: npt.NDArray[np.bool_],
    *,
    dives: int = 60,
    seed: int = 1,
) -> Constraint | None:
    """The shape whose constraint leaves the smallest tree to search, estimated by random dives."""
    if len(permutations) == 1:
        return None
    sized = []
    for shape in patiently(single_shapes(layout)):
        made = constrain(layout, permutations, int(shape), alive)
        nodes = probe(problem, alive & made.allowed, dives, seed)
        sized.append((nodes, made))
    return min(sized, key=lambda pair: pair[0], default=(0.0, None))[1]


def choose(
    layout: Layout, permutations: IntArray, alive: npt.NDArray[np.bool_] | None = None
) -> Constraint | None:
    """The shape whose constraint leaves fewest symmetries, then fewest images, if there is one."""
    found = _constraints(layout, permutations, alive)
    return min(found, key=lambda made: (round(made.left, 9), made.images), default=None)


def choose_by_room(problem: Problem, layout: Layout, permutations: IntArray) -> Constraint | None:
    """The shape whose constraint leaves clearly the least to search, it seems, else the usual one.

    Below each image of the shape is a tree, the smaller the fewer images fit beside it: a large or
    awkward piece is best placed first, as M. Busche has come to think. The trees of the Tetris Cube
    go with the fifth power of that number or so, for each of its pieces. What symmetries are left
    does not matter: copies that still arise are few beside what is searched in vain. Shapes with
    more than four times the fewest images are left out.
    """
    found = [made for made in _constraints(layout, permutations, None) if made.images]
    fewest = min((made.images for made in found), default=0)
    found = [made for made in found if made.images <= 4 * fewest]
    usual = choose(layout, permutations)
    if usual is None:
        return None
    owner = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
    by_item = owner[np.argsort(problem.entries, kind="stable")]
    ends = np.cumsum(np.bincount(problem.entries, minlength=problem.n_items))

    def work(made: Constraint) -> float:
        images = np.flatnonzero(made.allowed & (layout.option_shape == made.shape))
        fit = 0
        for image in patiently(images.tolist()):
            free = np.ones(problem.n_options, bool)
            for item in problem.items_of(image).tolist():
                free[by_item[ends[item - 1] if item else 0 : ends[item]]] = False
            fit += int(free.sum())
        return float(made.images * (fit / images.size) ** GROWTH)

    best = min(found, key=work)
    return best if CLEARLY * work(best) < work(usual) else usual


def _constraints(
    layout: Layout, permutations: IntArray, alive: npt.NDArray[np.bool_] | None
) -> list[Constraint]:
    """What constraining each shape comes to, of those that can be constrained and have images."""
    if len(permutations) == 1:
        return []
    return [
        constrain(layout, permutations, int(shape), alive)
        for shape in patiently(single_shapes(layout))
        if (layout.option_shape == shape).any()
    ]

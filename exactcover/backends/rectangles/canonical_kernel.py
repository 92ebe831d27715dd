"""The canonical test of solutions by places, compiled: one of each set of images is kept.

A solution is a set of places, each with coordinates and a way to lie. Its key is the sorted list of
the keys of its places, and of all images of a solution the one with the least list is kept. Lists
are compared without sorting: their first entries differ most of the time.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.compiled import jit

Long = npt.NDArray[np.int64]

NEVER = 1 << 62
"""More than any key."""


@jit
def _next(keys: Long, last: int) -> int:
    """The least key above the last one."""
    best = NEVER
    for key in keys:
        if last < key < best:
            best = key
    return best


@jit
def canonical(
    solutions: npt.NDArray[np.int32],
    sizes: Long,
    floor: Long,
    axes: Long,
    mirrored: npt.NDArray[np.bool_],
    image_of: Long,
    out: npt.NDArray[np.bool_],
) -> None:
    """Into `out`: whether each solution is the least of its images.

    solutions  [solutions, places, 1 + axes]: the way, then the coordinates
    sizes      [ways, axes], floor  [axes]: the sizes of each way and of the floor
    axes, mirrored  [motions, axes]: axis a of an image is axis `axes[a]` of the solution, and
               then mirrored or not
    image_of   [motions, ways]: the way of an image
    """
    places, n_axes = solutions.shape[1], floor.size
    own, image = np.empty(places, np.int64), np.empty(places, np.int64)
    for solution in range(len(solutions)):
        least = True
        for motion in range(len(axes) + 1):
            # Motion 0 is the identity; its keys are made in the same way as those of the others.
            for place in range(places):
                way = solutions[solution, place, 0]
                target = way if motion == 0 else image_of[motion - 1, way]
                key = 0
                for axis in range(n_axes - 1, -1, -1):
                    source = axis if motion == 0 else axes[motion - 1, axis]
                    at = solutions[solution, place, 1 + source]
                    if motion > 0 and mirrored[motion - 1, axis]:
                        at = floor[axis] - at - sizes[target, axis]
                    key = key * floor[axis] + at
                key = key * len(sizes) + target
                if motion == 0:
                    own[place] = key
                else:
                    image[place] = key
            if motion == 0:
                continue
            mine, its = -1, -1
            while mine == its and mine < NEVER:
                mine, its = _next(own, mine), _next(image, its)
            if its < mine:
                least = False
                break
        out[solution] = least

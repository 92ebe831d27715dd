"""The canonical test, compiled. See `canonical`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.base.compiled import jit
from exactcover.problem import IntArray


@jit
def fixing(
    permutations: IntArray,
    allowed: npt.NDArray[np.bool_],
    starts: npt.NDArray[np.int64],
    options: IntArray,
    image: IntArray,
    out: IntArray,
) -> None:
    """Into `out`: how many symmetries fix each solution, 0 if the search can find a lesser copy."""
    for solution in range(len(out)):
        first, last = starts[solution], starts[solution + 1]
        size = last - first
        fixed = 1
        for symmetry in range(1, permutations.shape[0]):
            reachable = True
            for place in range(size):
                option = permutations[symmetry, options[first + place]]
                if not allowed[option]:
                    reachable = False
                    break
                at = place
                while at > 0 and image[at - 1] > option:
                    image[at] = image[at - 1]
                    at -= 1
                image[at] = option
            if not reachable:
                continue
            order = 0
            for place in range(size):
                if image[place] != options[first + place]:
                    order = -1 if image[place] < options[first + place] else 1
                    break
            if order < 0:
                fixed = 0
                break
            if order == 0:
                fixed += 1
        out[solution] = fixed

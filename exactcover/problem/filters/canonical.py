"""The exact end of symmetry: keep exactly one of the symmetric copies of each solution.

The copies of a solution are its images under the symmetries. The search can find the copies whose
options the redundancy filter allows. The copy with the least list of options among them is kept. So
nothing is stored, every class of solutions is kept once with every filter, and the symmetries that
fix a solution are counted on the way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.base.compiled import is_loaded
from exactcover.problem import IntArray

FEW = 1 << 18
"""Up to this number of options times symmetries in a batch, numpy takes some hundredths of a
second."""


@dataclass(frozen=True, eq=False)
class Canonical:
    """The test for one search.

    permutations  int32 [s, options]: the symmetries, the identity first
    allowed       bool [options]: the options that the redundancy filter leaves
    """

    permutations: IntArray
    allowed: npt.NDArray[np.bool_]

    def fixing(self, starts: npt.NDArray[np.int64], options: IntArray) -> npt.NDArray[np.int32]:
        """For each solution, the number of symmetries that fix it, or 0 if another copy is kept.

        Solutions are compressed rows of ascending option numbers.
        """
        if not is_loaded() and options.size * len(self.permutations) <= FEW:
            return self._fixing_in_numpy(starts, options)
        from exactcover.problem.filters.kernels import fixing

        out = np.empty(len(starts) - 1, np.int32)
        longest = int(np.diff(starts).max(initial=0))
        fixing(
            self.permutations, self.allowed, starts.astype(np.int64), options,
            np.empty(longest, np.int32), out,
        )  # fmt: skip
        return out

    def _fixing_in_numpy(
        self, starts: npt.NDArray[np.int64], options: IntArray
    ) -> npt.NDArray[np.int32]:
        """The same without compiled code, for a process that has not imported numba."""
        out = np.zeros(len(starts) - 1, np.int32)
        lengths = np.diff(starts)
        for length in np.unique(lengths).tolist():
            rows = np.flatnonzero(lengths == length)
            solutions = options[starts[rows][:, None] + np.arange(length)]
            images = self.permutations[1:, solutions]  # int32 [symmetries, solutions, length]
            reachable = self.allowed[images].all(axis=2)
            images.sort(axis=2)
            order = np.zeros(reachable.shape, np.int64)  # the sign of the first difference
            for place in reversed(range(length)):
                sign = np.sign(images[..., place] - solutions[:, place])
                order = np.where(sign, sign, order)
            fixed = 1 + (reachable & (order == 0)).sum(axis=0)
            fixed[(reachable & (order < 0)).any(axis=0)] = 0
            out[rows] = fixed
        return out

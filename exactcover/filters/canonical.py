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

from exactcover.problem import IntArray


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
        from exactcover.filters.canonical_kernel import fixing

        out = np.empty(len(starts) - 1, np.int32)
        longest = int(np.diff(starts).max(initial=0))
        fixing(
            self.permutations, self.allowed, starts.astype(np.int64), options,
            np.empty(longest, np.int32), out,
        )  # fmt: skip
        return out

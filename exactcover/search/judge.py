"""The judge of a search: which of its solutions are handed out, and how many count.

Where symmetric solutions count once, it keeps one of each. It is needed where the filters of a plan
cannot remove all copies. It may also give each solution a weight.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Slice
from exactcover.search.plan import Plan

NO_SYMMETRY = "no symmetry"


@dataclass(frozen=True, eq=False)
class Judge:
    """The judge of the searches of a plan.

    weights  int64 [options]: a solution counts as often as its options say, and is not handed out;
             None: one that counts at all counts once
    """

    plan: Plan
    weights: npt.NDArray[np.int64] | None = None

    @property
    def looks(self) -> bool:
        """Whether it must see the solutions, even if only their number is wanted."""
        return self.plan.canonical is not None or self.weights is not None

    def __call__(self, made: Slice, *, keep: bool = True) -> Slice:
        """A slice with the solutions that are handed out, and the number of those that count."""
        if self.weights is not None:
            return made.without_rows(found=int(self.weights[made.options].sum()))
        canonical, subject = self.plan.canonical, self.plan.subject
        if canonical is None or subject.model is None:
            if subject.counted == "all" or not made.found:
                return made
            # The filters have removed every copy, so no solution has a symmetry of its own.
            return replace(made, symmetric={NO_SYMMETRY: made.found})
        fixing = canonical.fixing(made.starts, made.options)
        kept, symmetric = np.flatnonzero(fixing), Counter[str]()
        if plain := int((fixing == 1).sum()):
            symmetric[NO_SYMMETRY] += plain
        name = subject.model.symmetries.name_of_group
        for number in np.flatnonzero(fixing > 1).tolist():
            symmetric[name(made.solution(number), subject.counted)] += 1
        if keep:
            return made.selected(kept, found=len(kept), symmetric=symmetric)
        return made.without_rows(found=len(kept), symmetric=symmetric)

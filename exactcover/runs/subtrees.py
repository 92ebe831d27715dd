"""The parts of a plan's tree, which can be searched in any order or side by side.

The first part is the whole tree. A search of a part can hand back branches that it has not begun
(`CuttingSearch.give_back`); each of them is a part again. `Openings` prepare the engines once, at
the root, so the search of a part starts in a tenth of a millisecond to two. The fits and no-fits of
all parts add up to those of one search. Only `fila` below filters at every step makes other lists
in each part, and items with multiplicities may be branched on otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from exactcover.backends.base import Part, Task


@dataclass(frozen=True, eq=False)
class Subtree:
    """A part of the tree.

    task       the options chosen above it, and those allowed below
    remaining  the pieces left there; None: it is the whole tree
    share      how much of the whole tree it is, if sibling branches count equally
    """

    task: Task
    remaining: int | None
    share: float

    def part(self, part: Part) -> Subtree:
        """A part that its search has handed back."""
        return Subtree(part.task, part.remaining, self.share * part.share)

    def __reduce__(self) -> tuple[Callable[..., Subtree], tuple[Any, ...]]:
        """Pickle the options alone, a bit each: the `Openings` of a worker have all the rest."""
        chosen, allowed = np.array(self.task.chosen, np.int32).tobytes(), self.task.allowed
        if allowed is None:
            return _read, (chosen, None, 0, self.remaining, self.share)
        bits = np.packbits(allowed).tobytes()
        return _read, (chosen, bits, allowed.size, self.remaining, self.share)


def _read(
    chosen: bytes, bits: bytes | None, options: int, remaining: int | None, share: float
) -> Subtree:
    """The subtree that was pickled."""
    allowed = None
    if bits is not None:
        allowed = np.unpackbits(np.frombuffer(bits, np.uint8), count=options).astype(bool)
    task = Task(tuple(np.frombuffer(chosen, np.int32).tolist()), allowed)
    return Subtree(task, remaining, share)


WHOLE = Subtree(Task(), None, 1.0)
"""The whole tree of any plan."""

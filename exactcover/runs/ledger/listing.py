"""The solutions of a ledger in a fixed order, whatever workers found them when.

They are sorted by their option numbers. The memory does not grow with their number, as the ledger
is read several times: each time the solutions with some of the least options are kept and sorted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from exactcover.runs.ledger.ledger import Ledger, Rows

AT_ONCE = 1 << 19
"""About how many solutions are sorted at once."""

BLOCK = 1 << 12
"""How many of them become tuples at once."""

NONE = -1
"""The number that fills the rows of shorter solutions."""


def in_order(ledger: Ledger, run: int, at_once: int = AT_ONCE) -> Iterator[tuple[int, ...]]:
    """The solutions of a run as option numbers, sorted.

    at_once  about how many are in memory
    """
    counted: Counter[int] = Counter()
    for rows in ledger.solutions(run):
        counted.update(_first(rows).tolist())
    for least, last in _ranges(counted, at_once):
        rows = _sorted(_within(ledger, run, least, last))
        for begin in range(0, len(rows), BLOCK):
            for row in rows[begin : begin + BLOCK].tolist():
                yield tuple(option for option in row if option != NONE)


def _first(rows: Rows) -> Rows:
    """The least option of each solution."""
    return rows[:, 0] if rows.shape[1] else np.full(len(rows), NONE)


def _ranges(counted: Counter[int], at_once: int) -> Iterator[tuple[int, int]]:
    """Ranges of least options that together have about this number of solutions."""
    least, held = None, 0
    last = NONE
    for option, solutions in sorted(counted.items()):
        if least is not None and held + solutions > at_once:
            yield least, last
            least, held = None, 0
        least = option if least is None else least
        last, held = option, held + solutions
    if least is not None:
        yield least, last


def _within(ledger: Ledger, run: int, least: int, last: int) -> list[Rows]:
    """The solutions whose least option is in a range, an array for each size."""
    kept: dict[int, list[Rows]] = {}
    for rows in ledger.solutions(run):
        first = _first(rows)
        wanted = rows[(first >= least) & (first <= last)]
        if len(wanted):
            kept.setdefault(rows.shape[1], []).append(wanted)
    return [np.concatenate(arrays) for arrays in kept.values()]


def _sorted(arrays: list[Rows]) -> Rows:
    """The rows of arrays in one array, sorted; shorter rows are filled up."""
    widest = max(array.shape[1] for array in arrays)
    together = np.full((sum(map(len, arrays)), widest), NONE, np.int32)
    at = 0
    for array in arrays:
        together[at : at + len(array), : array.shape[1]] = array
        at += len(array)
    return together[np.lexsort(together.T[::-1])] if widest else together

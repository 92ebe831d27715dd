"""How dlx branches by the number of pieces left: the phases of a task, as its kernel reads them.

In every phase, an item without an option comes first and an item with a single branch next. A fixed
order then takes the first open cell in it. Items that are no cells come last. Ties are decided by
the fewest branches, then by number. A user's own heuristic takes the open cell with the lowest
rating, or the item with the fewest branches if no cell is open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactcover.backends.heuristics import Heuristic
from exactcover.backends.heuristics.base import divided
from exactcover.backends.heuristics.orders import BY_LAYOUT, cell_order, random_order, tied_ranks
from exactcover.backends.heuristics.registry import user_heuristic

if TYPE_CHECKING:
    from exactcover.backends.base import Phase
    from exactcover.problem.layout import Layout

Long = npt.NDArray[np.int64]

CLAMPS = {"s": 1 << 29, "f": 2}
"""The heuristics, each with its clamp: the number of branches from which on all items count as
equal.

`s` takes an item with the fewest branches; `f` takes the first item, unless an item has no branch
or a single one. Ties go to the item with the lowest number.
"""

CROWDED = {"n": CLAMPS["s"], "e": CLAMPS["f"]}
"""These take the cell with the fewest open neighbours among items that tie by their clamp."""

HEURISTICS = (*CLAMPS, *CROWDED, "p")
"""The heuristics without an order. `p` is `s`, but a cell comes before a piece in a tie."""

CLAMPED = {**CLAMPS, **CROWDED, "p": CLAMPS["s"]}


@dataclass(frozen=True, eq=False)
class DlxPhases:
    """The phases of a task.

    phase   int64 [pieces + 1]: the phase for each number of pieces left
    clamps  int64 [phases]; ranks int64 [phases, items]: see the kernel
    crowded  int64 [phases]: 1 where open neighbours count
    rates   int64 [phases]: 1 where the user's heuristic `user` rates with `arguments`
    """

    phase: Long
    clamps: Long
    ranks: Long
    crowded: Long
    rates: Long
    user: Heuristic | None = None
    arguments: tuple[float, ...] = ()


def read_phases(
    phases: tuple[Phase, ...], layout: Layout | None, n_items: int, pieces: int
) -> DlxPhases:
    """The phases as tables, for this number of pieces and items."""
    phase = np.zeros(pieces + 1, np.int64)
    clamps, ranks, rates = [], [], []
    user: Heuristic | None = None
    arguments: tuple[float, ...] = ()
    for number, one in enumerate(phases):
        begin = pieces if one.remaining is None else min(one.remaining, pieces)
        if number:
            phase[: begin + 1] = number
        name, written = divided(one.heuristic)
        its = user_heuristic(name)
        rates.append(its is not None)
        if its is not None:
            user, arguments = its, its.values(written)
        clamps.append(CLAMPED.get(one.heuristic, 2))
        ranks.append(_ranks(one.heuristic, layout, n_items, int(one.settings.get("seed", 0))))
    return DlxPhases(
        phase=phase,
        clamps=np.array(clamps, np.int64),
        ranks=np.array(ranks, np.int64),
        crowded=np.array([one.heuristic in CROWDED for one in phases], np.int64),
        rates=np.array(rates, np.int64),
        user=user,
        arguments=arguments,
    )


def _ranks(name: str, layout: Layout | None, n_items: int, seed: int) -> Long:
    if name == "s":
        return np.zeros(n_items, np.int64)
    if name == "f":
        return np.arange(n_items, dtype=np.int64)
    if user_heuristic(name) is not None or (layout is None and name in HEURISTICS):
        return np.zeros(n_items, np.int64)
    if layout is None:  # `random`: every other order needs the places of cells
        return random_order(n_items, seed)
    out = np.full(n_items, layout.n_cells, np.int64)
    if name in HEURISTICS:
        out[layout.cell_item] = 0
        return out
    if name in BY_LAYOUT:
        out[layout.cell_item[cell_order(name, layout, seed)]] = np.arange(layout.n_cells)
    else:
        out[layout.cell_item] = tied_ranks(name, layout.positions)
    return out

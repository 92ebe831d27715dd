"""The phases of a task, parsed: how cells are chosen, by the number of remaining pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import NUMBER, Phase, Setting
from exactcover.backends.heuristics import Heuristic
from exactcover.backends.heuristics.base import divided
from exactcover.backends.heuristics.registry import user_heuristic
from exactcover.backends.open_board import OpenBoard, in_order

if TYPE_CHECKING:
    from exactcover.problem.layout import Layout

Long = npt.NDArray[np.int64]

HEURISTICS = ("f", "e", "s", "n", "p")

NEAR = 6
"""The default number of near cells that are looked at, with a fixed order."""

MOST_ADJACENT = 8
"""The most neighbours of a cell that are looked at."""

MOST_NEAR = 10
"""The most near cells that are ever looked at: each of their states has a row."""


NEARBY = ("", "adjacent", *map(str, range(MOST_NEAR + 1)))

SETTINGS = {
    "nof": Setting(
        f"adjacent, or a number of cells up to {MOST_NEAR}",
        lambda text: text in NEARBY,
        public=True,
    ),
    "seed": NUMBER,
    "words": replace(NUMBER, public=False),
}
"""`nof`: the cells looked at near a cell, 0 for none; `seed` draws the order of `random`; `words`:
the cells take at least this many 64-bit words."""


@dataclass(frozen=True)
class FilaPhase:
    """A phase on a board, with its texts parsed: how cells are chosen while few pieces remain.

    remaining      it holds while at most this many pieces remain; None: from the start

    order          int64 [cells]: the cells in a fixed order; None: chosen by `heuristic`
    most_near, only_adjacent: see `tables.make_lists`
    user, arguments  a user's heuristic and its arguments; None: a built-in one
    """

    heuristic: str
    remaining: int | None
    order: Long | None
    most_near: int
    only_adjacent: bool
    user: Heuristic | None = None
    arguments: tuple[float, ...] = ()


def read(phases: Sequence[Phase], board: OpenBoard, layout: Layout | None) -> list[FilaPhase]:
    """The phases, with orders and settings read."""
    return [_read_one(phase, board, layout) for phase in phases]


def ranks(phase: FilaPhase, numbering: Long) -> Long | None:
    """The place of each cell in the order of a phase, with cells numbered by another order."""
    if phase.order is None:
        return None
    rank = np.empty(numbering.size, np.int64)
    rank[phase.order] = np.arange(numbering.size)
    return rank[numbering]


def _read_one(phase: Phase, board: OpenBoard, layout: Layout | None) -> FilaPhase:
    text, user = phase.heuristic, user_heuristic(phase.heuristic)
    order = None
    if user is None and (text == "f" or text not in HEURISTICS):
        order = in_order(text, board, layout, int(phase.settings.get("seed", 0)))
    most_near, only_adjacent = _near(phase.settings.get("nof", ""), order is not None)
    arguments = () if user is None else user.values(divided(text)[1])
    return FilaPhase(text, phase.remaining, order, most_near, only_adjacent, user, arguments)


def _near(text: str, fixed: bool) -> tuple[int, bool]:
    """How many cells near a cell are looked at, and whether only those that share a side."""
    if text == "adjacent" or (not text and not fixed):
        return MOST_ADJACENT, True
    if not text:
        return NEAR, False
    return int(text), not fixed

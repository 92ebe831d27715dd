"""The phases of a task, read: how cells are chosen from so many remaining pieces on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Phase, Task
from exactcover.backends.board import Board
from exactcover.errors import CapabilityError, StrategyError, UnknownName
from exactcover.heuristics import Heuristic, divided, heuristics
from exactcover.heuristics.orders import cell_order, is_fixed_order, random_order
from exactcover.numerals import SEED_DIGITS, whole_number

if TYPE_CHECKING:
    from exactcover.layout import Layout

Long = npt.NDArray[np.int64]

HEURISTICS = ("f", "e", "s", "n", "p")

COUNTING_BLOCKED = ("e", "n")
"""These ask how many neighbours of a cell are blocked."""

NEAR = 6
"""So many cells near a cell are looked at where nothing else is asked for, in a fixed order."""

MOST_ADJACENT = 8
"""So many of its neighbours are looked at, at most."""

MOST_NEAR = 10
"""More cells near a cell than these are never looked at: each of their states has a row."""

SETTINGS = {
    "nof": "the cells looked at near a cell: a number, 0 for none, or `adjacent`",
    "seed": "a number, which draws the order of `random`",
    "words": "at least so many 64-bit words for the cells",
}


@dataclass(frozen=True)
class Rule:
    """A phase, read: how cells are chosen while no more than so many pieces remain.

    order          int64 [cells]: the cells in a fixed order; None: chosen by `heuristic`
    most_near, only_adjacent: see `tables.make_lists`
    own, arguments  a user's own heuristic with what it is told; None: one of ours
    """

    heuristic: str
    remaining: int | None
    order: Long | None
    most_near: int
    only_adjacent: bool
    own: Heuristic | None = None
    arguments: tuple[float, ...] = ()


def phases_of(task: Task) -> tuple[Phase, ...]:
    """The phases of a task; one, where it names a heuristic alone."""
    return task.phases or (Phase(task.heuristic, None, task.settings),)


def read(phases: Sequence[Phase], board: Board, layout: Layout | None) -> list[Rule]:
    """The phases, with orders and settings read; raises what tells the user what is wrong."""
    rules = [_rule(phase, board, layout) for phase in phases]
    _check_descent(rules)
    told = {rule.heuristic for rule in rules if rule.own is not None}
    if len(told) > 1:
        raise CapabilityError(
            f"fila follows one heuristic of a user's in a search, not {' and '.join(sorted(told))}"
        )
    return rules


def in_order(name: str, board: Board, layout: Layout | None, seed: int = 0) -> Long:
    """The cells of the board in a fixed order; those that lie nowhere come last."""
    nowhere = board.place < 0
    if layout is None:
        if name == "random":
            return random_order(board.n_cells, seed)
        if name != "f":
            raise CapabilityError(
                f"{name!r} orders cells by where they lie, and the problem has none; "
                f"{', '.join(HEURISTICS)} and random need no places"
            )
        return np.arange(board.n_cells)
    rank = np.zeros(layout.n_cells + 1, np.int64)  # the last is of those that lie nowhere
    rank[cell_order(name, layout, seed)] = np.arange(layout.n_cells)
    return np.lexsort((rank[board.place], nowhere)).astype(np.int64)


def ranks(rule: Rule, numbering: Long) -> Long | None:
    """The place of each cell in the order of a rule, cells numbered by another order."""
    if rule.order is None:
        return None
    rank = np.empty(numbering.size, np.int64)
    rank[rule.order] = np.arange(numbering.size)
    return rank[numbering]


def _rule(phase: Phase, board: Board, layout: Layout | None) -> Rule:
    text, (name, written) = phase.heuristic, divided(phase.heuristic)
    own = heuristics().get(name)
    if own is not None and own.rate is None:
        own = None
    if own is None and text not in HEURISTICS and not is_fixed_order(text):
        orders = [one.written for one in heuristics().values() if one.fixed or one.rate]
        raise UnknownName("heuristic of fila", text, (*HEURISTICS, *orders))
    for setting in phase.settings:
        if setting not in SETTINGS:
            raise CapabilityError(f"fila has no setting {setting!r}; it has {', '.join(SETTINGS)}")
    arguments: tuple[float, ...] = ()
    order = None
    if own is not None:
        if layout is None:
            raise CapabilityError(f"{name!r} rates cells, and the problem has none")
        arguments = own.values(written)
    elif text == "f" or text not in HEURISTICS:
        order = in_order(text, board, layout, _seed(phase.settings.get("seed", "0")))
    most_near, only_adjacent = _near(phase.settings.get("nof", ""), order is not None)
    return Rule(text, phase.remaining, order, most_near, only_adjacent, own, arguments)


def _seed(text: str) -> int:
    seed = whole_number(text, SEED_DIGITS)
    if seed is None:
        raise StrategyError(f"seed={text}: it is a number of at most {SEED_DIGITS} digits")
    return seed


def _near(text: str, fixed: bool) -> tuple[int, bool]:
    """How many cells near a cell are looked at, and whether only those that share a side."""
    if text == "adjacent" or (not text and not fixed):
        return MOST_ADJACENT, True
    if not text:
        return NEAR, False
    number = whole_number(text)
    if number is None or number > MOST_NEAR:
        raise StrategyError(f"nof={text}: it is adjacent, or a number of cells up to {MOST_NEAR}")
    return number, not fixed


def _check_descent(rules: Sequence[Rule]) -> None:
    """Each phase must begin where fewer pieces remain than in the one before."""
    for before, after in pairwise(rules):
        late = after.remaining is not None and after.remaining < (before.remaining or 1 << 30)
        if not late:
            raise StrategyError(
                f"the phase {after.heuristic} must begin where fewer pieces remain than the phase "
                f"{before.heuristic} before it"
            )

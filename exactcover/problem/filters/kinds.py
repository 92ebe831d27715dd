"""Filters and triggers as values: a name, and how to apply them.

A filter removes options that no wanted solution has, before the search or again at its upper nodes.
A trigger makes a search backtrack as soon as a table shows that the rest cannot be completed. The
registry has both by name, including the user's own, so a strategy can name them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Protocol

from exactcover.errors import CapabilityError, StrategyError
from exactcover.problem import IntArray, Problem
from exactcover.problem.filters.redundancy import Constraint
from exactcover.problem.filters.tree import CellProblem, FilterState, Flags
from exactcover.problem.filters.triggers import TriggerTable
from exactcover.problem.layout import Layout

NAME = re.compile(r"[a-z][a-z0-9-]*")

NOTHING = "none"
"""The argument of a filter that constrains no piece or cell."""


class Ground(Protocol):
    """The part of a puzzle that filters read; a `Model` is one."""

    @property
    def layout(self) -> Layout:
        """The cells and shapes behind the problem."""

    @property
    def board(self) -> CellProblem:
        """The cells that each option fills."""

    def colourings(self, modulus: int | None = None) -> list[IntArray]:
        """Colours of the cells: of the natural colouring, or of all modulo a number."""

    def shape_called(self, name: str) -> int:
        """The shape of the piece with this name; raises `UnknownName`."""

    def title_of(self, kind: str, number: int) -> str:
        """The name of a piece or a cell of the layout, for a reader."""


@dataclass(frozen=True, eq=False)
class Subtree:
    """The part of a search that a filter is applied to.

    problem       the whole problem
    ground        the puzzle behind it; None: it has no geometry
    chosen        the options chosen already; none before the search
    alive         bool [options]: those that may still be chosen
    permutations  int32 [s, options]: the symmetries that identify solutions; None: all solutions
                  are wanted, or the symmetries are already handled
    applied       the filter, as the strategy says it
    """

    problem: Problem
    ground: Ground | None
    chosen: tuple[int, ...]
    alive: Flags
    permutations: IntArray | None = None
    applied: str = "a filter"

    @cached_property
    def position(self) -> FilterState:
        """The cells filled and the pieces left to place, for a filter that needs cells."""
        return FilterState(self.cells.board, self.chosen, self.alive)

    @property
    def cells(self) -> Ground:
        """The puzzle; raises `CapabilityError` where the problem has none."""
        if self.ground is None:
            raise CapabilityError(
                f"{self.applied}: the filter needs cells, and this problem has none: apply it to a "
                "puzzle, or let it do without them where tree.ground is None"
            )
        return self.ground


@dataclass(frozen=True, eq=False)
class Filtered:
    """The result of a filter.

    alive       bool [options]: the options that may still be chosen
    note        one line for a reader
    forced      options that every solution has
    reason      why there is no solution, if the filter shows it
    constraint  how symmetric copies of solutions were reduced, if they were
    tables      of a trigger
    """

    alive: Flags
    note: str = ""
    forced: tuple[int, ...] = ()
    reason: str = ""
    constraint: Constraint | None = None
    tables: tuple[TriggerTable, ...] = ()


@dataclass(frozen=True, eq=False)
class FilterKind:
    """A filter, or a trigger, which removes nothing and hands out tables instead.

    name        its name in a strategy
    summary     one line: what it removes, or when the search backtracks
    apply       a function of a subtree and the argument; its result is what is left
    argument    what may stand after `=`, in brackets where it may be left out; empty: nothing
    values      the arguments that it takes; empty: any
    every_step  it may be applied again at each step, down to a number of pieces
    cells       it needs the cells of a puzzle
    symmetry    `kept`: with an option it keeps the symmetric ones. `broken`: it removes symmetric
                copies of solutions, so only unique solutions are left to count. `uneven`: it keeps
                every solution, but not with each option the symmetric ones. `unknown`: it may keep
                only some of the symmetric copies of a solution, so unique solutions mean nothing
    trigger     whether it is a trigger
    """

    name: str
    summary: str
    apply: Callable[[Subtree, str | None], Filtered]
    argument: str = ""
    values: tuple[str, ...] = ()
    every_step: bool = False
    cells: bool = False
    symmetry: Literal["kept", "broken", "uneven", "unknown"] = "unknown"
    trigger: bool = False

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise StrategyError(
                f"a filter cannot be called {self.name!r}: use lower-case letters, digits and -"
            )

    @property
    def written(self) -> str:
        """How it is written in a strategy, with its argument."""
        if self.argument.startswith("["):
            return f"{self.name}[={self.argument[1:]}"
        return f"{self.name}={self.argument}" if self.argument else self.name

    def fault(self, argument: str | None, first: bool) -> str:
        """The fault of an argument, or of the word `first` after it; empty: none."""
        if argument is None:
            if self.argument and not self.argument.startswith("["):
                return f"needs an argument, as in {self.name}=..."
        elif not self.argument:
            return "takes no argument"
        elif self.values and argument not in self.values:
            known = ", ".join(f"{self.name}={value}" for value in self.values)
            return f"is not written with {argument!r}: there are {self.name} and {known}"
        if first and (self.symmetry != "broken" or argument == NOTHING):
            return "constrains no piece or cell that could be placed first"
        return ""

    def __call__(self, tree: Subtree, argument: str | None = None) -> Filtered:
        """Apply it; removed options stay removed, with every return value."""
        made = self.apply(tree, argument)
        return replace(made, alive=made.alive & tree.alive)

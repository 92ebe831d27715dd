"""Filters and triggers as values: a name, and how to apply them.

A filter removes options that no wanted solution has, before the search or again at its upper nodes.
A trigger makes a search backtrack as soon as a table shows that the rest cannot be completed. The
registry has both by name, including the user's own, so a strategy can name them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from exactcover.errors import StrategyError
from exactcover.problem.filters.redundancy import Constraint
from exactcover.problem.filters.tree import Flags, Subtree
from exactcover.problem.filters.triggers import TriggerTable

NAME = re.compile(r"[a-z][a-z0-9-]*")

NOTHING = "none"
"""The argument of a filter that constrains no piece or cell."""


@dataclass(frozen=True, eq=False)
class Filtered:
    """The result of a filter.

    alive       bool [options]: the options that may still be chosen
    note        one line for a reader
    constraint  how symmetric copies of solutions were reduced, if they were
    tables      of a trigger
    """

    alive: Flags
    note: str = ""
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
    symmetry    `kept`: with an option it keeps the symmetric ones. `broken`: it removes symmetric
                copies of solutions, so only unique solutions are left to count. `unknown`: it may
                keep only some of the symmetric copies of a solution, so unique solutions mean
                nothing
    trigger     whether it is a trigger
    """

    name: str
    summary: str
    apply: Callable[[Subtree, str | None], Filtered]
    argument: str = ""
    values: tuple[str, ...] = ()
    every_step: bool = False
    symmetry: Literal["kept", "broken", "unknown"] = "unknown"
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

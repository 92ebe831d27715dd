"""A heuristic: a value with a name and the facts that an engine needs to follow it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from exactcover.errors import StrategyError

Rate = Callable[[int, Any], float]
"""The rating of an open cell, from its number and a `State`; the cell with the least is filled
next."""

NAME = re.compile(r"[A-Za-z][\w-]*")

NUMBER = re.compile(r"[+-]?([0-9]{1,9}(\.[0-9]{0,18})?|\.[0-9]{1,18})")
"""An argument: short enough for sums of its multiples to be numbers too."""


@dataclass(frozen=True)
class Heuristic:
    """A way to choose the next branching of a search.

    name       its name in a strategy; arguments follow an @
    summary    one line: which cell comes next
    arguments  their names, as in `x,y`; optional ones are in brackets, and `...` stands for more of
               them
    fixed      it is an order of the cells, the same all through a search
    pieces     it may branch on a piece instead of a cell
    geometry   it needs the places of cells, so it has no meaning for a problem without cells
    seeded     the setting `seed` gives it a seed
    rate       a user's own: the rating of an open cell; None: the engines implement this one by its
               name
    fits       `rate` needs the number of images that fit each open cell
    """

    name: str
    summary: str
    arguments: str = ""
    fixed: bool = False
    pieces: bool = False
    geometry: bool = False
    seeded: bool = False
    rate: Rate | None = None
    fits: bool = False

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise StrategyError(f"a heuristic cannot be called {self.name!r}: letters, digits, -")

    def __reduce__(self) -> Any:
        """Pickle a user's own by its name: the other process must have loaded it too."""
        if self.rate is None:
            return super().__reduce__()
        from exactcover.backends.heuristics.registry import get_heuristic

        return get_heuristic, (self.name,)

    @property
    def written(self) -> str:
        """Its text form, with its arguments."""
        if self.may_be_bare and self.arguments:
            return f"{self.name}[@{self.arguments[1:]}"
        return f"{self.name}@{self.arguments}" if self.arguments else self.name

    @property
    def may_be_bare(self) -> bool:
        """Whether it can be written without arguments."""
        return not self.arguments or self.arguments.startswith("[")

    @property
    def least(self) -> int:
        """The least number of arguments, if it is given any."""
        needed = self.arguments.removeprefix("[").split("[")[0]
        return len(_names(needed))

    @property
    def most(self) -> int | None:
        """The most arguments that it takes; None: any number."""
        return None if "..." in self.arguments else len(_names(self.arguments))

    def values(self, written: str) -> tuple[float, ...]:
        """Its arguments, parsed; raises `StrategyError` if they do not suit it."""
        words = written.split(",") if written else []
        text = f"{self.name}@{written}" if written else self.name
        if not all(NUMBER.fullmatch(word) for word in words):
            raise StrategyError(
                f"{text!r}: after the @ stand numbers of at most 9 digits, as in {self.written}"
            )
        enough = len(words) >= self.least or (not words and self.may_be_bare)
        if not enough or (self.most is not None and len(words) > self.most):
            raise StrategyError(f"{text!r}: it is written {self.written}")
        return tuple(float(word) for word in words)


def _names(text: str) -> list[str]:
    """The names of arguments in a text with brackets and dots."""
    return [word for word in re.split(r"[\[\],]+", text) if word and word != "..."]


def divided(text: str) -> tuple[str, str]:
    """The name and the arguments of a heuristic as it is written."""
    name, _, written = text.partition("@")
    return name, written

"""The outcome of a search, as values: solutions, figures, and a snapshot on the way."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from exactcover.base.text import joined
from exactcover.base.values import Convention, Pictured
from exactcover.problem import Problem
from exactcover.puzzle import Model, Placement
from exactcover.search.plan import Applied


@dataclass(frozen=True)
class Solution(Pictured):
    """One solution: the options that make it up, ascending, and their meaning.

    Two solutions are equal if they have the same options of equal problems.
    """

    options: tuple[int, ...]
    problem: Problem
    model: Model | None = None

    @property
    def names(self) -> tuple[Hashable, ...]:
        """The names of the options, or their numbers if they have no names."""
        return tuple(self.problem.option_name(option) for option in self.options)

    @property
    def cost(self) -> float:
        """The total cost of the options; 0 if the problem has no costs."""
        return self.problem.cost(self.options)

    @property
    def placements(self) -> tuple[Placement, ...]:
        """The pieces in their places; nothing for a problem without geometry."""
        return () if self.model is None else self.model.placements(self.options)

    def __hash__(self) -> int:
        return hash(self.options)

    def __repr__(self) -> str:
        """As much as a line has room for: the items of the options, or the pieces with their first
        cells. `<Solution (1, 3): A C X:1 / B>`, `<Solution of 12 pieces: F 0,3 / I 4,0 / ...>`."""
        if self.model is None:
            numbers = joined(map(str, self.options), ", ")
            items = joined((" ".join(self.problem.words_of(one)) for one in self.options), " / ")
            return f"<Solution ({numbers}){': ' * bool(items)}{items}>"
        placed = self.placements
        pieces = joined((f"{p.piece} {','.join(map(str, p.cells[0]))}" for p in placed), " / ")
        return f"<Solution of {len(placed)} piece{'s' * (len(placed) != 1)}: {pieces}>"


class Remaining(NamedTuple):
    """The options tried while this number of pieces remained, and the stage that tried them."""

    remaining: int
    stage: str
    attempts: int
    fits: int
    nofits: int


@dataclass(frozen=True)
class Result:
    """The outcome of a search so far.

    status     complete, limit, interrupted, impossible; searching while it goes on
    stopped_by which limit ended it, if the status is limit: `time` or `solutions`
    solutions  how many were found
    counted    what counts as one solution: `all`: each solution; `rotations`: solutions that
               rotations take to each other; `reflections`: those that mirrors take to each other,
               too; always `all` for a plain problem
    fits       options chosen; nofits: options tried that did not fit
    seconds    of searching, without those of compilation
    compiling  the seconds in which kernels were compiled
    reason     why there can be no solution, if the status is impossible
    symmetric  how many of the solutions found have each group of symmetries, if that was counted
    applied    the filters applied before the search, with their effects
    why        why the strategy was chosen, if that was measured; else empty
    by_remaining  the fits and no-fits by the number of remaining pieces, the largest first; empty
                  without `tally`, and from an engine that gives totals only
    """

    status: str
    solutions: int
    counted: Convention
    fits: int
    nofits: int
    seconds: float
    strategy: str
    reason: str = ""
    symmetric: Mapping[str, int] = field(default_factory=dict)
    applied: tuple[Applied, ...] = ()
    by_remaining: tuple[Remaining, ...] = ()
    stopped_by: str = ""
    why: str = ""
    compiling: float = 0.0

    def __repr__(self) -> str:
        why = f": {self.reason}" if self.reason else ""
        return f"<Result: {self.status}, {self.found} in {self.seconds:.1f} s{why}>"

    @property
    def found(self) -> str:
        """The number of solutions, for a reader: `2,339 solutions (rotations)`."""
        noun = "solution" if self.solutions == 1 else "solutions"
        return f"{self.solutions:,} {noun} ({self.counted})"

    @property
    def whole(self) -> bool:
        """Whether these are all solutions."""
        return self.status in ("complete", "impossible")

    def record(self) -> dict[str, Any]:
        """The figures for a script, by the keys that all commands use."""
        return {
            "status": self.status,
            "solutions": self.solutions,
            "counted": self.counted,
            "fits": self.fits,
            "nofits": self.nofits,
            "seconds": round(self.seconds, 6),
            "compiling": round(self.compiling, 6),
            "strategy": self.strategy,
        }


def summary(kind: str, result: Result, progress: float) -> str:
    """The state of a search in a line: `<Solving: 120 solutions (all) so far, 12.50% in 1.2 s>`."""
    seconds = f"{result.seconds:.1f} s"
    if result.status == "searching":
        return f"<{kind}: {result.found} so far, {progress:.2%} searched in {seconds}>"
    return f"<{kind}: {result.status}, {result.found} in {seconds}>"

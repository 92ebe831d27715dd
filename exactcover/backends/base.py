"""What an engine is: a frozen record of what it can do, and a resumable search.

The one way to run any engine:

    search = backend.start(problem, layout, task)
    while (batch := search.advance(steps)).status is not Status.DONE: ...

A search holds its whole state in a few arrays, so it can be stopped between any two calls of
`advance` and gone on with later. It never prints, never reads a clock and never starts a thread:
limits, progress and Ctrl-C are the solver's business, and budgets are how the solver has its way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

import numpy as np
import numpy.typing as npt

from exactcover.layout import Layout
from exactcover.problem import IntArray, Problem


class Status(Enum):
    """Why `advance` came back."""

    BUDGET = "budget"  # the steps are spent; there is more to search
    FULL = "full"  # the batch is full; there is more to search
    DONE = "done"  # the whole tree has been searched


@dataclass(frozen=True)
class Capabilities:
    """What an engine can do. `features` are the words of `Problem.needs`."""

    features: frozenset[str]
    heuristics: tuple[str, ...]
    resumable: bool = True
    lists_solutions: bool = True

    def missing(self, problem: Problem) -> frozenset[str]:
        """What the problem needs and the engine lacks."""
        return problem.needs - self.features


@dataclass(frozen=True)
class Task:
    """A subtree of a search: what an engine starts from, or hands to the next one.

    chosen   the options chosen already
    allowed  bool [options]: those that may still be chosen, or None for all of them
    heuristic, settings: how to branch, in the words of the engine's capabilities
    """

    chosen: tuple[int, ...] = ()
    allowed: npt.NDArray[np.bool_] | None = None
    heuristic: str = "s"
    settings: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Batch:
    """What one call of `advance` found: solutions as sorted option numbers, CSR."""

    status: Status
    starts: npt.NDArray[np.int64]
    options: IntArray

    def __len__(self) -> int:
        return self.starts.size - 1

    def solution(self, number: int) -> tuple[int, ...]:
        """The options of one solution of this batch, ascending."""
        return tuple(self.options[self.starts[number] : self.starts[number + 1]].tolist())


class Search(Protocol):
    """A search under way."""

    @property
    def fits(self) -> int:
        """Options chosen so far, over the whole search."""

    @property
    def nofits(self) -> int:
        """Options tried that did not fit; 0 for an engine that only meets options that fit."""

    @property
    def found(self) -> int:
        """Solutions found so far."""

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Search on for about `steps` choices, or until `capacity` solutions are in the batch.

        With `keep` false solutions are counted in `found` but not handed out.
        """

    def progress(self) -> float:
        """How much of the tree is behind it, 0 to 1, taking sibling branches as equals."""

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first: which branch of how many is being searched at each level."""


class Backend(Protocol):
    """An engine. See `backends/template.py` for one to copy."""

    name: str
    summary: str
    capabilities: Capabilities

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> Search:
        """A search of the subtree that the task names, not yet begun."""

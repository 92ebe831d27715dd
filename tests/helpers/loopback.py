"""An engine that searches nothing: it gives back what it was given, to be registered by a test."""

from __future__ import annotations

import numpy as np

from exactcover.backends.base import Backend, Begin, Branching, Capabilities, Slice, Status, Where
from exactcover.backends.node import Node
from exactcover.problem import Problem
from exactcover.problem.layout import Layout


class LoopbackSearch:
    """Its only solution is what the node has chosen and the first options that it allows."""

    def __init__(self, problem: Problem, node: Node) -> None:
        allowed = np.ones(problem.n_options, bool) if node.allowed is None else node.allowed
        self._answer = sorted({*node.chosen, *np.flatnonzero(allowed)[:2].tolist()})
        self._done = False

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        if self._done:
            return Slice(Status.DONE)
        self._done = True
        rows = [self._answer] if keep else []
        return Slice.of(Status.DONE, rows, found=1, fits=17, nofits=4)

    def where(self) -> Where:
        return Where(progress=float(self._done), position=[(0, 1)])


Asked = list[tuple[Problem, Layout | None, Branching]]


def loopback(asked: Asked, name: str, can: Capabilities) -> Backend:
    """The engine; it remembers what it was asked."""

    def prepare(problem: Problem, layout: Layout | None, how: Branching) -> Begin:
        asked.append((problem, layout, how))
        return lambda node, cut: LoopbackSearch(problem, node)

    return Backend(name, "gives back what it is given", can, prepare)


PLAIN = Capabilities(features=frozenset({"secondary"}), heuristics=("h", "i"))

ASKED: Asked = []
"""What the engine below was given: each problem, its layout and how to branch."""

backend = loopback(ASKED, "loopback", PLAIN)

"""A second count by another method, for a number that others will cite.

Two counts say more the less they share. The engines go by four methods: they list the solutions,
they count the states of a frontier, they keep the counts of parts that a listing meets again, or
they leave the problem to a solver. The second count goes by another method than the first, and
without its filters. Nobody can say beforehand which method ends first, so those that can take the
puzzle go on in turns, a slice each, and the first to come to its end is the second count.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from math import inf

from exactcover.base.values import Convention
from exactcover.errors import CapabilityError, StrategyError, TooLarge
from exactcover.problem import Problem
from exactcover.puzzle import Puzzle
from exactcover.search.counting.counts import Counting
from exactcover.search.result import Result
from exactcover.trust.provenance import engines, method

ROUNDS = (("automaton:narrow", "memo:f", "dlx:s", "fila:f"), ("cpsat", "d4"))
"""The strategies that can be the second: those of a round go on in turns. Solvers take long
steps, so they begin when all others have refused; d4 only where it is installed."""

FLOORS = (("skyline", "nooverlap"), *ROUNDS)
"""The same for puzzles whose first engine fills a rectangle with rectangles."""

CANNOT = (CapabilityError, StrategyError, TooLarge)
"""The errors of an engine that cannot take the problem, or has too little memory: it drops out."""


def second_count(
    content: Puzzle | Problem,
    first: str,
    *,
    counted: Convention,
    time_limit: float | None = None,
    pulse: Callable[[], object] = lambda: None,
) -> Result | None:
    """The outcome of a count by another method; None: there was none in time, or none can do it.

    first       the strategy of the first count
    time_limit  seconds of all that go on in turns together. Default: None, no limit
    pulse       called after each slice
    """
    used = {method(name) for name, _ in engines(first)}
    most = inf if time_limit is None else time_limit
    rounds = FLOORS if used & {"floor"} or "nooverlap" in first else ROUNDS
    for names in rounds:
        with ExitStack() as closing:
            turns: list[Counting] = []
            for name in names:
                if method(name.partition(":")[0]) not in used:
                    with suppress(*CANNOT):
                        made = Counting(
                            content, counted=counted, strategy=name, time_limit=time_limit
                        )
                        turns.append(closing.enter_context(made))
            while turns and sum(one.result.seconds for one in turns) <= most:
                for counting in [*turns]:
                    try:
                        counting.step()
                    except CANNOT:
                        turns.remove(counting)
                        continue
                    pulse()
                    result = counting.result
                    if result.status in ("complete", "impossible"):
                        return result
                    if result.status != "searching":
                        turns.remove(counting)
    return None

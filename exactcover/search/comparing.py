"""Comparing strategies: what each of them does, and how long it takes.

Each strategy is estimated in an equal share of the time, see `estimating`: a search that ends
within half of it is made as a whole, and its figures are exact. Of a longer one, subtrees are
searched that are drawn by the same random numbers for all strategies.

The strategies take turns. So there are figures of all of them when the comparison is stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_kind, check_seconds, check_whole
from exactcover.puzzle import Puzzle
from exactcover.puzzle.rectangles import need_cells
from exactcover.search.automatic import candidates, strategy_named
from exactcover.search.clock import Clock
from exactcover.search.estimating import Estimate, Estimating
from exactcover.search.stages import cuttable
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable, Subject

SECONDS = 30.0
"""The default time limit."""

WHOLE = 0.5
"""The part of the time of a strategy in which its whole search is tried."""


@dataclass(frozen=True)
class Comparison:
    """The result of comparing strategies.

    rows        the estimates of the strategies that were measured, the quickest first
    unmeasured  the strategies that were not: the time was over
    status      "complete": the figures of each are exact, or as precise as those of `estimate`;
                "limit"; "interrupted"
    seconds     that it took, without those of compilation, which are `compiling`
    """

    rows: tuple[Estimate, ...]
    unmeasured: tuple[str, ...]
    status: str
    seconds: float
    compiling: float

    @property
    def best(self) -> str | None:
        """The quickest strategy; None: nothing was measured."""
        return self.rows[0].strategy if self.rows else None

    def __repr__(self) -> str:
        many = len(self.rows) + len(self.unmeasured)
        return f"<Comparison of {many}: {self.status}, the best is {self.best}>"


class Comparing:
    """A comparison in progress: `step` goes on, `comparison` is what was found so far.

    `stop` ends it, also from a signal handler. The arguments are those of `compare`.
    """

    def __init__(
        self,
        subject: Solvable,
        strategies: Sequence[Strategy | str] = (),
        *,
        counted: Convention | None = None,
        time_limit: float | None = SECONDS,
        seed: int | None = None,
    ) -> None:
        check_seconds("time_limit", time_limit)
        check_whole("seed", seed, least=0)
        check_kind("strategies", strategies, (list, tuple), "a list of strategies or their texts")
        self._setup = Clock()
        with self._setup.timing():
            self.subject = Subject.of(subject, counted)
            _ = self.subject.permutations  # found once, so that the first strategy takes no longer
            need_cells(self.subject.model, "comparing strategies")
            named = tuple(dict.fromkeys(strategy_named(self.subject, one) for one in strategies))
            given = subject if isinstance(subject, Puzzle) else self.subject.problem
            field = named or tuple(filter(cuttable, candidates(self.subject)))
            self._estimating = [
                Estimating(
                    given,
                    counted=counted,
                    strategy=one,
                    time_limit=None if time_limit is None else time_limit / len(field),
                    seed=seed or 0,
                    searched=inf if time_limit is None else WHOLE,
                )
                for one in field
            ]

    def step(self) -> bool:
        """Go on for about a fiftieth of a second; return whether there is more to do.

        Raises as `Estimating.step` does.
        """
        if going := [one for one in self._estimating if not one.over]:
            min(going, key=lambda one: one.spent).step()
        return not all(one.over for one in going)

    def stop(self) -> None:
        """End it after the step that it is in; any thread or signal handler may call it."""
        for one in self._estimating:
            one.stop()

    @property
    def comparison(self) -> Comparison:
        """The result so far."""
        found = [one.estimate for one in self._estimating]
        rows = [one for one in found if one.batches or one.status in ("exact", "impossible")]
        ends = {one.status for one in found}
        status = "interrupted" if ends & {"interrupted", "estimating"} else "limit"
        return Comparison(
            rows=tuple(sorted(rows, key=lambda row: row.seconds.value)),
            unmeasured=tuple(one.strategy for one in found if one not in rows),
            status=status if ends & {"interrupted", "estimating", "limit"} else "complete",
            seconds=self._setup.working + sum(one.spent for one in found),
            compiling=self._setup.compiling + sum(one.compiling for one in found),
        )


def compare(
    subject: Solvable,
    strategies: Sequence[Strategy | str] = (),
    *,
    counted: Convention | None = None,
    time_limit: float | None = SECONDS,
    seed: int | None = None,
) -> Comparison:
    """Compare strategies: what each does with 1, 2, ... pieces left, and how long it takes.

        >>> import exactcover as ec
        >>> made = ec.compare(ec.read("pentominoes_20x3"), ["fila:f", "dlx:f"])
        >>> for row in made.rows:
        ...     print(row.nodes.value, row.choices.value, row.by_remaining[0].stage)
        71190 199729 fila:f nof=adjacent
        67250 67250 dlx:f

    subject     a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    strategies  strategies or their texts, with engines that can hand over; "auto" is the
                automatic one. Default: (), the automatic one and others that may be quicker
    counted     what counts as one solution, as in `solve`. Default: None, "rotations" for a puzzle
    time_limit  seconds, of which each strategy has an equal share. Default: 30; None: all
                searches are made as a whole, however long they take
    seed        draws other subtrees. Default: None, the same ones each time

    Each row is an `Estimate`, see `estimate`. A search that ends within half of its time is made as
    a whole, and its figures are exact.
    """
    comparing = Comparing(subject, strategies, counted=counted, time_limit=time_limit, seed=seed)
    while comparing.step():
        pass
    return comparing.comparison

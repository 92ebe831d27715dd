"""One problem, solved below each of many sets of given options: ten thousand Sudokus in a call.

    answers = solve_each(problem, givens, limit=2)
    answers.found[7], answers.solution(7)

`SolvingEach` does the same in steps of about a fiftieth of a second. So Ctrl-C takes effect soon,
the answers found until then are kept, and `run` resumes where the search was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from exactcover.backends.planes.tables import Long, can_be_tabled
from exactcover.errors import ExactCoverError
from exactcover.problem import IntArray, Matrix, Options, Problem
from exactcover.search.driver import Pace
from exactcover.search.givens import NOTHING, AllSets, Givens, Part, SetBySet, compressed
from exactcover.search.sharing import Shared
from exactcover.values import Value
from exactcover.values.arguments import check_whole


@dataclass(frozen=True, eq=False)
class Answers(Value):
    """The answers for the sets that are done, in their order.

    found    int64 [sets]      how many solutions each set has, up to the limit
    starts   int64 [sets + 1]  where the first solution of each set begins
    options  int32             first solutions, set after set, each ascending; none where found is 0
    """

    problem: Problem
    found: Long
    starts: Long
    options: IntArray

    def __post_init__(self) -> None:
        self.freeze()

    def __len__(self) -> int:
        return self.found.size

    def solution(self, number: int) -> tuple[int, ...] | None:
        """The first solution of a set, including the given options; None if there is none."""
        if not self.found[number]:
            return None
        number = range(len(self))[number]
        return tuple(self.options[self.starts[number] : self.starts[number + 1]].tolist())

    def __iter__(self) -> Iterator[tuple[int, ...] | None]:
        return (self.solution(number) for number in range(len(self)))

    def __repr__(self) -> str:
        return f"<Answers of {len(self):,} sets, {int((self.found > 0).sum()):,} with a solution>"


class SolvingEach(Shared):
    """A batch in progress. `answers` holds what is done so far; `run` goes on to the end.

    The arguments are those of `solve_each`. `stop` ends it from a signal handler or another thread,
    and `run` then returns the answers so far. `close`, or a `with` statement, also frees its
    memory. Threads may share it.
    """

    def __init__(
        self, subject: Problem | Options | Matrix, givens: Givens, *, limit: int | None = 1
    ) -> None:
        super().__init__()
        if not isinstance(limit, float):  # 2.0 is accepted
            check_whole("limit", limit)
        if limit is not None and (limit < 1 or limit % 1):
            raise ExactCoverError(
                f"a limit of {limit} solutions a set: it must be whole and at least 1, or None"
            )
        problem = Problem.of(subject)
        self.problem, self.limit = problem, None if limit is None else int(limit)
        self._starts, self._given = compressed(problem, givens)
        self._found = np.zeros(len(self), np.int64)
        self._parts: list[Part] = [NOTHING]
        self._pace = Pace(1 << 12)
        search = AllSets if can_be_tabled(problem) else SetBySet
        self._search: AllSets | SetBySet | None
        self._search = search(problem, self.limit, self._starts, self._given)

    def __len__(self) -> int:
        return self._starts.size - 1

    @property
    def done(self) -> int:
        """How many sets are done."""
        return self._parts[-1].done

    @property
    def answers(self) -> Answers:
        """The answers of the sets that are done."""
        parts = tuple(self._parts)
        done = parts[-1].done
        lengths = np.concatenate([part.lengths for part in parts])
        options = np.concatenate([part.options for part in parts])
        starts = np.concatenate([[0], np.cumsum(lengths)])[: done + 1]
        return Answers(self.problem, self._found[:done].copy(), starts, options[: starts[-1]])

    def __repr__(self) -> str:
        done = self.done
        solved = int((self._found[:done] > 0).sum())
        return f"<SolvingEach: {done:,} of {len(self):,} sets done, {solved:,} with a solution>"

    def step(self) -> bool:
        """Go on for about a fiftieth of a second; return whether there is more to do."""
        with self._turn():
            if self._stopped or self._search is None:
                return False
            if self.done < len(self):
                self._advance(self._search)
            return self.done < len(self)

    def _advance(self, search: AllSets | SetBySet) -> None:
        began = perf_counter()
        # Ctrl-C may come anywhere: either the part is appended, or the search hands it out again.
        last = self._parts[-1]
        part = search.advance(self._pace.steps, self._found, last)
        if (part.done, part.held) != (last.done, last.held):
            self._parts.append(part)
        self._pace.learn(perf_counter() - began)

    def _let_go(self) -> None:
        self._search = None

    def run(self) -> Answers:
        """Go on to the end."""
        while self.step():
            pass
        return self.answers


def solve_each(
    subject: Problem | Options | Matrix, givens: Givens, *, limit: int | None = 1
) -> Answers:
    """Solve one problem for each of many sets of given options.

        >>> import exactcover as ec
        >>> answers = ec.solve_each([["a"], ["b"], ["a", "b"], ["b"]], [[0], [2], [0, 2]], limit=2)
        >>> answers.found.tolist(), answers.solution(0)
        ([2, 1, 0], (0, 1))

    subject  a Problem, lists of items, or a matrix of 0 and 1
    givens   the sets: a list of lists of option numbers, or an array with one row per set, filled
             up with -1
    limit    count the solutions of each set up to this number; with 2, you see whether the solution
             is unique. Default: 1. None: count all

    The first solution of every set is kept. A set whose options conflict has no solution.
    """
    return SolvingEach(subject, givens, limit=limit).run()

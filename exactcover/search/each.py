"""One problem, solved below each of many sets of given options: ten thousand Sudokus in a call.

    answers = solve_each(problem, givens, limit=2)
    answers.found[7], answers.solution(7)

`SolvingEach` does the same in steps of about a fiftieth of a second. So Ctrl-C takes effect soon,
the answers found until then are kept, and `run` resumes where the search was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from exactcover.backends import get_backend, started
from exactcover.backends.arrays import Long
from exactcover.backends.base import Branching, Search, Status
from exactcover.backends.node import Node
from exactcover.backends.planes.search import NO_LIMIT, PlanesTables, can_be_tabled
from exactcover.base.values import Value
from exactcover.base.values.arguments import check_whole
from exactcover.errors import ProblemError
from exactcover.problem import IntArray, Matrix, Options, Problem
from exactcover.search.clock import BATCH, Pace, Shared, moment, spent_since

BUFFER = 1 << 18
"""The solutions of the sets that are searched together hold at most about this many options."""

Givens = npt.NDArray[np.integer[Any]] | Iterable[Iterable[int]]
"""Sets of option numbers: a list of lists, or an array with a row per set, filled up with -1."""


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


class TabledSets:
    """Some sets in one compiled search. The arrays hold its whole state, and only the kernel
    changes them, so Ctrl-C between two calls loses nothing."""

    def __init__(self, tables: PlanesTables, limit: int | None, starts: Long, given: Long) -> None:
        from exactcover.backends.planes import kernel

        self._tables, self.sets = tables, starts.size - 1
        self._found = np.zeros(self.sets, np.int64)
        self._registers = np.zeros(kernel.REGISTERS, np.int64)
        self._starts = np.zeros(self.sets + 1, np.int64)
        self._rows = np.empty(self.sets * tables.longest, np.uint32)
        most = NO_LIMIT if limit is None else min(limit, NO_LIMIT)
        rows = tables.row_of[given[starts[0] : starts[-1]]]
        sets = tables.planes, starts - starts[0], rows, tables.levels(), tables.scratch()
        self._state = most, kernel.FIRST, *sets, self._registers, self._found, self._starts

    @property
    def done(self) -> int:
        """How many sets are done."""
        from exactcover.backends.planes.kernel import SET

        return int(self._registers[SET])

    def advance(self, steps: int) -> None:
        """Go on for about this number of fits."""
        from exactcover.backends.planes import kernel

        kernel.solve_sets(steps, *self._state, self._rows)

    def answers(self) -> tuple[Long, Long, IntArray]:
        """Of the sets that are done: the numbers of solutions, and the first ones."""
        done = self.done  # once: another thread may be searching
        starts = self._starts[: done + 1]
        options = self._tables.option_of[self._rows[: starts[-1]]]
        return self._found[:done].copy(), np.diff(starts), options


class SearchedSet:
    """One set, searched by `dlx`, of a problem that is too large for tables of `planes`."""

    sets = 1

    def __init__(self, problem: Problem, limit: int | None, given: Long) -> None:
        self._problem, self._limit = problem, limit
        self._root = Branching(root=Node((*given.tolist(),)))
        self._search: Search | None = None
        self._first: tuple[int, ...] = ()
        self._found = 0
        self._answer: tuple[int, tuple[int, ...]] | None = None

    @property
    def done(self) -> int:
        """Whether the set is done."""
        return int(self._answer is not None)

    def advance(self, steps: int) -> None:
        """Go on for about this number of fits."""
        try:
            self._advance(steps)
        except BaseException:  # usually Ctrl-C: solutions may be lost, so begin this set anew
            self._search, self._first, self._found = None, (), 0
            raise

    def _advance(self, steps: int) -> None:
        if self._search is None:
            try:
                self._search = started(get_backend("dlx"), self._problem, None, self._root)
            except ProblemError:  # the given options conflict, so there is no solution
                self._answer = 0, ()
                return
        # A slice keeps within the capacity only if its solutions are kept.
        room = BATCH if self._limit is None else self._limit - self._found
        keep = not self._first or self._limit is not None
        made = self._search.advance(steps, capacity=min(room, BATCH), keep=keep)
        if not self._first and len(made):
            self._first = made.solution(0)
        self._found += made.found
        if made.status is Status.DONE or self._found == self._limit:
            self._answer = self._found, self._first
            self._search = None

    def answers(self) -> tuple[Long, Long, IntArray]:
        """The number of solutions, and the first one, if the set is done."""
        found, first = ([], ()) if self._answer is None else ([self._answer[0]], self._answer[1])
        lengths = [len(first)] * len(found)
        return np.array(found, np.int64), np.array(lengths, np.int64), np.array(first, np.int32)


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
        check_whole("limit", limit, least=1)
        self.problem, self.limit = Problem.of(subject), limit
        self._starts, self._given = compressed(self.problem, givens)
        self._tables = PlanesTables.of(self.problem) if can_be_tabled(self.problem) else None
        self._parts: list[tuple[int, TabledSets | SearchedSet]] = []  # with the sets before each
        self._pace = Pace(1 << 12)

    def __len__(self) -> int:
        return self._starts.size - 1

    @property
    def done(self) -> int:
        """How many sets are done."""
        before, part = self._parts[-1] if self._parts else (0, None)
        return before + (0 if part is None else part.done)

    @property
    def answers(self) -> Answers:
        """The answers of the sets that are done."""
        done = [part.answers() for _, part in tuple(self._parts)]
        nothing = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int32)
        found, lengths, options = map(np.concatenate, zip(nothing, *done, strict=True))
        return Answers(self.problem, found, np.append(0, np.cumsum(lengths)), options)

    def __repr__(self) -> str:
        answers = self.answers
        solved = int((answers.found > 0).sum())
        done = f"{len(answers):,} of {len(self):,} sets done"
        return f"<SolvingEach: {done}, {solved:,} with a solution>"

    def step(self) -> bool:
        """Go on for about a fiftieth of a second; return whether there is more to do."""
        with self._turn():
            if self._stopped:
                return False
            if (done := self.done) < len(self):
                if not self._parts or self._parts[-1][1].done == self._parts[-1][1].sets:
                    self._parts.append((done, self._part(done)))
                began = moment()
                self._parts[-1][1].advance(self._pace.steps)
                self._pace.learn(spent_since(began))
            return self.done < len(self)

    def _part(self, first: int) -> TabledSets | SearchedSet:
        """The sets that are searched next."""
        if self._tables is None:
            given = self._given[self._starts[first] : self._starts[first + 1]]
            return SearchedSet(self.problem, self.limit, given)
        many = max(1, BUFFER // max(1, self._tables.longest))
        starts = self._starts[first : first + many + 1]
        return TabledSets(self._tables, self.limit, starts, self._given)

    def _let_go(self) -> None:
        self._tables = None

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


def compressed(problem: Problem, givens: Givens) -> tuple[Long, Long]:
    """Sets of options as compressed rows, each option of a set once: starts, and option numbers."""
    if isinstance(givens, np.ndarray):
        if givens.ndim != 2 or not np.issubdtype(givens.dtype, np.integer):
            raise ProblemError(
                "the sets given: an array must hold option numbers in two dimensions, one row a "
                f"set, not {givens.dtype} in {givens.ndim}"
            )
        lengths, flat = (givens >= 0).sum(axis=1), givens[givens >= 0].astype(np.int64)
        if givens.size and givens.min() < -1:
            raise ProblemError(f"a set gives option {givens.min()}; -1 stands for nothing")
    else:
        lengths, flat = _listed(givens)
    set_of = np.repeat(np.arange(lengths.size), lengths)
    for place in np.flatnonzero((flat < 0) | (flat >= problem.n_options))[:1]:
        raise ProblemError(
            f"set {set_of[place]} gives option {flat[place]}; options are "
            f"0..{problem.n_options - 1}"
        )
    keys = set_of * problem.n_options + flat
    if not (keys[1:] > keys[:-1]).all():
        set_of, flat = np.divmod(np.unique(keys), problem.n_options)
    return np.searchsorted(set_of, np.arange(lengths.size + 1)), flat


def _listed(givens: Iterable[Iterable[int]]) -> tuple[Long, Long]:
    """The lengths of listed sets, and their options one behind the other."""
    try:
        rows = list(givens)
        if not {list, tuple}.issuperset(map(type, rows)):
            rows = [list(row) for row in rows]
        sets = cast("list[Sequence[object]]", rows)
        flat = np.array(list(chain.from_iterable(sets)))
    except (TypeError, ValueError):
        raise ProblemError(
            "the sets given: there must be a list of sets, and each must list option numbers"
        ) from None
    if flat.size and not np.issubdtype(flat.dtype, np.integer):
        named = (one for row in sets for one in row if not isinstance(one, int | np.integer))
        wrong = next(named, flat.tolist()[0])
        raise ProblemError(f"the sets given: {wrong!r} is no option number")
    return np.fromiter(map(len, sets), np.int64, len(sets)), flat.astype(np.int64)

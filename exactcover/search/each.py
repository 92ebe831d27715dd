"""One problem, solved below each of many sets of given options: ten thousand Sudokus in a call.

    answers = solve_each(problem, givens, limit=2)
    answers.found[7], answers.solution(7)

`SolvingEach` is the same in pieces: each `step` takes about a fiftieth of a second, so that Ctrl-C
is heard, what was found until then is kept, and `run` goes on where it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.backends import get_backend, started
from exactcover.backends.base import Status, Task
from exactcover.backends.planes.tables import Long, Tables, can_be_tabled
from exactcover.errors import ExactCoverError, ProblemError
from exactcover.problem import IntArray, Matrix, Options, Problem
from exactcover.search.driver import Pace
from exactcover.search.sharing import Shared
from exactcover.values import Value
from exactcover.values.arguments import check_whole

BUFFER = 1 << 18
"""Solutions are handed out when they have filled about this many option numbers."""

Givens = npt.NDArray[np.integer[Any]] | Iterable[Iterable[int]]
"""Sets of option numbers: a list of lists, or an array with one row a set, where -1 is nothing."""


class Part(NamedTuple):
    """What a step came to.

    done     how many sets are done now
    held     of how many sets the first solution is known now: these, and perhaps one more
    lengths  int64, int32 options: the first solutions that are new
    """

    done: int
    held: int
    lengths: Long
    options: IntArray


NOTHING = Part(0, 0, np.zeros(0, np.int64), np.zeros(0, np.int32))


@dataclass(frozen=True, eq=False)
class Answers(Value):
    """What came of the sets that are done, in their order.

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
        """The first solution of a set, what was given included; None where there is none."""
        if not self.found[number]:
            return None
        number = range(len(self))[number]
        return tuple(self.options[self.starts[number] : self.starts[number + 1]].tolist())

    def __iter__(self) -> Iterator[tuple[int, ...] | None]:
        return (self.solution(number) for number in range(len(self)))

    def __repr__(self) -> str:
        return f"<Answers of {len(self)} sets, {int((self.found > 0).sum())} with a solution>"


class SolvingEach(Shared):
    """A batch under way. `answers` tells at any time what is done; `run` goes on to the end.

    The arguments are those of `solve_each`. `stop` ends it from a signal handler or another thread,
    and `run` then gives the answers so far; `close`, or a `with` statement, also lets go of its
    memory. Threads may share it.
    """

    def __init__(
        self, subject: Problem | Options | Matrix, givens: Givens, *, limit: int | None = 1
    ) -> None:
        super().__init__()
        if not isinstance(limit, float):  # 2.0 will do
            check_whole("limit", limit)
        if limit is not None and (limit < 1 or limit % 1):
            raise ExactCoverError(
                f"a limit of {limit} solutions a set: it must be whole and at least 1, or None"
            )
        problem = Problem.of(subject)
        self.problem, self.limit = problem, None if limit is None else int(limit)
        self._starts, self._given = _compressed(problem, givens)
        self._found = np.zeros(len(self), np.int64)
        self._parts: list[Part] = [NOTHING]
        self._pace = Pace(1 << 12)
        self._search: _Kernel | _OneByOne | None = (
            _Kernel(self) if can_be_tabled(problem) else _OneByOne(self)
        )

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
        """Go on for about a fiftieth of a second; whether there is more to do."""
        with self._turn():
            if self._stopped or self._search is None:
                return False
            if self.done < len(self):
                self._advance(self._search)
            return self.done < len(self)

    def _advance(self, search: _Kernel | _OneByOne) -> None:
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
    """Solve a problem below each of many sets of options that are given.

        >>> import exactcover as ec
        >>> answers = ec.solve_each([["a"], ["b"], ["a", "b"], ["b"]], [[0], [2], [0, 2]], limit=2)
        >>> answers.found.tolist(), answers.solution(0)
        ([2, 1, 0], (0, 1))

    subject  a Problem, lists of items, or a matrix of 0 and 1
    givens   the sets: a list of lists of option numbers, or an array of them with one row a set,
             filled up with -1
    limit    count the solutions of each set up to this number; 2 tells whether there is one only.
             Default: 1. None: count all

    Of every set the first solution is kept. A set whose options conflict has no solution.
    """
    return SolvingEach(subject, givens, limit=limit).run()


class _Kernel:
    """All sets in one compiled search."""

    def __init__(self, solving: SolvingEach) -> None:
        from exactcover.backends.planes import kernel

        tables = Tables.of(solving.problem)
        self._option_of = tables.option_of
        most = int(np.iinfo(np.int64).max)
        limit = most if solving.limit is None else min(solving.limit, most)
        self._state = (
            limit,
            kernel.FIRST,
            tables.planes,
            solving._starts,
            tables.row_of[solving._given],
            tables.levels(),
            tables.scratch(),
        )
        self._registers = np.zeros(kernel.REGISTERS, np.int64)
        self._sets = len(solving)
        self._room = max(BUFFER, tables.longest)
        self._before = 0  # of so many sets the first solution was known before this step
        self._starts, self._rows = np.zeros(1, np.int64), np.zeros(0, np.uint32)

    def advance(self, steps: int, found: Long, last: Part) -> Part:
        """Search on after the part that was taken last.

        If that is not what was handed out last, Ctrl-C came in between: it is handed out again.
        """
        from exactcover.backends.planes import kernel

        registers = self._registers
        if last.held == self._before + registers[kernel.HELD]:
            starts = np.zeros(self._sets - int(registers[kernel.SET]) + 1, np.int64)
            self._starts, self._rows = starts, np.empty(self._room, np.uint32)
            registers[kernel.HELD] = registers[kernel.FILLED] = 0
            self._before = last.held
            kernel.solve_sets(steps, *self._state, registers, found, self._starts, self._rows)
        lengths = np.diff(self._starts[: registers[kernel.HELD] + 1])
        done, held = int(registers[kernel.SET]), self._before + lengths.size
        return Part(done, held, lengths, self._option_of[self._rows[: lengths.sum()]])


class _OneByOne:
    """A search of `dlx` for every set, for problems that the tables do not hold."""

    def __init__(self, solving: SolvingEach) -> None:
        self._problem, self._limit = solving.problem, solving.limit
        self._starts, self._given = solving._starts, solving._given
        self._search: Any = None
        self._first: tuple[int, ...] | None = None

    def advance(self, steps: int, found: Long, last: Part) -> Part:
        """Search on in one set; its first solution once it is done."""
        try:
            return self._advance(steps, found, last.done)
        except BaseException:  # Ctrl-C, most of all: solutions may be lost, so begin this set anew
            self._search = self._first = None
            raise

    def _advance(self, steps: int, found: Long, done: int) -> Part:
        if self._search is None:
            given = self._given[self._starts[done] : self._starts[done + 1]]
            try:
                task = Task(tuple(given.tolist()))
                self._search = started(get_backend("dlx"), self._problem, None, task)
            except ProblemError:  # what is given conflicts, so there is no solution
                return self._finish(found, done, 0)
        # Only a batch that is kept is never larger than asked for.
        room = 1 << 12 if self._limit is None else self._limit - self._search.found
        keep = self._first is None or self._limit is not None
        batch = self._search.advance(steps, capacity=min(room, 1 << 12), keep=keep)
        if self._first is None and len(batch):
            self._first = batch.solution(0)
        if batch.status is Status.DONE or self._search.found == self._limit:
            return self._finish(found, done, self._search.found)
        return Part(done, done, NOTHING.lengths, NOTHING.options)

    def _finish(self, found: Long, done: int, many: int) -> Part:
        found[done] = many
        first = self._first or ()
        self._search = self._first = None
        return Part(done + 1, done + 1, np.array([len(first)]), np.array(first, np.int32))


def _compressed(problem: Problem, givens: Givens) -> tuple[Long, Long]:
    """Sets of options as compressed rows, each option of a set once."""
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
        try:
            rows: list[Sequence[object]] = [list(row) for row in givens]
            flat = np.array(list(chain.from_iterable(rows)))
        except (TypeError, ValueError):
            raise ProblemError(
                "the sets given: there must be a list of sets, and each must list option numbers"
            ) from None
        lengths = np.array([len(row) for row in rows], np.int64)
        if flat.size and not np.issubdtype(flat.dtype, np.integer):
            named = (one for row in rows for one in row if not isinstance(one, int | np.integer))
            wrong = next(named, flat.tolist()[0])
            raise ProblemError(f"the sets given: {wrong!r} is no option number")
        flat = flat.astype(np.int64)
    set_of = np.repeat(np.arange(lengths.size), lengths)
    outside = (flat < 0) | (flat >= problem.n_options)
    if outside.any():
        place = int(outside.argmax())
        raise ProblemError(
            f"set {set_of[place]} gives option {flat[place]}; options are "
            f"0..{problem.n_options - 1}"
        )
    keys = set_of * max(problem.n_options, 1) + flat
    if (np.diff(keys) <= 0).any():
        set_of, flat = np.divmod(np.unique(keys), max(problem.n_options, 1))
        lengths = np.bincount(set_of, minlength=lengths.size)
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), flat

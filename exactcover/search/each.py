"""One problem, solved below each of many sets of given options: ten thousand Sudokus in a call.

    answers = solve_each(problem, givens, limit=2)
    answers.found[7], answers.solution(7)

`SolvingEach` does the same in steps of about a fiftieth of a second. So Ctrl-C takes effect soon,
the answers found until then are kept, and `run` resumes where the search was. Its searches survive
Ctrl-C between any two instructions: the next part that they return depends only on the part that
was taken last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from exactcover.backends import get_backend, started
from exactcover.backends.arrays import Long
from exactcover.backends.base import Search, Status, Task
from exactcover.backends.planes.search import PlanesTables, can_be_tabled
from exactcover.base.values import Value
from exactcover.base.values.arguments import check_whole
from exactcover.errors import ExactCoverError, ProblemError
from exactcover.problem import IntArray, Matrix, Options, Problem
from exactcover.search.driver import Pace, Shared, moment, spent_since

BUFFER = 1 << 18
"""Solutions are handed out when they hold about this many option numbers."""

Givens = npt.NDArray[np.integer[Any]] | Iterable[Iterable[int]]
"""Sets of option numbers: a list of lists, or an array with a row per set, filled up with -1."""


class SetsDone(NamedTuple):
    """The outcome of a step.

    done     how many sets are done now
    held     how many sets have a known first solution now: those done, and perhaps one more
    lengths  int64, int32 options: the first solutions that are new
    """

    done: int
    held: int
    lengths: Long
    options: IntArray


NOTHING = SetsDone(0, 0, np.zeros(0, np.int64), np.zeros(0, np.int32))


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


class AllSets:
    """All sets in one compiled search."""

    def __init__(self, problem: Problem, limit: int | None, starts: Long, given: Long) -> None:
        from exactcover.backends.planes import kernel

        tables = PlanesTables.of(problem)
        self._option_of = tables.option_of
        most = int(np.iinfo(np.int64).max)
        most_found = most if limit is None else min(limit, most)
        self._state = (
            most_found,
            kernel.FIRST,
            tables.planes,
            starts,
            tables.row_of[given],
            tables.levels(),
            tables.scratch(),
        )
        self._registers = np.zeros(kernel.REGISTERS, np.int64)
        self._sets = starts.size - 1
        self._room = max(min(BUFFER, self._sets * tables.longest), tables.longest)
        self._before = 0  # sets whose first solution was known before this step
        self._starts, self._rows = np.zeros(1, np.int64), np.zeros(0, np.uint32)

    def advance(self, steps: int, found: Long, last: SetsDone) -> SetsDone:
        """Search on after the part that was taken last.

        If a later part was handed out already, Ctrl-C came in between: that part is handed out
        again.
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
        return SetsDone(done, held, lengths, self._option_of[self._rows[: lengths.sum()]])


class SetBySet:
    """A search of `dlx` for every set, for problems that are too large for tables of `planes`."""

    def __init__(self, problem: Problem, limit: int | None, starts: Long, given: Long) -> None:
        self._problem, self._limit = problem, limit
        self._starts, self._given = starts, given
        self._search: Search | None = None
        self._first: tuple[int, ...] | None = None

    def advance(self, steps: int, found: Long, last: SetsDone) -> SetsDone:
        """Go on with one set; its first solution is handed out once the set is done."""
        try:
            return self._advance(steps, found, last.done)
        except BaseException:  # usually Ctrl-C: solutions may be lost, so begin this set anew
            self._search = self._first = None
            raise

    def _advance(self, steps: int, found: Long, done: int) -> SetsDone:
        if self._search is None:
            given = self._given[self._starts[done] : self._starts[done + 1]]
            try:
                task = Task(tuple(given.tolist()))
                self._search = started(get_backend("dlx"), self._problem, None, task)
            except ProblemError:  # the given options conflict, so there is no solution
                return self._finish(found, done, 0)
        # A batch keeps within the capacity only if its solutions are kept.
        before = self._search.report(brief=True).found
        room = 1 << 12 if self._limit is None else self._limit - before
        keep = self._first is None or self._limit is not None
        batch = self._search.advance(steps, capacity=min(room, 1 << 12), keep=keep)
        if self._first is None and len(batch):
            self._first = batch.solution(0)
        many = self._search.report(brief=True).found
        if batch.status is Status.DONE or many == self._limit:
            return self._finish(found, done, many)
        return SetsDone(done, done, NOTHING.lengths, NOTHING.options)

    def _finish(self, found: Long, done: int, many: int) -> SetsDone:
        found[done] = many
        first = self._first or ()
        self._search = self._first = None
        return SetsDone(done + 1, done + 1, np.array([len(first)]), np.array(first, np.int32))


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
        self._parts: list[SetsDone] = [NOTHING]
        self._pace = Pace(1 << 12)
        kind = AllSets if can_be_tabled(problem) else SetBySet
        self._search: AllSets | SetBySet | None = kind(
            problem, self.limit, self._starts, self._given
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
        """Go on for about a fiftieth of a second; return whether there is more to do."""
        with self._turn():
            if self._stopped or self._search is None:
                return False
            if self.done < len(self):
                began, last = moment(), self._parts[-1]
                part = self._search.advance(self._pace.steps, self._found, last)
                # Ctrl-C may come before this: then the search hands the part out again.
                if (part.done, part.held) != (last.done, last.held):
                    self._parts.append(part)
                self._pace.learn(spent_since(began))
            return self.done < len(self)

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
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    if flat.min(initial=0) < 0 or flat.max(initial=-1) >= problem.n_options:
        place = int(((flat < 0) | (flat >= problem.n_options)).argmax())
        raise ProblemError(
            f"set {np.searchsorted(starts, place, side='right') - 1} gives option {flat[place]}; "
            f"options are 0..{problem.n_options - 1}"
        )
    ascends = flat[1:] > flat[:-1]
    ascends[starts[(starts > 0) & (starts < flat.size)] - 1] = True  # from a set to the next
    if not ascends.all():
        keys = np.repeat(np.arange(lengths.size), lengths) * problem.n_options + flat
        set_of, flat = np.divmod(np.unique(keys), problem.n_options)
        lengths = np.bincount(set_of, minlength=lengths.size)
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return starts, flat


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

"""Sets of options that are given to one problem, and the searches that go through them in order.

`AllSets` is one compiled search of all sets. `SetBySet` runs one search of `dlx` for each set, for
problems that are too large for the tables of `planes`. Both survive Ctrl-C between any two
instructions: the next part that they hand out depends only on the part that was taken last.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from exactcover.backends import get_backend, started
from exactcover.backends.base import Search, Status, Task
from exactcover.backends.planes.tables import Long, Tables
from exactcover.errors import ProblemError
from exactcover.problem import IntArray, Problem

BUFFER = 1 << 18
"""Solutions are handed out when they hold about this many option numbers."""

Givens = npt.NDArray[np.integer[Any]] | Iterable[Iterable[int]]
"""Sets of option numbers: a list of lists, or an array with a row per set, filled up with -1."""


class Part(NamedTuple):
    """The outcome of a step.

    done     how many sets are done now
    held     how many sets have a known first solution now: those done, and perhaps one more
    lengths  int64, int32 options: the first solutions that are new
    """

    done: int
    held: int
    lengths: Long
    options: IntArray


NOTHING = Part(0, 0, np.zeros(0, np.int64), np.zeros(0, np.int32))


class AllSets:
    """All sets in one compiled search."""

    def __init__(self, problem: Problem, limit: int | None, starts: Long, given: Long) -> None:
        from exactcover.backends.planes import kernel

        tables = Tables.of(problem)
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

    def advance(self, steps: int, found: Long, last: Part) -> Part:
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
        return Part(done, held, lengths, self._option_of[self._rows[: lengths.sum()]])


class SetBySet:
    """A search of `dlx` for every set, for problems that are too large for the tables."""

    def __init__(self, problem: Problem, limit: int | None, starts: Long, given: Long) -> None:
        self._problem, self._limit = problem, limit
        self._starts, self._given = starts, given
        self._search: Search | None = None
        self._first: tuple[int, ...] | None = None

    def advance(self, steps: int, found: Long, last: Part) -> Part:
        """Go on with one set; its first solution is handed out once the set is done."""
        try:
            return self._advance(steps, found, last.done)
        except BaseException:  # usually Ctrl-C: solutions may be lost, so begin this set anew
            self._search = self._first = None
            raise

    def _advance(self, steps: int, found: Long, done: int) -> Part:
        if self._search is None:
            given = self._given[self._starts[done] : self._starts[done + 1]]
            try:
                task = Task(tuple(given.tolist()))
                self._search = started(get_backend("dlx"), self._problem, None, task)
            except ProblemError:  # the given options conflict, so there is no solution
                return self._finish(found, done, 0)
        # A batch keeps within the capacity only if its solutions are kept.
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

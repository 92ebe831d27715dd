"""One problem, solved below each of many sets of given options: ten thousand Sudokus in a call.

answers = solve_each(problem, givens, limit=2)
answers.found[7], answers.solution(7)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import cast

import numpy as np

from exactcover.backends import get_backend, started
from exactcover.backends.arrays import Long
from exactcover.backends.base import Branching, Status
from exactcover.backends.node import Node, Residue
from exactcover.backends.planes.search import NO_LIMIT, PlanesTables, can_be_tabled
from exactcover.base.values import Value
from exactcover.base.values.arguments import check_whole
from exactcover.errors import ProblemError
from exactcover.problem import IntArray, Matrix, Options, Problem
from exactcover.search.clock import BATCH

BUFFER = 1 << 15
"""The solutions of the sets that are searched together hold at most about this many options."""

STEPS = 1 << 12
"""The fits of a slice."""

Givens = Iterable[Iterable[int]]
"""Sets of option numbers."""


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


def solve_each(
    subject: Problem | Options | Matrix, givens: Givens, *, limit: int | None = 1
) -> Answers:
    """Solve one problem for each of many sets of given options.

        >>> import exactcover as ec
        >>> answers = ec.solve_each([["a"], ["b"], ["a", "b"], ["b"]], [[0], [2], [0, 2]], limit=2)
        >>> answers.found.tolist(), answers.solution(0)
        ([2, 1, 0], (0, 1))

    subject  a Problem, lists of items, or a matrix of 0 and 1
    givens   the sets: a list of lists of option numbers
    limit    count the solutions of each set up to this number; with 2, you see whether the solution
             is unique. Default: 1. None: count all

    The first solution of every set is kept. A set whose options conflict has no solution.
    """
    check_whole("limit", limit, least=1)
    problem = Problem.of(subject)
    solve = _tabled if can_be_tabled(problem) else _searched
    none = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int32)
    answered = [none, *solve(problem, *compressed(problem, givens), limit)]
    found, lengths, options = map(np.concatenate, zip(*answered, strict=True))
    return Answers(problem, found, np.append(0, np.cumsum(lengths)), options)


Answered = tuple[Long, Long, IntArray]
"""Of some sets: the solutions of each, the length of the first one of each, and their options."""


def _tabled(
    problem: Problem, given_starts: Long, given: Long, limit: int | None
) -> Iterator[Answered]:
    """Solve the sets in the kernel of `planes`, many in a call."""
    from exactcover.backends.planes.kernel import FIRST, REGISTERS, SET, solve_sets

    tables = PlanesTables.of(problem, Residue.of(problem, Node()))
    most = NO_LIMIT if limit is None else min(limit, NO_LIMIT)
    many = max(1, BUFFER // max(1, tables.longest))
    for first in range(0, given_starts.size - 1, many):
        starts = given_starts[first : first + many + 1]
        rows_given = tables.row_of[given[starts[0] : starts[-1]]]
        sets = starts.size - 1
        found, registers = np.zeros(sets, np.int64), np.zeros(REGISTERS, np.int64)
        ends, rows = np.zeros(sets + 1, np.int64), np.empty(sets * tables.longest, np.uint32)
        search = tables.planes, starts - starts[0], rows_given, tables.levels(), tables.scratch()
        while registers[SET] < sets:  # in steps, for Ctrl-C
            solve_sets(STEPS, most, FIRST, *search, registers, found, ends, rows)
        yield found, np.diff(ends), tables.option_of[rows[: ends[-1]]]


def _searched(
    problem: Problem, given_starts: Long, given: Long, limit: int | None
) -> Iterator[Answered]:
    """Solve each set by `dlx`: the problem is too large for tables of `planes`."""
    for start, end in pairwise(given_starts.tolist()):
        root = Node((*given[start:end].tolist(),))
        first: tuple[int, ...] = ()
        found, search = 0, None
        with suppress(ProblemError):  # the given options conflict, so there is no solution
            search = started(get_backend("dlx"), problem, None, Branching(root=root))
        while search is not None and found != limit:
            room = BATCH if limit is None else min(limit - found, BATCH)
            made = search.advance(STEPS, capacity=room)
            if not found and made.found:
                first = made.solution(0)
            found += made.found
            if made.status is Status.DONE:
                break
        yield np.array([found]), np.array([len(first)]), np.array(first, np.int32)


def compressed(problem: Problem, givens: Givens) -> tuple[Long, Long]:
    """Sets of options as compressed rows, each option of a set once: starts, and option numbers."""
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
    lengths, flat = np.fromiter(map(len, sets), np.int64, len(sets)), flat.astype(np.int64)
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

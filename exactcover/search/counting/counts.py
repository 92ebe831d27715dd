"""Counting: the number of solutions in the quickest way, by listing them or by states.

Without a named strategy the work of both is compared, see `choice`. A strategy that names an engine
which keeps states, for example `automaton`, uses that engine alone, see `states`.

The parts of a plain problem that no option joins are counted one by one, and their numbers
multiplied. Each part is counted in its own best way: one may have few states, another only few
solutions. Small parts stay together, so that a problem of thousands of them does not begin
thousands of counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from exactcover.backends.arrays import Long
from exactcover.backends.base import Slice, Status, Where
from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_whole
from exactcover.errors import CapabilityError, ExactCoverError, LimitReached
from exactcover.problem import IntArray, Problem
from exactcover.search.automatic import automatic
from exactcover.search.begun import Begun, Team, begin_listing
from exactcover.search.choice import ListingOrStates
from exactcover.search.counting.states import (
    begin_states,
    by_orbits,
    names_a_counter,
)
from exactcover.search.session import Session
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable, Subject

SMALL = 1 / 16
"""A part with a smaller share of the options is counted together with other small ones."""


class Counting(Session):
    """A count under way, with the interface of `Solving`: `step`, `run`, `stop`, `close`, `result`.

    Threads may share it: they count in turns, and all get the same number in the end.

    strategy  how to count; an engine that counts states lists nothing. None: see above
    limit     stop once this number of solutions is counted; `found` is never more
    tally     count the options tried by the number of pieces left. It lists: states have no tally
    memory    MiB that states may take, if no strategy is named; None: the engine's default
    team      who lists solutions and keeps states; None: the thread that advances the count
    """

    def __init__(
        self,
        subject: Solvable,
        *,
        counted: Convention | None = None,
        strategy: Strategy | str | None = None,
        limit: int | None = None,
        time_limit: float | None = None,
        tally: bool = False,
        memory: int | None = None,
        team: Team | None = None,
    ) -> None:
        check_whole("memory", memory)
        if memory is not None and memory < 1:
            raise ExactCoverError(f"a memory of {memory} MiB: it must be at least 1")
        self._memory = memory
        super().__init__(
            subject,
            counted=counted,
            strategy=strategy,
            limit=limit,
            time_limit=time_limit,
            tally=tally,
            team=team,
        )

    def _set_up(self) -> None:
        super()._set_up()
        self._by_states = self._named is not None and names_a_counter(self._named)

    def _chosen_strategy(self) -> Strategy:
        return automatic(by_orbits(self.subject) or self.subject)

    def _make(self) -> Begun:
        if self._by_states:
            return begin_states(self.subject, self.strategy, team=self._team)
        parts = [] if self._lists or self.model is not None else parts_of(self.problem)
        if len(parts) > 1:
            begins = [partial(self._begin, Subject(part)) for part in parts]
            why = f"the last of {len(parts)} parts that no option joins"
            return Begun(Product(begins), self.strategy, why=why)
        return self._begin(self.subject)

    @property
    def _lists(self) -> bool:
        """Whether it must list: states have no tally, and no first solutions."""
        return self._named is not None or self._tally or self.limit is not None

    def _begin(self, subject: Subject) -> Begun:
        """Begin the count of the subject, or of a part of it."""
        strategy = self.strategy if subject is self.subject else automatic(subject)
        whole = by_orbits(subject) if self._named is None else None
        listing = begin_listing(
            whole or subject, strategy, tally=self._tally, team=self._team,
            weighed=whole is not None,
        )  # fmt: skip
        if self._lists:
            return listing
        search = ListingOrStates(subject, listing, self._memory, self._team)
        return listing._replace(search=search)

    def _now(self, begun: Begun) -> Begun:
        why = begun.why
        while isinstance(begun.search, ListingOrStates | Product):
            begun = begun.search.now
        return begun._replace(why=why or begun.why)


def count(
    subject: Solvable,
    *,
    counted: Convention | None = None,
    strategy: Strategy | str | None = None,
    limit: int | None = None,
    time_limit: float | None = None,
    memory: int | None = None,
    team: Team | None = None,
    progress: Callable[[Counting], object] | None = None,
) -> int:
    """How many solutions there are.

    It counts by states, without listing, if the states fit in the memory.

        >>> import exactcover as ec
        >>> puzzle = ec.read("pentominoes_20x3")
        >>> ec.count(puzzle), ec.count(puzzle, counted="all"), ec.count(puzzle, limit=1)
        (2, 8, 1)

    subject     a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    counted     what counts as one solution, as in `solve`. Default: None, "rotations" for a puzzle
    strategy    how to search: a Strategy or its text, as in "redundancy; volume; dlx:s". Default:
                None, chosen for the problem
    limit       count to this number and stop there. The result is at most `limit`; a smaller result
                is the number of all solutions. Default: None, count all
    time_limit  seconds, a number. Default: None, no limit
    memory      MiB that a count by states may take, a whole number. Default: None, half of the free
                memory
    team        who counts, as in `exactcover.runs.Threads(2)`. Default: None, the calling thread
                alone
    progress    a function that is called about fifty times a second, with the search under way: its
                `progress` is the share that is done, and it has `found` and `seconds`. What the
                function raises ends the count. Default: None

    Raises `LimitReached` if the time limit comes first; the exception says how many solutions had
    been found, as `found`.
    """
    counting = Counting(
        subject,
        counted=counted,
        strategy=strategy,
        limit=limit,
        time_limit=time_limit,
        memory=memory,
        team=team,
    )
    while counting.step():
        if progress is not None:
            progress(counting)
    result = counting.result
    if result.stopped_by == "time":
        raise LimitReached(result.solutions, time_limit)
    return result.solutions


# -- parts that no option joins -------------------------------------------------------------------


class Product:
    """A count of parts, one after the other; it ends with the first that has no solution.

    begins  functions that begin the counts of the parts
    """

    def __init__(self, begins: Sequence[Callable[[], Begun]]) -> None:
        self._begins, self._at, self._many, self._here = begins, 0, 1, 0
        self._begun = begins[0]()

    @property
    def now(self) -> Begun:
        """The count at work, or the last one."""
        return self._begun

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Go on, see `Search.advance`; it hands out no solutions, and finds all at its end."""
        if keep:
            raise CapabilityError("a count of parts hands out no solutions")
        made = self._begun.search.advance(steps, capacity=capacity, keep=False)
        done, self._here = made.status is Status.DONE, self._here + made.found
        made = Slice(Status.BUDGET, fits=made.fits, nofits=made.nofits)
        if done:
            self._many, self._here, self._at = self._many * self._here, 0, self._at + 1
            if self._many == 0 or self._at == len(self._begins):
                return replace(made, status=Status.DONE, found=self._many)
            self._begun = self._begins[self._at]()
        return made

    def where(self) -> Where:
        """Where the count at work is; each part is an equal share of the whole."""
        here, many = self._begun.search.where(), len(self._begins)
        done = min(1.0, (self._at + here.progress) / many)
        return replace(here, progress=done, chosen=())


def parts_of(problem: Problem) -> list[Problem]:
    """The parts of a problem, those with few options first; the small ones are one part."""
    options = np.flatnonzero(problem.choosable)
    starts, entries = problem.rows(options)
    items = problem.entries[entries]
    lacking = problem.low > np.bincount(items, minlength=problem.n_items)[: problem.primary]
    if not options.size or lacking.any():
        return [problem]
    label = _joined(problem.n_items, starts, items)[items[starts[:-1]]]
    _, number, sizes = np.unique(label, return_inverse=True, return_counts=True)
    large = sizes >= SMALL * options.size
    group = np.where(large, np.arange(sizes.size), sizes.size)[number]
    if len(numbers := np.unique(group)) == 1:
        return [problem]
    parts = [_part(problem, options[group == one]) for one in numbers.tolist()]
    return sorted(parts, key=lambda one: one.n_options)


def _joined(n_items: int, starts: Long, items: IntArray) -> Long:
    """The least item of the part of each item, from the items of options as compressed rows."""
    label = np.arange(n_items)
    while True:
        least = np.minimum.reduceat(label[items], starts[:-1])
        below = label.copy()
        np.minimum.at(below, items, np.repeat(least, np.diff(starts)))
        below = below[below]
        if np.array_equal(below, label):
            return label
        label = below


def _part(problem: Problem, options: Long) -> Problem:
    """The problem of these options, with the items that they have."""
    some = problem.restricted(options)
    items, entries = np.unique(some.entries, return_inverse=True)
    primary = items[items < problem.primary]
    return Problem.from_arrays(
        items.size,
        some.starts,
        entries,
        primary=primary.size,
        low=problem.low[primary],
        high=problem.high[primary],
        colours=some.colours,
    )

"""Solving: from a puzzle or a problem to a stream of solutions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from exactcover.base.values import Convention
from exactcover.search.begun import Begun, Team, begin_listing
from exactcover.search.result import Solution
from exactcover.search.session import Session
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable

LISTED = 1 << 8
"""The buffer holds at most this many solutions: with more, stopping would take too long."""


class Solving(Session, Iterator[Solution]):
    """A search under way: an iterator over its solutions.

    `result` holds the outcome so far at any time. Iterating again resumes the search where it was
    left.

    `stop` ends it from a signal handler or another thread; `close`, or a `with` statement, also
    frees its memory. Threads may share it: each solution goes to one of them. `result`, `progress`
    and `position` are right in all of them, at most one step old.

    The arguments are those of `solve`, and

    tally  whether the result counts the options tried by the number of remaining pieces. Default:
           False

    To look into a search step by step, or to cut it where a number of pieces is left, make a plan
    with `search.make_plan` and begin it with `search.start_search`.
    """

    def _set_up(self) -> None:
        self._waiting: deque[tuple[int, ...]] = deque()
        super()._set_up()

    def _make(self) -> Begun:
        return begin_listing(self.subject, self.strategy, tally=self._tally, team=self._team)

    def __iter__(self) -> Solving:
        return self

    def __next__(self) -> Solution:
        with self._turn():
            while not self._waiting:
                if self._over():
                    self._show(at_once=True)
                    raise StopIteration
                self._waiting.extend(self._advance(keep=True, most=LISTED).solutions)
                self._show(at_once=self._over())
                if self.between is not None:
                    self.between(self)
            options = self._waiting.popleft()
        return Solution(options, self.problem, self.model)

    def step(self) -> bool:
        """Count on for about a fiftieth of a second; return whether there is more to do.

        It skips solutions that were found and not handed out yet.
        """
        with self._turn():
            self._waiting.clear()
        return super().step()

    def _let_go(self) -> None:
        super()._let_go()
        self._waiting.clear()


def solve(
    subject: Solvable,
    *,
    counted: Convention | None = None,
    strategy: Strategy | str | None = None,
    limit: int | None = None,
    time_limit: float | None = None,
    team: Team | None = None,
    progress: Callable[[Solving], object] | None = None,
) -> Solving:
    """The solutions of a puzzle or a problem: a lazy iterator that can be left and resumed.

        >>> import exactcover as ec
        >>> for solution in ec.solve({"x": ["a", "b"], "y": ["c"], "z": ["a", "b", "c"]}):
        ...     print(solution.names)
        ('x', 'y')
        ('z',)
        >>> with ec.solve(ec.read("pentominoes_20x3")) as solving:
        ...     first = next(solving)
        >>> len(first.placements)
        12

    subject     a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    counted     what counts as one solution. "rotations": solutions that rotations take to each
                other count once; "reflections": those that mirrors take to each other, too;
                "all": every solution counts. Default: None, "rotations" for a puzzle. A plain
                problem has no symmetries, so all its solutions count, whatever this says
    strategy    how to search: a Strategy or its text, as in "redundancy; volume; dlx:s". Default:
                None, chosen for the problem
    limit       stop after this number of solutions. Default: None, find all
    time_limit  stop after this number of seconds. Default: None, no limit
    team        who searches, as in `exactcover.runs.Threads(2)`; several threads find the same
                solutions in the same order. Default: None, the calling thread alone
    progress    a function that is called about fifty times a second while the next solution is
                searched, with the search under way: its `progress` is the share that is done, and
                it has `found` and `seconds`. What the function raises ends the search. Default:
                None

    The `Solving` that it returns has a `result`: whether the search is complete, how many solutions
    it found, and what it did. It can be stopped from another thread, and several threads may share
    it.
    """
    solving = Solving(
        subject,
        counted=counted,
        strategy=strategy,
        limit=limit,
        time_limit=time_limit,
        team=team,
    )
    solving.between = progress
    return solving

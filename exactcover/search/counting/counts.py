"""Counting: the number of solutions in the quickest way, by listing them or by states.

Without a named strategy the work of both is compared, see `choice`. A strategy that names an engine
which keeps states, for example `automaton`, uses that engine alone, see `states`.
"""

from __future__ import annotations

from collections.abc import Callable

from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_whole
from exactcover.errors import LimitReached
from exactcover.search.automatic import automatic
from exactcover.search.begun import Begun, Team, begin_listing
from exactcover.search.choice import ListingOrStates
from exactcover.search.counting.states import begin_states, by_orbits, names_a_counter
from exactcover.search.session import Session
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable


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
        check_whole("memory", memory, least=1)
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
        whole = by_orbits(self.subject) if self._named is None else None
        listing = begin_listing(
            whole or self.subject, self.strategy, tally=self._tally, team=self._team,
            weighed=whole is not None,
        )  # fmt: skip
        # States have no tally, and no first solutions.
        if self._named is not None or self._tally or self.limit is not None:
            return listing
        search = ListingOrStates(self.subject, listing, self._memory, self._team)
        return listing._replace(search=search)

    def _now(self, begun: Begun) -> Begun:
        return begun.search.now if isinstance(begun.search, ListingOrStates) else begun


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

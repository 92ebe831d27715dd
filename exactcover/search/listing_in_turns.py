"""A search for all solutions by two ways in turns: listing, and the automaton.

The automaton keeps each partial board once, and then lists without most dead ends. Both ways find
the same solutions, so each of them is handed out when it is found for the first time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from time import perf_counter

import numpy as np

from exactcover.backends import get_backend
from exactcover.backends.base import Batch
from exactcover.search.automatic import MANY_IMAGES
from exactcover.search.planned import PlannedSearch, Reporting
from exactcover.search.racer import VARIABLE
from exactcover.search.strategy import Stage, Strategy
from exactcover.search.subject import Subject
from exactcover.search.turns import TakingTurns
from exactcover.search.ways import States, Way, expected_bits

MOST_COMPARED = 300_000
"""While both ways list, at most this many solutions are remembered; then one of them goes on."""


class ListingInTurns(TakingTurns):
    """A search for all solutions by two ways in turns: listing, and the automaton.

    The automaton is left out once the listing has other filters, which may keep other copies of
    symmetric solutions, and once there are too many solutions to compare. As long as no solutions
    are kept, both ways only count, and the automaton does so by states: only then may it take much
    memory.
    """

    sparing = f"{VARIABLE}=never"

    def __init__(
        self,
        listing: Way,
        automaton: States,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        super().__init__(listing, automaton, clock)
        self._seen: set[bytes] = set()
        self._lists: bool | None = None  # whether the first solutions were kept; None: none yet
        self._found = 0

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on, see `Search.advance`: the solutions found for the first time."""
        if self._lists is None:
            self._lists, self._ahead = keep, self._ahead and not keep
        if not self._lists:
            if keep:
                self.ways, self._lists = self.ways[:1], True
                self.at_work, self._found = self.ways[0], super().found
            else:
                return Batch.of(self._turn(steps, capacity, keep=False).status)
        batch = self._turn(steps, capacity, keep=True)
        if len(batch) and (len(self.ways) > 1 or self._seen):
            batch = self._new(batch)
        self._found += len(batch)
        if len(self._seen) > MOST_COMPARED:
            self.ways = [self.at_work]
        return batch if keep else Batch.of(batch.status)

    def _new(self, batch: Batch) -> Batch:
        """The solutions of a batch that were not handed out yet."""
        new = []
        for number in range(len(batch)):
            solution = batch.options[batch.starts[number] : batch.starts[number + 1]].tobytes()
            if solution not in self._seen:
                new.append(number)
                if len(self.ways) > 1:
                    self._seen.add(solution)
        return batch.selected(np.array(new, np.int64))

    def race(self, seconds: float) -> bool:
        """Measure other strategies of the listing for a slice, see `PlannedSearch.race`.

        The listing may start afresh with other filters only before any solution is handed out. From
        then on it goes on alone: the automaton would keep other copies of symmetric solutions.
        """
        listing = self.ways[0].search
        assert isinstance(listing, PlannedSearch)
        listing.listed = listing.listed or self._found > 0
        before = listing.strategy.once
        more = super().race(seconds)
        if self._lists and listing.strategy.once != before:
            self.ways = self.ways[:1]
        return more

    @property
    def _worth_memory(self) -> bool:
        """As for counts; what is listed never takes much memory."""
        return self._lists is False and super()._worth_memory

    @property
    def found(self) -> int:
        """Solutions handed out, or counted."""
        return self._found if self._lists else super().found

    @property
    def symmetric(self) -> Mapping[str, int]:
        """How many solutions have each group of symmetries, if one way has found them all."""
        search = self.reported.search
        known = {} if search is None else search.symmetric
        return known if sum(known.values()) == self.found else {}

    @property
    def why(self) -> str:
        """Why the strategy of the reported way was chosen, if anything was compared."""
        if self.reported.search is None or self.reported.strategy.stages[0].backend != "automaton":
            return super().why
        return "the automaton keeps each partial board once, which seemed quicker than listing"


def in_turns(subject: Subject, strategy: Strategy, listing: Callable[[], Reporting]) -> Reporting:
    """The listing of a subject, in turns with the automaton if that can take it.

    With `EXACTCOVER_RACE=never` it only lists.
    """
    if subject.layout is None or subject.model is None or os.environ.get(VARIABLE) == "never":
        return listing()
    backend = get_backend("automaton")
    if backend.capabilities.missing(subject.problem) or subject.problem.n_options > MANY_IMAGES:
        return listing()
    automaton = Strategy((Stage("automaton", "narrow"),), strategy.once)
    bits = expected_bits(subject)
    return ListingInTurns(
        Way(strategy, listing),
        lambda ask: Way(automaton, partial(PlannedSearch, subject, automaton, ask=ask), bits=bits),
    )

"""A search recorded as it happens: each choice, each turning back and each solution, in order.

The search goes on by one choice at a time and is asked after each for the options that are placed.
What two states begin with alike has stayed, so the moments between them are known exactly. An
engine whose search cannot be cut does not report its states, so it cannot be recorded.

A recording never fills the memory: of a long one it keeps every second moment, every fourth, and so
on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from exactcover.backends.base import Branching, Status, Tally, sum_tallies
from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_whole
from exactcover.search.automatic import automatic
from exactcover.search.plan import make_plan
from exactcover.search.stages import require_cuttable, start_search
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable, Subject

START, PLACED, REMOVED, EMPTY = "start", "placed", "removed", "empty"
FOUND, COPY = "found", "copy"

EVENTS = 20_000
"""The most events of a recording, unless its user says another number."""

MOMENTS = 20_000
"""A recording that has more moments drops every second one."""

SOLUTIONS = 1_000
"""The moments of the first solutions are kept."""

Options = tuple[int, ...]


@dataclass(frozen=True)
class Moment:
    """The state of a search after an event.

    event    the number of the event, from 1; 0 is the state before all of them
    kind     what the event was: "placed": an option is chosen; "removed": the search turns back,
             by one option or more; "empty": a cell is to stay empty, which an engine may choose
             without an option; "found": a solution; "copy": a symmetric copy of one that counts;
             "start": the state before the events recorded
    options  the options placed, in the order of choice
    fits, nofits, found  their number over the whole search
    done     the share of the tree that is searched, 0 to 1
    tried    the options tried over the whole search, by the number of pieces left before
    """

    event: int
    kind: str
    options: Options
    fits: int
    nofits: int
    found: int
    done: float
    tried: Tally


class Recording:
    """A part of a search: `for moment, options in recording` gives the options placed at each.

    `step` goes on with it, `stop` ends it. The arguments are those of `record`.

    subject  what was searched; strategy: how
    every    a moment stands for this many events; 1: for one
    reason   why there is no solution, if the status is "impossible"
    """

    def __init__(
        self,
        subject: Solvable,
        strategy: Strategy | str | None = None,
        *,
        counted: Convention | None = None,
        start: int = 1,
        events: int | None = None,
        until_solution: int | None = None,
    ) -> None:
        check_whole("start", start, least=1, optional=False)
        check_whole("events", events, least=1)
        check_whole("until_solution", until_solution, least=1)
        self.subject = Subject.of(subject, counted)
        chosen = automatic(self.subject) if strategy is None else Strategy.of(strategy)
        require_cuttable(chosen)
        self.strategy = str(chosen)
        self._first, self._until = start - 1, until_solution
        self._last = self._first + (events or EVENTS)
        self._plan = make_plan(self.subject, chosen)
        self.reason = self._plan.reason
        self._ending = "impossible" if self.reason else ""
        if not self.reason:
            self._search = start_search(self._plan, chosen, Branching(tally=True))
        self._now = Moment(0, START, (), 0, 0, 0, 0.0, {})
        self._moments = [self._now] if start == 1 else []
        self.every = 1

    @property
    def moments(self) -> tuple[Moment, ...]:
        """The first is the state before the recorded events."""
        moments = self._moments or [replace(self._now, kind=START)]
        return (*moments, *[self._now] * (moments[-1].event < self._now.event))

    @property
    def end(self) -> Moment:
        """The last moment: the number of events, fits, no-fits and solutions."""
        return self.moments[-1]

    @property
    def event(self) -> int:
        """The number of the last event."""
        return self._now.event

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return self._now.found

    @property
    def status(self) -> str:
        """Why it ends: the search was "complete"; it had the wanted number of "events" or
        "solutions"; it was "interrupted"; or the puzzle is "impossible"."""
        return self._ending or "interrupted"

    @property
    def done(self) -> bool:
        """Whether there is nothing more to record."""
        return bool(self._ending)

    @property
    def share(self) -> float:
        """The share of the wanted events that is recorded, 0 to 1; the search may end sooner."""
        return 1.0 if self.done else self._now.event / self._last

    def __len__(self) -> int:
        return len(self.moments)

    def __iter__(self) -> Iterator[tuple[Moment, Options]]:
        return ((moment, moment.options) for moment in self.moments)

    def __repr__(self) -> str:
        first, last = self.moments[0].event, self.end.event
        return f"<Recording of {self.strategy}: events {first + 1:,} to {last:,}, {self.status}>"

    def stop(self) -> None:
        """End the recording after the step that it is in; a signal handler may call it."""
        self._ending = self._ending or "interrupted"

    def step(self) -> None:
        """Go on by one choice."""
        if self.done:
            return
        before = self._now.options
        made = self._search.advance(1, capacity=1)
        where = self._search.where()
        placed = where.chosen
        common = in_common(before, placed)
        seen = [(REMOVED, before[:common])] * (common < len(before))
        seen += [(PLACED, placed[:size]) for size in range(common + 1, len(placed) + 1)]
        seen += [(EMPTY, placed)] * (made.fits - (len(placed) - common))
        if len(made):
            test = self._plan.canonical
            copy = test is not None and not test.fixing(made.starts, made.options)[0]
            seen.append((COPY if copy else FOUND, placed))
        tried = sum_tallies([self._now.tried, made.tally])
        for kind, options in seen[: self._last - self._now.event]:
            self._add(kind, options, where.progress, tried)
        if made.status is Status.DONE:
            self._ending = "complete"
        elif self._until is not None and self._now.found >= self._until:
            self._ending = "solutions"
        elif self._now.event == self._last:
            self._ending = "events"

    def _add(self, kind: str, options: Options, done: float, tried: Tally) -> None:
        """Go on to the state after an event; of too many moments, drop every second one."""
        now = self._now
        self._now = Moment(
            now.event + 1, kind, options, now.fits + (kind in (PLACED, EMPTY)),
            sum(one.attempts - one.fits for one in tried.values()),
            now.found + (kind == FOUND), done, tried,
        )  # fmt: skip
        if self._now.event == self._first:
            self._moments.append(replace(self._now, kind=START))
        elif self._now.event > self._first and self._kept(self._now):
            self._moments.append(self._now)
        if len(self._moments) > MOMENTS:
            self.every *= 2
            self._moments = [one for one in self._moments if self._kept(one)]

    def _kept(self, moment: Moment) -> bool:
        found = moment.kind == FOUND and moment.found <= SOLUTIONS
        return found or (moment.event - self._first) % self.every == 0


def in_common(before: Options, after: Options) -> int:
    """How many options two states begin with alike."""
    for number, (one, other) in enumerate(zip(before, after, strict=False)):
        if one != other:
            return number
    return min(len(before), len(after))


def record(
    subject: Solvable,
    strategy: Strategy | str | None = None,
    *,
    counted: Convention | None = None,
    start: int = 1,
    events: int | None = None,
    until_solution: int | None = None,
) -> Recording:
    """Record a search: which options it places and removes, in order.

        >>> from exactcover.search import record
        >>> recording = record({"x": ["a", "b"], "y": ["c"], "z": ["a", "b", "c"]}, "dlx:s")
        >>> for moment, options in recording:
        ...     print(moment.kind, options)
        start ()
        placed (0,)
        placed (0, 1)
        found (0, 1)
        removed ()
        placed (2,)
        found (2,)
        removed ()

    subject   a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    strategy  how to search: a Strategy or its text, as in "redundancy; volume; dlx:s". Default:
              None, chosen for the problem
    counted   what counts as one solution, as in `solve`. Default: None, "rotations" for a puzzle
    start     the number of the first event that is recorded. Default: 1
    events    the most events that are recorded; of more than 20,000, every second one is kept, and
              so on. Default: None, 20,000
    until_solution  end with this solution, counted from the beginning. Default: None, go on

    Raises `CapabilityError` if an engine of the strategy does not report its states; it names those
    that do.
    """
    recording = Recording(
        subject, strategy, counted=counted, start=start, events=events,
        until_solution=until_solution,
    )  # fmt: skip
    while not recording.done:
        recording.step()
    return recording

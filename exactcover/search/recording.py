"""A search recorded as it happens: each placement and removal, in the order of the engine.

An engine goes on by one choice at a time here, and is asked after each for the options that are
placed. Two states that follow each other differ by removals from the end, then by one placement for
each stage at most, so the events between them are known exactly. Engines whose searches can be cut
report their states; the others cannot be recorded.

A recording never fills the memory: it holds a window of the events, and of a long one every second
moment, every fourth, and so on. The events between two moments are counted, not listed, and where
there are many the engine runs at full speed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from exactcover.backends import get_backend, names_of
from exactcover.backends.base import Branching, Status, Tried, sum_tallies
from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_whole
from exactcover.errors import CapabilityError
from exactcover.search.automatic import automatic
from exactcover.search.plan import make_plan
from exactcover.search.stages import start_search
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable, Subject

START, PLACED, REMOVED, EMPTY = "start", "placed", "removed", "empty"
FOUND, COPY = "found", "copy"

Options = tuple[int, ...]


@dataclass(frozen=True)
class Moment:
    """The state of a search after an event.

    event   the number of the event, from 1; 0 is the state before all of them
    kind    what the event was: "placed" or "removed"; "empty": a cell is to stay empty, which an
            engine may choose without an option; "found": a solution; "copy": a solution that is a
            symmetric copy of one that counts; "start": the state before the events recorded
    options  the options placed, in the order of choice
    fits, nofits, found  their number over the whole search
    done    the share of the tree that is searched, 0 to 1
    tried   the options tried since the moment before, by the number of pieces left before
    """

    event: int
    kind: str
    options: Options
    fits: int
    nofits: int
    found: int
    done: float
    tried: Mapping[int, Tried]


@dataclass(frozen=True, repr=False)
class Recording:
    """A part of a search: `for moment, options in recording` gives the options placed at each.

    subject   what was searched; strategy: how
    moments   the first is the state before the recorded events
    every     a moment stands for about this many events; 1: for one
    status    why it ends: the search was "complete"; it had the wanted number of "events" or
              "solutions"; it was "interrupted"; or the puzzle is "impossible"
    reason    why there is no solution, if the status is "impossible"
    """

    subject: Subject
    strategy: str
    moments: tuple[Moment, ...]
    every: int
    status: str
    reason: str = ""

    @property
    def end(self) -> Moment:
        """The last moment: the number of events, fits, no-fits and solutions."""
        return self.moments[-1]

    def __len__(self) -> int:
        return len(self.moments)

    def __iter__(self) -> Iterator[tuple[Moment, Options]]:
        return ((moment, moment.options) for moment in self.moments)

    def __repr__(self) -> str:
        first, last = self.moments[0].event, self.end.event
        return f"<Recording of {self.strategy}: events {first + 1:,} to {last:,}, {self.status}>"


EVENTS = 100_000
"""The most events of a recording, unless its user says another number."""

MOMENTS = 20_000
"""A recording that has more moments drops every second one."""

MOST_CHOICES = 1 << 14
"""The most choices of a step, so that it can be interrupted soon."""

SOLUTIONS = 1_000
"""The first solutions of a recording have moments of their own."""


class Recorder:
    """A recording in progress: `step` goes on with it, `stop` ends it, `recording` is what it has.

    The arguments are those of `record`.
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
        every: int | None = None,
    ) -> None:
        check_whole("start", start, least=1, optional=False)
        check_whole("events", events, least=1)
        check_whole("until_solution", until_solution, least=1)
        check_whole("every", every, least=1)
        self._subject = Subject.of(subject, counted)
        self._strategy = automatic(self._subject) if strategy is None else Strategy.of(strategy)
        for stage in self._strategy.stages:
            backend = get_backend(stage.backend)
            if not backend.capabilities.cuts:
                raise CapabilityError(
                    f"{backend.name} does not report which options it has placed, so its search "
                    "cannot be recorded; these engines do: "
                    f"{', '.join(names_of(lambda can: can.cuts))}"
                )
        self._first, self._last, self._until = start, start - 1 + (events or EVENTS), until_solution
        self.every = every or 1
        layout = self._subject.layout
        # Where cells may stay empty, an engine may choose that without an option that tells of it.
        self._all_seen = layout is not None and not layout.optional.any()
        self._stopped = self._done = False
        plan = self._plan = make_plan(self._subject, self._strategy)
        if not plan.reason:
            self._search = start_search(plan, self._strategy, Branching(tally=True))
        # Where the search is.
        self._options: Options = plan.forced
        self.event = self.found = self._fits = self._nofits = 0
        self._searched, self._met = 0.0, 0  # solutions, with the symmetric copies
        self._kind = START
        self._tried: Mapping[int, Tried] = {}  # since the last moment
        self._moments: list[Moment] = []
        if start == 1 or plan.reason:
            self._keep()

    @property
    def done(self) -> bool:
        """Whether there is nothing more to record."""
        return bool(self._ending())

    @property
    def share(self) -> float:
        """The share of the wanted events that is recorded, 0 to 1; the search may end sooner."""
        return min(1.0, self.event / self._last)

    @property
    def recording(self) -> Recording:
        """The recording so far."""
        if not self._moments or self._moments[-1].event < self.event:
            self._keep()
        return Recording(
            self._subject, str(self._strategy), tuple(self._moments), self.every,
            self._ending() or "interrupted", self._plan.reason,
        )  # fmt: skip

    def stop(self) -> None:
        """End the recording after the step that it is in; a signal handler may call it."""
        self._stopped = True

    def run(self) -> Recording:
        """Record to the end."""
        while not self.done:
            self.step()
        return self.recording

    def step(self) -> None:
        """Go on: by one choice, or towards the next moment at the speed of the engine."""
        before = self._options
        wanted = self._moments[-1].event + self.every if self._moments else self._first - 1
        # A choice is a fit; each fit is an event, and a second one when it is removed.
        choices = (min(wanted, self._last) - self.event - len(before)) // 3
        choices = min(choices, MOST_CHOICES) if choices > 1 and self._all_seen else 1
        made = self._search.advance(choices, capacity=1)
        self._done = made.status is Status.DONE
        self._met += made.found
        where = self._search.where()
        after, self._searched = where.chosen, where.progress
        common = in_common(before, after)
        seen = [(REMOVED, before[:size]) for size in range(len(before) - 1, common - 1, -1)]
        seen += [(PLACED, after[:size]) for size in range(common + 1, len(after) + 1)]
        seen += [(EMPTY, after)] * (made.fits - (len(after) - common))
        if choices > 1:  # the events of many choices are counted, not seen
            seen = [(PLACED, after)]
        if len(made):
            test = self._plan.canonical
            copy = test is not None and not test.fixing(made.starts, made.options)[0]
            seen.append((COPY if copy else FOUND, after))
        if choices > 1:
            fits = self._fits + made.fits
            self.event = 2 * fits - (len(after) - len(self._plan.forced)) + self._met - len(seen)
            self._fits = fits - 1
        seen = seen[: self._last - self.event]
        for number, (kind, self._options) in enumerate(seen, 1):
            self.event += 1
            self._kind = kind
            self._fits += kind in (PLACED, EMPTY)
            self.found += kind == FOUND
            if number == len(seen):  # what a choice has tried counts with its last event
                self._tried = sum_tallies([self._tried, made.tally])
            due = self._moments[-1].event + self.every if self._moments else self._first - 1
            if self.event >= due or (self._moments and kind == FOUND and self.found <= SOLUTIONS):
                self._keep()

    def _ending(self) -> str:
        """Why there is nothing more to record; empty: there is."""
        if self._plan.reason:
            return "impossible"
        if self._done:
            return "complete"
        if self._until is not None and self.found >= self._until:
            return "solutions"
        if self.event >= self._last:
            return "events"
        return "interrupted" if self._stopped else ""

    def _keep(self) -> None:
        """Keep this moment; of too many, drop every second one but those of the first solutions."""
        kind = self._kind if self._moments else START
        self._nofits += sum(one.attempts - one.fits for one in self._tried.values())
        self._moments.append(
            Moment(
                self.event, kind, self._options, self._fits, self._nofits, self.found,
                self._searched, self._tried,
            )
        )  # fmt: skip
        self._tried = {}
        if len(self._moments) > MOMENTS:
            self.every *= 2
            kept: list[Moment] = []
            tried: Mapping[int, Tried] = {}  # by those that are dropped
            for number, moment in enumerate(self._moments):
                tried = sum_tallies([tried, moment.tried])
                if number % 2 == 0 or moment.kind == FOUND:
                    kept.append(replace(moment, tried=tried))
                    tried = {}
            self._moments, self._tried = kept, tried


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
    every: int | None = None,
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
        removed (0,)
        removed ()
        placed (2,)
        found (2,)
        removed ()

    subject   a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    strategy  how to search: a Strategy or its text, as in "redundancy; volume; dlx:s". Default:
              None, chosen for the problem
    counted   what counts as one solution, as in `solve`. Default: None, "rotations" for a puzzle
    start     the number of the first event that is recorded. Default: 1
    events    the most events that are recorded. Default: None, 100,000
    until_solution  end with this solution, counted from the beginning. Default: None, go on
    every     record a moment after about this many events. Where there are more than 20,000
              moments, every second one is dropped, and so on. Default: None, every event at first

    Raises `CapabilityError` if an engine of the strategy does not report its states; it names those
    that do.
    """
    return Recorder(
        subject, strategy, counted=counted, start=start, events=events,
        until_solution=until_solution, every=every,
    ).run()  # fmt: skip

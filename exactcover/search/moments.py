"""The moments of a recorded search: its state after one event or after several, in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from exactcover.backends.base import Tried
from exactcover.search.subject import Subject

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
    kept    how many of the options placed at the moment before are placed now
    placed  the options placed on those, in order
    fits, nofits, found  their number over the whole search
    tried   the options tried since the moment before, by the number of pieces left before
    """

    event: int
    kind: str
    kept: int
    placed: Options
    fits: int
    nofits: int
    found: int
    tried: Mapping[int, Tried]

    def after(self, options: Options) -> Options:
        """The options placed now, if these were placed at the moment before."""
        return (*options[: self.kept], *self.placed)

    def joined(self, later: Moment) -> Moment:
        """This moment and the next one as one: the later state, and what both tried."""
        kept, placed = self.kept, self.placed
        if later.kept <= kept:
            kept, placed = later.kept, later.placed
        else:
            placed = (*placed[: later.kept - kept], *later.placed)
        tried = dict(self.tried)
        for left, more in later.tried.items():
            so_far = tried.get(left, Tried(0, 0))
            tried[left] = Tried(so_far.attempts + more.attempts, so_far.fits + more.fits)
        return replace(later, kept=kept, placed=placed, tried=tried)


@dataclass(frozen=True, repr=False)
class Recording:
    """A part of a search: `for moment, options in recording` gives the options placed at each.

    subject   what was searched; strategy: how
    forced    the options of every solution, which a filter found: they are never removed
    moments   the first is the state before the recorded events
    every     a moment stands for about this many events; 1: for one
    status    why it ends: the search was "complete"; it had the wanted number of "events" or
              "solutions"; it has as many "moments" as can be kept; it was "interrupted"; or the
              puzzle is "impossible"
    reason    why there is no solution, if the status is "impossible"
    """

    subject: Subject
    strategy: str
    forced: Options
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
        options: Options = ()
        for moment in self.moments:
            options = moment.after(options)
            yield moment, options

    def __repr__(self) -> str:
        first, last = self.moments[0].event, self.end.event
        return f"<Recording of {self.strategy}: events {first + 1:,} to {last:,}, {self.status}>"

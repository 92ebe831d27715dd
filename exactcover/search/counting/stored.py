"""The numbers of solutions that a file stores, compared with those of the puzzle.

A file says what its numbers count: all solutions, or those that are unique up to rotations or up to
reflections too. Every number is compared. Where the solutions were counted in another way, a number
may follow from theirs: solutions without a symmetry have one copy for each symmetry of the puzzle.
Otherwise they are counted once more; a number for which that takes too long is not compared, and
the reason is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from exactcover.base.values import CONVENTIONS, COUNTED_AS, Convention
from exactcover.errors import CapabilityError
from exactcover.problem.filters.redundancy import piece_pivots

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.counting.counts import Counting
    from exactcover.search.result import Result

AT_LEAST, SHARE = 1.0, 0.1
"""All further counts may take this many seconds, or this share of the first count's time, beside
those in which kernels are compiled: a compilation that is broken off would begin anew each time."""

ENDED = ("complete", "impossible")
"""The states of a search that has found all solutions."""

Run = Callable[["Counting", Callable[[], bool]], object]
"""Goes on with a count by calling the function until it returns False."""


@dataclass
class Numbers:
    """The numbers of solutions of a puzzle by what counts as one; those not known are counted.

    known     the numbers that are known
    whole     whether they are of all solutions
    run       runs a further count
    limit     the seconds that a further count may take; None: no limit
    patience  the seconds that all of them may still take without those of compilation; None: no
              limit
    reasons   why a number is not known
    """

    document: Document
    known: dict[Convention, int]
    whole: bool
    run: Run
    limit: float | None = None
    patience: float | None = None
    reasons: dict[Convention, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        document: Document,
        result: Result,
        run: Run,
        *,
        time_limit: float | None,
        strict: bool,
    ) -> Numbers:
        """Those after a search.

        strict  a further count may take all the time that `time_limit` leaves
        """
        patience = None if strict else max(AT_LEAST, SHARE * result.seconds)
        taken = result.seconds + result.compiling
        limit = None if time_limit is None else max(0.0, time_limit - taken)
        known = {result.counted: result.solutions}
        return cls(document, known, result.status in ENDED, run, limit, patience)

    def number(self, counted: Convention) -> int | None:
        """The number in this way of counting; None: it is not known."""
        if counted not in self.known and counted not in self.reasons:
            [first, *_] = self.known.values()
            if first == 0 or self.document.puzzle is None:  # a plain problem has no symmetries
                self.known[counted] = first
            elif self.limit != 0 and (number := self._following(counted)) is not None:
                self.known[counted] = number
            elif 0 in (self.limit, self.patience):
                self.reasons[counted] = "no time was left to count these"
            else:
                self._count(counted)
        return self.known.get(counted)

    def _following(self, counted: Convention) -> int | None:
        """The number that follows from the first one known and the symmetries of the puzzle; None:
        none follows.

        No solution is symmetric if no symmetry fixes an image of a piece that occurs once.
        """
        assert self.document.puzzle is not None
        model = self.document.puzzle.model
        way, number = next(iter(self.known.items()))
        group, wanted = (model.symmetries.selected(one) for one in (way, counted))
        if len(group) > len(wanted):
            try:
                pivots = piece_pivots(model.layout, group)
            except CapabilityError:  # large rectangles: no matrix has their cells
                return None
            follows = any((pivot.left == 1).all() for pivot in pivots)
        else:
            follows = len(group) == len(wanted)
        return number * len(group) // len(wanted) if follows else None

    def _count(self, counted: Convention) -> None:
        from exactcover.search.counting.counts import Counting

        counting = Counting(self.document.content, counted=counted, time_limit=self.limit)

        def step() -> bool:
            late = self.patience is not None and counting.result.seconds > self.patience
            return not late and counting.step()

        with counting:
            self.run(counting, step)
            result = counting.result
        if result.status in ENDED:
            self.known[counted] = result.solutions
        elif result.status == "interrupted":
            self.reasons[counted] = "to count these was interrupted"
        else:
            limit = self.limit if result.stopped_by == "time" else self.patience
            self.reasons[counted] = f"to count these takes more than {limit:.2g} s"
        if self.patience is not None:
            self.patience = max(0.0, self.patience - result.seconds)


@dataclass(frozen=True)
class Stored:
    """A number of a file, compared with that of the puzzle.

    ways    what it may count, of `CONVENTIONS`; several where the file does not say
    counts  the one of them for which it is right; None: none
    wrong   what is wrong with it
    reason  why it is not compared
    """

    number: int
    ways: tuple[Convention, ...]
    counts: Convention | None = None
    wrong: str = ""
    reason: str = ""


def compared(document: Document, numbers: Numbers) -> list[Stored]:
    """Every number of the file, compared."""
    said = [(document.counts[way], (way,)) for way in CONVENTIONS if way in document.counts]
    found = [_compared(number, ways, numbers) for number, ways in said]
    if document.assemblies:
        number, ways = max(document.assemblies.values()), tuple(document.assemblies)
        model = document.model
        if model is not None and any(len(group.members) > 1 for group in model.groups):
            reason = "BurrTools distinguishes pieces of one shape"
            found.append(Stored(number, ways, reason=reason))
        else:
            found.append(_compared(number, ways, numbers))
    return found


def _compared(number: int, ways: tuple[Convention, ...], numbers: Numbers) -> Stored:
    told = f"the file stores {number:,} solutions"
    if not numbers.whole:
        [(way, least)] = numbers.known.items()
        if (way,) == ways and least > number:
            wrong = f"{told} ({COUNTED_AS[way]}), but there are at least {least:,}"
            return Stored(number, ways, wrong=wrong)
        return Stored(number, ways, reason="the search did not come to its end")
    for way in sorted(ways, key=lambda way: way not in numbers.known):  # what takes no time first
        if numbers.number(way) == number:
            return Stored(number, ways, counts=way)
    for way in ways:
        if way in numbers.reasons:
            return Stored(number, ways, reason=numbers.reasons[way])
    if len(ways) > 1:
        there = " and ".join(f"{numbers.number(way):,} ({COUNTED_AS[way]})" for way in ways)
        return Stored(number, ways, wrong=f"{told}, but there are {there}")
    [way] = ways
    wrong = f"{told} ({COUNTED_AS[way]}), but there are {numbers.number(way):,}"
    for other, words in COUNTED_AS.items():
        if numbers.number(other) == number:
            wrong += f"; {number:,} is the number of those that are {words}"
            break
    return Stored(number, ways, wrong=wrong)


def record_of(comparisons: Iterable[Stored]) -> dict[str, Any]:
    """The comparison of the numbers of a file, as keys of a record."""
    listed = list(comparisons)
    record = {
        "warning": "; ".join(one.wrong for one in listed if one.wrong),
        "stored": {way: one.number for one in listed if one.wrong for way in one.ways},
        "stored_as": next((one.counts for one in listed if len(one.ways) > 1), ""),
        "not_compared": {way: one.reason for one in listed if one.reason for way in one.ways},
    }
    return {key: value for key, value in record.items() if value}


def notes(comparisons: Iterable[Stored]) -> Iterator[str]:
    """Notes on numbers of a file that are not wrong."""
    for one in comparisons:
        if one.counts and len(one.ways) > 1:
            yield f"the {one.number:,} solutions of the file are {COUNTED_AS[one.counts]}"
        elif one.reason:
            ways = " or ".join(COUNTED_AS[way] for way in one.ways)
            told = f"the {one.number:,} solutions of the file ({ways})"
            yield f"{told} are not compared: {one.reason}"

"""The numbers of solutions that a file stores, compared with those of the puzzle.

A file says what its numbers count: all solutions, or those that are unique up to rotations or up to
reflections too. `verify` and `--strict` compare every number. Where the solutions were counted in
another way, they are counted once more; a number for which that takes too long is not compared, and
the reason is given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from exactcover.base.values import CONVENTIONS, Convention

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.counting.counts import Counting

ENDED = ("complete", "impossible")
"""The states of a search that has found all solutions."""


def compared(
    document: Document,
    known: dict[Convention, int],
    whole: bool,
    time_limit: float | None,
    run: Callable[[Counting], object],
) -> dict[str, Any]:
    """Every number of the file, compared, as keys of a report; empty if all are right.

    known       the numbers of solutions by what counts as one; others are added
    whole       whether they are of all solutions
    time_limit  the seconds that each further count may take; None: no limit
    run         goes on with a further count until it ends

    The keys are `warning`, what is wrong in words; `stored`, the wrong numbers by what they count;
    and `not_compared`, the reasons why numbers are not compared.
    """
    said: list[tuple[tuple[Convention, ...], int, bool]] = [
        ((way,), document.counts[way], False) for way in CONVENTIONS if way in document.counts
    ]
    if document.assemblies:  # in several ways where BurrTools does not say which
        number = max(document.assemblies.values())
        said.append((tuple(document.assemblies), number, _twins(document)))
    wrong: list[str] = []
    stored: dict[Convention, int] = {}
    reasons: dict[Convention, str] = {}
    for ways, number, twins in said:
        if not whole:
            [(way, least)] = known.items()
            right = (way,) != ways or least <= number
            there, reason = f"at least {least:,}", "the search did not come to its end"
        elif twins:
            right, there, reason = True, "", "BurrTools distinguishes pieces of one shape"
        else:
            for way in sorted(ways, key=lambda way: way not in known):  # what takes no time first
                if way not in known:
                    _count(document, way, known, time_limit, run)
                if known.get(way) == number:
                    break
            numbers = {way: known[way] for way in ways if way in known}
            right = number in numbers.values()
            late = not right and len(numbers) < len(ways)
            reason = "to count these takes too long" if late else ""
            right |= late
            there = " and ".join(_words(document, one, way, ways) for way, one in numbers.items())
        if not right:
            kind = f" ({document.counted_as(ways[0])})" if len(ways) == 1 else ""
            wrong.append(f"the file stores {number:,} solutions{kind}, but there are {there}")
            stored |= dict.fromkeys(ways, number)
        elif reason:
            reasons |= dict.fromkeys(ways, reason)
    found = {"warning": "; ".join(wrong), "stored": stored, "not_compared": reasons}
    return {key: value for key, value in found.items() if value}


def _count(
    document: Document,
    way: Convention,
    known: dict[Convention, int],
    time_limit: float | None,
    run: Callable[[Counting], object],
) -> None:
    """Add the number of solutions in this way to those known, if the count ends."""
    from exactcover.search.counting.counts import Counting

    with Counting(document.content, counted=way, time_limit=time_limit) as counting:
        run(counting)
        result = counting.result
    if result.status in ENDED:
        known[way] = result.solutions


def _words(document: Document, number: int, way: Convention, ways: tuple[Convention, ...]) -> str:
    """A number, with what it counts where the file does not say that."""
    return f"{number:,} ({document.counted_as(way)})" if len(ways) > 1 else f"{number:,}"


def _twins(document: Document) -> bool:
    """Whether two pieces have one shape."""
    model = document.model
    return model is not None and any(len(group.members) > 1 for group in model.groups)


def notes(document: Document, comparison: dict[str, Any]) -> list[str]:
    """The numbers that are not compared, in words."""
    reasons: dict[Convention, str] = comparison.get("not_compared", {})
    return [
        f"the number of solutions in the file ({document.counted_as(way)}) is not compared: "
        f"{reason}"
        for way, reason in reasons.items()
    ]

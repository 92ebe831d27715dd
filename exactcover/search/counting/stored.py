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
    wrong: list[str] = []
    stored: dict[Convention, int] = {}
    reasons: dict[Convention, str] = {}
    for way, number in (
        (way, document.counts[way]) for way in CONVENTIONS if way in document.counts
    ):
        if whole:
            if way not in known:
                _count(document, way, known, time_limit, run)
            right = known.get(way, number) == number
            there = f"{known.get(way, number):,}"
            reason = "" if way in known else "to count these takes too long"
        else:
            [(counted, least)] = known.items()
            right = way != counted or least <= number
            there, reason = f"at least {least:,}", "the search did not come to its end"
        if not right:
            kind = document.counted_as(way)
            wrong.append(f"the file stores {number:,} solutions ({kind}), but there are {there}")
            stored[way] = number
        elif reason:
            reasons[way] = reason
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
    if result.whole:
        known[way] = result.solutions


def notes(document: Document, comparison: dict[str, Any]) -> list[str]:
    """The numbers that are not compared, in words."""
    reasons: dict[Convention, str] = comparison.get("not_compared", {})
    return [
        f"the number of solutions in the file ({document.counted_as(way)}) is not compared: "
        f"{reason}"
        for way, reason in reasons.items()
    ]

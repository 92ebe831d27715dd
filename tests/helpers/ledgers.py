"""Ledgers for tests: a search that needs no engine, and runs of real puzzles."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from exactcover.backends.base import Slice, Status
from exactcover.backends.node import Node
from exactcover.runs.ledger.ledger import Ledger
from exactcover.runs.ledger.terms import Terms
from exactcover.runs.workers import Nodes, SearchOutcome

OPTIONS = 1000

TERMS = Terms(
    puzzle="numbers",
    form="dlx",
    text="",
    counted="all",
    strategy="dlx:s",
    part=1,
    parts=1,
    options=OPTIONS,
    reason="",
    plan="q",
    version="0.1.0",
)
"""A run whose solutions are the numbers below `OPTIONS`, each a solution of one option."""


def interval(first: int, last: int) -> Nodes:
    """The nodes that has the numbers from the first up to the last, which is not among them."""
    return (Node((first, last), None, 0, (last - first) / OPTIONS),)


def searched(nodes: Nodes, done: int, parts: int) -> SearchOutcome:
    """The outcome after so many numbers of an interval, the rest cut into parts."""
    (subtree,) = nodes
    first, last = subtree.chosen
    middle = min(first + done, last)
    edges = [middle + (last - middle) * part // parts for part in range(parts + 1)]
    pairs = pairwise(edges)
    rest = tuple(interval(begin, end) for begin, end in pairs if end > begin)
    numbers = range(first, middle)
    return SearchOutcome(
        Slice.of(
            Status.DONE,
            [(number,) for number in numbers],
            found=len(numbers),
            fits=len(numbers),
            nofits=2 * len(numbers),
        ),
        seconds=0.5,
        compiling=0.25,
        rest=rest,
    )


def new_ledger(folder: Path, terms: Terms = TERMS) -> Path:
    """A ledger with one run, of which nothing is done."""
    folder.mkdir(exist_ok=True)
    Ledger.create(folder, terms, interval(0, OPTIONS), None)
    return folder


def numbers_in(ledger: Ledger) -> list[int]:
    """The solutions of the ledger's run."""
    return [number for (number,) in ledger.solutions()]


def finish_some(ledger: Ledger, tasks: int) -> None:
    """Finish so many tasks, or all that there are."""
    for _ in range(tasks):
        for task, nodes in ledger.waiting(1):
            finish(ledger, task, searched(nodes, 10, 2))


def finish(ledger: Ledger, task: int, outcome: SearchOutcome) -> bool:
    """Write what a task came to, in a transaction of its own."""
    with ledger.writing():
        return ledger.finish(task, outcome)

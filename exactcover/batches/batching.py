"""Many puzzles, solved one by one or side by side, and a record of each as soon as it is known."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Literal, get_args

from exactcover.batches.crew import Crew
from exactcover.batches.records import Asked, Record, failure, records_of
from exactcover.errors import ExactCoverError
from exactcover.formats import Document, Refused
from exactcover.formats.places import Found, texts_at
from exactcover.problem import Problem
from exactcover.puzzle import Puzzle
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable
from exactcover.search.underway import STRATEGIES, checked_limit, checked_time_limit
from exactcover.values.arguments import check_choice, check_kind, check_whole
from exactcover.values.conventions import CONVENTIONS, Convention

Order = Literal["arrival", "given"]
ORDERS: tuple[Order, ...] = get_args(Order)

AHEAD = {"arrival": 4, "given": 64}
"""So many puzzles a worker are taken at most before their records are handed out. In the given
order a long one holds up the records of the others meanwhile."""


def _nothing() -> None:
    """Called between slices where nobody watches."""


class Batching(Iterator[Record]):
    """A batch under way: an iterator over the records of its puzzles.

    The arguments are those of `batch`, and

    stream   what the place `-` stands for; None: nothing
    strict   whether the numbers in a file are compared however long it takes
    plugins  files of heuristics and filters that each worker loads
    pulse    called many times a second while it works
    """

    def __init__(
        self,
        puzzles: Iterable[Solvable | Document | str | Path],
        *,
        counted: Convention | None = None,
        strategy: Strategy | str | None = None,
        limit: int | None = None,
        time_limit: float | None = None,
        workers: int = 1,
        order: Order = "arrival",
        stream: BinaryIO | None = None,
        strict: bool = False,
        plugins: Sequence[Path] = (),
        pulse: Callable[[], object] = _nothing,
    ) -> None:
        check_kind("strategy", strategy, (Strategy, str, type(None)), STRATEGIES)
        if counted is not None:
            check_choice("counted", counted, CONVENTIONS)
        check_whole("limit", limit)
        check_whole("workers", workers, least=1, optional=False)
        check_choice("order", order, ORDERS)
        asked = Asked(
            counted,
            None if strategy is None else str(Strategy.of(strategy)),
            checked_limit(limit),
            checked_time_limit(time_limit),
            strict,
        )
        found = _found(puzzles, io.BytesIO() if stream is None else stream)
        self._ready: list[Record] = []
        self._crew: Crew[Found, Record] | None = None
        if workers == 1:
            self._records = _one_by_one(found, asked, pulse)
            return
        self._crew = Crew(
            found,
            partial(_begin, asked, tuple(plugins)),
            _lost,
            _refused,
            workers=workers,
            ahead=AHEAD[order] * workers,
            pulse=pulse,
        )
        self._waiting = _Waiting()
        self._records = self._as_given() if order == "given" else self._as_they_come()

    def __iter__(self) -> Batching:
        return self

    def __next__(self) -> Record:
        return next(self._records)

    def __enter__(self) -> Batching:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the workers; no more records come."""
        if self._crew is not None:
            self._crew.close()
        self._records = iter(())

    def held_back(self) -> list[Record]:
        """Take the records that wait for those of earlier puzzles, in the given order."""
        return [] if self._crew is None else self._waiting.take_all()

    def _as_they_come(self) -> Iterator[Record]:
        assert self._crew is not None
        for reply in self._crew:
            if reply.last:
                self._crew.release()
            yield reply.answer

    def _as_given(self) -> Iterator[Record]:
        assert self._crew is not None
        for reply in self._crew:
            self._waiting.records.setdefault(reply.number, []).append(reply.answer)
            if reply.last:
                self._waiting.done.add(reply.number)
            while self._waiting.next in self._waiting.done:
                yield from self._waiting.take()
                self._crew.release()


@dataclass
class _Waiting:
    """Records that wait for those of earlier puzzles.

    next     the number of the puzzle whose records come next
    records  by the numbers of their puzzles
    done     the puzzles that have all their records
    """

    next: int = 1
    records: dict[int, list[Record]] = field(default_factory=dict)
    done: set[int] = field(default_factory=set)

    def take(self) -> list[Record]:
        """The records of the next puzzle, which is done."""
        self.done.remove(self.next)
        self.next += 1
        return self.records.pop(self.next - 1, [])

    def take_all(self) -> list[Record]:
        """All records that there are."""
        found = [record for number in sorted(self.records) for record in self.records[number]]
        self.records.clear()
        return found


def batch(
    puzzles: Iterable[Solvable | str | Path],
    *,
    counted: Convention | None = None,
    strategy: Strategy | str | None = None,
    limit: int | None = None,
    time_limit: float | None = None,
    workers: int = 1,
    order: Order = "arrival",
) -> Batching:
    """Count the solutions of many puzzles, and measure how hard each is.

        >>> import exactcover as ec
        >>> for record in ec.batch(["pentominoes_20x3", "no_such_puzzle", "somacube"]):
        ...     print(record["puzzle"], record["status"], record.get("solutions"))
        square/pentominoes_20x3 complete 2
        no_such_puzzle error None
        cubic/somacube complete 480

    puzzles     an iterable of puzzles: each a Puzzle, a Problem, lists of items, the path of a file
                or a folder, or the name of a shipped puzzle. It may be endless; with several
                workers another thread reads it
    counted     what counts as one solution: "rotations", "reflections" or "all", see `solve`.
                Default: None, "rotations" for a puzzle
    strategy    how to search: a Strategy or its text. Fits of different puzzles can be compared if
                they are searched by one strategy. Default: None, chosen for each puzzle
    limit       stop after this number of solutions of each puzzle. Default: None, find all
    time_limit  stop after this number of seconds for each puzzle. Default: None, no limit
    workers     how many processes solve puzzles side by side. Default: 1, this process alone
    order       "given": the order of the puzzles; "arrival": as they are solved. Default: "arrival"

    The records are dictionaries with the keys that `docs/batches.md` lists. A puzzle that cannot be
    read or solved gives a record with the status "error", and the others go on.
    """
    return Batching(
        puzzles,
        counted=counted,
        strategy=strategy,
        limit=limit,
        time_limit=time_limit,
        workers=workers,
        order=order,
    )


def _found(
    puzzles: Iterable[Solvable | Document | str | Path], stream: BinaryIO
) -> Iterator[Found]:
    """The puzzles, or where each is to be read."""
    for number, puzzle in enumerate(puzzles, 1):
        if isinstance(puzzle, str | Path):
            yield from texts_at([str(puzzle)], stream)
        elif isinstance(puzzle, Document | Refused):
            yield puzzle
        else:
            yield _document(puzzle, str(number))


def _document(subject: Solvable, number: str) -> Found:
    """The puzzle under its own name, or else its number."""
    if isinstance(subject, Puzzle):
        return Document(subject.name or number, subject)
    try:
        return Document(number, Problem.of(subject))
    except ExactCoverError as error:
        from exactcover.errors import FormatError

        return Refused(number, FormatError(str(error)))


def _one_by_one(
    found: Iterator[Found], asked: Asked, pulse: Callable[[], object]
) -> Iterator[Record]:
    for one in found:
        for record, _ in records_of(one, asked, pulse):
            yield record


def _begin(
    asked: Asked, plugins: Sequence[Path]
) -> Callable[[Found], Iterator[tuple[Record, bool]]]:
    """What a worker does with each puzzle."""
    from exactcover.heuristics import load_plugin

    for file in plugins:
        load_plugin(file)
    return partial(records_of, asked=asked, pulse=_nothing)


def _lost(found: Found, reason: str) -> Record:
    return failure(found.name, reason)


def _refused(found: Found) -> Record | None:
    return failure(found.name, str(found.error)) if isinstance(found, Refused) else None

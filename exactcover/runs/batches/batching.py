"""Many puzzles, solved one by one or side by side, and a record of each as soon as it is known."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Literal, get_args

from exactcover.base.values.arguments import check_choice, check_kind, check_whole
from exactcover.base.values.conventions import CONVENTIONS, Convention
from exactcover.errors import ExactCoverError
from exactcover.formats import Document, Refused
from exactcover.formats.splitting import Found, texts_at
from exactcover.problem import Problem
from exactcover.puzzle import Puzzle
from exactcover.runs.batches.records import Question, Record, nothing, records_of
from exactcover.runs.executors import Executor
from exactcover.runs.processes import process_pool
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable
from exactcover.search.underway import STRATEGIES, checked_limit, checked_time_limit

Order = Literal["arrival", "given"]
ORDERS: tuple[Order, ...] = get_args(Order)

AHEAD = {"arrival": 4, "given": 64}
"""The most puzzles for each worker that are taken before their records are handed out. In the given
order a long one holds up the records of the others meanwhile."""

TICK = 0.1
"""Seconds between two calls of `pulse` while nothing is answered."""


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
        pulse: Callable[[], object] = nothing,
    ) -> None:
        check_kind("strategy", strategy, (Strategy, str, type(None)), STRATEGIES)
        if counted is not None:
            check_choice("counted", counted, CONVENTIONS)
        check_whole("limit", limit)
        check_whole("workers", workers, least=1, optional=False)
        check_choice("order", order, ORDERS)
        asked = Question(
            counted,
            None if strategy is None else str(Strategy.of(strategy)),
            checked_limit(limit),
            checked_time_limit(time_limit),
            strict,
            tuple(plugins),
        )
        found = _found(puzzles, io.BytesIO() if stream is None else stream)
        self._pulse = pulse
        self._pool: Executor[Found, list[Record]] | None = None
        self._waiting: dict[int, list[Record]] = {}  # for those of earlier puzzles
        if workers == 1:
            self._records: Iterator[Record] = (
                record for one in found for record in records_of(one, asked, pulse)
            )
            return
        self._pool = process_pool(workers)
        self._pool.start(asked)
        self._source = _Source(found, self._pool, AHEAD[order] * workers)
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
        if self._pool is not None:
            self._source.close()
            self._pool.close()
        self._records = iter(())

    def held_back(self) -> list[Record]:
        """Take the records that wait for those of earlier puzzles, in the given order."""
        found = [record for number in sorted(self._waiting) for record in self._waiting[number]]
        self._waiting.clear()
        return found

    def _answers(self) -> Iterator[tuple[int, list[Record]]]:
        """The records of each text, with its number."""
        assert self._pool is not None
        answered = 0
        while answered != self._source.taken:
            answers = self._pool.finished(TICK)
            answered += len(answers)
            yield from answers
            if not answers:
                self._pulse()
        if self._source.error is not None:
            raise self._source.error

    def _as_they_come(self) -> Iterator[Record]:
        for _, records in self._answers():
            self._source.release()
            yield from records

    def _as_given(self) -> Iterator[Record]:
        following = 1
        for number, records in self._answers():
            self._waiting[number] = records
            while following in self._waiting:
                self._source.release()
                yield from self._waiting.pop(following)
                following += 1


class _Source:
    """A thread that submits the puzzles as they come, and waits while too many are open.

    taken  how many there were, once there are no more; None before
    error  what the source raised
    """

    def __init__(
        self, found: Iterator[Found], pool: Executor[Found, list[Record]], ahead: int
    ) -> None:
        self._found, self._pool = found, pool
        self._room = threading.Semaphore(ahead)
        self._closed = False
        self.taken: int | None = None
        self.error: BaseException | None = None
        threading.Thread(target=self._submit, name="puzzles", daemon=True).start()

    def release(self) -> None:
        """The records of one are handed out: another may be taken."""
        self._room.release()

    def close(self) -> None:
        """Take no more."""
        self._closed = True
        self._room.release()

    def _submit(self) -> None:
        number = 0
        try:
            while self._room.acquire() and not self._closed:
                found = next(self._found, None)
                if found is None:
                    break
                number += 1
                self._pool.submit(number, found)
        except BaseException as error:  # the thread that iterates raises it
            self.error = error
        self.taken = number


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

"""Many puzzles, solved one by one or side by side, and a record of each as soon as it is known."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from exactcover.base.values import Convention
from exactcover.errors import ExactCoverError, FormatError
from exactcover.formats import Document, Refused
from exactcover.formats.lists import is_list
from exactcover.formats.shipped import Found, texts_at
from exactcover.problem import Problem
from exactcover.puzzle import Puzzle
from exactcover.runs.batches.answering import Answering, nothing
from exactcover.runs.batches.records import Question
from exactcover.runs.batches.rows import ListBatching, RowQuestion
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable


class Batching(Answering[Found]):
    """A batch under way: an iterator over the records of its puzzles.

    puzzles, workers  as for `batch`
    asked   the question about each
    stream  what the place `-` stands for; None: nothing
    pulse   called many times a second while it works
    """

    def __init__(
        self,
        puzzles: Iterable[Solvable | Document | str | Path],
        asked: Question | None = None,
        *,
        workers: int = 1,
        stream: BinaryIO | None = None,
        pulse: Callable[[], object] = nothing,
    ) -> None:
        found = _found(puzzles, io.BytesIO() if stream is None else stream)
        super().__init__(found, asked or Question(), workers=workers, pulse=pulse)


def batch(
    puzzles: Iterable[Solvable | str | Path] | str | Path,
    *,
    counted: Convention | None = None,
    strategy: Strategy | str | None = None,
    limit: int | None = None,
    time_limit: float | None = None,
    workers: int = 1,
    verify: bool = False,
    directory: str | Path | None = None,
) -> Batching | ListBatching:
    """Count the solutions of many puzzles, and measure how hard each is.

        >>> import exactcover as ec
        >>> for record in ec.batch(["pentominoes_20x3", "no_such_puzzle", "somacube"]):
        ...     print(record["puzzle"], record["status"], record.get("solutions"))
        square/pentominoes_20x3 complete 2
        no_such_puzzle error None
        cubic/somacube complete 480

    puzzles     an iterable of puzzles: each a Puzzle, a Problem, lists of items, the path of a file
                or a folder, or the name of a shipped puzzle. It may be endless; with several
                workers another thread reads it. Or one path, also of a list: a CSV file, or a
                file of rows in JSON lines or TOML, see `docs/batches.md`
    counted     what counts as one solution: "rotations", "reflections" or "all", see `solve`.
                Default: None, "rotations" for a puzzle
    strategy    how to search: a Strategy or its text. Fits of different puzzles can be compared if
                they are searched by one strategy. Default: None, chosen for each puzzle
    limit       stop after this number of solutions of each puzzle. Default: None, find all
    time_limit  stop after this number of seconds for each puzzle. Default: None, no limit
    workers     how many processes solve puzzles side by side. Records of puzzles then come as they
                are solved, those of a list in the order of its rows. Default: 1, this process alone
    verify      of a list: count each row once more, by another method. Default: False
    directory   of a list: a folder in which finished rows are kept, so that a later call does not
                count them again. Default: None

    The records are dictionaries with the keys that `docs/batches.md` lists. A puzzle that cannot be
    read or solved gives a record with the status "error", and the others go on.
    """
    if isinstance(puzzles, str | Path):
        if is_list(str(puzzles)):
            if limit is not None:
                raise ExactCoverError("limit is for puzzles: the rows of a list are counted whole")
            rows = RowQuestion(
                counted=counted, strategy=strategy, time_limit=time_limit, verify=verify
            )
            folder = None if directory is None else Path(directory)
            return ListBatching(puzzles, rows, workers=workers, directory=folder)
        puzzles = [puzzles]
    if verify or directory is not None:
        raise ExactCoverError("verify and directory are for a list, such as a CSV file")
    asked = Question(counted=counted, strategy=strategy, time_limit=time_limit, limit=limit)
    return Batching(puzzles, asked, workers=workers)


def _found(
    puzzles: Iterable[Solvable | Document | str | Path], stream: BinaryIO
) -> Iterator[Found]:
    """The puzzles, or where each is to be read."""
    for number, puzzle in enumerate(puzzles, 1):
        if isinstance(puzzle, str | Path):
            yield from texts_at([str(puzzle)], stream)
        elif isinstance(puzzle, Document | Refused):
            yield puzzle
        elif isinstance(puzzle, Puzzle):
            yield Document(puzzle.name or str(number), puzzle)
        else:
            try:
                yield Document(str(number), Problem.of(puzzle))
            except ExactCoverError as error:
                yield Refused(str(number), FormatError(str(error)))

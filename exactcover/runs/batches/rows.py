"""The rows of a list, counted and compared with the numbers that are expected.

A row is counted as `count` does, by states where that takes less work, since a list of published
numbers asks for no measure of difficulty. With `verify` it is counted once more by another method.
Whatever is wrong with a row is in its record, and the others go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from exactcover.base.values import CONVENTIONS, Convention
from exactcover.base.values.arguments import check_choice, check_flag, check_kind, check_whole
from exactcover.errors import ExactCoverError, TooLarge
from exactcover.formats import Document
from exactcover.formats.lists import ListRow, RowList, read_list
from exactcover.puzzle import Puzzle
from exactcover.puzzle.digest import digest
from exactcover.runs.batches.answering import Answering
from exactcover.runs.batches.finished_rows import FinishedRows
from exactcover.runs.batches.records import Record, failure_words, nothing
from exactcover.search.counting.counts import Counting
from exactcover.search.counting.stored import AT_LEAST, SHARE, Numbers
from exactcover.search.result import Result
from exactcover.search.strategy import Strategy
from exactcover.search.subject import counted_as
from exactcover.search.underway import STRATEGIES, checked_time_limit
from exactcover.trust.provenance import engines, of_result
from exactcover.trust.verification.second import second_count

RESULTS = (
    "found", "agrees", "status", "engine", "second_engine", "second_found", "seconds",
    "second_seconds", "compiling", "note", "error", "digest", "provenance",
)  # fmt: skip
"""The columns that a row gets; columns of the list with these names are replaced."""

SETTLED = ("complete", "impossible", "different")
"""The states of a row that is finished: it is not counted again."""


@dataclass(frozen=True)
class AskedRow:
    """A row to count.

    known  the results of an earlier run; None: it must be counted
    """

    row: ListRow
    known: Record | None = None


@dataclass(frozen=True)
class RowQuestion:
    """The question about each row: the work of the processes of a batch.

    verify  whether each row is counted by a second method
    """

    counted: Convention | None = None
    strategy: str | None = None
    time_limit: float | None = None
    verify: bool = False
    plugins: tuple[Path, ...] = ()
    tries = 1

    def begin(self) -> Callable[[AskedRow], Iterator[list[Record]]]:
        """Load the plug-ins; return a function that gives the record of a row."""
        from exactcover.backends.heuristics import load_plugin

        for file in self.plugins:
            load_plugin(file)
        return self._records

    def _records(self, asked: AskedRow) -> Iterator[list[Record]]:
        yield [*self.records(asked, nothing)]

    def records(self, asked: AskedRow, pulse: Callable[[], object]) -> Iterator[Record]:
        """The record of a row."""
        row = asked.row
        try:
            results = self._counted(row, pulse) if asked.known is None else asked.known
            yield self._record(row, results | self._other_way(row, results, pulse))
        except Exception as error:
            yield self._record(row, {"status": "error", "error": failure_words(error)})

    def lost(self, asked: AskedRow, reason: str) -> list[Record]:
        """The record of a row that has ended its process."""
        return [self._record(asked.row, {"status": "error", "error": reason})]

    def _record(self, row: ListRow, results: Record) -> Record:
        """The columns of the row, and the results behind them, all of them."""
        made = dict.fromkeys(RESULTS) | {key: results.get(key) for key in RESULTS}
        made["agrees"] = _agrees(row.expected, made)
        kept = {name: value for name, value in row.columns.items() if name not in RESULTS}
        kept = {"name": row.name} | kept | {"name": row.name}
        if made["provenance"] is not None:
            # Of a row with the same puzzle, perhaps.
            made["provenance"] = made["provenance"] | _place(row)
            kept["counted"] = made["provenance"]["counted"]
        return kept | made

    def key(self, digest: str, counted: Convention) -> str:
        """The name of the count of a row: its puzzle and the question, not its place or name."""
        verified = "verified" if self.verify else "once"
        return f"{digest} {counted} {verified} {self.strategy or 'chosen'}"

    def _counted(self, row: ListRow, pulse: Callable[[], object]) -> Record:
        document = row.document()
        with document.faults_placed():
            counting = Counting(
                document.content,
                counted=row.counted or self.counted,
                strategy=self.strategy,
                time_limit=self.time_limit,
            )
        with counting:
            result = _run(counting, pulse)
        record: Record = {
            "found": result.solutions,
            "status": result.status,
            "engine": _engines(result.strategy),
            "seconds": round(result.seconds, 6),
            "compiling": round(result.compiling, 6),
            "note": result.reason or None,
            "provenance": of_result(document.content, result, name=row.name) | _place(row),
        }
        if self.verify and result.status in SETTLED:
            self._verify(document, result, record, pulse)
        record["digest"] = record["provenance"]["digest"]
        return record

    def _verify(
        self, document: Document, first: Result, record: Record, pulse: Callable[[], object]
    ) -> None:
        """Count once more, and put the outcome into the record."""
        second = second_count(
            document.content,
            first.strategy,
            counted=first.counted,
            time_limit=self.time_limit,
            pulse=pulse,
        )
        if second is None:
            record |= {"status": "unverified", "note": "no other engine came to the end"}
            return
        record["second_engine"] = _engines(second.strategy)
        record["second_found"] = second.solutions
        record["second_seconds"] = round(second.seconds, 6)
        record["compiling"] = round(first.compiling + second.compiling, 6)
        origin = record["provenance"]
        origin["engines"] |= dict(engines(second.strategy))
        origin["second"] = {
            "strategy": second.strategy,
            "solutions": second.solutions,
            "seconds": round(second.seconds, 6),
            "compiling": round(second.compiling, 6),
        }
        if second.solutions != first.solutions:
            record["status"] = "different"
            record["note"] = f"{second.strategy} finds {second.solutions:,}"

    def _other_way(self, row: ListRow, results: Record, pulse: Callable[[], object]) -> Record:
        """A note if another number is expected, and it is right in another way of counting.

        The numbers by other ways are kept with the provenance.
        """
        expected, found, origin = row.expected, results.get("found"), results.get("provenance")
        settled = results["status"] in ("complete", "impossible", "unverified")
        if not settled or not found or expected in (None, found) or origin is None:
            return {}
        others = origin.get("others")
        if others is None:
            others = self._others(row.document(), results, pulse)
        way = next((way for way, number in others.items() if number == expected), None)
        note = {} if way is None else {"note": f"{expected:,} is the number with counted = {way}"}
        return {"provenance": origin | {"others": others}} | note

    def _others(
        self, document: Document, results: Record, pulse: Callable[[], object]
    ) -> dict[str, int | None]:
        """The numbers of solutions by the other ways of counting; None: that takes too long."""

        def run(counting: Counting, step: Callable[[], bool]) -> None:
            while step():
                pulse()

        found, counted = results["found"], results["provenance"]["counted"]
        patience = max(AT_LEAST, SHARE * results["seconds"])
        numbers = Numbers(document, {counted: found}, True, run, self.time_limit, patience)
        return {way: numbers.number(way) for way in CONVENTIONS if way != counted}


def _place(row: ListRow) -> Record:
    """Where the puzzle of a row is stated, as keys of a provenance."""
    stated = {"given": dict(row.keys)} if row.keys else {"file": row.place}
    return {"puzzle": row.name} | stated


def _run(counting: Counting, pulse: Callable[[], object]) -> Result:
    """The outcome of a count; where memory ran out, with the reason."""
    try:
        while counting.step():
            pulse()
    except TooLarge as error:
        return replace(counting.result, status="limit", stopped_by="memory", reason=str(error))
    return counting.result


def _engines(strategy: str) -> str:
    return "+".join(dict(engines(strategy)))


def _agrees(expected: int | None, record: Record) -> bool | None:
    """Whether the number found is the one expected; None: nothing is expected, or known."""
    found = record["found"]
    if expected is None or found is None or record["status"] == "different":
        return None
    if record["status"] == "limit":
        return False if found > expected else None
    return bool(found == expected)


class ListBatching(Answering[AskedRow]):
    """A list under way: an iterator over the records of its rows, in their order.

    path       the file of the list, or a list that has been read
    counted    what counts as one solution where a row does not say
    directory  a folder in which finished rows are kept; None: they are not
    plugins    files of heuristics and filters that each worker loads
    pulse      called many times a second while it works
    """

    def __init__(
        self,
        path: str | Path | RowList,
        *,
        counted: Convention | None = None,
        strategy: Strategy | str | None = None,
        time_limit: float | None = None,
        workers: int = 1,
        verify: bool = False,
        directory: Path | None = None,
        plugins: Sequence[Path] = (),
        pulse: Callable[[], object] = nothing,
    ) -> None:
        check_kind("strategy", strategy, (Strategy, str, type(None)), STRATEGIES)
        if counted is not None:
            check_choice("counted", counted, CONVENTIONS)
        check_whole("workers", workers, least=1, optional=False)
        check_flag("verify", verify)
        asked = RowQuestion(
            counted,
            None if strategy is None else str(Strategy.of(strategy)),
            checked_time_limit(time_limit),
            verify,
            tuple(plugins),
        )
        self.list = path if isinstance(path, RowList) else read_list(path)
        self._finished = None if directory is None else FinishedRows(directory)
        self._asked = asked
        super().__init__(self._tasks(), asked, workers=workers, order="given", pulse=pulse)

    @property
    def reused(self) -> int:
        """How many rows an earlier run in the folder has finished."""
        return 0 if self._finished is None else self._finished.used

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of all records, in their order."""
        kept = [name for name in self.list.columns if name not in RESULTS]
        return tuple(dict.fromkeys(["name", *kept, "counted", *RESULTS]))

    def arrived(self, record: Record) -> None:
        """Keep a finished row in the folder."""
        if self._finished is not None and record["status"] in SETTLED:
            key = self._asked.key(record["digest"], record["provenance"]["counted"])
            self._finished.keep(key, {name: record[name] for name in RESULTS})

    def close(self) -> None:
        """End the workers, and let another run have the folder."""
        super().close()
        if self._finished is not None:
            self._finished.close()

    def _tasks(self) -> Iterator[AskedRow]:
        for row in self.list.rows:
            yield AskedRow(row, self._known(row))

    def _known(self, row: ListRow) -> Record | None:
        """The results of an earlier run."""
        if self._finished is None:
            return None
        try:
            content = row.document().content
            name = digest(content)
        except ExactCoverError:
            return None  # the worker reports it
        way = counted_as(row.counted or self._asked.counted, puzzle=isinstance(content, Puzzle))
        return self._finished.take(self._asked.key(name, way))

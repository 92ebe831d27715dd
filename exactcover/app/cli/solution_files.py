"""The file of `solve --output`: its format by its ending, and the writer for it.

Every kind of file takes solutions as they are found, so memory does not grow with their number.
A file gives a sink for each puzzle. `close` of a sink takes the report of the search, and the
end of the `with` statement of a file makes the file complete, however the search ended.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from exactcover.app.cli.outputs import replacing
from exactcover.app.cli.pictures import Look
from exactcover.app.cli.solution_json import JsonLines, JsonList, JsonObject
from exactcover.errors import ExactCoverError

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.result import Solution


class Sink(Protocol):
    """Takes the solutions of one puzzle.

    begun  whether anything was written
    """

    begun: bool

    def add(self, solution: Solution) -> None:
        """Write a solution."""

    def close(self, record: Mapping[str, Any]) -> None:
        """Write what is known at the end of the search."""


class Output(AbstractContextManager["Output"], ABC):
    """A file of solutions, complete when its `with` statement ends."""

    @abstractmethod
    def sink(self, document: Document) -> Sink:
        """The sink for the solutions of the next puzzle."""


class TextSink:
    """Solutions drawn as text, each below its number."""

    def __init__(self, stream: IO[str], look: Look) -> None:
        self._stream, self._look = stream, look
        self._number = 0
        self.begun = False

    def add(self, solution: Solution) -> None:
        """Draw a solution, with its cost if the problem has costs."""
        from exactcover.show.render.text import heading

        self._number, self.begun = self._number + 1, True
        drawn = self._look.draw(solution, self._stream)
        self._stream.write(f"{heading(self._number)}\n{drawn}{cost_line(solution)}\n")

    def add_partial(self, packing: Solution, words: str) -> None:
        """Draw a partial packing below a line of words."""
        self._stream.write(f"{words}\n{self._look.draw(packing, self._stream)}\n")

    def close(self, record: Mapping[str, Any]) -> None:
        """Nothing: the report goes elsewhere."""


def cost_line(solution: Solution) -> str:
    """The cost of a solution, as a further line; empty if the problem has no costs."""
    return "" if solution.problem.costs is None else f"\ncost {solution.cost:.15g}"


class TextFile(Output):
    """A file with solutions drawn as text."""

    def __init__(self, path: Path, look: Look) -> None:
        self._stream, self._look = _opened(path), look

    def sink(self, document: Document) -> Sink:
        return TextSink(self._stream, self._look)

    def __exit__(self, *_: object) -> None:
        self._stream.close()


class JsonFile(Output):
    """A file with a list of objects, one for each puzzle."""

    def __init__(self, path: Path, look: Look) -> None:
        self._stream = _opened(path)
        self._list = JsonList(self._stream)

    def sink(self, document: Document) -> Sink:
        return self._list.object(document.name, key_of(document))

    def __exit__(self, *_: object) -> None:
        with self._stream:
            self._list.end()


class JsonLinesFile(Output):
    """A file with an object on a line for each solution."""

    def __init__(self, path: Path, look: Look) -> None:
        self._stream = _opened(path)

    def sink(self, document: Document) -> Sink:
        return JsonLines(self._stream, document.name, key_of(document))

    def __exit__(self, *_: object) -> None:
        self._stream.close()


def _parquet_file(path: Path, look: Look) -> Output:
    from exactcover.app.cli.parquet import ParquetFile

    return ParquetFile(path)


OUTPUTS: Mapping[str, Callable[[Path, Look], Output]] = {
    ".json": JsonFile,
    ".jsonl": JsonLinesFile,
    ".parquet": _parquet_file,
    ".txt": TextFile,
}
"""The kinds of files, by their endings."""


def opened(path: Path, look: Look) -> Output:
    """A file of solutions; its ending says of which kind."""
    return OUTPUTS[path.suffix.lower()](replacing(path), look)


def needs(ending: str) -> None:
    """Load what a file with this ending needs."""
    if ending == ".parquet":
        from exactcover.app.cli.parquet import arrow

        arrow()


def key_of(document: Document) -> str:
    """The key of the solutions of a puzzle in JSON."""
    return "placements" if document.puzzle else "options"


def object_on(stream: IO[str], document: Document) -> JsonObject:
    """The object of `--json --with-solutions`."""
    return JsonObject(stream, document.name, key_of(document))


def not_written(path: Path, error: OSError) -> ExactCoverError:
    """The error for a file that cannot be opened."""
    return ExactCoverError(f"{path} cannot be written: {error.strerror}")


def _opened(path: Path) -> IO[str]:
    try:
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise not_written(path, error) from None

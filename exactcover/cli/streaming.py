"""JSON that is written while solutions are found, so that memory does not grow with their number.

An object for a puzzle has the solutions and the report:

    {"puzzle": "somacube", "placements": [[...], [...]], "status": "complete", ...}

The status and the totals are known only at the end, so they follow the solutions. Nothing is
written before the first solution, so a search that fails at once leaves no part of an object.

JSON lines have an object for each solution, and no report:

    {"puzzle": "somacube", "solution": 1, "placements": [...]}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any

from exactcover.cli.wording import Wording, as_json

if TYPE_CHECKING:
    from exactcover.search.result import Solution


class JsonObject:
    """The object of one puzzle, open until `close` writes the results of the search.

    solutions  the key of the list of solutions
    before     the text before the object: the opening bracket or the comma of a list
    after      the text after it
    begun      whether anything was written
    """

    def __init__(
        self, stream: IO[str], puzzle: str, solutions: str, *, before: str = "", after: str = "\n"
    ) -> None:
        self._stream, self._after = stream, after
        self._next = before + as_json({"puzzle": puzzle, solutions: []}).removesuffix("]}")
        self._wording = Wording()
        self.begun = False

    def add(self, solution: Solution) -> None:
        """Write a solution, and flush it."""
        before, self._next, self.begun = self._next, ", ", True
        self._stream.write(before + self._wording.text(solution))
        self._stream.flush()

    def close(self, record: Mapping[str, Any]) -> None:
        """Write the rest of the object: the results known at the end."""
        rest = as_json({key: value for key, value in record.items() if key != "puzzle"})
        start = "" if self.begun else self._next
        self.begun = True
        self._stream.write(f"{start}], {rest.removeprefix('{')}{self._after}")
        self._stream.flush()


class JsonList:
    """A stream that is one list of these objects, valid however the run ends."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._last: JsonObject | None = None
        self._begun = False

    def object(self, puzzle: str, solutions: str) -> JsonObject:
        """The next object of the list; it must be closed if anything was written into it."""
        before = ", " if self._has_objects() else "["
        self._last = JsonObject(self._stream, puzzle, solutions, before=before, after="")
        return self._last

    def end(self) -> None:
        """Write the end of the list."""
        self._stream.write("]\n" if self._has_objects() else "[]\n")

    def _has_objects(self) -> bool:
        self._begun |= self._last is not None and self._last.begun
        return self._begun


class JsonLines:
    """The solutions of one puzzle as lines with an object each.

    solutions  the key of a solution
    """

    def __init__(self, stream: IO[str], puzzle: str, solutions: str) -> None:
        self._stream = stream
        self._puzzle, self._key = as_json(puzzle), as_json(solutions)
        self._wording = Wording()
        self._number = 0
        self.begun = False

    def add(self, solution: Solution) -> None:
        """Write a line, and flush it."""
        self._number, self.begun = self._number + 1, True
        self._stream.write(
            f'{{"puzzle": {self._puzzle}, "solution": {self._number}, '
            f"{self._key}: {self._wording.text(solution)}}}\n"
        )
        self._stream.flush()

    def close(self, record: Mapping[str, Any]) -> None:
        """Nothing: a line is complete, and the report is not in the file."""

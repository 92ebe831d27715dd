"""JSON that is written while solutions are found, so that memory does not grow with their number.

    {"puzzle": "somacube", "placements": [[...], [...]], "status": "complete", ...}

The status and the totals are known only at the end, so they follow the solutions. Nothing is
written before the first solution, so a search that fails at once leaves no part of an object.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import TracebackType
from typing import IO, Any


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
        self._next = before + _written({"puzzle": puzzle, solutions: []}).removesuffix("]}")
        self.begun = False

    def add(self, solution: list[Any]) -> None:
        """Write a solution, and flush it."""
        before, self._next, self.begun = self._next, ", ", True
        self._stream.write(before + _written(solution))
        self._stream.flush()

    def close(self, record: Mapping[str, Any]) -> None:
        """Write the rest of the object: the results known at the end."""
        rest = _written({key: value for key, value in record.items() if key != "puzzle"})
        start = "" if self.begun else self._next
        self.begun = True
        self._stream.write(f"{start}], {rest.removeprefix('{')}{self._after}")
        self._stream.flush()


class JsonList:
    """A file that is one list of these objects, valid however the run ends."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._last: JsonObject | None = None
        self._begun = False

    def __enter__(self) -> JsonList:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stream.write("]\n" if self._has_objects() else "[]\n")

    def object(self, puzzle: str, solutions: str) -> JsonObject:
        """The next object of the list; it must be closed if anything was written into it."""
        before = ", " if self._has_objects() else "["
        self._last = JsonObject(self._stream, puzzle, solutions, before=before, after="")
        return self._last

    def _has_objects(self) -> bool:
        self._begun |= self._last is not None and self._last.begun
        return self._begun


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)

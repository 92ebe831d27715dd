"""Text that is laid out once and filled in often."""

from __future__ import annotations


class Canvas:
    """Pieces of text at given places. Each `put` answers with the number of its piece."""

    def __init__(self) -> None:
        self._places: list[tuple[int, int]] = []
        self._texts: list[str] = []

    def put(self, line: int, column: int, text: str) -> int:
        """Text that begins at a line and column; what stands there is not to overlap."""
        self._places.append((line, column))
        self._texts.append(text)
        return len(self._texts) - 1

    def parts(self) -> tuple[list[str], list[int]]:
        """Strings which, joined, are the whole text; and which of them each piece became."""
        parts: list[str] = []
        where = [0] * len(self._texts)
        here, column = 0, 0
        for number in sorted(range(len(self._texts)), key=self._places.__getitem__):
            line, start = self._places[number]
            if line > here:
                parts.append("\n" * (line - here))
                here, column = line, 0
            if start > column:
                parts.append(" " * (start - column))
            where[number] = len(parts)
            parts.append(self._texts[number])
            column = start + len(self._texts[number])
        return parts, where

"""The puzzles that clients have posted, by their digest.

A puzzle is its TOML text. Those that were not used for longest are dropped when there are too many;
the page then posts its puzzle again.
"""

from __future__ import annotations

from collections import OrderedDict

from exactcover.serving.bounds import Bounds
from exactcover.serving.refusals import Refusal


class Kept:
    """Puzzles by their digest."""

    def __init__(self, limits: Bounds) -> None:
        self._limits = limits
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._texts)

    def keep(self, puzzles: dict[str, str]) -> None:
        """Keep puzzles, given by their digests."""
        for digest, text in puzzles.items():
            if digest not in self._texts:
                self._bytes += len(text)
            self._texts[digest] = text
            self._texts.move_to_end(digest)
        while len(self._texts) > 1 and (
            len(self._texts) > self._limits.puzzles or self._bytes > self._limits.stored
        ):
            _, gone = self._texts.popitem(last=False)
            self._bytes -= len(gone)

    def text(self, digest: str) -> str:
        """The text of a puzzle; raises `Refusal` if it is gone."""
        if digest not in self._texts:
            raise Refusal(404, f"the puzzle {digest[:40]!r} is not kept (any more): post it again")
        self._texts.move_to_end(digest)
        return self._texts[digest]

"""The counts of a sequence: a line of JSON for each term and engine, written when it ends.

A second run skips what is there, so a run that was killed goes on. A term is *settled* once two
engines of different methods have the same number.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from counts.known import engine_of, independent


@dataclass(frozen=True)
class Counted:
    """A term that an engine has counted.

    index     of the term
    fits      options chosen by an engine that lists, or states
    seconds   of the processor
    mebibytes the peak of the process until then
    version   of the program, with its commit
    of        the digest of what was counted, see `Sequence.digest`; empty in older lines
    """

    index: int
    value: int
    engine: str
    fits: int
    seconds: float
    mebibytes: int
    version: str
    of: str = ""


class Record:
    """The terms of a sequence that were counted, in a file; without a path, in memory alone."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.lines: list[Counted] = []
        if path is not None and path.exists():
            whole, end, cut = path.read_text("utf-8").rpartition("\n")
            if cut:  # a killed run may have cut off its last line
                path.write_text(whole + end, "utf-8")
            self.lines = [Counted(**json.loads(line)) for line in whole.splitlines()]

    def at(self, index: int) -> list[Counted]:
        """The counts of a term."""
        return [one for one in self.lines if one.index == index]

    def get(self, index: int, engine: str) -> Counted | None:
        """The count of a term by an engine."""
        return next((one for one in self.at(index) if one.engine == engine), None)

    def add(self, one: Counted) -> None:
        """Keep a count, in the file too."""
        self.lines.append(one)
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(asdict(one)) + "\n")

    def settled(self, index: int) -> int | None:
        """The number on which two engines of different methods agree; None if there is none."""
        found = self.at(index)
        for one in found:
            for other in found:
                if one.value == other.value and independent(one.engine, other.engine):
                    return one.value
        return None

    def disputed(self, index: int) -> bool:
        """Whether two engines have different numbers."""
        return len({one.value for one in self.at(index)}) > 1

    def expected(self, index: int, engine: str) -> tuple[float, float] | None:
        """The fits and seconds that the next term may need, as the last two terms grew.

        In a table neighbouring entries are no measure: None where the last term was smaller.
        """
        last, before = self.get(index - 1, engine), self.get(index - 2, engine)
        if last is None or before is None or not last.fits > before.fits > 0:
            return None
        growth = last.fits / before.fits
        return last.fits * growth, last.seconds * growth


def methods(found: list[Counted]) -> str:
    """The engines of a term, by their names alone."""
    return ", ".join(dict.fromkeys(engine_of(one.engine) for one in found))

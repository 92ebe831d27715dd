"""The contents of a file: a puzzle or a plain problem, and what its author says about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from exactcover.base.values import Value
from exactcover.base.values.conventions import Convention
from exactcover.errors import FormatError, PuzzleError
from exactcover.problem import Problem
from exactcover.puzzle import Model, Puzzle


@dataclass(frozen=True, eq=False)
class Document(Value):
    """One puzzle of a file.

    name        how it is asked for: the file's name, with `#2` for the second of several puzzles
    content     a puzzle, or a problem without geometry
    title       one line for lists
    source      where puzzle and counts come from
    counts      published numbers of solutions, by one of `CONVENTIONS`
    file        where it was read from
    lines       the line on which each piece is defined
    assemblies  the number of solutions that BurrTools found, by each of `CONVENTIONS` by which it
                may count; BurrTools distinguishes pieces of one shape
    """

    name: str
    content: Puzzle | Problem
    title: str = ""
    source: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    file: str | None = None
    lines: Mapping[str, int] = field(default_factory=dict)
    assemblies: Mapping[Convention, int] = field(default_factory=dict)

    @property
    def puzzle(self) -> Puzzle | None:
        return self.content if isinstance(self.content, Puzzle) else None

    @property
    def model(self) -> Model | None:
        """The puzzle's model, or None for a plain problem; a piece at fault is told by its line."""
        if not isinstance(self.content, Puzzle):
            return None
        with self.faults_placed():
            return self.content.model

    @contextmanager
    def faults_placed(self) -> Iterator[None]:
        """Whatever is wrong with a piece in here is told by the file and the line of the piece."""
        try:
            yield
        except PuzzleError as error:
            place = self.lines.get(error.piece or "")
            raise FormatError(str(error), token=error.piece).at(place, self.file) from None

    @property
    def problem(self) -> Problem:
        if isinstance(self.content, Problem):
            return self.content
        model = self.model
        assert model is not None, "only a plain problem has no model"
        return model.problem


@dataclass(frozen=True)
class Heading:
    """An entry of a list of puzzles: the fields of a `Document` with the same names."""

    name: str
    title: str
    counts: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Refused:
    """A puzzle of a file that cannot be read while the others of the file can.

    name   how it would be asked for
    error  why it cannot be read, and where that stands in the file
    """

    name: str
    error: FormatError


def accepted(entries: Iterable[Document | Refused]) -> Iterator[Document]:
    """The puzzles, as long as none is refused: the first that is raises its error."""
    for entry in entries:
        if isinstance(entry, Refused):
            raise entry.error
        yield entry

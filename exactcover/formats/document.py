"""A puzzle of a file with what is said about it, and the text from which it is read.

A reader takes a `Source` and gives a `Document` for each puzzle, or `Refused` for one that cannot
be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from exactcover.base.text import (
    CONTROL,
    COUNT_DIGITS,
    MAX_DIGITS,
    RULE,
    plain,
    signed_number,
    whole_number,
)
from exactcover.base.values import CONVENTIONS, COUNTED_AS, Convention, Value
from exactcover.errors import ConversionError, FormatError, PuzzleError, shown
from exactcover.formats.limits import MAX_REMARK, Budget
from exactcover.lattices import get_lattice
from exactcover.problem import Problem
from exactcover.puzzle import Model, Puzzle


@dataclass(frozen=True, eq=False)
class Document(Value):
    """One puzzle of a file.

    name     its name for the user: the file's name, with `#2` for the second of several puzzles
    content  a puzzle, or a problem without geometry
    title    one line for lists
    source   where puzzle and counts come from
    counts   published numbers of solutions, by one of `CONVENTIONS`
    file     where it was read from
    lines    the line on which each piece is defined
    """

    name: str
    content: Puzzle | Problem
    title: str = ""
    source: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    file: str | None = None
    lines: Mapping[str, int] = field(default_factory=dict)

    @property
    def puzzle(self) -> Puzzle | None:
        return self.content if isinstance(self.content, Puzzle) else None

    @property
    def model(self) -> Model | None:
        """The puzzle's model, or None for a plain problem. Errors give the line of the piece."""
        if not isinstance(self.content, Puzzle):
            return None
        with self.faults_placed():
            return self.content.model

    def counted_as(self, counted: Convention) -> str:
        """The words for what counts as one solution."""
        puzzle = self.puzzle
        return COUNTED_AS[counted] if puzzle is None else puzzle.counted_as(counted)

    def faults_placed(self) -> AbstractContextManager[None]:
        """Give errors of a piece from this block the file and the line of the piece."""
        return errors_at(None, self.file, self.lines)

    @property
    def problem(self) -> Problem:
        if isinstance(self.content, Problem):
            return self.content
        model = self.model
        assert model is not None, "only a plain problem has no model"
        return model.problem


@dataclass(frozen=True, eq=False)
class Refused:
    """A puzzle of a file that cannot be read while the others of the file can.

    name   its name for the user
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


@contextmanager
def errors_at(
    line: int | None = None, file: str | None = None, lines: Mapping[str, int] | None = None
) -> Iterator[None]:
    """Give errors from this block a place; `lines` has those of pieces that may be at fault."""
    try:
        yield
    except FormatError as error:
        raise error.at(line, file) from None
    except PuzzleError as error:
        place = (lines or {}).get(error.piece or "", line)
        raise FormatError(str(error), token=error.piece).at(place, file) from None


# -- the text of a file ---------------------------------------------------------------------------


REMARK = re.compile(r"(title|source|count +(?:all|rotations|reflections)) *: *(.*)", re.IGNORECASE)
NUMBER = re.compile(r"[0-9][0-9,_]*")


@dataclass(frozen=True, eq=False)
class Source:
    """The text of a puzzle, and where it came from.

    name    how its puzzle is called
    file    for messages, and the folder in which to look for files that it mentions
    budget  how many cells the file may still hold
    """

    text: str
    name: str = "puzzle"
    file: str | None = None
    budget: Budget = field(default_factory=Budget)

    @cached_property
    def lines(self) -> list[str]:
        """The lines, however they end."""
        return self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    def check_characters(self) -> None:
        """Refuse control characters, which upset a terminal, and marks that turn text round."""
        if wrong := CONTROL.search(self.text):
            line = self.text.count("\n", 0, wrong.start()) + 1
            raise self.error(f"a control character: {RULE}", line, token=wrong.group())

    def document(
        self, content: Puzzle | Problem, remarks: Remarks, lines: Mapping[str, int] | None = None
    ) -> Document:
        """The document of its puzzle, with the line of each piece."""
        about = remarks.title, remarks.source, remarks.counts
        return Document(self.name, content, *about, self.file, lines or {})

    def error(
        self, message: str, line: int | None = None, *, token: str | None = None
    ) -> FormatError:
        return FormatError(message, token=token).at(line, self.file)


def whole(token: str, what: str) -> int:
    """The whole number that a token is."""
    number = signed_number(token)
    if number is None:
        message = f"{what} must be a whole number of at most {MAX_DIGITS} digits"
        raise FormatError(message, token=shown(token))
    return number


def one_line(text: str, what: str) -> str:
    """A title or a source as one line; raises `FormatError` where it cannot be one.

    An escape can bring a control character into a text whose characters were checked.
    """
    if len(text) > MAX_REMARK:
        raise FormatError(f"a {what} may have {MAX_REMARK:,} characters", token=shown(text))
    if wrong := CONTROL.search(text):
        raise FormatError(f"a control character in the {what}: {RULE}", token=wrong.group())
    return " ".join(text.split())


@dataclass
class Remarks:
    """The comments about a puzzle: `title: ...`, `source: ...`, `count all: 9356`.

    Any other comment has no meaning. Of several titles the first is kept; several sources are one
    text.
    """

    title: str = ""
    source: str = ""
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, comment: str) -> None:
        found = REMARK.fullmatch(comment.strip())
        if not found:
            return
        key, value = found[1].lower().split(), one_line(found[2], found[1].lower())
        if key[0] == "title":
            self.title = self.title or value
        elif key[0] == "source":
            self.source = one_line(f"{self.source} {value}", "source")
        elif number := NUMBER.match(value):
            digits = re.sub("[,_]", "", number.group())
            if (published := whole_number(digits, COUNT_DIGITS)) is not None:
                self.counts.setdefault(key[1], published)

    def before(self, common: Remarks) -> Remarks:
        """These remarks, filled up with those that several puzzles have in common."""
        return Remarks(
            self.title or common.title,
            " ".join(filter(None, (common.source, self.source))),
            common.counts | self.counts,
        )

    @staticmethod
    def written(title: str, source: str, counts: Mapping[str, int], mark: str) -> list[str]:
        """The comment lines that say this, each behind `mark`."""
        said = {"title": title, "source": source}
        said |= {f"count {key}": str(counts[key]) for key in CONVENTIONS if key in counts}
        return [f"{mark} {key}: {plain(text)}" for key, text in said.items() if plain(text)]


class NotRepresentable(Exception):
    """The part of a puzzle that a format cannot represent."""


def check_squares_or_cubes(puzzle: Puzzle) -> bool:
    """Whether a puzzle is one of squares, not of cubes; raises `NotRepresentable` for another one.

    It also raises for costs, wrapped boards and pieces that may not be turned.
    """
    if puzzle.region.wrap:
        raise NotRepresentable("a wrapped board")
    if puzzle.has_costs:
        raise NotRepresentable("costs")
    flat = puzzle.lattice is get_lattice("square")
    if not flat and puzzle.lattice is not get_lattice("cubic"):
        raise NotRepresentable(f"the lattice {puzzle.lattice.name}, only squares and cubes")
    for piece in puzzle.movable:
        if puzzle.is_fixed(piece):
            raise NotRepresentable(f"that piece {piece.name} may not be turned")
    return flat


@contextmanager
def represented(document: Document, form: str) -> Iterator[None]:
    """Turn `NotRepresentable` into the error of the document that is being written."""
    try:
        yield
    except NotRepresentable as lost:
        message = f"{form} cannot represent {lost} (puzzle {document.name})"
        raise ConversionError(message) from None

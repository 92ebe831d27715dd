"""The puzzles that a command is given.

They are read one after the other. If one of several fails, the others are still done: the fault is
reported on standard error, and the command ends with an error that says how many failed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from exactcover.app.cli.exit_status import DONE, INTERRUPTED, worse
from exactcover.app.cli.terminal import say
from exactcover.base.text.names import escaped
from exactcover.errors import ExactCoverError, FormatError, TimeUp, TooLarge

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.puzzle import Puzzle

GIVEN = "exactcover.given"
"""The key in click's context of the `Given` of a command."""


@dataclass
class Given:
    """The puzzles that a command is given, one after the other.

    several  whether one that fails leaves the others
    total    the number that is read so far
    failed   how many of them have failed
    """

    several: bool
    total: int = 0
    failed: int = 0

    def fail(self, name: str, error: ExactCoverError) -> None:
        """Report what is wrong with a puzzle; raise it if this is the only one."""
        if not self.several:
            raise error
        self.failed += 1
        say(escaped(str(error) if name in str(error) else f"{name}: {error}"))

    @property
    def end(self) -> ExactCoverError:
        """The error that ends the command."""
        return ExactCoverError(f"{self.failed} of {self.total} puzzles failed")


def read_all(
    places: Sequence[str], time_limit: float | None = None, *, together: bool = False
) -> Iterator[Document]:
    """The puzzles at these places; the time limit holds for reading each place.

    together  the command makes one thing of all puzzles, so the first fault ends it
    """
    from exactcover.base.patience import within
    from exactcover.formats import Refused, read_puzzles

    given = click.get_current_context().meta[GIVEN] = Given(len(places) > 1 and not together)
    for place in places:
        entries: list[Document | Refused]
        try:
            with within(time_limit):
                entries = read_puzzles(place)
        except ExactCoverError as error:
            if not given.several:
                raise
            entries = [Refused(place, FormatError(str(error)))]
        given.total += len(entries)
        given.several |= len(entries) > 1 and not together
        for entry in entries:
            if not isinstance(entry, Refused):
                yield entry
                continue
            given.fail(entry.name, entry.error)
    if given.total and given.failed == given.total:
        raise given.end


def read_one(place: str) -> Document:
    """The puzzle at a place, which holds one."""
    documents = list(read_all([place]))
    if len(documents) != 1:
        raise ExactCoverError(
            f"{place} holds {len(documents)} puzzles: pick one, for example {place}#1"
        )
    return documents[0]


@contextmanager
def failing_alone(document: Document) -> Iterator[None]:
    """Report what fails in this block, and let the command go on with its other puzzles."""
    try:
        yield
    except (TimeUp, TooLarge):
        raise  # a limit, which has a status of its own
    except ExactCoverError as error:
        click.get_current_context().meta[GIVEN].fail(document.name, error)


def for_each(documents: Iterable[Document], answer: Callable[[Document], int]) -> int:
    """Answer one puzzle after the other, up to an interrupt; return the exit status of all."""
    status = DONE
    for document in documents:
        with failing_alone(document):
            end = answer(document)
            if end == INTERRUPTED:
                return end
            status = worse(status, end)
    return status


def puzzles_given() -> int:
    """The number of puzzles that the command has read, those that could not be read among them."""
    given: Given = click.get_current_context().meta[GIVEN]
    return given.total


def puzzle_of(document: Document, wanted: str) -> Puzzle:
    """The puzzle of a document; a plain problem has none, so it has no `wanted`."""
    if document.puzzle is None:
        raise ExactCoverError(f"{document.name}: a plain problem has no {wanted}: it has no cells")
    return document.puzzle

"""The puzzles that a command is given.

They are read one after the other. If one of several fails, the others are still done: the fault is
reported on standard error, and the exit status says that there was one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from exactcover.base.text.names import escaped
from exactcover.cli.exit_status import DONE, INTERRUPTED, MISTAKE, worse
from exactcover.cli.terminal import say
from exactcover.errors import ExactCoverError, FormatError, TimeUp, TooLarge

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.puzzle import Puzzle


class GivenPuzzles:
    """The puzzles at some places, one after the other.

    time_limit  holds for reading each place
    together    the command makes one thing of all puzzles, so the first fault ends it

    total       the number that is read so far, those that could not be read among them
    """

    def __init__(
        self, places: Sequence[str], time_limit: float | None = None, *, together: bool = False
    ) -> None:
        self._places, self._time_limit, self._together = places, time_limit, together
        self._several = len(places) > 1 and not together
        self._failed = 0
        self._documents: list[Document] | None = None
        self.total = 0

    def read(self) -> list[Document]:
        """Read all of them before the first is answered."""
        self._documents = list(self)
        return self._documents

    def __iter__(self) -> Iterator[Document]:
        if self._documents is not None:
            return iter(self._documents)
        return self._reading()

    def _reading(self) -> Iterator[Document]:
        from exactcover.base.patience import within
        from exactcover.formats import Refused, read_puzzles

        for place in self._places:
            entries: list[Document | Refused]
            try:
                with within(self._time_limit):
                    entries = read_puzzles(place)
            except ExactCoverError as error:
                if not self._several:
                    raise
                entries = [Refused(place, FormatError(str(error)))]
            self.total += len(entries)
            self._several |= len(entries) > 1 and not self._together
            for entry in entries:
                if isinstance(entry, Refused):
                    self._fail(entry.name, entry.error)
                else:
                    yield entry
        if self.total and self._failed == self.total:
            raise ExactCoverError(self._failures)

    def answer(self, answered: Callable[[Document], int]) -> int:
        """Answer one puzzle after the other, up to an interrupt; return the exit status of all."""
        status = DONE
        for document in self:
            try:
                end = answered(document)
            except (TimeUp, TooLarge):
                raise  # a limit, which has a status of its own
            except ExactCoverError as error:
                self._fail(document.name, error)
                continue
            if end == INTERRUPTED:
                return end
            status = worse(status, end)
        if self._failed:
            say(self._failures)
            return MISTAKE
        return status

    def _fail(self, name: str, error: ExactCoverError) -> None:
        """Report what is wrong with a puzzle; raise it if this is the only one."""
        if not self._several:
            raise error
        self._failed += 1
        say(escaped(str(error) if name in str(error) else f"{name}: {error}"))

    @property
    def _failures(self) -> str:
        return f"{self._failed} of {self.total} puzzles failed"


def read_one(place: str) -> Document:
    """The puzzle at a place, which holds one."""
    documents = GivenPuzzles([place]).read()
    if len(documents) != 1:
        raise ExactCoverError(
            f"{place} holds {len(documents)} puzzles: pick one, for example {place}#1"
        )
    return documents[0]


def puzzle_of(document: Document, wanted: str) -> Puzzle:
    """The puzzle of a document; a plain problem has none, so it has no `wanted`."""
    if document.puzzle is None:
        raise ExactCoverError(f"{document.name}: a plain problem has no {wanted}: it has no cells")
    return document.puzzle

"""Where commands read and write: the puzzles given, and one rule for files and folders.

Puzzles are read one after the other. If one of several fails, the others are still done: the fault
is reported on standard error, and the exit status says that there was one.

An output whose name has an ending is a file, and the ending says its format. A folder, or a name
without an ending, gets a file for each puzzle, named after the puzzle; no two of them have the same
name. A file that was there before is replaced, and a line on standard error says so.

Outputs are checked while the command line is read, before any puzzle is: an ending that means
nothing, a folder that is not there, a file that cannot be opened, a missing extra.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any

import click

import exactcover as ec
from exactcover.base.text import escaped
from exactcover.base.text.files import file_name
from exactcover.cli.ends import DONE, INTERRUPTED, MISTAKE, STOPPED, say, worse
from exactcover.errors import ExactCoverError, TimeUp, TooLarge

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.show.packages import Purpose


class GivenPuzzles:
    """The puzzles at some places, one after the other.

    time_limit  holds for reading each place
    """

    def __init__(self, places: Sequence[str], time_limit: float | None = None) -> None:
        self._several = len(places) > 1
        self._total = self._failed = 0  # those read so far, and those of them at fault
        self._documents: Iterable[Document] = self._reading(places, time_limit)

    def _reading(self, places: Sequence[str], time_limit: float | None) -> Iterator[Document]:
        from exactcover.base.patience import within
        from exactcover.formats import Refused, read_puzzles

        for place in places:
            try:
                with within(time_limit):
                    entries = read_puzzles(place)
            except ExactCoverError as error:
                self._total += 1
                self._fail(place, error)
                continue
            self._total += len(entries)
            self._several |= len(entries) > 1
            for entry in entries:
                if isinstance(entry, Refused):
                    self._fail(entry.name, entry.error)
                else:
                    yield entry

    def read_for(self, output: Target | Path | None, what: str) -> list[Document]:
        """Read all of them; raise if several, of which one may have failed, would share a file, or
        standard output (None)."""
        self._documents = documents = list(self._documents)
        if self._total > 1 and not (isinstance(output, Target) and output.in_folder):
            raise click.UsageError(
                f"{what} is for one puzzle, not for {self._total}"
                + ("" if isinstance(output, Path) else ": name a folder, --output FOLDER")
            )
        return documents

    def answer(self, answered: Callable[[Document], int]) -> int:
        """Answer one puzzle after the other, up to an interrupt; return the exit status of all."""
        status = DONE
        for document in self._documents:
            try:
                with document.faults_placed():
                    end = answered(document)
            except (TimeUp, TooLarge) as error:  # a limit, which has a status of its own
                say(escaped(str(error)))
                end = STOPPED
            except ExactCoverError as error:
                self._fail(document.name, error)
                continue
            if end == INTERRUPTED:
                return end
            status = worse(status, end)
        if self._failed:
            say(f"{self._failed} of {self._total} puzzles failed")
            status = worse(status, MISTAKE)
        return status

    def _fail(self, name: str, error: ExactCoverError) -> None:
        """Report what is wrong with a puzzle; raise it if this is the only one."""
        if not self._several:
            raise error
        self._failed += 1
        say(escaped(str(error) if name in str(error) else f"{name}: {error}"))


def read_all(places: Sequence[str]) -> list[Document]:
    """The puzzles at some places, of which one thing is made: the first fault ends the command."""
    from exactcover.formats import read_puzzle

    return [document for place in places for document in read_puzzle(place)]


def read_one(place: str) -> Document:
    """The puzzle at a place, which holds one."""
    documents = read_all([place])
    if len(documents) != 1:
        raise ExactCoverError(
            f"{place} holds {len(documents)} puzzles: pick one, for example {place}#1"
        )
    return documents[0]


def puzzle_in(document: Document, wanted: str) -> ec.Puzzle:
    """The puzzle of a document; a plain problem has none, so it has no `wanted`."""
    if document.puzzle is None:
        raise ExactCoverError(f"{document.name}: a plain problem has no {wanted}: it has no cells")
    return document.puzzle


# -- where commands write --------------------------------------------------------------------------


class FilePath(click.Path):
    """The name of a file or folder. An empty one is refused: it would be the current folder, which
    nobody means by the value of a shell variable that is not set."""

    def __init__(self, **more: Any) -> None:
        super().__init__(path_type=Path, **more)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("the name is empty; the current folder is '.'", param, ctx)
        return super().convert(value, param, ctx)


@dataclass(frozen=True)
class Target:
    """Where a command writes.

    path    a file or a folder
    ending  with which the files in a folder end; None: the path is a file
    """

    path: Path
    ending: str | None = None
    _taken: set[str] = field(default_factory=set)

    @property
    def in_folder(self) -> bool:
        """Whether each puzzle gets a file of its own."""
        return self.ending is not None

    def make_folder(self) -> None:
        """Make the folder, if it is one and not there."""
        if self.in_folder:
            self.path.mkdir(parents=True, exist_ok=True)

    def file_of(self, name: str) -> Path:
        """The file of a puzzle, as `p-2` of `a/p.toml#2`, which is written next; its folder is
        made."""
        from exactcover.formats.shipped import short_name

        self.make_folder()
        if self.ending is None:
            return replacing(self.path)
        plain = (short_name(name) or name).replace("#", "-")
        return replacing(self.path / f"{file_name(plain, self._taken)}{self.ending}")


class NewFile(FilePath):
    """A file that can be written; its contents stay.

    endings    those that it may have; none: any
    needs      the extra that must be there for some endings
    in_folder  with which the files in a folder end: then the value is a `Target`, which may be a
               folder, or None for `-`, standard output
    """

    def __init__(
        self, endings: Collection[str] = (), needs: Purpose | None = None, in_folder: str = ""
    ) -> None:
        super().__init__()
        self.endings, self.needs, self.in_folder = endings, needs, in_folder

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if self.in_folder and value == "-":
            return None
        file = super().convert(value, param, ctx)
        ending = file.suffix.lower()
        if self.in_folder and (not ending or file.is_dir() or value.endswith(("/", os.sep))):
            self._check_packages(self.in_folder)
            there = next(one for one in (file, *file.parents) if os.path.lexists(one))
            try:
                TemporaryFile(dir=there).close()
            except OSError as error:
                raise ExactCoverError(f"{file} takes no files: {error.strerror}") from None
            return Target(file, self.in_folder)
        if self.endings and ending not in self.endings:
            self.fail(f"{file}: its ending must be one of {', '.join(self.endings)}", param, ctx)
        self._check_packages(ending)
        is_new = not file.exists()
        if is_new or file.is_file() or file.is_dir():  # a pipe is left alone
            file.open("ab").close()
        if is_new:
            file.unlink()
        return Target(file) if self.in_folder else file

    def _check_packages(self, ending: str) -> None:
        """Raise if the extra is not there that files of this ending need."""
        if self.needs is not None:
            from exactcover.show.packages import check_packages

            check_packages(self.needs, ending)


def replacing(file: Path) -> Path:
    """The file, which is written next; a line says so if it is there already."""
    if file.is_file():
        say(f"{file} is replaced")
    return file


def opened_file(path: Path) -> IO[str]:
    """A text file to write, without a change of line ends."""
    return replacing(path).open("w", encoding="utf-8", newline="")


# -- pictures -------------------------------------------------------------------------------------

ON_ONE_SHEET = 100
"""The most solutions that `--picture` draws."""

WIDTH = 1000.0
"""Pixels of the width of a PNG, if it would be smaller."""

PICTURES = (".svg", ".png")
PAGES = (".html", ".htm")
"""The endings of pages."""


def save_solutions(solutions: Sequence[ec.Solution], file: Path) -> None:
    """Write a picture, or a page: one solution alone, several on a sheet."""
    if not solutions:
        say(f"there is no solution, so {file} is not written")
        return
    what = solutions[0] if len(solutions) == 1 else list(solutions)
    is_page = file.suffix.lower() in PAGES
    save_drawn(ec.view(what) if is_page else ec.picture(what), replacing(file))


def save_drawn(made: ec.Page | ec.Picture, file: Path, *, exact: bool = False) -> None:
    """Write a page, or a picture; a PNG is about a thousand pixels wide, unless the size is
    exact."""
    if isinstance(made, ec.Page):
        made.save(file)
    else:
        made.save(file, zoom=1.0 if exact else min(20.0, max(1.0, WIDTH / made.width)))

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
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any

import click

from exactcover.base.text.files import file_name
from exactcover.base.text.names import escaped
from exactcover.cli.ends import DIFFERENT, DONE, INTERRUPTED, MISTAKE, say, worse
from exactcover.errors import ExactCoverError, FormatError, TimeUp, TooLarge

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.puzzle import Puzzle
    from exactcover.search.result import Solution
    from exactcover.show.packages import Purpose


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

    def read_for(self, target: Target | None, what: str) -> list[Document]:
        """Read all of them; raise if several, of which one may have failed, would share a file, or
        standard output."""
        documents = self.read()
        if self.total > 1 and (target is None or not target.in_folder):
            raise click.UsageError(
                f"{self.total} puzzles make as many {what}: name a folder, --output FOLDER"
            )
        return documents

    def read_one_for(self, option: str) -> None:
        """Read all of them; raise if they are several, and an option (empty: none is given) makes
        a file of one."""
        self.read()
        if option and self.total > 1:
            raise click.UsageError(f"{option} is for one puzzle, not for {self.total}")

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
            return DIFFERENT if status == DIFFERENT else MISTAKE
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


# -- where commands write --------------------------------------------------------------------------


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
        try:
            if self.in_folder:
                self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ExactCoverError(f"{self.path} cannot be made: {error.strerror}") from None

    def file_of(self, document: Document) -> Path:
        """The file of a puzzle, as `p-2` of `a/p.toml#2`, which is written next; its folder is
        made."""
        from exactcover.formats.shipped import short_name

        self.make_folder()
        if self.ending is None:
            return replacing(self.path)
        name = (short_name(document.name) or document.name).replace("#", "-")
        return replacing(self.path / f"{file_name(name, self._taken)}{self.ending}")


def target(
    said: str | None,
    endings: Collection[str],
    in_folder: str,
    *,
    needs: Purpose | None = None,
    default: Path | None = None,
    why: str = "",
) -> Target | None:
    """Where `-o` says to write; None: standard output.

    endings    those that a file may have
    in_folder  with which the files in a folder end
    needs      the extra that must be there for some endings
    default    the folder that is used without the option. Default: None, standard output
    why        before the message about an ending
    """
    if said is None:
        return None if default is None else Target(default, in_folder)
    if said == "-":
        return None
    path = Path(said)
    if not path.is_dir() and path.suffix and not said.endswith(("/", os.sep)):
        return Target(checked_file(path, endings, needs, "--output", why))
    _check_packages(needs, in_folder)
    return Target(checked_folder(path), in_folder)


def _check_packages(needs: Purpose | None, ending: str) -> None:
    if needs is not None:
        from exactcover.show.packages import check_packages

        check_packages(needs, ending)


def checked_folder(folder: Path) -> Path:
    """A folder that takes files; one that is not there must be possible to make."""
    there = next(one for one in (folder, *folder.parents) if os.path.lexists(one))
    try:
        TemporaryFile(dir=there).close()
    except OSError as error:
        raise ExactCoverError(f"{folder} takes no files: {error.strerror}") from None
    return folder


def checked_file(
    file: Path, endings: Collection[str], needs: Purpose | None, option: str, why: str = ""
) -> Path:
    """A file that can be written; its contents stay.

    endings  those that it may have; none: any
    needs    the extra that must be there for some endings
    """
    ending = file.suffix.lower()
    if endings and ending not in endings:
        words = f"{why}its ending must be one of {', '.join(endings)}"
        raise click.UsageError(f"{option} {file}: {words}")
    _check_packages(needs, ending)
    try:
        if file.is_file():
            os.close(os.open(file, os.O_WRONLY))
        elif not file.exists():
            TemporaryFile(dir=file.parent).close()  # its folder takes files
        elif file.is_dir():
            raise IsADirectoryError(0, "it is a folder")
    except FileNotFoundError:
        why = f"there is no folder {file.parent}"
    except NotADirectoryError:
        why = f"{file.parent} is no folder"
    except OSError as error:
        why = str(error.strerror)
    else:
        return file
    raise ExactCoverError(f"{file} cannot be written: {why}")


def replacing(file: Path) -> Path:
    """The file, which is written next; a line says so if it is there already."""
    if file.is_file():
        say(f"{file} is replaced")
    return file


def opened_file(path: Path) -> IO[str]:
    """A text file to write, without a change of line ends."""
    try:
        return path.open("w", encoding="utf-8", newline="")
    except OSError as error:
        raise ExactCoverError(f"{path} cannot be written: {error.strerror}") from None


# -- pictures -------------------------------------------------------------------------------------

ON_ONE_SHEET = 100
"""The most solutions that `--picture` draws."""

PICTURES = (".svg", ".png")
PAGES = (".html", ".htm")


def save_solutions(solutions: Sequence[Solution], file: Path) -> None:
    """Write a picture: one solution alone, several on a sheet."""
    if not solutions:
        say(f"there is no solution, so {file} is not written")
        return
    save_picture(solutions[0] if len(solutions) == 1 else list(solutions), file)


def save_picture(what: object, file: Path, **said: Any) -> None:
    """Write a picture, or a page, of anything that has one."""
    if file.suffix.lower() in PAGES:
        from exactcover.show import view

        view(what).save(replacing(file))
        return
    from exactcover.show.picture import picture

    picture(what, **said).save(replacing(file))

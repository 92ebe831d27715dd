"""The one family of errors that the package raises for a user's mistake.

    ExactCoverError
    |- ProblemError      an exact-cover problem that contradicts itself
    |- PuzzleError       a puzzle that makes no sense: a piece, a region, a count
    |- LatticeError      a lattice whose data do not fit together
    |- UnknownName       a lattice, piece, puzzle, engine ... that is not there
    |- FormatError       a file that cannot be read: says file, line and token
    |- ConversionError   a format that cannot hold what the puzzle says
    |- StrategyError     a strategy that cannot be read or makes no sense
    |- LedgerError       a ledger that cannot be read or written, or is of another run
    |- LimitReached      a count that was stopped by its limit: holds what was found
    |  `- TimeUp         the time was over before a search could begin
    |- TooLarge          a count whose states do not fit the memory: says how many there would be
    |- AlreadyRunning    a search that is to go on while it goes on
    |- BrokenSearch      a search that Ctrl-C or another exception broke off within a step
    `- CapabilityError   an engine lacks a capability: names those that have it

Every message says what was wrong, where, and what would be right. The command line prints it
without a traceback and exits with status 1; anything that is not an `ExactCoverError` is a bug.
"""

from __future__ import annotations

from collections.abc import Iterable


class ExactCoverError(Exception):
    """A user's mistake, with a message that helps to mend it."""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle it without `__init__`, whose arguments are others than those of the message."""
        return type(self).__new__, (type(self), *self.args), vars(self)


class ProblemError(ExactCoverError):
    """An exact-cover problem that contradicts itself."""


class PuzzleError(ExactCoverError):
    """A puzzle that makes no sense: a piece, a region, a count.

    `piece` names the piece at fault, so that a reader can say on which line it stands.
    """

    def __init__(self, message: str, *, piece: str | None = None) -> None:
        self.piece = piece
        super().__init__(message)


class LatticeError(ExactCoverError):
    """A lattice whose data do not fit together.

    `place` are the keys in a lattice file that lead to the field at fault, so that a reader can say
    on which line it stands.
    """

    def __init__(self, message: str, *, place: tuple[str | int, ...] = ()) -> None:
        self.place = place
        super().__init__(message)


class ConversionError(ExactCoverError):
    """A format that cannot hold what the puzzle says."""


class CapabilityError(ExactCoverError):
    """An engine lacks a capability that a task needs."""


class StrategyError(ExactCoverError):
    """A strategy that cannot be read or makes no sense."""


class LedgerError(ExactCoverError):
    """A ledger of a long run that cannot be read or written, or belongs to another run."""


class LimitReached(ExactCoverError):
    """A count that was stopped by its time limit; `found` solutions had been found by then.

    `best` is the best partial packing, a `Solution` that leaves cells open, where a search of one
    solution has one; else None.
    """

    def __init__(
        self, found: int, seconds: float | None = None, *, best: object | None = None
    ) -> None:
        self.found, self.best = found, best
        when = "" if seconds is None else f" after {seconds:g} s"
        so_far = f"with {found:,} solutions found so far: the count is not complete"
        said = so_far if found else "before a solution was found: there may be some"
        super().__init__(f"stopped{when} (time limit) {said}")


class TimeUp(LimitReached):
    """The time limit has passed while a puzzle was read, or a search set up."""

    def __init__(self) -> None:
        super().__init__(0)

    def __str__(self) -> str:
        return "stopped by the time limit before the search began: allow more time"


class TooLarge(ExactCoverError):
    """A count whose states do not fit into the memory that it may take.

    `so_far` are the states made, `expected` how many there would be, if that is known, and
    `limit` the bytes that may be taken. `advice` is what could be done.
    """

    def __init__(
        self,
        what: str,
        so_far: int,
        limit: int,
        expected: float | None = None,
        advice: str = "allow more memory, or list the solutions with fila",
    ) -> None:
        self.so_far, self.limit, self.expected = so_far, limit, expected
        made = f": {so_far:,} of them so far" if so_far else ""
        if expected and expected > so_far:
            known = f"about {float(f'{expected:.0e}'):,.0f}"
            made += f", {known if expected < 1e15 else 'more than 10^15'} in all"
        super().__init__(f"{what} do not fit {limit / 2**20:,.0f} MiB{made}; {advice}")


class AlreadyRunning(ExactCoverError):
    """A search that is to go on while it goes on.

    A signal handler or a callback that interrupts a step may stop the search and read what it has
    come to; it cannot go on with it.
    """

    def __init__(self) -> None:
        super().__init__(
            "this search is already running: a callback, a signal handler or a second thread may "
            "call stop() and read the result until it ends; to search twice, make two searches"
        )


class BrokenSearch(ExactCoverError):
    """A search that cannot go on: Ctrl-C, or another exception, broke it off within a step.

    What that step had found is lost, so a count that went on would be wrong.
    """

    def __init__(self, cause: BaseException | None = None) -> None:
        what = "an error" if cause is None else type(cause).__name__
        super().__init__(
            f"this search was broken off within a step by {what}, so it "
            "cannot go on: make a new one; to leave a search between two steps, call stop()"
        )


class UnknownName(ExactCoverError):
    """A name that nothing has; close names are offered.

    `listing` says how to list all names.
    """

    def __init__(self, what: str, name: str, known: Iterable[str], listing: str = "") -> None:
        self.what, self.name = what, name
        more = f"; {listing}" if listing else ""
        super().__init__(
            f"no {what} is called {shown(name)!r}: {one_of(sorted(known), name)}{more}"
        )


class FormatError(ExactCoverError):
    """A file that cannot be read: says which file, which line, which token.

    `line` counts from 1; `file` and `line` are filled in by the caller (see `at`).
    """

    def __init__(self, message: str, *, token: str | None = None) -> None:
        self.message, self.token = message, token
        self.file: str | None = None
        self.line: int | None = None
        super().__init__(message)

    def at(self, line: int | None = None, file: str | None = None) -> FormatError:
        """This error with its place filled in, where it is not known already."""
        self.line = self.line if self.line is not None else line
        self.file = self.file if self.file is not None else file
        return self

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        if self.file is None and self.line is not None:
            place = f"line {self.line}"  # of a text that is in no file
        token = f" (at {self.token!r})" if self.token is not None else ""
        return f"{place}: {self.message}{token}" if place else f"{self.message}{token}"


def shown(token: str) -> str:
    """The text of a token for a message; a long one is cut."""
    return token if len(token) <= 60 else token[:57] + "..."


MANY = 30
"""The most names that a suggestion lists."""


def one_of(names: Iterable[str], wrong: str) -> str:
    """Suggestions for a wrong name: the near names, or all names, or the first of very many."""
    from difflib import get_close_matches

    known = list(names)
    if near := get_close_matches(wrong, known, n=3, cutoff=0.6):
        return f"did you mean {' or '.join(near)}?"
    if len(known) <= MANY:
        return f"there are: {', '.join(known)}"
    return f"there are {len(known)}, the first: {', '.join(known[:8])} ..."

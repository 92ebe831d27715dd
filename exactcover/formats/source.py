"""A text to be read, and what every reader asks of it: lines, whole numbers, remarks.

Whatever is read is bounded beforehand, so that no file, however made, keeps the program busy for
long: bytes here, tokens and cells by the readers, with the limits below.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from itertools import count

from exactcover.errors import FormatError, PuzzleError
from exactcover.formats.document import COUNTED

MAX_TOKENS = 1_000_000
"""The most tokens in the drawings of one file."""

MAX_CELLS = 1_000_000
"""The most cells in one region; the regions of one file may have four times as many."""

MAX_PUZZLES = 100_000
"""The most puzzles in one file."""

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
REMARK = re.compile(r"(title|source|count +(?:all|rotations|reflections)) *: *(.*)", re.IGNORECASE)
NUMBER = re.compile(r"[0-9][0-9,_]*")


@dataclass(frozen=True, eq=False)
class Source:
    """A text, and where it came from.

    name  how its puzzles are called
    file  for messages, and the folder in which to look for files that it mentions
    """

    text: str
    name: str = "puzzle"
    file: str | None = None

    @cached_property
    def lines(self) -> list[str]:
        """The lines, however they end."""
        return self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    def check_characters(self) -> None:
        """Refuse control characters: names with them would upset a terminal."""
        if wrong := CONTROL.search(self.text):
            line = self.text.count("\n", 0, wrong.start()) + 1
            raise self.error("a control character: this is no text", line, token=wrong.group())

    def error(
        self, message: str, line: int | None = None, *, token: str | None = None
    ) -> FormatError:
        return FormatError(message, token=token).at(line, self.file)


def decoded(raw: bytes, name: str, file: str | None, limit: int) -> Source:
    """The bytes of a file as a text: UTF-8, with or without a byte order mark."""
    if len(raw) > limit:
        raise FormatError(f"larger than {limit >> 20} MiB, the most that is read").at(file=file)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        token = repr(raw[error.start : error.start + 1])[2:-1]
        message = "a byte that is not UTF-8: save the file in that encoding"
        raise FormatError(message, token=token).at(line, file) from None
    return Source(text, name, file)


def numbered(name: str, number: int, total: int) -> str:
    """How puzzle `number` (from 1) of `total` in a file is asked for."""
    return name if total == 1 else f"{name}#{number}"


def whole(token: str, what: str) -> int:
    """The whole number that a token is."""
    if not WHOLE.fullmatch(token):
        raise FormatError(f"{what} must be a whole number of at most 9 digits", token=shown(token))
    return int(token)


def shown(token: str) -> str:
    """A token for a message: a long one is cut."""
    return token if len(token) <= 60 else token[:57] + "..."


def one_of(names: Iterable[str], wrong: str) -> str:
    """What to use instead of a wrong name: the near ones, or all that there are."""
    known = list(names)
    near = get_close_matches(wrong, known, n=2, cutoff=0.6)
    return f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(known)}"


def placed(
    error: PuzzleError, source: Source, line: int | None, lines: Mapping[str, int]
) -> FormatError:
    """What is wrong with a puzzle, told with the line of the piece at fault, or else `line`."""
    place = lines.get(error.piece or "", line)
    return source.error(str(error), place, token=error.piece)


@dataclass
class Remarks:
    """What comments say about a puzzle: `title: ...`, `source: ...`, `count all: 9356`.

    Any other comment is nobody's business. Of several titles the first is kept; several sources
    are one text.
    """

    title: str = ""
    source: str = ""
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, comment: str) -> None:
        found = REMARK.fullmatch(comment.strip())
        if not found:
            return
        key, value = found[1].lower().split(), found[2].strip()
        if key[0] == "title":
            self.title = self.title or value
        elif key[0] == "source":
            self.source = f"{self.source} {value}".strip()
        elif number := NUMBER.match(value):
            digits = re.sub("[,_]", "", number.group())
            if len(digits) <= 1000:
                self.counts.setdefault(key[1], int(digits))

    @staticmethod
    def written(title: str, source: str, counts: Mapping[str, int], mark: str) -> list[str]:
        """The comment lines that say this, each behind `mark`."""
        said = {"title": title, "source": source}
        said |= {f"count {key}": str(counts[key]) for key in COUNTED if key in counts}
        return [f"{mark} {key}: {' '.join(text.split())}" for key, text in said.items() if text]


def unused(wanted: str, taken: Container[str]) -> str:
    """A name that is not taken yet: the wanted one, or that one with the least number behind it."""
    if wanted not in taken:
        return wanted
    between = "_" if wanted[-1:].isdigit() else ""
    return next(name for n in count(2) if (name := f"{wanted}{between}{n}") not in taken)

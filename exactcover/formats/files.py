"""Files to documents and back, whatever the format.

A reader or a writer is imported when a file needs it: all of them together take as long to load as
a small puzzle takes to be solved.
"""

from __future__ import annotations

import gzip
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, get_args, overload

from exactcover.base.text.files import MIB, bytes_of, utf8
from exactcover.base.text.names import escaped, one_of
from exactcover.errors import FormatError, UnknownName
from exactcover.formats.contents import Document, Refused, Source, accepted, errors_at

DECLARED = re.compile(rb"\s*<\?xml\s[^>]*?\bencoding\s*=\s*[\"']([^\"'>]*)[\"']")
READ = ("", "utf-8", "utf8", "ascii", "us-ascii", "iso-8859-1", "latin-1", "windows-1252", "cp1252")
"""The encodings that XML may declare, in small letters."""

NOT_TEXT = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x81\x8d\x8f\x90\x9d]")
"""Bytes that no text in Windows-1252 has: with one of them it is no text, whatever its encoding."""


def recoded(raw: bytes) -> bytes:
    """The bytes of a file of another program in UTF-8; bytes that are no text stay as they are.

    A file that is not UTF-8 is read in Windows-1252: BurrTools writes bytes as they were typed, and
    polycube's and Knuth's files are as old. Latin-1 differs in 32 bytes, which are control
    characters; it is read as Windows-1252 too, as browsers do. Other encodings that XML declares
    are refused.
    """
    declared = DECLARED.match(raw[:400])
    name = "" if declared is None else declared[1].decode("ascii", "replace").strip()
    if name.lower() not in READ:
        raise FormatError(
            "the text cannot be read in the encoding that it declares: save it as UTF-8", token=name
        ).at(1)
    with suppress(UnicodeDecodeError):  # then it is not UTF-8
        raw.decode()
        return raw
    utf = name.lower().startswith("utf")
    return raw if utf or NOT_TEXT.search(raw) else raw.decode("cp1252").encode()


# -- packed files ---------------------------------------------------------------------------------

MAGIC = b"\x1f\x8b"
"""How a gzip file begins."""


def unpacked(raw: bytes, file: str | None, limit: int) -> bytes:
    """The bytes of a file, unpacked if they are packed; never more than the limit."""
    if not raw.startswith(MAGIC):
        return raw
    try:
        with gzip.open(BytesIO(raw)) as stream:
            content = stream.read(limit + 1)
    except EOFError:
        raise FormatError("the packed file is cut off").at(file=file) from None
    except (OSError, zlib.error) as error:
        message = "this cannot be unpacked: it begins as a gzip file, but is damaged or none"
        raise FormatError(message).at(file=file) from error
    if len(content) > limit:
        message = f"unpacked it is larger than {limit // MIB} MiB, the most that is read"
        raise FormatError(message).at(file=file)
    return content


def packed(text: str) -> bytes:
    """A text as a gzip file, the same bytes whenever it is made."""
    return gzip.compress(text.encode("utf-8"), mtime=0)


# -- formats ---------------------------------------------------------------------------------------

STANDARD_INPUT = "-"

FormatName = Literal["polycube", "toml", "dlx", "ec", "jsonl", "xmpuzzle"]
"""The name of a format that is read and written."""

ExportName = Literal["cnf", "opb", "lp", "mps"]
"""The name of a format of other solvers."""

WrittenName = FormatName | ExportName


@dataclass(frozen=True)
class Format:
    """A file format.

    name       the name by which users choose it
    endings    of the names of such files
    max_bytes  larger files are refused; as much as its reader takes in some seconds
    module     where `read_NAME` and `write_NAME` are
    sign       how the first line that is no comment begins
    packed     whether a file is packed with gzip when it is written; it may be when it is read
    foreign    whether other programs write such files, which may be in another encoding than UTF-8
    """

    name: FormatName
    endings: tuple[str, ...]
    max_bytes: int
    module: str
    sign: str
    packed: bool = False
    foreign: bool = False

    def read(self, source: Source) -> Iterable[Document | Refused]:
        """The puzzles in a text, those that are refused included."""
        puzzles: Iterable[Document | Refused] = _late(self.module, f"read_{self.name}")(source)
        return puzzles


def _late(module: str, name: str) -> Any:
    """A function of a module beside this one, imported now."""
    return getattr(import_module(f"exactcover.formats.{module}"), name)


FORMATS = (
    Format(
        "polycube", (".txt", ".def"), 16 * MIB, "polycube",
        r"~?\s*[DL]\s*$|[DCL]\s*:(?!=)", foreign=True,
    ),
    Format("toml", (".toml",), 4 * MIB, "toml.puzzles", r"\[|[\w.\"'-]++\s*+="),
    Format("dlx", (".dlx",), 64 * MIB, "knuth", r"\|", foreign=True),
    Format("ec", (".ec",), 64 * MIB, "ec", r"p\s+ec\b", foreign=True),
    Format("jsonl", (".jsonl",), 4 * MIB, "json_lines", r"\{"),
    Format(
        "xmpuzzle", (".xmpuzzle",), 16 * MIB, "xmpuzzle.puzzles", "<", packed=True, foreign=True
    ),
)  # fmt: skip
"""The formats that are read and written."""

PACKED = next(form for form in FORMATS if form.packed)
COMMENTED = re.compile(r"(?:[ \t]*+(?:c(?:[ \t].*+)?+)?\r?+\n)++[ \t]*+p[ \t]+ec\b")
"""A `p ec` file that begins with comments. An item of Knuth's may be called c too."""

SIZES = re.compile(r"\s*+[0-9]++[ \t]++[0-9]++[ \t]*+(?:[\r\n]|$)")
"""How a text of set partitioning begins; such files end with `.txt`, as polycube's do."""

LARGEST = max(form.max_bytes for form in FORMATS)

EXPORTS: tuple[ExportName, ...] = get_args(ExportName)
"""The formats of other solvers, which are written and never read; their files end with the name."""


def get_format(name: FormatName) -> Format:
    """The format of this name; raises `UnknownName`."""
    for form in FORMATS:
        if form.name == name:
            return form
    raise UnknownName("file format", name, [form.name for form in FORMATS])


@overload
def format_of_path(path: str | Path, *, written: Literal[False] = False) -> FormatName: ...


@overload
def format_of_path(path: str | Path, *, written: bool) -> WrittenName: ...


def format_of_path(path: str | Path, *, written: bool = False) -> WrittenName:
    """The name of the format that a file's ending tells; of one to be written, exports too."""
    ending = Path(path).suffix.lower()
    for form in FORMATS:
        if ending in form.endings:
            return form.name
    exported = next((name for name in EXPORTS if ending == f".{name}"), None)
    if exported is not None and written:
        return exported
    if exported is not None:
        message = f"files that end with {ending} are written for other solvers, never read"
        raise FormatError(message, token=ending).at(file=str(path))
    known = [known for form in FORMATS for known in form.endings]
    known += [f".{name}" for name in EXPORTS if written]
    hint = one_of(known, ending) if ending else f"it should be one of {', '.join(known)}"
    if ending == ".csv" and not written:
        hint = f"a list of puzzles is for `exactcover batch {path}`"
    message = f"no format has the ending {ending!r}: {hint}"
    raise FormatError(message, token=ending or None).at(file=str(path))


def sniffed(text: str) -> FormatName:
    """The name of the format that a text without a file seems to have; without a sign `dlx`."""
    if COMMENTED.match(text):
        return "ec"
    for line in text.splitlines():
        statement = line.partition("#")[0].strip()
        if statement:
            return next((form.name for form in FORMATS if re.match(form.sign, statement)), "dlx")
    return "polycube"


def parse(
    text: str, form: FormatName | None = None, *, file: str | None = None, name: str = "puzzle"
) -> list[Document]:  # fmt: skip
    """The puzzles in a text; without a format, of the format that its beginning shows."""
    return list(accepted(_entries(Source(text, escaped(name), file), form)))


def _entries(source: Source, form: FormatName | None) -> Iterator[Document | Refused]:
    """The puzzles in a text one by one, those that are refused included."""
    text = source.text
    if not text.strip():
        what = "text" if source.file is None else "input" if form is None else "file"
        raise source.error(f"the {what} is empty")
    if form == "polycube" and SIZES.match(text):
        form = "ec"
    chosen = get_format(sniffed(text) if form is None else form)
    if len(text) > chosen.max_bytes:
        raise source.error(f"larger than {chosen.max_bytes // MIB} MiB, the most that is read")
    source.check_characters()
    with errors_at(file=source.file):
        for entry in chosen.read(source):
            if isinstance(entry, Refused):
                entry.error.at(file=source.file)
            yield entry


@dataclass(frozen=True)
class Text:
    """The bytes of a file, or of one puzzle of a file or a stream.

    name    how the puzzle is called
    raw     its bytes
    form    the name of its format; None: as it begins
    above   the lines above it in the file
    file    for messages, and the folder in which to look for files that it mentions
    """

    name: str
    raw: bytes
    form: FormatName | None = None
    above: int = 0
    file: str | None = None

    def entries(self) -> Iterator[Document | Refused]:
        """The puzzles one by one, those that are refused included. Raises `FormatError`."""
        form = self.form
        if form is None and self.raw.startswith(MAGIC):
            form = PACKED.name
        try:
            for entry in _entries(self._source(form), form):
                if isinstance(entry, Refused):
                    yield Refused(entry.name, self._moved(entry.error))
                elif self.above:
                    lines = {piece: line + self.above for piece, line in entry.lines.items()}
                    yield replace(entry, lines=lines)
                else:
                    yield entry
        except FormatError as error:
            raise self._moved(error) from None

    def _source(self, form: FormatName | None) -> Source:
        """The bytes as a text, unpacked if the format is one that is packed."""
        limit = LARGEST if form is None else get_format(form).max_bytes
        raw = unpacked(self.raw, self.file, limit) if form == PACKED.name else self.raw
        chosen = get_format(form or sniffed(raw.decode("utf-8-sig", "replace")))
        try:
            text = utf8(recoded(raw) if chosen.foreign else raw, self.file)
            return Source(text, self.name, self.file)
        except FormatError as error:
            if form != PACKED.name:
                raise error.at(file=self.file) from None
            message = (
                f"no file of BurrTools, which is XML, packed with gzip or not: {error.message}"
            )
            raise FormatError(message, token=error.token).at(error.line, self.file) from None

    def _moved(self, error: FormatError) -> FormatError:
        """The error with its line counted in the file, not in this text."""
        if error.line is not None and error.file in (None, self.file):
            error.line += self.above
        return error


def read_file(path: str | Path, *, name: str | None = None) -> list[Document]:
    """The puzzles in a file; its ending tells the format, for `-` its beginning."""
    return list(accepted(read_entries(path, name=name)))


def read_entries(path: str | Path, *, name: str | None = None) -> Iterator[Document | Refused]:
    """The puzzles in a file one by one, those that are refused included.

    An error in the file as a whole is raised.
    """
    if str(path) != STANDARD_INPUT:
        form = get_format(format_of_path(path))
        yield from Text(
            name or str(path), bytes_of(path, form.max_bytes), form.name, 0, str(path)
        ).entries()
        return
    try:
        raw = sys.stdin.buffer.read(LARGEST + 1)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}").at(file="standard input") from None
    yield from Text(STANDARD_INPUT, raw, file="standard input").entries()


def write(documents: Sequence[Document], form: WrittenName) -> str:
    """The puzzles as a text in this format, which may be one of the exports."""
    module = {known.name: known.module for known in FORMATS} | dict.fromkeys(EXPORTS, "exports")
    if form not in module:
        raise UnknownName("file format", form, list(module))
    return str(_late(module[form], f"write_{form}")(documents))


def written(documents: Sequence[Document], form: WrittenName) -> bytes:
    """The puzzles as the bytes of a file in this format."""
    text = write(documents, form)
    return packed(text) if form == PACKED.name else text.encode()

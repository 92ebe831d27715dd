"""Files to documents and back, whatever the format.

The lines of a file or a stream are cut into texts of single puzzles before any is read. A cut needs
a glance at each line only, and never the whole: the output of a program that never ends is cut as
it comes, and those who solve many puzzles read each where they solve it. A puzzle ends

- with its line, if it is a JSON object;
- with the line `~D`, or before the next line `D:...`, in polycube's format;
- before the next line `[[puzzle]]` in TOML;
- with a line `---` in any format, in a stream.

A reader or a writer is imported when a file needs it: all of them together take as long to load as
a small puzzle takes to be solved.
"""

from __future__ import annotations

import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple, get_args, overload

from exactcover.base.text import escaped
from exactcover.base.text.files import MIB, bytes_of, utf8
from exactcover.base.text.toml import outside_texts
from exactcover.errors import FormatError, UnknownName, one_of
from exactcover.formats import limits
from exactcover.formats.document import Document, Refused, Source, accepted, errors_at
from exactcover.formats.limits import LONGEST_LINE, Budget

STANDARD_INPUT = "-"

FormatName = Literal["polycube", "toml", "dlx", "ec", "jsonl", "xmpuzzle"]
"""The name of a format that is read and written."""

ExportName = Literal["cnf", "opb", "lp", "mps"]
"""The name of a format of other solvers."""

WrittenName = FormatName | ExportName


class Format(NamedTuple):
    """A file format.

    name       the name by which users choose it
    endings    of the names of such files
    max_bytes  larger files are refused
    module     where `read_NAME` and `write_NAME` are
    sign       how the first line that is no comment begins
    begins     a line with which a puzzle begins, if there may be several; "": none
    ends       a line with which a puzzle ends
    packed     whether a file is packed with gzip when it is written; it may be when it is read
    foreign    whether other programs write such files, which may be in another encoding than UTF-8
    """

    name: FormatName
    endings: tuple[str, ...]
    max_bytes: int
    module: str
    sign: str
    begins: str = ""
    ends: str = ""
    packed: bool = False
    foreign: bool = False

    def check_size(self, raw: bytes) -> None:
        """Refuse more bytes than are read; raises `FormatError`."""
        if len(raw) > self.max_bytes:
            raise FormatError(f"larger than {self.max_bytes // MIB} MiB, the most that is read")


FORMATS = (
    Format(
        "polycube", (".txt", ".def"), limits.POLYCUBE_BYTES, "polycube",
        r"~?\s*[DL]\s*$|[DCL]\s*:(?!=)", r"D\s*:.*", r"~\s*D", foreign=True,
    ),
    Format(
        "toml", (".toml",), limits.TOML_BYTES, "toml.puzzles",
        r"\[|[\w.\"'-]++\s*+=", r"\[\[\s*puzzle\s*\]\]",
    ),
    Format("dlx", (".dlx",), limits.NUMBERS_BYTES, "knuth", r"\|", foreign=True),
    Format("ec", (".ec",), limits.NUMBERS_BYTES, "ec", r"p\s+ec\b", foreign=True),
    Format("jsonl", (".jsonl",), limits.TOML_BYTES, "json_lines", r"\{", ends=".+"),
    Format(
        "xmpuzzle", (".xmpuzzle",), limits.XMPUZZLE_BYTES, "xmpuzzle.puzzles", "<",
        packed=True, foreign=True,
    ),
)  # fmt: skip
"""The formats that are read and written."""

COMMENTED = re.compile(r"(?:[ \t]*+(?:c(?:[ \t].*+)?+)?\r?+\n)++[ \t]*+p[ \t]+ec\b")
"""A `p ec` file that begins with comments. An item of Knuth's may be called c too."""

SIZES = re.compile(rb"\s*+[0-9]++[ \t]++[0-9]++[ \t]*+(?:[\r\n]|$)")
"""How a text of set partitioning begins; such files end with `.txt`, as polycube's do."""

PACKED = next(form for form in FORMATS if form.packed)
LARGEST = max(form.max_bytes for form in FORMATS)

BY_ENDING: dict[str, FormatName] = {end: form.name for form in FORMATS for end in form.endings}
ENDINGS = tuple(BY_ENDING)
"""The endings of the names of files."""

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
    exports = {f".{name}": name for name in EXPORTS}
    known: dict[str, WrittenName] = {**BY_ENDING, **(exports if written else {})}
    if ending in known:
        return known[ending]
    if ending in exports:
        message = f"files that end with {ending} are written for other solvers, never read"
    else:
        hint = one_of(known, ending) if ending else f"it should be one of {', '.join(known)}"
        if not ending and not written:
            hint += "; standard input, `-`, needs none"
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


# -- bytes to text --------------------------------------------------------------------------------

DECLARED = re.compile(rb"\s*<\?xml\s[^>]*?\bencoding\s*=\s*[\"']([^\"'>]*)[\"']")
READ = ("utf-8", "utf8", "ascii", "us-ascii", "iso-8859-1", "latin-1", "windows-1252", "cp1252")
"""The encodings that XML may declare, in small letters."""

MAGIC = b"\x1f\x8b"
"""How a gzip file begins."""


def recoded(raw: bytes) -> bytes:
    """The bytes of a file of another program in UTF-8, if they are text; else as they are.

    A file that is not UTF-8 is read in Windows-1252: BurrTools writes bytes as they were typed, and
    polycube's and Knuth's files are as old. Latin-1 differs in control characters only. Other
    encodings that XML declares are refused.
    """
    if declared := DECLARED.match(raw[:400]):
        name = declared[1].decode("ascii", "replace").strip()
        if name.lower() not in READ:
            raise FormatError(
                "the text cannot be read in the encoding that it declares: save it as UTF-8",
                token=name,
            ).at(1)
    for encoding in ("utf-8", "cp1252"):
        with suppress(UnicodeDecodeError):
            return raw.decode(encoding).encode()
    return raw


def unpacked(raw: bytes) -> bytes:
    """The bytes of a file, unpacked if they are packed; never more than the limit."""
    if not raw.startswith(MAGIC):
        return raw
    try:
        with gzip.open(io.BytesIO(raw)) as stream:
            content = stream.read(PACKED.max_bytes + 1)
    except EOFError:
        raise FormatError("the packed file is cut off") from None
    except (OSError, zlib.error) as error:
        message = "this cannot be unpacked: it begins as a gzip file, but is damaged or none"
        raise FormatError(message) from error
    if len(content) > PACKED.max_bytes:
        message = f"unpacked it is larger than {PACKED.max_bytes // MIB} MiB, the most that is read"
        raise FormatError(message)
    return content


# -- texts of single puzzles ----------------------------------------------------------------------


@dataclass(frozen=True)
class Text:
    """The bytes of one puzzle of a file or a stream, as far as its lines show where one ends.

    name    how the puzzle is called
    raw     its bytes
    form    the name of its format; None: as it begins
    above   the lines above it in the file
    file    for messages, and the folder in which to look for files that it mentions
    alone   whether the file holds nothing else
    budget  how many cells the file may still hold
    """

    name: str
    raw: bytes
    form: FormatName | None = None
    above: int = 0
    file: str | None = None
    alone: bool = True
    budget: Budget = field(default_factory=Budget, repr=False)

    def entries(self) -> Iterator[Document | Refused]:
        """The puzzle, or the puzzles of a file that only its reader can divide, with those that
        are refused. Raises `FormatError`."""
        try:
            with errors_at(file=self.file):
                form, text = self._decoded()
                source = Source(text, self.name, self.file, self.budget)
                source.check_characters()
                for entry in _late(form.module, f"read_{form.name}")(source):
                    if isinstance(entry, Refused):
                        self._moved(entry.error.at(file=self.file))
                    elif self.above:
                        lines = {piece: line + self.above for piece, line in entry.lines.items()}
                        entry = replace(entry, lines=lines)
                    yield entry
        except FormatError as error:
            raise self._moved(error) from None

    def _decoded(self) -> tuple[Format, str]:
        """The format, and the text."""
        name, raw = self.form, self.raw
        if name == PACKED.name or (name is None and raw.startswith(MAGIC)):
            name, raw = PACKED.name, unpacked(raw)
        form = get_format(name or sniffed(raw.decode("utf-8-sig", "replace")))
        form.check_size(raw)
        try:
            text = utf8(recoded(raw) if form.foreign else raw, self.file)
        except FormatError as error:
            if form.packed:
                what = "no file of BurrTools, which is XML, packed with gzip or not"
                error.message = f"{what}: {error.message}"
            raise
        if not text.strip():
            what = "text" if self.file is None else "input" if self.form is None else "file"
            raise FormatError(f"the {what} is empty")
        return form, text

    def _moved(self, error: FormatError) -> FormatError:
        """The error with its line counted in the file, not in this text."""
        if error.line is not None and error.file in (None, self.file):
            error.line += self.above
        return error


def _late(module: str, name: str) -> Any:
    """A function of a module beside this one, imported now."""
    return getattr(import_module(f"exactcover.formats.{module}"), name)


# -- cut without being read -----------------------------------------------------------------------

SEPARATOR = "---"
"""The line that ends a puzzle in a stream."""


class _Chunk:
    """The lines of one puzzle so far, and the lines above it.

    begun   whether it has more than comments; then its format is known
    headed  whether it begins with a line with which every puzzle of its format may begin
    ended   whether its last line ends it
    mark    the quotation marks of the text of several lines that is open
    """

    def __init__(self, name: FormatName | None, above: int) -> None:
        self.form = None if name is None else get_format(name)
        self.above, self.lines, self.size = above, 0, 0
        self.parts: list[bytes] = []
        self.begun = self.headed = self.ended = False
        self.mark = ""

    def ends_before(self, statement: str) -> bool:
        """Whether another puzzle begins with this line."""
        return self.headed and not self.mark and self._matches("begins", statement)

    def look(self, line: str, statement: str) -> None:
        """Look at a line that is to be added; `statement` is its part before a comment."""
        if statement and not self.begun:
            self.begun = True
            self.form = self.form or get_format(sniffed(line))
            self.headed = self._matches("begins", statement)
        if self.form is not None and self.form.name == "toml":
            _, self.mark = outside_texts(line, self.mark)
        self.ended = self._matches("ends", statement)

    def _matches(self, side: Literal["begins", "ends"], statement: str) -> bool:
        pattern = "" if self.form is None else getattr(self.form, side)
        return bool(pattern and re.fullmatch(pattern, statement))

    def add(self, raw: bytes) -> None:
        """Add a line, or a part of one; of a puzzle that is too large, as much as shows that."""
        self.lines += raw.endswith(b"\n")
        if self.size <= LARGEST:
            self.parts.append(raw)
            self.size += len(raw)


def cut(
    stream: BinaryIO, name: FormatName | None = None, *, separated: bool = True
) -> Iterator[tuple[bytes, int]]:
    """The bytes of single puzzles, and the lines above each.

    name       of the format of all; None: of each, as it begins
    separated  whether a line `---` ends a puzzle
    """
    chunk = _Chunk(name, 0)
    whole = True  # whether a line begins here
    while raw := stream.readline(LONGEST_LINE):
        if whole and not chunk.begun and raw.startswith(MAGIC):
            yield raw + stream.read(LARGEST), chunk.above
            return
        if whole and not raw.isspace():
            line = raw.decode("utf-8-sig", "replace").rstrip()
            statement = line.partition("#")[0].strip()
            separator = separated and line == SEPARATOR and not chunk.mark
            if separator or chunk.ends_before(statement):
                if chunk.begun:
                    yield b"".join(chunk.parts), chunk.above
                chunk = _Chunk(name, chunk.above + chunk.lines + separator)
            if separator:
                continue
            chunk.look(line, statement)
        whole = raw.endswith(b"\n")
        chunk.add(raw)
        if chunk.ended and whole:
            yield b"".join(chunk.parts), chunk.above
            chunk = _Chunk(name, chunk.above + chunk.lines)
    if chunk.begun:
        yield b"".join(chunk.parts), chunk.above


def texts_of(
    raw: bytes, name: str, form: FormatName | None, file: str | None, *, separated: bool = False
) -> Iterator[Text]:
    """The texts of the puzzles of a file; the second comes before the first is read."""
    budget = Budget()
    if form == "polycube" and SIZES.match(raw):
        form = "ec"
    if form is not None:
        with errors_at(file=file):
            get_format(form).check_size(raw)
    several = form is None or get_format(form).begins or get_format(form).ends
    parts = cut(io.BytesIO(raw), form, separated=separated) if several else iter(())
    begin = [*islice(parts, 2)]
    if len(begin) < 2:  # an empty file is refused by its reader
        yield Text(name, raw, form, 0, file)
        return
    for number, (part, above) in enumerate(chain(begin, parts), 1):
        yield Text(f"{name}#{number}", part, form, above, file, False, budget)


def stream_texts(stream: BinaryIO) -> Iterator[Text]:
    """The texts of the puzzles of a stream as they come, called `-#1`, `-#2` and so on."""
    for number, (raw, above) in enumerate(cut(stream), 1):
        yield Text(f"{STANDARD_INPUT}#{number}", raw, None, above, "standard input", False)


def file_texts(path: str | Path, name: str) -> Iterator[Text]:
    """The texts of the puzzles in a file, whose ending tells the format; `-` is standard input."""
    if str(path) != STANDARD_INPUT:
        form = format_of_path(path)
        return texts_of(bytes_of(path, LARGEST), name, form, str(path))
    file = "standard input"
    try:
        raw = sys.stdin.buffer.read(LARGEST + 1)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}").at(file=file) from None
    if len(raw) > LARGEST:
        message = f"larger than {LARGEST // MIB} MiB, the most that is read"
        raise FormatError(message).at(file=file)
    return texts_of(raw, STANDARD_INPUT, None, file, separated=True)


# -- reading and writing --------------------------------------------------------------------------


def read_texts(texts: Iterable[Text]) -> Iterator[Document | Refused]:
    """The puzzles of a file one by one, those that are refused included.

    An error in the file as a whole is raised.
    """
    for text in texts:
        try:
            yield from text.entries()
        except FormatError as error:
            if text.alone:
                raise
            yield Refused(text.name, error)


def read_bytes(raw: bytes, name: str) -> Iterator[Document | Refused]:
    """The puzzles in the bytes of a file one by one, those that are refused included.

    The ending of its name tells the format; if it is none that is known, the beginning does. Raises
    `FormatError` if nothing can be read.
    """
    return read_texts(texts_of(raw, name, BY_ENDING.get(Path(name).suffix.lower()), None))


def parse(
    text: str, form: FormatName | None = None, *, file: str | None = None, name: str = "puzzle"
) -> list[Document]:  # fmt: skip
    """The puzzles in a text; without a format, of the format that its beginning shows."""
    raw = text.encode("utf-8", "surrogatepass")
    return list(accepted(read_texts(texts_of(raw, escaped(name), form, file))))


def read_file(path: str | Path, *, name: str | None = None) -> list[Document]:
    """The puzzles in a file; its ending tells the format, for `-` its beginning."""
    return list(accepted(read_texts(file_texts(path, name or str(path)))))


def write(documents: Sequence[Document], form: WrittenName) -> str:
    """The puzzles as a text in this format, which may be one of the exports."""
    module = {known.name: known.module for known in FORMATS} | dict.fromkeys(EXPORTS, "exports")
    if form not in module:
        raise UnknownName("file format", form, list(module))
    return str(_late(module[form], f"write_{form}")(documents))


def written(documents: Sequence[Document], form: WrittenName) -> bytes:
    """The puzzles as the bytes of a file in this format; packed ones are always the same."""
    raw = write(documents, form).encode()
    return gzip.compress(raw, mtime=0) if form == PACKED.name else raw

"""Every reader of a user's text, in one form: bytes in, and nothing out but our own errors.

`check` runs one input. What must hold of it: no exception but an `ExactCoverError`, a bound on the
time by its size, no control character in a name or a title, and of a puzzle file that what is
written of it can be read again.
"""

from __future__ import annotations

import json
import tempfile
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import process_time

from exactcover.base.text import CONTROL
from exactcover.cli.commands.polycube_switches import read_switches
from exactcover.errors import ConversionError, ExactCoverError
from exactcover.formats import Document, parse, read_file, write
from exactcover.formats.count_records import ENDINGS as RECORD_ENDINGS
from exactcover.formats.count_records import records_in
from exactcover.formats.lists import read_list
from exactcover.formats.toml.pieces import pieces_in
from exactcover.lattices import get_lattice
from exactcover.puzzle.library import find_piece
from exactcover.search.strategy import Strategy
from exactcover.trust.proofs import load_proof, proof_to_json

CORPUS = Path(__file__).parent / "corpus"

SECONDS = 2.0
"""The most processor time for each MB, and for smaller inputs."""

SMALL = 5_000
"""Documents of at most so many bytes are written and read again."""

ROWS = 100
"""The most rows of a list whose puzzles are made: each takes as long as a file of its own."""

LATTICES = ("square", "cubic", "hexagonal", "triangular", "hypercubic", "sticks-square", "fcc")

FOLDER = tempfile.TemporaryDirectory()


@dataclass(frozen=True)
class Reader:
    """A reader, and the endings of the files of its corpus."""

    name: str
    read: Callable[[bytes], object]

    @property
    def corpus(self) -> list[bytes]:
        """The inputs from which others are made."""
        return [path.read_bytes() for path in sorted((CORPUS / self.name).iterdir())]


def warm_up(reader: Reader) -> None:
    """Read the corpus once, lest the time to import modules be taken for that of an input."""
    for raw in reader.corpus:
        with suppress(ExactCoverError):
            reader.read(raw)


class Broken(AssertionError):
    """An input for which something that must hold does not."""


def check(reader: Reader, raw: bytes) -> tuple[float, bool]:
    """How many seconds an input took, and whether it was read; raises `Broken`."""
    began = process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            made = reader.read(raw)
    except ExactCoverError as error:
        _check_message(error)
        made = None
    except Exception as error:
        raise Broken(f"{type(error).__name__}: {error}") from error
    seconds = process_time() - began
    if seconds > SECONDS * max(1.0, len(raw) / 2**20):
        raise Broken(f"{seconds:.1f} s of processor time for {len(raw):,} bytes")
    if isinstance(made, list) and made:
        _check_documents(made, again=len(raw) <= SMALL)
    return seconds, made is not None


def _check_message(error: ExactCoverError) -> None:
    text = str(error)
    if len(text) > 100_000:
        raise Broken(f"a message of {len(text):,} characters")


def _check_documents(documents: Iterable[Document], *, again: bool) -> None:
    for document in documents:
        names = [document.title, document.source, document.name]
        if document.puzzle is not None:
            names += [piece.name for piece in document.puzzle.pieces]
        for name in names:
            if CONTROL.search(name):
                raise Broken(f"a control character in {name!r}")
        if not again:
            continue
        form = "dlx" if document.puzzle is None else "toml"
        try:
            text = write([document], form)
        except ConversionError:
            continue
        try:
            parse(text, form)
        except ExactCoverError as error:
            raise Broken(f"what was written cannot be read: {error}") from error


# -- the readers ----------------------------------------------------------------------------------


def _file(raw: bytes, ending: str) -> Path:
    path = Path(FOLDER.name) / f"input{ending}"
    path.write_bytes(raw)
    return path


def _puzzles(ending: str, raw: bytes) -> list[Document]:
    return read_file(_file(raw, ending))


def _sniffed(raw: bytes) -> list[Document]:
    """As from standard input: the text tells its format."""
    return parse(raw.decode("utf-8", "replace"), None, file="standard input")


def _lattice(raw: bytes) -> object:
    return get_lattice(str(_file(raw, ".toml")))


def _proof(raw: bytes) -> object:
    proof = load_proof(_file(raw, ".json"))
    if load_proof(_file(proof_to_json(proof).encode(), ".json")) != proof:
        raise Broken("the proof is not read as it was written")
    return proof


def _strategy(raw: bytes) -> object:
    strategy = Strategy.parse(raw.decode("utf-8", "replace"))
    if Strategy.parse(str(strategy)) != strategy:
        raise Broken(f"{strategy} is not read as it was written")
    return strategy


def _switches(raw: bytes) -> object:
    """Words one a line."""
    return read_switches(raw.decode("utf-8", "replace").split("\n")).strategy


def _pieces(raw: bytes) -> object:
    """A name, in a TOML file and in Python; the line above it is the lattice, if there is one."""
    where, _, text = raw.decode("utf-8", "replace").partition("\n")
    lattice = get_lattice(where) if where in LATTICES else None
    try:
        find_piece(text[:300], lattice)
    except ExactCoverError as error:
        _check_message(error)
    return pieces_in(text, lattice)


def _region(raw: bytes) -> list[Document]:
    """The words of a region; the line above them is the lattice, else it is that of squares."""
    where, _, text = raw.decode("utf-8", "replace").partition("\n")
    name = where if where in LATTICES else "square"
    piece = [0] * get_lattice(name).width
    lines = [f'lattice = "{name}"', f"region = {json.dumps(text)}".replace("\x7f", "\\u007f")]
    return parse("\n".join([*lines, f"[[piece]]\nname = 'p'\ncells = [{piece}]\n"]), "toml")


def _list(raw: bytes) -> object:
    """The rows of a list, and the puzzles of some."""
    rows = read_list(_file(raw, ".csv")).rows
    for row in rows[:ROWS]:
        if CONTROL.search(row.name):
            raise Broken(f"a control character in {row.name!r}")
        try:
            row.document()
        except ExactCoverError as error:
            _check_message(error)
    return rows


def _records(raw: bytes) -> object:
    """The records of counts; the ending of their file is the first line."""
    head, _, text = raw.partition(b"\n")
    ending = head.decode("utf-8", "replace")
    path = str(_file(text, ending if ending in RECORD_ENDINGS else ".json"))
    found = records_in(path)
    for record in found or ():
        try:
            record.document()
        except ExactCoverError as error:
            _check_message(error)
    return found and tuple(found)


READERS = {
    reader.name: reader
    for reader in (
        Reader("toml", partial(_puzzles, ".toml")),
        Reader("jsonl", partial(_puzzles, ".jsonl")),
        Reader("polycube", partial(_puzzles, ".txt")),
        Reader("dlx", partial(_puzzles, ".dlx")),
        Reader("ec", partial(_puzzles, ".ec")),
        Reader("xmpuzzle", partial(_puzzles, ".xmpuzzle")),
        Reader("stdin", _sniffed),
        Reader("lattice", _lattice),
        Reader("proof", _proof),
        Reader("strategy", _strategy),
        Reader("switches", _switches),
        Reader("pieces", _pieces),
        Reader("region", _region),
        Reader("list", _list),
        Reader("records", _records),
    )
}

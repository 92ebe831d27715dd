"""Streams of puzzles are cut where a puzzle ends, and nowhere else."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.errors import FormatError
from exactcover.formats import Document, parse, read_file, written
from exactcover.formats.document import Refused
from exactcover.formats.files import LARGEST, Text, stream_texts
from exactcover.formats.shipped import paths, texts_at
from tests.helpers.commands import domino_box

LINE = '{"pieces": "pentominoes", "region": "20x3"}\n'
BARE = 'pieces = "domino x 2"\nregion = "2x2"\n'
TABLE = f"[[puzzle]] # one more\n{BARE}"
TRICKY = '''[[puzzle]]
pieces = ["domino x 2", """
[[puzzle]]
\\""" b
---
"""]
title = 'a"""b' # """
region = "2x2"
'''
ITEMS = "a b c\na b\nc\n"
SEPARATED = (BARE, ITEMS, LINE, TRICKY, domino_box(2, 1))
"""Texts that a line `---` ends."""


def streamed(text: str) -> list[Text]:
    found = [*stream_texts(io.BytesIO(text.encode()))]
    assert all(isinstance(one, Text) for one in found)
    return [one for one in found if isinstance(one, Text)]


@given(st.lists(st.sampled_from(SEPARATED), max_size=6), st.booleans())
def test_separated_texts_come_out_as_they_went_in(texts: list[str], bom: bool) -> None:
    whole = "\ufeff" * bom + "---\n".join(texts)
    found = [text.raw.decode("utf-8-sig") for text in streamed(whole)]
    assert found == texts


@given(st.lists(st.sampled_from([LINE, TABLE, TRICKY, domino_box(2, 1)]), max_size=6))
def test_these_formats_need_no_separator(texts: list[str]) -> None:
    # A header ends a TOML text, and any other text must be separated from TOML before it.
    parts = [text if "[[puzzle]]" not in text else f"{text}---\n" for text in texts]
    assert [text.raw.decode() for text in streamed("".join(parts))] == texts
    tables = [text for text in texts if "[[puzzle]]" in text]
    assert [text.raw.decode() for text in streamed("".join(tables))] == tables


@pytest.mark.parametrize("path", [path for path in paths().values() if path.stem.endswith("x3")])
def test_a_file_gives_the_puzzles_of_its_reader(path: Path) -> None:
    cuts = [one for text in texts_at([str(path)], io.BytesIO()) for one in _entries(text)]
    whole = read_file(path)
    assert [document.content for document in cuts] == [document.content for document in whole]
    assert [document.lines for document in cuts] == [document.lines for document in whole]


@pytest.mark.parametrize("text", [TABLE * 3, LINE * 3, domino_box(2, 1) * 3, ITEMS, TRICKY + TABLE])
def test_a_file_is_cut_as_its_reader_numbers(text: str, tmp_path: Path) -> None:
    ending = {"[": "toml", "{": "jsonl", "D": "txt", "a": "dlx"}[text[0]]
    path = tmp_path / f"puzzles.{ending}"
    path.write_text(text)
    found = [one for part in texts_at([str(path)], io.BytesIO()) for one in _entries(part)]
    meant = parse(text, name=str(path), file=str(path))
    assert [one.name for one in found] == [one.name for one in meant]
    assert [one.lines for one in found] == [one.lines for one in meant]


def test_lines_are_those_of_the_stream() -> None:
    with pytest.raises(FormatError) as raised:
        [*streamed(f'{TABLE}\n---\npieces = "none"\nregion = "2x2"\n')[1].entries()]
    assert raised.value.line == 6
    assert str(raised.value).startswith("standard input:6: ")


def test_a_stream_without_an_end_is_read_as_it_comes() -> None:
    class Endless(io.RawIOBase):
        lines = 0

        def readline(self, size: int | None = -1) -> bytes:
            self.lines += 1
            return LINE.encode()

    stream = Endless()
    first = [*islice(stream_texts(stream), 5)]  # type: ignore[arg-type]
    assert [one.name for one in first] == [f"-#{number}" for number in range(1, 6)]
    assert stream.lines == 5


def test_a_puzzle_without_an_end_takes_no_more_memory_than_one() -> None:
    stream = io.BytesIO(b'title = "' + b"x" * (LARGEST + (8 << 20)) + b'"\n---\n' + BARE.encode())
    large, small = stream_texts(stream)
    assert isinstance(large, Text)
    assert len(large.raw) <= LARGEST + (1 << 20)
    with pytest.raises(FormatError, match="larger than"):
        [*large.entries()]
    assert isinstance(small, Text)
    assert small.raw.decode() == BARE


def test_packed_files_are_one_text() -> None:
    [document] = parse(domino_box(2, 2))
    raw = written([document], "xmpuzzle")
    [text] = stream_texts(io.BytesIO(raw))
    assert isinstance(text, Text)
    assert text.raw == raw
    assert len(_entries(text)) == 1


def test_folders_are_walked_in_order(tmp_path: Path) -> None:
    for place in ("b/z.toml", "b/a.toml", "c.jsonl", "notes.md", "a.toml", "my_lattice.toml"):
        path = tmp_path / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(LINE if place.endswith("jsonl") else BARE)
    found = [one.name for one in texts_at([str(tmp_path)], io.BytesIO())]
    assert found == [str(tmp_path / one) for one in ("a.toml", "c.jsonl", "b/a.toml", "b/z.toml")]


@pytest.mark.parametrize("place", ["no_such_puzzle", "no_such.toml", "", "somacube#3", "x\0y"])
def test_what_is_not_there_is_refused(place: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for where in (place, str(tmp_path / "empty")):
        refused, found = texts_at([where, "somacube"], io.BytesIO())
        assert isinstance(refused, Refused)
        assert refused.name == where
        assert isinstance(found, Text)


def _entries(found: Text | Document | Refused) -> Iterator[Document] | list[Document]:
    assert isinstance(found, Text)
    entries = [*found.entries()]
    assert not any(isinstance(entry, Refused) for entry in entries)
    return [entry for entry in entries if isinstance(entry, Document)]

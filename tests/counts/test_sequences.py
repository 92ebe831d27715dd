"""Sequences: their published terms, what was counted, and the command."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

import exactcover as ec
from counts.known import independent
from counts.sequences.__main__ import main, path_of
from counts.sequences.page import PAGE, page
from counts.sequences.record import Record
from counts.sequences.sequence import Sequence, sequences
from tests.helpers.examples import some

SEQUENCES = sequences()
MINE = """\
title = "Domino tilings of a 2 X n rectangle"
convention = "all"
first = 1
published = [1, 2, 3]
term = "count(blocks((2, n), (1, 2)) if n < 1 else tilings(n))"
python = '''
def tilings(n):
    return [*blocks((2, n), (1, 2)), *blocks((2, n), (2, 1))]
'''
"""


@pytest.mark.parametrize("sequence", some(SEQUENCES, one_in=4), ids=lambda one: one.number)
def test_small_terms_are_the_published_ones(sequence: Sequence) -> None:
    """The first term, and up to four more that took at most 300 fits, by both engines."""
    record = Record(path_of(sequence.number))
    for index, place in islice(sequence.places(), 5):
        counted = record.get(index, sequence.engines[0])
        quick = counted is not None and counted.fits <= 300 and counted.seconds <= 0.05
        if quick or index == sequence.first:
            for engine in sequence.engines:
                value = sequence.value(place, _counter(engine))
                assert value == sequence.published_at(index) or sequence.note, index


def _counter(engine: str) -> Callable[..., int]:
    return lambda content, counted=None: ec.count(content, counted=counted, strategy=engine)


def test_what_is_recorded_agrees() -> None:
    for sequence in SEQUENCES:
        record = Record(path_of(sequence.number))
        assert independent(*sequence.engines)
        for line in record.lines:
            assert not record.disputed(line.index), line
            published = sequence.published_at(line.index)
            assert published in (None, line.value) or sequence.note, line


def test_the_page_shows_the_records() -> None:
    text = PAGE.read_text("utf-8")
    assert text == page(text), "run `python -m counts.sequences.page`"


def test_a_sequence_of_ones_own_is_continued_and_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(MINE)
    assert main([str(file), "--limits", "9", "--new", "2"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in said] == [
        f"a({n}) = {value}" for n, value in enumerate((1, 2, 3, 5, 8), 1)
    ]
    assert said[-1].endswith("new")
    path = tmp_path / "mine.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) == 3 + 2 * 2  # published terms by one engine, new ones by two
    path.write_text("".join(lines[:-1]) + lines[-1][:30])  # killed within a line
    assert main([str(file), "--limits", "9", "--new", "2"]) == 0
    assert path.read_text().splitlines(keepends=True)[:-1] == lines[:-1]
    assert len(Record(path).lines) == len(lines)
    capsys.readouterr()
    assert main([str(file), "--b-file"]) == 0
    assert capsys.readouterr().out == "1 1\n2 2\n3 3\n4 5\n5 8\n"


def test_a_published_term_that_is_wrong_gets_a_second_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(MINE.replace("[1, 2, 3]", "[1, 2, 4]"))
    assert main([str(file), "--limits", "9", "--new", "0"]) == 0
    assert "a(3) = 3  automaton, memo" in capsys.readouterr().out
    assert Record(tmp_path / "mine.jsonl").settled(3) == 3
    assert main([str(file), "--b-file"]) == 0
    assert capsys.readouterr().out == "1 1\n2 2\n3 3\n"


def test_counts_of_a_term_that_was_changed_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(MINE)
    assert main([str(file), "--limits", "9", "--new", "0"]) == 0
    file.write_text(MINE.replace("count(blocks", "2 * count(blocks"))
    for more in (["--b-file"], ["--new", "0"]):
        assert main([str(file), *more]) == 2
        assert "mine.jsonl: it has counts of another term" in capsys.readouterr().err
    assert main([str(file), "--again", "--limits", "9", "--new", "0"]) == 0
    assert "PUBLISHED" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title", "name", "unknown key 'name'"),
        ("published = [1, 2, 3]\n", "", "'published' is missing"),
        ("first = 1", 'engines = ["dlx:s", "bsx:s"]', "different methods"),
    ],
)
def test_what_is_wrong_in_a_file_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, message: str
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(MINE.replace(old, new))
    assert main([str(file)]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert "mine.toml" in said

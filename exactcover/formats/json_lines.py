"""Puzzles as JSON lines: each line is the object of one puzzle, with the keys of a TOML file.

    {"pieces": "pentominoes", "region": "10x6"}
    {"pieces": ["L tetromino x 2", "domino x 4"], "region": "4x4"}

A line that begins with `#` is a comment. Programs write this more easily than TOML, and a line is a
whole puzzle, so a program that prints puzzles one by one need not say where one ends.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from exactcover.errors import FormatError
from exactcover.formats.document import Document, Source, errors_at
from exactcover.formats.toml.puzzles import read_document, table_of
from exactcover.formats.toml.table import Table, TomlFile


def read_jsonl(source: Source) -> list[Document]:
    """The puzzle of a text, which has one line that is no comment."""
    for number, line in said_lines(source.lines):
        with errors_at(number):
            values = read_object(line)
        return [read_values(values, number, source)]
    raise source.error("no puzzle here: each line is the object of a puzzle")


def read_values(values: Mapping[str, Any], line: int, source: Source) -> Document:
    """The puzzle of an object, or of a row of a list, that stands on one line of a file."""
    table = Table(values, (), TomlFile(replace(source, text="")))
    with errors_at(line, source.file):
        document = read_document(table, source.name)
    return replace(document, lines=dict.fromkeys(document.lines, line))


def write_jsonl(documents: Sequence[Document]) -> str:
    """The puzzles, one a line."""
    tables = map(table_of, documents)
    return "".join(json.dumps(table, ensure_ascii=False) + "\n" for table in tables)


def said_lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines that are neither blank nor a comment, with their numbers."""
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line


def read_object(
    line: str, form: str = 'a puzzle is an object, for example {"pieces": ..., "region": ...}'
) -> dict[str, Any]:
    """The object on a line; raises `FormatError`, which says what form it should have."""
    try:
        value = json.loads(line, object_pairs_hook=_distinct, parse_constant=_no_number)
    except FormatError:
        raise
    except RecursionError:
        raise FormatError("brackets are nested too deeply") from None
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error.msg} at column {error.colno}") from None
    except ValueError:  # Python's own limit
        raise FormatError("a number has too many digits") from None
    if not isinstance(value, dict):
        raise FormatError(form)
    return value


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; the standard library keeps the last value of a key that occurs twice."""
    table = dict(pairs)
    if len(table) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise FormatError("a key occurs twice in one object", token=twice)
    return table


def _no_number(word: str) -> NoReturn:
    raise FormatError("this is no number of JSON", token=word)

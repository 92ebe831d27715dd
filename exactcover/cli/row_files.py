"""Rows of results, written one by one: as CSV, as JSON lines, or as a Parquet file.

Each row is written through as soon as it is there, so a reader can follow a long run, and what is
done survives Ctrl-C. A Parquet file is valid only once it is closed, which happens however the run
ends, unless the process is killed.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from exactcover.cli.outputs import arrow, opened_file, replacing
from exactcover.cli.reports import json_line

ROW_FILES = (".csv", ".jsonl", ".parquet")

ROW_FORMATS = ("csv", "jsonl", "parquet")

GROUP = 100
"""The rows of a group of a Parquet file."""

OF_A_ROW = {
    "agrees": "bool",
    **dict.fromkeys(("seconds", "second_seconds", "compiling"), "double"),
}
"""The columns of a Parquet file of a list that are no texts. Numbers of solutions are texts there:
they may have hundreds of digits."""

OF_A_PUZZLE = {
    **dict.fromkeys(("name", "file", "title", "status", "stopped_by"), "string"),
    **dict.fromkeys(("solutions", "counted"), "string"),
    **dict.fromkeys(("fits", "nofits"), "int64"),
    **dict.fromkeys(("seconds", "compiling"), "double"),
    "strategy": "string",
    **dict.fromkeys(("pieces", "cells", "images"), "int64"),
    **dict.fromkeys(("images_per_cell", "fits_per_solution"), "double"),
    "fits_to_first": "int64",
    "depth": "double",
    **dict.fromkeys(("warning", "reason", "error", "digest", "provenance"), "string"),
}
"""The columns of a table of puzzles, and what each holds in a Parquet file."""


def puzzle_row(record: Mapping[str, Any]) -> dict[str, Any]:
    """The row of a table that has the record of a puzzle."""
    from exactcover.formats.shipped import short_name

    place = record["puzzle"]
    standard_input = place.partition("#")[0] == "-"
    return {
        **record,
        "name": place if standard_input else short_name(place),
        "file": None if standard_input else place,
        "digest": record.get("provenance", {}).get("digest"),
    }


Write = Callable[[Mapping[str, Any]], None]
"""Writes a row."""


@contextmanager
def opened_rows(
    path: Path | None, form: str, columns: Iterable[str], kinds: Mapping[str, str] = OF_A_ROW
) -> Iterator[Write]:
    """A function that writes rows with these columns to a file, or to standard output.

    kinds  the types of the columns of a Parquet file that are no texts
    """
    if form == "parquet":
        assert path is not None, "checked with the options"
        with _parquet(replacing(path), columns, kinds) as write:
            yield write
    elif path is None:
        yield _text(sys.stdout, form, columns)
    else:
        with opened_file(replacing(path)) as stream:
            yield _text(stream, form, columns)


def _text(stream: IO[str], form: str, columns: Iterable[str]) -> Write:
    """Rows as lines; in CSV below a line with the names of the columns."""
    if form == "jsonl":

        def write(row: Mapping[str, Any]) -> None:
            stream.write(json_line(row) + "\n")
            stream.flush()

        return write
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(columns)

    def write_cells(row: Mapping[str, Any]) -> None:
        table.writerow([cell(row.get(name)) for name in columns])
        stream.flush()

    return write_cells


@contextmanager
def _parquet(path: Path, columns: Iterable[str], kinds: Mapping[str, str]) -> Iterator[Write]:
    """Rows in columns, by groups."""
    pyarrow, parquet = arrow()
    types = [(name, pyarrow.type_for_alias(kinds.get(name, "string"))) for name in columns]
    schema = pyarrow.schema(types)
    waiting: list[dict[str, Any]] = []

    def value(name: str, one: Any) -> Any:
        return one if kinds.get(name, "string") != "string" or one is None else cell(one)

    def flush() -> None:
        if waiting:
            writer.write_table(pyarrow.Table.from_pylist(waiting, schema=schema))
            waiting.clear()

    def write(row: Mapping[str, Any]) -> None:
        waiting.append({name: value(name, row.get(name)) for name in columns})
        if len(waiting) >= GROUP:
            flush()

    with (
        opened_file(path, "wb") as stream,
        parquet.ParquetWriter(stream, schema, compression="zstd") as writer,
    ):
        try:
            yield write
        finally:
            flush()


def cell(value: Any) -> str:
    """A value as the text of a cell: empty for none, `true` and `false`, JSON for a list or a
    table."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)

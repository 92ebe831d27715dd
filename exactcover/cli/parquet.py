"""Solutions as a Parquet file, a row each, by pyarrow (the extra `parquet`).

    puzzle    string                    the name of the puzzle
    solution  int64                     the number of the solution, from 1 in each puzzle
    pieces    list<string>              the names of the pieces, stationary ones first
    cells     list<list<list<int32>>>   for each piece its cells, for each cell its coordinates
    options   list<list<string>>        of a plain problem: for each option its items

A row has `pieces` and `cells`, or `options`; other columns are null. The solutions of a group of
rows wait in memory. The file is valid only after its footer is written, which happens however the
run ends, unless the process is killed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import accumulate, chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from exactcover.cli.outputs import arrow, opened_file
from exactcover.cli.solution_files import Sink, SinkOf

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.result import Solution

ROWS = 1 << 13
"""The most solutions of a group of rows."""

OPTIONS = 1 << 17
"""A group of rows ends when its solutions have this many options, too."""


@contextmanager
def parquet_file(path: Path) -> Iterator[SinkOf]:
    """A file of solutions in columns."""
    pyarrow, parquet = arrow()
    with (
        opened_file(path, "wb") as stream,
        parquet.ParquetWriter(stream, _schema(pyarrow), compression="zstd") as writer,
        ExitStack() as ending,
    ):

        def sink(document: Document) -> Sink:
            made = ParquetSink(pyarrow, writer, document.name)
            ending.callback(made.write)
            return made

        yield sink


class ParquetSink(Sink):
    """The solutions of one puzzle; a group of them waits to be written."""

    def __init__(self, arrow: Any, writer: Any, puzzle: str) -> None:
        self._arrow, self._writer, self._puzzle = arrow, writer, puzzle
        self._waiting: list[Solution] = []
        self._numbers: list[int] = []
        self._options = 0

    def add(self, solution: Solution, number: int) -> None:
        """Keep a solution until the group of rows is large enough."""
        self._numbers.append(number)
        self._waiting.append(solution)
        self._options += len(solution.options)
        if len(self._waiting) >= ROWS or self._options >= OPTIONS:
            self.write()

    def close(self, record: Mapping[str, Any]) -> None:
        """Write the solutions that wait."""
        self.write()

    def write(self) -> None:
        """Write a group of rows."""
        if not self._waiting:
            return
        arrow, schema, rows = self._arrow, _schema(self._arrow), len(self._waiting)
        columns = {"puzzle": [self._puzzle] * rows, "solution": self._numbers}
        columns |= columns_of(arrow, self._waiting)
        self._waiting, self._numbers, self._options = [], [], 0
        made = [columns.get(one.name, arrow.nulls(rows, one.type)) for one in schema]
        self._writer.write_table(arrow.table(made, schema=schema), row_group_size=rows)


def columns_of(arrow: Any, solutions: list[Solution]) -> dict[str, Any]:
    """The columns of solutions of one problem. An option is in many of them, so its value is made
    once, and Arrow puts it into all of its places."""
    model, problem, schema = solutions[0].model, solutions[0].problem, _schema(arrow)

    def taken(name: str, values: list[Any], starts: list[int], where: Any) -> Any:
        made = arrow.array(values, schema.field(name).type.value_type)
        return arrow.ListArray.from_arrays(arrow.array(starts, arrow.int32()), made.take(where))

    if model is None:
        options, starts, where = _distinct(arrow, [one.options for one in solutions])
        words = [problem.words_of(option) for option in options]
        return {"options": taken("options", words, starts, where)}
    stationary, shapes = model.placements(()), model.layout.option_shape.tolist()
    always = range(-len(stationary), 0)
    options, starts, where = _distinct(
        arrow,
        # An option without a shape leaves a cell empty.
        [[*always, *(o for o in one.options if shapes[o] >= 0)] for one in solutions],
    )
    placed = [stationary[o] if o < 0 else model.placements((o,))[len(stationary)] for o in options]
    names, named = [one.piece for one in placed], where
    # The name of one of several pieces of the same shape depends on the other pieces.
    if any(len(group.members) > 1 for group in model.groups):
        names = [one.piece for solution in solutions for one in solution.placements]
        named = np.arange(len(names))
    cells = [[list(cell) for cell in one.cells] for one in placed]
    return {
        "pieces": taken("pieces", names, starts, named),
        "cells": taken("cells", cells, starts, where),
    }


def _distinct(arrow: Any, rows: Sequence[Sequence[int]]) -> tuple[list[int], list[int], Any]:
    """The distinct options of solutions, where each solution starts in all of their options one
    after the other, and the number of each of these among the distinct ones."""
    starts = [0, *accumulate(map(len, rows))]
    flat = np.fromiter(chain.from_iterable(rows), np.int64, starts[-1])
    options, where = np.unique(flat, return_inverse=True)
    return options.tolist(), starts, arrow.array(where)


def _schema(arrow: Any) -> Any:
    texts = arrow.list_(arrow.string())
    return arrow.schema(
        [
            ("puzzle", arrow.string()),
            ("solution", arrow.int64()),
            ("pieces", texts),
            ("cells", arrow.list_(arrow.list_(arrow.list_(arrow.int32())))),
            ("options", arrow.list_(texts)),
        ]
    )

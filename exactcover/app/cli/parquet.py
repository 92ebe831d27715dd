"""Solutions as a Parquet file, a row each, by pyarrow (the extra `parquet`).

    puzzle    string                    the name of the puzzle
    solution  int64                     the number of the solution, from 1 in each puzzle
    pieces    list<string>              the names of the pieces, stationary ones first
    cells     list<list<list<int32>>>   for each piece its cells, for each cell its coordinates
    options   list<list<string>>        of a plain problem: for each option its items

A row has `pieces` and `cells`, or `options`; other columns are null. The solutions of a group of
rows wait in memory as option numbers. The columns are then taken from a table of all options, so no
Python code runs for each placement. The file is valid only after its footer is written, which
happens however the run ends, unless the process is killed.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from exactcover.app.cli.outputs import arrow, opened_file
from exactcover.app.cli.solution_files import Sink, SinkOf

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.problem import Problem
    from exactcover.puzzle import Model
    from exactcover.search.result import Solution

ROWS = 1 << 13
"""The most solutions of a group of rows."""

OPTIONS = 1 << 17
"""A group of rows ends when its solutions have this many options, too."""


@contextmanager
def parquet_file(path: Path) -> Iterator[SinkOf]:
    """A file of solutions in columns."""
    pyarrow, parquet = arrow()
    sinks: list[ParquetSink] = []

    def sink(document: Document) -> Sink:
        """The sink for the solutions of the next puzzle; those of the last one are written."""
        for last in sinks[-1:]:
            last.write()
        sinks[:] = [ParquetSink(pyarrow, writer, document.name)]
        return sinks[0]

    with (
        opened_file(path, "wb") as stream,
        parquet.ParquetWriter(stream, _schema(pyarrow), compression="zstd") as writer,
    ):
        try:
            yield sink
        finally:
            for last in sinks:
                last.write()


class ParquetSink:
    """The solutions of one puzzle; those that are not written yet wait as option numbers."""

    def __init__(self, arrow: Any, writer: Any, puzzle: str) -> None:
        self._arrow, self._writer, self._puzzle = arrow, writer, puzzle
        self._waiting: list[Solution] = []
        self._options = array("i")
        self._numbers = array("q")
        self._last = 0
        self._columns: PlacedColumns | ItemColumns | None = None
        self.begun = False

    def add(self, solution: Solution, number: int | None = None) -> None:
        """Keep a solution until the group of rows is large enough."""
        self.begun = True
        self._last = number or self._last + 1
        self._numbers.append(self._last)
        self._waiting.append(solution)
        self._options.extend(solution.options)
        if len(self._waiting) >= ROWS or len(self._options) >= OPTIONS:
            self.write()

    def close(self, record: Mapping[str, Any]) -> None:
        """Write the solutions that wait."""
        self.write()

    def write(self) -> None:
        """Write a group of rows."""
        if not self._waiting:
            return
        arrow, first = self._arrow, self._waiting[0]
        if self._columns is None:
            self._columns = (
                ItemColumns(arrow, first.problem)
                if first.model is None
                else PlacedColumns(arrow, first.model)
            )
        solutions, options = self._waiting, np.array(self._options, np.int32)
        rows, numbers = len(solutions), np.array(self._numbers)
        self._waiting, self._options, self._numbers = [], array("i"), array("q")
        columns = {"puzzle": [self._puzzle] * rows, "solution": numbers}
        columns |= self._columns.of(solutions, options)
        schema = _schema(arrow)
        self._writer.write_table(
            arrow.table(
                [
                    columns.get(name, arrow.nulls(rows, schema.field(name).type))
                    for name in schema.names
                ],
                schema=schema,
            ),
            row_group_size=rows,
        )


class ItemColumns:
    """The column of a plain problem: the items of each option of a solution."""

    def __init__(self, arrow: Any, problem: Problem) -> None:
        self._arrow = arrow
        entries = np.stack([problem.entries, problem.colours])
        (items, colours), word = np.unique(entries, axis=1, return_inverse=True)
        words = arrow.array(map(problem.word, items.tolist(), colours.tolist()), arrow.string())
        self._items = _lists(arrow, problem.starts, words.take(arrow.array(word.ravel())))

    def of(self, solutions: list[Solution], options: npt.NDArray[np.int32]) -> dict[str, Any]:
        """The column for these solutions, with these options one after the other."""
        starts = np.cumsum([0, *(len(one.options) for one in solutions)])
        return {
            "options": _lists(self._arrow, starts, self._items.take(self._arrow.array(options)))
        }


class PlacedColumns:
    """The columns of a puzzle: the pieces of a solution and their cells."""

    def __init__(self, arrow: Any, model: Model) -> None:
        self._arrow = arrow
        self._before = len(model.placements(()))
        stationary = [piece.cells for piece in model.puzzle.stationary]
        starts, entries = model.option_cells
        # Stationary pieces follow the options, as further options that every solution has.
        cells = np.concatenate([model.free.cells[entries], *stationary]).astype(np.int32)
        ends = starts[-1] + np.cumsum([0, *map(len, stationary)])
        points = _lists(
            arrow, np.arange(len(cells) + 1) * cells.shape[1], arrow.array(cells.ravel())
        )
        self._cells = _lists(arrow, np.concatenate([starts, ends[1:]]), points)
        self._always = np.arange(len(starts) - 1, len(starts) - 1 + self._before, dtype=np.int32)
        self._group = model.layout.option_shape
        self._names: Any = None
        # The name of one of several pieces of the same shape depends on the other pieces.
        if all(len(group.members) == 1 for group in model.groups):
            names = [group.members[0].name for group in model.groups]
            names += [piece.name for piece in model.puzzle.stationary]
            group_of = [*self._group.tolist(), *range(len(model.groups), len(names))]
            # An option without a piece leaves a cell empty; it is never looked up.
            self._names = arrow.array([names[group] for group in group_of], arrow.string())

    def of(self, solutions: list[Solution], options: npt.NDArray[np.int32]) -> dict[str, Any]:
        """The columns for these solutions, with these options one after the other."""
        arrow = self._arrow
        row = np.repeat(np.arange(len(solutions)), [len(one.options) for one in solutions])
        placed = self._group[options] >= 0  # the others leave cells empty
        options, row = options[placed], row[placed]
        starts = np.searchsorted(row, np.arange(len(solutions) + 1))
        if self._before:
            options = np.insert(
                options, np.repeat(starts[:-1], self._before), np.tile(self._always, len(solutions))
            )
            starts = starts + self._before * np.arange(len(solutions) + 1)
        taken = arrow.array(options)
        if self._names is not None:
            names = self._names.take(taken)
        else:
            names = arrow.array(
                [one.piece for solution in solutions for one in solution.placements], arrow.string()
            )
        return {
            "pieces": _lists(arrow, starts, names),
            "cells": _lists(arrow, starts, self._cells.take(taken)),
        }


def _lists(arrow: Any, starts: npt.ArrayLike, values: Any) -> Any:
    """Compressed rows as an array of lists."""
    return arrow.ListArray.from_arrays(arrow.array(np.asarray(starts, np.int32)), values)


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

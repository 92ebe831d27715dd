"""Holes of a board: the parts into which the open cells fall, and how long each stays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import exactcover as ec
from exactcover.search import Recording

Hole = frozenset[int]


def parts(puzzle: ec.Puzzle, options: Iterable[int]) -> Iterator[Hole]:
    """The open cells beside these options, as connected parts."""
    model = puzzle.model
    starts, near = (array.tolist() for array in model.layout.adjacent)
    waiting = set(range(model.layout.n_cells))
    for option in options:
        waiting -= set(model.cells_of(option).tolist())
    while waiting:
        part, todo = set(), [waiting.pop()]
        while todo:
            cell = todo.pop()
            part.add(cell)
            beside = waiting.intersection(near[starts[cell] : starts[cell + 1]])
            waiting -= beside
            todo += beside
        yield frozenset(part)


def holes(recording: Recording, size: int) -> Iterator[tuple[int, int, int]]:
    """Parts that pieces of this size cannot fill: event that closes it, its cells, how long."""
    puzzle = recording.subject.model.puzzle  # type: ignore[union-attr]
    since: dict[Hole, int] = {}
    for moment, options in recording:
        now = {part for part in parts(puzzle, options) if len(part) % size}
        for hole in [hole for hole in since if hole not in now]:
            begun = since.pop(hole)
            yield begun, len(hole), moment.event - begun
        for hole in now:
            since.setdefault(hole, moment.event)

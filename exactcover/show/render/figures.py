"""The figure of parts on any lattice: flat, in space, or blocks in a grid.

Cells in more than three dimensions are blocks in space: the fourth coordinate counts them across
the page, the fifth down, the sixth across again with a wider gap, so that grids are nested.
`layers` takes cells in space apart in the same way, one block for each height.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import ceil, sqrt

import numpy as np

from exactcover.errors import ExactCoverError
from exactcover.lattices.base import Lattice
from exactcover.show.render.bodies import Block, Bodies, bodies_of, caption
from exactcover.show.render.flat import flat_figure
from exactcover.show.render.parts import Cell, Part
from exactcover.show.render.space import solid_figure
from exactcover.show.render.svg import Figure, captioned, in_grid

MAX_CELLS = 20_000
"""A picture of more cells would take minutes to make and to show."""

LONG = 6
"""This many layers stand in one row."""


def figure_of(lattice: Lattice, parts: Iterable[Part], *, layers: bool = False) -> Figure:
    """The figure of parts; `layers` takes cells in space apart by their height."""
    parts = [part for part in parts if part.cells]
    count = sum(len(part.cells) for part in parts)
    if not count:
        raise ExactCoverError("there are no cells to draw")
    if count > MAX_CELLS:
        raise ExactCoverError(f"{count:,} cells are too many for a picture: up to {MAX_CELLS:,}")
    bodies = bodies_of(lattice)
    if not bodies.solid:
        return flat_figure(bodies, parts)
    blocks = _blocks(bodies, parts, layers)
    if len(blocks) == 1:
        return solid_figure(bodies, parts)
    figures = {place: solid_figure(bodies, block) for place, block in blocks.items()}
    if not layers:
        figures = _alike(figures)
    size = 0.3 * bodies.pitch
    named = {
        place: captioned(figure, caption(place, "zwvu" if layers else "wvu"), size)
        for place, figure in figures.items()
    }
    return _nested(named, 0.4 * bodies.pitch)


def _blocks(bodies: Bodies, parts: Sequence[Part], layers: bool) -> Mapping[Block, list[Part]]:
    """The parts of each block."""
    blocks: dict[Block, list[Part]] = {}
    for part in parts:
        cells: dict[Block, list[Cell]] = {}
        for cell in part.cells:
            cells.setdefault(_place(bodies, cell, layers), []).append(cell)
        for place, here in cells.items():
            beside = tuple(
                cell for cell in part.beyond if bodies.block(cell) == bodies.block(here[0])
            )
            blocks.setdefault(place, []).append(replace(part, cells=tuple(here), beyond=beside))
    return blocks


def _place(bodies: Bodies, cell: Cell, layers: bool) -> Block:
    """The block of a cell; of layers, its height before that."""
    if not layers:
        return bodies.block(cell)
    height = Fraction(round(float(bodies.centre(cell)[2]), 6)).limit_denominator(10**6)
    return (height, *bodies.block(cell))


def _alike(figures: Mapping[Block, Figure]) -> dict[Block, Figure]:
    """The figures in boxes of one size, so that equal cells of all blocks stand alike."""
    low = np.min([figure.low for figure in figures.values()], axis=0).tolist()
    high = np.max([figure.high for figure in figures.values()], axis=0).tolist()
    return {
        place: replace(figure, low=tuple(low), high=tuple(high))
        for place, figure in figures.items()
    }


def _nested(figures: Mapping[Block, Figure], gap: float) -> Figure:
    """Blocks in a grid: the first coordinate counts across, the second down, and so on."""
    *inner, last = (sorted(set(values)) for values in zip(*figures, strict=True))
    if not inner:
        columns = len(last) if len(last) <= LONG else ceil(sqrt(2 * len(last)))
        return in_grid([figures[(value,)] for value in last], columns, gap)
    blank = replace(next(iter(figures.values())), shapes=())
    rows = [
        _nested({(*place,): figures.get((*place, value), blank) for place in product(*inner)}, gap)
        for value in last
    ]
    return in_grid(rows, len(rows) if len(inner) % 2 == 0 else 1, gap * (1 + len(inner)))

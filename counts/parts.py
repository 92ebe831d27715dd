"""Solutions of a region in separate parts, up to motions of each part by itself.

Some sources count a region of several parts so: each part may be turned and turned over by itself,
and congruent parts may be exchanged. No motion of the whole region does that, so these solutions
are listed and compared. It asks for pieces that may be turned over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

import exactcover as ec
from exactcover.geometry.cells import CellSet
from exactcover.geometry.neighbours import components, neighbour_graph
from exactcover.lattices.base import Lattice

Cell = tuple[int, ...]
Tiling = tuple[tuple[Cell, ...], ...]
"""The cells of each piece, sorted."""


def parts_of(lattice: Lattice, cells: Iterable[Cell]) -> list[list[Cell]]:
    """The connected parts of a region, each sorted, in the order of their first cells."""
    region = CellSet.of(lattice, np.array(list(cells)))
    parts: dict[int, list[Cell]] = {}
    for part, cell in zip(components(neighbour_graph(region)), region.cells.tolist(), strict=True):
        parts.setdefault(int(part), []).append(tuple(cell))
    return list(parts.values())


def _moved(lattice: Lattice, part: Sequence[Cell]) -> Iterator[list[Cell]]:
    """A part under each motion of the lattice, moved to the origin, in the order of its cells."""
    motions = lattice.group.selected(True)
    images = lattice.moved(np.array(part), motions)
    for image in images:
        vectors = image[:, : lattice.dimension]
        vectors -= vectors.min(axis=0)
        yield [tuple(cell) for cell in image.tolist()]


def _maps(lattice: Lattice, parts: Sequence[Sequence[Cell]]) -> list[tuple[int, list[dict]]]:
    """For each part its class, and the maps of its cells onto the first part of the class."""
    classes: list[frozenset[Cell]] = []
    maps = []
    for part in parts:
        images = list(_moved(lattice, part))
        bodies = [frozenset(image) for image in images]
        known = [number for number, body in enumerate(classes) if body in bodies]
        if not known:
            known = [len(classes)]
            classes.append(bodies[0])
        onto = classes[known[0]]
        pairs = zip(images, bodies, strict=True)
        maps.append((known[0], [dict(zip(part, i, strict=True)) for i, b in pairs if b == onto]))
    return maps


def _least(pieces: Sequence[Sequence[Cell]], maps: Sequence[Mapping[Cell, Cell]]) -> Tiling:
    """The first of the images of a tiling of a part."""
    return min(
        tuple(sorted(tuple(sorted(place[cell] for cell in piece)) for piece in pieces))
        for place in maps
    )


def count_by_parts(puzzle: ec.Puzzle) -> int | None:
    """How many solutions there are up to motions of each part; None if the region is one part."""
    lattice = puzzle.lattice
    parts = parts_of(lattice, map(tuple, puzzle.region.cells.tolist()))
    if len(parts) < 2 or not puzzle.reflections:
        return None
    part_of = {cell: number for number, part in enumerate(parts) for cell in part}
    maps = _maps(lattice, parts)
    known = set()
    for solution in ec.solve(puzzle, counted="all"):
        pieces: list[list[tuple[Cell, ...]]] = [[] for _ in parts]
        for placed in solution.placements:
            pieces[part_of[tuple(placed.cells[0])]].append(tuple(map(tuple, placed.cells)))
        forms = zip(maps, pieces, strict=True)
        known.add(tuple(sorted((kind, _least(inside, onto)) for (kind, onto), inside in forms)))
    return len(known)

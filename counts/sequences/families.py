"""The puzzles that several sequences share, as problems: each family is a short generator.

An option is the list of the cells that it covers; a cell is a tuple.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from itertools import product

import exactcover as ec

Cell = tuple[int, ...]
Option = Collection[Hashable]
Map = Callable[[Cell], Cell]


def box(*sides: int) -> list[Cell]:
    """The cells of a box, in order."""
    return list(product(*map(range, sides)))


def cover(
    cells: Iterable[Hashable],
    options: Iterable[Option],
    once: Iterable[Hashable] = (),
    exactly: dict[Hashable, int] | None = None,
) -> ec.Problem:
    """All cells are to be covered.

    once     items that at most one option may have
    exactly  items with the number of options that must have them
    """
    times = {item: (number, number) for item, number in (exactly or {}).items()}
    return ec.Problem.from_options(
        options, primary=[*cells, *times], secondary=list(once), multiplicity=times
    )


def blocks(sides: Collection[int], sizes: Collection[int]) -> Iterator[list[Cell]]:
    """The places of a block in a box."""
    for corner in product(*(range(a - b + 1) for a, b in zip(sides, sizes, strict=True))):
        yield list(product(*(range(c, c + b) for c, b in zip(corner, sizes, strict=True))))


def cubes(*sides: int) -> list[list[Cell]]:
    """The places of cubes, or squares, of any size in a box."""
    return [one for s in range(1, min(sides) + 1) for one in blocks(sides, [s] * len(sides))]


def animals(n: int, cells: int) -> list[list[Cell]]:
    """The places of polyominoes of any shape, with a number of cells, in a square of n x n."""
    shapes: set[frozenset[Cell]] = {frozenset([(0, 0)])}
    for size in range(1, cells):
        steps = product(shapes, SIDES)
        grown = {shape | {_moved(cell, side)} for shape, side in steps for cell in shape}
        larger = {_cornered(shape) for shape in grown if len(shape) > size}
        shapes = {shape for shape in larger if max(map(max, shape)) < n}
    out = []
    for shape in sorted(map(sorted, shapes)):
        wide, high = (max(cell[axis] for cell in shape) for axis in (0, 1))
        corners = box(max(0, n - wide), max(0, n - high))
        out += [[_moved(cell, corner) for cell in shape] for corner in corners]
    return out


SIDES: list[Cell] = [(1, 0), (0, 1), (-1, 0), (0, -1)]


def _moved(cell: Cell, by: Cell) -> Cell:
    return tuple(a + b for a, b in zip(cell, by, strict=True))


def _cornered(shape: frozenset[Cell]) -> frozenset[Cell]:
    """A shape, moved to the corner of the board."""
    low = (-min(cell[0] for cell in shape), -min(cell[1] for cell in shape))
    return frozenset(_moved(cell, low) for cell in shape)


# What symmetries fix

GROUPS = {
    "none": "e",
    "rotation": "er",
    "turn": "erqp",
    "side": "ex",
    "sides": "erxy",
    "diagonal": "ed",
    "diagonals": "erda",
    "whole": "erqpxyda",
}
"""One subgroup of each kind of the symmetries of a square, by the letters of `square_maps`."""


def square_maps(n: int, group: str) -> list[Map]:
    """The symmetries of a square of n x n cells that are in a group."""
    m = n - 1
    maps: dict[str, Map] = {
        "e": lambda c: c,
        "r": lambda c: (m - c[0], m - c[1]),
        "q": lambda c: (c[1], m - c[0]),
        "p": lambda c: (m - c[1], c[0]),
        "x": lambda c: (m - c[0], c[1]),
        "y": lambda c: (c[0], m - c[1]),
        "d": lambda c: (c[1], c[0]),
        "a": lambda c: (m - c[1], m - c[0]),
    }
    return [maps[letter] for letter in GROUPS[group]]


def symmetric(
    cells: Iterable[Cell], options: Iterable[Collection[Cell]], maps: Collection[Map]
) -> ec.Problem:
    """The covers that a group fixes: covers of the orbits of cells by orbits of options."""
    orbit = {cell: min(to(cell) for to in maps) for cell in cells}
    kept = {}
    for option in options:
        images = {frozenset(map(to, option)) for to in maps}
        union = frozenset().union(*images)
        if len(union) == sum(map(len, images)):  # images are equal, or have no cell in common
            kept[frozenset(images)] = sorted({orbit[cell] for cell in union})
    return cover(sorted(set(orbit.values())), kept.values())


def fixed(
    count: Callable[[ec.Problem], int], n: int, options: list[list[Cell]]
) -> Callable[[str], int]:
    """How many covers of a square the group of a name fixes."""
    return lambda group: count(symmetric(box(n, n), options, square_maps(n, group)))


def divided(count: Callable[[ec.Problem], int]) -> Callable[[ec.Problem], int]:
    """The same counts, added up over the options of an item that has the fewest of them.

    Each part is a problem of its own, so a matrix or a table of it is smaller.
    """

    def parts(problem: ec.Problem) -> int:
        few = min(range(problem.n_items), key=lambda item: len(problem.options_of(item)))
        options = [frozenset(problem.items_of(one).tolist()) for one in range(problem.n_options)]
        total = 0
        for first in problem.options_of(few).tolist():
            others = [sorted(one) for one in options if not one & options[first]]
            total += count(cover(set(range(problem.n_items)) - options[first], others))
        return total

    return parts


def orbits(fixes: Callable[[str], int], group: str) -> int:
    """The classes of covers whose symmetries are the group of a name, or a conjugate one."""
    if group == "whole":
        return fixes("whole")
    if group in ("turn", "sides", "diagonals"):
        return (fixes(group) - fixes("whole")) // 2
    if group == "rotation":
        larger = sum(map(fixes, ("turn", "sides", "diagonals")))
        return (fixes("rotation") - larger + 2 * fixes("whole")) // 4
    if group in ("side", "diagonal"):
        return (fixes(group) - fixes(group + "s")) // 2
    two = sum(orbits(fixes, one) for one in ("turn", "sides", "diagonals"))
    four = sum(orbits(fixes, one) for one in ("rotation", "side", "diagonal"))
    return (fixes("none") - 4 * four - 2 * two - fixes("whole")) // 8


def classes(fixes: Callable[[str], int], total: int | None = None) -> int:
    """The classes of covers of a square under all its symmetries, by Burnside's lemma.

    total  the number of all covers, if it is known
    """
    half = fixes("turn") + fixes("side") + fixes("diagonal")
    whole = fixes("none") if total is None else total
    return (whole + fixes("rotation") + 2 * half) // 8


# Squares and rectangles


def dissections(n: int, k: int) -> ec.Puzzle:
    """Squares of any size in a rectangle, as a puzzle: its solutions have symmetric copies."""
    return ec.puzzle_of([f"{s}x{s} any" for s in range(1, min(n, k) + 1)], f"{n}x{k}")


def tiles(n: int, k: int, sizes: dict[str, int]) -> ec.Puzzle:
    """So many tiles of each size in a rectangle; single cells fill the rest."""
    pieces = [f"{size} x {copies}" for size, copies in sizes.items() if copies]
    return ec.puzzle_of(["1x1 any", *pieces], f"{n}x{k}")


def sets(area: int, areas: dict[str, int]) -> Iterator[dict[str, int]]:
    """The ways to take copies of sizes whose areas add up to at most this area."""
    if not areas:
        yield {}
        return
    size, *others = areas
    for rest in sets(area, {one: areas[one] for one in others}):
        left = area - sum(areas[one] * copies for one, copies in rest.items())
        for copies in range(left // areas[size] + 1):
            yield rest | {size: copies}


def squares_within(n: int, k: int) -> dict[str, int]:
    """The areas of the squares of side 2 or more that fit into a rectangle."""
    return {f"{s}x{s}": s * s for s in range(2, min(n, k) + 1)}


def rectangles_within(n: int, k: int) -> dict[str, int]:
    """The areas of the rectangles that fit into a rectangle, in either direction; 1x1 is none."""
    low, high = min(n, k), max(n, k)
    pairs = [(a, b) for a in range(1, low + 1) for b in range(max(a, 2), high + 1)]
    return {f"{a}x{b}": a * b for a, b in pairs}


def distinct(n: int, name: Callable[[int, int], Hashable]) -> ec.Problem:
    """Rectangles in a square, at most one of each name; those of the name None are left out."""
    named = {(a, b): name(a, b) for a in range(1, n + 1) for b in range(1, n + 1)}
    options = [
        [*one, ("name", key)]
        for sizes, key in named.items()
        if key is not None
        for one in blocks((n, n), sizes)
    ]
    names = sorted({("name", key) for key in named.values() if key is not None})
    return cover(box(n, n), options, once=names)


# Graphs and progressions

KNIGHT = ((1, 2), (2, 1), (1, -2), (2, -1))


def pairs(cells: Collection[Cell], moves: Collection[Cell]) -> list[list[Cell]]:
    """The pairs of cells that are a move apart."""
    there = set(cells)
    steps = [
        (cell, tuple(map(sum, zip(cell, move, strict=True)))) for cell in cells for move in moves
    ]
    return [[one, other] for one, other in steps if other in there]


def matchings(
    cells: Collection[Cell], edges: Iterable[Option], alone: int | None = None
) -> ec.Problem:
    """Sets of disjoint edges; with a number of cells that no edge covers."""
    if alone is None:
        return cover(cells, [*edges, *([cell] for cell in cells)])
    single = [[cell, "alone"] for cell in cells] if alone else []
    return cover(cells, [*edges, *single], exactly={"alone": alone} if alone else {})


def progressions(n: int, terms: int, most: int | None = None) -> list[list[int]]:
    """The arithmetic progressions in 1 ... n * terms, with differences up to `most`."""
    last = n * terms
    widest = (last - 1) // (terms - 1) if most is None else most
    return [
        [start + step * i for i in range(terms)]
        for step in range(1, widest + 1)
        for start in range(1, last - step * (terms - 1) + 1)
    ]


def self_conjugate(n: int) -> ec.Problem:
    """Splittings of 1 ... 3n into progressions of three that the map x -> 3n + 1 - x fixes."""
    cells = [(x,) for x in range(1, 3 * n + 1)]
    options = [[(x,) for x in one] for one in progressions(n, 3)]
    return symmetric(cells, options, [lambda c: c, lambda c: (3 * n + 1 - c[0],)])


def most(n: int, k: int, areas: dict[str, int], count: Callable[..., int]) -> int:
    """The most ways in which one set of rectangles of these sizes, and single cells, fills a
    rectangle, up to symmetry.

    No set has more ways up to symmetry than in all, so those with few in all need no second count.
    """
    if not n * k:
        return 1
    in_all = [(count(tiles(n, k, one), "all"), one) for one in sets(n * k, areas)]
    best = 0
    for number, one in sorted(in_all, key=lambda pair: -pair[0]):
        if number <= best:
            break
        best = max(best, count(tiles(n, k, one), "reflections"))
    return best

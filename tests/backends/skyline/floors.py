"""Floors for tests: shipped ones, and random ones that have solutions or nearly so."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import exactcover as ec
from exactcover.problem.rectangles import Floor, Placed, Rectangle, Size


def shipped(name: str) -> Floor:
    """The floor of a shipped puzzle."""
    floor = ec.read(name).floor
    assert floor is not None
    return floor


CALIBRON = shipped("calibron_12")


def partridge(order: int) -> Floor:
    """The partridge square: of each side up to the order, as many squares as the side is long."""
    side = order * (order + 1) // 2
    return Floor(side, side, tuple(Rectangle(one, one, one) for one in range(1, order + 1)))


def floor_with(width: int, height: int, rectangles: Iterable[Rectangle]) -> Floor:
    """A floor of these rectangles; equal ones become one kind with more copies."""
    kinds: dict[frozenset[Size], Rectangle] = {}
    for kind in rectangles:
        same = kinds.get(frozenset(kind.sizes))
        copies = kind.copies + (0 if same is None else same.copies)
        kinds[frozenset(kind.sizes)] = (same or kind)._replace(copies=copies)
    return Floor(width, height, tuple(kinds.values()))


def random_floor(random: Random, *, longest: int = 7, pieces: int = 8) -> Floor:
    """A floor cut into rectangles at random; some may not turn, and some are cut anew.

    Those cut anew have the same area, so that the floor may have no solution.
    """
    width, height = random.randint(2, longest), random.randint(2, longest)
    parts = [(width, height)]
    for _ in range(random.randint(1, pieces - 1)):
        big = max(range(len(parts)), key=lambda at: (parts[at][0] * parts[at][1], random.random()))
        wide, high = parts.pop(big)
        if wide > 1 and (high == 1 or random.random() < 0.5):
            cut = random.randint(1, wide - 1)
            parts += [(cut, high), (wide - cut, high)]
        elif high > 1:
            cut = random.randint(1, high - 1)
            parts += [(wide, cut), (wide, high - cut)]
        else:
            parts.append((wide, high))
    if random.random() < 0.3:
        at = random.randrange(len(parts))
        wide, high = parts[at]
        sides = [side for side in range(1, wide * high + 1) if wide * high % side == 0]
        side = random.choice(sides)
        parts[at] = (side, wide * high // side)
    turning = random.random() < 0.7
    kinds = [Rectangle(*part, turns=turning or random.random() < 0.5) for part in parts]
    random.shuffle(kinds)
    return floor_with(width, height, kinds)


def turning_floor(random: Random) -> Floor:
    """A random floor whose rectangles may all turn."""
    floor = random_floor(random)
    kinds = [kind._replace(turns=True) for kind in floor.rectangles]
    return floor_with(floor.width, floor.height, kinds)


def puzzle_of(floor: Floor) -> ec.Puzzle:
    """The puzzle of a floor, some of whose rectangles may not turn."""
    pieces: list[str | dict[str, object]] = []
    for number, one in enumerate(floor.rectangles):
        size, copies = f"{one.width}x{one.height}", one.copies
        fixed = {"name": f"f{number}", "shape": size, "copies": copies, "turns": False}
        pieces.append(f"{size} * {copies}" if one.turns else fixed)
    return ec.puzzle_of(pieces, f"{floor.width}x{floor.height}")


def is_filled(floor: Floor, solution: tuple[Placed, ...]) -> bool:
    """Whether a solution covers each cell once, with each copy once."""
    cells = [
        (x, y)
        for one in solution
        for x in range(one.x, one.x + one.width)
        for y in range(one.y, one.y + one.height)
    ]
    whole = {(x, y) for x in range(floor.width) for y in range(floor.height)}
    used = [one.kind for one in solution]
    return (
        len(cells) == floor.area
        and set(cells) == whole
        and all(used.count(at) == kind.copies for at, kind in enumerate(floor.rectangles))
        and all((one.width, one.height) in floor.rectangles[one.kind].sizes for one in solution)
    )


def problem_of_cells(floor: Floor) -> ec.Problem:
    """The exact cover of a floor, for rectangles that may not turn too."""
    options: list[list[object]] = [
        [(x + dx, y + dy) for dx in range(width) for dy in range(height)] + [number]
        for number, kind in enumerate(floor.rectangles)
        for width, height in kind.sizes
        for x in range(floor.width - width + 1)
        for y in range(floor.height - height + 1)
    ]
    cells = [(x, y) for x in range(floor.width) for y in range(floor.height)]
    copies = {number: kind.copies for number, kind in enumerate(floor.rectangles)}
    return ec.Problem.from_options(options, primary=[*cells, *copies], multiplicity=copies)

"""Boxes for tests: random ones that have solutions."""

from __future__ import annotations

from math import prod
from random import Random

from exactcover.problem.rectangles import Box, Brick


def random_box(random: Random) -> Box:
    """A box cut into bricks at random; some may not turn."""
    sides = [random.randint(1, 4) for _ in range(3)]
    parts = [tuple(sides)]
    for _ in range(random.randint(0, 5)):
        part = list(parts.pop(parts.index(max(parts, key=prod))))
        axis = random.choice([axis for axis in range(3) if part[axis] > 1] or [-1])
        if axis < 0:
            parts.append(tuple(part))
            continue
        cut = random.randint(1, part[axis] - 1)
        rest = part.copy()
        part[axis], rest[axis] = cut, part[axis] - cut
        parts += [tuple(part), tuple(rest)]
    turning = random.random() < 0.6
    return Box(
        *sides, tuple(Brick(*part, turns=turning or random.random() < 0.5) for part in parts)
    )

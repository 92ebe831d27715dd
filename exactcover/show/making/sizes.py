"""Checks of lengths that a user gives, in millimetres."""

from __future__ import annotations

import re
from numbers import Real

from exactcover.base.values.arguments import shown, wrong
from exactcover.errors import ExactCoverError
from exactcover.show.render.bodies import BAR, Bodies

PAPER = {"A3": (297.0, 420.0), "A4": (210.0, 297.0), "A5": (148.0, 210.0), "letter": (215.9, 279.4)}

_MEASURES = re.compile(r"(\d+(?:\.\d+)?)\s*[x×]\s*(\d+(?:\.\d+)?)", re.IGNORECASE)


def check_length(
    name: str, value: object, least: float, most: float, *, optional: bool = False
) -> None:
    """A number of millimetres in a range; None too, if it is optional."""
    if value is None and optional:
        return
    right = f"a number of millimetres, {least:g} to {most:g}"
    if isinstance(value, bool) or not isinstance(value, Real):
        raise wrong(name, value, right)
    if not least <= float(value) <= most:
        raise wrong(name, value, right)


def check_width(bodies: Bodies, width: object, unit: float) -> None:
    """The width of bars, at most a unit; only a lattice of bars has one."""
    if width is not None and all(body.sort != BAR for body in bodies.kinds):
        raise ExactCoverError(f"width: {bodies.lattice.name} cells are no bars, so leave it out")
    check_length("width", width, unit / 1000, unit, optional=True)


def sheet_size(sheet: object) -> tuple[float, float] | None:
    """Width and height of a sheet, from two numbers, a text such as "300x200", or a name."""
    if sheet is None:
        return None
    if isinstance(sheet, str):
        for name, size in PAPER.items():
            if sheet.lower() == name.lower():
                return size
        if found := _MEASURES.fullmatch(sheet.strip()):
            sheet = float(found[1]), float(found[2])
    if isinstance(sheet, tuple | list) and len(sheet) == 2:
        sides = [float(side) for side in sheet if isinstance(side, int | float)]
        if len(sides) == 2 and all(1 <= side <= 100_000 for side in sides):
            return sides[0], sides[1]
    raise ExactCoverError(
        f"sheet={shown(sheet)}: it must be a width and a height in millimetres, such as 300x200, "
        f"or one of {', '.join(PAPER)}"
    )

"""Named regions of a lattice: a diamond of radius 6, a hexagon of side 3.

A family of regions is data: the names of its sizes, limits for the coordinates of a cell's vector,
and a condition on where the centre of a cell lies, in lattice coordinates. The sides of these
regions run along or between cells, so a cell is in a region if its centre is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated

from exactcover.errors import LatticeError
from exactcover.lattices.expressions import FUNCTIONS, check_condition, check_number
from exactcover.lattices.structured import check_fields

COORDINATES = "xyzwvu"
NAME = re.compile(r"[a-z][a-z0-9-]*")
SIZE = re.compile(r"[a-z][a-z0-9_]*")
BETWEEN = ".."

Expression = Annotated[str, "expression"]
"""Text of `expressions`, which a lattice file may write as a number."""


@dataclass(frozen=True)
class Family:
    """A family of regions; every size is 1 or more.

    name     the name in puzzle files
    sizes    what its whole numbers mean, in order
    summary  one line for lists
    limits   for each coordinate of a vector its range, as in `0..n - 1`
    where    a condition on the centre x, y ... of a cell; empty: every cell within the limits
    needs    a condition on the sizes; empty: all sizes are right
    sides    vectors along the sides that can be joined, so that the board is a cylinder or a torus
    """

    name: str
    sizes: tuple[str, ...]
    summary: str
    limits: tuple[str, ...]
    where: str = ""
    needs: str = ""
    sides: tuple[tuple[Expression, ...], ...] = ()

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def usage(self) -> str:
        return " ".join((self.name, *self.sizes))

    def bounds(self) -> list[tuple[str, str]]:
        """The two ends of each limit."""
        ends = [limit.split(BETWEEN) for limit in self.limits]
        return [(low, high) for low, high in ends]

    def check(self, dimension: int) -> None:
        """Raise a `LatticeError` if this is no family of regions in this many dimensions."""
        coordinates = COORDINATES[:dimension]
        if not NAME.fullmatch(self.name) or self.name == "box":
            raise LatticeError(
                f"{self.name!r:.60} is no name of a region: small letters, digits and hyphens; "
                "every lattice has a box"
            )
        if not 1 <= len(self.sizes) == len(set(self.sizes)) <= dimension + 3:
            raise LatticeError(f"{self.name}: sizes are 1 to {dimension + 3} different names")
        for size in self.sizes:
            if not SIZE.fullmatch(size) or size in (*coordinates, *FUNCTIONS):
                raise LatticeError(f"{self.name}: {size!r:.60} is no name of a size, such as 'n'")
        if len(self.limits) != dimension or any(
            len(limit.split(BETWEEN)) != 2 for limit in self.limits
        ):
            raise LatticeError(
                f"{self.name}: limits are {dimension} ranges, such as '0..n - 1', "
                f"not {list(self.limits)!r:.60}"
            )
        if any(len(side) != dimension for side in self.sides) or len(self.sides) > dimension:
            raise LatticeError(f"{self.name}: sides are up to {dimension} vectors of {dimension}")
        for text in (*sum(self.bounds(), ()), *sum(self.sides, ())):
            check_number(text, self.sizes)
        if self.where:
            check_condition(self.where, (*self.sizes, *coordinates))
        if self.needs:
            check_condition(self.needs, self.sizes)

    def resized(self, smaller: Callable[[str], str]) -> Family:
        """The family with another expression for each size, but the same sides and needs."""
        word = re.compile(rf"\b({'|'.join(self.sizes)})\b")

        def changed(text: str) -> str:
            return word.sub(lambda found: smaller(found[1]), text)

        limits = tuple(map(changed, self.limits))
        return replace(self, limits=limits, where=changed(self.where))

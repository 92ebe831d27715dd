"""The cells of a named region, made from what its family says.

A body is a box of vectors and a condition on the centres of its cells, in lattice coordinates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

import numpy as np

from exactcover.errors import PuzzleError
from exactcover.geometry.cells import CellSet
from exactcover.lattices import Cells, Family, Lattice
from exactcover.lattices.expressions import NEAR, holds, number
from exactcover.lattices.family import COORDINATES


@dataclass(frozen=True)
class Body:
    """Cells with vectors within the limits (from, to) for whose centres the condition holds."""

    limits: Sequence[tuple[int, int]]
    where: str
    sizes: Mapping[str, int]

    @classmethod
    def of(cls, family: Family, sizes: Sequence[int]) -> Body:
        """The region of a family with these sizes."""
        named = dict(zip(family.sizes, sizes, strict=True))
        exact = {name: Fraction(size) for name, size in named.items()}
        if family.needs and not holds(family.needs, exact):
            given = " ".join(map(str, sizes))
            raise PuzzleError(f"region {family.usage}: it needs {family.needs}, not {given}")
        limits = [
            (ceil(number(low, exact)), floor(number(high, exact))) for low, high in family.bounds()
        ]
        return cls(limits, family.where, named)

    def cells(self, lattice: Lattice) -> Cells:
        """The cells of this body, sorted."""
        axes = [np.arange(low, high + 1) for low, high in self.limits]
        vectors = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))
        kept = []
        for kind, centre in enumerate(lattice.centres.values()):
            chosen = vectors
            if self.where:
                places = vectors + np.array([float(value) for value in centre])
                chosen = vectors[self._holds_at(places)]
            kept.append(lattice.cells(chosen, np.full(len(chosen), kind)))
        return CellSet.of(lattice, np.concatenate(kept)).cells

    def _holds_at(self, places: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Cells:
        """The numbers of the places where the condition holds."""
        values = {name: float(size) for name, size in self.sizes.items()}
        axes = dict(zip(COORDINATES, places.T, strict=False))
        with np.errstate(over="ignore", invalid="ignore"):  # absurd factors overflow
            inside = holds(self.where, {**values, **axes})
        return np.flatnonzero(np.broadcast_to(inside, len(places)))

    def candidates(self, lattice: Lattice) -> int:
        """How many cells there are at most, without making them."""
        count = len(lattice.kinds)
        for low, high in self.limits:
            count *= max(0, high - low + 1)
        return count


def sides_of(family: Family, sizes: Sequence[int], count: int) -> list[list[int]]:
    """The first `count` vectors along which a region of a family can be closed."""
    exact = {name: Fraction(size) for name, size in zip(family.sizes, sizes, strict=True)}
    sides = []
    for side in family.sides[:count]:
        vector = [number(text, exact) for text in side]
        whole = [round(value) for value in vector]
        if any(abs(a - b) > NEAR for a, b in zip(vector, whole, strict=True)):
            given, shown = " ".join(map(str, sizes)), ", ".join(map(str, vector))
            raise PuzzleError(
                f"wrap: the region {family.name} {given} cannot be closed along its side "
                f"({shown}): choose sizes for which these are whole numbers"
            )
        sides.append(whole)
    return sides

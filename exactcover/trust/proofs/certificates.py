"""Proofs that a problem has no solution, as values.

Each gives the items weights. The options of any solution cover what is to be covered, so their
weights add up to the weight of that. A proof is a choice of weights for which they cannot:

- `Congruence`: every option weighs a multiple of m, and what is to be covered does not;
- `Inequality`: every option weighs 0 or less, and what is to be covered more than 0 - then not
  even fractions of options add up to it, by the lemma of Farkas;
- `Unchecked`: a linear programme in floating point found no fractions of options that add up, but
  no weights that bear it out exactly. This is a strong hint and no proof.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from exactcover.base.values import Pictured
from exactcover.problem import Problem
from exactcover.problem.layout import Layout

Long = npt.NDArray[np.int64]

Number = TypeVar("Number", np.int64, np.float64)


@dataclass(frozen=True)
class Weight:
    """The weight of one item: its number in the problem, its name as text, and the weight."""

    item: int
    name: str
    value: int


class Posed(Protocol):
    """An object with a problem, such as the model of a puzzle."""

    @property
    def problem(self) -> Problem:
        """The problem."""


@dataclass(frozen=True)
class Certificate(Pictured):
    """Weights of items that anyone can check; see `check_certificate`.

    weights  those that are not 0, by item number
    total    what is to be covered weighs so much; in an `Inequality`, at least so much
    options  how many options the problem has
    posed    the model of the puzzle that it was found for, to be drawn on; None for a plain problem
    """

    weights: tuple[Weight, ...]
    total: int
    options: int
    posed: Posed | None = field(default=None, compare=False, repr=False, kw_only=True)

    def values(self, n_items: int) -> Long:
        """The weight of each item: int64 [items]."""
        values = np.zeros(n_items, np.int64)
        for weight in self.weights:
            values[weight.item] = weight.value
        return values

    def option_weights(self, problem: Problem) -> Long:
        """The total weight of each option's items: int64 [options]."""
        return row_sums(self.values(problem.n_items), problem.starts, problem.entries)

    def cell_values(self, layout: Layout) -> Long:
        """The weight of each cell, in the order of the layout: int64 [cells], to be drawn."""
        most = max([int(layout.cell_item.max(initial=-1)), *(w.item for w in self.weights)])
        values: Long = self.values(most + 1)[layout.cell_item]
        return values


@dataclass(frozen=True)
class Congruence(Certificate):
    """Every option weighs a multiple of the modulus; the total is not a multiple.

    each    a weight that every option has besides that of its items
    chosen  how many options there are in a solution: it matters only where `each` is not 0, and is
            known where all options cover equally many items of those covered a fixed number of
            times
    """

    modulus: int
    each: int = 0
    chosen: int = 0


@dataclass(frozen=True)
class Inequality(Certificate):
    """Every option weighs 0 or less; what is to be covered weighs `total` or more, above 0."""


@dataclass(frozen=True)
class Unchecked:
    """A linear programme in floating point found no fractional solution: a hint, no proof.

    shortfall  its objective, the least distance from a solution that it found; above 0
    options    how many options the problem has
    """

    shortfall: float
    options: int


Proof = Congruence | Inequality | Unchecked
"""The result of `find_proof`: a certificate, or a hint of floating-point arithmetic."""


def row_sums(
    weights: npt.NDArray[Number], starts: npt.NDArray[np.integer], entries: npt.NDArray[np.integer]
) -> npt.NDArray[Number]:
    """The sum of the weights of the entries of each row: [rows]."""
    sums = np.append(weights[:1] * 0, np.cumsum(weights[entries]))
    by_row: npt.NDArray[Number] = np.diff(sums[starts])
    return by_row


def named_weights(problem: Problem, values: dict[int, int]) -> tuple[Weight, ...]:
    """Weights by item number, with the names of the items; those that are 0 left out."""
    return tuple(
        Weight(item, str(problem.items[item]), value)
        for item, value in sorted(values.items())
        if value
    )

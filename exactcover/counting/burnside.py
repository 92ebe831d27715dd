"""How many solutions are different, without listing any: Burnside's lemma.

The number of classes of solutions under a group of symmetries is the mean, over the group, of the
number of solutions that a symmetry fixes. Symmetries that are conjugate fix equally many, so one of
each class is enough; and the solutions that a symmetry fixes are those of a quotient.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.counting.quotient import Quotient
from exactcover.layout import Layout
from exactcover.problem import IntArray, Problem

Counter = Callable[[Problem, Layout | None], int]
"""Counts the solutions of a problem."""


@dataclass(frozen=True, eq=False)
class FixedCount:
    """A class of conjugate symmetries: how many they are, and how many solutions each fixes."""

    permutation: IntArray
    symmetries: int
    fixed: int


def fixed_counts(
    problem: Problem, layout: Layout | None, permutations: IntArray, count: Counter
) -> Iterator[FixedCount]:
    """The solutions fixed by each class of symmetries, the identity first.

    permutations  int32 [s, options]: a group, the identity first
    """
    for number, size in conjugacy_classes(permutations):
        permutation = permutations[number]
        if number == 0:
            fixed = count(problem, layout)
        else:
            parts = Quotient.of(problem, layout, permutation).parts()
            fixed = sum(count(*part) for part in parts)
        yield FixedCount(permutation, size, fixed)


def unique_count(
    problem: Problem, layout: Layout | None, permutations: IntArray, count: Counter
) -> int:
    """How many classes of solutions there are under a group of symmetries."""
    total = sum(
        one.symmetries * one.fixed for one in fixed_counts(problem, layout, permutations, count)
    )
    classes, rest = divmod(total, len(permutations))
    if rest:
        raise ArithmeticError(
            f"{total} fixed solutions are no multiple of {len(permutations)} symmetries: "
            "the permutations are no group, or a count is wrong"
        )
    return classes


def conjugacy_classes(permutations: IntArray) -> list[tuple[int, int]]:
    """One member of each class, by its number, and how many there are; the identity first.

    Symmetries that move all options alike are one and the same here.
    """
    base = _base(permutations)
    distinct: dict[bytes, list[int]] = {}
    for number, row in enumerate(permutations[:, base]):
        distinct.setdefault(row.tobytes(), []).append(number)
    inverses = np.argsort(permutations, axis=1)[:, base]
    seen: set[bytes] = set()
    out = []
    for key, numbers in distinct.items():
        if key in seen:
            continue
        one = permutations[numbers[0]]
        alike = {
            mover[one[back]].tobytes() for mover, back in zip(permutations, inverses, strict=True)
        }
        seen |= alike
        out.append((numbers[0], sum(len(distinct[other]) for other in alike)))
    return out


def _base(permutations: IntArray) -> npt.NDArray[np.int64]:
    """Options that tell all different symmetries apart by where they go."""
    base: list[int] = []
    groups = np.zeros(len(permutations), np.int64)
    for option in range(permutations.shape[1]):
        pairs = np.stack([groups, permutations[:, option]])
        finer = np.unique(pairs, axis=1, return_inverse=True)[1]
        finer = finer.reshape(-1)
        if finer.max(initial=0) > groups.max(initial=0):
            base.append(option)
            groups = finer
        if groups.max(initial=0) == len(permutations) - 1:
            break
    return np.array(base, np.int64)

"""All weights modulo m under which every option weighs 0.

Give each item an integer weight y. If every option weighs 0 modulo m, so does every set of options,
and hence every solution; if what is to be covered does not weigh 0, there is no solution. Such a y
exists if and only if the vector of what is to be covered is no combination of options over Z/m,
because Z/m is a quasi-Frobenius ring: a submodule of (Z/m)^k is the annihilator of its annihilator.

The usual way to decide that is a Howell form of the options, an echelon form that still decides
whether a vector is in the span if m is no prime (J. A. Howell, "Spans in the module (Z_m)^s",
Linear and Multilinear Algebra 19, 1986; A. Storjohann and T. Mulders, "Fast algorithms for linear
algebra modulo N", ESA 1998). Here the other side is kept, generators of the annihilator: it shrinks
with every independent option, while the span would grow. Dependent options are passed over many at
a time. The generators left are all the proofs, from which a simple one is chosen.

By the Chinese remainder theorem it is enough to look modulo the powers of primes that divide m.
There the ideals form a chain, so that one pivot divides all the values to be cleared.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.base.patience import check
from exactcover.errors import ProblemError
from exactcover.problem import Problem

Long = npt.NDArray[np.int64]

MAX_MODULUS = 1 << 15
"""Products of residues must fit 32 bits."""

MAX_ENTRIES = 1 << 26
"""The largest matrix of weights, in numbers: items squared."""

MOST_AT_ONCE = 1 << 8
"""The most options that are looked at together."""

SEED = 1

EACH = -1
"""Stands for an item that every option covers."""


@dataclass(frozen=True, eq=False)
class FixedPart:
    """The part of a problem that a congruence can describe.

    An item that may be covered a varying number of times adds an unknown amount, so only items
    covered a fixed number of times carry weight; and only options that can be chosen matter.

    items    int64 [k]           their numbers in the problem; `EACH`: the number of options chosen
    times    int64 [k]           how often each is to be covered
    starts   int64 [rows + 1]    the options, restricted to these items
    entries  int64               as positions in `items`
    """

    items: Long
    times: Long
    starts: Long
    entries: Long

    @property
    def rows(self) -> int:
        return len(self.starts) - 1


def counting_options(part: FixedPart) -> FixedPart | None:
    """The same part with one more item, which every option covers; None if that adds nothing.

    Where every option covers equally many fixed items, the number of options in a solution is
    fixed too: 25 pieces of four cells on 100 cells. Then arguments can count pieces: "each covers
    an odd number of black cells, and 25 is odd".
    """
    sizes = np.unique(np.diff(part.starts))
    total = int(part.times.sum())
    if len(sizes) != 1 or sizes[0] < 2 or total % int(sizes[0]):
        return None
    size, count = int(sizes[0]), len(part.items)
    entries = np.column_stack([part.entries.reshape(-1, size), np.full(part.rows, count)])
    return FixedPart(
        np.append(part.items, EACH),
        np.append(part.times, total // size),
        np.arange(part.rows + 1) * (size + 1),
        entries.ravel(),
    )


def fixed_part(problem: Problem) -> FixedPart:
    """The fixed items of a problem, and the options that can be chosen."""
    items = np.flatnonzero((problem.low == problem.high) & (problem.high > 0))
    position = np.full(problem.n_items, -1, np.int64)
    position[items] = np.arange(len(items))
    owner = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
    keep = problem.choosable[owner] & (position[problem.entries] >= 0)
    counts = np.bincount(owner[keep], minlength=problem.n_options)[problem.choosable]
    return FixedPart(
        items.astype(np.int64),
        problem.low[items].astype(np.int64),
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        position[problem.entries[keep]],
    )


def prime_powers(modulus: int) -> list[int]:
    """The powers of different primes whose product is the modulus, ascending."""
    if not 2 <= modulus <= MAX_MODULUS:
        raise ProblemError(f"modulus {modulus}: it must lie in 2..{MAX_MODULUS}")
    powers, rest = [], modulus
    for prime in range(2, modulus + 1):
        power = 1
        while rest % prime == 0:
            power, rest = power * prime, rest // prime
        if power > 1:
            powers.append(power)
    return sorted(powers)


def annihilator(part: FixedPart, modulus: int) -> Long | None:
    """Generators [g, k] of all weights modulo a power of a prime under which options weigh 0.

    None if none of these weights proves anything.
    """
    size = len(part.items)
    if size * size > MAX_ENTRIES or not (part.times % modulus).any():
        return None
    lengths = np.diff(part.starts)
    order = np.random.default_rng(SEED).permutation(part.rows)
    order = order[lengths[order] > 0]
    starts = np.concatenate([[0], np.cumsum(lengths[order])])
    within = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths[order])
    entries = part.entries[np.repeat(part.starts[order], lengths[order]) + within]

    generators = Generators(part, modulus)
    at, block = 0, 1
    while at < order.size:
        check()
        behind = min(at + block, order.size)
        rows = entries[starts[at] : starts[behind]]
        values = generators.weigh(rows, starts[at:behind] - starts[at])
        heavy = np.flatnonzero(values.any(axis=1))
        if not heavy.size:
            at, block = behind, min(2 * block, MOST_AT_ONCE)
            continue
        generators.clear(values[heavy[0]])
        if not generators.prove:
            return None
        at, block = at + int(heavy[0]) + 1, max(1, int(heavy[0]))
    return generators.weights()


class Generators:
    """Weights under which the options seen so far weigh 0, as the columns of a matrix.

    The last row is the weight of what is to be covered. A new option has a value under each
    generator. One whose value divides the others is the pivot: it is subtracted from the others
    until the option weighs 0 under them, and is itself multiplied until the option weighs 0 under
    it. That makes it vanish where its value was a unit, as it always is modulo a prime.
    """

    def __init__(self, part: FixedPart, modulus: int) -> None:
        self._modulus = modulus
        small = np.min_scalar_type(modulus * modulus)  # holds a product and a summand
        self._columns = np.eye(len(part.items) + 1, len(part.items), dtype=small)
        self._columns[-1] = part.times % modulus
        residues = range(modulus)
        self._divisor = np.array([math.gcd(residue, modulus) for residue in residues])

    @property
    def prove(self) -> bool:
        """Whether what is to be covered has a weight other than 0 under some generator."""
        return bool(self._columns[-1].any())

    def weigh(self, entries: Long, starts: Long) -> Long:
        """The values of options [options, generators], from the items of each."""
        sums: Long = np.add.reduceat(self._columns[entries], starts, dtype=np.int64)
        return sums % self._modulus

    def clear(self, values: Long) -> None:
        """Change the generators so that an option weighs 0 under all."""
        m, divisor = self._modulus, self._divisor[values]
        pivot = int(np.where(values, divisor, m).argmin())
        least = int(divisor[pivot])
        times = -(values // least) * pow(int(values[pivot]) // least, -1, m // least)
        times[pivot] = m // least - 1
        held = self._columns[:, pivot].copy()
        rows = np.flatnonzero(held)
        new = self._columns[rows] + held[rows, None] * (times % m).astype(held.dtype)
        new -= new // m * m  # quicker than the remainder
        self._columns[rows] = new
        if not self._columns[:-1, pivot].any():
            self._columns[:, pivot] = self._columns[:, -1]
            self._columns = self._columns[:, :-1]

    def weights(self) -> Long:
        """The generators [g, k]."""
        return self._columns[:-1].T.astype(np.int64)

"""All weights modulo m under which every option weighs 0.

Give each item an integer weight y. If every option weighs 0 modulo m, so does every set of options,
and hence every solution; if what there is to cover does not weigh 0, there is no solution. Such a y
exists just when the vector of what there is to cover is no combination of options over Z/m, because
Z/m is a quasi-Frobenius ring: a submodule of (Z/m)^k is the annihilator of its annihilator.

The usual way to decide that is a Howell form of the options, an echelon form that still answers
"is this vector in the span" where m is no prime (J. A. Howell, "Spans in the module (Z_m)^s",
Linear and Multilinear Algebra 19, 1986; A. Storjohann and T. Mulders, "Fast algorithms for linear
algebra modulo N", ESA 1998). Here the other side is carried, generators of the annihilator: it
shrinks with every independent option while the span grows, each other option costs only its few
entries, and what is left at the end are all the proofs there are, to choose a simple one from.

By the Chinese remainder theorem it is enough to look modulo the powers of primes that m is made of.
There the ideals form a chain, so that one pivot divides all the values to be cleared.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.errors import ProblemError
from exactcover.patience import check
from exactcover.problem import Problem

Long = npt.NDArray[np.int64]

MAX_MODULUS = 1 << 15
"""Products of residues must fit 32 bits."""

MAX_ENTRIES = 1 << 26
"""The largest matrix of weights, in numbers: items squared, or 1/64 of that modulo 2."""

BUDGET = 1 << 12
SEED = 1

EACH = -1
"""Stands for an item that every option covers."""


@dataclass(frozen=True, eq=False)
class FixedPart:
    """The part of a problem that a congruence can speak of.

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
    """The same part with one more item, which every option covers; None where that says no more.

    Where every option covers equally many fixed items, the number of options in a solution is
    fixed too: 25 pieces of four cells on 100 cells. Arguments that count pieces can then be said
    as they are meant, "each covers an odd number of black cells, and 25 is odd".
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
    fixed = (problem.low == problem.high) & (problem.high > 0)
    items = np.flatnonzero(fixed)
    position = np.full(problem.n_items, -1, np.int64)
    position[items] = np.arange(len(items))
    barred = np.zeros(problem.n_items, bool)
    barred[: problem.primary] = problem.high == 0
    chosen = possible_options(problem, barred)

    owner = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
    keep = chosen[owner] & (position[problem.entries] >= 0)
    counts = np.bincount(owner[keep], minlength=problem.n_options)[chosen]
    return FixedPart(
        items.astype(np.int64),
        problem.low[items].astype(np.int64),
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        position[problem.entries[keep]],
    )


def possible_options(
    problem: Problem, barred: npt.NDArray[np.bool_] | None = None
) -> npt.NDArray[np.bool_]:
    """Whether an option has a primary item, and none that must not be covered: bool [options]."""
    if barred is None:
        barred = np.zeros(problem.n_items, bool)
        barred[: problem.primary] = problem.high == 0
    owner = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
    asked = np.bincount(owner, problem.entries < problem.primary, problem.n_options) > 0
    harmed = np.bincount(owner, barred[problem.entries], problem.n_options) > 0
    possible: npt.NDArray[np.bool_] = asked & ~harmed
    return possible


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

    None where no such weights prove anything.
    """
    size = len(part.items)
    if size * size > MAX_ENTRIES * (64 if modulus == 2 else 1) or not (part.times % modulus).any():
        return None
    order = np.random.default_rng(SEED).permutation(part.rows)
    state = np.array([0, size, 1], np.int64)
    steps = _bit_steps if modulus == 2 else _residue_steps
    found: Long | None = None
    for found in steps(part, modulus, order, state):  # noqa: B007  # the last one is wanted
        if not state[2]:
            return None
        check()
    return found


def _bit_steps(part: FixedPart, modulus: int, order: Long, state: Long) -> Iterator[Long | None]:
    """None after each budget of options, and at the end the generators modulo 2."""
    from exactcover.proofs.annihilator_kernel import annihilate_bits

    size = len(part.items)
    words = (size + 63) // 64
    weights = np.zeros((size, words), np.uint64)
    number = np.arange(size)
    weights[number, number // 64] = np.uint64(1) << (number % 64).astype(np.uint64)
    totals = np.bitwise_or.reduce(weights[part.times % 2 == 1], axis=0)
    values = np.zeros(words, np.uint64)
    while state[0] < len(order):
        annihilate_bits(
            state, part.starts, part.entries, order, weights, totals, values, BUDGET
        )  # fmt: skip
        yield None
    numbers = np.arange(state[1])
    columns = weights[:, numbers // 64] >> (numbers % 64).astype(np.uint64)
    yield (columns & np.uint64(1)).T.astype(np.int64)


def _residue_steps(
    part: FixedPart, modulus: int, order: Long, state: Long
) -> Iterator[Long | None]:
    """None after each budget of options, and at the end the generators."""
    from exactcover.proofs.annihilator_kernel import annihilate

    size = len(part.items)
    weights = np.eye(size, dtype=np.int32)
    totals = (part.times % modulus).astype(np.int32)
    values = np.zeros(size, np.int32)
    divisor = np.array([math.gcd(residue, modulus) for residue in range(modulus)])
    unit_inverse = np.array([_unit_inverse(residue, modulus) for residue in range(modulus)])
    while state[0] < len(order):
        annihilate(
            state, part.starts, part.entries, order, weights, totals, values,
            modulus, divisor, unit_inverse, BUDGET,
        )  # fmt: skip
        yield None
    yield weights[:, : state[1]].T.astype(np.int64)


def _unit_inverse(residue: int, modulus: int) -> int:
    """A u with residue * u = gcd(residue, modulus), modulo the modulus."""
    divisor = math.gcd(residue, modulus)
    rest = modulus // divisor
    return pow(residue // divisor, -1, rest) if rest > 1 else 1

"""Weights modulo m under which every option weighs 0, and what is to be covered does not.

If every option weighs 0 modulo m, so does every set of options, and hence every solution. Weights
that prove something exist if and only if the vector of what is to be covered is no combination of
options over Z/m, because Z/m is a quasi-Frobenius ring: a submodule of (Z/m)^k is the annihilator
of its annihilator.

The usual way to decide that is a Howell form of the options, an echelon form that still decides
whether a vector is in the span if m is no prime (J. A. Howell, "Spans in the module (Z_m)^s",
Linear and Multilinear Algebra 19, 1986; A. Storjohann and T. Mulders, "Fast algorithms for linear
algebra modulo N", ESA 1998). Here the other side is kept, generators of the annihilator: it shrinks
with every independent option, while the span would grow. Dependent options are passed over many at
a time. By the Chinese remainder theorem it is enough to look modulo the powers of primes that
divide m. There the ideals form a chain, so that one pivot divides all the values to be cleared.

The generators left are all the proofs, of which the simplest is given: few weights that are not 0,
and a short list of what options weigh. Items in random order are made to weigh 0 by the same step,
as long as a proof is left, and that several times over. The search is seeded, so the same problem
has the same proof each time. Every proof is checked before it is returned. The absence of a proof
says nothing: most problems without solutions have none.
"""

from __future__ import annotations

from math import gcd

import numpy as np
import numpy.typing as npt

from exactcover.base.patience import check, patiently
from exactcover.errors import ProblemError
from exactcover.problem import Problem

Long = npt.NDArray[np.int64]

MAX_MODULUS = 1 << 15
"""Products of residues must fit 32 bits."""

MAX_ENTRIES = 1 << 26
"""The largest matrix of weights, in numbers: items times those covered a fixed number of times."""

MOST_AT_ONCE = 1 << 8
"""The most options that are looked at together."""

ROUNDS = 32
WORK = 40_000_000
"""How many orders of the items are tried, and how many numbers they may touch together."""

SEED = 1


def prime_powers(modulus: int) -> list[int]:
    """The powers of different primes whose product is the modulus, ascending."""
    if not 2 <= modulus <= MAX_MODULUS:
        raise ProblemError(f"modulus {modulus}: it must lie in 2..{MAX_MODULUS}")
    powers, rest = [], modulus
    for prime in range(2, modulus + 1):
        if rest % prime == 0:
            powers.append(gcd(rest, prime**15))
            rest //= powers[-1]
    return sorted(powers)


def to_cover(problem: Problem) -> Long:
    """How often each item is to be covered: int64 [items]; 0 where that may vary.

    An item that may be covered a varying number of times adds an unknown amount, so only items
    covered a fixed number of times carry weight.
    """
    times = np.zeros(problem.n_items, np.int64)
    times[: problem.primary] = np.where(problem.low == problem.high, problem.low, 0)
    return times


def weights_of_options(problem: Problem, weights: Long) -> Long:
    """The weight of each option that can be chosen, by the weights of items."""
    sums: Long = np.diff(np.append(0, np.cumsum(weights[problem.entries]))[problem.starts])
    return sums[problem.choosable]


# -- all proofs ------------------------------------------------------------------------------------


def annihilator(problem: Problem, modulus: int) -> Long | None:
    """Generators [g, items] of all weights modulo a power of a prime under which options weigh 0.

    None if none of these weights proves anything.

    They are the columns of a matrix, whose last row is the weight of what is to be covered. It
    starts with the unit vectors, and is cleared for one option after another.
    """
    times = to_cover(problem)
    fixed = np.flatnonzero(times)
    if times.size * fixed.size > MAX_ENTRIES or not (times % modulus).any():
        return None
    order = np.random.default_rng(SEED).permutation(np.flatnonzero(problem.choosable))
    starts, places = problem.rows(order)
    entries = problem.entries[places]

    small = np.min_scalar_type(modulus * modulus)  # holds a product and a summand
    columns = np.zeros((times.size + 1, fixed.size), small)
    columns[fixed, np.arange(fixed.size)] = 1
    columns[-1] = times[fixed] % modulus
    at, block = 0, 1
    while at < order.size:
        check()
        behind = min(at + block, order.size)
        rows = columns[entries[starts[at] : starts[behind]]]
        values = np.add.reduceat(rows, starts[at:behind] - starts[at], dtype=np.int64) % modulus
        heavy = np.flatnonzero(values.any(axis=1))
        if not heavy.size:
            at, block = behind, min(2 * block, MOST_AT_ONCE)
            continue
        columns = _cleared(columns, values[heavy[0]], modulus)
        if not columns[-1].any():
            return None
        at, block = at + int(heavy[0]) + 1, max(1, int(heavy[0]))
    return columns[:-1].T.astype(np.int64)


def _cleared(columns: Long, values: Long, m: int) -> Long:
    """The generators changed so that an option, or an item, with these values weighs 0 under all.

    A generator whose value divides the others is the pivot: it is subtracted from the others until
    the option weighs 0 under them, and is itself multiplied until the option weighs 0 under it.
    That makes it vanish where its value was a unit, as it always is modulo a prime.
    """
    divisor = np.gcd(values, m)  # of 0 it is m
    pivot = int(divisor.argmin())
    least = int(divisor[pivot])
    times = -(values // least) * pow(int(values[pivot]) // least, -1, m // least)
    times[pivot] = m // least - 1
    held = columns[:, pivot].copy()
    rows = np.flatnonzero(held)
    new = columns[rows] + held[rows, None] * (times % m).astype(held.dtype)
    new -= new // m * m  # quicker than the remainder
    columns[rows] = new
    if columns[:-1, pivot].any():
        return columns
    columns[:, pivot] = columns[:, -1]
    return columns[:, :-1]


# -- the simplest of them --------------------------------------------------------------------------


def simplest(problem: Problem, generators: Long, modulus: int) -> tuple[int, Long]:
    """The modulus and weights [items] of the simplest proof found among combinations of generators.

    Some generator must give the totals a weight other than 0. A divisor that all weights share
    with the modulus is taken out of both. Weights are least in absolute value, 1 where one can be.
    """
    totals = generators @ (to_cover(problem) % modulus) % modulus
    found = [*generators[totals != 0]]
    count, length = generators.shape
    rng = np.random.default_rng(SEED)
    for _ in patiently(range(min(ROUNDS, WORK // (count * count * length)))):
        columns = np.append(generators, totals[:, None], axis=1).T
        for item in rng.permutation(length):
            if columns[item].any() and columns.shape[1] > 1:
                fewer = _cleared(columns.copy(), columns[item], modulus)
                columns = fewer if fewer[-1].any() else columns
        found.append(columns[:-1, columns[-1].argmax()])
    fewest = min(map(np.count_nonzero, found))
    words = {word.tobytes(): word for word in found if np.count_nonzero(word) == fewest}
    proofs = [_normalised(problem, word, modulus) for word in words.values()]
    return min(proofs, key=lambda one: _complexity(problem, one[1]))


def _complexity(problem: Problem, weights: Long) -> tuple[int, int, list[int]]:
    """Fewest different weights of items and options first; the rest makes the choice definite."""
    options = weights_of_options(problem, weights)
    different = len(np.unique(weights)) + len(np.unique(options))
    return different, int(abs(weights).sum()), (-weights).tolist()


def _normalised(problem: Problem, word: Long, modulus: int) -> tuple[int, Long]:
    """A proof without common divisors, times the unit that makes it read best."""
    common = int(np.gcd.reduce(np.append(word, modulus)))
    modulus, word = modulus // common, word // common
    half = (modulus - 1) // 2
    values = set(word[np.gcd(word, modulus) == 1].tolist())
    units = {sign * pow(value, -1, modulus) for value in values for sign in (1, -1)} or {1}
    choices = ((word * unit + half) % modulus - half for unit in sorted(units))
    return modulus, min(choices, key=lambda weights: _complexity(problem, weights))

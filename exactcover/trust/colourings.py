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
and a short list of what options weigh. Light words of a code are found as in attacks on code-based
ciphers (P. J. Lee and E. F. Brickell, 1988): bring the generators to echelon form on columns in
random order, and look at the rows. The search is seeded, so the same problem has the same proof
each time. Every proof is checked before it is returned. The absence of a proof says nothing: most
problems without solutions have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.base.patience import check, patiently
from exactcover.errors import ProblemError
from exactcover.problem import Problem

Long = npt.NDArray[np.int64]

MAX_MODULUS = 1 << 15
"""Products of residues must fit 32 bits."""

MAX_ENTRIES = 1 << 26
"""The largest matrix of weights, in numbers: items squared."""

MOST_AT_ONCE = 1 << 8
"""The most options that are looked at together."""

ROUNDS = 100
WORK = 40_000_000
"""How many numbers the rounds may touch together: a fraction of a second."""

KEPT = 16
"""The words with the fewest weights that are compared."""

COMMON = 3
"""A unit that makes one of these most frequent weights 1 or -1 is tried."""

SEED = 1


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


class FixedPart(NamedTuple):
    """The part of a problem that a congruence can describe.

    An item that may be covered a varying number of times adds an unknown amount, so only items
    covered a fixed number of times carry weight; and only options that can be chosen matter.

    items    int64 [k]           their numbers in the problem
    times    int64 [k]           how often each is to be covered
    starts   int64 [rows + 1]    the options, restricted to these items
    entries  int64               as positions in `items`
    """

    items: Long
    times: Long
    starts: Long
    entries: Long


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


# -- all proofs ------------------------------------------------------------------------------------


def annihilator(part: FixedPart, modulus: int) -> Long | None:
    """Generators [g, k] of all weights modulo a power of a prime under which options weigh 0.

    None if none of these weights proves anything.

    They are the columns of a matrix, whose last row is the weight of what is to be covered. It
    starts with the unit vectors, and is cleared for one option after another.
    """
    size = len(part.items)
    if size * size > MAX_ENTRIES or not (part.times % modulus).any():
        return None
    lengths = np.diff(part.starts)
    order = np.random.default_rng(SEED).permutation(lengths.size)
    order = order[lengths[order] > 0]
    starts = np.concatenate([[0], np.cumsum(lengths[order])])
    within_row = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths[order])
    entries = part.entries[np.repeat(part.starts[order], lengths[order]) + within_row]

    small = np.min_scalar_type(modulus * modulus)  # holds a product and a summand
    columns = np.eye(size + 1, size, dtype=small)
    columns[-1] = part.times % modulus
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
    """The generators changed so that an option with these values weighs 0 under all.

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


def simplest(part: FixedPart, generators: Long, modulus: int) -> tuple[int, Long]:
    """The modulus and weights [k] of the simplest proof found among combinations of generators.

    Some generator must give the totals a weight other than 0. A divisor that all weights share
    with the modulus is taken out of both. Weights are least in absolute value, 1 where one can be.
    """
    words: dict[bytes, Long] = {}
    fewest = generators.shape[1] + 1
    for batch in patiently(_batches(generators, modulus)):
        proving = batch[(batch @ (part.times % modulus)) % modulus != 0]
        counts = np.count_nonzero(proving, axis=1)
        least = int(counts.min(initial=fewest))
        if least < fewest:
            fewest, words = least, {}
        for word in proving[counts == fewest]:
            if len(words) < KEPT:
                words[word.tobytes()] = word
    found = [_normalised(part, word, modulus) for word in words.values()]
    return min(found, key=lambda one: _complexity(part, one[1]))


def row_sums(
    weights: Long, starts: npt.NDArray[np.integer], entries: npt.NDArray[np.integer]
) -> Long:
    """The sum of the weights of the entries of each row: [rows]."""
    sums: Long = np.diff(np.append(0, np.cumsum(weights[entries]))[starts])
    return sums


def _complexity(part: FixedPart, weights: Long) -> tuple[int, int, list[int]]:
    """Fewest different weights of items and options first; the rest makes the choice definite."""
    options = row_sums(weights, part.starts, part.entries)
    different = len(np.unique(weights)) + len(np.unique(options))
    return different, int(abs(weights).sum()), (-weights).tolist()


def _normalised(part: FixedPart, word: Long, modulus: int) -> tuple[int, Long]:
    """A proof without common divisors, times the unit that makes it read best."""
    common = int(np.gcd.reduce(np.append(word, modulus)))
    modulus, word = modulus // common, word // common
    half = (modulus - 1) // 2
    values, counts = np.unique(word[np.gcd(word, modulus) == 1], return_counts=True)
    often = values[np.argsort(-counts, kind="stable")][:COMMON].tolist()
    units = {sign * pow(value, -1, modulus) for value in often for sign in (1, -1)} or {1}
    choices = [(word * unit + half) % modulus - half for unit in sorted(units)]
    return modulus, min(choices, key=lambda weights: _complexity(part, weights))


def _batches(generators: Long, modulus: int) -> Iterator[Long]:
    """The generators, then with units cleared from as many columns, in random order, as can be."""
    yield generators
    count, length = generators.shape
    rng = np.random.default_rng(SEED)
    for _ in range(min(ROUNDS, WORK // (count * count * length))):
        rows, done = generators.copy(), 0
        for column in rng.permutation(length):
            if done == count:
                break
            units = np.flatnonzero(np.gcd(rows[done:, column], modulus) == 1)
            if not len(units):
                continue
            rows[[done, done + units[0]]] = rows[[done + units[0], done]]
            rows[done] = rows[done] * pow(int(rows[done, column]), -1, modulus) % modulus
            factors = rows[:, column].copy()
            factors[done] = 0
            touched = np.flatnonzero(factors)
            rows[touched] = (rows[touched] - factors[touched, None] * rows[done]) % modulus
            done += 1
        yield rows

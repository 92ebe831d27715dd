"""Looking for a proof, cheap things first.

Moduli are tried in the order given, each as the powers of primes it is made of. Every proof is
checked before it is returned. The absence of a proof says nothing: most problems without solutions
have none.

Of many proofs the simplest is given: few weights that are not 0, and a short list of what options
weigh. Weights that prove something are a vector of a code, the module of all weights under which
options weigh 0. Light words of a code are found as in attacks on code-based ciphers (P. J. Lee and
E. F. Brickell, 1988): bring the generators to echelon form on columns in random order, and look at
the rows. Small codes are gone through word by word. The search is seeded, so the same problem has
the same proof each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from exactcover.base.patience import patiently, within
from exactcover.errors import TimeUp
from exactcover.problem import Problem
from exactcover.trust.proofs.annihilator import (
    EACH,
    FixedPart,
    Long,
    annihilator,
    counting_options,
    fixed_part,
    prime_powers,
)
from exactcover.trust.proofs.certificates import Congruence, Weight, row_sums
from exactcover.trust.proofs.check import check_certificate

if TYPE_CHECKING:
    from exactcover.puzzle import Model


def find_proof(
    problem: Problem | Model,
    *,
    moduli: Iterable[int] = (2, 3, 4, 5, 8, 9),
    seconds: float | None = None,
) -> Congruence | None:
    """A proof that the problem has no solution, or None where none was found.

    problem  a problem, or the model of a puzzle: then the proof can be drawn
    moduli   congruences to look for; where one exists modulo a divisor, that one is given
    seconds  give up after about so long

    It can be interrupted at any time and keeps nothing. Beyond 8192 items that are covered a fixed
    number of times it finds none, to spare the memory.
    """
    posed = None if isinstance(problem, Problem) else problem
    plain = problem if isinstance(problem, Problem) else problem.problem
    try:
        with within(seconds, least=0.0):
            part = fixed_part(plain)
            counting = counting_options(part)
            parts = [part] if counting is None else [part, counting]
            powers = [power for modulus in moduli for power in prime_powers(modulus)]
            for power in dict.fromkeys(powers):
                for each in parts:
                    if (proof := _congruence(plain, each, power)) is not None:
                        return replace(proof, posed=posed)
    except TimeUp:
        pass
    return None


def _congruence(problem: Problem, part: FixedPart, power: int) -> Congruence | None:
    """The simplest congruence modulo a power of a prime, if there is one."""
    generators = annihilator(part, power)
    if generators is None:
        return None
    modulus, weights = simplest(part, generators, power)
    weight = dict(zip(part.items.tolist(), weights.tolist(), strict=True))
    each = weight.pop(EACH, 0)
    proof = Congruence(
        weights=tuple(
            Weight(item, str(problem.items[item]), value)
            for item, value in sorted(weight.items())
            if value
        ),
        total=sum(w * n for w, n in zip(weights.tolist(), part.times.tolist(), strict=True)),
        options=problem.n_options,
        modulus=modulus,
        each=each,
        chosen=int(part.times[-1]) if each else 0,
    )
    if not check_certificate(problem, proof):  # otherwise it is this package that is wrong
        raise RuntimeError(f"a proof was found that does not hold for {problem!r}: {proof!r}")
    return proof


# -- the simplest of many proofs -------------------------------------------------------------------

ALL_WORDS = 1 << 12
ROUNDS = 100
WORK = 40_000_000
"""How many numbers the rounds may touch together: a fraction of a second."""

CHUNK = 1 << 22
KEPT = 16
COMMON = 3
SEED = 1


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
    _, number = min(
        (_complexity(part, weights), number) for number, (_, weights) in enumerate(found)
    )
    return found[number]


def _complexity(part: FixedPart, weights: Long) -> tuple[int, int, list[int]]:
    """Fewest different weights of items and options first; the rest makes the choice definite."""
    different = len(np.unique(weights)) + len(
        np.unique(row_sums(weights, part.starts, part.entries))
    )
    return different, int(abs(weights).sum()), (-weights).tolist()


def _normalised(part: FixedPart, word: Long, modulus: int) -> tuple[int, Long]:
    """A proof without common divisors, times the unit that makes it read best."""
    common = int(np.gcd.reduce(np.append(word, modulus)))
    modulus, word = modulus // common, word // common
    half = (modulus - 1) // 2
    values, counts = np.unique(word[np.gcd(word, modulus) == 1], return_counts=True)
    common_values = values[np.argsort(-counts, kind="stable")][:COMMON].tolist()
    units = {sign * pow(value, -1, modulus) for value in common_values for sign in (1, -1)} or {1}
    choices = [(word * unit + half) % modulus - half for unit in sorted(units)]
    return modulus, min(choices, key=lambda weights: _complexity(part, weights))


def _batches(generators: Long, modulus: int) -> Iterator[Long]:
    """Combinations of the generators, some at a time."""
    count, length = generators.shape
    yield generators
    if modulus**count <= ALL_WORDS:
        step = max(1, CHUNK // length)
        for first in range(0, modulus**count, step):
            numbers = np.arange(first, min(first + step, modulus**count))
            digits = numbers[:, None] // modulus ** np.arange(count) % modulus
            yield digits @ generators % modulus
        return
    rng = np.random.default_rng(SEED)
    for _ in range(min(ROUNDS, WORK // (count * count * length))):
        yield _echelon(generators, modulus, rng.permutation(length))


def _echelon(generators: Long, modulus: int, columns: Long) -> Long:
    """The generators with units cleared from as many of the columns, in this order, as can be."""
    rows = generators.copy()
    done = 0
    for column in columns:
        if done == len(rows):
            break
        units = np.flatnonzero(np.gcd(rows[done:, column], modulus) == 1)
        if not len(units):
            continue
        chosen = done + units[0]
        rows[[done, chosen]] = rows[[chosen, done]]
        rows[done] = rows[done] * pow(int(rows[done, column]), -1, modulus) % modulus
        factors = rows[:, column].copy()
        factors[done] = 0
        touched = np.flatnonzero(factors)
        rows[touched] = (rows[touched] - factors[touched, None] * rows[done]) % modulus
        done += 1
    return rows

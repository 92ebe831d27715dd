"""Looking for a proof, cheap things first.

Moduli are tried in the order given, each as the powers of primes it is made of; the linear
programme comes last, and only on request. Every proof is checked before it is returned. The
absence of a proof says nothing: most problems without solutions have none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from exactcover.base.patience import within
from exactcover.errors import TimeUp
from exactcover.problem import Problem
from exactcover.trust.proofs.annihilator import (
    EACH,
    FixedPart,
    annihilator,
    counting_options,
    fixed_part,
    prime_powers,
)
from exactcover.trust.proofs.certificates import (
    Certificate,
    Congruence,
    Inequality,
    Posed,
    Proof,
    Unchecked,
    named_weights,
)
from exactcover.trust.proofs.check import check_certificate
from exactcover.trust.proofs.simplify import simplest

Found = TypeVar("Found", Congruence, Inequality)

DEFAULT_MODULI = (2, 3, 4, 5, 8, 9)
"""The moduli that `find_proof` tries, in this order."""


def find_proof(
    problem: Problem | Posed,
    *,
    moduli: Iterable[int] = DEFAULT_MODULI,
    relaxation: bool = False,
    seconds: float | None = None,
) -> Proof | None:
    """A proof that the problem has no solution, or None where none was found.

    problem     a problem, or the model of a puzzle: then the proof can be drawn
    moduli      congruences to look for; where one exists modulo a divisor, that one is given
    relaxation  also ask a linear programme whether fractions of options would do
    seconds     give up after about so long

    It can be interrupted at any time and keeps nothing. Beyond 8192 items that are covered a fixed
    number of times it looks for congruences modulo 2 only, to spare the memory.
    """
    try:
        with within(seconds, least=0.0):
            if isinstance(problem, Problem):
                return _proof(problem, moduli, relaxation)
            proof = _proof(problem.problem, moduli, relaxation)
            return replace(proof, posed=problem) if isinstance(proof, Certificate) else proof
    except TimeUp:
        return None


def _proof(problem: Problem, moduli: Iterable[int], relaxation: bool) -> Proof | None:
    """A proof, or None; raises `TimeUp`."""
    part = fixed_part(problem)
    counting = counting_options(part)
    parts = [part] if counting is None else [part, counting]
    powers = [power for modulus in moduli for power in prime_powers(modulus)]
    proof: Proof | None
    for power in dict.fromkeys(powers):
        for each in parts:
            proof = _congruence(problem, each, power)
            if proof is not None:
                return proof
    if relaxation:
        from exactcover.trust.proofs.relaxation import find_inequality

        proof = find_inequality(problem)
        return proof if proof is None or isinstance(proof, Unchecked) else _checked(problem, proof)
    return None


def _checked(problem: Problem, proof: Found) -> Found:
    """The proof, which holds: otherwise it is this package that is wrong."""
    if not check_certificate(problem, proof):
        raise RuntimeError(f"a proof was found that does not hold for {problem!r}: {proof!r}")
    return proof


def _congruence(problem: Problem, part: FixedPart, power: int) -> Congruence | None:
    """The simplest congruence modulo a power of a prime, if there is one."""
    generators = annihilator(part, power)
    if generators is None:
        return None
    modulus, weights = simplest(part, generators, power)
    weight = dict(zip(part.items.tolist(), weights.tolist(), strict=True))
    each = weight.pop(EACH, 0)
    proof = Congruence(
        weights=named_weights(problem, weight),
        total=sum(w * n for w, n in zip(weights.tolist(), part.times.tolist(), strict=True)),
        options=problem.n_options,
        modulus=modulus,
        each=each,
        chosen=int(part.times[-1]) if each else 0,
    )
    return _checked(problem, proof)

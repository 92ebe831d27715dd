"""Checking a certificate: a few lines of whole-number arithmetic, apart from finding it.

To trust a proof, one needs to trust only this module and the problem.
"""

from __future__ import annotations

from itertools import pairwise

from exactcover.problem import Problem
from exactcover.trust.proofs.certificates import Congruence


def check_certificate(problem: Problem, certificate: Congruence) -> bool:
    """Whether the certificate proves that this problem has no solution."""
    weight = [0] * problem.n_items
    for given in certificate.weights:
        if not 0 <= given.item < problem.n_items or str(problem.items[given.item]) != given.name:
            return False
        weight[given.item] += given.value
    m, low, high = certificate.modulus, problem.low.tolist(), problem.high.tolist()
    if m < 2 or len(problem.starts) - 1 != certificate.options:
        return False
    for item, value in enumerate(weight):
        # What is covered a varying number of times would weigh an unknown amount.
        if value and (item >= problem.primary or low[item] != high[item]):
            return False
    for start, end in pairwise(problem.starts.tolist()):
        items = problem.entries[start:end].tolist()
        primary = [item for item in items if item < problem.primary]
        # An option without a primary item is never chosen, nor one with an item that must not be
        # covered.
        chosen = primary and all(high[item] > 0 for item in primary)
        if chosen and sum(weight[item] for item in items) % m:
            return False
    total: int = sum(weight[item] * low[item] for item in range(problem.primary))
    return total == certificate.total and total % m != 0

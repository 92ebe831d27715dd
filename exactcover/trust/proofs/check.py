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
    low, high = problem.low.tolist(), problem.high.tolist()
    possible = _possible_options(problem, high)
    sums = [sum(weight[item] for item in items) for items in possible]
    if len(problem.starts) - 1 != certificate.options:
        return False

    m = certificate.modulus
    fixed = [item < problem.primary and low[item] == high[item] for item in range(len(weight))]
    if m < 2 or any(value and not held for value, held in zip(weight, fixed, strict=True)):
        return False
    total = sum(weight[item] * low[item] for item in range(problem.primary) if weight[item])
    each, chosen = certificate.each, certificate.chosen
    if each:
        sizes = {sum(fixed[item] for item in items) for items in possible}
        wanted = sum(low[item] for item in range(problem.primary) if fixed[item])
        if len(sizes) != 1 or sizes.pop() * chosen != wanted:
            return False
    total += each * chosen
    return (
        total == certificate.total
        and total % m != 0
        and all((value + each) % m == 0 for value in sums)
    )


def _possible_options(problem: Problem, high: list[int]) -> list[list[int]]:
    """The items of every option that can be chosen.

    One without a primary item never is, nor one with an item that must not be covered.
    """
    starts, entries = problem.starts.tolist(), problem.entries.tolist()
    possible = []
    for start, end in pairwise(starts):
        items = entries[start:end]
        primary = [item for item in items if item < problem.primary]
        if primary and all(high[item] > 0 for item in primary):
            possible.append(items)
    return possible

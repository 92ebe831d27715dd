"""A proof in words: the weights of items and options, and why they cannot add up."""

from __future__ import annotations

import textwrap

import numpy as np

from exactcover.problem import Problem
from exactcover.problem.layout import Layout
from exactcover.trust.proofs.certificates import Certificate, Congruence, Proof, Unchecked

WIDTH = 96
MANY = 8


def explain(problem: Problem, proof: Proof, layout: Layout | None = None) -> str:
    """The proof for a reader. The layout distinguishes cells from pieces."""
    if isinstance(proof, Unchecked):
        return (
            "A linear programme in floating point found no solution, not even in fractions: it "
            f"falls short by {proof.shortfall:.3g}.\nThis is not proved: no weights were found "
            "that bear it out exactly."
        )
    lines = [_headline(proof)]
    for title, items in _sorts(problem, layout):
        lines += _weights_of(proof, title, items)
    lines.append("Everything else weighs 0.")
    options, sums = _option_weights(problem, proof)
    if isinstance(proof, Congruence):
        lines += _congruence(proof, options, sums)
    else:
        lines += _inequality(problem, proof, options, sums)
    return "\n".join(lines)


def _headline(proof: Certificate) -> str:
    if isinstance(proof, Congruence):
        return f"There is no solution: weights modulo {proof.modulus} do not add up."
    return "There is no solution, not even in fractions: weights do not add up."


def _sorts(problem: Problem, layout: Layout | None) -> list[tuple[str, list[int]]]:
    """The items by sort: cells, pieces, others."""
    if layout is None:
        return [("items", list(range(problem.n_items)))]
    cells = layout.cell_item.tolist()
    pieces = [item for item in layout.shape_item.tolist() if item >= 0]
    known = {*cells, *pieces}
    rest = [item for item in range(problem.n_items) if item not in known]
    return [("cells", cells), ("pieces", pieces), ("other items", rest)]


def _weights_of(proof: Certificate, title: str, items: list[int]) -> list[str]:
    """A paragraph for each weight that items of this sort have."""
    sort = set(items)
    by_value: dict[int, list[str]] = {}
    for weight in proof.weights:
        if weight.item in sort:
            by_value.setdefault(weight.value, []).append(weight.name)
    lines = []
    for value in sorted(by_value, reverse=True):
        names = by_value[value]
        lines.append(f"{len(names)} of {len(items)} {title} weigh {value}:")
        lines += textwrap.wrap(
            " ".join(names), WIDTH, initial_indent="  ", subsequent_indent="  ",
            break_on_hyphens=False, break_long_words=False,
        )  # fmt: skip
    return lines


def _option_weights(problem: Problem, proof: Certificate) -> tuple[int, list[int]]:
    """How many options can be chosen, and the different weights that they have, ascending."""
    possible = problem.choosable
    each = proof.each if isinstance(proof, Congruence) else 0
    weights = each + np.unique(proof.option_weights(problem)[possible])
    return int(possible.sum()), weights.tolist()


def _congruence(proof: Congruence, options: int, sums: list[int]) -> list[str]:
    m = proof.modulus
    lines = []
    besides = ""
    if proof.each:
        lines.append(
            f"Each option itself weighs {proof.each}; since all cover equally much, a solution has "
            f"{proof.chosen} of them."
        )
        besides = f", those {proof.chosen} options included"
    if sums:
        lines.append(
            f"Each of the {options:,} options weighs {_listed(sums)} in all: a multiple of {m}."
        )
    lines.append(
        f"What is to be covered weighs {proof.total}{besides}: "
        f"{proof.total % m} modulo {m}, no multiple of {m}."
    )
    return lines


def _inequality(problem: Problem, proof: Certificate, options: int, sums: list[int]) -> list[str]:
    least = "" if not problem.needs else "at least "
    covered = f"What is to be covered weighs {least}{proof.total}: above 0."
    if not sums:
        return [covered]
    return [
        f"Each of the {options:,} options weighs {_listed(sums)} in all: not above 0.",
        covered,
    ]


def _listed(sums: list[int]) -> str:
    if len(sums) > MANY:
        return f"from {sums[0]} to {sums[-1]}"
    *first, last = map(str, sums)
    return f"{', '.join(first)} or {last}" if first else last

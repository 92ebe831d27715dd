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
    options = int(problem.choosable.sum())
    sums = np.unique(proof.option_weights(problem)[problem.choosable]).tolist()
    if isinstance(proof, Congruence):
        head = f"There is no solution: weights modulo {proof.modulus} do not add up."
        reason = _congruence(proof, options, [proof.each + weight for weight in sums])
    else:
        head = "There is no solution, not even in fractions: weights do not add up."
        least = "at least " if problem.needs else ""
        reason = [f"What is to be covered weighs {least}{proof.total}: above 0."]
        if sums:
            weights = f"Each of the {options:,} options weighs {_listed(sums)} in all"
            reason = [f"{weights}: not above 0.", *reason]
    lines = [head]
    for title, items in _sorts(problem, layout):
        lines += _weights_of(proof, title, items)
    return "\n".join([*lines, "Everything else weighs 0.", *reason])


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


def _congruence(proof: Congruence, options: int, sums: list[int]) -> list[str]:
    m, besides = proof.modulus, ""
    lines = []
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


def _listed(sums: list[int]) -> str:
    if len(sums) > MANY:
        return f"from {sums[0]} to {sums[-1]}"
    *first, last = map(str, sums)
    return f"{', '.join(first)} or {last}" if first else last

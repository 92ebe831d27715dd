"""Proofs that a problem has no solution: found, checked, as JSON and in words.

A proof gives the items weights. The options of any solution cover what is to be covered, so their
weights add up to the weight of that. They cannot if every option weighs a multiple of m, and what
is to be covered does not.

A proof as JSON is one object:

    {"proof": "congruence", "modulus": 2, "total": 129, "options": 31934,
     "weights": [[0, "0,0", 1], ...]}

Further keys say where it comes from: `puzzle`, `digest` and `version`, as `check --certificate`
writes them. A weight is the number of an item, its name, and how much it weighs. Names alone would
not do: a piece may be called like a cell. A proof from a file proves nothing until
`check_certificate` confirms it.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from operator import mul
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.base.patience import within
from exactcover.base.text import COUNT_DIGITS, is_short, joined
from exactcover.base.text.files import MIB, text_of
from exactcover.base.values import Pictured
from exactcover.errors import FormatError, TimeUp, shown
from exactcover.formats.document import errors_at
from exactcover.formats.json_lines import read_object
from exactcover.problem import Problem
from exactcover.problem.layout import Layout
from exactcover.trust.colourings import (
    Long,
    annihilator,
    prime_powers,
    simplest,
    to_cover,
    weights_of_options,
)

if TYPE_CHECKING:
    from exactcover.puzzle import Model

__all__ = [
    "Congruence",
    "Weight",
    "check_certificate",
    "explain",
    "find_proof",
    "load_proof",
    "proof_to_json",
]

MAX_BYTES = 64 * MIB

WIDTH = 96
"""The most characters in a line of an explanation."""


class Weight(NamedTuple):
    """The weight of one item: its number in the problem, its name as text, and the weight."""

    item: int
    name: str
    value: int


@dataclass(frozen=True)
class Congruence(Pictured):
    """Weights under which every option weighs a multiple of the modulus, and the total does not.

    Anyone can check it, see `check_certificate`.

    weights  those that are not 0, by item number
    total    the weight of what is to be covered
    options  how many options the problem has
    modulus  m
    posed    the model of the puzzle that it was found for, to be drawn on; None for a plain problem
    origin   where it comes from, by the keys of `ORIGIN`
    """

    weights: tuple[Weight, ...]
    total: int
    options: int
    modulus: int
    posed: Model | None = field(default=None, compare=False, repr=False, kw_only=True)
    origin: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False, kw_only=True)

    def values(self, items: npt.NDArray[np.integer]) -> Long:
        """The weights of these items, for example of `layout.cell_item`, to be drawn: int64."""
        weights = {weight.item: weight.value for weight in self.weights}
        return np.array([weights.get(item, 0) for item in items.tolist()], np.int64)


def check_certificate(problem: Problem, certificate: Congruence) -> bool:
    """Whether the certificate proves that this problem has no solution.

    To trust a proof, one needs to trust only this function and the problem: a few lines of
    arithmetic with whole numbers.
    """
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

    It can be interrupted at any time and keeps nothing. Beyond some 8192 items it finds none, to
    spare the memory.
    """
    posed = None if isinstance(problem, Problem) else problem
    plain = problem if isinstance(problem, Problem) else problem.problem
    with suppress(TimeUp), within(seconds, least=0.0):
        powers = [power for modulus in moduli for power in prime_powers(modulus)]
        for power in dict.fromkeys(powers):
            generators = annihilator(plain, power)
            if generators is None:
                continue
            modulus, found = simplest(plain, generators, power)
            values = found.tolist()
            proof = Congruence(
                tuple(Weight(i, str(plain.items[i]), v) for i, v in enumerate(values) if v),
                total=sum(map(mul, values, to_cover(plain).tolist())),
                options=plain.n_options,
                modulus=modulus,
                posed=posed,
            )
            if not check_certificate(plain, proof):  # otherwise it is this package that is wrong
                raise RuntimeError(f"a proof that does not hold for {plain!r}: {proof!r}")
            return proof
    return None


# -- as JSON ---------------------------------------------------------------------------------------

NUMBERS = ("total", "options", "modulus")

ORIGIN = ("puzzle", "digest", "version")


def proof_to_json(proof: Congruence) -> str:
    """The proof as one line of JSON."""
    numbers = {name: getattr(proof, name) for name in NUMBERS}
    record = {"proof": "congruence", **numbers, **proof.origin, "weights": proof.weights}
    return json.dumps(record)


def load_proof(path: Path | str) -> Congruence:
    """Read a proof from a file, which has what `proof_to_json` wrote."""
    with errors_at(file=str(path)):
        record = read_object(text_of(path, MAX_BYTES), "a proof is an object, {...}")
        if (sort := record.get("proof")) != "congruence":
            raise FormatError("the sort of a proof is congruence", token=shown(str(sort)))
        rows = record.get("weights")
        if not isinstance(rows, list):
            raise FormatError("weights must be a list")
        for row in rows:
            if not isinstance(row, list) or [type(part) for part in row] != [int, str, int]:
                raise FormatError("a weight is [item number, name, weight]", token=shown(str(row)))
        numbers: list[Any] = [record.get(name) for name in NUMBERS]
        for name, number in zip(NUMBERS, numbers, strict=True):
            if type(number) is not int:
                raise FormatError(f"{name} must be a whole number", token=shown(str(number)))
        if not all(map(is_short, [*numbers, *(part for row in rows for part in row[::2])])):
            raise FormatError(f"a number of more than {COUNT_DIGITS:,} digits")
        origin = {key: record[key] for key in ORIGIN if key in record}
        return Congruence(tuple(Weight(*row) for row in rows), *numbers, origin=origin)


# -- in words --------------------------------------------------------------------------------------


def explain(problem: Problem, proof: Congruence, layout: Layout | None = None) -> str:
    """The proof for a reader. The layout distinguishes cells from pieces."""
    m = proof.modulus
    lines = [f"There is no solution: weights modulo {m} do not add up."]
    sorts = {"items": set(range(problem.n_items))}
    if layout is not None:
        sorts = {"cells": set(layout.cell_item.tolist()), "pieces": set(layout.shape_item.tolist())}
        sorts["pieces"].discard(-1)
        sorts["other items"] = set(range(problem.n_items)) - sorts["cells"] - sorts["pieces"]
    for title, items in sorts.items():
        weighed = [weight for weight in proof.weights if weight.item in items]
        for value in sorted({weight.value for weight in weighed}, reverse=True):
            names = [weight.name for weight in weighed if weight.value == value]
            lines.append(f"{len(names)} of {len(items)} {title} weigh {value}:")
            lines += textwrap.wrap(
                " ".join(names), WIDTH, initial_indent="  ", subsequent_indent="  ",
                break_on_hyphens=False, break_long_words=False,
            )  # fmt: skip
    lines.append("Everything else weighs 0.")
    weights = weights_of_options(problem, proof.values(np.arange(problem.n_items)))
    if weights.size:
        said = joined(map(str, np.unique(weights).tolist()), " or ")
        lines.append(f"Each of the {weights.size:,} options weighs {said}: a multiple of {m}.")
    rest = f"{proof.total % m} modulo {m}, no multiple of {m}"
    lines.append(f"What is to be covered weighs {proof.total}: {rest}.")
    return "\n".join(lines)

"""Proofs that a problem has no solution: found, checked, as JSON and in words.

A proof gives the items weights. The options of any solution cover what is to be covered, so their
weights add up to the weight of that. They cannot if every option weighs a multiple of m, and what
is to be covered does not.

A proof as JSON is one object:

    {"proof": "congruence", "modulus": 2, "total": 129, "options": 31934,
     "weights": [[0, "0,0", 1], ...]}

Further keys say where it comes from: `puzzle`, `digest` and `version`, as `check --certificate`
writes them. A proof is checked by its weights alone. A weight is the number of an item, its name,
and how much it weighs. Names alone would not do: a piece may be called like a cell. A proof from a
file proves nothing until `check_certificate` confirms it.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from exactcover.base.patience import within
from exactcover.base.text.files import MIB, text_of
from exactcover.base.text.numerals import COUNT_DIGITS, is_short
from exactcover.base.values import Pictured
from exactcover.errors import FormatError, TimeUp, shown
from exactcover.formats.json_lines import read_object
from exactcover.problem import Problem
from exactcover.problem.layout import Layout
from exactcover.trust.colourings import (
    FixedPart,
    Long,
    annihilator,
    fixed_part,
    prime_powers,
    row_sums,
    simplest,
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
    "proof_from_json",
    "proof_to_json",
    "save_proof",
]

MAX_BYTES = 64 * MIB

WIDTH = 96
"""The most characters in a line of an explanation."""

MANY = 8
"""An explanation lists at most this many different weights of options."""


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
    """

    weights: tuple[Weight, ...]
    total: int
    options: int
    modulus: int
    posed: Model | None = field(default=None, compare=False, repr=False, kw_only=True)

    def values(self, n_items: int) -> Long:
        """The weight of each item: int64 [items]."""
        values = np.zeros(n_items, np.int64)
        for weight in self.weights:
            values[weight.item] = weight.value
        return values

    def cell_values(self, layout: Layout) -> Long:
        """The weight of each cell, in the order of the layout: int64 [cells], to be drawn."""
        most = max([int(layout.cell_item.max(initial=-1)), *(w.item for w in self.weights)])
        values: Long = self.values(most + 1)[layout.cell_item]
        return values


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

    It can be interrupted at any time and keeps nothing. Beyond 8192 items that are covered a fixed
    number of times it finds none, to spare the memory.
    """
    posed = None if isinstance(problem, Problem) else problem
    plain = problem if isinstance(problem, Problem) else problem.problem
    with suppress(TimeUp), within(seconds, least=0.0):
        part = fixed_part(plain)
        powers = [power for modulus in moduli for power in prime_powers(modulus)]
        for power in dict.fromkeys(powers):
            generators = annihilator(part, power)
            if generators is not None:
                return replace(_congruence(plain, part, generators, power), posed=posed)
    return None


def _congruence(problem: Problem, part: FixedPart, generators: Long, power: int) -> Congruence:
    """The simplest congruence by some of these weights."""
    modulus, weights = simplest(part, generators, power)
    proof = Congruence(
        weights=tuple(
            Weight(item, str(problem.items[item]), value)
            for item, value in zip(part.items.tolist(), weights.tolist(), strict=True)
            if value
        ),
        total=sum(w * n for w, n in zip(weights.tolist(), part.times.tolist(), strict=True)),
        options=problem.n_options,
        modulus=modulus,
    )
    if not check_certificate(problem, proof):  # otherwise it is this package that is wrong
        raise RuntimeError(f"a proof was found that does not hold for {problem!r}: {proof!r}")
    return proof


# -- as JSON ---------------------------------------------------------------------------------------

NUMBERS = ("total", "options", "modulus")


def proof_to_json(proof: Congruence, origin: Mapping[str, Any] | None = None) -> str:
    """The proof as one line of JSON.

    origin  further keys, which say where it comes from
    """
    numbers = {name: getattr(proof, name) for name in NUMBERS}
    record = {"proof": "congruence", **numbers, **(origin or {}), "weights": proof.weights}
    return json.dumps(record)


def proof_from_json(text: str) -> Congruence:
    """The proof that `proof_to_json` wrote."""
    record = read_object(text, "a proof is an object, {...}")
    if record.get("proof") != "congruence":
        raise FormatError(
            "the sort of a proof is congruence", token=shown(str(record.get("proof")))
        )
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
    return Congruence(tuple(Weight(*row) for row in rows), *numbers)


def save_proof(
    proof: Congruence, path: Path | str, origin: Mapping[str, Any] | None = None
) -> None:
    """Write a proof to a file, with keys that say where it comes from."""
    Path(path).write_text(proof_to_json(proof, origin) + "\n", encoding="utf-8")


def load_proof(path: Path | str) -> Congruence:
    """Read a proof from a file."""
    try:
        return proof_from_json(text_of(path, MAX_BYTES))
    except FormatError as error:
        raise error.at(file=str(path)) from None


def read_origin(path: Path | str) -> dict[str, Any]:
    """Where the proof in a file comes from, by the keys that `check --certificate` writes."""
    record = json.loads(text_of(path, MAX_BYTES))
    return {key: record[key] for key in ("puzzle", "digest", "version") if key in record}


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
    weights = row_sums(proof.values(problem.n_items), problem.starts, problem.entries)
    if different := np.unique(weights[problem.choosable]).tolist():
        *others, last = map(str, different)
        said = f"{', '.join(others)} or {last}" if others else last
        if len(different) > MANY:
            said = f"from {different[0]} to {last}"
        options = int(problem.choosable.sum())
        lines.append(f"Each of the {options:,} options weighs {said} in all: a multiple of {m}.")
    lines.append(
        f"What is to be covered weighs {proof.total}: {proof.total % m} modulo {m}, no multiple of "
        f"{m}."
    )
    return "\n".join(lines)

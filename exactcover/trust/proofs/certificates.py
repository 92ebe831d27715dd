"""Proofs that a problem has no solution, as values, as JSON and in words.

A proof gives the items weights. The options of any solution cover what is to be covered, so their
weights add up to the weight of that. They cannot if every option weighs a multiple of m, and what
is to be covered does not.

A proof as JSON is one object:

    {"proof": "congruence", "modulus": 2, "each": 0, "chosen": 0, "total": 129, "options": 31934,
     "weights": [[0, "0,0", 1], ...]}

Further keys say where it comes from: `puzzle`, `digest` and `version`, as `check --certificate`
writes them. A proof is checked by its weights alone. A weight is the number of an item, its name,
and how much it weighs. Names alone would not do: a piece may be called like a cell. A proof from a
file proves nothing until `check_certificate` confirms it.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from exactcover.base.text.files import MIB, text_of
from exactcover.base.text.numerals import COUNT_DIGITS, is_short
from exactcover.base.values import Pictured
from exactcover.errors import FormatError
from exactcover.problem import Problem
from exactcover.problem.layout import Layout

if TYPE_CHECKING:
    from exactcover.puzzle import Model

MAX_BYTES = 64 * MIB

Long = npt.NDArray[np.int64]

WIDTH = 96
"""The most characters in a line of an explanation."""

MANY = 8
"""An explanation lists at most this many different weights of options."""


@dataclass(frozen=True)
class Weight:
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
    each     a weight that every option has besides that of its items
    chosen   how many options there are in a solution: it matters only where `each` is not 0, and is
             known where all options cover equally many items of those covered a fixed number of
             times
    posed    the model of the puzzle that it was found for, to be drawn on; None for a plain problem
    """

    weights: tuple[Weight, ...]
    total: int
    options: int
    modulus: int
    each: int = 0
    chosen: int = 0
    posed: Model | None = field(default=None, compare=False, repr=False, kw_only=True)

    def values(self, n_items: int) -> Long:
        """The weight of each item: int64 [items]."""
        values = np.zeros(n_items, np.int64)
        for weight in self.weights:
            values[weight.item] = weight.value
        return values

    def option_weights(self, problem: Problem) -> Long:
        """The total weight of each option's items: int64 [options]."""
        return row_sums(self.values(problem.n_items), problem.starts, problem.entries)

    def cell_values(self, layout: Layout) -> Long:
        """The weight of each cell, in the order of the layout: int64 [cells], to be drawn."""
        most = max([int(layout.cell_item.max(initial=-1)), *(w.item for w in self.weights)])
        values: Long = self.values(most + 1)[layout.cell_item]
        return values


def row_sums(
    weights: Long, starts: npt.NDArray[np.integer], entries: npt.NDArray[np.integer]
) -> Long:
    """The sum of the weights of the entries of each row: [rows]."""
    sums: Long = np.diff(np.append(0, np.cumsum(weights[entries]))[starts])
    return sums


# -- as JSON ---------------------------------------------------------------------------------------


def proof_to_json(proof: Congruence, origin: Mapping[str, Any] | None = None) -> str:
    """The proof as one line of JSON.

    origin  further keys, which say where it comes from
    """
    names = ("modulus", "each", "chosen", "total", "options")
    record = {"proof": "congruence"} | {name: getattr(proof, name) for name in names}
    record |= origin or {}
    weights = [[weight.item, weight.name, weight.value] for weight in proof.weights]
    return json.dumps(record | {"weights": weights})


def proof_from_json(text: str) -> Congruence:
    """The proof that `proof_to_json` wrote."""
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(f"no JSON: {error.msg}").at(line=error.lineno) from None
    except RecursionError:
        raise FormatError("brackets are nested too deeply for a proof") from None
    except ValueError:
        raise FormatError(f"a number of more than {COUNT_DIGITS:,} digits") from None
    if not isinstance(record, dict):
        raise FormatError("a proof is an object, {...}")
    if record.get("proof") != "congruence":
        raise FormatError("the sort of a proof is congruence", token=_shown(record.get("proof")))
    names = ("total", "options", "modulus", "each", "chosen")
    return Congruence(_weights(record), *(_whole(record, name) for name in names))


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
    load_proof(path)
    record = json.loads(text_of(path, MAX_BYTES))
    return {key: record[key] for key in ("puzzle", "digest", "version") if key in record}


def _whole(record: dict[str, Any], name: str) -> int:
    value = record.get(name)
    if type(value) is not int or not is_short(value):
        raise FormatError(f"{name} must be a whole number", token=_shown(value))
    return value


def _weights(record: dict[str, Any]) -> tuple[Weight, ...]:
    rows = record.get("weights")
    if not isinstance(rows, list):
        raise FormatError("weights must be a list")
    for row in rows:
        if not isinstance(row, list) or [type(part) for part in row] != [int, str, int]:
            raise FormatError("a weight is [item number, name, weight]", token=_shown(row))
        if not is_short(row[0]) or not is_short(row[2]):
            raise FormatError(f"a number of more than {COUNT_DIGITS:,} digits")
    return tuple(Weight(*row) for row in rows)


def _shown(value: object) -> str:
    try:
        text = str(value)
    except ValueError:  # a number that is too long to be printed
        return "..."
    return text if len(text) <= 60 else text[:57] + "..."


# -- in words --------------------------------------------------------------------------------------


def explain(problem: Problem, proof: Congruence, layout: Layout | None = None) -> str:
    """The proof for a reader. The layout distinguishes cells from pieces."""
    lines = [f"There is no solution: weights modulo {proof.modulus} do not add up."]
    for title, items in _sorts(problem, layout):
        lines += _weights_of(proof, title, items)
    lines.append("Everything else weighs 0.")
    m, besides = proof.modulus, ""
    if proof.each:
        lines.append(
            f"Each option itself weighs {proof.each}; since all cover equally much, a solution has "
            f"{proof.chosen} of them."
        )
        besides = f", those {proof.chosen} options included"
    options = int(problem.choosable.sum())
    sums = np.unique(proof.option_weights(problem)[problem.choosable] + proof.each).tolist()
    if sums:
        lines.append(
            f"Each of the {options:,} options weighs {_listed(sums)} in all: a multiple of {m}."
        )
    lines.append(
        f"What is to be covered weighs {proof.total}{besides}: "
        f"{proof.total % m} modulo {m}, no multiple of {m}."
    )
    return "\n".join(lines)


def _sorts(problem: Problem, layout: Layout | None) -> list[tuple[str, list[int]]]:
    """The items by sort: cells, pieces, others."""
    if layout is None:
        return [("items", list(range(problem.n_items)))]
    cells = layout.cell_item.tolist()
    pieces = [item for item in layout.shape_item.tolist() if item >= 0]
    known = {*cells, *pieces}
    rest = [item for item in range(problem.n_items) if item not in known]
    return [("cells", cells), ("pieces", pieces), ("other items", rest)]


def _weights_of(proof: Congruence, title: str, items: list[int]) -> list[str]:
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


def _listed(sums: list[int]) -> str:
    if len(sums) > MANY:
        return f"from {sums[0]} to {sums[-1]}"
    *first, last = map(str, sums)
    return f"{', '.join(first)} or {last}" if first else last

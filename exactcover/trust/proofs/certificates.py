"""Proofs that a problem has no solution, as values.

Each gives the items weights. The options of any solution cover what is to be covered, so their
weights add up to the weight of that. A proof is a choice of weights for which they cannot:

- `Congruence`: every option weighs a multiple of m, and what is to be covered does not;
- `Inequality`: every option weighs 0 or less, and what is to be covered more than 0 - then not
  even fractions of options add up to it, by the lemma of Farkas;
- `Unchecked`: a linear programme in floating point found no fractions of options that add up, but
  no weights that bear it out exactly. This is a strong hint and no proof.

A proof as JSON is one object:

    {"proof": "congruence", "modulus": 2, "each": 0, "chosen": 0, "total": 129, "options": 31934,
     "weights": [[0, "0,0", 1], ...]}

Further keys say where it comes from: `puzzle`, `digest` and `version`, as `check --certificate`
writes them. A proof is checked by its weights alone. A weight is the number of an item, its name,
and how much it weighs. Names alone would not do: a piece may be called like a cell. `inequality`
has neither modulus, each nor chosen; `unchecked` has `shortfall` and `options`. A proof from a file
proves nothing until `check_certificate` confirms it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

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

Number = TypeVar("Number", np.int64, np.float64)


@dataclass(frozen=True)
class Weight:
    """The weight of one item: its number in the problem, its name as text, and the weight."""

    item: int
    name: str
    value: int


@dataclass(frozen=True)
class Certificate(Pictured):
    """Weights of items that anyone can check; see `check_certificate`.

    weights  those that are not 0, by item number
    total    what is to be covered weighs so much; in an `Inequality`, at least so much
    options  how many options the problem has
    posed    the model of the puzzle that it was found for, to be drawn on; None for a plain problem
    """

    weights: tuple[Weight, ...]
    total: int
    options: int
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


@dataclass(frozen=True)
class Congruence(Certificate):
    """Every option weighs a multiple of the modulus; the total is not a multiple.

    each    a weight that every option has besides that of its items
    chosen  how many options there are in a solution: it matters only where `each` is not 0, and is
            known where all options cover equally many items of those covered a fixed number of
            times
    """

    modulus: int
    each: int = 0
    chosen: int = 0


@dataclass(frozen=True)
class Inequality(Certificate):
    """Every option weighs 0 or less; what is to be covered weighs `total` or more, above 0."""


@dataclass(frozen=True)
class Unchecked:
    """A linear programme in floating point found no fractional solution: a hint, no proof.

    shortfall  its objective, the least distance from a solution that it found; above 0
    options    how many options the problem has
    """

    shortfall: float
    options: int


Proof = Congruence | Inequality | Unchecked
"""The result of `find_proof`: a certificate, or a hint of floating-point arithmetic."""


def row_sums(
    weights: npt.NDArray[Number], starts: npt.NDArray[np.integer], entries: npt.NDArray[np.integer]
) -> npt.NDArray[Number]:
    """The sum of the weights of the entries of each row: [rows]."""
    sums = np.append(weights[:1] * 0, np.cumsum(weights[entries]))
    by_row: npt.NDArray[Number] = np.diff(sums[starts])
    return by_row


def named_weights(problem: Problem, values: dict[int, int]) -> tuple[Weight, ...]:
    """Weights by item number, with the names of the items; those that are 0 left out."""
    return tuple(
        Weight(item, str(problem.items[item]), value)
        for item, value in sorted(values.items())
        if value
    )


# -- as JSON ---------------------------------------------------------------------------------------


def proof_to_json(proof: Proof, origin: Mapping[str, Any] | None = None) -> str:
    """The proof as one line of JSON.

    origin  further keys, which say where it comes from
    """
    record: dict[str, Any] = {"proof": type(proof).__name__.lower()}
    names = ("modulus", "each", "chosen", "shortfall", "total", "options")
    record |= {name: getattr(proof, name) for name in names if hasattr(proof, name)}
    record |= origin or {}
    if not isinstance(proof, Unchecked):
        record["weights"] = [[weight.item, weight.name, weight.value] for weight in proof.weights]
    return json.dumps(record)


def proof_from_json(text: str) -> Proof:
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
    sort = record.get("proof")
    if sort == "unchecked":
        shortfall = record.get("shortfall")
        if (
            not isinstance(shortfall, int | float)
            or isinstance(shortfall, bool)
            or not abs(shortfall) <= sys.float_info.max
        ):
            raise FormatError("shortfall must be a number that is finite", token=_shown(shortfall))
        return Unchecked(float(shortfall), _whole(record, "options"))
    total, options, weights = _whole(record, "total"), _whole(record, "options"), _weights(record)
    if sort == "inequality":
        return Inequality(weights, total, options)
    if sort == "congruence":
        modulus, each, chosen = (_whole(record, name) for name in ("modulus", "each", "chosen"))
        return Congruence(weights, total, options, modulus, each, chosen)
    kinds = "the sort of a proof is congruence, inequality or unchecked"
    raise FormatError(kinds, token=_shown(sort))


def save_proof(proof: Proof, path: Path | str, origin: Mapping[str, Any] | None = None) -> None:
    """Write a proof to a file, with keys that say where it comes from."""
    Path(path).write_text(proof_to_json(proof, origin) + "\n", encoding="utf-8")


def load_proof(path: Path | str) -> Proof:
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

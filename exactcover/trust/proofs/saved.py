"""Proofs as JSON, one object each:

    {"proof": "congruence", "modulus": 2, "each": 0, "chosen": 0, "total": 129, "options": 31934,
     "weights": [[0, "0,0", 1], ...]}

A weight is the number of an item, its name, and how much it weighs. Names alone would not do: a
piece may be called like a cell. `inequality` has neither modulus, each nor chosen; `unchecked` has
`shortfall` and `options`. A proof from a file proves nothing until `check_certificate` confirms it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from exactcover.base.text.files import MIB, text_of
from exactcover.base.text.numerals import COUNT_DIGITS, is_short
from exactcover.errors import FormatError
from exactcover.trust.proofs.certificates import Congruence, Inequality, Proof, Unchecked, Weight

MAX_BYTES = 64 * MIB


def proof_to_json(proof: Proof) -> str:
    """The proof as one line of JSON."""
    record: dict[str, Any]
    if isinstance(proof, Unchecked):
        record = {"proof": "unchecked", "shortfall": proof.shortfall, "options": proof.options}
        return json.dumps(record)
    if isinstance(proof, Congruence):
        record = {"proof": "congruence", "modulus": proof.modulus}
        record |= {"each": proof.each, "chosen": proof.chosen}
    else:
        record = {"proof": "inequality"}
    record |= {"total": proof.total, "options": proof.options}
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


def save_proof(proof: Proof, path: Path | str) -> None:
    """Write a proof to a file."""
    Path(path).write_text(proof_to_json(proof) + "\n", encoding="utf-8")


def load_proof(path: Path | str) -> Proof:
    """Read a proof from a file."""
    try:
        return proof_from_json(text_of(path, MAX_BYTES))
    except FormatError as error:
        raise error.at(file=str(path)) from None


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
    """The beginning of a value, for a message."""
    try:
        text = str(value)
    except ValueError:  # a number that is too long to be printed
        return "..."
    return text if len(text) <= 60 else text[:57] + "..."

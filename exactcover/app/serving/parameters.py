"""The parameters of a request, checked: its object of JSON and the words in its address."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request

from exactcover.app.serving.bounds import Bounds, Refusal
from exactcover.app.serving.runs import Found, Run

WHATS = ("all", "first", "count", "sample")
COUNTED = ("rotations", "reflections", "all")

NUMBER = int, float

MANY = 10**12
"""The largest limit of solutions."""

FOR_EVER = 1 << 31


def body_of(raw: bytes) -> dict[str, Any]:
    """The object that a request holds."""
    try:
        value = json.loads(raw or b"{}")
    except (ValueError, RecursionError) as error:
        raise Refusal(400, f"the request is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise Refusal(400, "the request must be an object of JSON")
    return value


def checked(value: object, name: str, kind: type | tuple[type, ...], wanted: str) -> Any:
    """A value of a request, if it is of this kind."""
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Refusal(400, f"{name}: {wanted} is needed, not {json.dumps(value)[:60]}")
    return value


def number(text: str, name: str, low: float, high: float) -> float:
    """A number in the address of a request, within bounds."""
    try:
        value = float(text[:20])
    except ValueError:
        raise Refusal(400, f"{name}={text[:40]!r}: a number is needed") from None
    if not low <= value <= high:
        raise Refusal(400, f"{name}={text[:40]}: it must be {low:g} to {high:g}")
    return value


def whole(text: str, name: str, low: int, high: int) -> int:
    """A whole number in the address of a request, within bounds."""
    value = number(text, name, low, high)
    if value != int(value):
        raise Refusal(400, f"{name}={text[:40]}: a whole number is needed")
    return int(value)


def shelved(request: Request) -> str:
    """The name of the shipped puzzle in an address."""
    return f"{request.path_params['lattice'][:60]}/{request.path_params['name'][:100]}"


def theme(request: Request) -> str:
    """The theme of a picture."""
    return {"1": "dark", "0": "light"}.get(request.query_params.get("dark", ""), "auto")


def window(request: Request, most: int = 500) -> tuple[int, int]:
    """From which solution, and how many."""
    query = request.query_params
    start = whole(query.get("from", "0"), "from", 0, FOR_EVER)
    return start, whole(query.get("number", "50"), "number", 1, most)


def chosen(run: Run, request: Request) -> list[Found]:
    """The solutions of a run that a request filters."""
    query = request.query_params
    wish, cell = query.get("symmetric", ""), query.get("cell") or None
    if wish not in ("", "0", "1", "true", "false"):
        raise Refusal(400, f"symmetric={wish[:20]!r}: it must be 0 or 1")
    symmetric = None if wish == "" else wish in ("1", "true")
    at = None if cell is None else whole(cell, "cell", 0, FOR_EVER)
    return run.chosen(symmetric, query.get("piece") or None, at)


def run_task(body: dict[str, Any], limits: Bounds) -> dict[str, Any]:
    """The task of a new run."""
    what, unique = body.get("what", "all"), body.get("unique", "rotations")
    if what not in WHATS:
        raise Refusal(400, f"what: it must be one of {', '.join(WHATS)}")
    if unique not in COUNTED:
        raise Refusal(400, f"unique: it must be one of {', '.join(COUNTED)}")
    strategy = body.get("strategy") or None
    if strategy is not None:
        strategy = checked(strategy, "strategy", str, "the text of a strategy")[:500]
    limit = body.get("limit")
    if limit is not None and not 1 <= checked(limit, "limit", int, "a whole number") <= MANY:
        raise Refusal(400, f"limit: a number of solutions from 1 to {MANY} is needed")
    seconds = body.get("seconds")
    seconds = limits.seconds if seconds is None else checked(seconds, "seconds", NUMBER, "a number")
    if not 0 < seconds <= limits.seconds:
        raise Refusal(400, f"seconds: it must be more than 0, and at most {limits.seconds:g}")
    seed = body.get("seed")
    if seed is not None and not 0 <= checked(seed, "seed", int, "a whole number") < 1 << 31:
        raise Refusal(400, f"seed: {seed} is not a whole number from 0 to 2^31 - 1")
    return {
        "what": what,
        "unique": unique,
        "strategy": strategy,
        "limit": limit,
        "seconds": float(seconds),
        "seed": seed,
        "keep": limits.solutions,
        "bytes": limits.found,
        "mib": limits.mib,
    }

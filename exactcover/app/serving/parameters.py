"""The parameters of a request, checked, and the documentation of requests as OpenAPI 3.1.

A parameter of an address is declared once, with its documentation and the function that reads it.
The documentation is made of these, of the table in `interface` and of `json_types`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from exactcover.app.serving import Bounds, Refusal
from exactcover.app.serving.children import Questions
from exactcover.app.serving.json_types import Error, Unique, What, schema_of, schemas

Format = Literal["svg", "stl", "json", "txt"]

FORMATS, WHATS, COUNTED = get_args(Format), get_args(What), get_args(Unique)

NUMBERS = int, float

MANY = 10**12
"""The largest limit of solutions."""

FOR_EVER = 1 << 31


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


def one_of(value: object, name: str, allowed: tuple[str, ...]) -> object:
    """A value, if it is one of these."""
    if value not in allowed:
        raise Refusal(400, f"{name}: it must be one of {', '.join(allowed)}")
    return value


# -- the query of an address ----------------------------------------------------------------------


@dataclass(frozen=True)
class Parameter:
    """A word in the query of an address.

    kind  its type
    text  its meaning
    read  checks its value, which is None if it is left out, and returns what the answer needs of it
    """

    name: str
    kind: Any
    text: str
    read: Callable[[str | None, Questions], dict[str, Any]]


def whole_number(
    name: str, text: str, usual: int | None, low: int = 0, high: int = FOR_EVER
) -> Parameter:
    """A parameter that is a whole number."""

    def read(said: str | None, _: Questions) -> dict[str, Any]:
        return {name: usual if not said else whole(said, name, low, high)}

    return Parameter(name, int, text, read)


def words(name: str, text: str, usual: str | None = None, most: int = 100) -> Parameter:
    """A parameter that is a text, which is cut at `most` characters."""

    def read(said: str | None, _: Questions) -> dict[str, Any]:
        return {name: usual if not said else said[:most]}

    return Parameter(name, str, text, read)


def _theme(said: str | None, _: Questions) -> dict[str, Any]:
    return {"theme": {"1": "dark", "0": "light"}.get(said or "", "auto")}


def _seconds(said: str | None, questions: Questions) -> dict[str, Any]:
    most = max(1.0, questions.limits.question - 2.0)
    return {"seconds": number("2" if said is None else said, "seconds", 0.1, most)}


def _puzzle(said: str | None, questions: Questions) -> dict[str, Any]:
    return questions.kept.given(said or "")


def _around(said: str | None, questions: Questions) -> dict[str, Any]:
    return questions.kept.given(said) if said else {}


def _symmetric(said: str | None, _: Questions) -> dict[str, Any]:
    if said and said not in ("0", "1", "true", "false"):
        raise Refusal(400, f"symmetric={said[:20]!r}: it must be 0 or 1")
    return {"symmetric": said in ("1", "true") if said else None}


def _format(said: str | None, _: Questions) -> dict[str, Any]:
    return {"format": one_of("svg" if said is None else said, "format", FORMATS)}


DARK = Parameter("dark", int, "1: for a dark ground; 0: for a light one", _theme)
SECONDS = Parameter("seconds", float, "that it may take. Default: 2", _seconds)
STRATEGY = words("strategy", "of the search. Default: chosen for the puzzle", most=500)
PIECE = words("piece", "the name of the piece", "", 200)
CELL = whole_number("cell", "only places that cover this cell. Default: all places", None)
PUZZLE = Parameter("puzzle", str, "its id", _puzzle)
LATTICE = words("lattice", "of the pieces. Default: the usual one")
SHAPE = words("shape", "a region in words, such as 10x6 or hexagon 3", "")
AROUND = Parameter("around", str, "the id of a puzzle: the box around its cells instead", _around)
MARGIN = whole_number("margin", "cells around that box. Default: 1", 1, high=20)
FORMAT = Parameter("format", Format, "Default: svg", _format)


def window(most: int) -> tuple[Parameter, ...]:
    """From which solution, how many, and which of them."""
    return (
        whole_number("from", "the first of these solutions, from 0", 0),
        whole_number("number", f"of solutions, up to {most}. Default: 50", 50, 1, most),
        Parameter(
            "symmetric",
            int,
            "1: only those that a symmetry takes to themselves; 0: only others",
            _symmetric,
        ),
        words("piece", "the name of a piece, with `cell`", most=200),
        whole_number(
            "cell", "the number of a cell: only solutions in which the piece covers it", None
        ),
    )


# -- the body of a request ------------------------------------------------------------------------


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


def draft_of(body: dict[str, Any], _: Questions) -> dict[str, Any]:
    """The draft that a client sends; the child checks it."""
    return {"draft": body}


def file_of(body: dict[str, Any], _: Questions) -> dict[str, Any]:
    """The file that a client sends: its name, and its text or its bytes."""
    if ("text" in body) == ("base64" in body):
        raise Refusal(400, "give the puzzle as text, or as base64 of the bytes of a file")
    key = "text" if "text" in body else "base64"
    name = checked(body.get("name", ""), "name", str, "the name of a file")[:200]
    return {"name": name, key: checked(body[key], key, str, "a text")}


def puzzle_in(body: dict[str, Any], questions: Questions) -> dict[str, Any]:
    """The puzzle that a client names by its id."""
    return questions.kept.given(checked(body.get("puzzle"), "puzzle", str, "the id of a puzzle"))


def position_of(body: dict[str, Any], questions: Questions) -> dict[str, Any]:
    """The puzzle, the pieces that a player has placed on it, and the seconds of an answer."""
    most = questions.limits.question
    seconds = checked(body.get("seconds", 1), "seconds", NUMBERS, "a number")
    if not 0 <= seconds <= most:
        raise Refusal(400, f"seconds: 0 to {most:g} are allowed")
    asked = {"placed": body.get("placed", []), "seconds": min(float(seconds), most - 1.0)}
    return puzzle_in(body, questions) | asked


def optional_whole(body: dict[str, Any], name: str, low: int, high: int) -> int | None:
    """A whole number within bounds that a request may leave out."""
    value: int | None = body.get(name)
    if value is not None and not low <= checked(value, name, int, "a whole number") <= high:
        raise Refusal(400, f"{name}: a whole number from {low} to {high} is needed")
    return value


def run_task(body: dict[str, Any], limits: Bounds) -> dict[str, Any]:
    """The task of a new run."""
    strategy = body.get("strategy") or None
    if strategy is not None:
        strategy = checked(strategy, "strategy", str, "the text of a strategy")[:500]
    seconds = body.get("seconds")
    if seconds is None:
        seconds = limits.seconds
    if not 0 < checked(seconds, "seconds", NUMBERS, "a number") <= limits.seconds:
        raise Refusal(400, f"seconds: it must be more than 0, and at most {limits.seconds:g}")
    return {
        "what": one_of(body.get("what", "all"), "what", WHATS),
        "unique": one_of(body.get("unique", "rotations"), "unique", COUNTED),
        "strategy": strategy,
        "limit": optional_whole(body, "limit", 1, MANY),
        "seconds": float(seconds),
        "seed": optional_whole(body, "seed", 0, FOR_EVER - 1),
        "keep": limits.solutions,
        "bytes": limits.found,
        "mib": limits.mib,
    }


# -- documentation --------------------------------------------------------------------------------

ABOUT = """\
The interface of the local page of `exactcover serve`. A puzzle is posted once and named by its id
from then on; a server forgets the puzzle that was not used for longest, and then answers 404: post
it again. Every refusal is an object with the sentence `error`. Requests that change anything are
JSON, with the header `Content-Type: application/json`. A server that others can reach needs its
token: `Authorization: Bearer TOKEN`.\
"""

REFUSALS = {
    "400": "the request makes no sense",
    "401": "the token is missing or wrong",
    "403": "the request comes from a page from elsewhere",
    "404": "there is nothing of this name (any more)",
    "409": "the run cannot do this in its state",
    "413": "the request, the puzzle or the answer is too large",
    "415": "the request is not JSON",
    "421": "the server is not called so",
    "422": "the puzzle cannot be read, or cannot do this",
    "429": "too many runs wait",
    "500": "the server has made a mistake",
    "501": "this needs an extra that is not installed",
    "503": "it takes too long, or too many questions wait: try it again",
}


@dataclass(frozen=True)
class Documented:
    """A request of the interface.

    summary  one sentence
    answers  the type of the answer, or a media type
    answer   what answers it, see `interface`
    body     the type of what is sent
    query    what may stand in the address
    status   of a request that succeeds
    """

    method: str
    path: str
    summary: str
    answers: Any
    answer: Callable[..., Any]
    body: Any = None
    query: tuple[Parameter, ...] = ()
    status: int = 200


def document(requests: Iterable[Documented], limits: Bounds) -> dict[str, Any]:
    """The documentation of these requests to a server with these limits."""
    paths: dict[str, dict[str, Any]] = {}
    for request in requests:
        operations = paths.setdefault(f"/api{request.path}", {})
        operations[request.method.lower()] = _operation(request, limits)
    return {
        "openapi": "3.1.0",
        "info": {"title": "exactcover", "version": "1", "description": ABOUT},
        "paths": paths,
        "components": {
            "schemas": schemas(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _operation(request: Documented, limits: Bounds) -> dict[str, Any]:
    named = [part[1:-1] for part in request.path.split("/") if part.startswith("{")]
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": schema_of(str)} for name in named
    ] + [
        {
            "name": one.name,
            "in": "query",
            "required": False,
            "schema": schema_of(one.kind),
            "description": one.text,
        }
        for one in request.query
    ]
    kind, answers_with = "application/json", request.answers
    if isinstance(answers_with, str):
        kind, answers_with = answers_with, str
    answers: dict[str, Any] = {
        str(request.status): {
            "description": request.summary,
            "content": {kind: {"schema": schema_of(answers_with)}},
        }
    }
    error = {"application/json": {"schema": schema_of(Error)}}
    answers |= {
        status: {"description": text, "content": error} for status, text in REFUSALS.items()
    }
    if request.method == "DELETE":
        answers["204"] = {"description": "The run is forgotten."}
    found: dict[str, Any] = {
        "summary": request.summary,
        "parameters": parameters,
        "responses": answers,
    }
    if request.body is not None:
        found["requestBody"] = {
            "required": True,
            "description": f"At most {limits.body:,} bytes.",
            "content": {"application/json": {"schema": schema_of(request.body)}},
        }
    return found

"""The documentation of the interface, as OpenAPI 3.1 says it: the table of requests.

`schemas` has the parts that requests and answers are made of.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactcover.serving.bounds import Bounds
from exactcover.serving.schemas import BODIES, NUMBER, SCHEMAS, TEXT, WHOLE, Schema, many, ref

ABOUT = """\
The interface of the local page of `exactcover serve`. A puzzle is posted once and named by its id
from then on; a server forgets the puzzle that was not used for longest, and then answers 404: post
it again. Every refusal is an object with the sentence `error`. Requests that change anything are
JSON, with the header `Content-Type: application/json`. A server that others can reach needs its
token: `Authorization: Bearer TOKEN`.\
"""

SVG, STREAM, FILE = "image/svg+xml", "text/event-stream", "application/octet-stream"

REFUSALS = {
    "400": "the request makes no sense",
    "401": "the token is missing or wrong",
    "403": "the request comes from a page from elsewhere",
    "404": "there is nothing of this name (any more)",
    "413": "the request, the puzzle or the answer is too large",
    "415": "the request is not JSON",
    "421": "the server is not called so",
    "422": "the puzzle cannot be read, or cannot do this",
    "429": "too many runs wait",
    "500": "the server has made a mistake",
    "501": "this needs an extra that is not installed",
    "503": "it takes too long, or too many questions wait: try it again",
}

DARK = ("dark", WHOLE, "1: for a dark ground; 0: for a light one")
FROM = ("from", WHOLE, "the first of these solutions, from 0")
FILTERS = (
    ("symmetric", WHOLE, "1: only those that a symmetry takes to themselves; 0: only others"),
    ("piece", TEXT, "the name of a piece, with `cell`"),
    ("cell", WHOLE, "the number of a cell: only solutions in which the piece covers it"),
)

Query = tuple[str, Schema, str]


@dataclass(frozen=True)
class Documented:
    """A request.

    answers  the schema of the answer, or a media type
    body     the schema of what is sent
    query    what may stand in the address
    status   of a request that succeeds
    """

    method: str
    path: str
    summary: str
    answers: Schema | str
    body: Schema | None = None
    query: tuple[Query, ...] = ()
    status: int = 200


REQUESTS = (
    Documented("get", "/openapi.json", "This document.", {"type": "object"}),
    Documented("get", "/limits", "The limits of the server.", ref("Limits")),
    Documented("get", "/lattices", "The lattices, with boards and sets.", many(ref("Lattice"))),
    Documented("get", "/shelf", "The shipped puzzles.", many(ref("Shelved"))),
    Documented("get", "/shelf/{lattice}/{name}", "A shipped puzzle.", ref("Puzzle")),
    Documented(
        "get", "/shelf/{lattice}/{name}/picture.svg", "A small picture of it.", SVG, query=(DARK,)
    ),
    Documented(
        "post", "/puzzles", "Read a file of any format.", ref("Read"), body=BODIES["file"]
    ),
    Documented(
        "post", "/draft", "Make a puzzle of cells and pieces.", ref("Puzzle"), body=BODIES["draft"]
    ),
    Documented("get", "/puzzles/{puzzle}", "A puzzle.", ref("Puzzle")),
    Documented(
        "get", "/puzzles/{puzzle}/check", "Its sizes, and a simple proof that it has no solution.",
        ref("Check"),
    ),
    Documented("get", "/puzzles/{puzzle}/picture.svg", "Its picture.", SVG, query=(DARK,)),
    Documented(
        "get", "/puzzles/{puzzle}/view.json", "What the modules of `view` read.", {"type": "object"}
    ),
    Documented(
        "get", "/puzzles/{puzzle}/estimate", "How large a search is.", ref("Estimate"),
        query=(("seconds", NUMBER, "that it may take. Default: 2"),
               ("strategy", TEXT, "of the search. Default: chosen for the puzzle")),
    ),
    Documented(
        "get", "/puzzles/{puzzle}/places", "Where a piece can lie.",
        many(many(WHOLE)),
        query=(("piece", TEXT, "the name of the piece"),
               ("cell", WHOLE, "only places that cover this cell. Default: all places")),
    ),
    Documented(
        "get", "/strategies", "Strategies for a puzzle, the automatic choice first.",
        many(ref("Strategy")), query=(("puzzle", TEXT, "its id"),),
    ),
    Documented(
        "get", "/sets/{name}", "The pieces of a set.", many(ref("Shape")),
        query=(("lattice", TEXT, "of the pieces. Default: the usual one"),),
    ),
    Documented(
        "get", "/boards/{lattice}", "Cells to draw on.", ref("Board"),
        query=(("shape", TEXT, "a region in words, such as 10x6 or hexagon 3"),
               ("around", TEXT, "the id of a puzzle: the box around its cells instead"),
               ("margin", WHOLE, "cells around that box. Default: 1")),
    ),
    Documented("get", "/runs", "All runs.", many(ref("Run"))),
    Documented("post", "/runs", "Start a run.", ref("Run"), body=BODIES["run"], status=202),
    Documented("get", "/runs/{run}", "A run.", ref("Run")),
    Documented(
        "delete", "/runs/{run}", "Stop a run; forget one that has ended (204).", ref("Run")
    ),
    Documented(
        "get", "/runs/{run}/events",
        "The run as server-sent events: progress (a Progress), solution (a Solution), end "
        "(a Progress).", STREAM,
    ),
    Documented(
        "get", "/runs/{run}/solutions", "Solutions that are kept.", ref("Solutions"),
        query=(FROM, ("number", WHOLE, "of solutions, up to 500. Default: 50"), *FILTERS),
    ),
    Documented(
        "get", "/runs/{run}/sheet.svg", "Solutions on one sheet.", SVG,
        query=(FROM, ("number", WHOLE, "of solutions, up to 200. Default: 50"), *FILTERS, DARK),
    ),
    Documented(
        "get", "/runs/{run}/solutions/{index}/picture.svg", "A solution.", SVG, query=(DARK,)
    ),
    Documented(
        "get", "/runs/{run}/solutions/{index}/view.json", "What the modules of `view` read.",
        {"type": "object"},
    ),
    Documented(
        "get", "/runs/{run}/solutions/{index}/export", "A solution as a file.", FILE,
        query=(("format", {"enum": ["svg", "stl", "json", "txt"]}, "Default: svg"),),
    ),
    Documented(
        "post", "/aid", "How many solutions are left with some pieces placed.", ref("Aid"),
        body=BODIES["aid"],
    ),
    Documented(
        "post", "/aid/hint", "What to do next: a placement, or what to take back.", ref("Hint"),
        body=BODIES["aid"],
    ),
)  # fmt: skip
"""Every request, in the order of the documentation."""


def document(limits: Bounds) -> dict[str, Any]:
    """The documentation of a server with these limits."""
    paths: dict[str, dict[str, Any]] = {}
    for request in REQUESTS:
        paths.setdefault(f"/api{request.path}", {})[request.method] = _operation(request, limits)
    return {
        "openapi": "3.1.0",
        "info": {"title": "exactcover", "version": "1", "description": ABOUT},
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _operation(request: Documented, limits: Bounds) -> dict[str, Any]:
    named = [part[1:-1] for part in request.path.split("/") if part.startswith("{")]
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": TEXT} for name in named
    ] + [
        {"name": name, "in": "query", "required": False, "schema": schema, "description": text}
        for name, schema, text in request.query
    ]
    kind, schema = "application/json", request.answers
    if isinstance(schema, str):
        kind, schema = schema, {"type": "string"}
    answers: dict[str, Any] = {
        str(request.status): {
            "description": request.summary,
            "content": {kind: {"schema": schema}},
        }
    }
    error = {"application/json": {"schema": ref("Error")}}
    answers |= {
        status: {"description": text, "content": error} for status, text in REFUSALS.items()
    }
    if request.method == "delete":
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
            "content": {"application/json": {"schema": request.body}},
        }
    return found

"""The documentation of the interface as OpenAPI 3.1: the schemas of requests and answers, and the
document that is made of them and of the endpoints of `api`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from exactcover.app.serving.bounds import Bounds

if TYPE_CHECKING:
    from exactcover.app.serving.children import Questions

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
FLAG: Schema = {"type": "boolean"}


def ref(name: str) -> Schema:
    """A schema of `SCHEMAS`, by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def many(schema: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": schema}


def or_null(schema: Schema) -> Schema:
    """The schema, or nothing."""
    return {"anyOf": [schema, {"type": "null"}]}


def objects(fields: dict[str, Schema], *, optional: tuple[str, ...] = ()) -> Schema:
    """An object with these fields, all of them unless they are optional."""
    required = [name for name in fields if name not in optional]
    return {"type": "object", "properties": fields, "required": required}


def noted(schema: Schema, text: str) -> Schema:
    """The schema with a description."""
    return {**schema, "description": text}


CELLS = noted(many(many(WHOLE)), "cells, each a list of coordinates")
PLACES = noted(many(WHOLE), "cells by their numbers in the board of the puzzle")
OWNERS = noted(many(WHOLE), "the number of the piece that covers each cell, -1: none")
STATES = ["waiting", "running", "complete", "limit", "stopped", "failed", "impossible"]
INTERVAL = ref("Interval")
PLACED = objects({"piece": TEXT, "cells": PLACES})

RUN = {
    "id": TEXT,
    "puzzle": noted(TEXT, "its id"),
    "puzzleTitle": TEXT,
    "what": {"enum": ["all", "first", "count", "sample"]},
    "unique": {"enum": ["rotations", "reflections", "all"]},
    "limit": or_null(WHOLE),
    "state": {"enum": STATES},
    "solutions": noted(WHOLE, "found so far"),
    "kept": noted(WHOLE, "of these, those that the server keeps"),
    "done": noted(or_null(NUMBER), "the share of the search that is done, 0 to 1"),
    "left": noted(or_null(NUMBER), "seconds, by the speed so far"),
    "seconds": NUMBER,
    "strategy": TEXT,
    "why": noted(TEXT, "why this strategy, or why there is no solution"),
    "error": or_null(TEXT),
}

SCHEMAS: dict[str, Schema] = {
    "Error": objects({"error": noted(TEXT, "what is wrong, where, and what would be right")}),
    "Limits": objects(
        {
            "seconds": noted(NUMBER, "of a run"),
            "mib": noted(WHOLE, "of memory"),
            "runs": noted(WHOLE, "at once"),
            "queue": noted(WHOLE, "runs that may wait"),
            "bytes": noted(WHOLE, "of a request"),
            "solutions": noted(WHOLE, "that are kept of a run"),
            "cells": noted(WHOLE, "of a board"),
            "question": noted(NUMBER, "seconds that a question may take"),
        }
    ),
    "Lattice": objects(
        {
            "name": TEXT,
            "dimension": WHOLE,
            "title": TEXT,
            "cell": noted(TEXT, "what a cell is written as"),
            "boards": many(objects({"name": TEXT, "usage": TEXT, "example": TEXT})),
            "sets": many(TEXT),
        }
    ),
    "Shelved": objects(
        {
            "name": TEXT,
            "title": TEXT,
            "lattice": TEXT,
            "dimension": WHOLE,
            "cells": WHOLE,
            "pieces": WHOLE,
            "size": noted(TEXT, "the sides of a box, as in 10x6; else empty"),
            "set": noted(TEXT, "the family of pieces of one size, as in pentominoes"),
            "solutions": noted(or_null(WHOLE), "as published"),
            "counted": noted(or_null(TEXT), "what counts as one of these"),
            "difficulty": noted(or_null(WHOLE), "1 to 5"),
        }
    ),
    "Board": objects(
        {
            "cells": CELLS,
            "layers": many(
                objects(
                    {
                        "title": TEXT,
                        "width": NUMBER,
                        "height": NUMBER,
                        "cells": PLACES,
                        "polygons": noted(
                            many(many(many(NUMBER))),
                            "the corners of each cell, y downwards, in distances of neighbours",
                        ),
                        "joints": noted(
                            many(many(WHOLE)),
                            "a place in `cells`, a side of its polygon, and the cell across the "
                            "joint of a wrapped board",
                        ),
                    }
                )
            ),
        }
    ),
    "Shape": objects({"name": TEXT, "cells": CELLS}),
    "Puzzle": objects(
        {
            "id": TEXT,
            "title": TEXT,
            "toml": noted(TEXT, "the puzzle as a file"),
            "lattice": TEXT,
            "dimension": WHOLE,
            "link": noted(TEXT, "the end of an address that holds the puzzle"),
            "board": ref("Board"),
            "pieces": many(
                objects(
                    {
                        "name": TEXT,
                        "low": noted(WHOLE, "the least number of copies"),
                        "high": noted(or_null(WHOLE), "the most; null: any number"),
                        "cells": CELLS,
                        "stationary": FLAG,
                        "colour": TEXT,
                        "dark": noted(TEXT, "its colour on a dark ground"),
                        "ink": noted(TEXT, "the colour of its name"),
                        "outline": ref("Board"),
                    }
                )
            ),
            "secondary": noted(PLACES, "cells that may stay empty"),
            "reflect": noted(FLAG, "whether pieces may be turned over"),
            "undrawn": noted(or_null(TEXT), "what a draft of it would lose"),
        }
    ),
    "Read": objects(
        {"puzzles": many(ref("Puzzle")), "refused": many(objects({"title": TEXT, "why": TEXT}))}
    ),
    "Check": objects(
        {
            "cells": WHOLE,
            "wanted": noted(many(WHOLE), "the least and the most cells to fill"),
            "volume": noted(many(WHOLE), "the least and the most cells that the pieces fill"),
            "fits": noted(FLAG, "whether these agree"),
            "symmetries": or_null(WHOLE),
            "images": noted(
                many(objects({"piece": TEXT, "number": WHOLE})), "places of each piece"
            ),
            "verdict": {"enum": ["impossible", "unknown"]},
            "why": TEXT,
            "explained": noted(TEXT, "the proof in full, or empty"),
            "colours": noted(
                or_null(many(objects({"cell": WHOLE, "class": WHOLE}))),
                "the weights of cells that prove it",
            ),
            "seconds": NUMBER,
        }
    ),
    "Interval": objects({"value": or_null(NUMBER), "low": NUMBER, "high": or_null(NUMBER)}),
    "Estimate": objects(
        {
            "nodes": INTERVAL,
            "solutions": INTERVAL,
            "seconds": INTERVAL,
            "profile": many(objects({"left": WHOLE, "nodes": INTERVAL})),
            "strategy": TEXT,
            "counted": TEXT,
            "confidence": NUMBER,
            "status": TEXT,
            "why": TEXT,
        }
    ),
    "Strategy": objects({"name": TEXT, "title": TEXT}),
    "Run": objects(RUN),
    "Progress": objects(
        {
            **RUN,
            "board": noted(or_null(OWNERS), "the pieces on the board now"),
            "profile": noted(
                many(many(WHOLE)), "for each number of pieces left: it, fits and no-fits"
            ),
        }
    ),
    "Solution": objects(
        {
            "index": WHOLE,
            "owners": OWNERS,
            "parts": noted(many(WHOLE), "the placement that covers each cell, -1: none"),
            "symmetric": or_null(FLAG),
        }
    ),
    "Solutions": objects({"total": WHOLE, "solutions": many(ref("Solution"))}),
    "Aid": objects(
        {
            "left": noted(WHOLE, "solutions with the placed pieces where they lie"),
            "exact": noted(FLAG, "false: there are at least this many; send the request again"),
            "text": noted(TEXT, "the same for a reader: at least 120"),
            "forced": noted(many(PLACED), "placements that every solution has"),
            "dead": noted(PLACES, "open cells that nothing can cover"),
            "stuck": noted(many(TEXT), "pieces that fit nowhere"),
            "why": or_null(TEXT),
            "seconds": NUMBER,
        }
    ),
    "Hint": objects(
        {
            "piece": TEXT,
            "cells": PLACES,
            "undo": many(PLACED),
            "why": TEXT,
            "searching": noted(FLAG, "no solution is known yet: ask again"),
        },
        optional=("piece", "cells", "undo", "searching"),
    ),
}
"""Each part by its name."""

DRAWN = objects(
    {"name": TEXT, "cells": CELLS, "set": TEXT, "low": WHOLE, "high": or_null(WHOLE)},
    optional=("name", "cells", "set", "low", "high"),
)

BODIES: dict[str, Schema] = {
    "file": objects(
        {
            "text": noted(TEXT, "what the file holds"),
            "base64": noted(TEXT, "or its bytes"),
            "name": noted(TEXT, "of the file; its ending tells the format"),
        },
        optional=("text", "base64", "name"),
    ),
    "draft": objects(
        {
            "title": TEXT,
            "lattice": TEXT,
            "cells": noted(CELLS, "that must be filled"),
            "optional": noted(CELLS, "that may stay empty"),
            "pieces": many(DRAWN),
            "reflect": or_null(FLAG),
        },
        optional=("title", "optional", "reflect"),
    ),
    "run": objects(
        {
            "puzzle": noted(TEXT, "its id"),
            "what": RUN["what"],
            "strategy": noted(
                or_null(TEXT),
                "without settings for memory and folders; null: chosen for the puzzle",
            ),
            "unique": RUN["unique"],
            "limit": noted(or_null(WHOLE), "stop after this number of solutions"),
            "seconds": noted(or_null(NUMBER), "null: the limit of the server"),
            "seed": noted(or_null(WHOLE), "of random choices"),
        },
        optional=("what", "strategy", "unique", "limit", "seconds", "seed"),
    ),
    "aid": objects(
        {
            "puzzle": noted(TEXT, "its id"),
            "placed": noted(many(PLACED), "what lies on the board"),
            "seconds": noted(NUMBER, "that the answer may take"),
        },
        optional=("placed", "seconds"),
    ),
}
"""The bodies of requests."""


# -- the document ---------------------------------------------------------------------------------

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
class Parameter:
    """A word in the query of an address.

    text  its meaning
    read  checks its value, which is None if it is left out, and returns what the answer needs of it
    """

    name: str
    schema: Schema
    text: str
    read: Callable[[str | None, Questions], dict[str, Any]]


@dataclass(frozen=True)
class Documented:
    """A request of the interface.

    summary  one sentence
    answers  the schema of the answer, or a media type
    answer   what answers it, see `api`
    body     the schema of what is sent
    query    what may stand in the address
    status   of a request that succeeds
    """

    method: str
    path: str
    summary: str
    answers: Schema | str
    answer: Callable[..., Any]
    body: Schema | None = None
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
        {
            "name": one.name,
            "in": "query",
            "required": False,
            "schema": one.schema,
            "description": one.text,
        }
        for one in request.query
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
            "content": {"application/json": {"schema": request.body}},
        }
    return found

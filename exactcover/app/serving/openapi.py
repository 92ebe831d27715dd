"""The documentation of the interface as OpenAPI 3.1, made of the table in `interface` and of
`json_types`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NotRequired,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from exactcover.app.serving import json_types
from exactcover.app.serving.bounds import Bounds

if TYPE_CHECKING:
    from exactcover.app.serving.children import Questions

Schema = dict[str, Any]

SIMPLE = {
    str: "string", int: "integer", float: "number", bool: "boolean", dict: "object",
    NoneType: "null",
}  # fmt: skip


def schema_of(kind: Any) -> Schema:
    """The schema of a type: an object of `json_types` by its name, others in full."""
    if kind in SIMPLE:
        return {"type": SIMPLE[kind]}
    if is_typeddict(kind):
        return {"$ref": f"#/components/schemas/{_name_of(kind)}"}
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return {**schema_of(arguments[0]), "description": arguments[1]}
    if origin is NotRequired:
        return schema_of(arguments[0])
    if origin is Literal:
        return {"enum": [*arguments]}
    if origin is UnionType:
        return {"anyOf": [schema_of(one) for one in arguments]}
    assert origin is list, kind
    return {"type": "array", "items": schema_of(arguments[0])}


def _object(kind: Any) -> Schema:
    """The schema of an object, with its fields."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        "type": "object",
        "properties": {name: schema_of(one) for name, one in hints.items()},
        "required": [
            name
            for name, one in hints.items()
            if kind.__total__ and get_origin(one) is not NotRequired
        ],
    }


def _name_of(kind: Any) -> str:
    """The name of an object in the interface: `Puzzle` of `PuzzleJson`."""
    return str(kind.__name__).removesuffix("Json")


SCHEMAS = {
    _name_of(kind): _object(kind) for kind in vars(json_types).values() if is_typeddict(kind)
}
"""Each object by its name."""

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
            "schemas": SCHEMAS,
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
    error = {"application/json": {"schema": schema_of(json_types.Error)}}
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

"""The documentation of the interface agrees with the answers."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from exactcover.app.serving import Bounds
from exactcover.app.serving.interface import REQUESTS
from exactcover.app.serving.parameters import document
from tests.app.serving.test_runs import events
from tests.helpers.real_server import Served

KINDS = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
    "array": list,
    "object": dict,
}


DOCUMENT = document(REQUESTS, Bounds())


def faults(value: Any, schema: dict[str, Any], parts: dict[str, Any], at: str = "") -> list[str]:
    """Where a value is not as a schema says: the little of JSON Schema that we use."""
    if "$ref" in schema:
        return faults(value, parts[schema["$ref"].rpartition("/")[2]], parts, at)
    if "anyOf" in schema:
        each = [faults(value, one, parts, at) for one in schema["anyOf"]]
        return [] if not all(each) else each[0]
    if "enum" in schema:
        return [] if value in schema["enum"] else [f"{at}: {value!r} is none of {schema['enum']}"]
    kind = schema.get("type")
    if kind is None:
        return []
    if not isinstance(value, KINDS[kind]) or (isinstance(value, bool) and kind != "boolean"):
        return [f"{at}: {value!r:.60} is no {kind}"]
    found = []
    if kind == "object" and "properties" in schema:
        found += [f"{at}.{name} is missing" for name in schema["required"] if name not in value]
        for name, one in value.items():
            if name not in schema["properties"]:
                found.append(f"{at}.{name} is not documented")
            else:
                found += faults(one, schema["properties"][name], parts, f"{at}.{name}")
    if kind == "array":
        for number, one in enumerate(value):
            found += faults(one, schema["items"], parts, f"{at}[{number}]")
    return found


def test_every_part_is_used_and_there() -> None:
    said = json.dumps(DOCUMENT)
    used = set(re.findall(r"#/components/schemas/(\w+)", said))
    only_in_events, only_in_others = {"Progress"}, {"Table"}  # a Puzzle has what a Table has
    assert used | only_in_events | only_in_others == set(DOCUMENT["components"]["schemas"])


@pytest.fixture(scope="module")
def asked(server: Served) -> dict[str, Any]:
    """Answers to each request of the documentation, by method and path."""
    puzzle = server.api("/shelf/square/pentominoes_20x3")["id"]
    first = server.run(puzzle, what="all")
    told = events(server, first["id"])
    run = first["id"]
    placed = {"puzzle": puzzle, "placed": [], "seconds": 1}
    draft = {"lattice": "square", "cells": [[0, 0]], "pieces": [{"set": "monominoes"}]}
    return {
        "get /limits": server.api("/limits"),
        "get /lattices": server.api("/lattices"),
        "get /shelf": server.api("/shelf"),
        "get /shelf/{lattice}/{name}": server.api("/shelf/cubic/somacube"),
        "post /puzzles": server.api("/puzzles", {"text": 'region="3x1"\npieces=["I tromino"]'}),
        "post /draft": server.api("/draft", draft),
        "get /puzzles/{puzzle}": server.api(f"/puzzles/{puzzle}"),
        "get /puzzles/{puzzle}/check": server.api(f"/puzzles/{puzzle}/check"),
        "get /puzzles/{puzzle}/estimate": server.api(f"/puzzles/{puzzle}/estimate?seconds=0.5"),
        "get /puzzles/{puzzle}/places": server.api(f"/puzzles/{puzzle}/places?piece=X&cell=30"),
        "get /puzzles/{puzzle}/view.json": server.api(f"/puzzles/{puzzle}/view.json"),
        "get /strategies": server.api(f"/strategies?puzzle={puzzle}"),
        "get /sets/{name}": server.api("/sets/hexiamonds"),
        "get /boards/{lattice}": server.api("/boards/fcc?shape=2x2x2"),
        "get /runs": server.api("/runs"),
        "get /runs/{run}": server.api(f"/runs/{run}"),
        "get /runs/{run}/solutions": server.api(f"/runs/{run}/solutions"),
        "post /aid": server.api("/aid", placed),
        "post /aid/hint": server.api("/aid/hint", placed),
        "told": told,
    }


def test_the_answers_are_as_documented(server: Served, asked: dict[str, Any]) -> None:
    said = server.api("/openapi.json")
    parts = said["components"]["schemas"]
    for request, value in asked.items():
        if request == "told":
            continue
        method, path = request.split()
        responses = said["paths"][f"/api{path}"][method]["responses"]
        [schema] = [
            one["content"]["application/json"]["schema"]
            for status, one in responses.items()
            if status in ("200", "202")
        ]
        assert faults(value, schema, parts, request) == []
    kinds = {"progress": "Progress", "end": "Progress", "solution": "Solution"}
    for name, value in asked["told"]:
        assert faults(value, parts[kinds[name]], parts, name) == []


def test_a_wrong_answer_would_be_noticed(asked: dict[str, Any]) -> None:
    parts = DOCUMENT["components"]["schemas"]
    run = asked["get /runs/{run}"]
    assert faults({**run, "solutions": "2"}, parts["Run"], parts)
    assert faults({**run, "more": 1}, parts["Run"], parts)
    assert faults({name: run[name] for name in run if name != "kept"}, parts["Run"], parts)

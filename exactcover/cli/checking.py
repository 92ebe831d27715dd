"""`check`: what a puzzle is, and why it may have no solution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from exactcover.cli.console import emit, json_option, puzzle_argument, read_all

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.problem import Problem
    from exactcover.puzzle import Model


@click.command()
@puzzle_argument
@json_option
def check(puzzles: tuple[str, ...], as_json: bool) -> None:
    """Say what a puzzle is, and why it may have no solution."""
    for document in read_all(puzzles):
        record = describe(document)
        if as_json:
            emit(record)
        else:
            click.echo(_text(record))


def describe(document: Document) -> dict[str, Any]:
    """What can be said of a puzzle without a search."""
    model = document.model
    record: dict[str, Any] = {
        "puzzle": document.name,
        "title": document.title,
        "source": document.source,
        "published": dict(document.counts),
    }
    if model is not None:
        record |= _of_puzzle(model)
    record |= _of_problem(document.problem)
    record["status"] = "impossible" if model is not None and model.reason else "possible"
    if model is not None and model.reason:
        record["reason"] = model.reason
    return record


def _of_puzzle(model: Model) -> dict[str, Any]:
    from exactcover.geometry.neighbours import components
    from exactcover.geometry.symmetry import region_symmetries

    puzzle = model.puzzle
    symmetries = region_symmetries(model.free) if len(model.free) else None
    parts = components(model.layout.adjacent)
    images = [int((model.layout.option_shape == shape).sum()) for shape in range(len(model.groups))]
    return {
        "lattice": puzzle.lattice.name,
        "cells": len(puzzle.space),
        "optional": len(puzzle.region.optional),
        "empty": None if puzzle.region.empty is None else list(puzzle.region.empty),
        "free": len(model.free),
        "parts": int(parts.max()) + 1 if parts.size else 0,
        "reflections": puzzle.reflections,
        "region_symmetries": {
            "rotations": int(symmetries.proper.sum()) if symmetries else 1,
            "all": len(symmetries) if symmetries else 1,
        },
        "pieces": [
            {
                "names": [piece.name for piece in group.members],
                "cells": group.size,
                "copies": [group.low, group.high],
                "orientations": len(group.forms),
                "images": count,
            }
            for group, count in zip(model.groups, images, strict=True)
        ],
        "stationary": [piece.name for piece in puzzle.stationary],
    }


def _of_problem(problem: Problem) -> dict[str, Any]:
    return {
        "options": problem.n_options,
        "items": problem.n_items,
        "primary": problem.primary,
        "entries": int(problem.entries.size),
        "needs": sorted(problem.needs),
    }


def _text(record: dict[str, Any]) -> str:
    """The record for a reader."""
    lines = [record["puzzle"] + (f": {record['title']}" if record["title"] else "")]
    add = lines.append
    if record["source"]:
        add(f"  source      {record['source']}")
    if "lattice" in record:
        optional = f", of which {record['optional']} may stay empty" if record["optional"] else ""
        if record["empty"]:
            low, high = record["empty"]
            optional += (
                f" ({low} of them must)" if low == high else f" ({low}..{high} of them must)"
            )
        add(f"  region      {record['cells']} {record['lattice']} cells{optional}")
        if record["stationary"]:
            add(f"  stationary  {' '.join(record['stationary'])}; {record['free']} cells are left")
        if record["parts"] > 1:
            add(f"  connected   no: the cells left are {record['parts']} separate parts")
        symmetries = record["region_symmetries"]
        add(f"  symmetries  {symmetries['all']} of the region, {symmetries['rotations']} rotations")
        add(f"  reflections {'allowed' if record['reflections'] else 'not allowed'}")
        add("  pieces      copies  cells  orientations  images")
        for piece in record["pieces"]:
            names, copies = " ".join(piece["names"]), _copies(piece["copies"])
            add(
                f"    {names:9s} {copies:>6s} {piece['cells']:>6d} "
                f"{piece['orientations']:>13d} {piece['images']:>7d}"
            )
    second = record["items"] - record["primary"]
    add(
        f"  problem     {record['options']} options, {record['primary']} items"
        + (f" and {second} secondary" if second else "")
        + f", {record['entries']} entries"
        + (f"; needs {', '.join(record['needs'])}" if record["needs"] else "")
    )
    for counted, number in record["published"].items():
        add(f"  published   {number} solutions ({counted})")
    if record["status"] == "impossible":
        add(f"  impossible: {record['reason']}")
    return "\n".join(lines)


def _copies(bounds: list[int | None]) -> str:
    low, high = bounds
    if high is None:
        return "any" if low == 0 else f"{low}.."
    return str(low) if low == high else f"{low}..{high}"

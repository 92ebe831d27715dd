"""`check`: a description of a puzzle, and reasons why it may have no solution."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

import click

import exactcover as ec
from exactcover.base.patience import within
from exactcover.cli import options as opt
from exactcover.cli.ends import exit_status
from exactcover.cli.files import FilePath, GivenPuzzles, replacing
from exactcover.cli.progress import Progress
from exactcover.cli.reports import Printer, parts_text, quantity, stopped_words
from exactcover.errors import ExactCoverError
from exactcover.formats import Document
from exactcover.puzzle import Model
from exactcover.puzzle.digest import digest
from exactcover.puzzle.rectangles import FloorModel
from exactcover.show import draw_placements
from exactcover.trust.proofs import (
    ORIGIN,
    Congruence,
    check_certificate,
    explain,
    find_proof,
    load_proof,
    proof_to_json,
)

NEEDS = {"colours": "items have colours", "multiplicities": "items are covered several times"}
"""The features of a problem in words; its secondary items are counted."""


@opt.command()
@opt.puzzles
@opt.file("--certificate", help="Save a proof that is found, as JSON.")
@click.option("--recheck", metavar="FILE", type=FilePath(dir_okay=False),
              help="Check a saved proof against the puzzle instead.")  # fmt: skip
@opt.usual
@opt.time_limit(60)
def check(
    puzzles: tuple[str, ...],
    certificate: Path | None,
    recheck: Path | None,
    time_limit: float,
    report: Printer,
) -> int:
    """Describe a puzzle, and say why it may have no solution.

    Looks for a reason before any search: the number of cells, a piece without a place, or a
    colouring modulo M under which no choice of pieces comes out right, which is drawn; `draw
    --proof` makes a picture. A missing proof proves nothing: `count` and `solve` search.
    """
    given = GivenPuzzles(puzzles, time_limit)
    if certificate is not None:
        given.read_for(certificate, "--certificate")

    def answer(document: Document) -> int:
        progress = Progress(document.name)
        with within(time_limit), progress.ticking("listing options"):
            record = facts(document)
        if recheck is not None:
            proof: Congruence | None = (saved := load_proof(recheck))
            if not check_certificate(document.problem, saved):
                wrong = f"{recheck} does not prove that {document.name} has no solution"
                if saved.origin.get("digest", record["digest"]) != record["digest"]:
                    wrong += f": it is the proof of another puzzle, {saved.origin.get('puzzle')}"
                raise ExactCoverError(wrong)
            words = f"the proof in {recheck} holds: there is no solution"
        else:
            proof, words = _proof(document, record, time_limit, progress)
        said = [*lines(record), f"  {words}"]
        if proof is not None:
            text = proof_to_json(replace(proof, origin={key: record[key] for key in ORIGIN}))
            record |= {
                "status": "impossible",
                "reason": f"weights modulo {proof.modulus} do not add up",
                "certificate": json.loads(text),
            }
            if certificate is not None:
                replacing(certificate).write_text(f"{text}\n", encoding="utf-8")
            if not report.as_json:
                said.append(_proof_text(document, proof))
        report(record, said)
        return exit_status("time" if record["status"] == "limit" else "")

    return given.answer(answer)


def _proof(
    document: Document, record: dict[str, Any], time_limit: float, progress: Progress
) -> tuple[Congruence | None, str]:
    """A proof that there is no solution, if one is found, and what came of looking for it; the
    record gets the status `limit` if there was too little time."""
    if record["status"] != "possible":
        return None, f"impossible: {record['reason']}"
    if isinstance(document.model, FloorModel):
        return None, "no proof is looked for where large rectangles fill a rectangle"
    began = monotonic()
    with progress.ticking("looking for a proof"):
        proof = find_proof(document.problem, seconds=time_limit)
    if proof is not None:
        return proof, f"impossible: weights modulo {proof.modulus} do not add up"
    if monotonic() - began < time_limit:
        return None, "no proof found, which proves nothing: `count` and `solve` search"
    record["status"] = "limit"
    return None, f"no proof that it is impossible: {stopped_words('time', seconds=time_limit)}"


def _proof_text(document: Document, proof: Congruence) -> str:
    """A proof for a reader, its weights drawn on the region."""
    model = document.model
    text = explain(document.problem, proof, None if model is None else model.layout)
    if model is None:
        return text
    cells: dict[int, list[tuple[int, ...]]] = {}
    values = proof.values(model.layout.cell_item).tolist()
    for cell, value in zip(model.free.cells.tolist(), values, strict=True):
        cells.setdefault(value, []).append(tuple(cell))
    weighed = [ec.Placement(str(one), tuple(cells[one])) for one in sorted(cells) if one]
    picture = draw_placements(model.puzzle.lattice, weighed, region_cells=model.free.cells)
    return f"{text}\n\nThe weights of the cells:\n\n{picture}" if weighed else text


def facts(document: Document) -> dict[str, Any]:
    """The facts about a puzzle that need no search."""
    model = document.model
    record: dict[str, Any] = {
        "puzzle": document.name,
        "title": document.title,
        "source": document.source,
        "published": dict(document.counts),
        "digest": digest(document.content),
        "version": ec.__version__,
    }
    if model is not None:
        record |= _of_puzzle(model)
    if isinstance(model, FloorModel):  # a matrix of its cells is not made
        record["options"] = model.problem.n_options
    else:
        problem = document.problem
        record |= {
            "options": problem.n_options,
            "items": problem.n_items,
            "primary": problem.primary,
            "entries": int(problem.entries.size),
            "needs": sorted(problem.needs),
        }
    if model is not None and model.reason:
        return record | {"status": "impossible", "reason": model.reason}
    return record | {"status": "possible"}


def _of_puzzle(model: Model) -> dict[str, Any]:
    puzzle, symmetries = model.puzzle, model.symmetries
    return {
        "lattice": puzzle.lattice.name,
        "cells": len(puzzle.space),
        "optional": len(puzzle.region.optional),
        "empty": None if puzzle.region.empty is None else list(puzzle.region.empty),
        "free": len(model.free),
        "parts": model.parts,
        "wrap": [list(vector) for vector in puzzle.region.wrap],
        "reflections": puzzle.reflections,
        "symmetries": {"rotations": int(symmetries.rotation.sum()), "reflections": len(symmetries)},
        "pieces": [
            {
                "names": [piece.name for piece in group.members],
                "cells": group.size,
                "parts": puzzle.in_parts.get(group.members[0].name, 1),
                "copies": [group.low, group.high],
                "orientations": len(group.forms),
                "images": count,
                "reflections": puzzle.may_turn_over(group.members[0]),
                "crossing": puzzle.may_cross(group.members[0]),
            }
            for group, count in zip(model.groups, model.images, strict=True)
        ],
        "stationary": [piece.name for piece in puzzle.stationary],
    }


def lines(record: dict[str, Any]) -> Iterator[str]:
    """The record for a person."""
    yield record["puzzle"] + (f": {record['title']}" if record["title"] else "")
    facts = [("source", record["source"]), *(_of_board(record) if "lattice" in record else ())]
    yield from (f"  {name:11} {words}" for name, words in facts if words)
    if "lattice" in record:
        yield "  pieces      copies  cells  orientations  placements"
        for piece in record["pieces"]:
            yield (
                f"    {' '.join(piece['names']):9s} {_bounds(piece['copies']):>6s} "
                f"{piece['cells']:>6,} {piece['orientations']:>13d} {piece['images']:>11,}"
            )
        parts = {name: one["parts"] for one in record["pieces"] for name in one["names"]}
        if in_parts := {name: number for name, number in parts.items() if number > 1}:
            yield f"  in parts    {parts_text(in_parts)}"
    more = "; its pieces are kept as they are"
    if "items" in record:
        second = record["items"] - record["primary"]
        secondary = f" and {second:,} secondary" if second else ""
        needs = "".join(f"; {words}" for need, words in NEEDS.items() if need in record["needs"])
        more = f", {record['primary']:,} items{secondary}, {record['entries']:,} entries{needs}"
    yield f"  problem     {record['options']:,} options{more}"
    for counted, number in record["published"].items():
        yield f"  published   {quantity(number, 'solution')} ({counted})"


def _of_board(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The facts about a puzzle, each with its name."""
    optional = f", of which {record['optional']:,} may stay empty" if record["optional"] else ""
    if optional and record["empty"]:
        optional += f"; {_bounds(record['empty'])} of them do"
    yield "region", f"{record['cells']:,} {record['lattice']} cells{optional}"
    if record["wrap"]:
        vectors = " and ".join(",".join(map(str, vector)) for vector in record["wrap"])
        yield "wrapped", f"cells that differ by {vectors} are the same"
    if record["stationary"]:
        left = f"{' '.join(record['stationary'])}; {record['free']:,} cells are left"
        yield "stationary", left
    if record["parts"] > 1:
        yield "connected", f"no: the cells left are {record['parts']} separate parts"
    rotations = record["symmetries"]["rotations"]
    more = record["symmetries"]["reflections"] - rotations
    both = f"{quantity(rotations, 'rotation')} and {quantity(more, 'reflection')}"
    yield "symmetries", both if more else str(rotations)
    for what in ("reflections", "crossing"):
        may = [name for one in record["pieces"] if one[what] for name in one["names"]]
        if not all(one[what] for one in record["pieces"]):
            yield what, f"allowed for {' '.join(may)} only" if may else "not allowed"
        elif what == "reflections":
            yield what, "allowed"


def _bounds(bounds: list[int | None]) -> str:
    low, high = bounds
    if high is None:
        return "any" if low == 0 else f"{low}.."
    return str(low) if low == high else f"{low}..{high}"

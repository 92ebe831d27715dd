"""Write the list of puzzles that `exactcover serve` shows, and the models on its first page.

To read the shipped puzzles takes seconds, and to estimate how hard they are takes minutes: that is
done for new puzzles alone. The models are made with a solution each, so that the first page turns
before anything is searched.
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from math import log10
from pathlib import Path
from typing import Any

import numpy as np

import exactcover as ec
from exactcover.errors import ExactCoverError
from exactcover.formats import Document
from exactcover.formats.shipped import entries
from exactcover.puzzle import Puzzle
from exactcover.puzzle.library.nouns import set_name, stem_of
from exactcover.search import Estimating
from exactcover.show.viewing import data_of
from exactcover.studio.burrs import apart, assembled

SERVING = Path(__file__).parents[2] / "exactcover/studio/serving"
FILE, LANDING = SERVING / "shelf.json", SERVING / "page/landing.json"

STEPS = (1.5, 2.5, 3.5, 4.5)
"""Powers of ten of the nodes that a search takes for a solution, at which a puzzle is harder by
one: 30, 300, 3,000 and 30,000 nodes."""

SHOWN = ("rotations", "reflections", "all")
"""Which of the counts in a file is shown: the first of these that it has."""

SECONDS = 8.0
"""The time limit for an estimate of the nodes."""


LIVING = {
    "cubic/somacube": "{:,} solutions, from seven pieces",
    "hypercubic/tetratesseracts_3x2x2x2": "{:,} solutions in four dimensions",
    "cubic/burr_piston": "A burr of level 9.3: {:,} solutions, of which one comes apart",
    "triangular/hexiamonds_6x6": "{:,} solutions of twelve pieces of six triangles",
}
"""The puzzles of the first page, and a sentence on each."""

SMALL = {"a", "and", "in", "of", "without"}

TITLES = {
    "bedlamcube": "Bedlam Cube",
    "somacube": "Soma Cube",
    "tetriscube": "Tetris Cube",
    "steinhaus_cube": "Mikusiński's Cube",
    "slothouber_graatsma": "Slothouber–Graatsma",
    "conway_box": "Conway's Box",
    "conway_5x5x5": "Conway's 5×5×5",
    "burr_loves_dozen": "Love's Dozen Burr",
    "burr_computers_choice": "Computer's Choice Burr",
    "burr_dubois": "Dubois' Burr",
    "burr_piston": "The Piston Burr",
    "PT12": "Diamond with a Bar",
    "PT12_plus": "Diamond with a Plus",
    "PT12_saltire": "Diamond with a Saltire",
    "PT12_spread": "Diamond with Spread Holes",
    "solid_pentominoes_stair_walls": "Solid Pentominoes, Stairs",
    "dispheres_tetrahedron_4": "Pairs of Balls, Pyramid",
    "tetraspheres_any_tetrahedron_4": "Fours of Balls, Pyramid",
    "trispheres_octahedron": "Threes of Balls, Octahedron",
    "pyramid_20": "Pyramid of 20 Balls",
    "pyramid_55": "Pyramid of 55 Balls",
    "dioctets_and_trioctets_any_octahedron_2": "Pairs and Triples, Octahedron",
    "triples_any_tetrahedron_2": "Triples in a Tetrahedron",
    "quadruples_any_2x2x2": "Quadruples 2×2×2",
    "pentoctets_any_tetrahedron_3": "Pentoctets in a Tetrahedron",
    "trioctets_any_box_2x2x2": "Trioctets 2×2×2",
    "tetratesseracts_any_2x2x2x2": "Any Tetratesseracts 2×2×2×2",
    "mutilated_chessboard": "Mutilated Chessboard",
    "partridge_8": "Partridge Puzzle 8",
    "calibron_12": "Calibron 12",
    "calendar_any": "Calendar, Any Day",
    "hivert_8x8": "Ten Wide Pieces 8×8",
    "tetrominoes_franklin": "Franklin's Magic Square",
    "squared_rectangle_33x32": "Squared Rectangle 33×32",
    "squared_rectangle_69x61": "Squared Rectangle 69×61",
    "squared_square_112x112": "Squared Square 112×112",
    "hexiamonds_1s_obeirne": "O'Beirne's Hexagon",
    "hexominoes_rectangle_15x14": "Hexominoes 15×14 Rectangle",
    "hexominoes_box_in_a_diamond": "Hexominoes, Box in a Diamond",
    "different_quadruples_cube": "Different Quadruples, Cube",
    "squares_2x2x2x2": "Squares in a Tesseract",
    "dominoes_torus_4x4": "Dominoes, Torus 4×4",
    "hexiamonds_stacked_long_hexagons": "Hexiamonds, Stacked Hexagons",
    "pentatesseracts_11x3x2x2": "Pentatesseracts 11×3×2×2",
    "digits_5x4": "Ten Digits 5×4",
    "dominoes_2x2x2x2x2": "Dominoes in 5-D",
    "dominoes_2x2x2x2x2x2": "Dominoes in 6-D",
    "rods_6": "Rods in a Groove",
    "tetrasticks_1s_aztec": "One-Sided Tetrasticks",
    "tri_and_tetrahexes_crown": "Tri- and Tetrahexes, Crown",
    "tri_and_tetrahexes_hexagon": "Tri- and Tetrahexes, Hexagon",
    "pentominoes_square_8x8": "Pentominoes and Square 8×8",
    "pentominoes_square_triangle": "Pentominoes, Square, Triangle",
    "hexominoes_two_rectangles": "Hexominoes, Two Rectangles",
    "polyominoes_1_to_3": "Polyominoes of 1 to 3",
    "polyominoes_1_to_4_plus": "Polyominoes of 1 to 4, Plus",
    "polysticks_1_to_3": "Polysticks of 1 to 3",
    "squares_1_to_9": "Squares 1 to 9, Square",
    "squares_1_to_9_strip": "Squares 1 to 9, Strip",
    "hexiamonds_irregular_hexagon": "Hexiamonds, Uneven Hexagon",
    "tetrahexes_two_diamonds": "Tetrahexes, Two Diamonds",
    "cube_o": "Cube O",
    "tetrominoes_any_5x4": "Any Tetrominoes 5×4",
}
"""Titles that are not the name of the file in words."""


def title_of(name: str) -> str:
    """The title of a puzzle: a few words, in capitals."""
    name = name.rpartition("/")[2]
    if name in TITLES:
        return TITLES[name]
    words = [word for word in name.split("_") if word not in ("any", "1s")]
    shown = [
        word if at and word in SMALL else word[0].upper() + re.sub(r"(?<=\d)x(?=\d)", "×", word)[1:]
        for at, word in enumerate(words)
    ]
    for at, (word, after) in enumerate(pairwise(shown)):
        if word.endswith("s") and len(word) > 4 and not after[0].isdigit() and after not in SMALL:
            shown[at] += ","
            break
    return "One-Sided " * ("_1s_" in name) + " ".join(shown)


def heading(entry: Document) -> dict[str, Any]:
    """The entry of a puzzle in the list."""
    puzzle = entry.puzzle
    assert puzzle is not None
    counted = next((one for one in SHOWN if one in entry.counts), None)
    return {
        "name": entry.name,
        "title": title_of(entry.name),
        "about": entry.title,
        "lattice": puzzle.lattice.name,
        "dimension": puzzle.lattice.dimension,
        "cells": len(puzzle.space),
        "pieces": sum(piece.low for piece in puzzle.pieces) or len(puzzle.pieces),
        "size": _sides(puzzle),
        "set": _family(puzzle),
        "solutions": None if counted is None else entry.counts[counted],
        "counted": counted,
    }


def _sides(puzzle: Puzzle) -> str:
    """The sides of a region that is a box, as in `10x6`; else nothing."""
    cells = puzzle.space.cells[:, : puzzle.lattice.dimension]
    sides = np.ptp(cells, axis=0) + 1
    if int(sides.prod()) * len(puzzle.lattice.kinds) != len(cells):
        return ""
    return "x".join(str(side) for side in sides.tolist() if side > 1)


def _family(puzzle: Puzzle) -> str:
    """The family of the pieces, if all that are placed have one size: `pentominoes`."""
    sizes = {len(piece.cells) for piece in puzzle.pieces if not piece.stationary}
    return set_name(stem_of(puzzle.lattice), sizes.pop()) if len(sizes) == 1 else ""


def difficulty(entry: Document) -> int | None:
    """How hard a puzzle is, 1 to 5, by the nodes of a search for each solution; None: unknown."""
    try:
        found = Estimating(entry.content, counted="all", time_limit=SECONDS).run()
    except ExactCoverError:  # its rectangles are kept, so there are no cells to branch on
        return None
    if not found.nodes.value or not (found.batches or found.status == "exact"):
        return None
    nodes = found.nodes.value / max(1.0, found.solutions.value)
    return 1 + sum(log10(nodes) > step for step in STEPS)


def landing() -> list[dict[str, Any]]:
    """The models of the first page: of a burr the solution of the highest level."""
    found = []
    for name, words in LIVING.items():
        puzzle = ec.read(name)
        solutions = list(ec.solve(puzzle))
        shown = solutions[0]
        if "burr" in name:
            shown, _ = max(apart(puzzle), key=lambda taken: taken[1].numbers)
        row = {"name": name, "title": title_of(name), "words": words.format(len(solutions))}
        found.append(row | {"view": data_of(shown, assembled(shown))})
    return found


def main() -> None:
    """Write the list and the models."""
    known = {row["name"]: row["difficulty"] for row in json.loads(FILE.read_text("utf-8"))}
    rows = [
        json.dumps(
            {
                **heading(entry),
                "difficulty": known[entry.name] if entry.name in known else difficulty(entry),
            },
            ensure_ascii=False,
        )
        for entry in entries()
        if entry.puzzle is not None
    ]
    FILE.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")
    LANDING.write_text(json.dumps(landing(), separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

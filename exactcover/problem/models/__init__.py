"""Worked models: problems from outside the world of tilings, each a small module to read and copy.

A model makes a `Problem` whose options have names that can be read, so that a solution says what
it is about: `("file", "rank")` of a queen, `(job, machine, start)` of a task. Solving is done by
`solve`, `count`, `first` and `solve_each` like that of any other problem.
"""

from __future__ import annotations

from exactcover.problem.models.assignments import Job, graph_colourings, perfect_matchings, schedule
from exactcover.problem.models.packings import blocks, edge_matching, macmahon_squares, partridge
from exactcover.problem.models.squares import (
    langford,
    latin_squares,
    queens,
    sudoku,
    sudoku_givens,
    sudoku_text,
    word_rectangles,
)

__all__ = [
    "Job",
    "blocks",
    "edge_matching",
    "graph_colourings",
    "langford",
    "latin_squares",
    "macmahon_squares",
    "partridge",
    "perfect_matchings",
    "queens",
    "schedule",
    "sudoku",
    "sudoku_givens",
    "sudoku_text",
    "word_rectangles",
]

"""Worked models: problems from outside the world of tilings, each a small module to read and copy.

A model makes a `Problem` whose options have names that can be read, so that a solution says what
it is about: `("file", "rank")` of a queen, `(job, machine, start)` of a task. Solving is done by
`solve`, `count`, `first` and `solve_each` like that of any other problem.
"""

from __future__ import annotations

from exactcover.problem.models.blocks import blocks, partridge
from exactcover.problem.models.edges import edge_matching, macmahon_squares
from exactcover.problem.models.graphs import graph_colourings, perfect_matchings
from exactcover.problem.models.langford import langford
from exactcover.problem.models.latin import latin_squares
from exactcover.problem.models.queens import queens
from exactcover.problem.models.schedule import Job, schedule
from exactcover.problem.models.sudoku import sudoku, sudoku_givens, sudoku_text
from exactcover.problem.models.words import word_rectangles

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

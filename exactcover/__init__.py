"""Tiling puzzles on any lattice, and every other exact-cover problem.

    import exactcover as ec

    puzzle = ec.read("pentominoes_10x6")
    ec.count(puzzle)                        # 2339, up to rotations
    ec.count(puzzle, counted="all")         # 9356
    for solution in ec.solve(puzzle, limit=1):
        print(ec.draw(solution))

    ec.count([["a", "b"], ["c"], ["a"], ["b", "c"]])     # options of a plain exact cover: 2

    ec.Puzzle.of("hexiamonds", "parallelogram 6 6")      # a puzzle without a file

These names are public, and those that a package in here gives itself, such as `exactcover.search`.
The modules inside those packages are private. A name is loaded when it is first used, so importing
`exactcover` costs next to nothing.
"""

from __future__ import annotations

from exactcover.lazy import HOOKS, on_demand

TYPE_CHECKING = False  # so type checkers take it for true; `typing` takes most of the import time

ROOMS = (
    "aid",
    "backends",
    "batches",
    "compat",
    "counting",
    "errors",
    "estimates",
    "filters",
    "formats",
    "geometry",
    "graphs",
    "heuristics",
    "lattices",
    "ledger",
    "library",
    "making",
    "models",
    "pages",
    "portfolio",
    "problem",
    "proofs",
    "puzzle",
    "rectangles",
    "render",
    "runs",
    "search",
    "serving",
    "verification",
)
"""The modules and packages that give public names themselves."""

HOOKS |= {
    "puzzle of Python's values": "formats.from_python:puzzle_of",
    "puzzle in a TOML text": "formats.from_python:puzzle_in",
    "picture for a notebook": "render.picture:shown_in_notebook",
}

if TYPE_CHECKING:
    from typing import Any

    from exactcover import aid as aid
    from exactcover import backends as backends
    from exactcover import batches as batches
    from exactcover import compat as compat
    from exactcover import counting as counting
    from exactcover import errors as errors
    from exactcover import estimates as estimates
    from exactcover import filters as filters
    from exactcover import formats as formats
    from exactcover import geometry as geometry
    from exactcover import graphs as graphs
    from exactcover import heuristics as heuristics
    from exactcover import lattices as lattices
    from exactcover import ledger as ledger
    from exactcover import library as library
    from exactcover import making as making
    from exactcover import models as models
    from exactcover import pages as pages
    from exactcover import portfolio as portfolio
    from exactcover import problem as problem
    from exactcover import proofs as proofs
    from exactcover import puzzle as puzzle
    from exactcover import rectangles as rectangles
    from exactcover import render as render
    from exactcover import runs as runs
    from exactcover import search as search
    from exactcover import serving as serving
    from exactcover import verification as verification
    from exactcover.aid import Aid
    from exactcover.api import covers, draw, read
    from exactcover.batches import batch
    from exactcover.counting import Counting, count, diagram, sample
    from exactcover.errors import (
        AlreadyRunning,
        BrokenSearch,
        CapabilityError,
        ConversionError,
        ExactCoverError,
        FormatError,
        LatticeError,
        LedgerError,
        LimitReached,
        ProblemError,
        PuzzleError,
        StrategyError,
        TimeUp,
        TooLarge,
        UnknownName,
    )
    from exactcover.estimates import Estimate, Estimating, Interval, estimate
    from exactcover.filters import option_filter
    from exactcover.graphs import (
        Cluster,
        Transformation,
        clusters,
        differences,
        piece_graph,
        save_graph,
        solution_graph,
    )
    from exactcover.heuristics import heuristic, load_plugin
    from exactcover.lattices import Lattice, get_lattice
    from exactcover.making import Assembly, assembly, cut_lines, solids
    from exactcover.pages import Film, Page, album, animate, view
    from exactcover.portfolio import first
    from exactcover.problem import Coloured, Problem
    from exactcover.puzzle import Paint, Piece, Placement, Puzzle, Region
    from exactcover.render.picture import Picture, picture
    from exactcover.render.plots import Plot, plot
    from exactcover.search import (
        Answers,
        Best,
        Result,
        Solution,
        Solving,
        SolvingEach,
        Stage,
        Strategy,
        best,
        minimize,
        pack,
        solve,
        solve_each,
        tune,
    )
    from exactcover.verification import verify

    __version__: str
else:
    _names, __dir__ = on_demand(
        __name__,
        {
            "aid": "Aid",
            "api": "covers draw read",
            "counting": "Counting count diagram sample",
            "errors": (
                "AlreadyRunning BrokenSearch CapabilityError ConversionError "
                "ExactCoverError FormatError LatticeError LedgerError LimitReached "
                "ProblemError PuzzleError StrategyError TimeUp TooLarge UnknownName"
            ),
            "filters": "option_filter",
            "graphs": (
                "Cluster Transformation clusters differences piece_graph save_graph solution_graph"
            ),
            "heuristics": "heuristic load_plugin",
            "lattices": "Lattice get_lattice",
            "making": "Assembly assembly cut_lines solids",
            "pages": "Film Page album animate view",
            "problem": "Coloured Problem",
            "puzzle": "Paint Piece Placement Puzzle Region",
            "render.picture": "Picture picture",
            "render.plots": "Plot plot",
            "batches": "batch",
            "estimates": "Estimate Estimating Interval estimate",
            "portfolio": "first",
            "search": (
                "Answers Best Result Solution Solving SolvingEach Stage Strategy best "
                "minimize pack solve solve_each tune"
            ),
            "verification": "verify",
        },
        modules=ROOMS,
    )

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            from importlib.metadata import version

            return version("exactcover")
        return _names(name)


__all__ = [
    "Aid",
    "AlreadyRunning",
    "Answers",
    "Assembly",
    "Best",
    "BrokenSearch",
    "CapabilityError",
    "Cluster",
    "Coloured",
    "ConversionError",
    "Counting",
    "Estimate",
    "Estimating",
    "ExactCoverError",
    "Film",
    "FormatError",
    "Interval",
    "Lattice",
    "LatticeError",
    "LedgerError",
    "LimitReached",
    "Page",
    "Paint",
    "Picture",
    "Piece",
    "Placement",
    "Plot",
    "Problem",
    "ProblemError",
    "Puzzle",
    "PuzzleError",
    "Region",
    "Result",
    "Solution",
    "Solving",
    "SolvingEach",
    "Stage",
    "Strategy",
    "StrategyError",
    "TimeUp",
    "TooLarge",
    "Transformation",
    "UnknownName",
    "album",
    "animate",
    "assembly",
    "batch",
    "best",
    "clusters",
    "count",
    "covers",
    "cut_lines",
    "diagram",
    "differences",
    "draw",
    "estimate",
    "first",
    "get_lattice",
    "heuristic",
    "load_plugin",
    "minimize",
    "option_filter",
    "pack",
    "picture",
    "piece_graph",
    "plot",
    "read",
    "sample",
    "save_graph",
    "solids",
    "solution_graph",
    "solve",
    "solve_each",
    "tune",
    "verify",
    "view",
]

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

from exactcover.base.lazy import HOOKS, on_demand, reachable_by_last_name

TYPE_CHECKING = False  # so type checkers take it for true; `typing` takes most of the import time

ROOMS = (
    "app.aid",
    "app.serving",
    "backends",
    "backends.heuristics",
    "burrs",
    "errors",
    "formats",
    "geometry",
    "lattices",
    "problem",
    "problem.filters",
    "problem.models",
    "problem.rectangles",
    "puzzle",
    "puzzle.library",
    "runs",
    "runs.batches",
    "runs.ledger",
    "runs.portfolio",
    "search",
    "search.counting",
    "search.estimates",
    "show.graphs",
    "show.making",
    "show.pages",
    "show.render",
    "trust.proofs",
    "trust.verification",
)
"""The modules and packages that give public names themselves.

The last part of a path is enough: `exactcover.batches` is `exactcover.runs.batches`.
"""

HOOKS |= {
    "puzzle of Python's values": "formats.toml.puzzles:puzzle_of",
    "puzzle in a TOML text": "formats.toml.puzzles:puzzle_in",
    "picture for a notebook": "show.render.picture:shown_in_notebook",
}

reachable_by_last_name(ROOMS)

if TYPE_CHECKING:
    from typing import Any

    from exactcover import backends as backends
    from exactcover import burrs as burrs
    from exactcover import errors as errors
    from exactcover import formats as formats
    from exactcover import geometry as geometry
    from exactcover import lattices as lattices
    from exactcover import problem as problem
    from exactcover import puzzle as puzzle
    from exactcover import runs as runs
    from exactcover import search as search
    from exactcover.api import draw, read
    from exactcover.app import aid as aid
    from exactcover.app import serving as serving
    from exactcover.app.aid import Aid
    from exactcover.app.playing import play
    from exactcover.backends import heuristics as heuristics
    from exactcover.backends.heuristics import heuristic, load_plugin
    from exactcover.burrs import Disassembly, TakenApart
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
    from exactcover.lattices import Lattice, get_lattice
    from exactcover.problem import Coloured, Problem
    from exactcover.problem import filters as filters
    from exactcover.problem import models as models
    from exactcover.problem import rectangles as rectangles
    from exactcover.problem.filters import option_filter
    from exactcover.puzzle import Paint, Piece, Placement, Puzzle, Region
    from exactcover.puzzle import library as library
    from exactcover.runs import batches as batches
    from exactcover.runs import ledger as ledger
    from exactcover.runs import portfolio as portfolio
    from exactcover.runs.batches import batch
    from exactcover.runs.disassembling import Apartness, Disassembling, apart
    from exactcover.runs.portfolio import first
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
    from exactcover.search import counting as counting
    from exactcover.search import estimates as estimates
    from exactcover.search.counting import Counting, count, diagram, sample
    from exactcover.search.estimates import Estimate, Estimating, Interval, estimate
    from exactcover.show import graphs as graphs
    from exactcover.show import making as making
    from exactcover.show import pages as pages
    from exactcover.show import render as render
    from exactcover.show.graphs import Cluster, clusters, piece_graph, solution_graph
    from exactcover.show.making import Assembly, assembly, cut_lines, solids
    from exactcover.show.pages import Film, Page, animate, view
    from exactcover.show.render.picture import Picture, picture
    from exactcover.show.render.plots import Plot, plot
    from exactcover.trust import proofs as proofs
    from exactcover.trust import verification as verification
    from exactcover.trust.verification import verify

    __version__: str
else:
    _names, __dir__ = on_demand(
        __name__,
        {
            "app.aid": "Aid",
            "app.playing": "play",
            "api": "draw read",
            "burrs": "Disassembly TakenApart",
            "search.counting": "Counting count diagram sample",
            "errors": (
                "AlreadyRunning BrokenSearch CapabilityError ConversionError "
                "ExactCoverError FormatError LatticeError LedgerError LimitReached "
                "ProblemError PuzzleError StrategyError TimeUp TooLarge UnknownName"
            ),
            "problem.filters": "option_filter",
            "show.graphs": "Cluster clusters piece_graph solution_graph",
            "backends.heuristics": "heuristic load_plugin",
            "lattices": "Lattice get_lattice",
            "show.making": "Assembly assembly cut_lines solids",
            "show.pages": "Film Page animate view",
            "problem": "Coloured Problem",
            "puzzle": "Paint Piece Placement Puzzle Region",
            "show.render.picture": "Picture picture",
            "show.render.plots": "Plot plot",
            "runs.batches": "batch",
            "runs.disassembling": "Apartness Disassembling apart",
            "search.estimates": "Estimate Estimating Interval estimate",
            "runs.portfolio": "first",
            "search": (
                "Answers Best Result Solution Solving SolvingEach Stage Strategy best "
                "minimize pack solve solve_each tune"
            ),
            "trust.verification": "verify",
        },
        modules=[room.rpartition(".")[2] for room in ROOMS],
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
    "Apartness",
    "Assembly",
    "Best",
    "BrokenSearch",
    "CapabilityError",
    "Cluster",
    "Coloured",
    "ConversionError",
    "Counting",
    "Disassembling",
    "Disassembly",
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
    "TakenApart",
    "TimeUp",
    "TooLarge",
    "UnknownName",
    "animate",
    "apart",
    "assembly",
    "batch",
    "best",
    "clusters",
    "count",
    "cut_lines",
    "diagram",
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
    "play",
    "plot",
    "read",
    "sample",
    "solids",
    "solution_graph",
    "solve",
    "solve_each",
    "tune",
    "verify",
    "view",
]

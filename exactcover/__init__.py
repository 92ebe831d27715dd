"""Tiling puzzles on any lattice, and every other exact-cover problem.

    import exactcover as ec

    puzzle = ec.read("pentominoes_10x6")
    ec.count(puzzle)                        # 2339, up to rotations
    ec.count(puzzle, counted="all")         # 9356
    for solution in ec.solve(puzzle, limit=1):
        print(ec.draw(solution))

    ec.count([["a", "b"], ["c"], ["a"], ["b", "c"]])     # options of a plain exact cover: 2

    ec.puzzle_of("hexiamonds", "parallelogram 6 6")      # a puzzle without a file

These names are public, and those of the modules that `docs/reference.md` lists, such as
`exactcover.search`, each at this one path. All other modules are private. A name is loaded when it
is first used, so importing `exactcover` costs next to nothing.
"""

from __future__ import annotations

from exactcover.base import __version__ as __version__
from exactcover.base import on_demand

TYPE_CHECKING = False  # so type checkers take it for true; `typing` takes most of the import time

if TYPE_CHECKING:
    from exactcover.api import draw as draw, read as read
    from exactcover.backends.heuristics import heuristic as heuristic, load_plugin as load_plugin
    from exactcover.errors import (
        AlreadyRunning as AlreadyRunning,
        BrokenSearch as BrokenSearch,
        CapabilityError as CapabilityError,
        ConversionError as ConversionError,
        ExactCoverError as ExactCoverError,
        FormatError as FormatError,
        LatticeError as LatticeError,
        LedgerError as LedgerError,
        LimitReached as LimitReached,
        ProblemError as ProblemError,
        PuzzleError as PuzzleError,
        StrategyError as StrategyError,
        TimeUp as TimeUp,
        TooLarge as TooLarge,
        UnknownName as UnknownName,
    )
    from exactcover.formats.toml.values import puzzle_of as puzzle_of
    from exactcover.lattices import Lattice as Lattice, get_lattice as get_lattice
    from exactcover.problem import Coloured as Coloured, Problem as Problem
    from exactcover.problem.filters import option_filter as option_filter
    from exactcover.puzzle import (
        Piece as Piece,
        Placement as Placement,
        Puzzle as Puzzle,
        Region as Region,
    )
    from exactcover.runs.batches import batch as batch
    from exactcover.runs.portfolio.finding import first as first
    from exactcover.search import (
        Answers as Answers,
        Best as Best,
        Counting as Counting,
        Estimate as Estimate,
        Estimating as Estimating,
        Interval as Interval,
        Result as Result,
        Solution as Solution,
        Solving as Solving,
        Stage as Stage,
        Strategy as Strategy,
        best as best,
        compare as compare,
        count as count,
        estimate as estimate,
        sample as sample,
        solve as solve,
        solve_each as solve_each,
        usage as usage,
    )
    from exactcover.show.graphs import (
        piece_graph as piece_graph,
        solution_graph as solution_graph,
    )
    from exactcover.show import Film as Film, Page as Page, animate as animate, view as view
    from exactcover.show.picture import Picture as Picture, picture as picture
    from exactcover.trust.verification import verify as verify

else:
    __all__, __getattr__, __dir__ = on_demand(
        __name__,
        {
            "api": "draw read",
            "errors": (
                "AlreadyRunning BrokenSearch CapabilityError ConversionError "
                "ExactCoverError FormatError LatticeError LedgerError LimitReached "
                "ProblemError PuzzleError StrategyError TimeUp TooLarge UnknownName"
            ),
            "formats.toml.values": "puzzle_of",
            "problem.filters": "option_filter",
            "show.graphs": "piece_graph solution_graph",
            "backends.heuristics": "heuristic load_plugin",
            "lattices": "Lattice get_lattice",
            "show": "Film Page animate view",
            "problem": "Coloured Problem",
            "puzzle": "Piece Placement Puzzle Region",
            "show.picture": "Picture picture",
            "runs.batches": "batch",
            "runs.portfolio.finding": "first",
            "search": (
                "Answers Best Counting Estimate Estimating Interval Result Solution Solving Stage "
                "Strategy best compare count estimate sample solve solve_each usage"
            ),
            "trust.verification": "verify",
        },
    )

"""Tiling puzzles on any lattice, and every other exact-cover problem.

    import exactcover as ec

    puzzle = ec.read("pentominoes_10x6")
    ec.count(puzzle)                        # 2339, up to rotations
    ec.count(puzzle, counted="all")         # 9356
    for solution in ec.solve(puzzle, limit=1):
        print(ec.draw(solution))

    ec.count([["a", "b"], ["c"], ["a"], ["b", "c"]])     # options of a plain exact cover: 2

    ec.Puzzle.of("hexiamonds", "parallelogram 6 6")      # a puzzle without a file

Everything public is named here; each name is loaded when it is first used, so that importing the
package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # so type checkers take it for true; `typing` takes most of the import time
if TYPE_CHECKING:
    from typing import Any

    from exactcover import compat as compat
    from exactcover import errors as errors
    from exactcover import formats as formats
    from exactcover import lattices as lattices
    from exactcover import models as models
    from exactcover.api import covers as covers
    from exactcover.api import draw as draw
    from exactcover.api import read as read
    from exactcover.counting.counts import Counting as Counting
    from exactcover.counting.counts import count as count
    from exactcover.counting.sampling import diagram as diagram
    from exactcover.counting.sampling import sample as sample
    from exactcover.errors import AlreadyRunning as AlreadyRunning
    from exactcover.errors import BrokenSearch as BrokenSearch
    from exactcover.errors import CapabilityError as CapabilityError
    from exactcover.errors import ConversionError as ConversionError
    from exactcover.errors import ExactCoverError as ExactCoverError
    from exactcover.errors import FormatError as FormatError
    from exactcover.errors import LatticeError as LatticeError
    from exactcover.errors import LimitReached as LimitReached
    from exactcover.errors import ProblemError as ProblemError
    from exactcover.errors import PuzzleError as PuzzleError
    from exactcover.errors import StrategyError as StrategyError
    from exactcover.errors import TimeUp as TimeUp
    from exactcover.errors import TooLarge as TooLarge
    from exactcover.errors import UnknownName as UnknownName
    from exactcover.filters import option_filter as option_filter
    from exactcover.heuristics import heuristic as heuristic
    from exactcover.heuristics import load_plugin as load_plugin
    from exactcover.lattices import Lattice as Lattice
    from exactcover.lattices import get_lattice as get_lattice
    from exactcover.problem import Coloured as Coloured
    from exactcover.problem import Problem as Problem
    from exactcover.puzzle import Paint as Paint
    from exactcover.puzzle import Piece as Piece
    from exactcover.puzzle import Placement as Placement
    from exactcover.puzzle import Puzzle as Puzzle
    from exactcover.puzzle import Region as Region
    from exactcover.render.picture import Picture as Picture
    from exactcover.render.picture import picture as picture
    from exactcover.search.each import Answers as Answers
    from exactcover.search.each import SolvingEach as SolvingEach
    from exactcover.search.each import solve_each as solve_each
    from exactcover.search.optimum import Best as Best
    from exactcover.search.optimum import best as best
    from exactcover.search.optimum import minimize as minimize
    from exactcover.search.optimum import pack as pack
    from exactcover.search.result import Result as Result
    from exactcover.search.result import Solution as Solution
    from exactcover.search.solving import Solving as Solving
    from exactcover.search.solving import first as first
    from exactcover.search.solving import solve as solve
    from exactcover.search.strategy import Stage as Stage
    from exactcover.search.strategy import Strategy as Strategy
    from exactcover.verification import verify as verify

_HOME = {
    "AlreadyRunning": "errors",
    "Answers": "search.each",
    "Best": "search.optimum",
    "BrokenSearch": "errors",
    "CapabilityError": "errors",
    "Coloured": "problem",
    "ConversionError": "errors",
    "Counting": "counting.counts",
    "ExactCoverError": "errors",
    "FormatError": "errors",
    "Lattice": "lattices",
    "LatticeError": "errors",
    "LimitReached": "errors",
    "Paint": "puzzle",
    "Picture": "render.picture",
    "Piece": "puzzle",
    "Placement": "puzzle",
    "Problem": "problem",
    "ProblemError": "errors",
    "Puzzle": "puzzle",
    "PuzzleError": "errors",
    "Region": "puzzle",
    "Result": "search.result",
    "Solution": "search.result",
    "Solving": "search.solving",
    "SolvingEach": "search.each",
    "Stage": "search.strategy",
    "Strategy": "search.strategy",
    "StrategyError": "errors",
    "TimeUp": "errors",
    "TooLarge": "errors",
    "UnknownName": "errors",
    "best": "search.optimum",
    "count": "counting.counts",
    "covers": "api",
    "diagram": "counting.sampling",
    "draw": "api",
    "first": "search.solving",
    "get_lattice": "lattices",
    "heuristic": "heuristics",
    "load_plugin": "heuristics",
    "minimize": "search.optimum",
    "option_filter": "filters",
    "pack": "search.optimum",
    "picture": "render.picture",
    "read": "api",
    "sample": "counting.sampling",
    "solve": "search.solving",
    "solve_each": "search.each",
    "verify": "verification",
}

_MODULES = ("compat", "errors", "formats", "lattices", "models")
"""Modules that are names of the package without an import of their own."""

__all__ = sorted(_HOME)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"exactcover.{_HOME[name]}"), name)
    if name in _MODULES:
        return import_module(f"exactcover.{name}")
    if name == "__version__":
        from importlib.metadata import version

        return version("exactcover")
    raise AttributeError(f"module 'exactcover' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])

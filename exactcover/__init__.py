"""Tiling puzzles on any lattice, and every other exact-cover problem.

    import exactcover as ec

    puzzle = ec.read("pentominoes_10x6")
    ec.count(puzzle)                        # 2339, up to rotations
    ec.count(puzzle, counted="all")         # 9356
    for solution in ec.solve(puzzle, limit=1):
        print(ec.draw(solution))

    ec.count([["a", "b"], ["c"], ["a"], ["b", "c"]])     # options of a plain exact cover: 2

Everything public is named here; each name is loaded when it is first used, so that importing the
package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactcover.api import covers as covers
    from exactcover.api import draw as draw
    from exactcover.api import read as read
    from exactcover.batch import Answers as Answers
    from exactcover.batch import SolvingEach as SolvingEach
    from exactcover.batch import solve_each as solve_each
    from exactcover.counts import count as count
    from exactcover.errors import ExactCoverError as ExactCoverError
    from exactcover.finding import first as first
    from exactcover.heuristics import heuristic as heuristic
    from exactcover.heuristics import load_plugin as load_plugin
    from exactcover.lattices import Lattice as Lattice
    from exactcover.lattices import get_lattice as get_lattice
    from exactcover.optimum import best as best
    from exactcover.optimum import minimize as minimize
    from exactcover.optimum import pack as pack
    from exactcover.problem import Coloured as Coloured
    from exactcover.problem import Problem as Problem
    from exactcover.puzzle import Piece as Piece
    from exactcover.puzzle import Puzzle as Puzzle
    from exactcover.puzzle import Region as Region
    from exactcover.sampling import diagram as diagram
    from exactcover.sampling import sample as sample
    from exactcover.solver import Solution as Solution
    from exactcover.solver import Solving as Solving
    from exactcover.solver import solve as solve
    from exactcover.strategy import Stage as Stage
    from exactcover.strategy import Strategy as Strategy
    from exactcover.verification import verify as verify

_HOME = {
    "Answers": "batch",
    "Coloured": "problem",
    "ExactCoverError": "errors",
    "Lattice": "lattices",
    "Piece": "puzzle",
    "Problem": "problem",
    "Puzzle": "puzzle",
    "Region": "puzzle",
    "Solution": "solver",
    "Solving": "solver",
    "SolvingEach": "batch",
    "Stage": "strategy",
    "Strategy": "strategy",
    "best": "optimum",
    "count": "counts",
    "covers": "api",
    "diagram": "sampling",
    "draw": "api",
    "first": "finding",
    "get_lattice": "lattices",
    "heuristic": "heuristics",
    "load_plugin": "heuristics",
    "minimize": "optimum",
    "pack": "optimum",
    "read": "api",
    "sample": "sampling",
    "solve": "solver",
    "solve_each": "batch",
    "verify": "verification",
}

__all__ = sorted(_HOME)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"exactcover.{_HOME[name]}"), name)
    if name == "__version__":
        from importlib.metadata import version

        return version("exactcover")
    raise AttributeError(f"module 'exactcover' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__

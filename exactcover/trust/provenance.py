"""The provenance of a number of solutions: all that a reader needs to check it, and to cite it.

Every command that reports a number adds this object to its JSON as `provenance`; `docs/checks.md`
says what its keys mean. It stands alone: `verify` counts its puzzle again.
"""

from __future__ import annotations

import platform
import re
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from exactcover.backends import BACKENDS, BUILT_IN
from exactcover.backends.rectangles import FOR_FLOORS
from exactcover.base import __version__
from exactcover.formats import Document
from exactcover.formats.count_records import statement
from exactcover.problem import Problem
from exactcover.puzzle import Puzzle
from exactcover.puzzle.digest import digest
from exactcover.search.result import Result
from exactcover.search.subject import Solvable

SOLVERS = {"cpsat": "ortools", "nooverlap": "ortools", "d4": "d4solver"}
"""The package behind each engine that is not compiled by numba."""

METHODS = {
    **dict.fromkeys(("dlx", "fila", "bsx", "planes"), "listing"),
    "automaton": "frontier",
    "memo": "memory",
    "cpsat": "solver",
    "d4": "clauses",
    "skyline": "floor",
    "nooverlap": "solver",
}
"""How each engine counts: two of different methods share no search. A plug-in has its own."""


def provenance(
    document: Document, figures: Mapping[str, Any], strategies: Sequence[str]
) -> dict[str, Any]:
    """The provenance of a number of solutions.

    figures     of the search, by the keys of `Result.record`, and `whole`, `seed`, `workers`.
                `best`, `estimate` and `compare` have no exact number: `solutions` is missing
    strategies  those that counted; of several, the first is that of the number
    """
    counted, solutions = figures.get("counted"), figures.get("solutions")
    known = {
        "puzzle": document.name,
        "digest": digest(document.content),
        "given": statement(document),
        "solutions": solutions,
        "whole": None if solutions is None else figures["whole"],
        "counted": counted,
        "counted_as": counted and document.counted_as(counted),
    }
    return {key: value for key, value in known.items() if value is not None} | {
        "strategy": strategies[0] if strategies else "",
        "engines": engines(*strategies),
        "seed": figures.get("seed"),
        "workers": figures.get("workers", 1),
        "seconds": figures["seconds"],
        "compiling": figures["compiling"],
        **program(),
        "date": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
    }


def provenance_of(content: Document | Solvable, result: Result) -> dict[str, Any]:
    """The provenance of the number of solutions of a search by one worker, as `verify` reads it.

    >>> import exactcover as ec
    >>> puzzle = ec.puzzle_of("domino x 8", "4x4", name="dominoes")
    >>> record = provenance_of(puzzle, ec.Counting(puzzle, counted="all").run())
    >>> record["puzzle"], record["solutions"], record["given"]["region"]
    ('dominoes', 36, '4x4')
    """
    if isinstance(content, Puzzle):
        content = Document(content.name or "puzzle", content)
    elif not isinstance(content, Document):
        content = Document("puzzle", Problem.of(content))
    return provenance(content, result.record() | {"whole": result.whole}, [result.strategy])


def engines(*strategies: str) -> dict[str, str]:
    """The engines that strategies name, each with the package that runs it and its version."""
    found = {}
    for part in ";".join(strategies).split(";"):
        name = re.split(r"[=@:\s]", part.strip(), maxsplit=1)[0]
        if name in BUILT_IN or name in FOR_FLOORS:
            package = SOLVERS.get(name, "numba")
            found[name] = f"{package} {version(package)}"
        elif name in BACKENDS:
            found[name] = "a plug-in"
    return found


@cache
def program() -> dict[str, Any]:
    """The version and the commit of this program, and the machine that it runs on."""
    return {
        "version": __version__,
        "commit": _commit(Path(__file__).parents[2]),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }


def _commit(root: Path) -> str | None:
    """The commit of a checkout, with `-dirty` if its files differ; None: it is none, or has no
    git."""
    if not (root / ".git").exists():
        return None
    words = "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty"
    try:
        return subprocess.check_output(
            ["git", "-C", root, *words], stderr=subprocess.DEVNULL, text=True, timeout=5.0
        ).strip()
    except (OSError, subprocess.SubprocessError):  # without git, or in another user's checkout
        return None

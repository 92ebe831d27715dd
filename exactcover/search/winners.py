"""The strategies that `tune` found best, kept in a file for later runs of the same problem.

A problem is known by the digest that ledgers use, the names of its pieces, which a strategy may
name, and what counts as one solution. So the file is good for any machine and for problems of any
name. The file is replaced as a whole, so a reader never sees a part of it; a damaged file,
or one of another version, counts as missing. It is in the user's cache folder:
`$XDG_CACHE_HOME/exactcover`, or `~/.cache/exactcover`. The environment variable
`EXACTCOVER_WINNERS` names another file; `none` keeps nothing.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from threading import get_ident
from typing import Any

from exactcover.errors import ExactCoverError
from exactcover.problem.layout import digest_of
from exactcover.search.automatic import Candidate, takes
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject

VARIABLE = "EXACTCOVER_WINNERS"

MOST = 1000
"""The winners that are kept; the oldest are dropped."""


def winners_file() -> Path | None:
    """The file of winners; None: nothing is kept."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return None if named in ("", "none") else Path(named)
    folder = os.environ.get("XDG_CACHE_HOME")
    try:
        base = Path(folder) if folder else Path.home() / ".cache"
    except RuntimeError:  # there is no home
        return None
    return base / "exactcover" / "winners.json"


def winner_of(subject: Subject) -> Candidate | None:
    """The strategy that `tune` found best for the same problem; None: it found none, or one that
    cannot search it."""
    file = winners_file()
    if file is None or not file.exists():
        return None
    entry = _read(file).get(_key(subject))
    if entry is None:
        return None
    try:
        winner = Candidate(Strategy.parse(entry["strategy"]), entry["why"])
    except (ExactCoverError, KeyError, TypeError):  # an engine of a plugin that is not loaded
        return None
    return winner if takes(winner.strategy, subject) else None


def remember(subject: Subject, winner: Candidate) -> None:
    """Keep the winner of `tune`; if the file cannot be written, nothing is kept."""
    file = winners_file()
    if file is None:
        return
    winners = _read(file)
    key = _key(subject)
    winners.pop(key, None)
    winners[key] = {"strategy": str(winner.strategy), "why": winner.why}
    text = {"version": _version(), "winners": dict(list(winners.items())[-MOST:])}
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        made = file.with_name(f"{file.name}.{os.getpid()}-{get_ident()}")
        try:
            made.write_text(json.dumps(text, indent=1), encoding="utf-8")
            os.replace(made, file)
        finally:
            made.unlink(missing_ok=True)


def _read(file: Path) -> dict[str, dict[str, Any]]:
    """The winners in the file; none if it is missing, damaged or of another version."""
    try:
        text = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(text, dict) or text.get("version") != _version():
        return {}
    winners = text.get("winners")
    if not isinstance(winners, dict):
        return {}
    return {key: entry for key, entry in winners.items() if isinstance(entry, dict)}


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("exactcover")
    except PackageNotFoundError:  # a checkout that is not installed
        return "unknown"


def _key(subject: Subject) -> str:
    model = subject.model
    pieces = [] if model is None else [one.name for group in model.groups for one in group.members]
    return " ".join((digest_of(subject.problem, subject.layout), *pieces, subject.counted))

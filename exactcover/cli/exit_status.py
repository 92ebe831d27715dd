"""The exit statuses of the commands.

A script must not take an answer that a limit of time or memory cut short for a complete one, so
this answer has its own exit status. A wanted number of solutions is different: a run with `--limit
10` that finds ten has answered the question.
"""

from __future__ import annotations

DONE = 0

MISTAKE = 1
"""A user's mistake."""

DIFFERENT = 3
"""A number in a file, or an engine, contradicts the answer."""

STOPPED = 4
"""A limit of time or memory ended the run before the answer was complete."""

INTERRUPTED = 130
"""Ctrl-C or SIGTERM ended the command."""


def exit_status(stopped_by: str, status: str = "") -> int:
    """The exit status of an answer, by the limit that ended it (empty: no limit) and its status."""
    if status == "interrupted":
        return INTERRUPTED
    return STOPPED if stopped_by in ("time", "memory", "states") else DONE


def worse(one: int, other: int) -> int:
    """The exit status of two answers together: a contradiction weighs more than a limit."""
    return DIFFERENT if DIFFERENT in (one, other) else max(one, other)

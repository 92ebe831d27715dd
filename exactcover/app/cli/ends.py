"""The end of a run: its exit status, and the message about the limit that stopped it.

A script must not take an answer that a limit of time or memory cut short for a complete one, so
this answer has its own exit status. A wanted number of solutions is different: a run with `--limit
10` that finds ten has answered the question.
"""

from __future__ import annotations

DONE = 0
DIFFERENT = 3
"""A number in a file, or an engine, contradicts the answer."""

STOPPED = 4
"""A limit of time or memory ended the run before the answer was complete."""

MIB = 1 << 20


def exit_status(stopped_by: str) -> int:
    """The exit status of an answer, by the limit that ended it; empty: no limit."""
    return STOPPED if stopped_by in ("time", "memory") else DONE


def worse(one: int, other: int) -> int:
    """The exit status of two answers together: a contradiction weighs more than a limit."""
    return DIFFERENT if DIFFERENT in (one, other) else max(one, other)


def stopped_words(
    stopped_by: str, *, seconds: float | None = None, solutions: int = 0, memory: int = 0
) -> str:
    """The message about the limit that ended a run: seconds, solutions, or bytes of memory."""
    if stopped_by == "solutions":
        return (
            f"stopped after {solutions:,} {'solution' if solutions == 1 else 'solutions'} (limit)"
        )
    if stopped_by == "memory":
        return f"stopped at {memory / MIB:,.0f} MiB (memory limit)"
    return f"stopped after {seconds or 0:g} s (time limit)"

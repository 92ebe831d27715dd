"""How a run ends: its exit status, and the words for what stopped it before the end.

An answer that a limit of time or memory cut short must not pass for a whole one in a script, so it
has an exit status of its own. A wanted number of solutions is no such limit: whoever says
`--limit 10` and gets ten has the answer to that question.
"""

from __future__ import annotations

DONE = 0
STOPPED = 4
"""A limit of time or memory ended the run before the answer was complete."""

MIB = 1 << 20


def exit_status(stopped_by: str) -> int:
    """The exit status of an answer, by the limit that ended it; empty: none did."""
    return STOPPED if stopped_by in ("time", "memory") else DONE


def stopped_words(
    stopped_by: str, *, seconds: float | None = None, solutions: int = 0, memory: int = 0
) -> str:
    """What ended a run: its limit of seconds, of solutions, or of bytes of memory."""
    if stopped_by == "solutions":
        return f"stopped after {solutions} {'solution' if solutions == 1 else 'solutions'} (limit)"
    if stopped_by == "memory":
        return f"stopped at {memory / MIB:,.0f} MiB (memory limit)"
    return f"stopped after {seconds or 0:g} s (time limit)"

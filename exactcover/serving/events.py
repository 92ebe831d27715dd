"""A run as server-sent events: its state at once, then each change, then its end.

`id:` counts the solutions that were told, so a browser that connects again (`Last-Event-ID`) gets
those that it has not seen. A slow client gets fewer events of progress, and every solution.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from exactcover.serving.searches import Run

ALIVE = 15.0
"""Seconds after which a comment says that the connection still lives."""

PACE = 0.2
"""The least seconds between two events of progress."""

AT_ONCE = 200
"""The most solutions that are told without a pause."""


async def events(run: Run, seen: int) -> AsyncIterator[bytes]:
    """The events of a run.

    seen  how many of its solutions the client has
    """
    told = max(0, min(seen, len(run.found)))
    yield b"retry: 1000\n\n"
    while True:
        changes, over = run.changes, run.over
        yield _event("progress", run, told)
        while told < len(run.found):
            for one in run.found[told : told + AT_ONCE]:
                told += 1
                yield _written("solution", one.said(), told)
            await asyncio.sleep(0)
        if over:
            yield _event("end", run, told)
            return
        while not await _changed(run, changes):
            yield b": the run goes on\n\n"
        await asyncio.sleep(PACE)


async def _changed(run: Run, changes: int) -> bool:
    """Wait for a change; return whether there was one."""
    try:
        async with asyncio.timeout(ALIVE), run.changed:
            await run.changed.wait_for(lambda: run.changes != changes)
    except TimeoutError:
        return False
    return True


def _event(name: str, run: Run, told: int) -> bytes:
    return _written(name, run.progress(), told)


def _written(name: str, value: object, told: int) -> bytes:
    text = json.dumps(value, separators=(",", ":"))
    return f"event: {name}\nid: {told}\ndata: {text}\n\n".encode()

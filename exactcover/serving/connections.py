"""Connections that are given up: clients that say nothing, or do not take what they asked for.

uvicorn closes a connection that is idle after a request. It waits without end for the first
request, for the rest of one, and for a client that does not read; here none of them can last.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from exactcover.serving.bounds import Bounds

LOOK = 1.0
"""Seconds between two looks at a connection."""


class PatientProtocol(H11Protocol):
    """A connection that is looked at each second, and cut off when a limit is over."""

    limits = Bounds()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected."""
        super().connection_made(transport)
        self._idle_since = self.loop.time()
        self._allowed = self.limits.header
        self._stuck_since: float | None = None
        self._look()

    def on_response_complete(self) -> None:
        """An answer was handed to the system; the client may ask again."""
        self._idle_since = self.loop.time()
        self._allowed = self.limits.idle
        super().on_response_complete()

    def pause_writing(self) -> None:
        """The client does not take what is sent."""
        if self._stuck_since is None:
            self._stuck_since = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """The client has taken what was sent."""
        self._stuck_since = None
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self._next.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        """Cut the connection off if a limit is over, else look again later."""
        now = self.loop.time()
        cycle: RequestResponseCycle | None = self.cycle
        busy = cycle is not None and not cycle.response_complete
        late = not busy and now - self._idle_since > self._allowed
        stuck = self._stuck_since is not None and now - self._stuck_since > self.limits.sending
        if late or stuck:
            self.transport.abort()
        self._next = self.loop.call_later(LOOK, self._look)


def protocol_with(limits: Bounds) -> type[Any]:
    """The class of connections with these limits."""
    return type("Connection", (PatientProtocol,), {"limits": limits})

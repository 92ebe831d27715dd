"""The way of an answer to its client: with the headers that all answers have, and in small parts.

A client that reads slowly keeps the answer in memory for as long. So large answers share a room,
and each is handed to its connection in small parts.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from exactcover.serving.bounds import MIB
from exactcover.serving.refusals import Refusal, told

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

CHUNK = 64 * 1024
"""Bytes that are handed to a connection at once."""

LARGE = 256 * 1024
"""Answers of more bytes share `IN_FLIGHT`."""

IN_FLIGHT = 96 * MIB
"""Bytes of all large answers that are being sent."""

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)

POLICY = b"default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"
"""The security policy of what is no page: a picture that is opened by itself runs no script."""


class Room:
    """What large answers take together while they are sent."""

    def __init__(self) -> None:
        self._taken = 0

    def take(self, number: int) -> bool:
        """Whether a large answer may be sent now; `give` must follow."""
        if self._taken + number > max(IN_FLIGHT, number):
            return False
        self._taken += number
        return True

    def give(self, number: int) -> None:
        """A large answer was sent."""
        self._taken -= number


class Passage:
    """The way of one answer to its client: with the headers of all, and in small parts."""

    def __init__(self, room: Room, send: Send) -> None:
        self._room, self._send = room, send
        self._taken = 0
        self._began = self._dropped = False

    async def send(self, message: Message) -> None:
        """Send a message of the application."""
        if self._dropped:
            return
        if message["type"] == "http.response.start":
            length = dict(message.get("headers", ())).get(b"content-length", b"0")
            number = int(length)
            if number > LARGE:
                if not self._room.take(number):
                    self._dropped = True
                    busy = "too many large answers are being sent: ask again in some seconds"
                    await self.refuse(Refusal(503, busy))
                    return
                self._taken = number
            self._began = True
            await self._send({**message, "headers": _with_ours(message.get("headers", ()))})
            return
        body = memoryview(message.get("body", b""))
        more = message.get("more_body", False)
        for start in range(0, len(body), CHUNK):
            part = bytes(body[start : start + CHUNK])
            last = start + CHUNK >= len(body)
            await self._send(
                {"type": "http.response.body", "body": part, "more_body": more or not last}
            )
        if not body:
            await self._send(dict(message))

    async def refuse(self, refusal: Refusal, *, close: bool = False) -> None:
        """Send a refusal, if nothing was sent yet."""
        if self._began:
            return
        self._began = True
        body = told(refusal.message)
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
        ]
        headers += [(b"connection", b"close")] * close
        headers += [(b"retry-after", b"5")] * (refusal.status in (429, 503))
        start = {"type": "http.response.start", "status": refusal.status}
        await self._send({**start, "headers": _with_ours(headers)})
        await self._send({"type": "http.response.body", "body": body})

    def end(self) -> None:
        """The answer was sent, or its client has gone."""
        self._room.give(self._taken)
        self._taken = 0


def _with_ours(headers: Any) -> list[tuple[bytes, bytes]]:
    """The headers of an answer, with those that all answers have."""
    own = list(headers)
    names = {name.lower() for name, _ in own}
    if b"content-security-policy" not in names:
        own.append((b"content-security-policy", POLICY))
    if b"cache-control" not in names:
        own.append((b"cache-control", b"no-store"))
    return [*own, *HEADERS]

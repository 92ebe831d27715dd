"""Who may ask what: every request goes through here before anything reads it.

A page from elsewhere that a user has open can send requests to this server. So the name by which
the server is called (`Host`) must be its own, which stops DNS rebinding; a request from a page
(`Origin`) must come from the server's own pages; and what changes anything must be JSON, which a
foreign page cannot send without asking first. On an address that others can reach, each request
needs a token as well.

It also bounds what a request may hold and what is sent at once, and adds the headers that tell a
browser to load nothing from elsewhere.
"""

from __future__ import annotations

import asyncio
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, MutableMapping
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qs

from exactcover.serving.bounds import MIB, Bounds
from exactcover.serving.refusals import Refusal, told

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

CHUNK = 64 * 1024
"""Bytes that are handed to a connection at once."""

LARGE = 256 * 1024
"""Answers of more bytes share `IN_FLIGHT`."""

IN_FLIGHT = 96 * MIB
"""Bytes of all large answers that are being sent."""

DRAINED, DRAINING = 256 * MIB, 5.0
"""Bytes and seconds of a request that is too large which are read and dropped, so that its client
comes to read the refusal."""

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
POLICY = b"default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"
"""The security policy of what is no page: a picture that is opened by itself runs no script."""


class Guard:
    """What stands before the application.

    host, port  where the server listens
    token       that each request needs; empty: none
    """

    def __init__(self, app: App, *, host: str, port: int, token: str, limits: Bounds) -> None:
        self._app, self._limits = app, limits
        self._host, self._port, self._token = host.strip("[]").lower(), port, token
        self._sending = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return
        passage = _Passage(self, send)
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        try:
            self._check(scope, headers)
            if scope["path"] == "/" and self._token and b"token=" in scope["query_string"]:
                await self._let_in(scope, passage)
                return
            self._check_token(scope, headers)
            given = await self._body(scope, headers, receive)
            await self._app(scope, _given(given, receive), passage.send)
        except Refusal as refusal:
            await passage.refuse(refusal, close=refusal.status in (408, 413))
        finally:
            passage.end()

    # -- who asks -----------------------------------------------------------------------------

    def _check(self, scope: Scope, headers: dict[bytes, str]) -> None:
        host = headers.get(b"host", "").lower()
        if not self._is_own(host):
            raise Refusal(
                421, f"this server is not called {host[:80]!r}: open it as {self.address}"
            )
        origin = headers.get(b"origin")
        foreign = headers.get(b"sec-fetch-site") == "cross-site" and scope["path"] != "/"
        if foreign or (origin is not None and origin.lower() != f"http://{host}"):
            raise Refusal(403, "this server answers its own pages only, and no page from elsewhere")
        kind = headers.get(b"content-type", "").partition(";")[0].strip().lower()
        if scope["method"] not in ("GET", "HEAD", "DELETE") and kind != "application/json":
            raise Refusal(415, "send JSON, with the header Content-Type: application/json")

    @property
    def address(self) -> str:
        """The address of the page."""
        name = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{'localhost' if self._is_wild else name}:{self._port}/"

    @property
    def _is_wild(self) -> bool:
        """Whether the server listens at every address of the computer."""
        return self._host in ("", "0.0.0.0", "::")

    def _is_own(self, host: str) -> bool:
        """Whether the server is called so; a number cannot be rebound, so any will do for all."""
        name, colon, port = host.rpartition(":")
        if not colon or not port.isdecimal():
            name, port = host, "80"
        if port != str(self._port):
            return False
        return name in LOOPBACK or _plain(name) == self._host or (self._is_wild and _is_ip(name))

    @property
    def cookie(self) -> str:
        """The name of the cookie with the token: servers on other ports have their own."""
        return f"exactcover-{self._port}"

    @property
    def _kept(self) -> str:
        """The token as the cookie has it."""
        return urlsafe_b64encode(self._token.encode()).decode().rstrip("=")

    def _check_token(self, scope: Scope, headers: dict[bytes, str]) -> None:
        if not self._token:
            return
        said = headers.get(b"authorization", "")
        bearer = said.lower().startswith("bearer ")
        given, right = (said[7:], self._token) if bearer else (self._in_cookie(headers), self._kept)
        if not compare_digest(given.encode(), right.encode()):
            raise Refusal(
                401,
                "this server needs its token: open the address that it printed, or send the header "
                "Authorization: Bearer TOKEN",
            )

    def _in_cookie(self, headers: dict[bytes, str]) -> str:
        try:
            cookies = SimpleCookie(headers.get(b"cookie", "")[:4096])
        except CookieError:
            return ""
        return cookies[self.cookie].value if self.cookie in cookies else ""

    async def _let_in(self, scope: Scope, passage: _Passage) -> None:
        """Take the token from the address, and keep it in a cookie that no script can read."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        given = query.get("token", [""])[0]
        if not compare_digest(given.encode("utf-8", "replace"), self._token.encode()):
            raise Refusal(401, "this is not the token of this server: open the address it printed")
        cookie = f"{self.cookie}={self._kept}; HttpOnly; SameSite=Strict; Path=/"
        headers = [(b"location", b"/"), (b"set-cookie", cookie.encode()), (b"content-length", b"0")]
        await passage.send({"type": "http.response.start", "status": 303, "headers": headers})
        await passage.send({"type": "http.response.body", "body": b""})

    # -- how much -----------------------------------------------------------------------------

    async def _body(self, scope: Scope, headers: dict[bytes, str], receive: Receive) -> bytes:
        """The body of a request, which must come soon and be small enough."""
        if scope["method"] in ("GET", "HEAD"):
            return b""
        limit = self._limits.body
        length = headers.get(b"content-length", "0")
        if len(length) > 18 or (length.isdecimal() and int(length) > limit):
            await self._drain(receive)
            raise self._too_large(limit)
        body = bytearray()
        try:
            async with asyncio.timeout(self._limits.header):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Refusal(400, "the client has gone")
                    body += message.get("body", b"")
                    if len(body) > limit:
                        del body[:]
                        await self._drain(receive)
                        raise self._too_large(limit)
                    if not message.get("more_body"):
                        return bytes(body)
        except TimeoutError:
            limit_of_time = f"{self._limits.header:g} s"
            raise Refusal(408, f"the request did not arrive within {limit_of_time}") from None

    def _too_large(self, limit: int) -> Refusal:
        return Refusal(
            413, f"the request is larger than {limit / MIB:g} MiB, the most that is read"
        )

    async def _drain(self, receive: Receive) -> None:
        """Read and drop the rest of a request, as far as that is reasonable."""
        dropped = 0
        try:
            async with asyncio.timeout(DRAINING):
                while dropped < DRAINED:
                    message = await receive()
                    dropped += len(message.get("body", b""))
                    if not message.get("more_body"):
                        return
        except TimeoutError:
            return

    def take_room(self, number: int) -> bool:
        """Whether a large answer may be sent now; `give_room` must follow."""
        if self._sending + number > max(IN_FLIGHT, number):
            return False
        self._sending += number
        return True

    def give_room(self, number: int) -> None:
        """A large answer was sent."""
        self._sending -= number


class _Passage:
    """The way of one answer to its client: with the headers of all, and in small parts."""

    def __init__(self, guard: Guard, send: Send) -> None:
        self._guard, self._send = guard, send
        self._room = 0
        self._began = self._dropped = False

    async def send(self, message: Message) -> None:
        """Send a message of the application."""
        if self._dropped:
            return
        if message["type"] == "http.response.start":
            length = dict(message.get("headers", ())).get(b"content-length", b"0")
            number = int(length)
            if number > LARGE:
                if not self._guard.take_room(number):
                    self._dropped = True
                    busy = "too many large answers are being sent: ask again in some seconds"
                    await self.refuse(Refusal(503, busy))
                    return
                self._room = number
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
        self._guard.give_room(self._room)
        self._room = 0


def _with_ours(headers: Any) -> list[tuple[bytes, bytes]]:
    """The headers of an answer, with those that all answers have."""
    own = list(headers)
    names = {name.lower() for name, _ in own}
    if b"content-security-policy" not in names:
        own.append((b"content-security-policy", POLICY))
    if b"cache-control" not in names:
        own.append((b"cache-control", b"no-store"))
    return [*own, *HEADERS]


def _given(body: bytes, receive: Receive) -> Receive:
    """A way to receive a body that was read already, and then whether the client has gone."""
    waiting = [body]

    async def received() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return received


def _plain(name: str) -> str:
    return name.removeprefix("[").removesuffix("]")


def _is_ip(name: str) -> bool:
    try:
        ip_address(_plain(name))
    except ValueError:
        return False
    return True

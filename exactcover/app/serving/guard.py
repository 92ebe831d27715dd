"""The access rules: every request passes here before anything reads it.

A page from elsewhere that a user has open can send requests to this server. So the name by which
the server is called (`Host`) must be its own, which stops DNS rebinding; a request from a page
(`Origin`) must come from the server's own pages; and a request that changes anything must be JSON,
which a foreign page cannot send without a CORS preflight. On an address that others can reach, each
request needs a token as well.

The guard also limits the body of a request, and adds the headers that let a browser load nothing
from elsewhere.
"""

from __future__ import annotations

import asyncio
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qs

from exactcover.app.serving import MIB, Bounds, Refusal

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

DRAINED = 256 * MIB
"""Bytes of a request that is too large which are read and dropped, so that its client comes to read
the refusal."""

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
"""The headers of every answer."""

USUAL = {
    b"content-security-policy": b"default-src 'none'; style-src 'unsafe-inline'; sandbox; "
    b"frame-ancestors 'none'",
    b"cache-control": b"no-store",
}
"""Headers of an answer that does not have its own: a picture that is opened by itself runs no
script, and nothing is kept."""


class Guard:
    """The application behind its checks.

    host, port  where the server listens
    token       that each request needs; empty: none
    """

    def __init__(self, app: App, *, host: str, port: int, token: str, limits: Bounds) -> None:
        self._app, self._limits = app, limits
        self._host, self._port, self._token = host.strip("[]").lower(), port, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name.lower(): value for name, value in message.get("headers", ())}
                message = {**message, "headers": [*(USUAL | own).items(), *HEADERS]}
            await send(message)

        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        try:
            self._check(scope, headers)
            if scope["path"] == "/" and self._token and b"token=" in scope["query_string"]:
                await self._let_in(scope, sending)
                return
            self._check_token(headers)
            body = await self._body(scope, headers, receive)
        except Refusal as refusal:
            given = [(b"content-type", b"application/json")]
            given += [(b"connection", b"close")] * (refusal.status in (408, 413))
            await _answer(sending, refusal.status, given, refusal.answer.body)
        else:
            await self._app(scope, _after(body, receive), sending)

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
        """Whether this is a name of the server. A number cannot be rebound, so a server that
        listens at every address answers to any."""
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

    def _check_token(self, headers: dict[bytes, str]) -> None:
        if not self._token:
            return
        sent = headers.get(b"authorization", "")
        bearer = sent.lower().startswith("bearer ")
        given, right = (sent[7:], self._token) if bearer else (self._in_cookie(headers), self._kept)
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

    async def _let_in(self, scope: Scope, send: Send) -> None:
        """Take the token from the address, and keep it in a cookie that no script can read."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        given = query.get("token", [""])[0]
        if not compare_digest(given.encode("utf-8", "replace"), self._token.encode()):
            raise Refusal(401, "this is not the token of this server: open the address it printed")
        # Lax, not Strict: a link to the address in a message must work, too.
        cookie = f"{self.cookie}={self._kept}; HttpOnly; SameSite=Lax; Path=/"
        await _answer(send, 303, [(b"location", b"/"), (b"set-cookie", cookie.encode())], b"")

    # -- how much -----------------------------------------------------------------------------

    async def _body(self, scope: Scope, headers: dict[bytes, str], receive: Receive) -> bytes:
        """The body of a request, which must come soon and be small enough."""
        if scope["method"] in ("GET", "HEAD"):
            return b""
        length = headers.get(b"content-length", "0")
        announced = len(length) > 18 or (length.isdecimal() and int(length) > self._limits.body)
        body, read = bytearray(), 0
        message: Message = {"more_body": True}
        with suppress(TimeoutError):
            async with asyncio.timeout(self._limits.header):
                while read < DRAINED:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Refusal(400, "the client has gone")
                    part = message.get("body", b"")
                    read += len(part)
                    if announced or read > self._limits.body:
                        announced = True
                        body.clear()
                    else:
                        body += part
                    if not message.get("more_body"):
                        break
        if announced:
            limit = f"{self._limits.body / MIB:g} MiB"
            raise Refusal(
                413,
                f"the request is larger than {limit}, the most that is read: start the server with "
                "a higher --size",
            )
        if message.get("more_body"):
            seconds = f"{self._limits.header:g} s"
            raise Refusal(408, f"the request did not arrive within {seconds}")
        return bytes(body)


async def _answer(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    """Send a whole answer."""
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})


def _after(body: bytes, receive: Receive) -> Receive:
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

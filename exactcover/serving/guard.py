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
from collections.abc import Awaitable, Callable
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from urllib.parse import parse_qs

from exactcover.serving.bounds import MIB, Bounds
from exactcover.serving.passage import Message, Passage, Receive, Room, Scope, Send
from exactcover.serving.refusals import Refusal

App = Callable[[Scope, Receive, Send], Awaitable[None]]

DRAINED, DRAINING, QUIET = 256 * MIB, 20.0, 3.0
"""Bytes and seconds of a request that is too large which are read and dropped, so that its client
comes to read the refusal; and the seconds of silence after which it is sent at once."""

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


class Guard:
    """What stands before the application.

    host, port  where the server listens
    token       that each request needs; empty: none
    """

    def __init__(self, app: App, *, host: str, port: int, token: str, limits: Bounds) -> None:
        self._app, self._limits = app, limits
        self._host, self._port, self._token = host.strip("[]").lower(), port, token
        self._room = Room()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return
        passage = Passage(self._room, send)
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

    async def _let_in(self, scope: Scope, passage: Passage) -> None:
        """Take the token from the address, and keep it in a cookie that no script can read."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        given = query.get("token", [""])[0]
        if not compare_digest(given.encode("utf-8", "replace"), self._token.encode()):
            raise Refusal(401, "this is not the token of this server: open the address it printed")
        # Lax, not Strict: whoever follows a link to the address from a message keeps it, too.
        cookie = f"{self.cookie}={self._kept}; HttpOnly; SameSite=Lax; Path=/"
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
                    async with asyncio.timeout(QUIET):
                        message = await receive()
                    dropped += len(message.get("body", b""))
                    if not message.get("more_body"):
                        return
        except TimeoutError:
            return


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

"""The access rules: every request passes here before anything reads it.

A page from elsewhere that a user has open can send requests to this server. So the name by which
the server is called (`Host`) must be its own, which stops DNS rebinding; a request from a page
(`Origin`) must come from the server's own pages; and a request that changes anything must be JSON,
which a foreign page cannot send without a CORS preflight. A server may require a token as
well, which other users of the computer do not have.

The guard also limits the body of a request, and adds the headers that let a browser load nothing
from elsewhere.
"""

from __future__ import annotations

import asyncio
from base64 import urlsafe_b64encode
from hmac import compare_digest

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from exactcover.app.serving import JSON, MIB, Bounds, Refusal

DRAINED = 256 * MIB
"""Bytes of a request that is too large which are read and dropped, so that its client comes to read
the refusal."""

HOST = "127.0.0.1"
"""The address that the server listens at: no other computer can reach it."""

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; "
    "frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
"""The headers of an answer that does not have its own: a picture that is opened by itself runs no
script, and nothing is kept."""


class Guard:
    """The application behind its checks.

    port   where the server listens
    token  that each request needs; empty: none
    """

    def __init__(self, app: ASGIApp, *, port: int, token: str, limits: Bounds) -> None:
        self._app, self._limits = app, limits
        self._port, self._token = port, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        request = Request(scope, receive)
        answer: ASGIApp = self._app
        try:
            self._check(request)
            if scope["path"] == "/" and self._token and "token" in request.query_params:
                answer = self._let_in(request)
            else:
                self._check_token(request)
                receive = _after(await self._body(request), receive)
        except Refusal as refusal:
            closing = {"Connection": "close"} if refusal.status in (408, 413) else {}
            answer = Response(refusal.answer.body, refusal.status, closing, JSON)
        await answer(scope, receive, sending)

    # -- who asks -----------------------------------------------------------------------------

    def _check(self, request: Request) -> None:
        headers = request.headers
        host = headers.get("host", "").lower()
        if host not in (f"{HOST}:{self._port}", f"localhost:{self._port}"):
            raise Refusal(
                421, f"this server is not called {host[:80]!r}: open it as {self.address}"
            )
        origin = headers.get("origin")
        foreign = headers.get("sec-fetch-site") == "cross-site" and request.scope["path"] != "/"
        if foreign or (origin is not None and origin.lower() != f"http://{host}"):
            raise Refusal(403, "this server answers its own pages only, and no page from elsewhere")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if request.method not in ("GET", "HEAD", "DELETE") and kind != "application/json":
            raise Refusal(415, "send JSON, with the header Content-Type: application/json")

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self._port}/"

    @property
    def cookie(self) -> str:
        """The name of the cookie with the token: servers on other ports have their own."""
        return f"exactcover-{self._port}"

    @property
    def _kept(self) -> str:
        """The token as the cookie has it."""
        return urlsafe_b64encode(self._token.encode()).decode().rstrip("=")

    def _check_token(self, request: Request) -> None:
        if not self._token:
            return
        sent = request.headers.get("authorization", "")
        if sent.lower().startswith("bearer "):
            given, right = sent[7:], self._token
        else:
            given, right = request.cookies.get(self.cookie, ""), self._kept
        if not compare_digest(given.encode(), right.encode()):
            raise Refusal(
                401,
                "this server needs its token: open the address that it printed, or send the header "
                "Authorization: Bearer TOKEN",
            )

    def _let_in(self, request: Request) -> Response:
        """Take the token from the address, and keep it in a cookie that no script can read."""
        given = request.query_params["token"]
        if not compare_digest(given.encode("utf-8", "replace"), self._token.encode()):
            raise Refusal(401, "this is not the token of this server: open the address it printed")
        # Lax, not Strict: a link to the address in a message must work, too.
        cookie = f"{self.cookie}={self._kept}; HttpOnly; SameSite=Lax; Path=/"
        return RedirectResponse("/", 303, {"Set-Cookie": cookie})

    # -- how much -----------------------------------------------------------------------------

    async def _body(self, request: Request) -> bytes:
        """The body of a request, which must come soon and be small enough."""
        if request.method in ("GET", "HEAD"):
            return b""
        length = request.headers.get("content-length", "0")
        too_large = len(length) > 18 or (length.isdecimal() and int(length) > self._limits.body)
        body, read, late = bytearray(), 0, False
        try:
            async with asyncio.timeout(self._limits.header):
                async for part in request.stream():
                    read += len(part)
                    too_large |= read > self._limits.body
                    if too_large:
                        body.clear()
                    else:
                        body += part
                    if read >= DRAINED:
                        break
        except TimeoutError:
            late = True
        except ClientDisconnect:
            raise Refusal(400, "the client has gone") from None
        if too_large:
            limit = f"{self._limits.body / MIB:g} MiB"
            raise Refusal(
                413,
                f"the request is larger than {limit}, the most that is read: start the server with "
                "a higher --size",
            )
        if late:
            seconds = f"{self._limits.header:g} s"
            raise Refusal(408, f"the request did not arrive within {seconds}")
        return bytes(body)


def _after(body: bytes, receive: Receive) -> Receive:
    """A way to receive a body that was read already, and then whether the client has gone."""
    waiting = [body]

    async def received() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return received

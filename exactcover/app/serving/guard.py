"""The access rules: every request passes here before anything reads it.

A page from elsewhere that a user has open can send requests to this server. So the name by which
the server is called (`Host`) must be its own, which stops DNS rebinding; a request from a page
(`Origin`) must come from the server's own pages; and a request that changes anything must be JSON,
which a foreign page cannot send without a CORS preflight. Other users of the computer, who can
reach its ports, do not have the token.

The guard also limits the body of a request, and adds the headers that let a browser load nothing
from elsewhere. `Connection` limits how long a client may take to send the head of a request.
"""

from __future__ import annotations

import asyncio
from hmac import compare_digest
from typing import Any
from urllib.parse import quote

from h11 import IDLE
from starlette.datastructures import MutableHeaders
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

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
    token  that each request needs
    """

    def __init__(self, app: ASGIApp, *, port: int, token: str, limits: Bounds) -> None:
        self._app, self._limits = app, limits
        self._token = quote(token, safe="")  # as a cookie can hold it
        self._own = TrustedHostMiddleware(self._checked, [HOST, "localhost"], www_redirect=False)
        self.address = f"http://{HOST}:{port}/?token={self._token}"
        # Servers on other ports have cookies of their own.
        self._cookie = f"exactcover-{port}"

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

        await self._own(scope, receive, sending)

    async def _checked(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        answer: ASGIApp = self._app
        try:
            self._check_origin(request)
            if scope["path"] == "/" and "token" in request.query_params:
                self._check_token(request.query_params["token"])
                # Lax, not Strict: a link to the address in a message must work, too.
                cookie = f"{self._cookie}={self._token}; HttpOnly; SameSite=Lax; Path=/"
                answer = RedirectResponse("/", 303, {"Set-Cookie": cookie})
            else:
                sent = request.headers.get("authorization", "")
                bearer = sent[7:] if sent.lower().startswith("bearer ") else None
                self._check_token(bearer, request.cookies.get(self._cookie, ""))
                receive = _after(await self._body(request), receive)
        except Refusal as refusal:
            closing = {"Connection": "close"} if refusal.status in (408, 413) else {}
            answer = Response(refusal.answer.body, refusal.status, closing, JSON)
        await answer(scope, receive, send)

    def _check_origin(self, request: Request) -> None:
        headers = request.headers
        origin, own = headers.get("origin"), f"http://{headers['host'].lower()}"
        foreign = headers.get("sec-fetch-site") == "cross-site" and request.scope["path"] != "/"
        if foreign or (origin is not None and origin.lower() != own):
            raise Refusal(403, "this server answers its own pages only, and no page from elsewhere")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if request.method not in ("GET", "HEAD", "DELETE") and kind != "application/json":
            raise Refusal(415, "send JSON, with the header Content-Type: application/json")

    def _check_token(self, given: str | None, cookie: str = "") -> None:
        """Compare the token of a request, or else that of its cookie."""
        said = cookie if given is None else quote(given, safe="", errors="replace")
        if not compare_digest(said.encode(), self._token.encode()):
            raise Refusal(
                401,
                "this server needs its token: open the address that it printed, or send the header "
                "Authorization: Bearer TOKEN",
            )

    async def _body(self, request: Request) -> bytes:
        """The body of a request, which must come soon and be small enough."""
        if request.method in ("GET", "HEAD"):
            return b""
        body, read, most = bytearray(), 0, self._limits.body
        try:
            async with asyncio.timeout(self._limits.arrival):
                async for part in request.stream():
                    read += len(part)
                    if read <= most:
                        body += part
                    elif read >= DRAINED:
                        break
        except TimeoutError:
            seconds = f"{self._limits.arrival:g} s"
            raise Refusal(408, f"the request did not arrive within {seconds}") from None
        except ClientDisconnect:
            raise Refusal(400, "the client has gone") from None
        if read > most:
            raise Refusal(
                413,
                f"the request is larger than {most / MIB:g} MiB, the most that is read: start the "
                "server with a higher --size",
            )
        return bytes(body)


def _after(body: bytes, receive: Receive) -> Receive:
    """A way to receive a body that was read already, and then whether the client has gone."""
    waiting = [body]

    async def received() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return received


class Connection(H11Protocol):
    """A connection that is closed if the head of a request does not arrive in time: uvicorn lets
    it stay half sent for ever, in the place of another one."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._late = self.loop.call_later(Bounds.arrival, transport.close)

    def data_received(self, data: bytes) -> None:
        """Wait on, unless the head is complete."""
        super().data_received(data)
        if self.conn.their_state is not IDLE:
            if self._late is not None:
                self._late.cancel()
            self._late = None
        elif self._late is None:
            self._late = self.loop.call_later(Bounds.arrival, self.transport.close)

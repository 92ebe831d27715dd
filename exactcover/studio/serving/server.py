"""The application: access rules, the page, and one address for each question.

A page from elsewhere that a user has open can send requests to this server. So the name by which
the server is called (`Host`) must be its own, which stops DNS rebinding; a request from a page
(`Origin`) must come from the server's own pages; and a question must be JSON, which a foreign page
cannot send without a CORS preflight. Other users of the computer, who can reach its ports, do not
have the token.

The server process does no puzzle work, so that it always answers soon.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from functools import partial
from hmac import compare_digest
from importlib.resources import files
from logging import getLogger
from secrets import token_urlsafe
from types import FrameType
from typing import Any
from urllib.parse import quote

import uvicorn
from h11 import IDLE
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from exactcover.errors import ExactCoverError
from exactcover.show.document import IN_SPACE, page
from exactcover.studio.serving.pool import MIB, Limits, Message, ProcessPool, Refusal
from exactcover.studio.serving.shelf import listed

HOST = "127.0.0.1"
"""The address that the server listens at: no other computer can reach it."""

QUESTION = 20.0
"""Seconds that a question other than a search may take."""

ARRIVAL = 10.0
"""Seconds in which a request must come."""

DROPPED = 256 * MIB
"""Bytes of a request that is too large which are read and dropped, so that its client comes to read
the refusal."""

CLIENTS = 128
"""Connections at once."""

PICTURES = 512
"""Pictures of the shelf that are kept."""

ASKED = ("open", "shelf", "draft", "region", "pieces", "model", "play", "left", "file")
"""The questions that have one answer; `solve` has a stream of lines."""

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


class Server:
    """The local page, for this computer alone.

    port    Default: 0, any that is free
    token   that each request needs. Default: "", one made at random
    limits  Default: those of `Limits`
    """

    def __init__(self, port: int = 0, *, token: str = "", limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._socket = _listening(port)
        self.port = int(self._socket.getsockname()[1])
        self._token = quote(token or token_urlsafe(16), safe="")  # as a cookie can hold it
        self.address = f"http://{HOST}:{self.port}/?token={self._token}"

    def run(self, ready: Callable[[], object], ending: Callable[[], object]) -> None:
        """Answer requests until Ctrl-C or SIGTERM; then end all processes at once.

        ready   called once requests are answered
        ending  called when a signal ends it
        """
        asyncio.run(self._serve(ready, ending))

    async def _serve(self, ready: Callable[[], object], ending: Callable[[], object]) -> None:
        pool = ProcessPool(self.limits)
        config = uvicorn.Config(
            application(pool, self.port, self._token),
            http=Connection,
            ws="none",
            lifespan="off",
            log_level="critical",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            limit_concurrency=CLIENTS,
            timeout_keep_alive=int(ARRIVAL),
            # From Python 3.12 on it would wait for every connection, also for pages that search.
            timeout_graceful_shutdown=1,
        )
        try:
            await _StoppingServer(config, ready, ending).serve(sockets=[self._socket])
        finally:
            await pool.close()
            self._socket.close()


class Connection(H11Protocol):
    """A connection that is closed if the head of a request does not come in time: uvicorn would
    wait for ever, in the place of another client."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._late = self.loop.call_later(ARRIVAL, transport.close)

    def data_received(self, data: bytes) -> None:
        """Wait on for the same time, unless the head is complete."""
        super().data_received(data)
        if self.conn.their_state is not IDLE:
            if self._late is not None:
                self._late.cancel()
            self._late = None
        elif self._late is None:
            self._late = self.loop.call_later(ARRIVAL, self.transport.close)


class _StoppingServer(uvicorn.Server):
    """A server that says when it is ready, and stops at once: it does not wait for pages that
    search."""

    def __init__(
        self, config: uvicorn.Config, ready: Callable[[], object], ending: Callable[[], object]
    ) -> None:
        super().__init__(config)
        self._ready, self._ending = ready, ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer requests."""
        await super().startup(sockets)
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ctrl-C, or SIGTERM."""
        self._ending()
        super().handle_exit(sig, frame)
        self.force_exit = True


def _listening(port: int) -> socket.socket:
    """A socket that listens at this computer; raises `ExactCoverError` if it cannot."""
    made = socket.socket()
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((HOST, port))
    except OSError as error:
        made.close()
        raise ExactCoverError(
            f"cannot listen at {HOST}:{port}: {error.strerror}; --port 0 takes a free port"
        ) from None
    made.setblocking(False)
    return made


# -- the application ------------------------------------------------------------------------------


def application(pool: ProcessPool, port: int, token: str) -> Starlette:
    """The application behind its access rules."""
    living = living_page()
    pictures: dict[tuple[str, bool], bytes] = {}

    async def first(request: Request) -> Response:
        # The page has its own policy; a frame is what it cannot forbid itself.
        return HTMLResponse(living, headers={"Content-Security-Policy": "frame-ancestors 'none'"})

    async def shelf(request: Request) -> Response:
        return _response(Message.of(listed()))

    async def picture(request: Request) -> Response:
        name, dark = request.path_params["name"], request.query_params.get("dark") == "1"
        if (name, dark) not in pictures:
            asked = json.dumps({"name": name, "dark": dark}).encode()
            message = await pool.answer("shelf-picture", asked, QUESTION)
            if message.status != 200:
                return _response(message)
            while len(pictures) >= PICTURES:
                del pictures[next(iter(pictures))]
            pictures[name, dark] = message.body
        kept = {"Cache-Control": "private, max-age=3600"}
        return Response(pictures[name, dark], headers=kept, media_type="image/svg+xml")

    async def ask(request: Request, question: str) -> Response:
        return _response(await pool.answer(question, await _body(request, pool.limits), QUESTION))

    async def solve(request: Request) -> Response:
        body, seconds = await _body(request, pool.limits), pool.limits.seconds
        messages = pool.messages("solve", body, seconds, search=True)
        return StreamingResponse(_lines(messages), media_type="application/x-ndjson")

    questions = [
        Route(f"/api/{one}", partial(ask, question=one), methods=["POST"]) for one in ASKED
    ]
    app = Starlette(
        routes=[
            Route("/", first),
            Route("/api/shelf", shelf, methods=["GET"]),
            Route("/api/shelf/{name:path}.svg", picture),
            *questions,
            Route("/api/solve", solve, methods=["POST"]),
        ],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"]),
            Middleware(Guard, port=port, token=token),
        ],
        exception_handlers=dict.fromkeys((Refusal, HTTPException, Exception), _refused),
    )
    app.router.redirect_slashes = False
    return app


def living_page() -> str:
    """The page, in one answer: as files its modules, which import each other, would come in several
    journeys, one after the other."""
    folder = files("exactcover.studio.serving") / "page"
    made = page(
        "exactcover",
        (folder / "body.html").read_text("utf-8"),
        main="page/main.js",
        data={"landing": json.loads((folder / "landing.json").read_text("utf-8"))},
        styles=("board.css", "studio.css", "play.css"),
        folder=folder,
        later=IN_SPACE,
        asks=True,
    )
    return made.html


async def _body(request: Request, limits: Limits) -> bytes:
    """The body of a request, which must come soon and be small enough."""
    body, read = bytearray(), 0
    try:
        async with asyncio.timeout(ARRIVAL):
            async for part in request.stream():
                read += len(part)
                if read <= limits.size:
                    body += part
                elif read > DROPPED:
                    break
    except TimeoutError:
        raise Refusal(408, f"the request did not arrive within {ARRIVAL:g} s") from None
    except ClientDisconnect:
        raise Refusal(400, "the client has gone") from None
    if read > limits.size:
        raise Refusal(
            413,
            f"the request is larger than {limits.size / MIB:g} MiB, the most that is read: start "
            "the server with a higher --size",
        )
    return bytes(body)


async def _lines(messages: AsyncIterator[Message]) -> AsyncIterator[bytes]:
    """Messages as lines of JSON; a refusal is a line, too."""
    try:
        async for message in messages:
            yield message.body + b"\n"
    except Refusal as refusal:
        yield Message.refusing(refusal).body + b"\n"


def _response(message: Message) -> Response:
    headers = {}
    if message.name:
        headers["Content-Disposition"] = f'attachment; filename="{message.name}"'
    return Response(message.body, message.status, headers, message.kind)


async def _refused(request: Request, error: Exception) -> Response:
    """The answer to a request that is refused, to one for nothing, or after a mistake of ours."""
    if isinstance(error, Refusal):
        refusal = error
    elif isinstance(error, HTTPException):
        path = request.url.path[:80]
        allowed = f"{request.method} is not for {path!r}"
        message = allowed if error.status_code == 405 else f"there is nothing at {path!r}"
        refusal = Refusal(error.status_code, message)
    else:
        getLogger(__name__).error("a mistake in the server", exc_info=error)
        refusal = Refusal(500, "the server has made a mistake; its terminal says which")
    answer = _response(Message.refusing(refusal))
    if refusal.status in (408, 413):
        answer.headers["Connection"] = "close"
    return answer


# -- access ---------------------------------------------------------------------------------------


class Guard:
    """The application behind its checks of the origin and the token.

    port   where the server listens: servers on other ports have cookies of their own
    token  that each request needs
    """

    def __init__(self, app: ASGIApp, port: int, token: str) -> None:
        self._app, self._token, self._cookie = app, token, f"exactcover-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return

        async def sending(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        request, answer = Request(scope), self._app
        try:
            _check_origin(request)
            if scope["path"] == "/" and "token" in request.query_params:
                self._check_token(request.query_params["token"])
                # Lax, not Strict: a link to the address in a message must work, too.
                cookie = f"{self._cookie}={self._token}; HttpOnly; SameSite=Lax; Path=/"
                answer = RedirectResponse("/", 303, {"Set-Cookie": cookie})
            else:
                sent = request.headers.get("authorization", "")
                bearer = sent[7:] if sent.lower().startswith("bearer ") else None
                self._check_token(bearer, request.cookies.get(self._cookie, ""))
        except Refusal as refusal:
            answer = _response(Message.refusing(refusal))
        await answer(scope, receive, sending)

    def _check_token(self, given: str | None, cookie: str = "") -> None:
        """Compare the token of a request, or else that of its cookie."""
        said = cookie if given is None else quote(given, safe="", errors="replace")
        if not compare_digest(said.encode(), self._token.encode()):
            raise Refusal(
                401,
                "this server needs its token: open the address that it printed, or send the header "
                "Authorization: Bearer TOKEN",
            )


def _check_origin(request: Request) -> None:
    headers = request.headers
    origin, own = headers.get("origin"), f"http://{headers.get('host', '').lower()}"
    foreign = headers.get("sec-fetch-site") == "cross-site" and request.url.path != "/"
    if foreign or (origin is not None and origin.lower() != own):
        raise Refusal(403, "this server answers its own pages only, and no page from elsewhere")
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if request.method not in ("GET", "HEAD") and kind != "application/json":
        raise Refusal(415, "send JSON, with the header Content-Type: application/json")

"""The server as a whole: the application behind its guard, its sockets and its children.

The files that a browser loads are those of two folders, which Starlette sends.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
from base64 import b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from logging import getLogger
from mimetypes import add_type
from pathlib import Path
from secrets import token_urlsafe
from types import FrameType
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from exactcover.app.serving import JSON, Bounds, Refusal
from exactcover.app.serving.children import Questions
from exactcover.app.serving.guard import HOST, Connection, Guard
from exactcover.app.serving.interface import Api, api_routes
from exactcover.app.serving.runs import Runs
from exactcover.errors import ExactCoverError

if TYPE_CHECKING:
    from exactcover.formats import Document

BACKLOG = 128


class Server:
    """The local page, for this computer alone.

    port    Default: 0, any that is free
    token   that each request needs. Default: "", one made at random
    limits  Default: those of `Bounds`
    """

    def __init__(self, port: int = 0, *, token: str = "", limits: Bounds | None = None) -> None:
        self.limits = limits or Bounds()
        self._socket = listening(port)
        self.port = int(self._socket.getsockname()[1])
        self.questions = Questions(self.limits)
        self.runs = Runs(self.limits)
        app = application(self.questions, self.runs)
        made = token or token_urlsafe(16)
        self._guard = Guard(app, port=self.port, token=made, limits=self.limits)
        self.address = self._guard.address

    def run(self, ready: Callable[[], object], ending: Callable[[], object]) -> None:
        """Answer requests until Ctrl-C or SIGTERM; then end all children at once.

        ready   called once requests are answered
        ending  called when a signal ends it
        """
        asyncio.run(self._serve(ready, ending))

    async def _serve(self, ready: Callable[[], object], ending: Callable[[], object]) -> None:
        config = uvicorn.Config(
            self._guard,
            http=Connection,
            ws="none",
            lifespan="off",
            log_level="critical",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            limit_concurrency=self.limits.clients,
            timeout_keep_alive=int(self.limits.idle),
            backlog=BACKLOG,
            # From Python 3.12 on it would wait for every connection, also for pages that listen.
            timeout_graceful_shutdown=1,
        )
        running = _StoppingServer(config, ready, ending)
        warming = asyncio.create_task(self.questions.warm())
        try:
            await running.serve(sockets=[self._socket])
        finally:
            warming.cancel()
            children = [*self.runs.children, *self.questions.children]
            for child in children:
                child.kill()
            for child in children:
                await child.gone()
            self._socket.close()


class _StoppingServer(uvicorn.Server):
    """A server that says when it is ready, and stops at once: it does not wait for pages that
    listen."""

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


def listening(port: int) -> socket.socket:
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


def posted(server: Server, document: Document) -> str:
    """Let a server keep a puzzle; return the end of the address that opens it."""
    from exactcover.app.serving.client_puzzles import ClientPuzzle

    try:
        one = ClientPuzzle.of(document)
    except Refusal as refusal:
        raise ExactCoverError(f"{document.name}: {refusal.message}") from None
    server.questions.kept.keep({one.id: one.text})
    return one.link


# -- the application ------------------------------------------------------------------------------


def application(questions: Questions, runs: Runs) -> Starlette:
    """The application: the interface and the files of the page."""
    serving = files("exactcover.app.serving")
    assets = files("exactcover.show") / "assets"
    page = PageFiles(directory=str(serving / "page"))

    async def first(request: Request) -> Response:
        return await page.get_response("index.html", request.scope)

    routes = [
        *api_routes(Api(questions, runs, *shelved(serving))),
        Route("/", first),
        Mount("/page", page),
        Mount("/assets", PageFiles(directory=str(assets))),
    ]
    faults = dict.fromkeys((Refusal, ExactCoverError, HTTPException, Exception), _refused)
    app = Starlette(routes=routes, exception_handlers=faults)
    app.router.redirect_slashes = False
    return app


async def _refused(request: Request, error: Exception) -> Response:
    """The answer to a request that is refused, to one for nothing, or after a mistake of ours."""
    headers: Mapping[str, str] | None = None
    if isinstance(error, Refusal):
        refusal = error
        if error.status in (429, 503):
            headers = {"Retry-After": "5"}
    elif isinstance(error, HTTPException):
        path, headers = request.url.path[:80], error.headers
        message = f"there is nothing at {path!r}"
        if error.status_code == 405:
            message = f"{request.method} is not for {path!r}"
        refusal = Refusal(error.status_code, message)
    elif isinstance(error, ExactCoverError):  # of a check of what a client sends
        refusal = Refusal(400, str(error))
    else:
        getLogger(__name__).error("a mistake in the server", exc_info=error)
        refusal = Refusal(500, "the server has made a mistake; its terminal says which")
    return Response(refusal.answer.body, refusal.status, headers, JSON)


# -- files ----------------------------------------------------------------------------------------

add_type("text/javascript", ".js")  # Windows may have another type, and browsers refuse that

_IMPORT_MAP = re.compile(r'<script type="importmap">(.*?)</script>', re.DOTALL)


class PageFiles(StaticFiles):
    """The files in a folder; a page gets a policy."""

    def file_response(self, full_path: Any, *given: Any, **named: Any) -> Response:
        """The answer with a file."""
        response = super().file_response(full_path, *given, **named)
        response.headers["Cache-Control"] = "no-cache"
        if (file := Path(full_path)).suffix == ".html":
            response.headers["Content-Security-Policy"] = policy(file.read_text("utf-8"))
        return response


def policy(html: str) -> str:
    """The security policy of a page: its own scripts, and its import map by the hash of that."""
    hashes = "".join(
        f" 'sha256-{b64encode(sha256(found.encode()).digest()).decode()}'"
        for found in _IMPORT_MAP.findall(html)
    )
    return (
        f"default-src 'none'; script-src 'self'{hashes}; style-src 'self'; connect-src 'self'; "
        "img-src 'self' data: blob:; frame-src 'self'; form-action 'none'; base-uri 'none'; "
        "frame-ancestors 'self'"
    )


def shelved(serving: Traversable) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    """The list of shipped puzzles, and their pictures by names."""
    with ZipFile(BytesIO((serving / "shelf.zip").read_bytes())) as archive:
        pictures = {name: archive.read(name) for name in archive.namelist()}
    shelf = json.loads((serving / "shelf.json").read_bytes())
    for row in shelf:
        row["solved"] = f"{row['name']}-light.png" in pictures
    return shelf, pictures

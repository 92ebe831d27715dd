"""The server as a whole: the application behind its guard, its sockets and its children."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Callable
from ipaddress import ip_address
from types import FrameType
from urllib.parse import quote

import uvicorn

from exactcover.app.serving.bounds import Bounds, Refusal
from exactcover.app.serving.children import Questions
from exactcover.app.serving.guard import Guard
from exactcover.app.serving.interface import application
from exactcover.app.serving.runs import Runs
from exactcover.errors import ExactCoverError
from exactcover.formats import Document

BACKLOG = 128


def nothing() -> None:
    """Do nothing."""


class Server:
    """The local page.

    host    the address to listen at. Default: "127.0.0.1"
    port    Default: 0, any that is free
    token   that each request needs. Default: None, none at an address of this computer alone, and a
            random one elsewhere
    limits  Default: those of `Bounds`
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        token: str | None = None,
        limits: Bounds | None = None,
    ) -> None:
        self.limits = limits or Bounds()
        if token is None:
            token = "" if is_local(host) else secrets.token_urlsafe(24)
        if not token and not is_local(host):
            raise ExactCoverError(f"others can reach {host}, so a token is needed")
        self._socket = listening(host, port)
        self.port = int(self._socket.getsockname()[1])
        self.questions = Questions(self.limits)
        self.runs = Runs(self.limits)
        app = application(self.questions, self.runs)
        self._guard = Guard(app, host=host, port=self.port, token=token, limits=self.limits)
        self.token = token

    @property
    def address(self) -> str:
        """The address to open, with the token if there is one."""
        return self._guard.address + (f"?token={quote(self.token, safe='')}" if self.token else "")

    def run(
        self, ready: Callable[[], object] = nothing, ending: Callable[[], object] = nothing
    ) -> None:
        """Answer requests until Ctrl-C or SIGTERM; then end all children at once.

        ready   called once requests are answered
        ending  called when a signal ends it
        """
        asyncio.run(self.serve(ready, ending))

    async def serve(
        self, ready: Callable[[], object] = nothing, ending: Callable[[], object] = nothing
    ) -> None:
        """The same within a loop of asyncio."""
        config = uvicorn.Config(
            self._guard,
            http="h11",
            ws="none",
            lifespan="off",
            log_level="critical",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            limit_concurrency=self.limits.clients,
            timeout_keep_alive=int(self.limits.idle),
            backlog=BACKLOG,
        )
        running = _StoppingServer(config)
        running.ending = ending
        warming = asyncio.create_task(self._warm(running, ready))
        try:
            await running.serve(sockets=[self._socket])
        finally:
            warming.cancel()
            await self._end_children()
            self._socket.close()

    async def _warm(self, running: uvicorn.Server, ready: Callable[[], object]) -> None:
        """Say that the server is ready, and start the children that answer questions."""
        while not running.started:
            await asyncio.sleep(0.01)
        ready()
        await self.questions.warm()

    async def _end_children(self) -> None:
        """End all children at once."""
        children = [*self.runs.children, *self.questions.children]
        for child in children:
            child.kill()
        for child in children:
            await child.gone()


class _StoppingServer(uvicorn.Server):
    """A server that stops at once: it does not wait for pages that listen."""

    ending: Callable[[], object]

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ctrl-C, or SIGTERM."""
        self.ending()
        super().handle_exit(sig, frame)
        self.force_exit = True


def is_local(host: str) -> bool:
    """Whether only this computer can reach an address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens at an address; raises `ExactCoverError` if it cannot."""
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = found[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
    except OSError as error:
        raise ExactCoverError(
            f"cannot listen at {host}:{port}: {error.strerror}; --port 0 takes a free port"
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

"""A server for tests: `exactcover serve` as a process of its own, and a client of it.

The process is a real one, with real sockets, since what is tested is what a stranger could send.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import unquote

POSTED = {"Content-Type": "application/json"}


def eventually(holds: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Whether something comes true; a busy machine may need as long."""
    until = monotonic() + seconds
    while not (held := holds()) and monotonic() < until:
        sleep(0.05)
    return held


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        return str(self.json["error"])


@dataclass
class Served:
    """A server that runs."""

    process: subprocess.Popen[str]
    address: str
    port: int

    @property
    def origin(self) -> str:
        """Its address without the token."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def token(self) -> dict[str, str]:
        """The header with its token."""
        said = self.address.partition("?token=")[2].partition("#")[0]
        return {"Authorization": f"Bearer {unquote(said)}"}

    def links(self, many: int, *heads: bytes) -> list[socket.socket]:
        """Connections on which these requests, or beginnings of them, are sent in turn."""
        made = [socket.create_connection(("127.0.0.1", self.port), 60) for _ in range(many)]
        own = b"Host: 127.0.0.1:%d\r\n" % self.port
        own += b"".join(f"{name}: {value}\r\n".encode() for name, value in self.token.items())
        for link, head in zip(made, cycle(heads), strict=False):
            link.sendall(head.replace(b"OWN\r\n", own))
        return made

    def ask(
        self,
        path: str,
        body: object = None,
        *,
        method: str | None = None,
        headers: dict[str, str] | None = None,
        raw: bytes | None = None,
        seconds: float = 60.0,
        known: bool = True,
    ) -> Answer:
        """Send a request as it is; the path is not touched. `known`: with the token."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        content = raw if body is None else json.dumps(body).encode()
        own = {**(POSTED if content is not None else {}), **(self.token if known else {})}
        own |= headers or {}
        how = method or ("GET" if content is None else "POST")
        try:
            link.request(how, path, body=content, headers=own)
            found = link.getresponse()
            return Answer(found.status, {k.lower(): v for k, v in found.getheaders()}, found.read())
        finally:
            link.close()

    def api(self, path: str, body: object = None, **how: Any) -> Any:
        """The answer to a request of the interface, which must succeed."""
        answer = self.ask(f"/api{path}", body, **how)
        assert answer.status == 200, answer.body[:400]
        return answer.json

    def shelf(self, name: str) -> dict[str, Any]:
        """A shipped puzzle."""
        puzzle: dict[str, Any] = self.api("/shelf", {"name": name})
        return puzzle

    def solve(self, text: str, seconds: float = 120.0) -> list[dict[str, Any]]:
        """The messages of a search, to its end."""
        answer = self.ask("/api/solve", {"text": text}, seconds=seconds)
        assert answer.status == 200, answer.body[:400]
        return [json.loads(line) for line in answer.body.splitlines()]

    def children(self) -> list[int]:
        """The numbers of its children."""
        found = []
        for file in Path("/proc").glob("[0-9]*/stat"):
            try:
                state, parent = file.read_text().rpartition(")")[2].split()[:2]
            except (FileNotFoundError, ProcessLookupError):  # it has just ended
                continue
            if int(parent) == self.process.pid and state != "Z":
                found.append(int(file.parent.name))
        return found

    def mib(self) -> float:
        """The memory of the server's own process."""
        text = Path(f"/proc/{self.process.pid}/statm").read_text()
        return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


@contextmanager
def serving(*options: str) -> Iterator[Served]:
    """A server at a free port; ended by Ctrl-C."""
    process = subprocess.Popen(
        [sys.executable, "-m", "exactcover", "serve", "--port", "0", "--no-open", *options],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        found = re.search(r"http://[^/]*:(\d+)/\S*", said)
        assert found, said
        yield Served(process, found[0], int(found[1]))
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        finally:
            process.kill()

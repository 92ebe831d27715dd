"""The local web page, `exactcover serve`: a server, its JSON interface, and the page.

bounds      the limits of the server, and the error that refuses what goes beyond them
server      starts all of it
guard       addresses, origins, tokens, sizes of requests
api         the requests of the interface with their documentation, and what answers each
parameters  the parameters of a request, checked
openapi     the documentation of the interface
files       the page itself, and the modules that it shares with pages of `view`
service     children that answer questions, the puzzles that are kept
runs        children that search, the queue before them, what they found, events
children    a child process, and the messages on the pipes
worker      the program of a child; `answers` are its questions

The server process does no puzzle work, so that it always answers soon. Children use `posed`,
`boards`, `catalogue`, `advice`, `aiding`, `shown` and `searching`. A request passes `guard`, `api`,
`service` and, in a child, `worker` and the module that answers.
`docs/decisions/0052-the-page-and-its-server.md` says why it is done so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.app.serving.bounds import Bounds
    from exactcover.app.serving.server import Server
else:
    __getattr__, __dir__ = on_demand(
        __name__, {"app.serving.bounds": "Bounds", "app.serving.server": "Server"}
    )

__all__ = ["Bounds", "Server"]

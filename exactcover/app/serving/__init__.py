"""The local web page, `exactcover serve`: a server, its JSON interface, and the page.

bounds      the limits of the server, and the error that refuses what goes beyond them
server      starts all of it
guard       addresses, origins, tokens, sizes of requests
interface   a table of all requests with their documentation, and what answers each
parameters  the parameters of a request, checked
json_types  the objects that requests and answers hold
openapi     the documentation of the interface, made of these
page_files  the page itself, and the modules that it shares with pages of `view`
children    child processes that answer questions, and the puzzles that are kept for them
runs        child processes that search, the queue before them, what they found, events
worker      the program of a child process, and the table of its questions

The server process does no puzzle work, so that it always answers soon. A child answers questions
about `client_puzzles` with `page_boards`, `catalogue`, `pictures`, `advice` and `player_aid`, or
does a run with `run_worker`. A request passes `guard`, `interface`, `children` and, in a child,
`worker` and the module that answers.
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

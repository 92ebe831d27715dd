"""The local web page, `exactcover serve`: a server, its JSON interface, and the page.

bounds      what the server allows a request, a search, and all of them together
refusals    the errors that a client is told
messages    what the server and its children say to each other
children    a child process: it is asked, watched and killed
desks       children that answer questions about puzzles, one at a time
kept        the puzzles that clients have posted
searches    runs: children that search, the queue before them, what they found
events      a run as server-sent events
guard       who may ask what: addresses, origins, tokens, sizes, slow clients
passage     the way of an answer to its client
sending     how answers are made
files       the page itself, and the modules that it shares with pages of `view`
asked       what a request asks for, checked
routes      the addresses of the interface, and what answers each
openapi     the documentation of the interface
server      starts all of it
worker      what a child runs; `answers` are the questions that it can be asked

The server process does no puzzle work, so that it always answers soon. The modules that children
use are `worker`, `answers`, `posed`, `boards`, `describing`, `drafts`, `catalogue`, `checks`,
`shown` and `searching`. `docs/decisions/0052-the-page-and-its-server.md` says why it is done so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.serving.bounds import Bounds
    from exactcover.serving.server import Server
else:
    __getattr__, __dir__ = on_demand(
        __name__, {"serving.bounds": "Bounds", "serving.server": "Server"}
    )

__all__ = ["Bounds", "Server"]

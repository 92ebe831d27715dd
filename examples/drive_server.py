"""Drive `exactcover serve` by its interface, with nothing but the standard library.

    exactcover serve --no-open &
    python examples/drive_server.py ADDRESS

It draws a region, asks whether anything speaks against a solution, runs a search, follows it as it
goes on, and saves the picture of the first solution. `exactcover/app/serving/interface.py` has a
table of all requests.
"""

import json
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen


class Client:
    """A server, by the address that it printed; the token in it is sent with each request."""

    def __init__(self, address):
        parts = urlsplit(address)
        self._base = f"{parts.scheme}://{parts.netloc}/api"
        self._headers = {"Content-Type": "application/json"}
        if token := parse_qs(parts.query).get("token"):
            self._headers["Authorization"] = f"Bearer {token[0]}"

    def open(self, path, body=None):
        """The answer to a request, as a file."""
        content = None if body is None else json.dumps(body).encode()
        return urlopen(Request(self._base + path, content, self._headers), timeout=60)

    def ask(self, path, body=None):
        """The answer to a request, from JSON."""
        with self.open(path, body) as answer:
            return json.load(answer)

    def events(self, path):
        """Server-sent events: pairs of a name and what the event tells."""
        name = ""
        with self.open(path) as lines:
            for line in lines:
                key, _, value = line.decode().rstrip("\n").partition(": ")
                if key == "event":
                    name = value
                elif key == "data":
                    yield name, json.loads(value)


def main(address, picture):
    client = Client(address)

    # A draft: cells, and pieces, here a complete set of the library.
    hole = {(3, 3), (3, 4), (4, 3), (4, 4)}
    cells = [[x, y] for x in range(8) for y in range(8) if (x, y) not in hole]
    draft = {"title": "8 x 8 with a hole", "lattice": "square", "cells": cells}
    puzzle = client.ask("/draft", {**draft, "pieces": [{"set": "pentominoes"}]})
    print(f"{puzzle['title']}: {len(puzzle['pieces'])} pieces on {len(cells)} cells")

    check = client.ask(f"/puzzles/{puzzle['id']}/check")
    print(f"symmetries: {check['symmetries']}; {check['why']}")

    # A run goes on by itself; its events say how far it is.
    run = client.ask("/runs", {"puzzle": puzzle["id"], "what": "all", "unique": "reflections"})
    for name, told in client.events(f"/runs/{run['id']}/events"):
        if name == "end":
            print(f"{told['state']}: {told['solutions']} solutions up to reflections")

    with client.open(f"/runs/{run['id']}/solutions/0/export?format=svg") as answer:
        Path(picture).write_bytes(answer.read())
    print(f"the first of them is in {picture}")


if __name__ == "__main__":
    address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8765/"
    main(address, sys.argv[2] if len(sys.argv) > 2 else "solution.svg")

"""Drive `exactcover serve` by its interface, with nothing but the standard library.

    exactcover serve --no-open &
    python examples/drive_server.py ADDRESS

It draws a region, asks whether anything speaks against a solution, searches, and saves the picture
of the first solution. `exactcover/studio/serving/answers.py` has a table of all questions.
"""

import json
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen


class Client:
    """A server, by the address that it printed; the token in it is sent with each question."""

    def __init__(self, address):
        parts = urlsplit(address)
        self._base = f"{parts.scheme}://{parts.netloc}/api"
        self._headers = {"Content-Type": "application/json"}
        if token := parse_qs(parts.query).get("token"):
            self._headers["Authorization"] = f"Bearer {token[0]}"

    def open(self, question, body):
        """The answer to a question, as a file."""
        request = Request(f"{self._base}/{question}", json.dumps(body).encode(), self._headers)
        return urlopen(request, timeout=60)

    def ask(self, question, body):
        """The answer to a question, from JSON."""
        with self.open(question, body) as answer:
            return json.load(answer)


def main(address, picture):
    client = Client(address)

    # A draft: cells, and pieces, here a complete set of the library.
    hole = {(3, 3), (3, 4), (4, 3), (4, 4)}
    cells = [[x, y] for x in range(8) for y in range(8) if (x, y) not in hole]
    draft = {"title": "8 x 8 with a hole", "lattice": "square", "cells": cells}
    puzzle = client.ask("draft", {**draft, "pieces": [{"set": "pentominoes"}]})
    print(f"{puzzle['title']}: {len(puzzle['pieces'])} pieces on {len(cells)} cells")
    print(f"impossible: {puzzle['check']['why'] or 'nothing says so'}")

    # A search is an answer in several lines; it ends when this program ends.
    text, found = puzzle["text"], []
    with client.open("solve", {"text": text}) as lines:
        for line in lines:
            message = json.loads(line)
            found += message.get("rows", [])
    print(f"{message['status']}: {message['solutions']} solutions")

    with client.open("file", {"text": text, "options": found[0]["options"], "format": "svg"}) as it:
        Path(picture).write_bytes(it.read())
    print(f"the first of them is in {picture}")


if __name__ == "__main__":
    address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8765/"
    main(address, sys.argv[2] if len(sys.argv) > 2 else "solution.svg")

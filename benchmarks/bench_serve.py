"""What attacks do to `exactcover serve`: refusals, memory, and the time of small requests.

    python benchmarks/bench_serve.py
    python benchmarks/bench_serve.py runs vanishing

Each line is an attack on a server of its own: the answers that it got, the memory of the server's
process and of all its children before and after it, the most in between, and the milliseconds that
a small request (`/api/limits`) took meanwhile: the median, and the slowest. The clients of the
attack run on the same processors, so the times include what these take.
"""

from __future__ import annotations

import argparse
import http.client
import json
import signal
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

from tests.helpers.real_server import Served, serving

MIB = 1 << 20

Attack = Callable[[Served], Counter[str]]


def posted(server: Served, text: str) -> str:
    puzzle: str = server.api("/puzzles", {"text": text, "name": "x.toml"})["puzzles"][0]["id"]
    return puzzle


def statuses(requests: list[Callable[[], int]], at_once: int = 8) -> Counter[str]:
    with ThreadPoolExecutor(at_once) as clients:
        return Counter(str(status) for status in clients.map(lambda ask: ask(), requests))


def bodies(server: Served) -> Counter[str]:
    """Bodies of 100 MB: ten with their length, ten in chunks."""

    def whole() -> int:
        return server.ask("/api/puzzles", raw=b"x" * (100 * MIB), seconds=120).status

    def chunked() -> int:
        [link] = server.links(
            1,
            b"POST /api/puzzles HTTP/1.1\r\nOWN\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n",
        )
        chunk = b"%x\r\n" % MIB + b"x" * MIB + b"\r\n"
        for _ in range(100):
            link.sendall(chunk)
        link.sendall(b"0\r\n\r\n")
        return int(link.recv(4096).split()[1])

    return statuses([whole, chunked] * 10, at_once=2)


def puzzles(server: Served) -> Counter[str]:
    """Malformed and huge puzzles, 64 of them."""
    texts = [
        "a = " + "[" * 100_000,
        'pieces = "pentominoes"\nregion = "999x999"',
        'pieces = "12-ominoes"\nregion = "10x6"',
        'region = "3x3"\n' + "[[piece]]\ncells = [[0, 0]]\n" * 30_000,
        'lattice = "/etc/x.toml"\nregion = "3x3"\npieces = ["x"]',
        '[lattice]\ndimension = 6\n',
        "D:xyz=1\n",
        "\x00",
    ]  # fmt: skip
    asks = [
        lambda text=text: server.ask("/api/puzzles", {"text": text}, seconds=120).status
        for text in texts * 8
    ]
    return statuses(asks)


def paths(server: Served) -> Counter[str]:
    """Paths that would lead out of the page, 3,000 of them."""
    tricks = [
        "/../../etc/passwd", "/page/..%2f..%2fserver.py", "/assets/../document.py",
        "/api/shelf/square/..%2f..%2fetc%2fpasswd", "/page//etc/passwd", "/api/boards/..%2fx.toml",
    ]  # fmt: skip
    return statuses([lambda path=path: server.ask(path).status for path in tricks * 500])


def origins(server: Served) -> Counter[str]:
    """Foreign origins and rebound names, 3,000 of them."""
    foreign = [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Host": f"evil.example:{server.port}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Content-Type": "text/plain"},
    ]
    asks = [
        lambda headers=headers: server.ask("/api/runs", {"puzzle": "x"}, headers=headers).status
        for headers in foreign * 600
    ]
    return statuses(asks)


def runs(server: Served) -> Counter[str]:
    """A thousand requested runs."""
    puzzle = posted(server, 'pieces = "hexominoes"\nregion = "30x7"')
    ask = {"puzzle": puzzle, "what": "all"}
    found = statuses([lambda: server.ask("/api/runs", ask, seconds=60).status] * 1000)
    sleep(5)
    for run in server.api("/runs"):
        server.ask(f"/api/runs/{run['id']}", method="DELETE")
    return found


def vanishing(server: Served) -> Counter[str]:
    """Clients that disappear: 300 in the middle of a question, 300 that listened to a run."""
    puzzle = server.api("/shelf/square/pentominoes_10x6")["id"]
    run = server.run(posted(server, 'pieces = "hexominoes"\nregion = "30x7"'), what="all")["id"]
    for number in range(300):
        for path in (f"/api/puzzles/{puzzle}/estimate?seconds=8", f"/api/runs/{run}/events"):
            [link] = server.links(1, f"GET {path} HTTP/1.1\r\nOWN\r\n\r\n".encode())
            if number % 2:
                sleep(0.02)
            link.close()
    sleep(3)
    server.ask(f"/api/runs/{run}", method="DELETE")
    return Counter({"gone": 600})


def listeners(server: Served) -> Counter[str]:
    """A burst of 120 requests to listen to a run; they are there before the first is answered."""
    run = server.run(posted(server, 'pieces = "hexominoes"\nregion = "30x7"'), what="all")["id"]
    server.process.send_signal(signal.SIGSTOP)
    links = server.links(120, f"GET /api/runs/{run}/events HTTP/1.1\r\nOWN\r\n\r\n".encode())
    server.process.send_signal(signal.SIGCONT)
    found = Counter(link.recv(12).split()[1].decode() for link in links)
    for link in links:
        link.close()
    server.ask(f"/api/runs/{run}", method="DELETE")
    return found


def strategies(server: Served) -> Counter[str]:
    """Strategies that name memory of the server, 300 of them."""
    puzzle = server.api("/shelf/square/pentominoes_20x3")["id"]
    texts = ["automaton:narrow memory=1000000", "memo memory=1000000", "fila:f words=1000000"]
    asks = [
        lambda text=text: server.ask("/api/runs", {"puzzle": puzzle, "strategy": text}).status
        for text in texts * 100
    ]
    return statuses(asks)


def nothing(server: Served) -> Counter[str]:
    """No attack: what the watch alone measures."""
    sleep(15)
    return Counter()


ATTACKS: dict[str, Attack] = {
    "none": nothing,
    "bodies": bodies,
    "puzzles": puzzles,
    "paths": paths,
    "origins": origins,
    "runs": runs,
    "vanishing": vanishing,
    "listeners": listeners,
    "strategies": strategies,
}


class Watch(threading.Thread):
    """Asks a small question ten times a second, and looks at the memory."""

    def __init__(self, server: Served) -> None:
        super().__init__(daemon=True)
        self._server, self._over = server, threading.Event()
        self.times: list[float] = []
        self.most = server.mib()

    def run(self) -> None:
        while not self._over.wait(0.1):
            began = perf_counter()
            link = http.client.HTTPConnection("127.0.0.1", self._server.port, timeout=60)
            link.request("GET", "/api/limits", headers=self._server.token)
            assert json.load(link.getresponse())["mib"]
            link.close()
            self.times.append(1000 * (perf_counter() - began))
            self.most = max(self.most, self._server.mib())

    def end(self) -> None:
        self._over.set()
        self.join()


def children(server: Served) -> float:
    """MiB of all children together."""
    total = 0.0
    for child in server.children():
        try:
            total += int(Path(f"/proc/{child}/statm").read_text().split()[1]) * 4096 / MIB
        except FileNotFoundError:
            continue
    return total


def measured(name: str) -> dict[str, Any]:
    with serving() as server:
        server.api("/shelf/square/pentominoes_10x6")
        sleep(2)
        before, theirs = server.mib(), children(server)
        watch = Watch(server)
        watch.start()
        began = perf_counter()
        answers = ATTACKS[name](server)
        seconds = perf_counter() - began
        watch.end()
        sleep(1)
        return {
            "attack": name,
            "answers": " ".join(f"{key}: {number}" for key, number in sorted(answers.items())),
            "seconds": f"{seconds:.0f}",
            "MiB before": f"{before:.0f}",
            "most": f"{watch.most:.0f}",
            "after": f"{server.mib():.0f}",
            "children before": f"{theirs:.0f}",
            "children after": f"{children(server):.0f}",
            "median ms": f"{median(watch.times):.0f}",
            "slowest ms": f"{max(watch.times):.0f}",
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("attacks", nargs="*", help=f"of {', '.join(ATTACKS)}. Default: all")
    for number, name in enumerate(parser.parse_args().attacks or ATTACKS):
        row = measured(name)
        if not number:
            print("|", " | ".join(row), "|")
            print("|" + "---|" * len(row))
        print("|", " | ".join(map(str, row.values())), "|", flush=True)


if __name__ == "__main__":
    main()

"""What a stranger could send: each is refused with a sentence, and the server stays as it was."""

from __future__ import annotations

import json
import os
import re
import signal
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from gzip import compress
from time import monotonic

import pytest

from tests.helpers.real_server import POSTED, Answer, Served

MIB = 1 << 20

GROWTH = 60.0
"""MiB that the server may grow by in any of these; what is sent is far more."""


POST = b"POST /api/open HTTP/1.1\r\nOWN\r\nContent-Type: application/json\r\n"


@pytest.fixture(autouse=True)
def is_as_before(server: Served) -> Iterator[None]:
    """After each attack the server answers soon, and has not grown."""
    server.api("/shelf")
    before = server.mib()
    yield
    began = monotonic()
    assert len(server.api("/shelf")) > 200
    assert monotonic() - began < 5  # it takes milliseconds; this only finds a server that is stuck
    assert server.mib() - before < GROWTH


def refused(answer: Answer, status: int, *words: str) -> None:
    """The answer refuses, in a sentence, without a traceback or a path of the disk."""
    assert answer.status == status, answer.body[:300]
    assert all(word in answer.error for word in words), answer.error
    assert "Traceback" not in answer.error
    assert "/tmp" not in answer.error
    assert "site-packages" not in answer.error


# -- bodies ---------------------------------------------------------------------------------------


def test_a_body_of_100_mb_is_refused_before_it_is_kept(server: Served) -> None:
    big = b"x" * (100 * MIB)
    refused(server.ask("/api/open", raw=big), 413, "larger than 2 MiB")
    assert server.mib() < 200


def test_a_body_of_unknown_length_is_refused_when_it_is_too_long(server: Served) -> None:
    [link] = server.links(1, POST + b"Transfer-Encoding: chunked\r\n\r\n")
    chunk = b"%x\r\n" % MIB + b"x" * MIB + b"\r\n"
    for _ in range(100):
        link.sendall(chunk)
    link.sendall(b"0\r\n\r\n")
    assert b" 413 " in link.recv(4096)
    link.close()
    assert server.mib() < 200


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff\xfe", 400),
        (b"[" * 200_000, 400),
        (b'{"name": "x", "text": 7}', 400),
        (b'{"name": "x", "base64": "*"}', 400),
        (b'{"name": "x", "text": "a = ["}', 422),
        (b'{"name": "x", "text": "\\ud800"}', 400),
        (b'{"name": "x", "text": "\\u0000"}', 422),
    ],
)
def test_malformed_requests_are_refused(server: Served, raw: bytes, status: int) -> None:
    refused(server.ask("/api/open", raw=raw), status)


@pytest.mark.parametrize(
    "text",
    [
        'pieces = "pentominoes"\nregion = "10x6"\nlattice = "nowhere"',
        'pieces = "pentominoes"\nregion = "1000000x1000000"',
        'pieces = "20-ominoes"\nregion = "10x6"',
        "a = " + "[" * 100_000,
        'region = "3x3"\n' + '[[piece]]\ncells = [[0, 0]]\n' * 50_000,
        "[lattice]\ndimension = 6\n",
        "| a b\na b\n",
        "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'bb'><!ENTITY c '&b;&b;&b;'>]><a>&c;</a>",
        "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>",
    ],
)  # fmt: skip
def test_malformed_puzzles_are_refused(server: Served, text: str) -> None:
    answer = server.ask("/api/open", {"text": text, "name": "x"})
    assert 400 <= answer.status < 500 or answer.status == 503, answer.body[:300]
    refused(answer, answer.status)
    assert "root:" not in answer.error


def test_a_packed_bomb_is_not_unpacked(server: Served) -> None:
    bomb = b64encode(compress(b"<puzzle>" + b" " * (40 * MIB), 9)).decode()
    answer = server.ask("/api/open", {"base64": bomb, "name": "x.xmpuzzle"})
    refused(answer, 422, "larger than 16 MiB")


# -- paths ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/page/..%2f..%2fserver.py",
        "/page/%2e%2e/server.py",
        "/page/\\..\\server.py",
        "/page/index.html%00.js",
        "/modules/vendor/../../viewing.py",
        "/api/shelf/..%2f../etc%2fpasswd",
        "/api/shelf/%2Fetc/passwd",
        "/api/..",
        "/api/" + "x" * 5000,
        "//evil.example/",
    ],
)
def test_no_path_leads_out(server: Served, path: str) -> None:
    answer = server.ask(path)
    refused(answer, 404)
    assert b"root:" not in answer.body


def test_no_puzzle_makes_the_server_read_a_file(server: Served) -> None:
    for name in ("/etc/passwd", "../x.toml", "/etc/x.toml", "pyproject.toml"):
        text = f'lattice = "{name}"\nregion = "3x3"\npieces = ["x"]'
        answer = server.ask("/api/open", {"text": text, "name": name})
        refused(answer, 422)
        if name.endswith(".toml"):
            assert "no files are read here" in answer.error
        line = json.dumps({"lattice": name, "region": "3x3", "pieces": ["x"]})
        assert server.ask("/api/open", {"text": line, "name": "x.jsonl"}).status == 422
        draft = {"lattice": name, "cells": [[0, 0]], "pieces": []}
        assert server.ask("/api/draft", draft).status == 404
        assert server.ask("/api/pieces", {"lattice": name, "name": "x"}).status == 404


def test_the_shelf_has_shipped_puzzles_alone(server: Served) -> None:
    for name in ("/etc/passwd", "-", "../x", "square/pentominoes_10x6#1", ""):
        refused(server.ask("/api/shelf", {"name": name}), 404, "no shipped puzzle")


# -- who asks -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1.evil.example:{port}", "", "[::1",
     "0.0.0.0:{port}", "user@127.0.0.1:{port}", "10.0.0.1:{port}"],
)  # fmt: skip
def test_a_rebound_name_is_refused(server: Served, host: str) -> None:
    answer = server.ask("/", headers={"Host": host.format(port=server.port)})
    assert (answer.status, answer.body) == (400, b"Invalid host header")


@pytest.mark.parametrize("host", ["localhost:{port}", "127.0.0.1:{port}", "LOCALHOST:{port}"])
def test_its_own_names_are_answered(server: Served, host: str) -> None:
    own = host.format(port=server.port)
    answer = server.ask("/api/shelf", headers={"Host": own, "Origin": f"http://{own.lower()}"})
    assert answer.status == 200


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1", "file://",
     "http://127.0.0.1:{port}.evil.example", "http://localhost:{port}", ""],
)  # fmt: skip
def test_a_foreign_origin_is_refused(server: Served, origin: str) -> None:
    given = {"Origin": origin.format(port=server.port)}
    refused(server.ask("/api/solve", {"text": "x"}, headers=given), 403, "no page from elsewhere")
    refused(server.ask("/api/shelf", headers=given), 403)


def test_a_form_of_a_foreign_page_is_refused(server: Served) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        headers = {**POSTED, "Content-Type": kind}
        refused(server.ask("/api/solve", raw=b"{}", headers=headers), 415, "application/json")
    refused(server.ask("/api/shelf", headers={"Sec-Fetch-Site": "cross-site"}), 403)


def test_other_methods_are_refused(server: Served) -> None:
    for method in ("PUT", "PATCH", "OPTIONS", "TRACE", "CONNECT"):
        answer = server.ask("/api/shelf", method=method, headers=POSTED)
        assert answer.status in (400, 404, 405)
        assert "access-control-allow-origin" not in answer.headers


def test_every_answer_has_the_headers_that_keep_it_here(server: Served) -> None:
    for path in ("/", "/api/shelf", "/api/nothing", "/page/nothing"):
        headers = server.ask(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        policy = headers["content-security-policy"]
        if path == "/":
            assert policy == "frame-ancestors 'none'"
            [policy] = re.findall(
                '-Security-Policy" content="(.*?)"', server.ask("/").body.decode()
            )
            assert "connect-src 'self';" in policy
        assert policy.startswith("default-src 'none'")
        assert "unsafe-eval" not in policy
        scripts = re.search("script-src ([^;]*)", policy)
        assert scripts is None or "unsafe-inline" not in scripts[1]


def test_a_token_is_needed(server: Served) -> None:
    """Also where its user names none: other accounts of the computer can reach every port."""
    [token] = re.findall(r"\?token=([\w-]{20,})$", server.address)
    for wrong in ("", "wrong", token[:-1], f"{token}x", token.swapcase()):
        for headers in (
            {"Authorization": f"Bearer {wrong}"},
            {"Cookie": f"exactcover-{server.port}={wrong}"},
        ):
            refused(server.ask("/api/shelf", known=False, headers=headers), 401, "token")
        refused(server.ask(f"/?token={wrong}", known=False), 401)
    refused(server.ask("/", known=False), 401)
    refused(server.ask("/api/shelf", known=False, headers={"Cookie": "\x7f=;=;" * 50}), 401)
    let_in = server.ask(f"/?token={token}", known=False)
    assert (let_in.status, let_in.headers["location"]) == (303, "/")
    cookie = let_in.headers["set-cookie"]
    assert "HttpOnly; SameSite=Lax" in cookie
    kept = {"Cookie": cookie.partition(";")[0]}
    assert server.ask("/api/shelf", known=False, headers=kept).status == 200


# -- many, slow and vanishing clients --------------------------------------------------------------


def test_more_questions_than_may_wait_are_refused(server: Served) -> None:
    """All are there before the first is answered; later ones are answered again."""
    body = json.dumps({"lattice": "cubic", "name": "9x9x9"}).encode()
    head = b"POST /api/region HTTP/1.1\r\nOWN\r\nContent-Type: application/json\r\n"
    request = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
    server.process.send_signal(signal.SIGSTOP)
    links = server.links(100, request)
    server.process.send_signal(signal.SIGCONT)
    statuses = Counter(link.recv(12) for link in links)
    for link in links:
        link.close()
    assert statuses[b"HTTP/1.1 503"] > 0
    assert statuses.keys() <= {b"HTTP/1.1 503", b"HTTP/1.1 200"}
    assert server.api("/region", {"lattice": "square", "name": "3x2"})["cells"]


HALVES = (b"", b"GET /api/shelf HTT", b"POST /api/solve HTTP/1.1\r\nHost: x\r\nA:")


def test_a_hundred_slow_clients_delay_nobody(server: Served) -> None:
    slow = server.links(100, *HALVES)
    for _ in range(5):
        assert server.ask("/api/shelf").status == 200
    for link in slow:
        link.close()


@pytest.mark.slow  # ten seconds of waiting
def test_what_does_not_come_in_time_is_given_up(server: Served) -> None:
    """Three hundred half heads of requests are more than there may be connections."""
    bodies = server.links(2, *(POST + b"Content-Length: %d\r\n\r\n{" % n for n in (100, 10**15)))
    whole = b"GET /api/shelf HTTP/1.1\r\nOWN\r\n\r\n"
    halves = server.links(300, *HALVES, whole + HALVES[1])
    for link in bodies:
        assert link.recv(4096).split()[1] == b"408"
    for link in halves:
        while link.recv(4096):
            pass
    assert server.ask("/api/shelf").status == 200
    for link in bodies + halves:
        link.close()


def test_clients_that_vanish_leave_nothing_behind(server: Served, box: str) -> None:
    body = json.dumps({"text": box}).encode()
    head = b"POST /api/solve HTTP/1.1\r\nOWN\r\nContent-Type: application/json\r\n"
    for link in server.links(40, head + b"Content-Length: %d\r\n\r\n" % len(body) + body):
        link.close()
    assert server.solve(box)[-1]["solutions"] == 2
    assert len(server.children()) <= max(3, 1 + (os.cpu_count() or 1))

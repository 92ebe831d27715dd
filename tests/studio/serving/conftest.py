"""One server for the tests of a module: to start one takes a second."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.helpers.real_server import Served, serving


@pytest.fixture(scope="package")
def server() -> Iterator[Served]:
    with serving() as served:
        while served.ask("/api/open", raw=b"").status == 503:  # its processes start late if busy
            pass
        yield served


@pytest.fixture
def box(server: Served) -> str:
    """The text of a small puzzle: two solutions up to rotations."""
    text: str = server.shelf("square/pentominoes_20x3")["text"]
    return text

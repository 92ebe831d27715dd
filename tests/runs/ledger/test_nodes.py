"""Nodes as bytes: what is written is read."""

from __future__ import annotations

import zlib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from exactcover.backends.node import Node
from exactcover.runs.ledger.ledger import nodes_bytes, nodes_of

SHARES = st.floats(0, 1, allow_subnormal=True)


@st.composite
def tasks(draw: st.DrawFn) -> tuple[int, tuple[Node, ...]]:
    """A number of options, and a nodes of such a problem."""
    options = draw(st.integers(1, 40))
    numbers = st.integers(0, options - 1)
    chosen = st.lists(numbers, unique=True).map(tuple)
    allowed = st.none() | st.lists(st.booleans(), min_size=options, max_size=options)
    left = st.none() | st.integers(0, 1 << 20)
    subtrees = draw(st.lists(st.tuples(chosen, allowed, left, SHARES), max_size=4))
    return options, tuple(
        Node(some, None if flags is None else np.array(flags, bool), remaining, share)
        for some, flags, remaining, share in subtrees
    )


@given(tasks())
def test_what_is_written_is_read(drawn: tuple[int, tuple[Node, ...]]) -> None:
    options, nodes = drawn
    read = nodes_of(nodes_bytes(nodes), options)
    assert [*map(Node.to_bytes, read)] == [*map(Node.to_bytes, nodes)]
    assert {one.allowed.dtype for one in read if one.allowed is not None} <= {np.dtype(bool)}


def test_the_bytes_are_those_that_the_docstring_says() -> None:
    allowed = np.zeros(11, bool)
    allowed[[0, 10]] = True
    raw = nodes_bytes((Node((258, 3), allowed, 7, 0.5),))
    assert zlib.decompress(raw) == bytes.fromhex(
        "07000000 000000000000e03f 02000000 02010000 03000000 01 8020"
    )

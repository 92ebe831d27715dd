"""Bundles as bytes: what is written is read, and damage is noticed."""

from __future__ import annotations

import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.backends.node import Node
from exactcover.errors import LedgerError
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
    read = nodes_of(nodes_bytes(nodes, options), options)
    assert [*map(Node.to_bytes, read)] == [*map(Node.to_bytes, nodes)]
    assert {one.allowed.dtype for one in read if one.allowed is not None} <= {np.dtype(bool)}


def test_the_bytes_are_those_that_the_docstring_says() -> None:
    allowed = np.zeros(11, bool)
    allowed[[0, 10]] = True
    raw = nodes_bytes((Node((258, 3), allowed, 7, 0.5),), 11)
    assert zlib.decompress(raw) == bytes.fromhex(
        "0b000000 01000000 07000000 000000000000e03f 02000000 02010000 03000000 01 8020"
    )


@given(tasks(), st.data())
def test_damage_is_an_error(drawn: tuple[int, tuple[Node, ...]], data: st.DataObject) -> None:
    options, nodes = drawn
    raw = nodes_bytes(nodes, options)
    cut = data.draw(st.integers(0, len(raw) - 1))
    with pytest.raises(LedgerError):
        nodes_of(raw[:cut], options)
    plain = zlib.decompress(raw)
    shorter = zlib.compress(plain[: data.draw(st.integers(0, len(plain) - 1))])
    with pytest.raises(LedgerError, match="damaged"):
        nodes_of(shorter, options)

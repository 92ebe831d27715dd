"""Bundles as bytes: what is written is read, and damage is noticed."""

from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.backends.base import Task
from exactcover.errors import LedgerError
from exactcover.formats import read_puzzles
from exactcover.runs.jobs import WHOLE, SearchJob, TreePart
from exactcover.runs.ledger.ledger import bundle_bytes, bundle_of
from exactcover.runs.ledger.terms import prepared
from exactcover.search.engine import Engine
from tests.helpers.shuffled import done

SHARES = st.floats(0, 1, allow_subnormal=True)


@st.composite
def bundles(draw: st.DrawFn) -> tuple[int, tuple[TreePart, ...]]:
    """A number of options, and a bundle of such a problem."""
    options = draw(st.integers(1, 40))
    numbers = st.integers(0, options - 1)
    chosen = st.lists(numbers, unique=True).map(tuple)
    allowed = st.none() | st.lists(st.booleans(), min_size=options, max_size=options)
    left = st.none() | st.integers(0, 1 << 20)
    subtrees = draw(st.lists(st.tuples(chosen, allowed, left, SHARES), max_size=4))
    return options, tuple(
        TreePart(Task(some, None if flags is None else np.array(flags, bool)), remaining, share)
        for some, flags, remaining, share in subtrees
    )


@given(bundles())
def test_what_is_written_is_read(drawn: tuple[int, tuple[TreePart, ...]]) -> None:
    options, bundle = drawn
    read = bundle_of(bundle_bytes(bundle, options), options)
    assert len(read) == len(bundle)
    for one, other in zip(read, bundle, strict=True):
        assert one.task.chosen == other.task.chosen
        assert (one.remaining, one.share) == (other.remaining, other.share)
        if other.task.allowed is None:
            assert one.task.allowed is None
        else:
            assert one.task.allowed is not None
            assert one.task.allowed.dtype == bool
            assert one.task.allowed.tolist() == other.task.allowed.tolist()


def test_the_bytes_are_those_that_the_docstring_says() -> None:
    allowed = np.zeros(11, bool)
    allowed[[0, 10]] = True
    raw = bundle_bytes((TreePart(Task((258, 3), allowed), 7, 0.5),), 11)
    assert zlib.decompress(raw) == bytes.fromhex(
        "0b000000 01000000 07000000 000000000000e03f 02000000 02010000 03000000 01 8020"
    )


@given(bundles(), st.data())
def test_damage_is_an_error(drawn: tuple[int, tuple[TreePart, ...]], data: st.DataObject) -> None:
    options, bundle = drawn
    raw = bundle_bytes(bundle, options)
    cut = data.draw(st.integers(0, len(raw) - 1))
    with pytest.raises(LedgerError):
        bundle_of(raw[:cut], options)
    plain = zlib.decompress(raw)
    shorter = zlib.compress(plain[: data.draw(st.integers(0, len(plain) - 1))])
    with pytest.raises(LedgerError, match="damaged"):
        bundle_of(shorter, options)


def test_a_bundle_of_another_problem_is_refused() -> None:
    with pytest.raises(LedgerError, match="of 11 options, not of 12"):
        bundle_of(bundle_bytes((), 11), 12)


def test_triggers_work_below_a_bundle_that_was_read() -> None:
    """The bytes have options alone; the plan gives the rest."""
    [document] = read_puzzles("pentominoes_20x3")
    terms = prepared(document, strategy="volume-trigger; dlx:s")
    job = terms.job
    search = Engine(job.plan, job.strategy).start(WHOLE.task)
    search.advance(1)
    parts = [WHOLE.part(part) for part in search.give_back()]
    assert parts
    for part in parts:
        read = bundle_of(bundle_bytes((part,), terms.options), terms.options)
        assert done(job, read, 60).fits == done(job, (part,), 60).fits
    plain = SearchJob(replace(job.plan, triggers=None), job.strategy)
    watched = sum(done(job, (part,), 60).fits for part in parts)
    assert watched < sum(done(plain, (bare(part),), 60).fits for part in parts)


def bare(part: TreePart) -> TreePart:
    """A part whose task has no triggers of its own."""
    return replace(part, task=replace(part.task, watch=None))

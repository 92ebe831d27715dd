"""The machine code of fila's kernel: its loops call nothing, so nothing in them allocates."""

from __future__ import annotations

import os
import re
from typing import Any

import numba
import pytest

import exactcover as ec
from exactcover.backends import Task, get_backend, started
from exactcover.backends.base import Phase
from tests.helpers.examples import some
from tests.helpers.small_problems import finished

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"), reason="nothing is compiled"
)

INSTRUCTIONS = ("llvm.cttz.", "llvm.umin.", "llvm.smax.", "llvm.masked.")
"""What the compiler writes as calls and makes instructions of."""

COUNTING = {"NRT_incref", "NRT_decref"}
"""Owners of an array are counted on the way in and out; that allocates nothing."""


def compiled(phase: Phase) -> tuple[str, int]:
    """The LLVM code of the kernel that searches a small puzzle, and how many it finds."""
    from exactcover.backends.fila import kernel

    model = ec.read("pentominoes_20x3").model
    search = started(get_backend("fila"), model.problem, model.layout, Task(phases=(phase,)))
    fresh: Any = numba.njit(nogil=True)(kernel.fill.py_func)  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:  # code out of the cache cannot be looked at
        patch.setattr(kernel, "fill", fresh)
        finished(search)
    (code,) = fresh.inspect_llvm().values()
    return code, search.report().found


def blocks(code: str) -> dict[str, str]:
    """The basic blocks of the kernel itself, without what makes Python's arguments its own."""
    (body,) = re.findall(r"^define [^\n]*@_ZN10exactcover[^\n]*\{$(.*?)^\}$", code, re.M | re.S)
    parts = re.split(r"^([\w.$-]+|\"[^\"\n]+\"):.*$", "entry:\n" + body, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def looping(found: dict[str, str]) -> set[str]:
    """The blocks that can be come to again."""
    label = r"label %([\w.$-]+|\"[^\"\n]+\")"
    after = {name: set(re.findall(label, text)) for name, text in found.items()}
    again = set()
    for name in found:
        seen: set[str] = set()
        waiting = set(after[name])
        while waiting:
            one = waiting.pop()
            seen.add(one)
            waiting |= after[one] - seen
        if name in seen:
            again.add(name)
    return again


def calls(text: str) -> set[str]:
    return set(re.findall(r"\b(?:call|invoke)\b[^@\n]*@\"?([\w$.]+)", text))


@pytest.mark.parametrize("words", some(["1", "2"], one_in=2))
def test_the_loops_of_the_kernel_call_nothing(words: str) -> None:
    code, solutions = compiled(Phase("f", None, {"words": words}))
    assert solutions == 8
    found = blocks(code)
    loops = looping(found)
    assert len(loops) > 10
    inside = {name for block in loops for name in calls(found[block])}
    assert "llvm.cttz.i64" in inside
    assert not [name for name in inside if not name.startswith(INSTRUCTIONS)]
    everywhere = {name for text in found.values() for name in calls(text)}
    assert not [name for name in everywhere - COUNTING if not name.startswith("llvm.")]

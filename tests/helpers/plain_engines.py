"""The search in plain Python that bsx begins with, as engines for the tests of all engines.

Elsewhere the tests load numba, so bsx uses its compiled code at once.
"""

from __future__ import annotations

from functools import partial

from exactcover.backends import Task
from exactcover.backends.bsx import BitMatrix, BsxSearch
from exactcover.backends.bsx import backend as bsx
from exactcover.backends.head_start import Allowance, HeadStart, PlainSearch
from exactcover.problem import Problem
from exactcover.problem.layout import Layout


def plain_search(problem: Problem, layout: Layout | None, task: Task) -> PlainSearch:
    """The search of a task in plain Python."""
    return PlainSearch(BitMatrix.of(problem, task), problem, layout, task)


class PlainBackend:
    """Plain Python to the end."""

    name = "plain"
    summary = "bsx in plain Python"
    capabilities = bsx.capabilities

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> PlainSearch:
        return plain_search(problem, layout, task)


class ChangingBackend:
    """A few choices in plain Python, then compiled code."""

    name = "changing"
    summary = "bsx that changes to compiled code after a few choices"
    capabilities = bsx.capabilities

    def __init__(self, choices: int = 4) -> None:
        self.choices = choices

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> HeadStart:
        plain = plain_search(problem, layout, task)
        return HeadStart(plain, partial(BsxSearch, problem, layout, task), Allowance(self.choices))

"""A backend that takes plain problems only, to be registered by a test."""

from __future__ import annotations

from exactcover.backends.base import Capabilities
from exactcover.backends.template import TemplateBackend


class PlainBackend(TemplateBackend):
    """The template engine, promising less."""

    name = "plain"
    capabilities = Capabilities(features=frozenset(), heuristics=("s", "f"))


class SecondBackend(TemplateBackend):
    """The same engine with secondary items, under another name."""

    name = "second"


plain = PlainBackend()
second = SecondBackend()

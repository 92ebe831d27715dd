"""The documentation of the interface, as OpenAPI 3.1 says it."""

from __future__ import annotations

from typing import Any

from exactcover.serving.limits import Limits


def document(limits: Limits) -> dict[str, Any]:
    """The documentation of a server with these limits."""
    return {"openapi": "3.1.0", "info": {"title": "exactcover", "version": "1"}, "paths": {}}

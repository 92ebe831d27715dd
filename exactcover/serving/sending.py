"""How answers are sent: those of children, values, files, and what is wrong."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from logging import getLogger

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from exactcover.serving.files import File
from exactcover.serving.messages import JSON, Answer
from exactcover.serving.refusals import Refusal, told


async def _mistaken(request: Request, error: Exception) -> Response:
    getLogger(__name__).error("a mistake in the server", exc_info=error)
    return Response(told("the server has made a mistake; its terminal says which"), 500, None, JSON)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    wait = {"Retry-After": "5"} if error.status in (429, 503) else {}
    return Response(told(error.message), error.status, wait, JSON)


async def _unknown(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    path = request.url.path[:80]
    message = f"there is nothing at {path!r}; /api/openapi.json says what there is"
    if error.status_code == 405:
        message = f"{request.method} is not for {path!r}; /api/openapi.json says what is"
    return Response(told(message), error.status_code, error.headers, JSON)


class Pages:
    """The files of the page."""

    def __init__(self, files: dict[str, File]) -> None:
        self._files = files

    async def file(self, request: Request) -> Response:
        """A file by its address."""
        file = self._files.get(request.url.path)
        if file is None:
            raise HTTPException(404)
        headers = {"ETag": file.tag, "Cache-Control": "no-cache"}
        if file.policy:
            headers["Content-Security-Policy"] = file.policy
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        return Response(file.body, headers=headers, media_type=file.kind)


def response(answer: Answer, cached: str = "") -> Response:
    """The answer of a child; `cached`: how long a browser may keep it."""
    headers = {"Cache-Control": cached} if cached and answer.status == 200 else {}
    if answer.name:
        headers["Content-Disposition"] = f'attachment; filename="{answer.name}"'
    return Response(answer.body, answer.status, headers, answer.kind)


def as_json(value: object, status: int = 200) -> Response:
    """A value as JSON."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Response(text.encode(), status, media_type=JSON)


FAULTS: dict[type[Exception], Callable[[Request, Exception], Awaitable[Response]]] = {
    Refusal: _refused,
    HTTPException: _unknown,
    Exception: _mistaken,
}
"""What answers when something is wrong, by the exception."""

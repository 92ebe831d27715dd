"""The files that a browser loads: the page, the modules that it shares with `view`, three.js.

They are read once, when the server starts, and found by their names in a table: no path of the disk
is ever made from a request.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from zipfile import ZipFile

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

KINDS = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "json": "application/json",
    "txt": "text/plain; charset=utf-8",
    "png": "image/png",
    "woff2": "font/woff2",
}

_IMPORT_MAP = re.compile(r'<script type="importmap">(.*?)</script>', re.DOTALL)

BARE = "<!DOCTYPE html><title>exactcover</title><p>The page is not installed; its interface is."


@dataclass(frozen=True)
class PageFile:
    """A file to send: its bytes, its media type, a tag that changes with it, and its policy."""

    body: bytes
    kind: str
    tag: str
    policy: str


def all_files() -> dict[str, PageFile]:
    """Every file by its address."""
    found: dict[str, PageFile] = {}
    assets = files("exactcover.show.pages") / "assets"
    page = files("exactcover.app.serving") / "page"
    for place, prefixes in ((assets, ("/assets/", "/modules/")), (page, ("/page/",))):
        for name, file in _below(place):
            for prefix in prefixes:
                found[prefix + name] = file
    if "/assets/vendor/three.js" in found:
        found["/modules/three.js"] = found["/assets/vendor/three.js"]
    serving = files("exactcover.app.serving")
    with ZipFile(BytesIO((serving / "shelf.zip").read_bytes())) as archive:
        for name in archive.namelist():
            found[f"/pictures/{name}"] = _file(name, archive.read(name))
    shelf = json.loads((serving / "shelf.json").read_bytes())
    for row in shelf:
        row["solved"] = f"/pictures/{row['name']}-light.png" in found
    found["/shelf.json"] = _file("shelf.json", json.dumps(shelf, ensure_ascii=False).encode())
    index = found.get("/page/index.html")
    found["/"] = index or _file("index.html", BARE.encode())
    return found


def _below(place: Traversable, prefix: str = "") -> list[tuple[str, PageFile]]:
    """The files in a folder and in those within it, by their names."""
    found = []
    for entry in place.iterdir() if place.is_dir() else ():
        if entry.is_dir():
            found += _below(entry, f"{prefix}{entry.name}/")
        elif entry.name.rpartition(".")[2] in KINDS:
            found.append((prefix + entry.name, _file(entry.name, entry.read_bytes())))
    return found


def _file(name: str, body: bytes) -> PageFile:
    ending = name.rpartition(".")[2]
    tag = f'"{sha256(body).hexdigest()[:24]}"'
    return PageFile(body, KINDS[ending], tag, policy(body.decode()) if ending == "html" else "")


def policy(html: str) -> str:
    """The security policy of a page: its own scripts, and its import map by the hash of that."""
    hashes = "".join(
        f" 'sha256-{b64encode(sha256(found.encode()).digest()).decode()}'"
        for found in _IMPORT_MAP.findall(html)
    )
    return (
        f"default-src 'none'; script-src 'self'{hashes}; style-src 'self'; connect-src 'self'; "
        "img-src 'self' data: blob:; frame-src 'self'; form-action 'none'; base-uri 'none'; "
        "frame-ancestors 'self'"
    )


class Pages:
    """Answers requests for files."""

    def __init__(self, files: Mapping[str, PageFile]) -> None:
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

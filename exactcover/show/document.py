"""One HTML file that needs nothing else: no server, no network, no build.

Scripts are plain ES modules in `assets`, which import each other by names: `exactcover/scene.js` is
`assets/scene.js`, and `three` is the vendored three.js. A module cannot be imported from a file
that was opened from a disk, so the page carries each module as text. Its loader, `loader.js`, makes
a blob of each text, writes an import map from the names to the blobs, and imports the main module.

The security policy of the page forbids every request, so the page cannot load or send anything,
unless it is the page of a server, which it asks.
`docs/decisions/0033-pages-hold-all-they-need.md` says why it is done this way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from html import escape, unescape
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from secrets import token_urlsafe

from exactcover.base.text.files import write_bytes
from exactcover.errors import ExactCoverError

OURS = "exactcover/"
"""The prefix of the names of our modules."""

VENDORED = {"three": "vendor/three.js"}
"""Modules of other people: name -> file in `assets`."""

IN_SPACE = "exactcover/model.js", "exactcover/scene.js"
"""Modules that `solid.js` imports when they are needed."""

BASE_STYLE = "page.css"
"""The style that every page has."""

BESIDE = "page/"
"""The prefix of the names of modules in a folder beside ours, which import each other by `./`."""

_IMPORTED = re.compile(r'^(?:import|export)\s[\w*{}\s,]*"([^"]+)"', re.MULTILINE)
_RELATIVE = re.compile(r'^((?:import|export)\s[\w*{}\s,]*)"\./', re.MULTILINE)
_TITLE = re.compile("<title>(.*?)</title>", re.DOTALL)
_UNSAFE = re.compile(r"</script|<!--", re.IGNORECASE)
"""Text that ends a script element, or changes how it ends."""


@dataclass(frozen=True)
class Page:
    """A page as text, which holds all that it needs. Notebooks show it in a frame.

    html    the page
    height  of the frame in a notebook, in pixels
    """

    html: str = field(repr=False)
    height: int = 640

    def save(self, path: str | Path) -> None:
        """Write it to a file, `.html`."""
        path = Path(path)
        if path.suffix.lower() not in (".html", ".htm"):
            raise ExactCoverError(f"{path}: its ending must be .html")
        write_bytes(path, self.html.encode())

    def _repr_html_(self) -> str:
        title = _TITLE.search(self.html)
        named = escape(unescape(title[1])) if title else "exactcover"
        return (
            f'<iframe title="{named}" srcdoc="{escape(self.html)}" '
            f'width="100%" height="{self.height}" '
            'style="border:0" allow="fullscreen"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<Page of {len(self.html) / 1000:,.0f} kB>"


def page(
    title: str,
    body: str,
    *,
    main: str,
    data: Mapping[str, object] | None = None,
    styles: tuple[str, ...] = (),
    height: int = 640,
    folder: Traversable | None = None,
    later: tuple[str, ...] = (),
    asks: bool = False,
) -> Page:
    """A page made of a body, modules, styles and data.

    title   of the window, as text
    body    the content of `<body>` as HTML: a `<main>` with an `<h1>`, and elements that the
            modules fill; texts in it must have been escaped
    main    the module that is imported first, such as "view.js"; what it imports comes with it.
            "page/NAME" is one in the folder beside ours
    data    name -> what JSON can say; `read("name")` of `exactcover/page.js` gives it to a module
    styles  files in `assets`, or in the folder, after the style of every page
    height  of the frame in a notebook, in pixels
    folder  of further modules and styles. Default: none
    later   modules that others import while the page runs
    asks    whether it asks the server that it comes from. Default: False, it asks nobody
    """
    first = main if main.startswith(BESIDE) else f"{OURS}{main}"
    texts = _modules((first, *later), folder)
    carried = [_module(name, text) for name, text in texts.items()]
    carried += [_json(name, value) for name, value in (data or {}).items()]
    loader = asset("loader.js").replace("MAIN", first)
    sheets = "\n".join([asset(BASE_STYLE), *(_style(name, folder) for name in styles)])
    # The nonce allows the scripts of this page, and none that a text of a puzzle might smuggle in.
    secret = token_urlsafe() if asks else ""  # a file is the same each time that it is made
    nonce = sha256("".join((title, body, loader, *carried, secret)).encode()).hexdigest()[:32]
    asked, images = ("connect-src 'self'; ", "'self' data:") if asks else ("", "data:")
    policy = (
        f"default-src 'none'; script-src 'nonce-{nonce}' blob:; style-src 'unsafe-inline'; "
        f"img-src {images} blob:; {asked}base-uri 'none'; form-action 'none'"
    )
    html = body_of(
        "page.html", POLICY=policy, TITLE=escape(title), STYLES=sheets, BODY=body,
        CARRIED="\n".join(carried), NONCE=nonce, LOADER=loader,
    )  # fmt: skip
    return Page(f"{html}\n", height)


@cache
def asset(name: str) -> str:
    """The text of a file in `assets`."""
    return (files("exactcover.show") / "assets" / name).read_text(encoding="utf-8")


def body_of(name: str, **texts: str) -> str:
    """A page or its body, a file in `assets`, with texts in place of comments: `<!--TITLE-->`."""
    return re.sub("<!--([A-Z]+)-->", lambda word: texts[word[1]], asset(name).rstrip("\n"))


def _style(name: str, folder: Traversable | None) -> str:
    """A style in the folder beside ours, or in `assets`."""
    file = folder / name if folder else None
    return file.read_text(encoding="utf-8") if file and file.is_file() else asset(name)


def _modules(first: Sequence[str], folder: Traversable | None) -> dict[str, str]:
    """The texts of modules and of all that they import, by name."""
    texts: dict[str, str] = {}
    waiting = [*first]
    while waiting:
        name = waiting.pop()
        if name in texts:
            continue
        if name.startswith(BESIDE) and folder is not None:
            text = (folder / name.removeprefix(BESIDE)).read_text(encoding="utf-8")
            # A module that is a blob has no place, so `./` would lead nowhere.
            texts[name] = _RELATIVE.sub(rf'\1"{BESIDE}', text)
        else:
            texts[name] = asset(VENDORED.get(name, name.removeprefix(OURS)))
        if name not in VENDORED:
            waiting += _IMPORTED.findall(texts[name])
    return texts


def _module(name: str, text: str) -> str:
    if _UNSAFE.search(text):
        raise ExactCoverError(f"{name}: a module must not hold '</script' or '<!--'")
    return f'<script type="text/plain" data-module="{escape(name)}">\n{text}</script>'


def _json(name: str, value: object) -> str:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="data-{escape(name)}">{text}</script>'

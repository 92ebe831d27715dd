"""Pages are opened in the Chromium of the system, which draws in software.

These tests carry the marker `browser` and are left out unless asked for: `make test-browser`. The
browsers that playwright could download are never used. Pages of models have a browser that draws
them as a graphics card would; the served page has one that does not pretend to have a card, since
that takes half the time.

A page that fails leaves a picture in `screenshots`.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from exactcover.show import Page
from tests.helpers.real_server import serving
from tests.helpers.viewer import BROWSERS, LOCAL, Viewer

SCREENSHOTS = Path(__file__).parent / "screenshots"

FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]

FLAT = [*FLAGS, "--disable-gpu-rasterization", "--disable-gpu-compositing"]

STALL = "GPU stall due to ReadPixels"
"""A remark of that browser about each picture of a model."""

TOKEN = "token-of-the-tests"

FAILED = pytest.StashKey[bool]()
"""Whether the call of a test has failed."""

Open = Callable[..., Viewer]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder needs a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note which tests fail, for the fixtures that end after them."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start the browser of the system."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip(f"there is no browser: none of {', '.join(BROWSERS)}")
    return {**browser_type_launch_args, "executable_path": program, "args": FLAGS}


@pytest.fixture
def open_page(browser: Any, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Open]:
    """A function that opens a page; afterwards each page must have kept quiet."""
    opened: list[Viewer] = []

    def open_(page: Page | str, **wishes: Any) -> Viewer:
        expected = wishes.pop("complaints", "")
        context = browser.new_context(**{"viewport": {"width": 900, "height": 600}, **wishes})
        file = tmp_path / f"page{len(opened)}.html"
        file.write_text(page if isinstance(page, str) else page.html, encoding="utf-8")
        viewer = Viewer(context.new_page(), expected)
        opened.append(viewer)
        viewer.load(file)
        return viewer

    yield open_
    _end(opened, request.node)
    for viewer in opened:
        viewer.page.context.close()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a server that all tests of this process share."""
    with serving("--token", TOKEN) as served:
        yield served.origin


@pytest.fixture(scope="session")
def flat_browser(launch_browser: Callable[..., Any]) -> Iterator[Any]:
    """The browser for the served page."""
    browser = launch_browser(args=FLAT)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def context_of(flat_browser: Any) -> Callable[[dict[str, Any]], Any]:
    """A function that gives a context with these wishes, in which files are loaded once."""
    made: dict[str, Any] = {}

    def context(wishes: dict[str, Any]) -> Any:
        key = repr(sorted(wishes.items()))
        if key not in made:
            made[key] = flat_browser.new_context(**wishes)
            made[key].set_default_timeout(15_000)
        return made[key]

    return context


@pytest.fixture
def open_served(
    context_of: Callable[[dict[str, Any]], Any], server: str, request: pytest.FixtureRequest
) -> Iterator[Open]:
    """A function that opens the served page at a fragment; afterwards it must have kept quiet.

    Each test begins with a browser that keeps nothing of the tests before. The first view is the
    one that draws least; the shelf has a model that moves.
    """
    opened: list[Viewer] = []

    def open_(fragment: str = "#draw", **wishes: Any) -> Viewer:
        expected = "|".join(filter(None, (STALL, wishes.pop("complaints", ""))))
        at = wishes.pop("at", server)
        context = context_of({"viewport": {"width": 1280, "height": 860}, **wishes})
        viewer = Viewer(context.new_page(), expected, (*LOCAL, at))
        if not opened:
            kept = {"origin": at, "storageTypes": "local_storage"}
            context.new_cdp_session(viewer.page).send("Storage.clearDataForOrigin", kept)
        opened.append(viewer)
        viewer.visit(f"{at}/?token={TOKEN}{fragment}")
        return viewer

    yield open_
    _end(opened, request.node)


def _end(opened: list[Viewer], test: pytest.Item) -> None:
    """Close each page; none may have complained or asked a stranger."""
    for number, viewer in enumerate(opened):
        if test.stash.get(FAILED, True) or viewer.complaints or viewer.strangers:
            name = f"{test.name}-{number}".replace("/", "-")
            viewer.page.screenshot(path=SCREENSHOTS / f"{name}.png")
        viewer.page.close()
        assert viewer.complaints == []
        assert viewer.strangers == []

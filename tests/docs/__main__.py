"""Compares the pages with what their blocks print: python -m tests.docs [--update] [PAGE ...]

With `--update` the pages are rewritten to show what was printed, and pictures that they save and
show are copied to `docs/pictures`. What must be mended by hand is listed; read the rest through
with `git diff`, since a wrong program makes a wrong page.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from shutil import copyfile

from tests.docs.blocks import ROOT, pages, read
from tests.docs.running import differences, mended, stale_pictures


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.docs", description=__doc__)
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="docs/making.md ...; else all")
    parser.add_argument("--update", action="store_true", help="rewrite the pages")
    parser.add_argument("--slow", action="store_true", help="run the slow commands too")
    given = parser.parse_args()
    left = 0
    for page in given.pages or pages():
        text = read(page)
        with tempfile.TemporaryDirectory() as folder:
            found = differences(page, text, Path(folder), given.slow)
            stale = stale_pictures(text, Path(folder))
            if given.update:
                for picture in stale:
                    copyfile(Path(folder) / picture.name, picture)
        for picture in stale:
            print(f"{picture.name}: {'is now' if given.update else 'is not'} what {page} saves")
        for difference in found:
            by_hand = given.update and difference.mended is None
            print(f"{'BY HAND: ' if by_hand else ''}{difference}\n", flush=True)
        if given.update and found:
            (ROOT / page).write_text(mended(text, found), encoding="utf-8")
        remaining = [one for one in found if one.mended is None] if given.update else found
        left += len(remaining) + (0 if given.update else len(stale))
        print(f"{page}: {len(found)} differences, {len(remaining)} left", flush=True)
    return 1 if left else 0


if __name__ == "__main__":
    raise SystemExit(main())

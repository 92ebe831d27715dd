"""The geometry of the pages, tested without a browser: by node, where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "javascript"


@pytest.mark.parametrize("file", sorted(HERE.glob("*.mjs")), ids=lambda path: path.stem)
def test_modules_of_the_pages_by_node(file: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node: the tests of browser use these modules too")
    done = subprocess.run([node, "--test", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    passed = re.search(r"^# pass (\d+)", done.stdout, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) == len(re.findall(r"^test\(", file.read_text(encoding="utf-8"), re.M))

"""Damaged cache files are replaced, and a cache that cannot be written costs one warning."""

from __future__ import annotations

import os
import random
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exactcover.base.compiled.code_cache import CheckedFiles, reached

KERNEL = """
from exactcover.base.compiled import jit

@jit
def half(x):
    return x / 2

@jit
def twice(x):
    return half(x) * 4
"""

RUN = """
import kernel
print(kernel.twice(3), kernel.twice(2.5))
print(sum(kernel.twice.stats.cache_hits.values()))
"""


def run(
    folder: Path, code: str = RUN, before: Callable[[], None] | None = None
) -> tuple[list[str], str]:
    """What it prints: two values and the number of signatures that the cache held; warnings."""
    (folder / "kernel.py").write_text(KERNEL)
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, cwd=folder, check=False, preexec_fn=before, timeout=120,
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr


def cut(share: float) -> Callable[[Path], object]:
    return lambda file: os.truncate(file, int(file.stat().st_size * share))


def one_byte_changed(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "empty": cut(0),
    "cut early": cut(0.001),
    "cut in the middle": cut(0.5),
    "without its end": lambda file: os.truncate(file, file.stat().st_size - 1),
    "one bit": one_byte_changed,
    "random": lambda file: file.write_bytes(random.Random(1).randbytes(3000)),
    "another version's": lambda file: file.write_bytes(b"\x80\x04\x95\x0a\0\0\0\0\0\0\0\x8c"),
    "gone": Path.unlink,
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_counts_as_missing(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    cache = CheckedFiles(tmp_path, "twice", None)
    for _ in range(2):
        cache.save(("version", "int64"), list(range(1000)))
        assert cache.load(("version", "int64")) == list(range(1000))
        assert cache.load(("version", "float64")) is None
        [file] = tmp_path.iterdir()
        damage(file)
        assert cache.load(("version", "int64")) is None


def test_code_of_another_signature_counts_as_missing(tmp_path: Path) -> None:
    cache = CheckedFiles(tmp_path, "twice", None)
    signatures = ("version", "int64"), ("version", "float64")
    for signature in signatures:
        cache.save(signature, f"code for {signature}")
    one, other = tmp_path.iterdir()
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)
    assert [cache.load(signature) for signature in signatures] == [None, None]


def test_code_of_another_version_is_replaced(tmp_path: Path) -> None:
    cache = CheckedFiles(tmp_path, "twice", None)
    for version in ("older", "later"):
        assert cache.load((version, "int64")) is None
        cache.save((version, "int64"), version)
        assert cache.load((version, "int64")) == version
    assert cache.load(("older", "int64")) is None
    assert len([*tmp_path.iterdir()]) == 1


def test_what_a_function_reaches_in_other_modules_is_part_of_its_stamp() -> None:
    stamps = set()
    for factor, more in ((2, "1"), (3, "1"), (2, "2"), (2, "min(x, 3)"), (2, "max(x, 3)")):
        names: dict[str, Any] = {}
        exec(f"FACTOR = {factor}\ndef plus(x):\n    return x + {more}\n", names)
        exec("def grown(x):\n    return plus(x) * FACTOR\n", names)
        stamps.add(repr(reached(names["grown"])))
    assert len(stamps) == 5


@pytest.mark.slow
def test_a_constant_of_another_module_is_part_of_the_key(tmp_path: Path) -> None:
    code = "from exactcover.base.compiled import jit\nfrom other import FACTOR, plus\n"
    code += "@jit\ndef grown(x):\n    return plus(x) * FACTOR\n"
    (tmp_path / "grown.py").write_text(code)
    other = "from exactcover.base.compiled import jit\nFACTOR = {}\n"
    other += "@jit\ndef plus(x):\n    return x + {}\n"
    again = "import grown; print(grown.grown(1), sum(grown.grown.stats.cache_hits.values()))"
    for factor, more, said in ((2, 1, "4 0"), (3, 1, "6 0")):
        (tmp_path / "other.py").write_text(other.format(factor, more))
        shutil.rmtree(tmp_path / "__pycache__", ignore_errors=True)
        assert run(tmp_path, again)[0] == said.split()


@pytest.mark.slow
def test_a_file_that_cannot_be_written_whole_costs_the_cache_alone(tmp_path: Path) -> None:
    """As on a full disk: every file ends after a thousand bytes."""

    def small_files_only() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    values, warnings = run(tmp_path, before=small_files_only)
    assert values == ["6.0", "5.0", "0"]
    assert warnings.count("NUMBA_CACHE_DIR") == 1
    assert "File too large" in warnings
    assert not [file.name for file in (tmp_path / "cache").rglob("*.tmp.*")]
    assert run(tmp_path) == (["6.0", "5.0", "0"], "")

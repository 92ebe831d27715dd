"""The kernel of fila beside a plain loop in C that searches the same tables, in the same run.

    python benchmarks/bench_plain_c.py [--repeats 9]

The loop is `plain_fila.c`, built by the system's C compiler, `cc`; without one there is nothing to
compare with. The puzzle is the pentominoes in a box of 10 x 6 with X placed first in a quarter of
it: seven sets of tables. Only the search is timed; the three take turns, and the median of the
processor seconds counts. The ratio is the kernel's time to the loop's: below 1 the kernel is the
faster one.
"""

from __future__ import annotations

import argparse
import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from benchmarks.bench_fila import CASES, images_left
from benchmarks.puzzles import read_puzzle
from exactcover.backends import Branching, get_backend, started
from tests.helpers.small_problems import finished

SOURCE = Path(__file__).with_name("plain_fila.c")
BUILDS = {"-O3 -march=native": ("-O3", "-march=native"), "-O2": ("-O2",)}
WAYS = ("f nof=0", "f nof=adjacent", "f nof", "f nof, 2 words")


def built(compiler: str, folder: str, words: int, flags: tuple[str, ...]) -> ctypes.CDLL:
    library = f"{folder}/plain{words}{''.join(flags)}.so"
    shared = ("-shared", "-fPIC", f"-DWORDS={words}", "-o", library, str(SOURCE))
    subprocess.run([compiler, *flags, *shared], check=True)
    return ctypes.CDLL(library)


def search(plain: ctypes.CDLL, tables: Any, counts: Any, nodes: Any) -> None:
    arrays = [tables.branch, tables.cells, tables.rows, tables.masks, nodes, counts]
    branch, cells, rows, masks, stack, out = (
        ctypes.c_void_p(array.ctypes.data) for array in arrays
    )
    kinds, left = ctypes.c_uint64(tables.kinds), ctypes.c_uint64(int(tables.must[0]))
    plain.search(branch, cells, rows, kinds, masks, stack, left, out)


def main() -> None:
    parser = argparse.ArgumentParser(description="fila beside a plain loop in C")
    parser.add_argument("--repeats", type=int, default=9)
    repeats = parser.parse_args().repeats
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        print("there is no C compiler, so there is nothing to compare with")
        return
    case = CASES["P"]
    model = read_puzzle(case.puzzle).model
    _, _, nodes = images_left(model, case)
    heads = "".join(f"{f'C {name}':>24} {'ratio':>6}" for name in BUILDS)
    print(f"  {'':16} {'kernel ms':>10}{heads}")
    with tempfile.TemporaryDirectory() as folder:
        for way in WAYS:
            words = 2 if "2 words" in way else 1
            plain = {name: built(compiler, folder, words, BUILDS[name]) for name in BUILDS}
            seconds: dict[str, list[float]] = {name: [] for name in ("kernel", *BUILDS)}
            for _ in range(repeats + 1):
                searches = [
                    started(
                        get_backend("fila"),
                        model.problem,
                        model.layout,
                        Branching(node, case.ways[way]),
                    )
                    for node in nodes
                ]
                tables: list[Any] = [one._tables for one in searches]  # type: ignore[attr-defined]
                began = process_time()
                reports = [finished(one) for one in searches]
                seconds["kernel"].append(process_time() - began)
                expected = [sum(one.found for one in reports), sum(one.fits for one in reports)]
                for name, library in plain.items():
                    counts, stack = np.zeros(3, np.uint64), np.zeros(4096, np.uint64)
                    began = process_time()
                    for its in tables:
                        search(library, its, counts, stack)
                    seconds[name].append(process_time() - began)
                    if counts[:2].tolist() != expected:
                        raise SystemExit(f"{counts.tolist()} in C, {expected} here")
            kernel = median(seconds["kernel"][1:])
            line = f"  {way:16} {kernel * 1e3:10.1f}"
            for name in BUILDS:
                its_median = median(seconds[name][1:])
                line += f"{its_median * 1e3:24.1f} {kernel / its_median:6.2f}"
            print(line)


if __name__ == "__main__":
    main()

"""Run the benchmarks: `python -m benchmarks [NAME ...]`, by default all of them.

    python -m benchmarks            every benchmark, one after the other
    python -m benchmarks filters    only benchmarks/bench_filters.py

Each measures ratios in one run; nothing else should run meanwhile. What a benchmark can be told is
in its own help: `python benchmarks/bench_dlx.py --help`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
NAMES = sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))


def main(wanted: list[str]) -> int:
    """Run the benchmarks of these names; the exit status."""
    unknown = [name for name in wanted if name not in NAMES]
    if unknown:
        sys.stderr.write(f"no benchmark is called {unknown[0]!r}: there are {', '.join(NAMES)}\n")
        return 2
    for name in wanted or NAMES:
        sys.stdout.write(f"\n== {name}\n")
        sys.stdout.flush()
        status = subprocess.run([sys.executable, HERE / f"bench_{name}.py"], check=False).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

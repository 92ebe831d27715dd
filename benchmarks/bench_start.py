"""How long commands take to start, in units of `import numba`.

    python benchmarks/bench_start.py [--rounds 5] [--only WORD]

Each command runs once to fill the caches. Then it runs in turns with `python -c "import numba"`,
and the medians of their processor seconds are compared. Bytecode is written, as by every Python
that is not told otherwise: without it, each start compiles the sources of the package again.
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

COMMANDS = """
--help
solve --quiet somacube
solve somacube
solve --first --quiet somacube
solve --json somacube
solve --quiet pentominoes_10x6
solve --first --quiet pentominoes_10x6
solve --first queens_8
solve sudoku
solve --first bedlamcube
count somacube
count --counted all somacube
count queens_8
count langford_8
count sudoku
count pentominoes_20x3
count pentominoes_10x6
count tetrahexes_7x4
estimate somacube
compare pentominoes_20x3
batch somacube queens_8
best assignment
draw somacube
draw somacube -o view.html
animate somacube -o film.html
make somacube -o solids.stl
solve somacube --random 1
run --progress none somacube --dir {ledger}
verify cube_o
check somacube
check pentominoes_10x6
list shapes square 5
list lattices
list lattices square
list puzzles
list heuristics
list filters
list backends
polycube -q {soma}
convert somacube -o soma.toml
"""

BASE = [sys.executable, "-c", "import numba"]


def seconds(command: list[str], folder: Path) -> float:
    """The processor seconds of a command and the processes that it starts."""
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{shlex.join(command)}: {done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="runs of each command")
    parser.add_argument("--only", default="", help="only commands that contain this text")
    asked = parser.parse_args()
    soma = Path(__file__).resolve().parent.parent / "defs" / "cubic" / "somacube.txt"
    print("| command | seconds | `import numba` | ratio |\n|---|---|---|---|")
    for text in COMMANDS.strip().splitlines():
        if asked.only not in text:
            continue
        with tempfile.TemporaryDirectory() as folder:
            took, base = [], []
            for number in range(asked.rounds + 1):
                words = shlex.split(text.format(soma=soma, ledger=f"{number}.ledger"))
                one = seconds([sys.executable, "-m", "exactcover", *words], Path(folder))
                two = seconds(BASE, Path(folder))
                if number:  # the first fills the caches
                    took.append(one)
                    base.append(two)
        ratio = median(took) / median(base)
        print(f"| {text} | {median(took):.2f} | {median(base):.2f} | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()

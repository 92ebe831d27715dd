"""What in the pages is not run, or not every time, and why: short lists, so that all else is.

A command is named by how it begins.
"""

from __future__ import annotations

NOT_RUN = {
    "python3 -m pip install": "installs into the reader's environment",
    "python -m tests.docs": "does what this test does",
    "PYTHONPATH=. pytest tests/backends": "names an engine of the reader's",
    "exactcover serve": "runs until somebody ends it",
    "python examples/drive_server.py": "needs a server; tests/studio/serving runs it",
    "dask ": "runs until somebody ends it",
    "exactcover count PT12 --cluster tcp": "needs a cluster",
    "exactcover estimate pentominoes_1s_18x5": "takes minutes, until its time limit",
}

SLOW = {"exactcover count pentominoes_10x6 --plugin": "compiles a heuristic: ten seconds"}


def reason(command: str, table: dict[str, str]) -> str | None:
    """Why a command is in the table, or None."""
    return next((why for start, why in table.items() if command.startswith(start)), None)

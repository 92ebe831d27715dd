"""The file of a ledger: one SQLite database, created whole, opened with distrust.

A run is one puzzle, searched by one strategy: the one row of the table `run`. It searches the whole
tree or a part of it, since machines that share nothing may take a part each. A task has some nodes:
it waits or it is done, and a done task has its results and is the parent of the tasks that it
handed back. Nothing says which tasks are being searched, so a crash leaves nothing to repair.
Totals are kept nowhere: they are sums over tasks.

SQLite keeps a rollback journal beside the file while it writes, and removes it with each commit, so
the file alone is the ledger.

SQLite reports a fault by a number. Each becomes a `LedgerError` that says what to do. Some faults
SQLite does not see: a file of 0 bytes is a valid empty database, another program's database is as
good as ours, and no checksum guards its pages. So the `application_id` is checked too, and each row
has a CRC-32 of all that belongs to it.

Only one run at a time works on a directory. Its lock is a transaction that is never ended, on an
empty database beside the ledger: the system frees it however a run ends.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from exactcover.errors import LedgerError

NAME = "ledger.sqlite"
"""The name of the file in the directory of a run."""

APPLICATION = 0x45784376
"""The `application_id` of a ledger: ExCv."""

FORMAT = 11
"""The `user_version` of a ledger. A change of the tables raises it."""

TABLES = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};

CREATE TABLE run (
    terms     TEXT NOT NULL,                -- the fields of `Terms`, as JSON
    crc       INTEGER                       -- of the terms
);

CREATE TABLE task (
    id        INTEGER PRIMARY KEY,
    parent    INTEGER,                      -- the task that handed it back; NULL: none
    share     REAL NOT NULL,                -- of the whole tree, if siblings count equally
    state     INTEGER NOT NULL DEFAULT 0,   -- 0: it waits; 1: it is done
    solutions INTEGER,                      -- the results; NULL: it waits
    fits      INTEGER,
    nofits    INTEGER,
    seconds   REAL,                         -- of one worker, without those of compilation,
    compiling REAL,                         -- which are here
    found     BLOB,                         -- the solutions
    nodes     BLOB,                         -- what is searched; NULL: it is done
    crc       INTEGER                       -- of all other columns, and how many are handed back
);

CREATE INDEX waiting ON task (share DESC) WHERE state = 0;
CREATE INDEX children ON task (parent);
"""

RESULTS = "solutions, fits, nofits, seconds, compiling, found"
"""The columns that the outcome of a task fills."""

SUMS = {
    "run": "crc32(CAST(terms AS BLOB))",
    "task": f"crc32(id, parent, share, state, nodes, {RESULTS}, "
    "(SELECT count(*) FROM task AS child WHERE child.parent = task.id))",
}
"""The checksum of a row of each table. That of a task is also of the number of tasks that it handed
back."""

PATIENCE = 600.0
"""Seconds that one connection waits for another: a commit waits for those who read."""

LOCK = "lock.sqlite"

GRACE, GLANCE = 1.0, 0.1
"""Seconds that a run waits for the lock, and a `status`, which holds it for a moment."""

COPY = "restore a copy of it, or begin again in another folder"
DAMAGED = f"it is damaged or cut short: {COPY}"
CLOSED = "you need the right to read and write the file and its folder, which must exist"

FAULTS = {
    "SQLITE_FULL": "the disk is full: make room, then resume; no finished task is lost",
    "SQLITE_IOERR": "the disk does not take or give data ({name}): it may be full, files may be "
    "limited in size (ulimit -f), or the disk may be faulty; no finished task is lost",
    "SQLITE_READONLY": f"it cannot be written: {CLOSED}",
    "SQLITE_CANTOPEN": f"it cannot be opened: {CLOSED}",
    "SQLITE_PERM": f"it cannot be opened: {CLOSED}",
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_NOTADB": f"it is no ledger, or its beginning is lost: give a folder without {NAME}, or "
    + COPY,
    "user-defined function": DAMAGED,  # a text is none, so it has no checksum
    "SQLITE_BUSY": "another program holds it: end that program",
}
"""The messages for faults of SQLite, by the beginning of their names, or of what SQLite says."""


def path_in(folder: str | Path) -> Path:
    """The ledger of a directory."""
    return Path(folder) / NAME


def has_ledger(folder: str | Path) -> bool:
    """Whether a directory has a ledger. One that was broken off while it was made is empty, once
    a reader has rolled it back."""
    path = path_in(folder)
    with suppress(sqlite3.Error), closing(connected(path, "rw", GRACE)) as connection:
        connection.execute("PRAGMA user_version")
    return path.is_file() and path.stat().st_size > 0


def require_ledger(folder: str | Path) -> None:
    """Raise unless a directory has a ledger."""
    if not has_ledger(folder):
        raise LedgerError(
            f"{path_in(folder)}: there is no ledger here: `exactcover run PUZZLE --dir {folder}` "
            "begins one"
        )


@contextmanager
def faults_told(path: Path) -> Iterator[None]:
    """Report each fault of SQLite in here as a `LedgerError`."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "") or ""
        for start, words in FAULTS.items():
            if name.startswith(start) or str(error).startswith(start):
                raise LedgerError(f"{path}: {words.format(name=name)}") from error
        raise LedgerError(f"{path}: {error}") from error
    except UnicodeDecodeError as error:  # of a damaged text, also in a message of SQLite
        raise LedgerError(f"{path}: {DAMAGED}") from error


# -- opening --------------------------------------------------------------------------------------


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Raise unless it is a ledger of this version, and whole: each row is read.

    SQLite takes zeros for what is missing of the last page, and a file of a few bytes for an empty
    database.
    """
    names = "application_id", "user_version", "page_size"
    application, form, page = (connection.execute(f"PRAGMA {n}").fetchone()[0] for n in names)
    if application != APPLICATION:
        raise LedgerError(f"{path}: {FAULTS['SQLITE_NOTADB']}")
    if form != FORMAT:
        raise LedgerError(
            f"{path}: it has format {form}, and this version reads format {FORMAT}: use the "
            "version of exactcover that began the run, or begin again in another folder"
        )
    if path.stat().st_size % page:
        raise LedgerError(f"{path}: {DAMAGED}")
    [(said,)] = connection.execute("PRAGMA integrity_check(1)")
    if said != "ok":
        raise LedgerError(f"{path}: it is damaged or cut short ({said}): {COPY}")
    for table, crc in SUMS.items():
        damaged = connection.execute(f"SELECT rowid FROM {table} WHERE crc IS NOT {crc}").fetchone()
        if damaged is not None:
            raise LedgerError(f"{path}: {table} {damaged[0]} is damaged: {COPY}")


def opened(path: Path, mode: str) -> sqlite3.Connection:
    """A connection with every commit on the disk."""
    connection = connected(path, mode, PATIENCE)
    connection.execute("PRAGMA synchronous = EXTRA")  # the folder too, without the journal
    connection.create_function("crc32", -1, _crc32, deterministic=True)
    connection.text_factory = lambda raw: raw.decode(errors="surrogateescape")
    return connection


def _crc32(*values: object) -> int:
    """The checksum of numbers and blobs."""
    return zlib.crc32(ascii(values).encode())


# -- the lock --------------------------------------------------------------------------------------


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Have a directory in here; raises `LedgerError` if another process has it."""
    with ExitStack() as held:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = held.enter_context(closing(connected(folder / LOCK, "rwc", GRACE)))
            lock.execute("BEGIN IMMEDIATE")
        except (OSError, sqlite3.Error) as error:
            why = f"{error}: a run needs a folder in which it can write"
            if "locked" in str(error):
                why = "another run works on it: stop that run first"
            raise LedgerError(f"{folder}: {why}") from None
        yield


def is_locked(folder: Path) -> bool:
    """Whether a run works on a directory now."""
    with suppress(sqlite3.Error), closing(connected(folder / LOCK, "rw", GLANCE)) as lock:
        try:
            lock.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            return "locked" in str(error)  # on a disk that cannot be written nobody works
    return False


def connected(path: Path, mode: str, patience: float) -> sqlite3.Connection:
    """A connection without transactions of its own, which any thread may close."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,
    )

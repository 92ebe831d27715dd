"""The file of a ledger: one SQLite database, created whole, opened with distrust.

A run is one puzzle, searched by one strategy: the one row of the table `run`. Its tree is searched
in parts, all of them or some, since machines that share nothing may take a part each. A task has
some nodes: it waits or it is done, and a done task has its results and is the parent of the tasks
that it handed back. Nothing says which tasks are being searched, so a crash leaves nothing to
repair. Totals are kept nowhere: they are sums over tasks.

SQLite keeps a rollback journal beside the file while it writes, and removes it with each commit, so
the file alone is the ledger.

SQLite reports a fault by a number. Each becomes a `LedgerError` that says what to do. Some faults
SQLite does not see: a file of 0 bytes is a valid empty database, another program's database is as
good as ours, and no checksum guards its pages. So the `application_id` is checked too, and each row
of a run and of a task has a CRC-32 of all that belongs to it.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from exactcover.errors import LedgerError

NAME = "ledger.sqlite"
"""The name of the file in the directory of a run."""

APPLICATION = 0x45784376
"""The `application_id` of a ledger: ExCv."""

FORMAT = 8
"""The `user_version` of a ledger. A change of the tables raises it."""

TABLES = """
CREATE TABLE run (
    puzzle    TEXT NOT NULL,         -- its name
    form      TEXT NOT NULL,         -- the format of the text: toml or dlx
    text      TEXT NOT NULL,         -- the whole puzzle
    counted   TEXT NOT NULL,         -- what counts as one solution: all, rotations, reflections
    strategy  TEXT NOT NULL,
    plugins   TEXT NOT NULL,         -- files and modules that define what it names, as JSON
    parts     INTEGER NOT NULL,      -- how many parts the tree has
    options   INTEGER NOT NULL,      -- how many options the problem has
    reason    TEXT NOT NULL,         -- why there can be no solution; empty: that is not known
    problem   TEXT NOT NULL,         -- SHA-256 of the items and options, in their order
    plan      TEXT NOT NULL,         -- SHA-256 of what the filters leave
    version   TEXT NOT NULL,         -- of the program that began it
    crc       INTEGER                -- of all other columns
);

CREATE TABLE task (
    id        INTEGER PRIMARY KEY,
    part      INTEGER NOT NULL,             -- 1 to run.parts
    parent    INTEGER REFERENCES task,      -- the task that handed it back; NULL: none
    share     REAL NOT NULL,                -- of the whole tree, if siblings count equally
    state     INTEGER NOT NULL DEFAULT 0,   -- 0: it waits; 1: it is done
    solutions INTEGER,                      -- the results; NULL: it waits
    fits      INTEGER,
    nofits    INTEGER,
    seconds   REAL,                         -- of one worker, without those of compilation,
    compiling REAL,                         -- which are here
    symmetric TEXT,                         -- solutions by their group of symmetries, as JSON
    nodes     BLOB,                         -- what is searched; NULL: it is done
    crc       INTEGER                       -- of all other columns and of what belongs to it
);

CREATE INDEX waiting ON task (share DESC) WHERE state = 0;
CREATE INDEX children ON task (parent);

CREATE TABLE solution (
    task      INTEGER NOT NULL REFERENCES task,
    options   BLOB NOT NULL,         -- option numbers, ascending, big-endian: see `Terms.number`
    PRIMARY KEY (task, options)
) WITHOUT ROWID;
"""

RUN = (
    "puzzle", "form", "text", "counted", "strategy", "plugins", "parts", "options", "reason",
    "problem", "plan", "version",
)  # fmt: skip
RESULTS = ("solutions", "fits", "nofits", "seconds", "compiling", "symmetric")
TASK = ("id", "part", "parent", "share", "state", "nodes", *RESULTS)
"""The columns of a run, of a task, and those that the outcome of a task fills."""

PATIENCE = 600.0
"""Seconds that one connection waits for another: a commit waits for those who read."""

HEADER, MAGIC = 100, b"SQLite format 3\0"
"""The size of the header of a database, and how it begins; it has `user_version` and
`application_id` too. SQLite takes a file of a few bytes for an empty database."""

COPY = "restore a copy of it, or begin again in another folder"

FAULTS = {
    "SQLITE_FULL": "the disk is full: make room, then resume; no finished task is lost",
    "SQLITE_IOERR": "the disk does not take or give data ({name}): it may be full, files may be "
    "limited in size (ulimit -f), or the disk may be faulty; no finished task is lost",
    "SQLITE_READONLY": "it cannot be written: give yourself the right to write the file and its "
    "folder, or copy the folder to another place",
    "SQLITE_CANTOPEN": "it cannot be opened: the folder must exist, and you must have the right to "
    "read and write it",
    "SQLITE_PERM": "you have not the right to open it",
    "SQLITE_CORRUPT": f"it is damaged or cut short: {COPY}",
    "SQLITE_NOTADB": f"it is no ledger, or its beginning is lost: {COPY}",
    "SQLITE_BUSY": "another program holds it for longer than {patience:g} s: end that program",
}
"""The messages for faults of SQLite, by the beginning of their names."""


def path_in(folder: str | Path) -> Path:
    """The ledger of a directory."""
    return Path(folder) / NAME


@contextmanager
def faults_told(path: Path) -> Iterator[None]:
    """Report each fault of SQLite in here as a `LedgerError`."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "") or ""
        for start, words in FAULTS.items():
            if name.startswith(start):
                told = words.format(name=name, patience=PATIENCE)
                raise LedgerError(f"{path}: {told}") from error
        raise LedgerError(f"{path}: {error}") from error
    except UnicodeDecodeError as error:  # of a damaged text, also in a message of SQLite
        raise LedgerError(f"{path}: {FAULTS['SQLITE_CORRUPT']}") from error


# -- opening --------------------------------------------------------------------------------------


def opened(path: Path, *, write: bool, check: bool) -> sqlite3.Connection:
    """A connection to a ledger that is there; the arguments are those of `Ledger.open`."""
    _check_start(path)
    with faults_told(path), ExitStack() as opening:
        # A file that cannot be written is opened to be read. If a crash has left a journal, the
        # first reader restores the last commit from it.
        connection = _connected(path, "rw")
        opening.callback(connection.close)
        connection.execute("PRAGMA schema_version").fetchone()  # which restores it
        _check_size(path)
        if check:
            _check_rows(connection, path)
        if write:  # which shows at once whether it can be written
            connection.execute(f"PRAGMA user_version = {FORMAT}")
        opening.pop_all()
        return connection


@contextmanager
def created(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a new ledger, which has its name only once all in here is written.

    So a run that is broken off while it begins leaves no half a ledger.
    """
    made = path.with_name(f"{NAME}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for left_over in (".new", ".new-journal", "-journal"):
            path.with_name(NAME + left_over).unlink(missing_ok=True)
    except OSError as error:
        raise LedgerError(f"{path.parent}: no ledger can be made here: {error.strerror}") from None
    try:
        with faults_told(path), closing(_connected(made, "rwc")) as connection:
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")
            connection.executescript(f"BEGIN; {TABLES} COMMIT;")
            yield connection
    except BaseException:
        made.unlink(missing_ok=True)
        raise
    try:
        os.replace(made, path)  # the next commit brings the new name to the disk
    except OSError as error:
        raise LedgerError(f"{path}: it cannot be written: {error.strerror}") from None


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    """A connection without transactions of its own; with every commit on the disk."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = EXTRA")  # the folder too, without the journal
        connection.execute("PRAGMA foreign_keys = ON")
        connection.create_function("crc", 1, zlib.crc32, deterministic=True)
        connection.text_factory = lambda raw: raw.decode(errors="surrogateescape")
    except BaseException:
        connection.close()
        raise
    return connection


# -- distrust -------------------------------------------------------------------------------------


def _check_start(path: Path) -> None:
    """Raise unless the file can be read, and begins as a ledger of this version does."""
    if path.is_dir():
        raise LedgerError(f"{path}: it is a folder, so no ledger")
    try:
        with path.open("rb") as file:
            head = file.read(HEADER)
    except (FileNotFoundError, NotADirectoryError):
        raise LedgerError(
            f"{path}: there is no ledger here: `exactcover run PUZZLE --dir {path.parent}` begins "
            "one"
        ) from None
    except OSError as error:
        raise LedgerError(f"{path}: {error.strerror}") from None
    if not head:
        raise LedgerError(f"{path}: it has 0 bytes, so all that was in it is lost: {COPY}")
    if len(head) < HEADER or not head.startswith(MAGIC):
        raise LedgerError(f"{path}: {FAULTS['SQLITE_NOTADB']}")
    form, application = (int.from_bytes(head[at : at + 4], "big") for at in (60, 68))
    if application != APPLICATION:
        raise LedgerError(
            f"{path}: it is a database of another program: give --dir a folder without {NAME}"
        )
    if form != FORMAT:
        raise LedgerError(
            f"{path}: it has format {form}, and this version reads format {FORMAT}: use the "
            "version of exactcover that began the run, or begin again in another folder"
        )


def _check_size(path: Path) -> None:
    """Raise if the last page is cut. SQLite takes zeros for what is missing there."""
    with path.open("rb") as file:
        page = int.from_bytes(file.read(HEADER)[16:18], "big")
        size = file.seek(0, os.SEEK_END)
    if page and size % (1 << 16 if page == 1 else page):
        raise LedgerError(f"{path}: {FAULTS['SQLITE_CORRUPT']}")


SEALED = {
    "run": f"SELECT rowid, {', '.join(RUN)}, crc FROM run",
    "task": f"SELECT {', '.join(TASK)}, "
    "(SELECT count(*) FROM task AS child WHERE child.parent = task.id), "
    "(SELECT sum(crc(CAST(options AS BLOB)) + (typeof(options) != 'blob')) FROM solution "
    "WHERE solution.task = task.id), crc FROM task",
}
"""The rows of each table: their number, all that their checksum is of, and the checksum. That of a
task is also of the number of tasks that it handed back, and of its solutions."""


def checksum(values: Sequence[object]) -> int:
    """The CRC-32 of numbers, texts and blobs."""
    return zlib.crc32(ascii(values).encode())


def _check_rows(connection: sqlite3.Connection, path: Path) -> None:
    """Raise if SQLite finds damage, or a row is not as it was written."""
    [(said,)] = connection.execute("PRAGMA integrity_check(1)")
    if said != "ok":
        raise LedgerError(f"{path}: it is damaged or cut short ({said}): {COPY}")
    for table, sql in SEALED.items():
        rows = connection.execute(sql)
        if damaged := [values[0] for *values, crc in rows if checksum(values) != crc]:
            are = f" and {len(damaged) - 1} more are" if len(damaged) > 1 else " is"
            raise LedgerError(f"{path}: {table} {damaged[0]}{are} damaged: {COPY}")
    if connection.execute("PRAGMA foreign_key_check").fetchone():
        raise LedgerError(f"{path}: it is damaged (rows are missing): {COPY}")

"""The file of a ledger: it is created whole, and opened with distrust.

SQLite reports a fault by a number. Each becomes a `LedgerError` that says what to do. Some faults
SQLite does not see: a file of 0 bytes is a valid empty database, and another program's database is
as good as ours. So the `application_id` is checked too.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Self

from exactcover.errors import LedgerError
from exactcover.runs.ledger.damage import check_rows
from exactcover.runs.ledger.schema import APPLICATION, FORMAT, SUMS, TABLES, crc

NAME = "ledger.sqlite"
"""The name of the file in the directory of a run."""

HEADER, MAGIC = 100, b"SQLite format 3\0"
"""The size of the header of a database, and how it begins. SQLite takes a file of a few bytes for
an empty database."""

PATIENCE = 30.0
"""Seconds that one connection waits for another."""

NETWORK = frozenset(("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "fuse.sshfs"))
"""Types of file systems on which a write-ahead log does not work, as machines share no memory."""

MOUNTS = Path("/proc/self/mounts")
"""Where Linux lists the disks."""

FAULTS = {
    "SQLITE_FULL": "the disk is full: make room, then resume; no finished task is lost",
    "SQLITE_IOERR": "the disk does not take or give data ({name}): it may be full, files may be "
    "limited in size (ulimit -f), or the disk may be faulty; no finished task is lost",
    "SQLITE_READONLY": "it cannot be written: give yourself the right to write the file and its "
    "folder, or copy the folder to another place",
    "SQLITE_CANTOPEN": "it cannot be opened: the folder must exist, and you must have the right to "
    "read and write it",
    "SQLITE_PERM": "you have not the right to open it",
    "SQLITE_CORRUPT": "it is damaged or cut short: take a copy of it, or begin again",
    "SQLITE_NOTADB": "it is no ledger, or its beginning is lost: take a copy of it, or begin again",
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


class LedgerFile:
    """The open file of a ledger, a SQLite database; `with` closes it."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection, self.path = connection, path

    @classmethod
    def open(
        cls, folder: str | Path, *, write: bool = False, check: bool = True, mend: bool = False
    ) -> Self:
        """The ledger of a directory; raises `LedgerError` if it is none or damaged.

        write  whether it is to be changed
        check  whether all of it is read, to see that nothing is missing or damaged
        mend   whether damage is allowed that can be searched again; broken indexes are made again
        """
        path = path_in(folder)
        _check_start(path, folder)
        log = _beside(path)[0]
        if not (log.exists() and log.stat().st_size):
            _check_size(path)
        if write and not _is_writable(path.parent):
            raise LedgerError(f"{path}: {FAULTS['SQLITE_READONLY']}")
        with faults_told(path), ExitStack() as opened:
            connection = _connect(path, "rw" if write else _reading(path))
            opened.callback(connection.close)
            _check_kind(connection, path)
            if write:  # what the log has goes into the file
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                _check_size(path)
            ledger = cls(connection, path)
            if check:
                _check_file(connection, path, mend=mend)
                check_rows(ledger, mend=mend)
            if write:
                connection.execute(f"PRAGMA journal_mode = {journal_of(path.parent)}").fetchone()
            opened.pop_all()
            return ledger

    @classmethod
    @contextmanager
    def created(cls, folder: str | Path) -> Iterator[Self]:
        """A new ledger, which has its name only once all in here is written.

        So a run that is broken off while it begins leaves no half a ledger.
        """
        path = path_in(folder)
        made = path.with_name(f"{NAME}.new")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            for old in (made, *_beside(made)):
                old.unlink(missing_ok=True)
        except OSError as error:
            raise LedgerError(
                f"{path.parent}: no ledger can be made here: {error.strerror}"
            ) from None
        try:
            with faults_told(path), closing(_connect(made, "rwc")) as connection:
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {FORMAT}")
                connection.executescript(f"BEGIN; {TABLES} COMMIT;")
                yield cls(connection, path)
                connection.execute(f"PRAGMA journal_mode = {journal_of(path.parent)}").fetchone()
        except BaseException:
            made.unlink(missing_ok=True)
            raise
        try:
            os.replace(made, path)
            _sync(path.parent)
        except OSError as error:
            raise LedgerError(f"{path}: it cannot be written: {error.strerror}") from None

    def close(self) -> None:
        """Close the file. What is committed is safe without it."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: all in here is written, or nothing."""
        with faults_told(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def unchanging(self) -> Iterator[None]:
        """Read the ledger in here as it is now, whatever a run writes meanwhile."""
        with faults_told(self.path):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.execute("ROLLBACK")

    def rows(self, sql: str, *values: object) -> list[Any]:
        """The rows that a query gives."""
        with faults_told(self.path):
            return self._connection.execute(sql, values).fetchall()

    def each(self, sql: str, *values: object) -> Iterator[Any]:
        """The rows one by one, for those that may not fit into memory."""
        with faults_told(self.path):
            yield from self._connection.execute(sql, values)

    def do(self, sql: str, *values: object) -> None:
        """Change rows, within `writing`."""
        self._connection.execute(sql, values)

    def insert(self, table: str, **values: object) -> int:
        """Insert a row, within `writing`, with its checksums; return its number."""
        sql = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})"
        number = self._connection.execute(sql, (*values.values(),)).lastrowid
        assert number is not None
        self.seal(table, number)
        return number

    def seal(self, table: str, row: int) -> None:
        """Write the checksums of a row, within `writing`, after all that they are of."""
        if table in SUMS:
            sums = ", ".join(f"{column} = {sql}" for column, sql in SUMS[table].items())
            self.do(f"UPDATE {table} SET {sums} WHERE rowid = ?", row)


# -- opening --------------------------------------------------------------------------------------


def _check_start(path: Path, folder: str | Path) -> None:
    """Raise unless the file can be read and begins as a database does."""
    if path.is_dir():
        raise LedgerError(f"{path}: it is a folder, so no ledger")
    try:
        with path.open("rb") as file:
            head = file.read(HEADER)
    except (FileNotFoundError, NotADirectoryError):
        raise LedgerError(
            f"{path}: there is no ledger here: `exactcover run PUZZLE --dir {folder}` begins one"
        ) from None
    except OSError as error:
        raise LedgerError(f"{path}: {error.strerror}") from None
    if not head:
        raise LedgerError(
            f"{path}: it has 0 bytes, so all that was in it is lost: take a copy of it, or remove "
            "it and begin again"
        )
    if len(head) < HEADER or not head.startswith(MAGIC):
        raise LedgerError(f"{path}: {FAULTS['SQLITE_NOTADB']}")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection without transactions of its own; with every commit on the disk."""
    connection = sqlite3.connect(_uri(path, mode), uri=True, timeout=PATIENCE, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.create_function("crc", -1, crc, deterministic=True)
    except BaseException:
        connection.close()
        raise
    return connection


def _reading(path: Path) -> str:
    """How to open a file to change nothing, beside a run as well as on a read-only disk."""
    logged = any(one.exists() for one in _beside(path))
    return "ro" if logged or _is_writable(path.parent) else "ro&immutable=1"


def _uri(path: Path, mode: str) -> str:
    return f"{path.absolute().as_uri()}?mode={mode}"


def _is_writable(folder: Path) -> bool:
    """Whether files can be made in a folder; on a read-only disk the right to do so is no use."""
    if not hasattr(os, "statvfs"):
        return os.access(folder, os.W_OK)
    read_only = os.statvfs(folder).f_flag & os.ST_RDONLY
    return not read_only and os.access(folder, os.W_OK)


def _beside(path: Path) -> list[Path]:
    """The files that SQLite keeps beside a database in use."""
    return [path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal")]


def _check_size(path: Path) -> None:
    """Raise if the last page is cut. SQLite takes zeros for what is missing there."""
    with path.open("rb") as file:
        page = int.from_bytes(file.read(HEADER)[16:18], "big")
        size = file.seek(0, os.SEEK_END)
    if page and size % (1 << 16 if page == 1 else page):
        raise LedgerError(f"{path}: {FAULTS['SQLITE_CORRUPT']}")


def _check_kind(connection: sqlite3.Connection, path: Path) -> None:
    """Raise unless it is a ledger that this version can read."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (form,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise LedgerError(
            f"{path}: it is a database of another program: give --dir a folder without {NAME}"
        )
    if form != FORMAT:
        raise LedgerError(
            f"{path}: it has format {form}, and this version reads format {FORMAT}: use the "
            "version of exactcover that began the run, or begin again in another folder"
        )


def _check_file(connection: sqlite3.Connection, path: Path, *, mend: bool) -> None:
    """Raise if SQLite finds damage, or tables are not as they were made."""
    made = sqlite3.connect(":memory:")
    made.executescript(TABLES)
    schema = "SELECT type, name, tbl_name, sql FROM sqlite_master"
    expected = set(made.execute(schema))
    made.close()
    faults = _faults(connection)
    if faults and mend:
        connection.execute("REINDEX")
        faults = _faults(connection)
    if not faults and not expected <= set(connection.execute(schema)):
        faults = "its tables have changed"
    if faults:
        how = "" if mend else f"`exactcover run resume {path.parent}` repairs it if it can; else "
        raise LedgerError(
            f"{path}: it is damaged or cut short ({faults}): {how}take a copy of it, or begin again"
        )


def _faults(connection: sqlite3.Connection) -> str:
    said = "; ".join(text for (text,) in connection.execute("PRAGMA integrity_check(1)"))
    return "" if said == "ok" else said


# -- disks ----------------------------------------------------------------------------------------


def journal_of(folder: Path) -> str:
    """How SQLite guards commits here: by a write-ahead log, on a network disk by a journal."""
    return "DELETE" if network_disk(folder) else "WAL"


def network_disk(folder: Path, mounts: Path = MOUNTS) -> str:
    """The type of the network disk that the folder is on; empty: it is on none, or on which disk
    it is cannot be said."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
        here = folder.resolve()
    except OSError:  # not on Linux
        return ""
    best, kind = Path("/"), ""
    for line in lines:
        _, place, name, *_ = line.split(" ")
        at = Path(place.replace("\\040", " "))
        if (here == at or at in here.parents) and len(at.parts) >= len(best.parts):
            best, kind = at, name
    return kind if kind in NETWORK else ""


def _sync(folder: Path) -> None:
    """Bring a new name in a folder to the disk, where folders can be opened."""
    if os.name != "posix":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)

"""The file of a ledger: it is created whole, opened with distrust, and locked while a run goes on.

SQLite reports a fault by a number. Each becomes a `LedgerError` that says what to do. Some faults
SQLite does not see: a file of 0 bytes is a valid empty database, and another program's database is
as good as ours. So the `application_id` is checked too.

The lock is on a file beside the ledger: one run at a time, and the system frees it however a run
ends. The file says who has it, for `status` and for the message of a second run; it stays when the
run ends, and then means nothing.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Self

from exactcover.errors import LedgerError
from exactcover.runs.ledger.schema import APPLICATION, FORMAT, TABLES, crc

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


def path_in(folder: str | Path) -> Path:
    """The ledger of a directory."""
    return Path(folder) / NAME


@contextmanager
def created(folder: str | Path) -> Iterator[sqlite3.Connection]:
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
        raise LedgerError(f"{path.parent}: no ledger can be made here: {error.strerror}") from None
    try:
        with faults_told(path), closing(_connect(made, "rwc")) as connection:
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")
            connection.executescript(f"BEGIN; {TABLES} COMMIT;")
            yield connection
            connection.execute(f"PRAGMA journal_mode = {journal_of(path.parent)}").fetchone()
    except BaseException:
        made.unlink(missing_ok=True)
        raise
    try:
        os.replace(made, path)
        _sync(path.parent)
    except OSError as error:
        raise LedgerError(f"{path}: it cannot be written: {error.strerror}") from None


def open_ledger(
    folder: str | Path, *, write: bool, check: bool = True, mend: bool = False
) -> sqlite3.Connection:
    """The ledger of a directory, once it is certain that it is one and whole.

    write  whether it is to be changed
    check  whether SQLite reads all of it, to see that nothing is missing
    mend   whether indexes are made again if only they are damaged
    """
    path = path_in(folder)
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
    log = _beside(path)[0]
    if not (log.exists() and log.stat().st_size):
        _check_size(path)
    if write and not _is_writable(path.parent):
        raise LedgerError(f"{path}: {FAULTS['SQLITE_READONLY']}")
    with faults_told(path):
        connection = _connect(path, "rw") if write else _connect_to_read(path)
        try:
            _check_kind(connection, path)
            if write:  # what the log has goes into the file
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                _check_size(path)
            if check:
                _check_file(connection, path, mend=mend)
            if write:
                connection.execute(f"PRAGMA journal_mode = {journal_of(path.parent)}").fetchone()
        except BaseException:
            connection.close()
            raise
    return connection


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection without transactions of its own; with every commit on the disk."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=PATIENCE, isolation_level=None
    )
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.create_function("crc", -1, crc, deterministic=True)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing; it works beside a run, and on a read-only disk."""
    logged = any(one.exists() for one in _beside(path))
    if logged or _is_writable(path.parent):
        return _connect(path, "ro")
    return _connect(path, "ro&immutable=1")


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


# -- the lock -------------------------------------------------------------------------------------

LOCK = "ledger.lock"

GRACE = 1.0
"""Seconds to wait for the lock; a `status` holds it for a moment."""


@dataclass(frozen=True)
class Holder:
    """Who works on a directory: the process, its machine, and how many workers it has."""

    process: int
    host: str
    workers: int

    @classmethod
    def here(cls, workers: int) -> Holder:
        """This process."""
        return cls(os.getpid(), socket.gethostname(), workers)


class Lock:
    """The lock of a directory; `with` frees it. Raises `LedgerError` if another process has it."""

    def __init__(self, folder: Path) -> None:
        path = folder / LOCK
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+", encoding="utf-8")
        except OSError as error:
            raise LedgerError(
                f"{path}: {error.strerror}: a run needs a folder in which it can write"
            ) from None
        try:
            latest = monotonic() + GRACE
            while not _took(self._file):
                if monotonic() > latest:
                    who = _holder(self._file)
                    raise LedgerError(
                        f"{folder}: process {who.process} on {who.host} works on it: stop that run "
                        "first"
                    )
                sleep(0.02)
        except BaseException:
            self._file.close()
            raise
        self.tell(0)

    def tell(self, workers: int) -> None:
        """Say how many workers search."""
        _write(self._file, json.dumps(asdict(Holder.here(workers))))

    def free(self) -> None:
        """Let others have it."""
        if not self._file.closed:
            _write(self._file, "")
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.free()


def holder(folder: Path) -> Holder | None:
    """Who works on a directory now; None: nobody."""
    try:
        file = (folder / LOCK).open("r+", encoding="utf-8")
    except OSError:  # there is none, or on a disk that cannot be written nobody works
        return None
    with file:
        return None if _took(file) else _holder(file)


def _holder(file: IO[str]) -> Holder:
    file.seek(0)
    try:
        return Holder(**json.loads(file.read()))
    except (ValueError, TypeError):  # it is about to write
        return Holder(0, "an unknown machine", 1)


def _write(file: IO[str], text: str) -> None:
    """Say who has the lock. A full disk has no room for it; the lock holds all the same."""
    try:
        file.seek(0)
        file.truncate()
        file.write(text)
        file.flush()
    except OSError:
        return


if sys.platform == "win32":
    import msvcrt

    def _took(file: IO[str]) -> bool:
        """Take the lock, on a byte behind all that the file says; False: another has it."""
        file.seek(1 << 20)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _took(file: IO[str]) -> bool:
        """Take the lock; False: another has it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise LedgerError(f"{file.name}: it cannot be locked: {error.strerror}") from None
        return True

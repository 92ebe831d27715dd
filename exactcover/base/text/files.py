"""Files that a user names: read with distrust, as regular files of a bounded size; and written.

Only regular files are read. A pipe might never end, or wait forever for a writer; a device may have
no end either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from exactcover.errors import ExactCoverError, FormatError

MIB = 1 << 20

LONGEST = 200
"""Bytes of a file's name, without its ending; file systems take 255 at most."""

_ODD = re.compile(r"[^\w.+-]+")


def file_name(name: str, taken: set[str]) -> str:
    """A name for a file, without an ending; it is none of those taken, and is added to them.

    No two differ by the case of letters only, since some systems take such files for the same.
    """
    plain = _ODD.sub("_", name).encode()[:LONGEST].decode(errors="ignore")
    again = 1
    while (found := plain if again == 1 else f"{plain}~{again}").lower() in taken:
        again += 1
    taken.add(found.lower())
    return found


def ending_of(path: Path, endings: Sequence[str]) -> str:
    """The ending of a file's name, one of these; raises `ExactCoverError` for another one."""
    ending = path.suffix.lower()
    if ending not in endings:
        raise ExactCoverError(f"{path}: its ending must be one of {', '.join(endings)}")
    return ending


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file; raises `ExactCoverError`."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise ExactCoverError(f"{path} cannot be written: {error.strerror}") from None


def bytes_of(path: str | Path, limit: int) -> bytes:
    """The bytes of a regular file of at most `limit` bytes; raises `FormatError`."""
    place = Path(path)
    try:
        if place.exists() and not (place.is_file() or place.is_dir()):
            raise FormatError(
                "a pipe or a device: only regular files are read by name; pass the output of "
                "another program on standard input, as `-`"
            )
        with place.open("rb") as stream:
            raw = stream.read(limit + 1)
    except FormatError as error:
        raise error.at(file=str(path)) from None
    except (OSError, ValueError) as error:  # a ValueError: an invalid file name
        if isinstance(error, FileNotFoundError):
            raise FormatError("there is no such file").at(file=str(path)) from None
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"{reason}: it cannot be read").at(file=str(path)) from None
    if len(raw) > limit:
        message = f"larger than {limit // MIB} MiB, the most that a file of this kind may have"
        raise FormatError(message).at(file=str(path))
    return raw


def text_of(path: str | Path, limit: int) -> str:
    """The text of a regular file: UTF-8, with or without a byte order mark; raises
    `FormatError`."""
    return utf8(bytes_of(path, limit), str(path))


def utf8(raw: bytes, file: str | None) -> str:
    """The text of a file's bytes in UTF-8; raises `FormatError`."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        token = repr(raw[error.start : error.start + 1])[2:-1]
        message = "a byte that is not UTF-8: save the file in that encoding"
        raise FormatError(message, token=token).at(line, file) from None

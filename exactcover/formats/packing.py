"""Files that are packed with gzip, unpacked no further than a limit."""

from __future__ import annotations

import gzip
import zlib

from exactcover.errors import FormatError

MAGIC = b"\x1f\x8b"
"""How a gzip file begins."""


def unpacked(raw: bytes, file: str | None, limit: int) -> bytes:
    """The bytes of a file, unpacked if they are packed; never more than the limit."""
    if not raw.startswith(MAGIC):
        return raw
    parts: list[bytes] = []
    room = limit
    try:
        while raw:
            member = zlib.decompressobj(wbits=31)
            part = member.decompress(raw, room + 1)
            parts.append(part)
            room -= len(part)
            if room < 0:
                raise FormatError(
                    f"unpacked it is larger than {limit >> 20} MiB, the most that is read"
                ).at(file=file)
            if not member.eof:
                raise FormatError("the packed file is cut off").at(file=file)
            # Zeros may follow the last member.
            raw = member.unused_data.lstrip(b"\0")
    except zlib.error as error:
        message = "this cannot be unpacked: it begins as a gzip file, but is damaged or none"
        raise FormatError(message).at(file=file) from error
    return b"".join(parts)


def packed(text: str) -> bytes:
    """A text as a gzip file, the same bytes whenever it is made."""
    return gzip.compress(text.encode("utf-8"), mtime=0)

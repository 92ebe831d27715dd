"""The bytes of files made text: unpacked if they are packed, and UTF-8 in any case.

Files that are packed with gzip are unpacked no further than a limit. Some formats allow files that
are not UTF-8.

BurrTools writes the bytes of names and comments as they were typed and declares no encoding, so
its files may be in Windows-1252 or in Latin-1. The two differ in 32 bytes, which are control
characters in Latin-1 and quotation marks, dashes and letters in Windows-1252; both are read as
Windows-1252, as browsers do. Comments of polycube's files and of Knuth's text are free text and
read in the same way; everything else there must be UTF-8.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable

from exactcover.errors import FormatError

Recoding = Callable[[bytes], bytes]
"""The bytes of a file made UTF-8; bytes that cannot be made so are left as they are."""

DECLARED = re.compile(rb"\s*<\?xml\s[^>]*?\bencoding\s*=\s*[\"']([^\"'>]*)[\"']")
LATIN = re.compile(r"(us-?)?ascii|latin-?1|l1|iso[-_]?8859[-_]?1(:1987)?|(windows|cp)-?1252", re.I)
OTHERS = re.compile(r"latin-?\d+|iso[-_]?8859[-_]?\d+|(windows|cp)-?125\d|koi8-[ru]", re.I)
UTF_8 = re.compile(r"utf[-_]?8", re.I)

NOT_TEXT = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x81\x8d\x8f\x90\x9d]")
"""Bytes that no text in Windows-1252 has: with one of them it is no text, whatever its encoding."""


def unchanged(raw: bytes) -> bytes:
    """The bytes of a file that must be UTF-8."""
    return raw


def of_markup(raw: bytes) -> bytes:
    """XML in the encoding that it declares; without one, in UTF-8 or else in Windows-1252."""
    declared = DECLARED.match(raw[:400])
    if declared is None:
        return raw if _is_utf_8(raw) else _from_latin(raw)
    name = declared[1].decode("ascii", "replace").strip()
    if UTF_8.fullmatch(name):
        return raw
    if LATIN.fullmatch(name):
        return _from_latin(raw)
    try:
        if OTHERS.fullmatch(name):
            return raw.decode(name).encode()
    except (LookupError, UnicodeDecodeError):
        pass  # told with every other encoding that is not read
    raise FormatError(
        "the text cannot be read in the encoding that it declares: save it as UTF-8", token=name
    ).at(1)


def of_comments(comment: str) -> Recoding:
    """A recoding of a text whose comments, matched by this pattern, may be in Windows-1252."""
    pattern = re.compile(comment.encode(), re.MULTILINE)

    def recode(found: re.Match[bytes]) -> bytes:
        return found[0] if _is_utf_8(found[0]) else _from_latin(found[0])

    return lambda raw: raw if _is_utf_8(raw) else pattern.sub(recode, raw)


def _is_utf_8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _from_latin(raw: bytes) -> bytes:
    """Text in Windows-1252 as UTF-8; what is no text is left as it is."""
    return raw if NOT_TEXT.search(raw) else raw.decode("cp1252").encode()


# -- packed files ---------------------------------------------------------------------------------

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

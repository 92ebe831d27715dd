"""The format of a ledger: its tables, their checksums, and bundles of subtrees as bytes.
`docs/long-runs.md` explains the tables, with queries.

A run is one puzzle, searched by one strategy. Its tree is searched in parts, all of them or some,
since machines that share nothing may take a part each. A task is one bundle of subtrees: it waits
or it is done, and a done task has its results and is the parent of the bundles that it handed back.
Nothing says which tasks are being searched, so a crash leaves nothing to repair.

Totals are kept nowhere: they are sums over tasks, so whatever tasks a damaged disk has lost run
again, and the sums stay right.

A bundle is small, documented, and readable by later versions. Its bytes are packed by zlib, which
also notices damage. Unpacked, all numbers are little-endian:

    uint8    1, the number of this format
    uint32   how many options the problem has
    uint32   how many subtrees follow; of each:
      int32    pieces left there; -1: it is the whole tree
      float64  its share of the whole tree
      uint32   how many options are chosen, then their numbers in the order of choice: uint32 each
      uint8    1: a bit per option follows, 1 where it may be chosen besides; 0: all may be

The bits fill whole bytes, the highest bit first.
"""

from __future__ import annotations

import struct
import zlib

from exactcover.errors import LedgerError
from exactcover.runs.jobs import Bundle, TreePart

APPLICATION = 0x45784376
"""The `application_id` of a ledger: ExCv."""

FORMAT = 3
"""The `user_version` of a ledger. A later program that changes the tables counts on."""

DONE = 1
"""The state of a task with results; one that waits has 0."""

RESULTS = ("solutions", "fits", "nofits", "seconds", "compiling", "symmetric")
"""The columns of a task that are NULL while it waits."""

# Not even the comments may change: a ledger whose tables have another text is refused.
TABLES = """
CREATE TABLE run (
    id        INTEGER PRIMARY KEY,
    puzzle    TEXT NOT NULL UNIQUE,  -- its name
    form      TEXT NOT NULL,         -- the format of the text: toml or dlx
    text      TEXT NOT NULL,         -- the whole puzzle
    counted   TEXT NOT NULL,         -- what counts as one solution: all, rotations, reflections
    strategy  TEXT NOT NULL,
    keep      INTEGER NOT NULL,      -- 1: solutions are kept; 0: they are only counted
    parts     INTEGER NOT NULL,      -- how many parts the tree has
    options   INTEGER NOT NULL,      -- how many options the problem has
    width     INTEGER NOT NULL,      -- the bytes of an option number in `batch`: 2 or 4
    reason    TEXT NOT NULL,         -- why there can be no solution; empty: that is not known
    problem   TEXT NOT NULL,         -- SHA-256 of the items and options, in their order
    plan      TEXT NOT NULL,         -- SHA-256 of what the filters leave
    version   TEXT NOT NULL,         -- of the program that began it
    crc       INTEGER                -- see `checksums` for this and all others
);

CREATE TABLE part (
    id        INTEGER PRIMARY KEY,
    run       INTEGER NOT NULL REFERENCES run,
    number    INTEGER NOT NULL,      -- 1 to run.parts
    crc       INTEGER,
    UNIQUE (run, number)
);

CREATE TABLE task (
    id        INTEGER PRIMARY KEY,
    part      INTEGER NOT NULL REFERENCES part,
    parent    INTEGER REFERENCES task,      -- the task that handed it back; NULL: none
    share     REAL NOT NULL,                -- of the whole tree, if siblings count equally
    state     INTEGER NOT NULL DEFAULT 0,   -- 0: it waits; 1: it is done
    bundle    BLOB NOT NULL,                -- what is searched
    solutions INTEGER,                      -- the results; NULL: it waits
    fits      INTEGER,
    nofits    INTEGER,
    seconds   REAL,                         -- of one worker, without those of compilation,
    compiling REAL,                         -- which are here
    symmetric TEXT,                         -- solutions by their group of symmetries, as JSON
    handed    INTEGER NOT NULL DEFAULT 0,   -- how many tasks it has handed back
    crc       INTEGER,                      -- of its place: id, part, parent
    bundle_crc INTEGER,                     -- of share and bundle
    result_crc INTEGER                      -- of state, results and solutions
);

CREATE INDEX waiting ON task (part, share DESC) WHERE state = 0;

CREATE TABLE batch (
    id        INTEGER PRIMARY KEY,
    task      INTEGER NOT NULL REFERENCES task,
    solutions INTEGER NOT NULL,      -- how many this row has, all of one size
    size      INTEGER NOT NULL,      -- the number of options of each
    options   BLOB NOT NULL          -- option numbers, ascending in each solution, little-endian
);

CREATE INDEX batch_of_task ON batch (task);

CREATE VIEW solution (run, task, batch, number, options) AS
WITH RECURSIVE count (number) AS (
    SELECT 0 UNION ALL
    SELECT number + 1 FROM count WHERE number + 1 < (SELECT max(solutions) FROM batch)
)
SELECT run.id, task.id, batch.id, count.number,
    substr(batch.options, 1 + count.number * size * width, size * width)
FROM run JOIN part ON part.run = run.id JOIN task ON task.part = part.id
    JOIN batch ON batch.task = task.id JOIN count ON count.number < batch.solutions;

CREATE VIEW chosen (run, task, batch, number, option) AS
WITH RECURSIVE count (number) AS (
    SELECT 0 UNION ALL
    SELECT number + 1 FROM count WHERE number + 1 < (SELECT max(solutions * size) FROM batch)
), entry (run, task, batch, number, code) AS (
    SELECT run.id, task.id, batch.id, count.number / size,
        hex(substr(batch.options, 1 + count.number * width, width))
    FROM run JOIN part ON part.run = run.id JOIN task ON task.part = part.id
        JOIN batch ON batch.task = task.id JOIN count ON count.number < batch.solutions * size
)
SELECT run, task, batch, number,
    (instr('123456789ABCDEF', substr(code, 1, 1)) << 4)
    + instr('123456789ABCDEF', substr(code, 2, 1))
    + (instr('123456789ABCDEF', substr(code, 3, 1)) << 12)
    + (instr('123456789ABCDEF', substr(code, 4, 1)) << 8)
    + CASE length(code) WHEN 4 THEN 0 ELSE
        (instr('123456789ABCDEF', substr(code, 5, 1)) << 20)
        + (instr('123456789ABCDEF', substr(code, 6, 1)) << 16)
        + (instr('123456789ABCDEF', substr(code, 7, 1)) << 28)
        + (instr('123456789ABCDEF', substr(code, 8, 1)) << 24) END
FROM entry;
"""

# -- checksums ------------------------------------------------------------------------------------


def _raw(*columns: str) -> str:
    """Columns of texts and blobs in SQL, as what they are and their bytes, which may be no text."""
    return ", ".join(f"typeof({column}), CAST({column} AS BLOB)" for column in columns)


_TEXTS = ("puzzle", "form", "text", "counted", "strategy", "reason", "problem", "plan", "version")

SUMS = {
    "run": {"crc": f"crc(id, keep, parts, options, width, {_raw(*_TEXTS)})"},
    "part": {"crc": "crc(id, run, number)"},
    "task": {
        "crc": "crc(id, part, parent)",
        "bundle_crc": f"crc(share, {_raw('bundle')})",
        "result_crc": "crc(state, solutions, fits, nofits, seconds, compiling, handed, "
        f"{_raw('symmetric')}, (SELECT sum(crc(solutions, size, {_raw('options')})) FROM batch "
        "WHERE batch.task = task.id))",
    },
}
"""The checksums in each table, by their columns, as SQL. A task has one of its place in the tree,
one of its bundle, and one of its results, which its solutions belong to."""


def crc(*values: object) -> int:
    """CRC-32 of values with a zero byte between them: blobs as they are, NULL as nothing, numbers
    and texts as Python writes them."""
    return zlib.crc32(
        b"\0".join(
            value if isinstance(value, bytes) else b"" if value is None else str(value).encode()
            for value in values
        )
    )


# -- bundles --------------------------------------------------------------------------------------

BUNDLE_FORMAT = 1
HEAD = struct.Struct("<BII")


def bundle_bytes(bundle: Bundle, options: int) -> bytes:
    """A bundle as bytes, of a problem with this number of options."""
    head = HEAD.pack(BUNDLE_FORMAT, options, len(bundle))
    return zlib.compress(head + b"".join(subtree.to_bytes() for subtree in bundle), 1)


def bundle_of(raw: bytes, options: int) -> Bundle:
    """The bundle that the bytes hold; raises `LedgerError` if they are damaged."""
    try:
        plain = zlib.decompress(raw)
        form, of_options, subtrees = HEAD.unpack_from(plain)
        if form != BUNDLE_FORMAT:
            raise LedgerError(f"a task is written in format {form}: use a later version")
        if of_options != options:
            raise LedgerError(f"a task is one of {of_options} options, not of {options}")
        bundle, at = [], HEAD.size
        for _ in range(subtrees):
            subtree, at = TreePart.from_bytes(plain, options, at)
            bundle.append(subtree)
        if at != len(plain):
            raise ValueError(f"{len(plain) - at} bytes too many")
    except (zlib.error, struct.error, ValueError) as error:
        raise LedgerError(f"a task in the ledger is damaged: {error}") from None
    return (*bundle,)

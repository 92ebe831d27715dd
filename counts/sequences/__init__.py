"""Open sequences: a file says how a term is counted, and `python -m counts.sequences` continues it.

    A226979.toml    a sequence: what is published, and its term as a Python expression
    A226979.jsonl   the terms that were counted: each line is one term by one engine

`families` has the puzzles that several sequences share, `sequence` reads the files, `record` the
lines, `page` writes the table of `docs/sequences.md`.
"""

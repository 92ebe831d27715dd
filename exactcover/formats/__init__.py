"""Puzzle files: polycube's, our own TOML, Knuth's text, BurrTools'; exports for other solvers."""

from exactcover.formats.document import Document, Refused
from exactcover.formats.files import (
    EXPORTS,
    FORMATS,
    Format,
    format_of_path,
    get_format,
    parse,
    read_bytes,
    read_file,
    write,
    written,
)
from exactcover.formats.shipped import read_puzzle, read_puzzles

__all__ = [
    "EXPORTS",
    "FORMATS",
    "Document",
    "Format",
    "Refused",
    "format_of_path",
    "get_format",
    "parse",
    "read_bytes",
    "read_file",
    "read_puzzle",
    "read_puzzles",
    "write",
    "written",
]

"""Our own puzzle files, in TOML: reading and writing, one module for each part of a puzzle."""

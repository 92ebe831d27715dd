"""Text from outside, read with distrust: numerals, characters, files and TOML."""

"""Ledgers of long runs: what is finished survives whatever stops the search."""

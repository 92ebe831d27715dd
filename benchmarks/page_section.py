"""A section of a page that a program writes, between two marks that readers do not see."""

from __future__ import annotations


def with_section(page: str, name: str, section: str) -> str:
    """A page with another section between its marks, `<!-- NAME: begin -->` and `end`."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, _, rest = page.partition(begin)
    after = rest.partition(end)[2]
    return "\n".join([before + begin, "", section.strip("\n"), "", end]) + after

"""Long runs: searches split into subtrees, and threads that search them side by side."""

from __future__ import annotations

"""The cache of compiled code on disk: numba's cache, made safe against damaged files.

numba writes an index file (.nbi) for each function and a data file (.nbc) for each signature, and
trusts both. A file that a full disk or a crash has cut short makes every later run fail, or makes
LLVM link invalid machine code. Here each file begins with a digest of the rest:

- a file whose digest is wrong counts as missing, so the function is compiled anew and the file
  replaced; the same goes for a file that cannot be read;
- the digest covers numba's version, the stamp of the source, and what the function reaches in other
  files, so files of another version are recognized without unpickling them;
- the data name the signature that they belong to, since two processes that compile at once may
  choose the same file name for different signatures;
- if a file cannot be written, `on_failure` gets the reason, and the program goes on.

Loading code from the cache neither loads numba's compiler nor compiles numba's runtime, as numba's
own cache does. That takes a third as long as `import numba`, and only a compilation needs it.

This module imports numba, so only `compiled` imports it, at the first use of `jit`.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache as remembered
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import numpy as np

numba_cache: Any = import_module("numba.core.caching")  # they have no types
runtime: Any = import_module("numba.core.runtime._nrt_python")
add_symbol: Any = import_module("llvmlite.binding").add_symbol

DIGEST_BYTES = 16


class CodeCache(numba_cache.FunctionCache):  # type: ignore[misc]
    """numba's cache of one function; it detects damaged files."""

    def __init__(self, function: Callable[..., Any], on_failure: Callable[[str], None]) -> None:
        super().__init__(function)
        implementation = self._impl
        self._cache_file = CheckedFiles(
            cache_path=self._cache_path,
            filename_base=implementation.filename_base,
            source_stamp=implementation.locator.get_source_stamp(),
        )
        self._stamp: Any = self._cache_file._source_stamp
        self._on_failure = on_failure

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code of a signature, ready to run, or None if it must be compiled.

        Machine code needs the addresses of numba's runtime, and nothing else of the compiler: what
        else it calls is part of it.
        """
        if self._stamp is not None:  # now all names of its module are there
            self._cache_file._source_stamp = self._stamp, *reached(self._py_func)
            self._stamp = None
        add_addresses()
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code of a signature, or report why that is impossible."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            self._on_failure(f"{error.filename or self._cache_path}: {error.strerror}")


@remembered
def add_addresses() -> None:
    """Let machine code call the functions of numba's runtime that are written in C."""
    for name, address in runtime.c_helpers.items():
        add_symbol(name if name.startswith("_") else f"NRT_{name}", address)


def reached(function: Any, seen: set[int] | None = None) -> list[str]:
    """All that the code of a function depends on, besides its own file: the constants that it uses,
    and the code of the functions that it calls, wherever they are."""
    seen = set() if seen is None else seen
    seen.add(id(function))
    codes, out = [function.__code__], []
    for code in codes:
        codes += [one for one in code.co_consts if isinstance(one, CodeType)]
        out.append(repr((code.co_code, [o for o in code.co_consts if not isinstance(o, CodeType)])))
        for name in code.co_names:
            value = function.__globals__.get(name)
            value = getattr(value, "py_func", value)
            if isinstance(value, FunctionType) and id(value) not in seen:
                out += reached(value, seen)
            elif isinstance(value, int | float | str | tuple | np.generic):
                out.append(f"{name} = {value!r}")
            elif isinstance(value, type):  # a named tuple that a kernel takes apart
                out.append(f"{name}: {getattr(value, '_fields', ())}")
    return out


class CheckedFiles(numba_cache.IndexDataCacheFile):  # type: ignore[misc]
    """The files of one function: an index of signatures, and the code of each of them."""

    def load(self, key: Any) -> Any:
        """The code for a signature, or None if it must be compiled."""
        name = self._load_index().get(key)
        stored = None if name is None else self._load_data(name)
        return None if stored is None or stored[0] != key else stored[1]

    def save(self, key: Any, data: Any) -> None:
        """Keep the code for a signature."""
        super().save(key, (key, data))

    def _load_index(self) -> Mapping[Any, str]:
        return self._load(self._index_path) or {}

    def _load_data(self, name: str) -> Any:
        return self._load(self._data_path(name))

    def _save_index(self, overloads: Mapping[Any, str]) -> None:
        self._save(self._index_path, overloads)

    def _save_data(self, name: str, data: Any) -> None:
        self._save(self._data_path(name), data)

    def _load(self, path: str) -> Any:
        """The content of a file, or None if it is missing, damaged or of another version."""
        try:
            content = Path(path).read_bytes()
        except OSError:
            return None
        digest, body = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
        if digest != self._digest(body):
            return None
        # An undamaged file may still name a class that has been moved since.
        with suppress(AttributeError, ImportError):
            return pickle.loads(body)
        return None

    def _save(self, path: str, content: Any) -> None:
        body = self._dump(content)
        with self._open_for_write(path) as file:
            file.write(self._digest(body) + body)

    def _digest(self, body: bytes) -> bytes:
        made = blake2b(repr((self._version, self._source_stamp)).encode(), digest_size=DIGEST_BYTES)
        made.update(body)
        return made.digest()

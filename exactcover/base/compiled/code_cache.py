"""The cache of compiled code on disk: numba's cache, made safe against damaged files.

numba writes an index of signatures (.nbi) for each function and a data file for each of them, and
trusts both. A file that a full disk or a crash has cut short makes every later run fail, or makes
LLVM link invalid machine code. Here each signature has a file (.nbc) that begins with a digest of
the rest, and there is no index:

- a file whose digest is wrong counts as missing, so the function is compiled anew and the file
  replaced; the same goes for a file that cannot be read;
- the digest covers numba's version, the stamp of the source, and what the function reaches in other
  files, so files of another version are recognized without unpickling them;
- if a file cannot be written (no folder, a full disk), one warning says what to do, and the program
  goes on without a cache.

Loading code from the cache neither loads numba's compiler nor compiles numba's runtime, as numba's
own cache does. That takes a third as long as `import numba`, and only a compilation needs it.

This module imports numba, so only `compiled` imports it, at the first use of `jit`.
"""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache as remembered
from functools import cached_property
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import numba
import numpy as np

numba_cache: Any = import_module("numba.core.caching")  # they have no types
runtime: Any = import_module("numba.core.runtime._nrt_python")
add_symbol: Any = import_module("llvmlite.binding").add_symbol

DIGEST_BYTES = 16

_warned = False


def keep_code(dispatcher: Any) -> None:
    """Keep the machine code of a function of numba on disk, if there is a folder for it."""
    try:
        dispatcher._cache = CodeCache(dispatcher.py_func)
    except RuntimeError as error:  # so numba says that it found no folder
        if "cache" not in str(error):
            raise
        warn_once("there is no folder that can be written")


def warn_once(reason: str) -> None:
    """Warn once per process why every start will be slow, and what to do about it."""
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(
            f"compiled code cannot be cached ({reason}), so every start compiles anew; set "
            "NUMBA_CACHE_DIR to a folder that can be written and has room",
            RuntimeWarning,
            stacklevel=2,
        )


class CodeCache(numba_cache.FunctionCache):  # type: ignore[misc]
    """numba's cache of one function, in checked files."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = CheckedFiles(self._cache_path, self._impl.filename_base, None)

    @cached_property
    def _version(self) -> bytes:
        """All that the code depends on; read when code is first wanted, since the names of the
        function's module must all be there."""
        source = self._impl.locator.get_source_stamp()
        return digest_of((numba.__version__, source, reached(self._py_func)))

    def _index_key(self, sig: Any, codegen: Any) -> tuple[object, object]:
        return self._version, super()._index_key(sig, codegen)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code of a signature, ready to run, or None if it must be compiled.

        Machine code needs the addresses of numba's runtime, and nothing else of the compiler: what
        else it calls is part of it.
        """
        add_addresses()
        return self._load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code of a signature, or warn that this is impossible."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            warn_once(f"{error.filename or self._cache_path}: {error.strerror}")


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
        constants = [one for one in code.co_consts if not isinstance(one, CodeType)]
        out.append(repr((code.co_code, code.co_names, constants)))
        for name in code.co_names:
            value = function.__globals__.get(name)
            value = getattr(value, "py_func", getattr(value, "__wrapped__", value))
            if isinstance(value, FunctionType) and id(value) not in seen:
                out += reached(value, seen)
            elif isinstance(value, int | float | str | tuple | np.generic):
                out.append(f"{name} = {value!r}")
            elif isinstance(value, type):  # a named tuple that a kernel takes apart
                out.append(f"{name}: {getattr(value, '_fields', ())}")
    return out


class CheckedFiles(numba_cache.IndexDataCacheFile):  # type: ignore[misc]
    """The code of one function: a file for each signature.

    A key is the version of the function, and a signature.
    """

    def load(self, key: tuple[object, object]) -> Any:
        """The code for a key; None: its file is missing, damaged or of another version."""
        # An undamaged file may still name a class that has been moved since.
        with suppress(OSError, AttributeError, ImportError):
            content = Path(self._path(key)).read_bytes()
            digest, body = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
            if digest == digest_of(key, body):
                return pickle.loads(body)
        return None

    def save(self, key: tuple[object, object], data: Any) -> None:
        """Keep the code for a key: its file is there whole, or not at all."""
        body = self._dump(data)
        with self._open_for_write(self._path(key)) as file:
            file.write(digest_of(key, body) + body)

    def _path(self, key: tuple[object, object]) -> str:
        path: str = self._data_path(self._data_name(int.from_bytes(digest_of(key[1]))))
        return path


def digest_of(key: object, body: bytes = b"") -> bytes:
    """The digest of a key, and of the code for it."""
    return blake2b(repr(key).encode() + body, digest_size=DIGEST_BYTES).digest()

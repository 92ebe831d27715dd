"""The cache of compiled code on disk: numba's cache, made safe against damaged files.

numba writes an index of signatures (.nbi) for each function and a data file for each of them, and
trusts both. A file that a full disk or a crash has cut short makes every later run fail, or makes
LLVM link invalid machine code. Here each signature has a file (.nbc) that begins with a digest of
the rest, and there is no index:

- a file whose digest is wrong counts as missing, so the function is compiled anew and the file
  replaced; the same goes for a file that cannot be read;
- the digest covers numba's version, the stamp of the source, and what the function reaches in other
  files, so files of another version are recognized without unpickling them;
- if a file cannot be written, `on_failure` gets the reason, and the program goes on.

Loading code from the cache neither loads numba's compiler nor compiles numba's runtime, as numba's
own cache does. That takes a third as long as `import numba`, and only a compilation needs it.

This module imports numba, so only `compiled` imports it, at the first use of `jit`.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from functools import cache as remembered
from functools import cached_property
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any
from uuid import uuid4

import numba
import numpy as np

numba_cache: Any = import_module("numba.core.caching")  # they have no types
runtime: Any = import_module("numba.core.runtime._nrt_python")
add_symbol: Any = import_module("llvmlite.binding").add_symbol

DIGEST_BYTES = 16


class CodeCache(numba_cache.FunctionCache):  # type: ignore[misc]
    """numba's cache of one function, in checked files."""

    def __init__(self, function: Callable[..., Any], on_failure: Callable[[str], None]) -> None:
        super().__init__(function)
        source = self._impl.locator.get_source_stamp()
        self._cache_file = CheckedFiles(
            Path(self._cache_path, self._impl.filename_base), lambda: (source, reached(function))
        )
        self._on_failure = on_failure

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code of a signature, ready to run, or None if it must be compiled.

        Machine code needs the addresses of numba's runtime, and nothing else of the compiler: what
        else it calls is part of it.
        """
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
            value = getattr(value, "py_func", getattr(value, "__wrapped__", value))
            if isinstance(value, FunctionType) and id(value) not in seen:
                out += reached(value, seen)
            elif isinstance(value, int | float | str | tuple | np.generic):
                out.append(f"{name} = {value!r}")
            elif isinstance(value, type):  # a named tuple that a kernel takes apart
                out.append(f"{name}: {getattr(value, '_fields', ())}")
    return out


class CheckedFiles:
    """The code of one function: a file for each signature.

    begin  how the paths of the files begin
    stamp  gives what the code depends on; called when code is first wanted, since the names of the
           function's module must all be there
    """

    def __init__(self, begin: Path, stamp: Callable[[], object]) -> None:
        self._begin, self._stamp = begin, stamp

    @cached_property
    def _version(self) -> bytes:
        return repr((numba.__version__, self._stamp())).encode()

    def load(self, key: Any) -> Any:
        """The code for a signature; None: its file is missing, damaged or of another version."""
        # An undamaged file may still name a class that has been moved since.
        with suppress(OSError, AttributeError, ImportError):
            content = self._path(key).read_bytes()
            digest, body = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
            if digest == self._digest(body):
                known, data = pickle.loads(body)
                return data if known == key else None
        return None

    def save(self, key: Any, data: Any) -> None:
        """Keep the code for a signature: its file is there whole, or not at all."""
        body, path = numba_cache.dumps((key, data)), self._path(key)
        made = path.with_name(f"{path.name}.tmp.{uuid4().hex}")
        try:
            made.write_bytes(self._digest(body) + body)
            made.replace(path)
        except OSError:
            made.unlink(missing_ok=True)
            raise

    def _path(self, key: Any) -> Path:
        name = blake2b(repr(key).encode(), digest_size=DIGEST_BYTES).hexdigest()
        return Path(f"{self._begin}.{name}.nbc")

    def _digest(self, body: bytes) -> bytes:
        made = blake2b(self._version, digest_size=DIGEST_BYTES)
        made.update(body)
        return made.digest()

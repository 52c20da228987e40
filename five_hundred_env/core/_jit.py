"""Turn plain functions into compiled kernels, cached where stale code cannot survive.

Numba's disk cache notices an edit of the file that holds a function, not one of the files it calls. The cache
of this package therefore lies in folders named after a hash of the sources below: an edit opens a new folder. It is in
the user's cache folder (or ``NUMBA_CACHE_DIR``), so a read-only installation works; where nothing is writable the
kernels are compiled afresh in each process.

With ``NUMBA_DISABLE_JIT=1`` every kernel stays an ordinary Python function.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils, event
from numba.extending import intrinsic, overload

P = ParamSpec("P")
R = TypeVar("R")

PACKAGE = Path(__file__).resolve().parent.parent
COMPILED = not config.DISABLE_JIT


FLOORS = ("core", "search", "agents", "arena")
"""The folders that hold kernels; those of one floor call those of the floors before it."""


@cache
def source_hash(floor: str) -> str:
    """Return a hash of every source file that a kernel of this floor may depend on."""
    digest = hashlib.sha256(f"{numba.__version__} {platform.python_version()}".encode())
    for folder in FLOORS[: FLOORS.index(floor) + 1]:
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            digest.update(str(path.relative_to(PACKAGE)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _candidates() -> list[Path]:
    """Return the folders that may hold the cache, best first."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return [Path(os.environ["NUMBA_CACHE_DIR"])]
    if sys.platform == "win32":
        home = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Caches"
    else:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    user = f"five_hundred_env-{os.getuid()}" if hasattr(os, "getuid") else "five_hundred_env"
    candidates = [home / "five_hundred_env"]
    with contextlib.suppress(FileNotFoundError):
        candidates.append(Path(tempfile.gettempdir()) / user)
    return candidates


@cache
def cache_folder(floor: str) -> str | None:
    """Create and return the first writable cache folder for the kernels of a floor, or None."""
    for base in _candidates():
        folder = base / f"{floor}-{source_hash(floor)}"
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.TemporaryFile(dir=folder):
                pass
            if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
                continue
        except OSError:
            continue
        return str(folder)
    return None


def _compile(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    """Decorate `function`, its cache in a folder of its floor; other users of Numba keep their own folder."""
    words = function.__module__.split(".")
    floor = next((word for word in words[1:2] if word in FLOORS), FLOORS[-1])
    folder = cache_folder(floor)
    saved = config.CACHE_DIR
    if folder is not None:
        config.CACHE_DIR = folder
    try:
        compiled: Callable[P, R] = numba.njit(
            nogil=True, cache=folder is not None, error_model="numpy", no_cfunc_wrapper=True, **options
        )(function)
    finally:
        config.CACHE_DIR = saved
    _ignore_literals(compiled)
    return compiled


def _ignore_literals(compiled: Any) -> None:
    """Let a kernel be compiled once for numbers of a type, not again for each number that its callers write out."""
    resolve = compiled.get_call_template

    def get_call_template(arguments: Any, keywords: Any) -> Any:
        plain = {name: types.unliteral(value) for name, value in keywords.items()}
        return resolve(tuple(types.unliteral(value) for value in arguments), plain)

    compiled.get_call_template = get_call_template


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function on first use; in pure mode return it as it is.

    A kernel works in its caller's arrays: it may slice and view them, not allocate or return one. That lets Numba leave
    out the counting of references, which costs more than the rules do (a legal mask: 56 ns with, 6 ns without).
    """
    return _compile(function, _nrt=False) if COMPILED else function


def small_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function as `kernel` does, and copy it into its callers: for a few lines in the inner loop."""
    return _compile(function, _nrt=False, forceinline=True) if COMPILED else function


def parallel_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function whose `prange` loops run on several threads."""
    return _compile(function, parallel=True) if COMPILED else function


class _Notice(event.Listener):
    """Tell once that kernels are being compiled, since the first use takes seconds."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, event: Any) -> None:
        function = getattr(event.data.get("dispatcher"), "py_func", None)
        if self.said or not getattr(function, "__module__", "").startswith("five_hundred_env"):
            return
        self.said = True
        folder = cache_folder("core")
        where = f"kept in {Path(folder).parent}" if folder else "no folder to keep them in is writable"
        print(
            f"five_hundred_env: compiling its kernels, once for this version ({where}) …",
            file=sys.stderr,
            flush=True,
        )

    def on_end(self, event: Any) -> None:
        """Nothing to tell."""


if COMPILED:
    event.register("numba:compile", _Notice())
    if config.THREADING_LAYER == "default":
        # A parallel region costs microseconds with OpenMP, tens of them with the work queue.
        config.THREADING_LAYER_PRIORITY = ["omp", "tbb", "workqueue"]


def popcount(mask: int) -> int:
    """Count the set bits of a mask."""
    return mask.bit_count()


def lowest(mask: int) -> int:
    """Return the index of the lowest set bit of a mask that is not empty."""
    return (mask & -mask).bit_length() - 1


def highest(mask: int) -> int:
    """Return the index of the highest set bit of a mask that is not empty and not negative."""
    return mask.bit_length() - 1


def _unary(name: str, *flags: int) -> Any:
    """Make an intrinsic out of an LLVM bit-counting function."""

    @intrinsic
    def call(typing_context: Any, value: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            wide = ir.IntType(64)
            operands = [arguments[0], *(ir.Constant(ir.IntType(1), flag) for flag in flags)]
            function = builder.module.declare_intrinsic(
                name, [wide], ir.FunctionType(wide, [operand.type for operand in operands])
            )
            return builder.call(function, operands)

        return types.int64(types.int64), build

    return call


_count_ones = _unary("llvm.ctpop")
_trailing_zeros = _unary("llvm.cttz", 1)
_leading_zeros = _unary("llvm.ctlz", 1)


@overload(popcount, strict=False)
def _popcount(mask: Any) -> Any:
    return lambda mask: _count_ones(mask)


@overload(lowest, strict=False)
def _lowest(mask: Any) -> Any:
    return lambda mask: _trailing_zeros(mask)


@overload(highest, strict=False)
def _highest(mask: Any) -> Any:
    return lambda mask: 63 - _leading_zeros(mask)


SPREAD = np.array([sum((byte >> b & 1) << 8 * b for b in range(8)) for byte in range(256)], np.int64)
"""`[256]` a byte's bits as eight bytes 0 or 1."""


def _spread(words: Any, start: int, mask: int, count: int) -> None:
    """Write the lowest bits of a mask as bytes 0 or 1, `count` words of eight."""
    for n in range(count):
        words[start + n] = SPREAD[mask >> (8 * n) & 255]


def spread_16(words: Any, start: int, mask: int) -> None:
    """Write the lowest 16 bits of a mask as bytes 0 or 1 from a word of `words`, `[…] int64`, on."""
    _spread(words, start, mask, 2)


def spread_32(words: Any, start: int, mask: int) -> None:
    """Write the lowest 32 bits of a mask as `spread_16` does."""
    _spread(words, start, mask, 4)


def spread_48(words: Any, start: int, mask: int) -> None:
    """Write the lowest 48 bits of a mask as `spread_16` does."""
    _spread(words, start, mask, 6)


def spread_64(words: Any, start: int, mask: int) -> None:
    """Write all 64 bits of a mask as `spread_16` does."""
    _spread(words, start, mask, 8)


def _vector_spread(*pieces: int) -> Any:
    """Make an intrinsic that writes a mask as bytes, so many bits of it in each store.

    One instruction expands a mask register where the processor has them; elsewhere LLVM finds the best there is.
    """

    @intrinsic
    def call(typing_context: Any, words: Any, start: Any, mask: Any) -> Any:
        if words.layout != "C":
            return None  # stores are many words wide: no such function for an array with gaps

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            pointer = builder.gep(array.data, [arguments[1]])
            pointer = builder.bitcast(pointer, ir.IntType(8).as_pointer())
            done = 0
            for count in pieces:
                bits = builder.lshr(arguments[2], ir.Constant(ir.IntType(64), done)) if done else arguments[2]
                if count < 64:
                    bits = builder.trunc(bits, ir.IntType(count))
                flags = builder.bitcast(bits, ir.VectorType(ir.IntType(1), count))
                places = builder.zext(flags, ir.VectorType(ir.IntType(8), count))
                at = builder.gep(pointer, [ir.Constant(ir.IntType(64), done)])
                builder.store(places, builder.bitcast(at, places.type.as_pointer()), align=8)
                done += count
            return context.get_dummy_value()

        return types.void(words, types.int64, types.int64), build

    return call


_store_16 = _vector_spread(16)
_store_32 = _vector_spread(32)
_store_48 = _vector_spread(32, 16)
_store_64 = _vector_spread(32, 32)


@overload(spread_16, strict=False)
def _spread_16(words: Any, start: Any, mask: Any) -> Any:
    return lambda words, start, mask: _store_16(words, start, mask)


@overload(spread_32, strict=False)
def _spread_32(words: Any, start: Any, mask: Any) -> Any:
    return lambda words, start, mask: _store_32(words, start, mask)


@overload(spread_48, strict=False)
def _spread_48(words: Any, start: Any, mask: Any) -> Any:
    return lambda words, start, mask: _store_48(words, start, mask)


@overload(spread_64, strict=False)
def _spread_64(words: Any, start: Any, mask: Any) -> Any:
    return lambda words, start, mask: _store_64(words, start, mask)


def nth_bit(mask: int, n: int) -> int:
    """Return the index of the n-th set bit of a mask, counted from 0 at the lowest."""
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)


SLOW_DEPOSIT = {"znver1", "znver2"}
"""Processors whose instruction for it takes longer than the loop."""


@intrinsic
def _nth_one(typing_context: Any, mask: Any, n: Any) -> Any:
    """Deposit bit n at the n-th set bit in one instruction where there is one; else clear n bits in a loop."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(64)
        mask, n = arguments
        _, processor, features = context.codegen().magic_tuple()
        if "+bmi2" in features.split(",") and processor not in SLOW_DEPOSIT:
            bit = builder.shl(ir.Constant(wide, 1), n)
            kind = ir.FunctionType(wide, [wide, wide])
            deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind)
            return builder.call(deposit, [bit, mask])
        left = cgutils.alloca_once_value(builder, mask)
        with cgutils.for_range(builder, n):
            value = builder.load(left)
            builder.store(builder.and_(value, builder.sub(value, ir.Constant(wide, 1))), left)
        return builder.load(left)

    return types.int64(types.int64, types.int64), build


@overload(nth_bit, strict=False)
def _nth_bit(mask: Any, n: Any) -> Any:
    return lambda mask, n: _trailing_zeros(_nth_one(mask, n))

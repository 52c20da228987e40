"""The vector instructions that stand for loops over bits do what the loops do."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError

from five_hundred_env.core._jit import COMPILED, kernel, nth_bit, spread_16, spread_32, spread_48, spread_64


@kernel
def compiled_nth(mask: int, n: int) -> int:
    return nth_bit(mask, n)


@kernel
def compiled_16(words: Any, start: int, mask: int) -> None:
    spread_16(words, start, mask)


@kernel
def compiled_32(words: Any, start: int, mask: int) -> None:
    spread_32(words, start, mask)


@kernel
def compiled_48(words: Any, start: int, mask: int) -> None:
    spread_48(words, start, mask)


@kernel
def compiled_64(words: Any, start: int, mask: int) -> None:
    spread_64(words, start, mask)


@kernel
def inner(value: int) -> int:
    return value + 1


@kernel
def outer(value: int) -> int:
    return inner(3) * inner(4) + inner(value)


def test_the_nth_bit_is_the_nth_of_the_list() -> None:
    """Bits 1, 4 and 62 of a mask are its bits number 0, 1 and 2; and so on for a thousand random masks."""
    mask = 1 << 1 | 1 << 4 | 1 << 62
    assert [int(compiled_nth(mask, n)) for n in range(3)] == [1, 4, 62]
    rng = Random("nth")
    for _ in range(1000):
        mask = rng.getrandbits(63) & rng.getrandbits(63) | 1 << rng.randrange(63)
        places = [bit for bit in range(63) if mask >> bit & 1]
        n = rng.randrange(len(places))
        assert int(compiled_nth(mask, n)) == nth_bit(mask, n) == places[n]


@pytest.mark.parametrize(
    ("spread", "count"), [(compiled_16, 16), (compiled_32, 32), (compiled_48, 48), (compiled_64, 64)]
)
def test_a_mask_becomes_its_places_and_nothing_beside_them(spread: Callable[..., None], count: int) -> None:
    """From word 3 on: as many places as the name says, whatever stood there; what is before and behind stays."""
    rng = Random(count)
    for _ in range(300):
        mask = rng.getrandbits(64) - 2**63
        words = np.full(16, -1, np.int64)
        spread(words, 3, mask)
        places = words.view(np.int8)
        assert places[24 : 24 + count].tolist() == [mask >> bit & 1 for bit in range(count)]
        assert (places[:24] == -1).all()
        assert (places[24 + count :] == -1).all()


@pytest.mark.skipif(not COMPILED, reason="about compiled kernels")
def test_an_array_with_gaps_is_refused() -> None:
    """The stores are many words wide: with every other word of an array there is no such function."""
    with pytest.raises(TypingError, match="No implementation"):
        compiled_16(np.zeros(16, np.int64)[::2], 0, 1)


@pytest.mark.skipif(not COMPILED, reason="about compiled kernels")
def test_a_number_that_is_written_out_compiles_nothing_anew() -> None:
    """One form for integers, whatever numbers the callers write: two calls with literals share it."""
    assert int(outer(1)) == 22
    outer.recompile()  # type: ignore[attr-defined]  # what came from the cache of an earlier run tells nothing
    assert len(inner.signatures) == 1  # type: ignore[attr-defined]

"""Philox 4x32-10: random words as a pure function of a key and a counter.

The same words on every platform, compiled or not, in any order: deals do not depend on how tables are batched.

Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
"""

from __future__ import annotations

from five_hundred_env.core._jit import kernel, small_kernel

WORD = 0xFFFFFFFF
_MULTIPLIER_0, _MULTIPLIER_1 = 0xD2511F53, 0xCD9E8D57
_WEYL_0, _WEYL_1 = 0x9E3779B9, 0xBB67AE85

# The last word of a counter: what the words are for.
(
    STREAM_DEAL,
    STREAM_DEALER,
    STREAM_NEXT_SEED,
    STREAM_RULES,
    STREAM_TABLE,
    STREAM_KEY,
    STREAM_ROLLOUT,
    STREAM_WORLD,
) = range(8)


@small_kernel
def philox(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int) -> tuple[int, int, int, int]:
    """Return four random words of 32 bits.

    Args:
        c0: First counter word, 32 bits, as are `c1`, `c2`, `c3`.
        c1: Second counter word.
        c2: Third counter word.
        c3: Fourth counter word.
        k0: Low word of the key.
        k1: High word of the key.
    """
    for _ in range(10):
        # Products pass 2**63: the arithmetic shift is masked, so that wrapped and unbounded integers agree.
        product_0 = _MULTIPLIER_0 * c0
        product_1 = _MULTIPLIER_1 * c2
        c0 = ((product_1 >> 32) & WORD) ^ c1 ^ k0
        c1 = product_1 & WORD
        c2 = ((product_0 >> 32) & WORD) ^ c3 ^ k1
        c3 = product_0 & WORD
        k0 = (k0 + _WEYL_0) & WORD
        k1 = (k1 + _WEYL_1) & WORD
    return c0, c1, c2, c3


@small_kernel
def below(word: int, bound: int) -> int:
    """Return a number from 0 to `bound` - 1 out of a word; for bounds under 64 the bias is below 2**-26."""
    return (word * bound) >> 32


@small_kernel
def seed_words(seed: int, low: int, high: int, stream: int) -> tuple[int, int, int, int]:
    """Return four words that depend on a 64-bit seed, two numbers and the stream."""
    return philox(low & WORD, high & WORD, 0, stream, seed & WORD, (seed >> 32) & WORD)


@kernel
def join(low: int, high: int) -> int:
    """Return two words as one signed 64-bit integer."""
    if high >= 0x80000000:
        high -= 0x100000000
    return high * 0x100000000 + low


@kernel
def next_seed(seed: int) -> int:
    """Return the seed of the game that follows the game of `seed`, as a signed 64-bit integer."""
    w0, w1, _, _ = seed_words(seed, 0, 0, STREAM_NEXT_SEED)
    return join(w0, w1)


@kernel
def table_seed(seed: int, table: int) -> int:
    """Return the first seed of a table of a batch, as a signed 64-bit integer."""
    w0, w1, _, _ = seed_words(seed, table, 0, STREAM_TABLE)
    return join(w0, w1)


@kernel
def decision_key(seed: int, board: int, decision: int) -> int:
    """Return the 64 random bits of one decision, as a signed integer: a pure function of its arguments."""
    w0, w1, _, _ = seed_words(seed, board, decision, STREAM_KEY)
    return join(w0, w1)

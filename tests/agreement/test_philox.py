"""The random words are those of the published generator."""

from __future__ import annotations

import pytest

from five_hundred_env.core.philox import below, join, philox, seed_words

ALL = 0xFFFFFFFF

# The known answers for philox4x32 with 10 rounds in kat_vectors of Random123: counter, key, result.
KNOWN_ANSWERS = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((ALL, ALL, ALL, ALL), (ALL, ALL), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "words"), KNOWN_ANSWERS)
def test_known_answers(counter: tuple[int, ...], key: tuple[int, ...], words: tuple[int, ...]) -> None:
    assert tuple(int(word) for word in philox(*counter, *key)) == words


def test_a_seed_is_the_key_low_word_first_and_may_be_negative() -> None:
    """-1 has 64 set bits, so key, first and second counter word are those of the second known answer's kind."""
    assert tuple(map(int, seed_words(-1, -1, -1, 7))) == tuple(map(int, philox(ALL, ALL, 0, 7, ALL, ALL)))
    assert tuple(map(int, seed_words(5 + 2**40, 1, 2, 0))) == tuple(map(int, philox(1, 2, 0, 0, 5, 256)))


def test_words_become_numbers() -> None:
    """`below` takes the top of word times bound; `join` reads two words as one signed number."""
    assert [int(below(word, 4)) for word in (0, 2**30 - 1, 2**30, ALL)] == [0, 0, 1, 3]
    assert int(join(1, 0)) == 1
    assert int(join(0, 1)) == 2**32
    assert int(join(ALL, ALL)) == -1
    assert int(join(0, 2**31)) == -(2**63)

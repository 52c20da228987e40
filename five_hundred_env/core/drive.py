"""What an environment does with a row between two decisions: reward, end of an episode, fresh deals.

One body, three drivers: one table in a packed block (`step_block`), a matrix of tables on one thread (`step_tables`) or
on several (`step_tables_parallel`), and whole rollouts (`rollout_tables`). All they write is a caller's buffer.

Rewards are zero-sum between the sides and whole in thousandths: one integer, side 0's reward, tells all.

Rules: R10.4.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import prange

from five_hundred_env.core import engine
from five_hundred_env.core._jit import kernel, nth_bit, parallel_kernel, popcount
from five_hundred_env.core.actions import first_action
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import MIS, OVER, SEATS
from five_hundred_env.core.observe import (
    MASK_WORDS,
    OBSERVATION_WORDS,
    Bytes,
    write_mask,
    write_observation,
    write_state,
)
from five_hundred_env.core.philox import STREAM_ROLLOUT, STREAM_RULES, below, next_seed, seed_words, table_seed
from five_hundred_env.core.state import (
    BID,
    BIDDER,
    DEAL_NUMBER,
    LEADER,
    N_COLUMNS,
    N_RULES,
    PHASE,
    POINTS,
    RULE_MISERE_DEFENCE,
    SEAT,
    SEED,
    TRICK_NUMBER,
    WINNER,
)

Rows = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

REWARDS = ("points", "win", "tricks")
EPISODES = ("game", "deal")
REWARD_POINTS, REWARD_WIN, REWARD_TRICKS = range(3)
EPISODE_GAME, EPISODE_DEAL = range(2)

POINT, TRICK, WIN = 10, 100, 1000
"""Thousandths of reward for a point, a trick, a game (and for the trick that breaks a misère)."""
LEAST = {"points": -6200, "win": -1000, "tricks": -7200}
"""The least reward of a deal in thousandths, given to a side that plays an illegal action: 10NT without a trick."""

DEAL_OVER, TERMINATED, TRUNCATED, REWARDED = 1, 2, 4, 8
"""Bits of what a step brought about."""
ILLEGAL = -1

# One table and everything a step writes, in one array: one argument costs a third of eleven.
BLOCK_ROW = 0
BLOCK_OBSERVATION = N_COLUMNS
BLOCK_MASK = BLOCK_OBSERVATION + OBSERVATION_WORDS
BLOCK_REWARD = BLOCK_MASK + MASK_WORDS  # side 0's reward of the last step, thousandths
BLOCK_REWARD_KIND = BLOCK_REWARD + 1
BLOCK_EPISODE = BLOCK_REWARD_KIND + 1
BLOCK_MAX_DEALS = BLOCK_EPISODE + 1
BLOCK_SIZE = BLOCK_MAX_DEALS + 1


def least_reward(reward: str, row: Row) -> int:
    """Return the least that a side can get for a deal under the rules of a row, in thousandths.

    Where a misère is played out, its contractor may lose ten tricks of one each beside 500 points and ten times ten.
    """
    if reward == "tricks" and int(row[RULE_MISERE_DEFENCE]):
        return -16000
    return LEAST[reward]


@kernel
def advance(row: Row, action: int, reward: int, episode: int, max_deals: int) -> tuple[int, int]:
    """Apply a legal action; return the bits of what it brought about and side 0's reward in thousandths.

    At the end of a deal that does not end the episode the next one is dealt.
    """
    trick = int(row[TRICK_NUMBER])
    engine.apply(row, action)
    gain = 0
    if reward == REWARD_TRICKS and int(row[TRICK_NUMBER]) != trick:
        gain = _trick_reward(row)
    if int(row[PHASE]) != OVER:
        return REWARDED if gain else 0, gain
    bits = DEAL_OVER | REWARDED
    over = int(row[WINNER]) >= 0
    difference = int(row[POINTS]) - int(row[POINTS + 1])
    if reward != REWARD_WIN:
        gain += POINT * difference
    elif episode == EPISODE_DEAL:
        gain = WIN if difference > 0 else -WIN if difference < 0 else 0
    elif over:
        gain = WIN if int(row[WINNER]) == 0 else -WIN
    if over or episode == EPISODE_DEAL:
        bits |= TERMINATED
    elif int(row[DEAL_NUMBER]) >= max_deals:
        bits |= TRUNCATED
    else:
        engine.next_deal(row)
    return bits, gain


@kernel
def _trick_reward(row: Row) -> int:
    """Return side 0's reward for the trick just completed, in thousandths.

    In a misère only a trick of the contractor counts, as much as ten.
    """
    winner = int(row[LEADER])
    if int(row[BID]) < MIS:
        return TRICK if winner & 1 == 0 else -TRICK
    if winner != int(row[BIDDER]):
        return 0
    return -WIN if winner & 1 == 0 else WIN


@kernel
def advance_forced(row: Row, action: int, reward: int, episode: int, max_deals: int) -> tuple[int, int]:
    """Do as `advance`, and go on through decisions that have one legal action."""
    bits, gain = advance(row, action, reward, episode, max_deals)
    while not bits & (TERMINATED | TRUNCATED):
        legal = engine.legal_mask(row)
        if popcount(legal) != 1:
            break
        more, extra = advance(row, nth_bit(legal, 0) + first_action(int(row[PHASE])), reward, episode, max_deals)
        bits |= more
        gain += extra
    return bits, gain


@kernel
def observe_mover(row: Row, out: Bytes, words: Row, mask_words: Row) -> None:
    """Write observation and mask of the seat to move; after the end of seat 0, with an empty mask."""
    seat = int(row[SEAT])
    write_observation(row, max(seat, 0), out, words)
    write_mask(int(row[PHASE]), engine.legal_mask(row), mask_words)


@kernel
def step_block(block: Row, action: int) -> int:
    """Do one action at the table of a block, and write its reward, the mover's observation and mask.

    Args:
        block: `[BLOCK_SIZE] int64`.
        action: Any integer.

    Returns:
        `ILLEGAL`, nothing changed; or the bits of what the action brought about, times eight, plus the seat to move
        plus one.
    """
    row = block[BLOCK_ROW:N_COLUMNS]
    if not engine.is_legal(row, action):
        return ILLEGAL
    bits, gain = advance(
        row,
        action,
        int(block[BLOCK_REWARD_KIND]),
        int(block[BLOCK_EPISODE]),
        int(block[BLOCK_MAX_DEALS]),
    )
    block[BLOCK_REWARD] = gain
    observe_block(block, int(row[SEAT]))
    return bits * 8 + int(row[SEAT]) + 1


@kernel
def observe_block(block: Row, seat: int) -> None:
    """Write observation and mask of a seat (of seat 0 when it is -1) into the block.

    The mask is empty unless the seat is to move.
    """
    row = block[BLOCK_ROW:N_COLUMNS]
    words = block[BLOCK_OBSERVATION:BLOCK_MASK]
    write_observation(row, max(seat, 0), words.view(np.int8), words)
    legal = engine.legal_mask(row) if seat == int(row[SEAT]) else 0
    write_mask(int(row[PHASE]), legal, block[BLOCK_MASK:BLOCK_REWARD])


@kernel
def begin_table(row: Row, rules: Rows, seed: int) -> None:
    """Begin a game at a table under one of several rules, drawn from the game's seed.

    Args:
        row: `[N_COLUMNS] int64` to be filled.
        rules: `[M, N_RULES] int64` rules rows, M at least 1.
        seed: 64 bits of the game.
    """
    choice = 0
    if rules.shape[0] > 1:
        word, _, _, _ = seed_words(seed, 0, 0, STREAM_RULES)
        choice = below(word, rules.shape[0])
    for column in range(N_RULES):
        row[column] = rules[choice, column]
    engine.new_game(row, seed)


@kernel
def first_illegal(rows: Rows, actions: Row) -> int:
    """Return the first table whose action is illegal, -1 when there is none."""
    for table in range(rows.shape[0]):
        if not engine.is_legal(rows[table], int(actions[table])):
            return table
    return -1


@kernel
def _step_table(
    row: Row,
    action: int,
    control: Row,
    rules: Rows,
    out: Bytes,
    words: Row,
    mask_words: Row,
    reward: npt.NDArray[np.float32],
    final: Bytes,
    final_words: Row,
) -> int:
    """Do a legal action at one table of a batch and return the bits of what it brought about."""
    mover = int(row[SEAT])
    if int(control[3]):
        bits, gain = advance_forced(row, action, int(control[0]), int(control[1]), int(control[2]))
    else:
        bits, gain = advance(row, action, int(control[0]), int(control[1]), int(control[2]))
    for seat in range(SEATS):
        reward[seat] = np.float32((gain if seat & 1 == 0 else -gain) / 1000)
    if bits & (TERMINATED | TRUNCATED):
        write_observation(row, mover, final, final_words)
        begin_table(row, rules, next_seed(int(row[SEED])))
    observe_mover(row, out, words, mask_words)
    return bits


@kernel
def _note(table: int, bits: int, flags: Flags, seats: Row, row: Row) -> None:
    """Write the flags and the seat to move of one table."""
    flags[0, table] = bits & TERMINATED != 0
    flags[1, table] = bits & TRUNCATED != 0
    flags[2, table] = bits & (TERMINATED | TRUNCATED) != 0
    flags[3, table] = bits & DEAL_OVER != 0
    seats[table] = row[SEAT]


@kernel
def step_tables(
    rows: Rows,
    actions: Row,
    control: Row,
    rules: Rows,
    out: Bytes,
    words: Rows,
    mask_words: Rows,
    rewards: npt.NDArray[np.float32],
    final: Bytes,
    final_words: Rows,
    flags: Flags,
    seats: Row,
) -> None:
    """Do one legal action at each table, on one thread.

    Args:
        rows: `[B, N_COLUMNS] int64` the tables.
        actions: `[B] int64` legal action ids.
        control: `[4] int64` reward kind, episode kind, most deals a game, whether forced decisions are skipped.
        rules: `[M, N_RULES] int64` the rules that a new game draws from.
        out: `[B, OBSERVATION_SIZE] int8` the movers' observations.
        words: The same memory as `[B, OBSERVATION_WORDS] int64`.
        mask_words: `[B, MASK_WORDS] int64` the movers' masks.
        rewards: `[B, S] float32` of this step.
        final: `[B, OBSERVATION_SIZE] int8` at the end of an episode, what the seat that moved last may know.
        final_words: The same memory as `[B, OBSERVATION_WORDS] int64`.
        flags: `[4, B] bool` terminated, truncated, either, deal over.
        seats: `[B] int64` seats to move.
    """
    for table in range(rows.shape[0]):
        bits = _step_table(
            rows[table],
            int(actions[table]),
            control,
            rules,
            out[table],
            words[table],
            mask_words[table],
            rewards[table],
            final[table],
            final_words[table],
        )
        _note(table, bits, flags, seats, rows[table])


@parallel_kernel
def step_tables_parallel(
    rows: Rows,
    actions: Row,
    control: Row,
    rules: Rows,
    out: Bytes,
    words: Rows,
    mask_words: Rows,
    rewards: npt.NDArray[np.float32],
    final: Bytes,
    final_words: Rows,
    flags: Flags,
    seats: Row,
) -> None:
    """Do as `step_tables`, the tables spread over the threads that Numba may use."""
    for table in prange(rows.shape[0]):
        bits = _step_table(
            rows[table],
            int(actions[table]),
            control,
            rules,
            out[table],
            words[table],
            mask_words[table],
            rewards[table],
            final[table],
            final_words[table],
        )
        _note(table, bits, flags, seats, rows[table])


@kernel
def begin_tables(rows: Rows, seed: int, rules: Rows) -> None:
    """Begin a game at each table.

    Args:
        rows: `[B, N_COLUMNS] int64` to be filled.
        seed: 64 bits of the batch; a table's own seed follows from them and its number.
        rules: `[M, N_RULES] int64` the rules that a game draws from.
    """
    for table in range(rows.shape[0]):
        begin_table(rows[table], rules, table_seed(seed, table))


@kernel
def write_states(rows: Rows, out: Bytes, words: Rows) -> None:
    """Write the whole deal of each table.

    Args:
        rows: `[B, N_COLUMNS] int64`.
        out: `[B, STATE_SIZE] int8` to be filled.
        words: The same memory as `[B, STATE_WORDS] int64`.
    """
    for table in range(rows.shape[0]):
        write_state(rows[table], out[table], words[table])


@kernel
def observe_tables(rows: Rows, out: Bytes, words: Rows, mask_words: Rows, seats: Row) -> None:
    """Write the movers' observations and masks of all tables, shapes as in `step_tables`."""
    for table in range(rows.shape[0]):
        observe_mover(rows[table], out[table], words[table], mask_words[table])
        seats[table] = rows[table, SEAT]


@kernel
def random_action(row: Row, word: int) -> int:
    """Return a legal action drawn uniformly with 32 random bits."""
    legal = engine.legal_mask(row)
    return nth_bit(legal, below(word, popcount(legal))) + first_action(int(row[PHASE]))


@kernel
def _roll_table(
    row: Row,
    table: int,
    seed: int,
    begin: int,
    steps: int,
    control: Row,
    rules: Rows,
    out: Bytes,
    words: Row,
    mask_words: Row,
) -> tuple[int, int]:
    """Play random actions at one table, mask and observation written at each; return deals ended and games ended."""
    deals = 0
    games = 0
    w0, w1, w2, w3 = seed_words(seed, table, begin >> 2, STREAM_ROLLOUT)
    for _ in range(begin & 3):
        w0, w1, w2 = w1, w2, w3
    for n in range(begin, begin + steps):
        if n & 3 == 0:
            w0, w1, w2, w3 = seed_words(seed, table, n >> 2, STREAM_ROLLOUT)
        bits, _ = advance(row, random_action(row, w0), int(control[0]), int(control[1]), int(control[2]))
        w0, w1, w2 = w1, w2, w3
        deals += bits & DEAL_OVER
        if bits & (TERMINATED | TRUNCATED):
            games += 1
            begin_table(row, rules, next_seed(int(row[SEED])))
        observe_mover(row, out, words, mask_words)
    return deals, games


@kernel
def rollout_tables(
    rows: Rows,
    seed: int,
    begin: int,
    steps: int,
    control: Row,
    rules: Rows,
    out: Bytes,
    words: Rows,
    mask_words: Rows,
    seats: Row,
    counts: Rows,
) -> None:
    """Play random actions at each table, each observed as in `step_tables`, whose shapes hold.

    Args:
        rows: The tables.
        seed: Where the random actions come from, with the table and the number of the action.
        begin: Number of the first action.
        steps: Actions at each table.
        control: As in `step_tables`.
        rules: As in `step_tables`.
        out: As in `step_tables`.
        words: As in `step_tables`.
        mask_words: As in `step_tables`.
        seats: As in `step_tables`.
        counts: `[B, 2] int64` deals and games ended at each table.
    """
    for table in range(rows.shape[0]):
        deals, games = _roll_table(
            rows[table],
            table,
            seed,
            begin,
            steps,
            control,
            rules,
            out[table],
            words[table],
            mask_words[table],
        )
        counts[table, 0] = deals
        counts[table, 1] = games
        seats[table] = rows[table, SEAT]


@parallel_kernel
def rollout_tables_parallel(
    rows: Rows,
    seed: int,
    begin: int,
    steps: int,
    control: Row,
    rules: Rows,
    out: Bytes,
    words: Rows,
    mask_words: Rows,
    seats: Row,
    counts: Rows,
) -> None:
    """Do as `rollout_tables`, the tables spread over the threads that Numba may use."""
    for table in prange(rows.shape[0]):
        deals, games = _roll_table(
            rows[table],
            table,
            seed,
            begin,
            steps,
            control,
            rules,
            out[table],
            words[table],
            mask_words[table],
        )
        counts[table, 0] = deals
        counts[table, 1] = games
        seats[table] = rows[table, SEAT]


def make_block() -> tuple[Row, dict[str, Any]]:
    """Return an empty block and its parts as arrays over the same memory: row, observation, mask."""
    block = np.zeros(BLOCK_SIZE, np.int64)
    parts = {
        "row": block[BLOCK_ROW:N_COLUMNS],
        "observation": block[BLOCK_OBSERVATION:BLOCK_MASK].view(np.int8),
        "mask": block[BLOCK_MASK:BLOCK_REWARD].view(np.int8),
    }
    return block, parts

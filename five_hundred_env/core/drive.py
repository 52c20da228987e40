"""What an environment does with a row between two decisions: reward, end of an episode, fresh deals.

One table lies in a packed block (`step_block`, `play_block`), many in a matrix (`step_tables`, and whole rollouts,
`rollout_tables`), of which each thread gets a run. All they write is a caller's buffer.

Rewards are zero-sum between the sides and whole in thousandths: one integer, side 0's reward, tells all.

Rules: R10.4.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import prange

from five_hundred_env.core import engine
from five_hundred_env.core._jit import kernel, lowest, nth_bit, parallel_kernel, popcount, small_kernel
from five_hundred_env.core.actions import first_action
from five_hundred_env.core.cards import Row
from five_hundred_env.core.constants import MIS, OVER
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
Rewards = npt.NDArray[np.float32]

REWARDS = ("points", "win", "tricks")
EPISODES = ("game", "deal")
REWARD_POINTS, REWARD_WIN, REWARD_TRICKS = range(3)
EPISODE_GAME, EPISODE_DEAL = range(2)

POINT, TRICK, WIN = 10, 100, 1000
"""Thousandths of reward for a point, a trick, a game (and for the trick that breaks a misère)."""
LEAST = {"points": -6200, "win": -1000, "tricks": -7200}
"""The least reward of a deal in thousandths, given to a side that plays an illegal action: 10NT without a trick."""

DEAL_OVER, TERMINATED, TRUNCATED, REWARDED = 1, 2, 4, 8
ENDED = TERMINATED | TRUNCATED
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
def observe_mover(row: Row, out: Bytes, words: Row, mask_words: Row) -> None:
    """Write observation and mask of the seat to move; after the end of seat 0, with an empty mask."""
    _show_mover(row, engine.legal_mask(row), out, words, mask_words)


@small_kernel
def _show_mover(row: Row, legal: int, out: Bytes, words: Row, mask_words: Row) -> None:
    """Do as `observe_mover`, the legal actions being known."""
    write_observation(row, max(int(row[SEAT]), 0), out, words)
    write_mask(int(row[PHASE]), legal, mask_words)


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
def play_block(block: Row, action: int) -> bool:
    """Do one action at the table of a block if it is legal, to the end of the deal at most, and show it to the mover.

    Args:
        block: `[BLOCK_SIZE] int64`; reward and episode are left alone.
        action: Any integer.

    Returns:
        Whether the action was legal; where it was not nothing has changed.
    """
    row = block[BLOCK_ROW:N_COLUMNS]
    if not engine.is_legal(row, action):
        return False
    engine.apply(row, action)
    observe_block(block, int(row[SEAT]))
    return True


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


OFFER_SHIFT = 56


@small_kernel
def offer(row: Row, legal: int) -> int:
    """Return the legal actions of the seat to move as one number, the id of their first place above the mask."""
    return legal | first_action(int(row[PHASE])) << OFFER_SHIFT


@small_kernel
def is_offered(offered: int, action: int) -> bool:
    """Tell whether an action id is among the actions of an `offer`; any integer may be asked."""
    bit = action - (offered >> OFFER_SHIFT)
    return 0 <= bit < OFFER_SHIFT and offered >> bit & 1 == 1


@kernel
def first_illegal(offers: Row, actions: Row) -> int:
    """Return the first table whose action is not offered, -1 when there is none."""
    for table in range(offers.shape[0]):
        if not is_offered(int(offers[table]), int(actions[table])):
            return table
    return -1


@kernel
def _advance_table(row: Row, action: int, control: Row) -> tuple[int, int, int]:
    """Do a legal action, and where `control` says so the forced ones that follow.

    Returns:
        The bits of what they brought about, side 0's reward in thousandths, and the legal actions after that.
    """
    bits, gain = advance(row, action, int(control[0]), int(control[1]), int(control[2]))
    legal = engine.legal_mask(row)
    if int(control[3]):
        while not bits & ENDED and popcount(legal) == 1:
            action = lowest(legal) + first_action(int(row[PHASE]))
            more, extra = advance(row, action, int(control[0]), int(control[1]), int(control[2]))
            bits |= more
            gain += extra
            legal = engine.legal_mask(row)
    return bits, gain, legal


@small_kernel
def _note(table: int, bits: int, gain: int, flags: Flags, reward: Rewards) -> None:
    """Write the flags and the rewards of one table."""
    flags[0, table] = bits & TERMINATED != 0
    flags[1, table] = bits & TRUNCATED != 0
    flags[2, table] = bits & ENDED != 0
    flags[3, table] = bits & DEAL_OVER != 0
    gained = np.float32(gain / 1000)
    lost = np.float32(0) - gained
    reward[0] = gained
    reward[1] = lost
    reward[2] = gained
    reward[3] = lost


@kernel
def step_run(
    begin: int,
    end: int,
    rows: Rows,
    actions: Row,
    control: Row,
    rules: Rows,
    out: Bytes,
    words: Rows,
    mask_words: Rows,
    rewards: Rewards,
    final: Bytes,
    final_words: Rows,
    flags: Flags,
    seats: Row,
    offers: Row,
) -> None:
    """Do one legal action at each table from `begin` to before `end`; arguments as in `step_tables`."""
    for table in range(begin, end):
        row = rows[table]
        mover = int(row[SEAT])
        bits, gain, legal = _advance_table(row, int(actions[table]), control)
        if bits & ENDED:
            write_observation(row, mover, final[table], final_words[table])
            begin_table(row, rules, next_seed(int(row[SEED])))
            legal = engine.legal_mask(row)
        _show_mover(row, legal, out[table], words[table], mask_words[table])
        _note(table, bits, gain, flags, rewards[table])
        seats[table] = row[SEAT]
        offers[table] = offer(row, legal)


@kernel
def step_tables(
    rows: Rows,
    actions: Row,
    control: Row,
    rules: Rows,
    out: Bytes,
    words: Rows,
    mask_words: Rows,
    rewards: Rewards,
    final: Bytes,
    final_words: Rows,
    flags: Flags,
    seats: Row,
    offers: Row,
) -> int:
    """Do one action at each table, on one thread, once all of them have proved legal.

    Args:
        rows: `[B, N_COLUMNS] int64` the tables.
        actions: `[B] int64` any integers.
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
        offers: `[B] int64` what each table offers: `offer` of the rows as they are, before and after.

    Returns:
        The first table whose action is illegal, nothing changed; -1 when there is none.
    """
    wrong = first_illegal(offers, actions)
    if wrong < 0:
        step_run(
            0,
            rows.shape[0],
            rows,
            actions,
            control,
            rules,
            out,
            words,
            mask_words,
            rewards,
            final,
            final_words,
            flags,
            seats,
            offers,
        )
    return wrong


@parallel_kernel
def step_tables_parallel(
    threads: int,
    rows: Rows,
    actions: Row,
    control: Row,
    rules: Rows,
    out: Bytes,
    words: Rows,
    mask_words: Rows,
    rewards: Rewards,
    final: Bytes,
    final_words: Rows,
    flags: Flags,
    seats: Row,
    offers: Row,
) -> int:
    """Do as `step_tables`, each thread a run of tables, the same ones at every step."""
    wrong = first_illegal(offers, actions)
    if wrong < 0:
        tables = rows.shape[0]
        for thread in prange(threads):
            step_run(
                thread * tables // threads,
                (thread + 1) * tables // threads,
                rows,
                actions,
                control,
                rules,
                out,
                words,
                mask_words,
                rewards,
                final,
                final_words,
                flags,
                seats,
                offers,
            )
    return wrong


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
def observe_tables(rows: Rows, out: Bytes, words: Rows, mask_words: Rows, seats: Row, offers: Row) -> None:
    """Write what follows from the rows, as `step_tables` does: movers, their observations, masks and offers."""
    for table in range(rows.shape[0]):
        row = rows[table]
        legal = engine.legal_mask(row)
        _show_mover(row, legal, out[table], words[table], mask_words[table])
        seats[table] = row[SEAT]
        offers[table] = offer(row, legal)


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
) -> tuple[int, int, int]:
    """Play random actions at one table, mask and observation written at each.

    Returns:
        Deals ended, games ended, and the legal actions after the last action.
    """
    deals = 0
    games = 0
    legal = engine.legal_mask(row)
    w0, w1, w2, w3 = seed_words(seed, table, begin >> 2, STREAM_ROLLOUT)
    for _ in range(begin & 3):
        w0, w1, w2 = w1, w2, w3
    for n in range(begin, begin + steps):
        if n & 3 == 0:
            w0, w1, w2, w3 = seed_words(seed, table, n >> 2, STREAM_ROLLOUT)
        action = nth_bit(legal, below(w0, popcount(legal))) + first_action(int(row[PHASE]))
        bits, _ = advance(row, action, int(control[0]), int(control[1]), int(control[2]))
        w0, w1, w2 = w1, w2, w3
        deals += bits & DEAL_OVER
        if bits & ENDED:
            games += 1
            begin_table(row, rules, next_seed(int(row[SEED])))
        legal = engine.legal_mask(row)
        _show_mover(row, legal, out, words, mask_words)
    return deals, games, legal


@kernel
def rollout_run(
    first: int,
    end: int,
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
    offers: Row,
    counts: Rows,
) -> None:
    """Play random actions at each table from `first` to before `end`; each is observed as in `step_tables`.

    Args:
        first: The first table.
        end: The table after the last one.
        rows: As in `step_tables`.
        seed: Where the random actions come from, with the table and the number of the action.
        begin: Number of the first action.
        steps: Actions at each table.
        control: As in `step_tables`.
        rules: As in `step_tables`.
        out: As in `step_tables`.
        words: As in `step_tables`.
        mask_words: As in `step_tables`.
        seats: As in `step_tables`.
        offers: As in `step_tables`.
        counts: `[B, 2] int64` deals and games ended at each table.
    """
    for table in range(first, end):
        deals, games, legal = _roll_table(
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
        offers[table] = offer(rows[table], legal)


@parallel_kernel
def rollout_tables_parallel(
    threads: int,
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
    offers: Row,
    counts: Rows,
) -> None:
    """Do as `rollout_run` at all tables, each thread a run of them."""
    tables = rows.shape[0]
    for thread in prange(threads):
        rollout_run(
            thread * tables // threads,
            (thread + 1) * tables // threads,
            rows,
            seed,
            begin,
            steps,
            control,
            rules,
            out,
            words,
            mask_words,
            seats,
            offers,
            counts,
        )

"""A table of a batch plays what it would play alone, whatever the batch, the threads and the way it is stepped."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from five_hundred_env import Game, Rules, Tables
from five_hundred_env.core.philox import next_seed
from five_hundred_env.core.rules import PROFILES
from five_hundred_env.errors import IllegalActionError, OptionError
from tests.agreement.lockstep import PURE, option_sets, short_sets

ROOT = Path(__file__).resolve().parents[2]
STEPS = 60 if PURE else 400
RULES: list[Rules] = [*map(Rules.profile, PROFILES), *map(Rules.from_dict, [*option_sets(8), *short_sets(4)])]

Choose = Callable[[bytes, Sequence[int]], int]


def by_observation(observation: bytes, legal: Sequence[int]) -> int:
    """Choose by what the seat sees alone, passing often enough that auctions end low."""
    number = crc32(observation)
    return legal[0] if number % 4 else legal[number // 4 % len(legal)]


def actions_of(tables: Tables, choose: Choose = by_observation) -> list[int]:
    return [choose(tables.observation[i].tobytes(), np.flatnonzero(tables.mask[i]).tolist()) for i in range(tables.n)]


def test_a_table_plays_the_deals_of_a_game_with_its_seed() -> None:
    """Seat, observation, mask, scores, rewards and results are those of a `Game` that is moved alongside."""
    tables = Tables(n=24, rules=RULES, seed=11, episode="game", max_deals=3)
    games = [Game(tables.rules_of(i), seed=int(tables.seeds[i])) for i in range(24)]
    ended: Counter[str] = Counter()
    for _ in range(STEPS):
        actions = actions_of(tables)
        movers = [game.seat for game in games]
        for game, action in zip(games, actions, strict=True):
            game.apply(action)
        tables.step(actions)
        for i, game in enumerate(games):
            deal_over = game.phase == "over"
            assert bool(tables.deal_over[i]) == deal_over
            side_0 = (game.deal_result.points[0] - game.deal_result.points[1]) / 100 if game.deal_result else 0.0
            np.testing.assert_allclose(tables.reward[i], [side_0, -side_0, side_0, -side_0], rtol=0, atol=1e-6)
            if deal_over and (game.is_over or game.deal_number == 3):
                assert bool(tables.terminated[i]) == game.is_over
                assert bool(tables.truncated[i]) == (not game.is_over)
                mover = movers[i]
                assert mover is not None
                assert (tables.final_observation[i] == game.observe(mover)["observation"]).all()
                ended["game won" if game.is_over else "game truncated"] += 1
                seed = int(next_seed(int(np.uint64(game.seed).astype(np.int64)))) % 2**64
                game = games[i] = Game(tables.rules_of(i), seed=seed)
            else:
                assert not tables.done[i]
                if deal_over:
                    game.next_deal()
                    ended["deal"] += 1
            assert int(tables.seeds[i]) == game.seed
            assert int(tables.seat[i]) == game.seat
            assert tuple(tables.scores[i]) == game.scores
            seen = game.observe(int(tables.seat[i]))
            assert (tables.observation[i] == seen["observation"]).all()
            assert (tables.mask[i] == seen["action_mask"]).all()
    if not PURE:
        assert min(ended["deal"], ended["game won"], ended["game truncated"]) >= 10, ended


def trajectories(tables: Tables, steps: int) -> list[str]:
    """Step a batch and hash, table by table, everything that a step writes."""
    hashes = [hashlib.sha256() for _ in range(tables.n)]
    for _ in range(steps):
        tables.step(actions_of(tables))
        for i, digest in enumerate(hashes):
            for array in (tables.rows, tables.observation, tables.mask, tables.reward, tables.seat):
                digest.update(array[i].tobytes())
            for flags in (tables.terminated, tables.truncated, tables.done, tables.deal_over):
                digest.update(flags[i].tobytes())
    return [digest.hexdigest() for digest in hashes]


def test_the_size_of_the_batch_changes_nothing() -> None:
    """Table i of 1, 3 and 17 tables with the same seed plays the same."""
    large = trajectories(Tables(n=17, rules=RULES, seed=5, episode="game", max_deals=2), STEPS // 2)
    assert len(set(large)) == 17
    for n in (1, 3):
        assert trajectories(Tables(n=n, rules=RULES, seed=5, episode="game", max_deals=2), STEPS // 2) == large[:n]


def test_another_seed_is_another_batch() -> None:
    rows = [Tables(n=2, seed=seed).rows for seed in (5, 5, 6)]
    assert (rows[0] == rows[1]).all()
    assert (rows[0] != rows[2]).any(axis=1).all()


def fingerprint() -> str:
    """Hash steps and rollouts over many rules with 1, 2 and 4 threads; they have to agree."""
    found = set()
    for threads in (1, 2, 4):
        tables = Tables(n=13, rules=RULES, seed=3, episode="game", reward="tricks", max_deals=2, threads=threads)
        digest = hashlib.sha256("".join(trajectories(tables, 40)).encode())
        digest.update(tables.rollout(60).tobytes())
        digest.update(trajectories(tables, 10)[12].encode())
        found.add(digest.hexdigest())
    assert len(found) == 1, f"threads change the result: {found}"
    return found.pop()


def in_another_process(**environment: str) -> str:
    """Return the fingerprint of a fresh interpreter with other settings."""
    done = subprocess.run(
        [sys.executable, "-c", "from tests.agreement.test_batches import fingerprint; print(fingerprint())"],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_threads_change_nothing() -> None:
    """A process that may use four threads finds what this one finds with those it has."""
    assert in_another_process(NUMBA_NUM_THREADS="4") == fingerprint()


def test_compiled_and_pure_code_play_the_same() -> None:
    """Rows, observations, masks and rewards, to the last bit."""
    assert in_another_process(NUMBA_DISABLE_JIT="0" if PURE else "1") == fingerprint()


@pytest.mark.parametrize("episode", ["deal", "game"])
@pytest.mark.parametrize("reward", ["points", "win", "tricks"])
def test_skipping_forced_decisions_leaves_the_rest_as_it_was(episode: str, reward: str) -> None:
    """The decisions that remain, what was seen at each, and the rewards gained until the next one are the same."""

    def decisions(skip: bool, wanted: int) -> list[tuple[bytes, int, tuple[float, ...], bool]]:
        tables = Tables(1, RULES, seed=8, episode=episode, reward=reward, max_deals=2, skip_forced=skip)
        found: list[tuple[bytes, int, tuple[float, ...], bool]] = []
        while len(found) <= wanted:
            (action,) = actions_of(tables)
            free = int(tables.mask[0].sum()) > 1
            if free:
                found.append((tables.observation[0].tobytes(), action, (0.0, 0.0, 0.0, 0.0), False))
            assert free or not skip
            tables.step([action])
            seen, taken, sums, done = found[-1]
            gained = tuple(round(a + float(b), 3) for a, b in zip(sums, tables.reward[0], strict=True))
            found[-1] = (seen, taken, gained, done or bool(tables.done[0]))
        return found[:wanted]

    assert decisions(skip=True, wanted=STEPS) == decisions(skip=False, wanted=STEPS)


def everything(tables: Tables) -> list[bytes]:
    """Return all that a step writes."""
    arrays = (tables.rows, tables.observation, tables.mask, tables.reward, tables.seat, tables.state)
    return [*(array.tobytes() for array in arrays), tables._flags.tobytes(), tables._offers.tobytes()]


def scribble(tables: Tables) -> None:
    """Write over every buffer that a user can reach, the rows excepted."""
    for array in (tables.observation, tables.mask, tables.reward, tables.seat, tables.final_observation, tables.done):
        array.fill(1)
    tables.state.fill(77)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("skip", [False, True])
def test_what_is_written_into_the_buffers_changes_nothing(threads: int, skip: bool) -> None:
    """Each step writes every place anew: a batch that is scribbled over shows what its untouched twin shows.

    So it does after a step, a rollout, a reset and `load`; observations at ends of episodes are compared where there is
    one, 136 tables being enough for two threads.
    """
    clean, marked = (
        Tables(136, RULES, seed=6, episode="game", max_deals=2, threads=threads, skip_forced=skip) for _ in range(2)
    )
    marked = Tables.load(marked.save())
    for step in range(STEPS // 4):
        actions = actions_of(clean)
        scribble(marked)
        clean.step(actions)
        marked.step(actions)
        assert everything(marked) == everything(clean)
        assert (marked.final_observation[clean.done] == clean.final_observation[clean.done]).all()
        if step == STEPS // 8:
            scribble(marked)
            assert (marked.rollout(20) == clean.rollout(20)).all()
            assert everything(marked) == everything(clean)
    scribble(marked)
    clean.reset(9)
    marked.reset(9)
    assert everything(marked) == everything(clean)


def test_a_mask_that_was_written_over_allows_nothing() -> None:
    """Legality is asked of the table, not of the buffer that a user holds: the first call can not be a card."""
    tables = Tables(3, seed=1)
    tables.mask.fill(1)
    before = tables.rows.copy()
    with pytest.raises(IllegalActionError, match="table 1"):
        tables.step([0, 28, 0])
    assert (tables.rows == before).all()


def test_saved_tables_go_on_as_if_nothing_had_happened() -> None:
    """Steps and rollouts after `load` are those after `save`, and the buffers of the last step come back too."""
    tables = Tables(n=9, rules=RULES, seed=21, episode="game", reward="tricks", max_deals=2)
    trajectories(tables, 45)
    tables.rollout(7)
    trajectories(tables, 30)
    loaded = Tables.load(tables.save())
    for name in ("rows", "observation", "mask", "reward", "done", "terminated", "truncated", "deal_over", "seat"):
        assert (getattr(loaded, name) == getattr(tables, name)).all(), name
    assert loaded.rules == tables.rules
    assert trajectories(loaded, 20) == trajectories(tables, 20)
    assert (loaded.rollout(50) == tables.rollout(50)).all()
    assert (loaded.rows == tables.rows).all()
    assert loaded.save() == tables.save()


def test_parts_play_on_as_the_whole_and_join_again() -> None:
    """Nine tables, cut in 4 and 5 after 60 steps; what the parts hold after 30 more is what the nine hold."""
    tables = Tables(n=9, rules=RULES, seed=21, episode="game", reward="tricks", max_deals=2)
    trajectories(tables, 60)
    parts = [tables.part(0, 4), tables.part(4, 5)]
    assert Tables.join(parts).save() == tables.save()
    after = trajectories(tables, 30)
    assert [way for part in parts for way in trajectories(part, 30)] == after
    assert Tables.join(parts).save() == tables.save()


@pytest.mark.parametrize(("first", "n"), [(0, 10), (9, 1), (-1, 2), (3, 0)])
def test_a_part_that_is_not_there_is_an_error(first: int, n: int) -> None:
    with pytest.raises(OptionError, match=f"there are tables 0 to 8, not {n} from {first} on"):
        Tables(n=9, seed=1).part(first, n)
    with pytest.raises(OptionError, match="at least one batch"):
        Tables.join([])


def test_a_rollout_of_eight_is_one_of_five_and_one_of_three() -> None:
    whole = Tables(n=6, rules=RULES, seed=2)
    split = Tables(n=6, rules=RULES, seed=2)
    for _ in range(20):
        counts = whole.rollout(8)
        assert (counts == split.rollout(5) + split.rollout(3)).all()
        assert (whole.rows == split.rows).all()
        assert (whole.observation == split.observation).all()
        assert (whole.mask == split.mask).all()
    assert whole.rollout(300).sum() > 0


def test_mixed_rules_are_drawn_from_each_game_s_own_seed() -> None:
    """Three rules over 90 tables: each is drawn 15 to 45 times, and a new episode draws anew."""
    rules = [Rules(), Rules.profile("american"), Rules(pack="46", joker_no_trumps="free")]
    tables = Tables(n=90, rules=rules, seed=4)
    drawn = [tables.rules_of(i) for i in range(90)]
    assert all(15 <= drawn.count(entry) <= 45 for entry in rules)
    assert [Tables(n=40, rules=rules, seed=4).rules_of(i) for i in range(40)] == drawn[:40]
    for i in range(0, 90, 7):
        game = Game(drawn[i], seed=int(tables.seeds[i]))
        assert (game.observe(int(tables.seat[i]))["observation"] == tables.observation[i]).all()
    later = []
    for _ in range(4):
        while not tables.done[0]:
            tables.step(actions_of(tables))
        later.append(tables.rules_of(0))
        tables.step(actions_of(tables))
    again = Tables(n=1, rules=rules, seed=4)
    repeated = []
    for _ in range(4):
        while not again.done[0]:
            again.step(actions_of(again))
        repeated.append(again.rules_of(0))
        again.step(actions_of(again))
    assert later == repeated
    assert len(set(map(str, [drawn[0], *later]))) > 1

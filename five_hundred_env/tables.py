"""Tables: many games at once, in buffers that are written in place."""

from __future__ import annotations

import io
import json
import os
import secrets
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

import numba
import numpy as np
import numpy.typing as npt

from five_hundred_env import notation
from five_hundred_env.core import drive, observe
from five_hundred_env.core.constants import MAX_DEALS, SEATS, VERSION
from five_hundred_env.core.rules import Rules, as_rules, rules_of_row
from five_hundred_env.core.state import N_COLUMNS, SCORES, SEED
from five_hundred_env.errors import OptionError, RecordError

AnyRules: TypeAlias = Rules | str | Mapping[str, Any]

SAVE_FORMAT = "five_hundred_env.tables"
SAVE_VERSION = 1

TABLES_A_THREAD = 64


class Tables:
    """A batch of games that are stepped together and begin anew by themselves.

    Axes: B tables, S seats (4), O places of an observation, A actions, T places of a state. All arrays are buffers that
    the next step overwrites; copy what you want to keep. A table of a batch plays the same deals as
    ``Game(seed=tables.seeds[i])``, whatever the size of the batch and the number of threads.

    Args:
        n: How many tables, B.
        rules: Rules of all tables, or a list of rules: each episode draws one of them from its seed, so with
            ``episode="deal"`` each deal; a game keeps its rules to the end.
        seed: Where all deals come from, 0 to 2**64 - 1; None draws one.
        episode: ``"deal"`` ends an episode after one deal, ``"game"`` when a side has won (R10).
        reward: ``"points"``, ``"win"`` or ``"tricks"``, as in `five_hundred_v0.env`.
        max_deals: A game is truncated after so many deals.
        threads: Threads of a step, at most those that Numba has (``NUMBA_NUM_THREADS``) and one for 64 tables; fewer
            tables than that are stepped sooner than a thread wakes up.
        skip_forced: Whether decisions with a single legal action are taken without asking; their rewards are added
            to the step that led there.

    Raises:
        OptionError: An argument is out of range.
        RulesError: The rules are unknown.

    Attributes:
        n: B.
        seat: `[B] int64` seats to move.
        observation: `[B, O] int8` what the movers may know.
        mask: `[B, A] int8` their legal actions.
        reward: `[B, S] float32` of the last step.
        terminated: `[B] bool` the last step ended an episode by the rules.
        truncated: `[B] bool` the last step ended an episode at `max_deals`.
        done: `[B] bool` either.
        deal_over: `[B] bool` the last step ended a deal.
        final_observation: `[B, O] int8` where `done`: what the seat that was asked last may know at the end.
    """

    def __init__(
        self,
        n: int,
        rules: AnyRules | Sequence[AnyRules] = "australian",
        seed: int | None = None,
        episode: str = "deal",
        reward: str = "points",
        max_deals: int = 100,
        threads: int = 1,
        skip_forced: bool = False,
    ) -> None:
        self.n = check_count(n, "n", "tables")
        many = list(rules) if isinstance(rules, Sequence) and not isinstance(rules, str) else [rules]
        if not many:
            raise OptionError("rules is an empty list; name at least one set of rules")
        self.rules = tuple(as_rules(entry) for entry in many)
        self.episode = check_choice(episode, "episode", drive.EPISODES)
        self.reward_kind = check_choice(reward, "reward", drive.REWARDS)
        self.max_deals = check_count(max_deals, "max_deals", "deals", MAX_DEALS)
        self.threads = check_count(threads, "threads", "threads")
        self.skip_forced = bool(skip_forced)
        self._rules = np.stack([entry.row for entry in self.rules])
        codes = (drive.REWARDS.index(reward), drive.EPISODES.index(episode), self.max_deals, int(self.skip_forced))
        self._control = np.array(codes, np.int64)
        self._allocate()
        self.reset(seed)

    def _allocate(self) -> None:
        """Make every buffer, so that a step allocates none."""
        n = self.n
        self.rows = np.zeros((n, N_COLUMNS), np.int64)
        self._words = np.zeros((n, observe.OBSERVATION_WORDS), np.int64)
        self._mask_words = np.zeros((n, observe.MASK_WORDS), np.int64)
        self._final_words = np.zeros((n, observe.OBSERVATION_WORDS), np.int64)
        self._flags = np.zeros((4, n), np.bool_)
        self._actions = np.zeros(n, np.int64)
        self.observation = self._words.view(np.int8)
        self.mask = self._mask_words.view(np.int8)
        self.final_observation = self._final_words.view(np.int8)
        self.terminated, self.truncated, self.done, self.deal_over = self._flags
        self.reward = np.zeros((n, SEATS), np.float32)
        self.seat = np.zeros(n, np.int64)
        self._offers = np.zeros(n, np.int64)  # legal actions: a user may write into the mask, not into these
        self._arguments = (
            self.rows,
            self._actions,
            self._control,
            self._rules,
            self.observation,
            self._words,
            self._mask_words,
            self.reward,
            self.final_observation,
            self._final_words,
            self._flags,
            self.seat,
            self._offers,
        )

    def reset(self, seed: int | None = None) -> None:
        """Begin a fresh game at each table.

        Args:
            seed: As for the constructor.

        Raises:
            OptionError: The seed is out of range.
        """
        self.seed = secrets.randbits(64) if seed is None else notation.check_seed(seed)
        base = notation.signed(self.seed)
        drive.begin_tables(self.rows, base, self._rules)
        self._rolled = 0
        self.reward[:] = 0
        self._flags[:] = False
        self._observe()

    @property
    def _workers(self) -> int:
        """How many threads a step takes."""
        return max(1, min(self.threads, int(numba.config.NUMBA_NUM_THREADS), self.n // TABLES_A_THREAD))

    def _observe(self) -> None:
        """Write what follows from the rows; asked whenever they were written to from outside a step."""
        arguments = (self.observation, self._words, self._mask_words, self.seat, self._offers)
        drive.observe_tables(self.rows, *arguments)

    def step(self, actions: npt.ArrayLike) -> None:
        """Do one action at each table; tables whose episode ends begin the next one within the step.

        Args:
            actions: `[B]` integers, action ids.

        Raises:
            OptionError: `actions` has another shape or another type.
            IllegalActionError: An action is illegal; the message names the table, and no table has moved.
        """
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise OptionError(f"actions are integers of shape ({self.n},), not {given.dtype} of shape {given.shape}")
        self._actions[:] = given
        workers = self._workers
        if workers == 1:
            wrong = drive.step_tables(*self._arguments)
        else:
            with _Threads(workers):
                wrong = drive.step_tables_parallel(workers, *self._arguments)
        if wrong >= 0:
            error = notation.illegal_action(self.rows[wrong], int(given[wrong]))
            error.args = (f"table {wrong}: {error}",)
            raise error

    def rollout(self, steps: int, agent: str = "random") -> npt.NDArray[np.int64]:
        """Play many steps without leaving compiled code, mask and observation written at each.

        Args:
            steps: Actions at each table.
            agent: Who plays; ``"random"`` draws uniformly from the legal actions. The actions depend on the seed, the
                table and the number of the action alone.

        Returns:
            `[B, 2] int64` deals and games that ended at each table.

        Raises:
            OptionError: `steps` is out of range, or the agent can not play compiled rollouts.
        """
        steps = check_count(steps, "steps", "steps")
        check_choice(agent, "agent", ("random",))
        counts = np.zeros((self.n, 2), np.int64)
        arguments = (
            self.rows,
            notation.signed(self.seed),
            self._rolled,
            steps,
            self._control,
            self._rules,
            self.observation,
            self._words,
            self._mask_words,
            self.seat,
            self._offers,
            counts,
        )
        workers = self._workers
        if workers == 1:
            drive.rollout_run(0, self.n, *arguments)
        else:
            with _Threads(workers):
                drive.rollout_tables_parallel(workers, *arguments)
        self._rolled += steps
        self.reward[:] = 0
        self._flags[:] = False
        return counts

    @property
    def scores(self) -> npt.NDArray[np.int64]:
        """`[B, 2] int64` totals, points by side."""
        return self.rows[:, SCORES : SCORES + 2]

    @property
    def state(self) -> npt.NDArray[np.int8]:
        """`[B, T] int8` the whole deals, hidden cards included; written when asked for."""
        if not hasattr(self, "_state_words"):
            self._state_words = np.zeros((self.n, observe.STATE_WORDS), np.int64)
        out = self._state_words.view(np.int8)
        drive.write_states(self.rows, out, self._state_words)
        return out

    @property
    def seeds(self) -> npt.NDArray[np.uint64]:
        """`[B] uint64` the seeds of the current games: ``Game(rules_of(i), seed=seeds[i])`` deals the same."""
        return np.ascontiguousarray(self.rows[:, SEED]).view(np.uint64)

    def rules_of(self, table: int) -> Rules:
        """Return the rules of the current game at a table."""
        return rules_of_row(self.rows[table])

    def save(self) -> bytes:
        """Return everything that the next steps depend on, as bytes that `load` reads on any machine."""
        head = {
            "format": SAVE_FORMAT,
            "version": SAVE_VERSION,
            "environment": VERSION,
            "n": self.n,
            "rules": [entry.to_dict() for entry in self.rules],
            "seed": self.seed,
            "episode": self.episode,
            "reward": self.reward_kind,
            "max_deals": self.max_deals,
            "threads": self.threads,
            "skip_forced": self.skip_forced,
            "rolled": self._rolled,
        }
        file = io.BytesIO()
        np.savez_compressed(
            file,
            head=np.frombuffer(json.dumps(head).encode(), np.uint8),
            rows=self.rows,
            reward=self.reward,
            flags=self._flags,
            final=self._final_words,
        )
        return file.getvalue()

    @classmethod
    def load(cls, data: bytes) -> Tables:
        """Return the tables that `save` wrote.

        Raises:
            RecordError: The bytes are cut, of another version, or no tables at all.
        """
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as file:
                head = json.loads(file["head"].tobytes())
                arrays = {name: file[name] for name in ("rows", "reward", "flags", "final")}
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise RecordError(f"these {len(data)} bytes are no saved tables: {error}") from None
        if head.get("format") != SAVE_FORMAT:
            raise RecordError(f"these bytes hold {head.get('format')!r}, not {SAVE_FORMAT!r}")
        if (head["version"], head["environment"]) != (SAVE_VERSION, VERSION):
            raise RecordError(
                f"these tables are of version {head['version']} of environment {head['environment']}; "
                f"this package reads version {SAVE_VERSION} of environment {VERSION}"
            )
        names = ("n", "seed", "episode", "reward", "max_deals", "threads", "skip_forced")
        tables = cls(rules=head["rules"], **{name: head[name] for name in names})
        if arrays["rows"].shape != tables.rows.shape:
            raise RecordError(f"the saved rows have shape {arrays['rows'].shape}, not {tables.rows.shape}")
        tables.rows[:] = arrays["rows"]
        tables.reward[:] = arrays["reward"]
        tables._flags[:] = arrays["flags"]
        tables._final_words[:] = arrays["final"]
        tables._rolled = head["rolled"]
        tables._observe()
        return tables

    def part(self, first: int, n: int) -> Tables:
        """Return a batch of some of these tables, which plays on as they would.

        Only `reset` and `rollout` count tables from 0 again, in a part as in any batch.

        Args:
            first: The first table of the part.
            n: How many tables.

        Raises:
            OptionError: There are no such tables.
        """
        if not 0 <= first < first + n <= self.n:
            raise OptionError(f"there are tables 0 to {self.n - 1}, not {n} from {first} on")
        return self._gather([(self, slice(first, first + n))])

    @classmethod
    def join(cls, parts: Sequence[Tables]) -> Tables:
        """Return one batch of the tables of several, one after the other, with the options of the first.

        Raises:
            OptionError: There are none.
        """
        if not parts:
            raise OptionError("join needs at least one batch of tables")
        return cls._gather([(tables, slice(None)) for tables in parts])

    @classmethod
    def _gather(cls, parts: Sequence[tuple[Tables, slice]]) -> Tables:
        """Return copies of some tables of several batches in one."""
        like = parts[0][0]
        rows = np.concatenate([tables.rows[some] for tables, some in parts])
        names = ("rules", "seed", "episode", "max_deals", "threads", "skip_forced")
        tables = cls(len(rows), reward=like.reward_kind, **{name: getattr(like, name) for name in names})
        tables.rows[:] = rows
        tables.reward[:] = np.concatenate([each.reward[some] for each, some in parts])
        tables._flags[:] = np.concatenate([each._flags[:, some] for each, some in parts], axis=1)
        tables._final_words[:] = np.concatenate([each._final_words[some] for each, some in parts])
        tables._rolled = like._rolled
        tables._observe()
        return tables


SPINS = 3000
"""How often GNU's OpenMP looks for work before a thread sleeps; it ends the pauses between steps in a loop."""


class _Threads:
    """Let parallel kernels use a number of threads for a while."""

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def __enter__(self) -> None:
        launch_threads()
        self.saved = numba.get_num_threads()
        numba.set_num_threads(self.threads)

    def __exit__(self, *_: object) -> None:
        numba.set_num_threads(self.saved)


@cache
def launch_threads() -> None:
    """Start Numba's threads, told to look for work for a tenth of a millisecond and then to sleep.

    Where the user has said how threads should wait, that holds.

    A thread that sleeps between two steps is woken too late to gain much; one that spins on and on, as OpenMP's do,
    takes from other work on the machine more than it gains.
    """
    said = any(name in os.environ for name in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"))
    wishes = {} if said else {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": str(SPINS)}
    os.environ.update(wishes)
    try:
        numba.get_num_threads()
    finally:
        for name in wishes:
            del os.environ[name]


def check_count(value: Any, name: str, what: str, most: int | None = None) -> int:
    """Return a count as an integer.

    Raises:
        OptionError: It is no integer from 1 (to `most`).
    """
    fine = not isinstance(value, bool) and isinstance(value, int | np.integer) and int(value) >= 1
    if not fine or (most is not None and int(value) > most):
        limit = "" if most is None else f" to {most}"
        raise OptionError(f"{name} is a number of {what} from 1{limit}, not {value!r}")
    return int(value)


def check_choice(value: Any, name: str, choices: Sequence[str]) -> str:
    """Return one of several words.

    Raises:
        OptionError: It is none of them.
    """
    if not isinstance(value, str) or value not in choices:
        raise OptionError(f"{name} is one of {', '.join(choices)}, not {value!r}")
    return value

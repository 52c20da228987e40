"""Masked PPO self-play: one policy plays all four seats and learns from each of them.

::

    python -m baselines.ppo --config configs/quick.yaml --seed 7
    python -m baselines.ppo --resume runs/quick
    torchrun --nproc-per-node 2 -m baselines.ppo --config configs/quick.yaml

An iteration plays `steps` decisions at each of `tables` tables, estimates the advantage of every decision within its
own seat's stream (`common/advantages.py`), and improves policy and critic on the shuffled decisions, `epochs` times.
Several processes play a part of the tables each and learn the same (`common/processes.py`).

Source: Schulman et al., "Proximal policy optimization algorithms", 2017. What each metric means, and how a run looks:
docs/baselines/ppo.md.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from rich.console import Console
from torch import Tensor, nn

from baselines.common.advantages import seat_advantages
from baselines.common.checkpoints import (
    Checkpoint,
    bytes_tensor,
    load_checkpoint,
    load_module,
    load_optimizer,
    module_tensors,
    optimizer_tensors,
    save_checkpoint,
    tensor_bytes,
)
from baselines.common.defence import Defence
from baselines.common.floors import EntropyFloors
from baselines.common.networks import Critic, Inputs, Policy, autocast, load_policy, modest_calls, save_policy
from baselines.common.opponents import Opponents
from baselines.common.options import options_to_json
from baselines.common.practice import Callers, Practice
from baselines.common.processes import ALONE, Processes
from baselines.common.reports import deal_figures
from baselines.common.rollouts import Decisions, Flags, PettingZooSource, Rollout, Seen, Source, TablesSource, collect
from baselines.common.runs import CHECKPOINT, POLICY, complete, mean_metrics, read_run_arguments, run_main
from baselines.common.winning import BUILT_IN, ChanceSource, load_win_table
from five_hundred_env.agents.suits import ACTION_ORDER, turn_actions
from five_hundred_env.arena import play_match
from five_hundred_env.core.constants import N_ACTIONS, PASS, SEATS
from five_hundred_env.core.observe import Bytes
from five_hundred_env.errors import CheckpointError, OptionError

ALGORITHM = "ppo"
CHUNK = 16384  # positions that the critic values at once


@dataclass(frozen=True)
class Config:
    """Options of a PPO run."""

    run_dir: str = "runs/ppo"
    """Where checkpoints, policies, metrics and results go; a run found there is continued."""
    seed: int = 1
    """Of weights, deals, actions and shuffles; a seed gives the same run on one machine."""
    init: str | None = None
    """A policy file to begin with, of the same layers; none: random weights."""
    total_decisions: int = 10_000_000
    """Decisions to play, all tables and seats together."""
    stop_after: int = 0
    """Iterations after which this process ends, as if it were killed; 0: it goes on to the end."""

    rules: str = "australian"
    """Profile of the rules."""
    episode: str = "deal"
    """`deal` or `game`; a game that is broken off counts as ended."""
    reward: str = "points"
    """`points`, `win` or `tricks`, as in `five_hundred_v0.env`; `chance`: what a deal changes in the chance to win."""
    winning: str | None = None
    """File of `baselines/winning.py` for `chance`; none: the one of `rule` that comes along."""
    source: str = "tables"
    """`tables`, or `pettingzoo` for the same transitions a hundred times slower."""
    skip_forced: bool = True
    """Whether decisions with one legal action are taken without asking the policy."""
    tables: int = 1024
    """Tables that are played at once."""
    steps: int = 64
    """Decisions at each table in an iteration."""
    opponents: tuple[str, ...] = ()
    """Agents that hold one side of some tables; `snapshots` stands for past policies of the run."""
    opponent_share: float = 0.0
    """Part of the tables where they sit; at the others the policy plays itself."""

    defence_share: float = 0.0
    """Part of the tables, the first ones, where the solver, which sees all hands, defends against misères."""
    defence_weight: float = 0.1
    """Pull of the policy towards its best actions there: of minus the log of their probability."""

    practice: float = 0.5
    """Part of the tables where, at the beginning, others make the calls and the policy plays the contract."""
    practice_until: float = 0.8
    """Part of the run by whose end that part of the tables has fallen to nothing."""
    callers: str | None = None
    """An agent that at the beginning makes all calls, so that cards are learned first; practice tables keep theirs."""
    callers_until: float = 0.3
    """Part of the run by whose end it has left the calls to the policy, table by table."""

    layers: tuple[int, ...] = (256, 256)
    """Widths of the policy's hidden layers."""
    critic_layers: tuple[int, ...] = (256, 256)
    """Widths of the critic's hidden layers."""
    activation: str = "relu"
    """`relu` or `tanh`."""
    central: bool = True
    """Whether the critic sees the hidden cards; the policy never does."""
    drop: tuple[str, ...] = ("rule_*",)
    """Fields of the observation that the networks do not look at; each costs time, and the rules never change."""
    turned: bool = False
    """Whether trumps are shown to the networks as spades or hearts: what is learned of one suit holds for the other."""
    modest: bool = True
    """Whether the first policy passes two times in three and seldom bids high; otherwise it ruins itself and stops."""

    learning_rate: float = 1e-3
    """Of Adam, at the beginning; it falls linearly to a twentieth."""
    critic_first: int = 0
    """Iterations at the beginning in which only the critic learns, so that it does not spoil the policy of `init`."""
    epochs: int = 2
    """Passes over the decisions of an iteration."""
    minibatch: int = 8192
    """Decisions in a gradient step."""
    discount: float = 1.0
    """Of the reward at a seat's next decision, gamma; a deal is short and its points are what counts."""
    trace: float = 0.95
    """Lambda of the advantages: 0 trusts the critic, 1 the outcome."""
    clip: float = 0.2
    """How far the probability of an action may move in an iteration, as a ratio."""
    entropy: float = 0.01
    """Bonus for the entropy of all decisions."""
    call_entropy_floor: float = 0.0
    """Nats that the mean entropy of calls should not fall below: below, its bonus grows until it is there; 0: none."""
    card_entropy_floor: float = 0.0
    """The same for discards, cards and names."""
    floor_rate: float = 0.01
    """How fast these bonuses change, for each nat that is missing and each iteration."""
    auction_prior: float = 0.05
    """Pull of the calls towards the modest ones of `modest`, as a cross-entropy: unlike a bonus for entropy it does not
    fade as bids grow rare, so that a policy whose play is still too weak for any contract goes on trying some."""
    value_weight: float = 1.0
    """Weight of the critic's squared error."""
    gradient_norm: float = 0.5
    """Longest gradient of each network; longer ones are shortened."""

    device: str = "auto"
    """`cpu`, `cuda`, `mps`, or `auto` for the best there is."""
    precision: str = "float32"
    """`float32`, or `bfloat16` for the products of matrices where the processor is good at it."""
    threads: int = 2
    """Threads of torch on the processor, in each process."""

    checkpoint_every: int = 20
    """Iterations between checkpoints; what a kill costs."""
    snapshot_every: int = 0
    """Iterations between policies kept in `snapshots/`; 0: none."""
    evaluate_every: int = 0
    """Iterations between matches for the curves; 0: none."""
    evaluate_against: tuple[str, ...] = ("passer", "greedy")
    """Opponents of those matches."""
    evaluate_boards: int = 500
    """Boards of each of those matches."""
    tournament: tuple[str, ...] = ()
    """Agents that the final policy meets in a tournament; none: no tournament."""
    tournament_boards: int = 2000
    """Boards of each of its matches."""
    tournament_seed: int = 500
    """Of its boards."""


FREE = (
    "run_dir",
    "stop_after",
    "device",
    "threads",
    "checkpoint_every",
    "evaluate_every",
    "evaluate_against",
    "evaluate_boards",
    "tournament",
    "tournament_boards",
    "tournament_seed",
)
"""What may differ from the run that is continued: nothing that the policy depends on."""


class Minibatch(NamedTuple):
    """Decisions of a gradient step."""

    places: Tensor
    """`[M, I] int8`: what the policy sees."""
    mask: Tensor
    """`[M, A] int8`."""
    hidden: Tensor
    """`[M, H] int8`: what only the critic sees."""
    action: Tensor
    """`[M] int64`: the one that was taken."""
    log_probability: Tensor
    """`[M] float32`: of that action, when it was taken."""
    advantage: Tensor
    """`[M] float32`, with mean 0 and deviation 1 over an iteration."""
    returns: Tensor
    """`[M] float32`: what the critic is to say."""
    learner: Tensor
    """`[M] bool`: whether the policy took it."""
    best: Tensor
    """`[M, A] int8`: the actions that the solver would take, none where it was not asked."""


class Trainer:
    """A run: networks, tables, generators and counters, and what an iteration does with them."""

    def __init__(self, config: Config, processes: Processes = ALONE) -> None:
        """Begin a run.

        Args:
            config: Its options.
            processes: Who take part; each has a trainer like this one.

        Raises:
            FiveHundredError: An option is out of range, or a file or agent that it names can not be used.
        """
        check_config(config, processes)
        self.config, self.processes = config, processes
        self.folder = Path(config.run_dir)
        self.device = choose_device(config.device, processes)
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.inputs = Inputs(config.drop, config.turned)
        self.policy = Policy(self.inputs, config.layers, config.activation, config.modest)
        self.critic = Critic(self.inputs, config.critic_layers, config.activation, config.central)
        if config.init is not None:
            load_policy(self.policy, Path(config.init))
        self.policy.to(self.device)
        self.critic.to(self.device)
        self.parameters = [*self.policy.parameters(), *self.critic.parameters()]
        self.optimizer = torch.optim.Adam(self.parameters, config.learning_rate, eps=1e-5)
        self.dice = torch.Generator(self.device).manual_seed(config.seed)
        self.shuffler = torch.Generator().manual_seed(config.seed)
        self.source = make_source(config, processes.part(config.tables))
        snapshots = self.folder / "snapshots"
        self.opponents = Opponents(config.opponents, config.opponent_share, config.tables, snapshots, config.seed)
        self.defence = Defence(config.defence_share, config.tables)
        self.practice = Practice(config.seed)
        self.callers = Callers(config.callers, config.tables, config.seed)
        self.floors = EntropyFloors(config.floor_rate, call=config.call_entropy_floor, card=config.card_entropy_floor)
        self.iteration = 0
        self.iterations = -(-config.total_decisions // (config.tables * config.steps))

    def iterate(self) -> dict[str, float]:
        """Do one iteration, with what is due after it, and return its metrics."""
        begun = time.perf_counter()
        rollout = self.play()
        played = time.perf_counter()
        metrics = self.learn(rollout)
        learned = time.perf_counter()
        ends = self.processes.gather_rows(rollout.ends)
        if len(ends):
            metrics.update({f"deals/{name}": value for name, value in deal_figures(ends).items()})
        metrics["time/decisions_a_second"] = self.config.tables * self.config.steps / (learned - begun)
        metrics["time/share_of_playing"] = (played - begun) / (learned - begun)
        if self.config.snapshot_every and self.iteration % self.config.snapshot_every == 0:
            self.processes.first_then_others(self.keep_snapshot)
        if self.config.evaluate_every and self.iteration % self.config.evaluate_every == 0 and self.processes.first:
            metrics.update(self.evaluate())
        return metrics

    # --- playing --------------------------------------------------------------------------------------------

    def play(self) -> Rollout:
        """Play the decisions of an iteration."""
        self.opponents.change(snapshot_name(self.iteration))
        return collect(self.source, self.act, self.config.steps, self.inputs, self.config.central)

    @torch.no_grad()
    def act(self, source: Source, seen: Seen) -> Decisions:
        """Draw an action at each table, the opponents' where they are to move."""
        with self.autocast():
            mask = torch.from_numpy(seen.mask).to(self.device)
            log_probabilities = self.policy.log_probabilities(torch.from_numpy(seen.places).to(self.device), mask)
        # The largest of log-probability plus Gumbel noise is a draw from the distribution.
        noise = log_probabilities.new_empty(self.config.tables, N_ACTIONS).exponential_(generator=self.dice)[
            source.part
        ]
        noise = -noise.clamp_min_(torch.finfo(torch.float32).tiny).log_()
        defending, best = self.defence.best(source)
        taught = np.zeros((source.n, N_ACTIONS), np.int8)
        taught[defending] = turn_actions(best, seen.turns[defending])
        free = torch.from_numpy((taught != 0) | ~taught.any(1, keepdims=True)).to(self.device)
        actions = torch.where(free, log_probabilities + noise, -torch.inf).argmax(-1, keepdim=True)
        chosen = log_probabilities.gather(1, actions).squeeze(1).cpu().numpy()
        action, learner = ACTION_ORDER[seen.turns, actions.squeeze(1).cpu().numpy()], np.ones(source.n, np.bool_)
        learner[defending] = False
        practice = self.fading(self.config.tables * self.config.practice, self.config.practice_until)
        callers = practice + self.fading(self.config.tables - practice, self.config.callers_until)
        for tables, theirs in (
            self.opponents.decide(source),
            self.callers.decide(source, practice, callers),
            self.practice.decide(source, practice),
        ):
            action[tables], chosen[tables], learner[tables], taught[tables] = theirs, 0, False, 0
        return Decisions(action, chosen, learner, taught)

    def fading(self, tables: float, until: float) -> int:
        """Return how many of some tables are left in this iteration, of which none are after a part of the run."""
        done = self.iteration / (until * self.iterations) if until else 1.0
        return round(tables * max(0.0, 1 - done))

    # --- learning -------------------------------------------------------------------------------------------

    def learn(self, rollout: Rollout) -> dict[str, float]:
        """Improve policy and critic on the decisions of an iteration; return the metrics."""
        config = self.config
        steps, tables = rollout.seat.shape
        value = self.values(rollout.places, rollout.hidden).reshape(steps, tables)
        last_value = self.values(rollout.last_places, rollout.last_hidden).reshape(tables, SEATS)
        estimate = seat_advantages(
            rollout.reward, rollout.done, rollout.seat, value, last_value, config.discount, config.trace
        )
        gather = self.processes.gather
        learners = gather(rollout.learner).reshape(-1)
        advantages = gather(estimate.advantage).reshape(-1)[learners]
        scale, mean = float(advantages.std()) + 1e-8, float(advantages.mean())
        data = (
            rollout.places,
            rollout.mask,
            rollout.hidden,
            rollout.action,
            rollout.log_probability,
            (estimate.advantage - mean) / scale,
            estimate.returns,
            rollout.learner,
            rollout.best,
        )
        rate = config.learning_rate * max(0.05, 1 - self.iteration / self.iterations)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        taught: Flags = np.asarray(rollout.best.any(axis=2))
        used = learners | gather(taught).reshape(-1)
        batches = (batch for _ in range(config.epochs) for batch in self.minibatches(data, used))
        metrics = mean_metrics([self.improve(count, batch) for count, batch in batches])
        self.floors.change("call", metrics.get("learn/auction_entropy"))
        self.floors.change("card", metrics.get("learn/entropy"))
        metrics.update({f"learn/{kind}_entropy_bonus": bonus for kind, bonus in self.floors.bonus.items()})
        returns, value = gather(estimate.returns), gather(value)
        spread = float(np.var(returns)) + 1e-8
        metrics["learn/explained_variance"] = 1 - float(np.var(returns - value)) / spread
        metrics["learn/advantage_scale"] = scale
        metrics["learn/learning_rate"] = rate
        self.iteration += 1
        return metrics

    @torch.no_grad()
    def values(self, places: Bytes, hidden: Bytes) -> Any:
        """Return the critic's values of positions `[..., I]`, `[N] float32`."""
        seen = torch.from_numpy(places).flatten(0, -2), torch.from_numpy(hidden).flatten(0, -2)
        chunks = zip(*(torch.split(part, CHUNK) for part in seen), strict=True)
        with self.autocast():
            return torch.cat([self.critic(torch.cat(chunk, 1).to(self.device)).cpu() for chunk in chunks]).numpy()

    def minibatches(self, data: Sequence[Any], used: Any) -> Iterator[tuple[int, Minibatch]]:
        """Yield the decisions of an iteration that are learned from in a new order, some at a time.

        Args:
            data: What a `Minibatch` holds, `[T, B, …]` of the own tables.
            used: `[T * B]`, of all processes' tables: which decisions they are.

        Yields:
            How many decisions a minibatch has in all processes, and those of the own tables.
        """
        flat = [torch.from_numpy(part).flatten(0, 1) for part in data]
        rows = torch.from_numpy(np.flatnonzero(used))
        order = rows[torch.randperm(len(rows), generator=self.shuffler)]
        for some in torch.split(order, self.config.minibatch):
            step, table = some // self.config.tables, some % self.config.tables - self.source.part.start
            own = (step * self.source.n + table)[(table >= 0) & (table < self.source.n)]
            yield len(some), Minibatch(*(part[own].to(self.device) for part in flat))

    def improve(self, count: int, batch: Minibatch) -> dict[str, float]:
        """Do one gradient step on a minibatch of `count` decisions, of which some are the own; return its metrics.

        A loss is a sum over the own decisions, divided by the number of all: gradients add up to those of one process.
        """
        loss, figures = self.loss(count, batch)
        self.optimizer.zero_grad()
        torch.autograd.backward(loss)
        sums = torch.stack([figure.detach().float() for figure in figures.values()])
        self.processes.add_up([*(weight.grad for weight in self.parameters if weight.grad is not None), sums])
        for network in (self.policy, self.critic):
            nn.utils.clip_grad_norm_(network.parameters(), self.config.gradient_norm)
        self.optimizer.step()
        total = dict(zip(figures, sums.cpu(), strict=True))
        calls, lessons = total.pop("calls"), total.pop("lessons")
        of = {"entropy": count - calls, "auction_entropy": calls, "defence_loss": lessons.clamp_min(1)}
        of |= {"divergence": count, "clipped": count}
        return {f"learn/{name}": float(figure / of.get(name, 1)) for name, figure in total.items()}

    def loss(self, count: int, batch: Minibatch) -> tuple[Tensor, dict[str, Tensor]]:
        """Return what a gradient step makes smaller, and figures that add up over processes."""
        config = self.config
        with self.autocast():
            log_probabilities = self.policy.log_probabilities(batch.places, batch.mask)
            value = self.critic(torch.cat([batch.places, batch.hidden], 1))
        change = log_probabilities.gather(1, batch.action[:, None]).squeeze(1) - batch.log_probability
        ratio = change.exp()
        gain = torch.minimum(ratio * batch.advantage, ratio.clamp(1 - config.clip, 1 + config.clip) * batch.advantage)
        policy_loss = -(gain * batch.learner).sum() / count
        value_loss = (value - batch.returns).square().sum() / count

        entropy = -(log_probabilities.exp() * log_probabilities).sum(-1)
        is_call = batch.mask[:, PASS] != 0  # passing is legal in the auction, there always, and nowhere else
        entropies = {"card": entropy[~is_call].sum(), "call": entropy[is_call].sum()}
        pull = -(modest_calls(batch.mask[is_call]) * log_probabilities[is_call]).sum(-1)
        taught = batch.best.any(1)
        lesson = -torch.where(batch.best[taught] != 0, log_probabilities[taught], -torch.inf).logsumexp(-1)
        bonus = config.entropy * (entropy.sum() / count) - config.auction_prior * pull.sum() / count
        bonus = bonus - config.defence_weight * lesson.sum() / count
        for kind, more in self.floors.bonus.items():
            bonus = bonus + more * entropies[kind] / count

        patience = 0.0 if self.iteration < config.critic_first else 1.0
        with torch.no_grad():
            divergence, clipped = (ratio - 1 - change).sum(), ((ratio - 1).abs() > config.clip).sum()
        figures = {
            "policy_loss": policy_loss,
            "value_loss": value_loss,
            "entropy": entropies["card"],
            "auction_entropy": entropies["call"],
            "divergence": divergence,
            "clipped": clipped,
            "defence_loss": lesson.sum(),
            "calls": is_call.sum(),
            "lessons": taught.sum(),
        }
        return patience * (policy_loss - bonus) + config.value_weight * value_loss, figures

    def autocast(self) -> AbstractContextManager[Any]:
        """Return the context in which networks are computed."""
        return autocast(self.config.precision, self.device.type)

    # --- keeping --------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write the checkpoint that `restore` reads, and the policy; in the first process, for all."""
        weights = [weight.detach().cpu().numpy().tobytes() for weight in self.parameters]
        self.processes.check_alike("weights", b"".join(weights))
        parts = self.processes.gather_bytes(self.source.save())
        if not self.processes.first:
            return
        tensors = {
            **module_tensors("policy", self.policy),
            **module_tensors("critic", self.critic),
            **optimizer_tensors("optimizer", self.optimizer),
            "dice": self.dice.get_state(),
            "shuffler": self.shuffler.get_state(),
            "source": bytes_tensor(self.source.join(parts)),
        }
        counters = {
            "iteration": self.iteration,
            "opponents": self.opponents.save(),
            "practice": self.practice.save(),
            "callers": self.callers.save(),
            "floors": self.floors.bonus,
        }
        save_checkpoint(
            self.folder / CHECKPOINT, ALGORITHM, Checkpoint(tensors, options_to_json(self.config), counters)
        )
        self.save_policy(self.folder / POLICY)

    def save_policy(self, path: Path) -> None:
        """Write the policy file."""
        notes = {"algorithm": ALGORITHM, "iteration": str(self.iteration), "options": options_to_json(self.config)}
        save_policy(self.policy, path, notes)

    def restore(self) -> None:
        """Go on from the checkpoint of the run.

        Raises:
            CheckpointError: It is absent, damaged, of another version, or of networks of another shape.
        """
        path = self.folder / CHECKPOINT
        tensors, _, counters = load_checkpoint(path, ALGORITHM)
        load_module(path, "policy", self.policy, tensors)
        load_module(path, "critic", self.critic, tensors)
        load_optimizer(path, "optimizer", self.optimizer, tensors)
        try:
            self.dice.set_state(tensors["dice"])
            self.shuffler.set_state(tensors["shuffler"])
            self.source.load(tensor_bytes(tensors["source"]))
            self.iteration = counters["iteration"]
            self.opponents.load(counters["opponents"])
            self.practice.load(counters["practice"])
            self.callers.load(counters.get("callers", ""))
            self.floors.load(counters.get("floors", {}))
        except (KeyError, RuntimeError, TypeError, json.JSONDecodeError) as error:
            raise CheckpointError(f"{path}: something is missing or damaged: {error}") from error

    # --- telling --------------------------------------------------------------------------------------------

    def keep_snapshot(self) -> None:
        """Keep the policy as it is, for the opponents of later iterations."""
        if self.processes.first:
            (self.folder / "snapshots").mkdir(exist_ok=True)
            self.save_policy(self.folder / "snapshots" / snapshot_name(self.iteration))

    def evaluate(self) -> dict[str, float]:
        """Return points a deal of the policy as it is against some agents."""
        config = self.config
        path = self.folder / POLICY
        self.save_policy(path)
        return {
            f"arena/{name}": play_match(
                path, name, config.evaluate_boards, seed=config.tournament_seed + 1, rules=config.rules, bca=False
            ).points_per_deal
            for name in config.evaluate_against
        }

    def line(self, metrics: dict[str, float]) -> str:
        """Return metrics of an iteration as a line to be read."""
        words = [f"{self.iteration * self.config.tables * self.config.steps / 1e6:.2f} M decisions:"]
        words += [f"{name.partition('/')[2]} {metrics[name]:.2f}" for name in metrics if name.startswith("deals/")]
        words += [f"{name} {value:+.1f}" for name, value in metrics.items() if name.startswith("arena/")]
        for name in ("auction_entropy", "entropy", "explained_variance"):
            words.append(f"{name} {metrics.get(f'learn/{name}', float('nan')):.2f}")
        words.append(f"{metrics['time/decisions_a_second']:.0f}/s")
        return " ".join(words)


def check_config(config: Config, processes: Processes = ALONE) -> None:
    """Check what the parts of a run do not check themselves.

    Raises:
        OptionError: An option is out of range.
    """
    for name in ("total_decisions", "tables", "steps", "minibatch", "epochs", "threads", "checkpoint_every"):
        if getattr(config, name) < 1:
            raise OptionError(f"{name} is at least 1, not {getattr(config, name)}")
    if config.defence_share and config.source != "tables":
        raise OptionError("defence_share needs source tables: the solver reads their rows")
    if config.tables < processes.size:
        raise OptionError(f"{processes.size} processes need a table each, and tables is {config.tables}")
    choices = {
        "source": ("tables", "pettingzoo"),
        "episode": ("deal", "game"),
        "reward": ("points", "win", "tricks", "chance"),
        "activation": ("relu", "tanh"),
        "precision": ("float32", "bfloat16"),
        "device": ("auto", "cpu", "cuda", "mps"),
    }
    for name, known in choices.items():
        if getattr(config, name) not in known:
            raise OptionError(f"{name} is one of {', '.join(known)}, not {getattr(config, name)!r}")


def choose_device(name: str, processes: Processes = ALONE) -> torch.device:
    """Return the device of that name; of several GPUs, each process of a machine has its own.

    Raises:
        OptionError: It is not there.
    """
    alone = processes.size == 1
    there = {"cuda": torch.cuda.is_available(), "mps": alone and torch.backends.mps.is_available(), "cpu": True}
    if name == "auto":
        name = next(kind for kind, found in there.items() if found)
    if not there[name]:
        raise OptionError(f"device {name!r} is not there; this machine has {', '.join(k for k in there if there[k])}")
    if alone or name != "cuda":
        return torch.device(name)
    if processes.local_size > torch.cuda.device_count():
        raise OptionError(
            f"{processes.local_size} processes need a GPU each, and there are {torch.cuda.device_count()}"
        )
    return torch.device(name, processes.local_rank)


def make_source(config: Config, part: slice) -> Source:
    """Return a part of the tables of a run.

    Raises:
        FiveHundredError: There are no such rules, or the table of chances can not be used.
    """
    if config.reward == "chance":
        path = BUILT_IN if config.winning is None else Path(config.winning)
        table = load_win_table(path)
        if (config.rules, config.episode, config.source) != (table.rules, "game", "tables"):
            raise OptionError(f"reward chance by {path} is for episode game, source tables and rules {table.rules}")
        return ChanceSource(config.tables, config.seed, table, config.rules, config.skip_forced, part)
    kind = TablesSource if config.source == "tables" else PettingZooSource
    rules, episode, reward = config.rules, config.episode, config.reward
    return kind(config.tables, config.seed, rules, episode, reward, skip_forced=config.skip_forced, part=part)


def snapshot_name(iteration: int) -> str:
    """Return the file name of the policy after an iteration."""
    return f"{iteration:07d}.safetensors"


# --- a run, from the command line to the tournament ---------------------------------------------------------


def train(config: Config, console: Console, processes: Processes = ALONE) -> Trainer:
    """Begin or continue a run and bring it to its end.

    Raises:
        FiveHundredError: An option is out of range, or the run that was found is another one or damaged.
    """
    trainer = Trainer(config, processes)
    complete(trainer, ALGORITHM, FREE, console)
    return trainer


def read_arguments(arguments: Sequence[str]) -> Config:
    """Return the options of a command line.

    Raises:
        OptionError: A file can not be read or has an unknown key.
        CheckpointError: The run that is to be continued has no readable checkpoint.
    """
    return read_run_arguments(Config, arguments, ALGORITHM, "Masked PPO self-play.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, then play the tournament; return the exit status."""
    return run_main(arguments, ALGORITHM, read_arguments, train)


if __name__ == "__main__":
    sys.exit(main())

"""Imitation: a policy learns to do what an agent does, as a start for PPO or for its own sake.

::

    python -m baselines.imitation --config configs/imitation.yaml
    python -m baselines.ppo --config configs/from_imitation.yaml

The agent plays all four seats at many tables; at each decision the policy's cross-entropy to the agent's action is
brought down. Now and then a random action is played instead of the agent's, so that the policy also sees how the agent
goes on from where it would not have come by itself; what it learns there is still the agent's answer.

Source: Ross, Gordon, Bagnell, "A reduction of imitation learning and structured prediction to no-regret online
learning", 2011 (why a policy has to see positions beside the teacher's path).
"""

from __future__ import annotations

import dataclasses
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from rich.console import Console
from torch.nn import functional
from torch.utils.tensorboard import SummaryWriter

from baselines.common.checkpoints import (
    Checkpoint,
    bytes_tensor,
    check_same_options,
    load_checkpoint,
    load_module,
    load_optimizer,
    module_tensors,
    optimizer_tensors,
    save_checkpoint,
    tensor_bytes,
)
from baselines.common.networks import Inputs, Policy, save_onnx, save_policy
from baselines.common.options import options_from_json, options_to_json, parse_options, take_option, write_yaml
from baselines.common.reports import play_tournament_of, show_progress
from baselines.common.rollouts import Decisions, Integers, Source, TablesSource, collect
from five_hundred_env.agents import load_agent
from five_hundred_env.core.constants import PASS
from five_hundred_env.core.observe import Bytes
from five_hundred_env.errors import CheckpointError, FiveHundredError

ALGORITHM = "imitation"
CHECKPOINT = "checkpoint.safetensors"
POLICY = "policy.safetensors"


@dataclass(frozen=True)
class Config:
    """Options of an imitation run."""

    run_dir: str = "runs/imitation"
    """Where checkpoints, the policy and metrics go; a run found there is continued."""
    seed: int = 1
    """Of weights, deals and random actions; a seed gives the same run on one machine."""
    agent: str = "rule"
    """Who is imitated: a name, a file, or `module:attribute`."""
    wander: float = 0.05
    """Part of the decisions where a random action is played instead of the agent's."""
    total_decisions: int = 2_000_000
    """Decisions to learn from, each once."""
    stop_after: int = 0
    """Iterations after which this process ends, as if it were killed; 0: it goes on to the end."""

    rules: str = "australian"
    """Profile of the rules."""
    episode: str = "deal"
    """`deal` or `game`."""
    tables: int = 512
    """Tables that are played at once."""
    steps: int = 32
    """Decisions at each table in an iteration."""

    layers: tuple[int, ...] = (256, 256)
    """Widths of the policy's hidden layers."""
    activation: str = "relu"
    """`relu` or `tanh`."""
    drop: tuple[str, ...] = ("rule_*",)
    """Fields of the observation that the policy does not look at."""

    learning_rate: float = 2e-3
    """Of Adam, at the beginning; it falls linearly to a twentieth."""
    minibatch: int = 512
    """Decisions in a gradient step."""

    threads: int = 2
    """Threads of torch."""
    checkpoint_every: int = 20
    """Iterations between checkpoints; what a kill costs."""
    tournament: tuple[str, ...] = ()
    """Agents that the final policy meets in a tournament; none: no tournament."""
    tournament_boards: int = 1000
    """Boards of each of its matches."""
    tournament_seed: int = 500
    """Of its boards."""


FREE = (
    "run_dir",
    "stop_after",
    "threads",
    "checkpoint_every",
    "tournament",
    "tournament_boards",
    "tournament_seed",
)
"""What may differ from the run that is continued: nothing that the policy depends on."""


class Trainer:
    """A run: the policy, the agent, its tables, and what an iteration does with them."""

    def __init__(self, config: Config) -> None:
        """Begin a run.

        Raises:
            FiveHundredError: An option is out of range, or there is no such agent.
        """
        self.config = config
        self.folder = Path(config.run_dir)
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.agent = load_agent(config.agent)
        self.inputs = Inputs(config.drop)
        self.policy = Policy(self.inputs, config.layers, config.activation, modest=False)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), config.learning_rate)
        self.source = TablesSource(config.tables, config.seed, config.rules, config.episode)
        self.generator = np.random.Generator(np.random.PCG64(config.seed))
        self.labels: list[Integers] = []
        self.iteration = 0
        self.iterations = -(-config.total_decisions // (config.tables * config.steps))

    def act(self, source: Source, _places: Bytes) -> Decisions:
        """Ask the agent, write down its answers, and play most of them."""
        keys = self.generator.integers(0, 2**64, source.n, np.uint64)
        answers = self.agent.act(source.observation, source.mask, keys)
        self.labels.append(answers)
        noise = self.generator.random(source.mask.shape) * source.mask
        wanders = self.generator.random(source.n) < self.config.wander
        played = np.where(wanders, noise.argmax(axis=1), answers)
        return Decisions(played, np.zeros(source.n, np.float32), np.ones(source.n, np.bool_))

    def learn(self) -> dict[str, float]:
        """Play the decisions of an iteration, learn from each once, and return the metrics."""
        self.labels = []
        rollout = collect(self.source, self.act, self.config.steps, self.inputs, central=False)
        places = torch.from_numpy(rollout.places).flatten(0, 1)
        mask = torch.from_numpy(rollout.mask).flatten(0, 1)
        label = torch.from_numpy(np.concatenate(self.labels))
        rate = self.config.learning_rate * max(0.05, 1 - self.iteration / self.iterations)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        losses, hits = [], []
        order = torch.from_numpy(self.generator.permutation(len(label)))
        for some in torch.split(order, self.config.minibatch):
            log_probabilities = self.policy.log_probabilities(places[some], mask[some])
            loss = functional.nll_loss(log_probabilities, label[some])
            self.optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimizer.step()
            losses.append(float(loss.detach()))
            hits.append(log_probabilities.detach().argmax(-1) == label[some])
        hit = torch.cat(hits)
        is_call = mask[order, PASS] != 0
        self.iteration += 1
        return {
            "learn/cross_entropy": float(np.mean(losses)),
            "learn/agreement_calls": float(hit[is_call].float().mean()),
            "learn/agreement_cards": float(hit[~is_call].float().mean()),
            "learn/learning_rate": rate,
        }

    def save(self) -> None:
        """Write the checkpoint that `restore` reads, and the policy."""
        tensors = {
            **module_tensors("policy", self.policy),
            **optimizer_tensors("optimizer", self.optimizer),
            "source": bytes_tensor(self.source.save()),
        }
        counters = {"iteration": self.iteration, "generator": json.dumps(self.generator.bit_generator.state)}
        options = options_to_json(self.config)
        save_checkpoint(self.folder / CHECKPOINT, ALGORITHM, Checkpoint(tensors, options, counters))
        notes = {"algorithm": ALGORITHM, "iteration": str(self.iteration), "options": options}
        save_policy(self.policy, self.folder / POLICY, notes)

    def restore(self) -> None:
        """Go on from the checkpoint of the run.

        Raises:
            CheckpointError: It is absent, damaged, of another version, or of a network of another shape.
        """
        path = self.folder / CHECKPOINT
        tensors, _, counters = load_checkpoint(path, ALGORITHM)
        load_module(path, "policy", self.policy, tensors)
        load_optimizer(path, "optimizer", self.optimizer, tensors)
        try:
            self.source.load(tensor_bytes(tensors["source"]))
            self.iteration = counters["iteration"]
            self.generator.bit_generator.state = json.loads(counters["generator"])
        except (KeyError, TypeError, ValueError) as error:
            raise CheckpointError(f"{path}: something is missing or damaged: {error}") from error


def train(config: Config, console: Console) -> Trainer:
    """Begin or continue a run and bring it to its end.

    Raises:
        FiveHundredError: An option is out of range, or the run that was found is another one or damaged.
    """
    trainer = Trainer(config)
    trainer.folder.mkdir(parents=True, exist_ok=True)
    if (trainer.folder / CHECKPOINT).exists():
        check_same_options(config, trainer.folder / CHECKPOINT, ALGORITHM, FREE)
        trainer.restore()
    else:
        write_yaml(config, trainer.folder / "config.yaml")
    last = min(trainer.iterations, trainer.iteration + (config.stop_after or trainer.iterations))
    with (
        SummaryWriter(str(trainer.folder), purge_step=trainer.iteration + 1) as writer,
        show_progress(console) as progress,
    ):
        task = progress.add_task("iterations", total=trainer.iterations, completed=trainer.iteration)
        while trainer.iteration < last:
            begun = time.perf_counter()
            metrics = trainer.learn()
            metrics["time/decisions_a_second"] = config.tables * config.steps / (time.perf_counter() - begun)
            number = trainer.iteration
            for name, value in metrics.items():
                writer.add_scalar(name, value, number)
            if number % config.checkpoint_every == 0 or number == trainer.iterations:
                trainer.save()
            if number % max(trainer.iterations // 10, 1) == 0:
                words = " ".join(f"{name.partition('/')[2]} {value:.3g}" for name, value in metrics.items())
                console.print(f"iteration {number}/{trainer.iterations}: {words}", highlight=False, soft_wrap=True)
            progress.update(task, completed=number)
    if trainer.iteration == trainer.iterations:
        save_onnx(trainer.policy, trainer.folder / "policy.onnx")
    return trainer


def read_arguments(arguments: Sequence[str]) -> Config:
    """Return the options of a command line.

    Raises:
        OptionError: A file can not be read or has an unknown key.
        CheckpointError: The run that is to be continued has no readable checkpoint.
    """
    rest, folder = take_option(arguments, "--resume")
    default = Config()
    if folder is not None:
        path = Path(folder) / CHECKPOINT
        default = options_from_json(Config, load_checkpoint(path, ALGORITHM).options, str(path))
        default = dataclasses.replace(default, run_dir=folder, stop_after=0)
    return parse_options(Config, rest, "python -m baselines.imitation", "Imitation of an agent.", default)


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, then play the tournament; return the exit status."""
    console = Console()
    try:
        config = read_arguments(sys.argv[1:] if arguments is None else arguments)
        trainer = train(config, console)
        if config.tournament and trainer.iteration == trainer.iterations:
            play_tournament_of(
                trainer.folder / POLICY,
                ALGORITHM,
                config.tournament,
                config.tournament_boards,
                config.tournament_seed,
                config.rules,
                console,
            )
    except FiveHundredError as error:
        Console(stderr=True).print(f"error: {error}", style="red", highlight=False, markup=False, soft_wrap=True)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

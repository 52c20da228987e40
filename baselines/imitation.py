"""Imitation: a policy learns to do what an agent does, or what search says, as a start for PPO or for its own sake.

::

    python -m baselines.imitation --config configs/imitation.yaml
    python -m baselines.ppo --config configs/from_imitation.yaml

Without `labels` an agent plays all four seats at many tables; at each decision the policy's cross-entropy to the
agent's action is brought down. Now and then a random action is played instead of the agent's, so that the policy also
sees how the agent goes on from where it would not have come by itself.

With `labels`, the files of `baselines/labels.py`, calls and discards are learned in that way; of each card it is known
what it would have cost, all hands open, and what is brought down is the cost that the policy expects of its own choice.

Sources: Ross, Gordon, Bagnell, "A reduction of imitation learning and structured prediction to no-regret online
learning", 2011 (why a policy has to see positions beside the teacher's path); Beygelzimer, Dani, Hayes, Langford,
Zadrozny, "Error limiting reductions between classification tasks", 2005 (learning from costs).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from rich.console import Console
from torch import Tensor

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
from baselines.common.labelling import TENTHS
from baselines.common.lessons import Lesson, Lessons, PlayedLessons, StoredLessons
from baselines.common.networks import Inputs, Policy, autocast, load_policy, save_policy
from baselines.common.options import options_to_json
from baselines.common.processes import ALONE, Processes
from baselines.common.rollouts import TablesSource
from baselines.common.runs import CHECKPOINT, POLICY, complete, mean_metrics, read_run_arguments, run_main
from five_hundred_env.agents import load_agent
from five_hundred_env.core.constants import PASS
from five_hundred_env.errors import CheckpointError, OptionError

ALGORITHM = "imitation"
UNIT = 1000
"""Stake, in tenths of a point, at which a cost of as much counts as one: about that of a six."""


@dataclass(frozen=True)
class Config:
    """Options of an imitation run."""

    run_dir: str = "runs/imitation"
    """Where checkpoints, the policy and metrics go; a run found there is continued."""
    seed: int = 1
    """Of weights, deals and random actions; a seed gives the same run on one machine."""
    init: str | None = None
    """A policy file to begin with, of the same layers; none: random weights."""
    labels: str | None = None
    """Folder of labels to learn from; none: `agent` is asked as it plays."""
    epochs: int = 3
    """How often each file of labels is learned from."""
    files_at_once: int = 4
    """Files of labels in an iteration, shuffled together."""
    agent: str = "rule"
    """Who is imitated: a name, a file, or `module:attribute`."""
    wander: float = 0.05
    """Part of the decisions where a random action is played instead of the agent's."""
    total_decisions: int = 2_000_000
    """Decisions of the agent to learn from, each once."""
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
    turned: bool = False
    """Whether trumps are shown to the policy as spades or hearts: what is learned of one suit holds for the other."""

    learning_rate: float = 2e-3
    """Of Adam, at the beginning; it falls linearly to a twentieth."""
    minibatch: int = 512
    """Decisions in a gradient step."""
    teacher_weight: float = 0.3
    """Of the cross-entropy of calls and discards beside the costs of cards."""
    tie: float = 0.02
    """Of that cross-entropy where costs are known: among cards that cost about the same, what the teacher plays. With
    open cards many are equal that are not when the others have to guess."""
    entropy: float = 0.005
    """Bonus for the entropy where costs are known; without it a choice is soon made for good."""
    precision: str = "float32"
    """`float32`, or `bfloat16` for the products of matrices where the processor is good at it."""

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

    def __init__(self, config: Config, processes: Processes = ALONE) -> None:
        """Begin a run.

        Args:
            config: Its options.
            processes: One alone.

        Raises:
            FiveHundredError: An option is out of range, or there is no such agent.
        """
        if processes.size > 1:
            raise OptionError("imitation learns in one process: start it without torchrun")
        self.config, self.processes = config, processes
        self.folder = Path(config.run_dir)
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.inputs = Inputs(config.drop, config.turned)
        self.policy = Policy(self.inputs, config.layers, config.activation, modest=False)
        if config.init is not None:
            load_policy(self.policy, Path(config.init))
        self.optimizer = torch.optim.Adam(self.policy.parameters(), config.learning_rate)
        self.lessons = make_lessons(config, self.inputs)
        self.shuffler = torch.Generator().manual_seed(config.seed)
        self.iteration = 0
        self.iterations = self.lessons.iterations

    def iterate(self) -> dict[str, float]:
        """Do one iteration, and return its metrics."""
        begun = time.perf_counter()
        metrics = self.learn()
        metrics["time/decisions_a_second"] = metrics.pop("time/decisions") / (time.perf_counter() - begun)
        return metrics

    def line(self, metrics: dict[str, float]) -> str:
        """Return metrics of an iteration as a line to be read."""
        return " ".join(f"{name.partition('/')[2]} {value:.3g}" for name, value in metrics.items())

    def learn(self) -> dict[str, float]:
        """Learn from the decisions of an iteration, each once, and return the metrics."""
        lesson = self.lessons.lesson(self.iteration)
        rate = self.config.learning_rate * max(0.05, 1 - self.iteration / self.iterations)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        order = torch.randperm(len(lesson.action), generator=self.shuffler)
        batches = (Lesson(*(part[some] for part in lesson)) for some in torch.split(order, self.config.minibatch))
        means = mean_metrics([self.improve(batch) for batch in batches])
        self.iteration += 1
        return {**means, "learn/learning_rate": rate, "time/decisions": float(len(lesson.action))}

    def improve(self, lesson: Lesson) -> dict[str, float]:
        """Do one gradient step; return its metrics, those of the policy before it."""
        with autocast(self.config.precision, "cpu"):
            log_probabilities = self.policy.log_probabilities(lesson.places, lesson.mask)
        solved = lesson.stake > 0
        agreed = log_probabilities.gather(1, lesson.action[:, None]).squeeze(1)
        expected, entropy = expected_cost(log_probabilities, lesson.cost, lesson.stake)
        weight = self.config.teacher_weight if self.config.labels is not None else 1.0
        known = expected - self.config.tie * agreed - self.config.entropy * entropy
        loss = torch.where(solved, known, -weight * agreed).mean()
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        with torch.no_grad():
            choice = log_probabilities.argmax(-1)
            hit = (choice == lesson.action).float()
            is_call = lesson.mask[:, PASS] != 0
            paid = lesson.cost.gather(1, choice[:, None]).squeeze(1)[solved].float() / TENTHS
            return {
                "learn/cross_entropy": float(-agreed[~solved].mean()),
                "learn/agreement_calls": float(hit[is_call].mean()),
                "learn/agreement_cards": float(hit[~is_call].mean()),
                "learn/cost": float(paid.mean()),
            }

    def save(self) -> None:
        """Write the checkpoint that `restore` reads, and the policy."""
        tensors = {
            **module_tensors("policy", self.policy),
            **optimizer_tensors("optimizer", self.optimizer),
            "lessons": bytes_tensor(self.lessons.save()),
            "shuffler": self.shuffler.get_state(),
        }
        counters = {"iteration": self.iteration}
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
            self.lessons.load(tensor_bytes(tensors["lessons"]))
            self.shuffler.set_state(tensors["shuffler"])
            self.iteration = counters["iteration"]
        except (KeyError, RuntimeError, TypeError, ValueError) as error:
            raise CheckpointError(f"{path}: something is missing or damaged: {error}") from error


def expected_cost(log_probabilities: Tensor, cost: Tensor, stake: Tensor) -> tuple[Tensor, Tensor]:
    """Return what a policy's choice costs on average, and its entropy.

    Costs are divided by the root of the stake: a share of what a contract is worth counts more in a dear one, and yet a
    misère, worth ten times a six, does not drown the sixes.

    Args:
        log_probabilities: `[N, A]`.
        cost: `[N, A] int16`, negative where an action is not legal.
        stake: `[N] int16`, 0 where costs are not known.

    Returns:
        `[N]` each, of no meaning where the stake is 0.
    """
    probability = log_probabilities.exp()
    scale = (UNIT * stake.float()).clamp(min=1).sqrt()
    expected = (probability * cost.clamp(min=0).float()).sum(-1) / scale
    return expected, -(probability * log_probabilities.clamp(min=-50)).sum(-1)


def make_lessons(config: Config, inputs: Inputs) -> Lessons:
    """Return what a run learns from.

    Raises:
        FiveHundredError: There is no such agent, or no such files.
    """
    if config.labels is not None:
        return StoredLessons(Path(config.labels), inputs, config.files_at_once, config.epochs, config.seed)
    source = TablesSource(config.tables, config.seed, config.rules, config.episode)
    agent = load_agent(config.agent)
    return PlayedLessons(agent, source, inputs, config.steps, config.wander, config.total_decisions, config.seed)


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
    return read_run_arguments(Config, arguments, ALGORITHM, "Imitation of an agent.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, then play the tournament; return the exit status."""
    return run_main(arguments, ALGORITHM, read_arguments, train)


if __name__ == "__main__":
    sys.exit(main())

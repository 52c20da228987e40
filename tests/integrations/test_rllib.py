"""RLlib, new API stack: rewards, masks, the agent, a cluster of several workers, and that it learns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray.rllib", exc_type=ImportError)

import ray
import torch
from ray.cluster_utils import Cluster
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

from examples.rllib import configure, train
from five_hundred_env import Tables
from five_hundred_env.agents import load_agent
from five_hundred_env.arena import play_match
from five_hundred_env.integrations.rllib import SIDES, FiveHundredEnv, module_agent, side_modules, side_of
from tests.integrations.laws import Decision, check_beats_random, check_episode

pytestmark = pytest.mark.filterwarnings("default")

SEED = 11
torch.set_num_threads(1)  # threads that wait for each other made the tests five times slower


class NumberedEnv(FiveHundredEnv):
    """Gives each episode a seed of its own, and remembers which."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.seeds: list[int] = []
        super().__init__(config)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        del seed
        self.seeds.append(SEED + len(self.seeds))
        return super().reset(seed=self.seeds[-1], options=options)


class GreedyModule(TorchRLModule):
    """Plays by the built-in agent `greedy`, whose games go over several deals."""

    def setup(self) -> None:
        self.agent = load_agent("greedy")

    def _forward(self, batch: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
        seen = {name: value.numpy() for name, value in batch[Columns.OBS].items()}
        keys = np.arange(len(seen["observation"]), dtype=np.uint64)
        return {
            Columns.ACTIONS: torch.from_numpy(self.agent.act(seen["observation"], seen["action_mask"], keys)),
        }


def runner(greedy: bool = False, **env_config: Any) -> MultiAgentEnvRunner:
    """Return RLlib's sampler on one environment."""
    modules = side_modules()
    if greedy:
        modules = MultiRLModuleSpec(rl_module_specs={side: RLModuleSpec(module_class=GreedyModule) for side in SIDES})
    config = (
        PPOConfig()
        .environment(NumberedEnv, env_config=env_config, disable_env_checking=True)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=1)
        .multi_agent(policies=set(SIDES), policy_mapping_fn=side_of)
        .rl_module(rl_module_spec=modules)
        .debugging(seed=SEED)
    )
    return MultiAgentEnvRunner(config=config)


def sample(sampler: MultiAgentEnvRunner, episodes: int, fragment: int) -> list[tuple[int, list[Decision]]]:
    """Sample in fragments, which cut episodes wherever they fall, and return seed and decisions of whole episodes."""
    gathered: dict[str, list[Decision]] = {}
    done: list[str] = []
    env = sampler.env.envs[0].unwrapped
    first = len(env.seeds)
    while len(done) < episodes:
        for chunk in sampler.sample(num_timesteps=fragment):
            into = gathered.setdefault(chunk.id_, [])
            for agent, single in chunk.agent_episodes.items():
                into += _decisions(int(agent[-1]), single)
            if chunk.is_done:
                done.append(chunk.id_)
    order = list(gathered)
    return [(env.seeds[first + order.index(name)], gathered[name]) for name in done]


def _decisions(seat: int, single: Any) -> Iterator[Decision]:
    actions, rewards = single.get_actions(), single.get_rewards()
    masks = single.get_observations()["action_mask"]
    for n, (action, reward) in enumerate(zip(actions, rewards, strict=True)):
        yield Decision(seat, int(action), masks[n], float(reward), single.is_done and n == len(actions) - 1)


@pytest.mark.parametrize("fragment", [1000, 37])
@pytest.mark.parametrize("episode", ["deal", "game"])
def test_rewards_and_masks_of_an_untrained_policy(episode: str, fragment: int) -> None:
    """It bids like mad: a game of its is over after a deal or two, at 10 no trumps bid and lost."""
    for seed, decisions in sample(runner(episode=episode, max_deals=3), episodes=6, fragment=fragment):
        due = check_episode(decisions, seed, episode=episode, max_deals=3)
        assert sum(entry.ends for entry in due) == 4


@pytest.mark.parametrize("fragment", [2000, 53])
def test_rewards_in_games_of_several_deals(fragment: int) -> None:
    """`greedy` needs more than four deals to 500: the game is cut, each deal has paid at its own end."""
    (seed, decisions), *_ = sample(runner(greedy=True, episode="game", max_deals=4), episodes=1, fragment=fragment)
    due = check_episode(decisions, seed, max_deals=4)
    paid = [entry for entry in due if entry.reward]
    assert len(paid) > 4, "more than one deal was worth something"
    assert any(not entry.ends for entry in paid)


def test_the_checks_of_environments_pass_where_illegal_actions_lose() -> None:
    check_multiagent_environments(FiveHundredEnv({"illegal": "lose"}))


def test_the_checks_of_environments_play_illegal_actions() -> None:
    """The reason for ``disable_env_checking``; of eighty actions some are legal, so that it may take a few tries."""

    def check() -> None:
        for _ in range(50):
            check_multiagent_environments(FiveHundredEnv({"illegal": "raise"}))

    with pytest.raises(ValueError, match="step"):
        check()


def test_an_agent_answers_alike_in_any_batch() -> None:
    """The answer to a decision depends on its observation, mask and key alone, and is legal."""
    tables = Tables(n=100, seed=SEED)
    rng = np.random.default_rng(SEED)
    for _ in range(9):
        tables.step((rng.random(tables.mask.shape) * tables.mask).argmax(axis=1))
    keys = rng.integers(0, 2**63, 100, dtype=np.uint64)
    module = runner().module[SIDES[0]]
    for greedy in (True, False):
        agent = module_agent(module, greedy=greedy)
        together = agent.act(tables.observation, tables.mask, keys)
        assert (tables.mask[np.arange(100), together] == 1).all()
        for rows in (slice(0, 1), slice(7, 90), slice(99, 100)):
            assert np.array_equal(agent.act(tables.observation[rows], tables.mask[rows], keys[rows]), together[rows])


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """Start a head without processors and two machines of one processor each."""
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    made.add_node(num_cpus=1)
    made.add_node(num_cpus=1)
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.mark.slow
@pytest.mark.usefixtures("cluster")
def test_two_workers_of_a_cluster_play() -> None:
    """Each machine has room for one worker, so they play on both; a batch is 4096 decisions of them together."""
    algorithm = configure(workers=2, seed=SEED).build_algo()
    result = algorithm.train()
    assert algorithm.env_runner_group.num_healthy_remote_workers() == 2
    nodes = algorithm.env_runner_group.foreach_env_runner(
        lambda _: ray.get_runtime_context().get_node_id(), local_env_runner=False
    )
    assert len(set(nodes)) == 2
    assert result["num_env_steps_sampled_lifetime"] >= 4096
    assert set(SIDES) <= set(result["learners"])
    algorithm.stop()


@pytest.mark.slow
def test_it_learns() -> None:
    """An untrained policy that samples plays about as `random` does; what was learned beats both."""
    untrained = module_agent(runner().module[SIDES[0]], greedy=False)
    before = play_match(untrained, "random", boards=300, seed=1)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    after = train(decisions=20_000, seed=SEED)
    ray.shutdown()
    assert check_beats_random(after, boards=300) > before.ci95[1] + 50

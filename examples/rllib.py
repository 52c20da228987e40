"""Train with RLlib's PPO, one policy a side, alone or on a Ray cluster, then play the arena against `random`."""

import argparse
import time

import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig

from five_hundred_env.agents.network import NetworkAgent
from five_hundred_env.arena import play_match
from five_hundred_env.integrations.rllib import SIDES, FiveHundredEnv, module_agent, side_modules, side_of


def configure(workers: int = 0, seed: int = 7) -> PPOConfig:
    """Return the options of the run; with `workers` the deals are played by as many processes of the cluster."""
    return (
        PPOConfig()
        .environment(FiveHundredEnv, env_config={"episode": "deal"}, disable_env_checking=True)
        .env_runners(num_env_runners=workers, num_envs_per_env_runner=32)
        .env_runners(sample_timeout_s=600)  # a busy worker is waited for: what comes too late is thrown away
        .multi_agent(policies=set(SIDES), policy_mapping_fn=side_of)
        .rl_module(rl_module_spec=side_modules(layers=[256]))
        .training(gamma=1.0, lambda_=0.95, lr=5e-4, train_batch_size_per_learner=4096, minibatch_size=512, num_epochs=4)
        .training(vf_clip_param=100.0, vf_loss_coeff=0.5, entropy_coeff=0.003, grad_clip=0.5)
        .debugging(seed=seed, log_level="ERROR")
    )


def train(decisions: int = 60_000, workers: int = 0, seed: int = 7) -> NetworkAgent:
    """Train and return the agent of side 0, which samples its actions as it did in training."""
    torch.set_num_threads(1)  # small batches: threads that wait for each other cost more than they bring
    algorithm = configure(workers, seed).build_algo()
    clock = time.perf_counter if workers else time.process_time
    begin = clock()
    played = 0
    while played < decisions:
        played = int(algorithm.train()["num_env_steps_sampled_lifetime"])
    what = "second" if workers else "second of processor time"
    print(f"{played / (clock() - begin):,.0f} decisions a {what}, learning included")
    module = algorithm.get_module(SIDES[0])
    algorithm.stop()
    return module_agent(module, greedy=False)


def main() -> None:
    """Train for about a minute and print points a deal against `random`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=60_000)
    parser.add_argument("--workers", type=int, default=0, help="processes that play; 0: this one")
    parser.add_argument("--address", help="of a Ray cluster, or auto; by default a cluster of this machine alone")
    options = parser.parse_args()
    ray.init(address=options.address, log_to_driver=False)
    print(play_match(train(options.decisions, options.workers), "random", boards=500, seed=1))
    ray.shutdown()


if __name__ == "__main__":
    main()

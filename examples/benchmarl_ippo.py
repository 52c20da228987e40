"""Train with BenchMARL's IPPO, one policy for all four seats, then play the arena against `random`."""

import argparse
import tempfile
import time

import torch
from benchmarl.algorithms import IppoConfig
from benchmarl.experiment import Experiment, ExperimentConfig
from benchmarl.models.mlp import MlpConfig

from five_hundred_env.agents.network import NetworkAgent
from five_hundred_env.arena import play_match
from five_hundred_env.integrations.benchmarl import FiveHundredTask, experiment_agent


def configure(decisions: int, folder: str, seed: int = 7) -> Experiment:
    """Return the experiment, which writes into a folder."""
    config = ExperimentConfig.get_from_yaml()
    config.gamma, config.lr, config.max_n_frames = 1.0, 1e-3, decisions
    config.on_policy_collected_frames_per_batch, config.on_policy_n_envs_per_worker = 1024, 2
    config.on_policy_n_minibatch_iters, config.on_policy_minibatch_size = 4, 256
    config.evaluation, config.render, config.loggers, config.create_json = False, False, [], False
    config.save_folder = folder
    algorithm, model = IppoConfig.get_from_yaml(), MlpConfig.get_from_yaml()
    algorithm.lmbda, algorithm.entropy_coef = 0.99, 0.003
    model.num_cells, model.activation_class = [256], torch.nn.ReLU
    return Experiment(
        task=FiveHundredTask({"episode": "deal"}),
        algorithm_config=algorithm,
        model_config=model,
        critic_model_config=model,
        seed=seed,
        config=config,
    )


def train(decisions: int = 8192, seed: int = 7) -> NetworkAgent:
    """Train and return the agent, which samples its actions as it did in training."""
    torch.set_num_threads(1)  # small batches: threads that wait for each other cost more than they bring
    with tempfile.TemporaryDirectory() as folder:
        experiment = configure(decisions, folder, seed)
        begin = time.process_time()
        experiment.run()
    speed = decisions / (time.process_time() - begin)
    print(f"{speed:,.0f} decisions a second of processor time, learning included")
    return experiment_agent(experiment, greedy=False)


def main() -> None:
    """Train for about a minute and print points a deal against `random`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=8192, help="a multiple of 1024")
    options = parser.parse_args()
    print(play_match(train(options.decisions), "random", boards=500, seed=1))


if __name__ == "__main__":
    main()

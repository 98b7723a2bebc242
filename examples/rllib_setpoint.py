"""PPO with LSTM of Ray RLlib on the set-point task, with the settings of GreenLightPlus's README.

    pip install 'phytotron[rllib]' torch
    python examples/rllib_setpoint.py --iterations 20

`phytotron train phytotron/GreenhouseSetpoint-v0 --backend rllib --preset greenlightplus` does the same in a run folder.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig

from phytotron.adapters.rllib import VECTORISED, register

SETPOINT = "phytotron/GreenhouseSetpoint-v0"


def configuration(days: float, workers: int, batch: int) -> PPOConfig:
    """The published `env_config` and algorithm."""
    return (
        PPOConfig()
        .environment(
            SETPOINT,
            env_config={
                "season_length": days,
                "isMature": False,
                "target_yield": 8,
                "target_yield_unit_energy_input": 22,
                "target_harvest_unit_energy_input": 22,
            },
        )
        .env_runners(num_env_runners=workers, num_envs_per_env_runner=8, gym_env_vectorize_mode=VECTORISED)
        .rl_module(
            model_config=DefaultModelConfig(
                fcnet_hiddens=[256, 256], fcnet_activation="relu", use_lstm=True, max_seq_len=48
            )
        )
        .training(gamma=0.9, lr=1e-4, kl_coeff=0.3, train_batch_size_per_learner=batch)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--days", type=float, default=60, help="length of the season")
    parser.add_argument("--workers", type=int, default=2, help="processes that sample")
    parser.add_argument("--batch", type=int, default=4000, help="steps of an iteration")
    parser.add_argument("--output", type=Path, help="folder for the checkpoint at the end")
    chosen = parser.parse_args()

    torch.set_num_threads(1)  # the networks are small, and the workers need the cores
    register(SETPOINT)
    algorithm = configuration(chosen.days, chosen.workers, chosen.batch).build_algo()
    for iteration in range(1, chosen.iterations + 1):
        sampled = algorithm.train()["env_runners"]
        mean = sampled.get("episode_return_mean", float("nan"))
        print(f"iteration {iteration}: {sampled['num_env_steps_sampled_lifetime']:.0f} steps, mean return {mean:.3f}")
    if chosen.output is not None:
        print(f"saved to {algorithm.save_to_path(chosen.output.resolve())}")
    algorithm.stop()


if __name__ == "__main__":
    main()

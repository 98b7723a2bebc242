"""The walk of a learning researcher: the Gymnasium interface, a batch in JAX, training, evaluation, a page.

    python examples/walks/learning_researcher.py FOLDER [STEPS]

It needs `pip install 'phytotron[agents,data]'`. With 512 steps, as by default, the agent has hardly begun to learn.
"""

from __future__ import annotations

import sys

import gymnasium
import jax
import numpy as np
import pandas
from typed import typed, working_folder

import phytotron
from phytotron.agents.policy_files import load_policy

folder, steps = working_folder(), int(sys.argv[2]) if len(sys.argv) > 2 else 512
ID = "phytotron/Lettuce-v0"

# One environment, and sixteen as one compiled batch, behind the interface of Gymnasium.
one = gymnasium.make(ID, episode_days=1)
observation, info = one.reset(seed=0)
observation, reward, terminated, truncated, info = one.step(one.action_space.sample())
many = gymnasium.make_vec(ID, num_envs=16, episode_days=1)
observations, infos = many.reset(seed=0)
print(f"one environment observes {observation.shape}, the batch {observations.shape}")

# The same as pure functions: sixteen starts at once.
env = phytotron.make(ID, episode_days=1)
keys = jax.random.split(jax.random.key(0), 16)
observations, states = jax.vmap(env.reset)(keys)
actions = jax.vmap(env.action_space.sample)(keys)
_, _, rewards, *_ = jax.vmap(env.step)(keys, states, actions)
print(f"rewards of a random step: {np.round(np.asarray(rewards), 4)}")

# Training, with evaluations on weather that it does not learn from; stopped runs go on with --resume.
typed(
    f"phytotron train {ID} --agent ppo --seeds 2 --steps {steps} --eval-every {steps // 2} --option episode_days=1 "
    "--set num_envs=4 --set rollout=32 --set minibatch=64 --set epochs=2 --output runs/ppo",
    folder,
)

# On the test weather: the seeds, every step of theirs as data, and a baseline to compare with.
typed("phytotron evaluate --policy runs/ppo --split test --csv test.csv", folder)
typed(f"phytotron evaluate {ID} --controller rule-based --split test --option episode_days=1", folder)
frame = pandas.read_csv(folder / "test.csv", skiprows=[1], parse_dates=["time"])  # without the line of units
print(frame.groupby(["seed", "episode"])[["reward", "measure_profit", "measure_heat"]].sum())

# A policy is a controller like any other, and predicts as those of Stable-Baselines3 do.
policy = load_policy(folder / "runs" / "ppo" / "policies" / "seed_0")
action, _ = policy.predict(observation)
print(f"the policy of seed 0 chooses {np.round(np.asarray(action), 3)}")

# One page: the decision, the result in a sentence, learning curves beside the baseline, all scores.
typed("phytotron report runs/ppo --compare rule-based --output report", folder)

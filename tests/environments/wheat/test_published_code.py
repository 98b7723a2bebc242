"""Episodes that CropGym's code played, step by step."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from field_files import power_weather, recorded_episode

from phytotron.environments.wheat import WheatNitrogen
from phytotron.models.lintul3 import DEFAULT_SET, PLAIN_SET, load_parameters

KEY = jax.random.key(0)
SETS = {"patched": DEFAULT_SET, "unpatched": PLAIN_SET}
# Relative to the largest value of each component; what is seen is rounding in float64.
TOLERANCE = 1e-6


@pytest.fixture(scope="module")
def env() -> WheatNitrogen:
    return WheatNitrogen(weather=power_weather("lat51.5_lon5", 1992, 2003), observation="raw", precision="float64")


@pytest.mark.parametrize("variant", SETS)
@pytest.mark.parametrize("policy", ["zero", "spring", "rand1"])
@pytest.mark.parametrize("year", [1992, 2003])
def test_episodes_of_the_published_code_are_reproduced(
    env: WheatNitrogen, variant: str, year: int, policy: str
) -> None:
    recorded = recorded_episode(f"{year}_{variant}_{policy}")
    season = int(np.flatnonzero(np.asarray(env.seasons.year) == year)[0])
    params = env.params(load_parameters(SETS[variant]), seasons=np.array([season], np.int32))
    observation, state = env.reset(KEY, params)
    observations, rewards, growths, dates = [observation], [], [], [env.date(state)]
    for step, action in enumerate(recorded.action):
        observation, state, reward, terminated, truncated, info = env.step(KEY, state, action, params)
        assert (bool(terminated), bool(truncated)) == (step == len(recorded.action) - 1, False)
        observations.append(observation)
        rewards.append(float(reward))
        growths.append(float(info["growth"]))
        dates.append(env.date(state))
    assert np.array_equal(np.array(dates), recorded.date)
    scale = np.abs(recorded.observation).max(axis=0) + 1e-12
    assert np.max(np.abs(np.stack(observations) - recorded.observation) / scale) < TOLERANCE
    assert np.max(np.abs(np.array(rewards) - recorded.reward)) < TOLERANCE
    assert np.max(np.abs(np.array(growths) - recorded.growth)) < TOLERANCE

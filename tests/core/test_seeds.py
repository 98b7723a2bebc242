"""A seed stands for random numbers of its own, or is refused by name wherever it comes in."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from toy_environments import Aiming
from training_runs import small_config

from phytotron.controllers import Random
from phytotron.core.errors import PhytotronError
from phytotron.core.seeds import LARGEST_SEED, is_seed, random_key
from phytotron.episodes.recording import trajectories
from phytotron.evaluation.scores import evaluate
from phytotron.weather.generator import WeatherGenerator

NO_SEEDS = (-1, 2**32, 2**32 + 1, 10**400, True, 1.0, "1", None)


@pytest.mark.parametrize("seed", NO_SEEDS)
def test_what_is_no_seed_is_refused(seed: Any) -> None:
    assert not is_seed(seed)
    with pytest.raises(PhytotronError, match=r"seed is .*; expected a whole number from 0 to 4294967295"):
        random_key(seed)


def test_a_seed_gives_the_key_that_jax_gives() -> None:
    for seed in (0, 7, LARGEST_SEED, np.uint32(7)):
        assert jax.random.key_data(random_key(seed)).tolist() == [0, int(seed)]


@pytest.mark.parametrize("seed", (-1, 2**32))
def test_no_entrance_takes_a_seed_modulo_2_to_the_32(seed: int) -> None:
    env = Aiming()
    with pytest.raises(PhytotronError, match="seed"):
        evaluate(env, Random(env), seed=seed, episodes=1)
    with pytest.raises(PhytotronError, match="seed"):
        trajectories(env, [Random(env)], seed=seed)
    with pytest.raises(PhytotronError, match="seed"):
        WeatherGenerator("wageningen").daily_table(seed, 2001, 1)
    with pytest.raises(PhytotronError, match="the seeds"):
        small_config(seeds=(0, seed))

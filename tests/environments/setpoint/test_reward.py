"""Rewards of the set-point task, written once more in plain Python and compared step by step."""

from __future__ import annotations

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.environments.setpoint import Season, Targets
from phytotron.environments.setpoint.reward import Hour, first_season, settle


class Bookkeeper:
    """The reward as GreenLightPlus describes it, in its own words and order."""

    def __init__(self, steps: int, target_yield: float, unit_energy: float, harvest_unit_energy: float) -> None:
        self.steps, self.current = steps, 0
        self.target_yield, self.unit_energy, self.harvest_unit_energy = target_yield, unit_energy, harvest_unit_energy
        self.energy = self.growth_energy = self.fruit = self.total = 0.0
        self.harvest_period = float(steps)

    def step(self, growth: float, harvest: float, lamps: float, boilers: float, mature: bool) -> float:
        self.current += 1
        self.energy += lamps + boilers
        self.fruit += harvest
        if not mature:
            reward = growth * 1e-3
            self.growth_energy, self.harvest_period = self.energy, self.steps - self.current
        else:
            reward = harvest * 1e3
            passed = self.current - (self.steps - self.harvest_period)
            progress = passed / self.harvest_period if self.harvest_period else 1.0
            reward *= 1.2 if self.fruit >= self.target_yield * (0.1 + 0.9 * progress) else 0.8
            spent = (self.energy - self.growth_energy) / self.fruit if self.fruit > 1e-3 else float("inf")
            reward *= 1.2 if spent <= self.harvest_unit_energy else 0.8
        if self.current >= self.steps:
            shares = 0.0
            if self.unit_energy:
                spent = self.energy / self.fruit if self.fruit > 1e-3 else 2.0 * self.unit_energy
                shares += (self.unit_energy - spent) / self.unit_energy
            if self.target_yield:
                shares += (self.fruit - self.target_yield) / self.target_yield
            reward += shares * self.total
        self.total += reward
        return reward


@pytest.mark.parametrize("targets", [(0.0, 0.0, 0.0), (0.5, 30.0, 25.0), (5.0, 3.0, 1e-3), (1.0, 0.0, 40.0)])
@pytest.mark.parametrize("first_harvest", [0, 3, 19, 99])
def test_rewards_are_those_of_the_description(targets: tuple[float, float, float], first_harvest: int) -> None:
    random, steps = np.random.default_rng(1), 20
    wanted = Targets(fruit=targets[0], energy_per_fruit=targets[1], harvest_energy_per_fruit=targets[2])
    keeper, season = Bookkeeper(steps, *targets), first_season(steps, "float64")
    for number in range(1, steps + 1):
        mature = number > first_harvest and number != 12  # the harvest may pause
        growth, harvest = random.normal(100.0, 50.0), random.uniform(0.0, 0.1) * (number > first_harvest)
        lamps, boilers = random.uniform(0.0, 1.0, 2)
        hour = Hour(*(jnp.asarray(each) for each in (growth, harvest, lamps, boilers, mature)))
        reward, season = settle(season, hour, jnp.asarray(number), steps, wanted, jnp.asarray(number >= steps))
        assert float(reward) == pytest.approx(keeper.step(growth, harvest, lamps, boilers, mature), rel=1e-12)
    assert float(season.reward) == pytest.approx(keeper.total, rel=1e-12)
    assert float(season.fruit) == pytest.approx(keeper.fruit, rel=1e-12)


def test_nothing_divides_by_zero() -> None:
    zero = jnp.zeros(())
    nothing = Hour(zero, zero, zero, zero, jnp.asarray(True))

    def last_reward(season: Season) -> jax.Array:
        wanted = Targets(fruit=0.0, energy_per_fruit=10.0)
        return settle(season, nothing, jnp.asarray(4), 4, wanted, jnp.asarray(True))[0]

    season = dataclasses.replace(first_season(4, "float64"), reward=jnp.asarray(7.0), harvest_steps=zero)
    residue = dataclasses.replace(season, energy=jnp.asarray(100.0), fruit=jnp.asarray(1e-30))
    assert float(last_reward(residue)) == pytest.approx(-7.0)
    assert float(last_reward(season)) == pytest.approx(-7.0)
    gradient = jax.grad(lambda reward: last_reward(dataclasses.replace(season, reward=reward)))(jnp.asarray(7.0))
    assert np.isfinite(gradient)

"""The reward of the set-point task: growth before the harvest, harvest against targets after it, and a settlement at
the end.

It is computed as in GreenLightPlus's GreenhouseEnv. That environment divides by zero without any yield, with targets of
0, and in the first step of a crop that is mature from the start; the docstrings say what is used there instead.
"""

import dataclasses
from typing import NamedTuple

import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import Value, quantity, record

MATURE = 0.01  # mg m-2 s-1, rate of harvest above which a crop counts as mature
GRAMS_PER_MG, GRAMS_PER_KG = 1e-3, 1e3
MET, MISSED = 1.2, 0.8  # factors of the reward
FIRST_SHARE = 0.1  # of the target yield that is due when the harvest begins
# Below it, a crop counts as without fruit. The model's rate of harvest is never zero: a young crop has 1e-30 kg m-2.
LEAST_FRUIT = 1e-3  # kg m-2


@record
class Targets:
    """The targets of a season; one that is 0 is not asked for, except that no harvest then comes cheap enough."""

    fruit: Value = quantity("target_yield", "kg m-2", "fresh fruit of the season", default=0.0, low=0.0)
    energy_per_fruit: Value = quantity(
        "target_yield_unit_energy_input", "MJ kg-1", "energy of the season per fruit", default=0.0, low=0.0
    )
    harvest_energy_per_fruit: Value = quantity(
        "target_harvest_unit_energy_input", "MJ kg-1", "energy since the harvest began per fruit", default=0.0, low=0.0
    )


@record
class Season:
    """The sums of a season so far, per square metre of floor."""

    energy: Array  # MJ, of lamps and boilers
    growth_energy: Array  # MJ, up to the last step without harvest
    fruit: Array  # kg, fresh, harvested
    reward: Array  # sum of all rewards
    harvest_steps: Array  # steps of the season that were left then


class Hour(NamedTuple):
    """The growth, harvest and energy of one step, per square metre of floor."""

    fruit_growth: Array  # mg, of the carbohydrates in the fruit
    harvest: Array  # kg of fresh fruit
    lamps: Array  # MJ
    boilers: Array  # MJ
    is_mature: Array  # whether there is a harvest at its end


def first_season(total_steps: Value, precision: str) -> Season:
    """Return the season of `total_steps` steps before its first step."""
    zero = jnp.zeros((), precision)
    return Season(
        energy=zero, growth_energy=zero, fruit=zero, reward=zero, harvest_steps=jnp.asarray(total_steps, precision)
    )


def quotient(part: Array, whole: Array, least: float = 0.0) -> Array:
    """Return part / whole; 0 where whole is not above `least`."""
    return jnp.where(whole > least, part / jnp.where(whole > least, whole, 1.0), 0.0)


def has_fruit(season: Season) -> Array:
    """Return whether enough was harvested to count as fruit."""
    return season.fruit > LEAST_FRUIT


def energy_per_fruit(season: Season) -> Array:
    """Return the energy per fruit of the season [MJ kg-1]; 0 as long as there is no fruit."""
    return quotient(season.energy, season.fruit, LEAST_FRUIT)


def harvest_energy_per_fruit(season: Season) -> Array:
    """Return the energy per fruit since the harvest began [MJ kg-1]; 0 as long as there is no fruit."""
    return quotient(season.energy - season.growth_energy, season.fruit, LEAST_FRUIT)


def settle(
    before: Season, hour: Hour, step: Array, total_steps: int, targets: Targets, is_last: Array
) -> tuple[Array, Season]:
    """Return the reward of a step, and the season after it; `step` includes this one."""
    energy = before.energy + hour.lamps + hour.boilers
    left = jnp.asarray(total_steps, energy.dtype) - step.astype(energy.dtype)
    season = dataclasses.replace(
        before,
        energy=energy,
        fruit=before.fruit + hour.harvest,
        growth_energy=jnp.where(hour.is_mature, before.growth_energy, energy),
        harvest_steps=jnp.where(hour.is_mature, before.harvest_steps, left),
    )
    growing = GRAMS_PER_MG * hour.fruit_growth
    reward = jnp.where(hour.is_mature, harvest_reward(season, hour, left, targets), growing)
    reward = reward + jnp.where(is_last, settlement(season, targets) * before.reward, 0.0)
    return reward, dataclasses.replace(season, reward=before.reward + reward)


def harvest_reward(season: Season, hour: Hour, left: Array, targets: Targets) -> Array:
    """Return the fresh harvest [g m-2], increased where the targets so far are met and reduced where they are not.

    Where no step was left when the harvest began, all of the yield is due. Without any fruit, the energy counts as too
    much.
    """
    progress = 1.0 - quotient(left, season.harvest_steps)
    due = targets.fruit * (FIRST_SHARE + (1.0 - FIRST_SHARE) * progress)
    enough = season.fruit >= due
    cheap = has_fruit(season) & (harvest_energy_per_fruit(season) <= targets.harvest_energy_per_fruit)
    return GRAMS_PER_KG * hour.harvest * jnp.where(enough, MET, MISSED) * jnp.where(cheap, MET, MISSED)


def settlement(season: Season, targets: Targets) -> Array:
    """Return the sum of the shares by which the season is better than its targets; it multiplies all that was earned
    before.

    A target of 0 adds nothing. Without any fruit, the energy counts as twice its target.
    """
    asked, spent = jnp.asarray(targets.energy_per_fruit), energy_per_fruit(season)
    without = jnp.where(asked > 0.0, -1.0, 0.0)
    spared = jnp.where(has_fruit(season), quotient(asked - spent, asked), without)
    wanted = jnp.asarray(targets.fruit)
    return spared + quotient(season.fruit - wanted, wanted)

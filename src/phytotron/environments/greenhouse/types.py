"""What goes through the greenhouse task: actions, what may vary between episodes, the state."""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import names, quantity, record, unstack
from phytotron.environments.greenhouse_reward import RewardParameters
from phytotron.models.greenlight import Control, Parameters, State
from phytotron.models.greenlight.rules import RuleSettings
from phytotron.weather.greenhouse_weather import GreenhouseWeather


@record
class Action:
    """The free actuators: -1 is off, a shut vent, an open screen; 1 is full power, an open vent, a closed screen."""

    boiler: Array = quantity("boil", "-", "boiler valve to the pipe rail", low=-1, high=1)
    co2_injection: Array = quantity("extCo2", "-", "CO2 injection valve", low=-1, high=1)
    thermal_screen: Array = quantity("thScr", "-", "closure of the thermal screen", low=-1, high=1)
    roof_vent: Array = quantity("roof", "-", "aperture of the roof vents", low=-1, high=1)


def to_control(action: Array, ruled: Control) -> Control:
    """Free actuators from the action, lamp and blackout screen from the rule; inter-lamps and grow pipes are off."""
    bounded = jnp.clip(jnp.where(jnp.isnan(action), -1.0, action), -1.0, 1.0)
    free = unstack(Action, 0.5 * (bounded + 1.0))
    off = jnp.zeros_like(free.boiler)
    return Control(
        **{name: getattr(free, name) for name in names(Action)},
        lamp=ruled.lamp,
        blackout_screen=ruled.blackout_screen,
        interlamp=off,
        grow_pipe_boiler=off,
    )


def to_action(control: Control) -> Array:
    """The action that sets the free actuators as in a control, e.g. in that of a rule-based grower."""
    return jnp.stack([2.0 * jnp.asarray(getattr(control, name)) - 1.0 for name in names(Action)], axis=-1)


@jax.tree_util.register_dataclass
@dataclass(frozen=True, kw_only=True)
class GreenhouseParams:
    """What may vary between episodes. The start is drawn from `start_days`, which count the days of the weather.

    A batch that varies the model shares the weather: `jax.vmap` takes a `GreenhouseParams` of axes, with None for it.
    """

    model: Parameters
    rules: RuleSettings
    reward: RewardParameters
    weather: GreenhouseWeather
    start_days: Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, kw_only=True)
class GreenhouseState:
    """The model's state, and two counters from which time follows without drift."""

    model: State
    start_day: Array  # counts the days of the weather
    step: Array  # control intervals since the start of the episode

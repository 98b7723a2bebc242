"""The rule-based controller of the benchmark: grower's rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
from jax import Array

from phytotron.core.controller import Controller, Memory
from phytotron.environments.lettuce.model import Control

if TYPE_CHECKING:
    from phytotron.environments.lettuce.environment import Lettuce


@dataclass(frozen=True, eq=False)
class RuleBased(Controller):
    """Heats below a set-point, ventilates above it and in humid air, and gives CO2 by day while the vents are shut.

    The set-points are those of the crops that van Henten (1994, Agricultural Systems 45, 55-72) validated a model on,
    the gains are the benchmark's. Of the state it uses the positions of the actuators, which are observed too.
    """

    environment: Lettuce
    day_temperature: float = 14.0  # °C
    night_temperature: float = 10.0  # °C
    day_radiation: float = 50.0  # W m-2, above which it is day
    heating_gain: float = 30.0  # W m-2 per °C below the set-point
    dead_zone: float = 2.0  # °C above the set-point, without ventilation
    ventilation_gain: float = 2.0  # mm s-1 per °C above the dead zone
    highest_humidity: float = 80.0  # %
    humidity_gain: float = 0.5  # mm s-1 per % above
    co2_set_point: float = 750.0  # ppm
    co2_gain: float = 0.006  # mg m-2 s-1 per ppm below the set-point
    open_vents: float = 2.0  # mm s-1, above which CO2 is not given

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """The action towards what the rules ask for."""
        seen = dict(zip(self.environment.observation_space.names, observation, strict=True))
        # In the benchmark, rules read the climate in single precision, and the last digit decides on their return.
        temperature, humidity, co2 = (
            seen[name].astype(jnp.float32).astype(observation.dtype)
            for name in ("temperature", "relative_humidity", "co2")
        )
        day = seen["radiation"] > self.day_radiation
        excess = temperature - jnp.where(day, self.day_temperature, self.night_temperature)
        ventilation = self.ventilation_gain * jnp.maximum(excess - self.dead_zone, 0.0)
        ventilation = ventilation + self.humidity_gain * jnp.maximum(humidity - self.highest_humidity, 0.0)
        dosing = day & (ventilation <= self.open_vents)
        wanted = Control(
            co2_supply=jnp.where(dosing, self.co2_gain * (self.co2_set_point - co2), 0.0),
            ventilation=ventilation,
            heating=-self.heating_gain * excess,
        )
        return self.environment.action(wanted, state.control), memory

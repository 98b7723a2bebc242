"""The rule-based controller (grower's rules) of the lettuce greenhouse, and its settings."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.controller import Controller, Memory
from phytotron.core.fields import Value, quantity, record
from phytotron.environments.lettuce.model import Control
from phytotron.environments.slow_actuators import SlowlyActuated


@record
class Settings:
    """Set-points of the crops that van Henten (1994, Agricultural Systems 45, 55-72) validated a model on, and gains of
    the benchmark, with the bounds between which they are tuned.
    """

    day_temperature: Value = quantity("T_day", "°C", "set-point of the day", default=14.0, low=5, high=25)
    night_temperature: Value = quantity("T_night", "°C", "set-point of the night", default=10.0, low=2, high=20)
    day_radiation: Value = quantity("I_day", "W m-2", "radiation above which it is day", default=50.0, low=0, high=200)
    heating_gain: Value = quantity("K_q", "W m-2 K-1", "heating below the set-point", default=30.0, low=2, high=150)
    dead_zone: Value = quantity("T_dead", "°C", "above the set-point, not ventilated", default=2.0, low=0, high=10)
    ventilation_gain: Value = quantity("K_v", "mm s-1 K-1", "ventilation above it", default=2.0, low=0.1, high=8.0)
    highest_humidity: Value = quantity("RH_max", "%", "humidity above which vents open", default=80.0, low=60, high=95)
    humidity_gain: Value = quantity("K_h", "mm s-1 %-1", "ventilation per % above it", default=0.5, low=0.01, high=3.0)
    co2_set_point: Value = quantity("C_set", "ppm", "CO2 set-point of the day", default=750.0, low=400, high=2000)
    co2_gain: Value = quantity("K_c", "mg m-2 s-1 ppm-1", "CO2 supply below it", default=0.006, low=2e-4, high=0.02)
    open_vents: Value = quantity("U_open", "mm s-1", "ventilation that stops the CO2", default=2.0, low=0, high=7.5)


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True, eq=False)
class RuleBased(Controller):
    """Heats below a set-point, ventilates above it and in humid air, and gives CO2 by day while the vents are shut.

    Of the state it uses only the positions of the actuators, which are also observed.
    """

    environment: SlowlyActuated[Any, Any] = dataclasses.field(metadata={"static": True})
    settings: Settings = dataclasses.field(default_factory=Settings)

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """Return the action that moves the actuators towards the positions that the rules ask for."""
        rules, observed = self.settings, dict(zip(self.environment.observation_space.names, observation, strict=True))
        # In the benchmark, rules read the climate in single precision, and the last digit decides on their return.
        temperature, humidity, co2 = (
            observed[name].astype(jnp.float32).astype(observation.dtype)
            for name in ("temperature", "relative_humidity", "co2")
        )
        day = observed["radiation"] > rules.day_radiation
        excess = temperature - jnp.where(day, rules.day_temperature, rules.night_temperature)
        too_warm, too_humid = excess - rules.dead_zone, humidity - rules.highest_humidity
        ventilation = rules.ventilation_gain * jnp.maximum(too_warm, 0.0)
        ventilation = ventilation + rules.humidity_gain * jnp.maximum(too_humid, 0.0)
        is_shut = ventilation <= rules.open_vents
        co2_supply = jnp.where(day & is_shut, rules.co2_gain * (rules.co2_set_point - co2), 0.0)
        wanted = Control(co2_supply=co2_supply, ventilation=ventilation, heating=-rules.heating_gain * excess)
        return self.environment.actuators.action(wanted, state.control), memory

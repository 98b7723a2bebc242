"""The rule-based controller (grower's rules) of the lettuce greenhouse, and which of its settings are tuned."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.controller import Controller, Memory
from phytotron.core.fields import Quantity, Value
from phytotron.core.tunable import TunableRules
from phytotron.environments.lettuce.model import Control

if TYPE_CHECKING:
    from phytotron.environments.lettuce.environment import Lettuce

INDIFFERENT = ("episode_days", "forecast", "precision")  # options for which settings need not be tuned anew


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True, eq=False)
class RuleBased(Controller):
    """Heats below a set-point, ventilates above it and in humid air, and gives CO2 by day while the vents are shut.

    The set-points are those of the crops that van Henten (1994, Agricultural Systems 45, 55-72) validated a model on,
    the gains are the benchmark's. Of the state it uses the positions of the actuators, which are observed too.
    """

    environment: Lettuce = dataclasses.field(metadata={"static": True})
    day_temperature: Value = 14.0  # °C
    night_temperature: Value = 10.0  # °C
    day_radiation: Value = 50.0  # W m-2, above which it is day
    heating_gain: Value = 30.0  # W m-2 per °C below the set-point
    dead_zone: Value = 2.0  # °C above the set-point, without ventilation
    ventilation_gain: Value = 2.0  # mm s-1 per °C above the dead zone
    highest_humidity: Value = 80.0  # %
    humidity_gain: Value = 0.5  # mm s-1 per % above
    co2_set_point: Value = 750.0  # ppm
    co2_gain: Value = 0.006  # mg m-2 s-1 per ppm below the set-point
    open_vents: Value = 2.0  # mm s-1, above which CO2 is not given

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


SETTINGS = (  # with the bounds of the search
    Quantity("day_temperature", "T_day", "°C", "set-point of the day", 5.0, 25.0),
    Quantity("night_temperature", "T_night", "°C", "set-point of the night", 2.0, 20.0),
    Quantity("day_radiation", "I_day", "W m-2", "radiation above which it is day", 0.0, 200.0),
    Quantity("heating_gain", "K_q", "W m-2 K-1", "heating per °C below the set-point", 2.0, 150.0),
    Quantity("dead_zone", "T_dead", "°C", "above the set-point, without ventilation", 0.0, 10.0),
    Quantity("ventilation_gain", "K_v", "mm s-1 K-1", "ventilation per °C above the dead zone", 0.1, 8.0),
    Quantity("highest_humidity", "RH_max", "%", "relative humidity above which vents open", 60.0, 95.0),
    Quantity("humidity_gain", "K_h", "mm s-1 %-1", "ventilation per % above it", 0.01, 3.0),
    Quantity("co2_set_point", "C_set", "ppm", "CO2 set-point of the day", 400.0, 2000.0),
    Quantity("co2_gain", "K_c", "mg m-2 s-1 ppm-1", "CO2 supply per ppm below the set-point", 2e-4, 0.02),
    Quantity("open_vents", "U_open", "mm s-1", "ventilation above which CO2 is not given", 0.0, 7.5),
)


def tunable_rules(env: Lettuce) -> TunableRules:
    """All settings of the rules."""
    untuned = RuleBased(env)
    settings = tuple(dataclasses.replace(each, default=getattr(untuned, each.name)) for each in SETTINGS)

    def make(values: Mapping[str, Array]) -> Controller:
        return RuleBased(env, **values)

    return TunableRules(settings, make, INDIFFERENT, Path(__file__).parent / "tuned_rules")

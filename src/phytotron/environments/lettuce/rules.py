"""The rule-based controller (grower's rules) of the lettuce greenhouse, and its settings for tuning."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.controller import Controller, Memory
from phytotron.core.fields import Value, quantities, quantity, record
from phytotron.core.tunable import TunableRules
from phytotron.environments.lettuce.model import Control

if TYPE_CHECKING:
    from phytotron.environments.lettuce.environment import Lettuce

INDIFFERENT = ("episode_days", "forecast", "precision")  # options for which settings need not be tuned anew


def setting(symbol: str, unit: str, description: str, default: float, low: float, high: float) -> Any:
    """Return a setting of the rules, with the bounds between which it is tuned."""
    return quantity(symbol, unit, description, default=default, low=low, high=high)


@record
class Settings:
    """Set-points of the crops that van Henten (1994, Agricultural Systems 45, 55-72) validated a model on, and gains.

    The gains are the benchmark's.
    """

    day_temperature: Value = setting("T_day", "°C", "set-point of the day", 14.0, 5.0, 25.0)
    night_temperature: Value = setting("T_night", "°C", "set-point of the night", 10.0, 2.0, 20.0)
    day_radiation: Value = setting("I_day", "W m-2", "radiation above which it is day", 50.0, 0.0, 200.0)
    heating_gain: Value = setting("K_q", "W m-2 K-1", "heating per °C below the set-point", 30.0, 2.0, 150.0)
    dead_zone: Value = setting("T_dead", "°C", "above the set-point, without ventilation", 2.0, 0.0, 10.0)
    ventilation_gain: Value = setting("K_v", "mm s-1 K-1", "ventilation per °C above the dead zone", 2.0, 0.1, 8.0)
    highest_humidity: Value = setting("RH_max", "%", "relative humidity above which vents open", 80.0, 60.0, 95.0)
    humidity_gain: Value = setting("K_h", "mm s-1 %-1", "ventilation per % above it", 0.5, 0.01, 3.0)
    co2_set_point: Value = setting("C_set", "ppm", "CO2 set-point of the day", 750.0, 400.0, 2000.0)
    co2_gain: Value = setting("K_c", "mg m-2 s-1 ppm-1", "CO2 supply per ppm below the set-point", 0.006, 2e-4, 0.02)
    open_vents: Value = setting("U_open", "mm s-1", "ventilation above which CO2 is not given", 2.0, 0.0, 7.5)


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True, eq=False)
class RuleBased(Controller):
    """Heats below a set-point, ventilates above it and in humid air, and gives CO2 by day while the vents are shut.

    Of the state it uses only the positions of the actuators, which are also observed.
    """

    environment: Lettuce = dataclasses.field(metadata={"static": True})
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
        ventilation = rules.ventilation_gain * jnp.maximum(excess - rules.dead_zone, 0.0)
        ventilation = ventilation + rules.humidity_gain * jnp.maximum(humidity - rules.highest_humidity, 0.0)
        dosing = day & (ventilation <= rules.open_vents)
        wanted = Control(
            co2_supply=jnp.where(dosing, rules.co2_gain * (rules.co2_set_point - co2), 0.0),
            ventilation=ventilation,
            heating=-rules.heating_gain * excess,
        )
        return self.environment.actuators.action(wanted, state.control), memory


def tunable_rules(env: Lettuce) -> TunableRules:
    """Return the rules with all their settings for tuning."""
    folder = Path(__file__).parent / "tuned_rules"
    return TunableRules(
        tuple(quantities(Settings)), lambda values: RuleBased(env, Settings(**values)), INDIFFERENT, folder
    )

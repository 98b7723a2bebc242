"""A greenhouse under a controller for days on end, and what it came to."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.compilation import single_kernel
from phytotron.environments.greenhouse_reward import RewardParameters, profit, turnover, violations
from phytotron.models.greenlight import Control, GreenLight, Parameters, State, Weather

Controller = Callable[[State, Weather], Control]
JOULES_PER_KWH = 3.6e6


class Season(NamedTuple):
    """Series over control intervals: the state at the start of each, control and weather during it."""

    states: State
    controls: Control
    weather: Weather
    final: State
    interval: float


class Summary(NamedTuple):
    """Totals per square metre of floor, and the share of time within the bounds of the climate."""

    harvest_kg: float  # fresh fruit
    gas_m3: float
    co2_kg: float
    electricity_kwh: float
    profit_eur: float
    temperature_in_bounds: float
    co2_in_bounds: float
    humidity_in_bounds: float


def simulate(
    model: GreenLight, controller: Controller, start: State, weather: Weather, parameters: Parameters
) -> Season:
    """Run through a series of weather; the controller is asked once per interval."""

    @single_kernel
    def run(start: State, weather: Weather) -> tuple[State, tuple[State, Control]]:
        def interval(state: State, now: Weather) -> tuple[State, tuple[State, Control]]:
            control = controller(state, now)
            return model.advance(state, control, now, parameters), (state, control)

        return jax.lax.scan(interval, start, weather)

    final, (states, controls) = jax.jit(run)(start, weather)
    return Season(states, controls, weather, final, model.interval)


def summarise(season: Season, model: GreenLight, parameters: Parameters, prices: RewardParameters) -> Summary:
    after = jax.tree.map(lambda series, last: jnp.append(series[1:], last), season.states, season.final)
    flows = turnover(season.states, after, season.controls, parameters, model.equations, season.interval)
    light = season.controls.lamp * parameters.lamp_power + season.controls.interlamp * parameters.interlamp_power
    excess = violations(after, prices)

    def share(name: str) -> float:
        return float(np.mean(np.asarray(excess[name]) == 0.0))

    def total(series: Array) -> float:
        return float(np.sum(np.asarray(series, np.float64)))

    return Summary(
        harvest_kg=total(flows.harvest / parameters.fruit_dry_matter),
        gas_m3=total(flows.gas),
        co2_kg=total(flows.co2),
        electricity_kwh=total(light) * season.interval / JOULES_PER_KWH,
        profit_eur=total(profit(flows, parameters, prices)),
        temperature_in_bounds=share("temperature"),
        co2_in_bounds=share("co2"),
        humidity_in_bounds=share("humidity"),
    )

"""Points and weather for tests of the greenhouse model, all seeded.

The box of states, controls and weather is wider than any greenhouse goes. Into it are mixed the places where formulas
break: bare soil, equal temperatures, calm air, night, storm, actuators at their ends, air without CO2 or vapour.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.core.fields import names, quantities
from phytotron.models.greenlight import (
    PARAMETER_SETS,
    Control,
    Equations,
    GreenLight,
    Parameters,
    State,
    Weather,
    derivative,
    forcing,
    load_parameters,
)
from phytotron.weather.humid_air import saturation_vapour_pressure

SETS = tuple(PARAMETER_SETS)
STEPS_PER_DAY = 288  # of 300 s

STATE_BOX = {
    **{q.name: (-15.0, 60.0) for q in quantities(State) if q.unit == "°C"},
    "air_co2": (0.0, 5000.0),
    "top_co2": (0.0, 5000.0),
    "pipe_temperature": (-15.0, 95.0),
    "grow_pipe_temperature": (-15.0, 95.0),
    "lamp_temperature": (-15.0, 120.0),
    "interlamp_temperature": (-15.0, 120.0),
    "air_vapour_pressure": (0.0, 8000.0),
    "top_vapour_pressure": (0.0, 8000.0),
    "canopy_temperature_24h": (0.0, 45.0),
    "buffer_carbohydrate": (-500.0, 2.5e4),
    "leaf_carbohydrate": (0.0, 2e5),
    "stem_carbohydrate": (0.0, 1e6),
    "fruit_carbohydrate": (0.0, 3.2e6),
    "canopy_temperature_sum": (-50.0, 5000.0),
    "time": (0.0, 366.0),
}
CONTROL_BOX = dict.fromkeys(names(Control), (0.0, 1.0))
WEATHER_BOX = {
    "global_radiation": (0.0, 1200.0),
    "outdoor_temperature": (-25.0, 45.0),
    "outdoor_vapour_pressure": (0.0, 4000.0),
    "outdoor_co2": (300.0, 1500.0),
    "wind_speed": (0.0, 30.0),
    "sky_temperature": (-60.0, 30.0),
    "deep_soil_temperature": (0.0, 25.0),
    "daily_radiation_sum": (0.0, 35.0),
    "is_day": (0.0, 1.0),
    "is_day_smooth": (0.0, 1.0),
}

SINGULAR = ("bare", "equal", "calm", "night", "extreme", "empty", "storm", "screened")


class Points(NamedTuple):
    """States, controls and weather of as many points, which are the arguments of the model."""

    state: Any
    control: Any
    weather: Any


def points(count: int = 512, seed: int = 0) -> Points:
    """Random points; the first 256 go through all combinations of the singular places, the rest meet few of them."""
    rng = np.random.default_rng(seed)
    state, control, weather = (
        {name: rng.uniform(low, high, count) for name, (low, high) in box.items()}
        for box in (STATE_BOX, CONTROL_BOX, WEATHER_BOX)
    )
    combination = np.arange(count) % 2 ** len(SINGULAR)
    ordered = np.arange(count) < 2 ** len(SINGULAR)
    at = {
        place: np.where(ordered, combination >> bit & 1 == 1, rng.uniform(size=count) < 0.1)
        for bit, place in enumerate(SINGULAR)
    }

    temperature = rng.uniform(-10.0, 40.0, count)
    for name in (q.name for q in quantities(State) if q.unit == "°C"):
        state[name] = np.where(at["equal"], temperature, state[name])
    for name in ("outdoor_temperature", "sky_temperature", "deep_soil_temperature"):
        weather[name] = np.where(at["equal"], temperature, weather[name])
    for name in ("buffer_carbohydrate", "stem_carbohydrate", "fruit_carbohydrate", "canopy_temperature_sum"):
        state[name] = np.where(at["bare"], 0.0, state[name])
    state["leaf_carbohydrate"] = np.where(at["bare"], 0.0, state["leaf_carbohydrate"])
    for name in ("air_co2", "top_co2", "air_vapour_pressure", "top_vapour_pressure"):
        state[name] = np.where(at["empty"], 0.0, state[name])
    for name in control:
        control[name] = np.where(at["extreme"], np.round(control[name]), control[name])
    for name in ("thermal_screen", "blackout_screen"):
        control[name] = np.where(at["screened"], 1.0, control[name])
    for name in ("lamp", "interlamp"):
        control[name] = np.where(at["night"], 0.0, control[name])
    for name in ("global_radiation", "is_day", "is_day_smooth"):
        weather[name] = np.where(at["night"], 0.0, weather[name])
    weather["wind_speed"] = np.where(at["storm"], 30.0, weather["wind_speed"])
    weather["wind_speed"] = np.where(at["calm"], 0.0, weather["wind_speed"])
    return Points(State(**state), Control(**control), Weather(**weather))


def pick(tree: Any, index: Any) -> Any:
    """Some rows of a batch."""
    return jax.tree.map(lambda leaf: np.asarray(leaf)[index], tree)


def as_floats(parameters: Parameters) -> Parameters:
    """Parameters as arrays, so that one compiled function serves all sets."""
    return jax.tree.map(lambda leaf: jnp.asarray(leaf, float), parameters)


@functools.cache
def parameters_of(name: str) -> Parameters:
    return as_floats(load_parameters(name))


def batch_of_sets(cases: int) -> Parameters:
    """The three sets one after the other, each for so many environments."""
    return jax.tree.map(lambda *leaves: jnp.repeat(jnp.asarray(leaves, float), cases), *map(load_parameters, SETS))


def with_everything(parameters: Parameters) -> Parameters:
    """The same greenhouse with all that the published ones lack: every path for heat and light is then in use."""
    changes = {
        "elevation": 700.0,
        "roof_fir_transmission": 0.2,
        "interlamp_power": 40.0,
        "interlamp_area": 0.03,
        "interlamp_par_efficiency": 0.5,
        "interlamp_nir_efficiency": 0.04,
        "interlamp_photons_per_joule": 5.4,
        "interlamp_emissivity": 0.8,
        "interlamp_convection": 2.0,
        "interlamp_fir_transmission": 0.9,
        "interlamp_position": 0.3,
        "interlamp_downward_fraction": 0.4,
        "grow_pipe_emissivity": 0.88,
        "grow_pipe_boiler_power": 50.0 * float(parameters.floor_area),
        "lamp_cooling_fraction": 0.3,
        "lamp_par_reflection": 0.02,
        "canopy_par_extinction_up": 0.6,
        "insect_screen_porosity": 0.8,
    }
    return as_floats(dataclasses.replace(parameters, **changes))


@functools.cache
def compiled_derivative(equations: Equations) -> Callable[..., State]:
    def run(state: State, control: Control, weather: Weather, parameters: Parameters) -> State:
        return derivative(state, forcing(control, weather, parameters, equations), equations)

    return jax.jit(run)


def rates(at: Points, parameters: Parameters, equations: Equations | None = None) -> dict[str, np.ndarray]:
    """Rates of change by the name of the state."""
    result = compiled_derivative(equations or Equations())(*at, parameters)
    return {name: np.asarray(getattr(result, name)) for name in names(State)}


@functools.cache
def compiled_rollout(model: GreenLight) -> Callable[..., State]:
    def run(start: State, control: Control, weather: Weather, parameters: Parameters) -> State:
        def step(state: State, inputs: tuple[Control, Weather]) -> tuple[State, State]:
            after = model.advance(state, *inputs, parameters)
            return after, after

        return jax.lax.scan(step, start, (control, weather))[1]

    return jax.jit(run)


def rollout(
    model: GreenLight,
    start: State,
    control: Control,
    weather: Weather,
    parameters: Parameters,
    precision: Any = np.float64,
) -> dict[str, np.ndarray]:
    """The states after every interval, arrays (steps, environments) by the name of the state."""
    inputs = (start, control, weather, parameters)
    arguments = jax.tree.map(lambda leaf: jnp.asarray(leaf, precision), inputs)
    result = compiled_rollout(model)(*arguments)
    return {name: np.asarray(getattr(result, name)) for name in names(State)}


def morning_state(batch: int, temperature: float = 16.5, deep_soil: Any = 10.0) -> State:
    """A greenhouse with a grown crop at the start of day 59 (GreenLight-Gym's initial state)."""
    values = {q.name: np.full(batch, temperature) for q in quantities(State) if q.unit == "°C"}
    deep = np.broadcast_to(deep_soil, (batch,))
    for share, name in zip((0.25, 0.5, 0.75, 1.0), ("soil2", "soil3", "soil4", "soil5"), strict=True):
        values[f"{name}_temperature"] = (1.0 - share) * temperature + share * deep
    vapour = np.full(batch, 0.85 * float(saturation_vapour_pressure(temperature)))
    pools = {"buffer": 0.0, "leaf": 0.9e5, "stem": 2.5e5, "fruit": 2.8e5}
    values |= {f"{pool}_carbohydrate": np.full(batch, amount) for pool, amount in pools.items()}
    values |= {"air_vapour_pressure": vapour, "top_vapour_pressure": vapour}
    values |= {"air_co2": np.full(batch, 750.0), "top_co2": np.full(batch, 750.0)}
    values |= {"canopy_temperature": np.full(batch, 20.5), "canopy_temperature_24h": np.full(batch, 20.5)}
    values |= {"canopy_temperature_sum": np.full(batch, 3000.0), "time": np.full(batch, 59.0)}
    return State(**values)


def diurnal_weather(days: float, mean: Any, noon_sun: Any, wind: Any, seed: int = 0) -> Weather:
    """Made-up weather every 300 s from midnight on, for several places: arrays (steps, places).

    The sun is up from six to six under drifting clouds, the temperature swings by 10 °C and is highest in the
    afternoon, the wind wanders between the two bounds given for each place.
    """
    mean, noon_sun, wind = np.atleast_1d(mean), np.atleast_1d(noon_sun), np.asarray(wind, float).reshape(-1, 2)
    steps, places = round(days * STEPS_PER_DAY), len(mean)
    rng = np.random.default_rng(seed)
    hour = (np.arange(steps) * 24.0 / STEPS_PER_DAY)[:, None]
    phases = rng.uniform(0.0, 2.0 * np.pi, (3, places))
    clouds = 0.5 + 0.5 * np.sin(2.0 * np.pi * hour / 3.1 + phases[0])
    sun = noon_sun * np.maximum(np.sin(2.0 * np.pi * (hour - 6.0) / 24.0), 0.0) * (1.0 - 0.7 * clouds)
    outdoor = mean + 5.0 * np.sin(2.0 * np.pi * (hour - 9.0) / 24.0) + np.sin(2.0 * np.pi * hour / 5.3 + phases[1])
    gusts = 0.5 + 0.5 * np.sin(2.0 * np.pi * hour / 1.7 + phases[2]) * np.sin(2.0 * np.pi * hour / 7.9 + phases[1])
    day = np.clip(sun / 20.0, 0.0, 1.0)
    whole = np.broadcast_to
    return Weather(
        global_radiation=sun,
        outdoor_temperature=outdoor,
        outdoor_vapour_pressure=0.8 * np.asarray(saturation_vapour_pressure(outdoor)),
        outdoor_co2=whole(750.0, (steps, places)),
        wind_speed=wind[:, 0] + (wind[:, 1] - wind[:, 0]) * gusts,
        sky_temperature=outdoor - 5.0 - 15.0 * (1.0 - clouds),
        deep_soil_temperature=whole(10.0, (steps, places)),
        daily_radiation_sum=whole(0.012 * noon_sun, (steps, places)),
        is_day=day,
        is_day_smooth=day * day * (3.0 - 2.0 * day),
    )


def repeat_places(weather: Weather, times: int) -> Weather:
    """The same places once more for every parameter set."""
    return jax.tree.map(lambda leaf: np.tile(leaf, (1, times)), weather)


def controls(array: np.ndarray) -> Control:
    """Controls from an array (..., 8)."""
    return Control(**{name: array[..., i] for i, name in enumerate(names(Control))})


def relative_rmse(values: Any, reference: Any) -> np.ndarray:
    """Root mean square error along the first axis, in % of the mean magnitude of the reference."""
    values, reference = np.asarray(values, float), np.asarray(reference, float)
    return 100.0 * np.sqrt(np.mean((values - reference) ** 2, axis=0)) / np.mean(np.abs(reference), axis=0)

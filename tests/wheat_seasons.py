"""Seasons that never were, for tests of the wheat model.

All values are arrays in float64, so that tests share what has been compiled for one field or for two.
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from phytotron.models.lintul3 import DEFAULT_SET, Management, Parameters, Weather, load_parameters

DAYS = 244


def made_up_weather(seed: int = 0, fields: int | None = None, *, warmth: float = 9.0, wetness: float = 2.0) -> Weather:
    """Random weather around the course of a year; `wetness` is the mean rain of a day with rain [mm]."""
    random = np.random.default_rng(seed)
    shape = (DAYS,) if fields is None else (DAYS, fields)
    year = 2.0 * np.pi * np.arange(DAYS) / 365.0
    year = year if fields is None else year[:, None]
    mean = warmth - 8.0 * np.cos(year - 0.3) + random.normal(0.0, 2.5, shape)
    half_range = random.uniform(1.0, 7.0, shape)
    sun = np.clip(10.0 - 8.0 * np.cos(year) + random.normal(0.0, 3.0, shape), 0.3, 32.0)
    rainy = random.random(shape) < 0.45
    return Weather(
        irradiation=1e6 * sun,
        minimum_temperature=mean - half_range,
        maximum_temperature=mean + half_range,
        air_temperature=mean + random.normal(0.0, 0.5, shape),
        rain=np.where(rainy, random.exponential(wetness, shape), 0.0),
        bare_soil_evaporation=0.18 * sun,
        reference_evapotranspiration=0.2 * sun,
    )


def doses(seed: int = 0, fields: int | None = None, *, largest: float = 6.0, irrigation: float = 0.0) -> Management:
    """A random dose on one day in ten, and random irrigation [mm] as often."""
    random = np.random.default_rng(seed + 1000)
    shape = (DAYS,) if fields is None else (DAYS, fields)

    def now_and_then(most: float) -> Any:
        return np.where(random.random(shape) < 0.1, random.uniform(0.0, most, shape), 0.0)

    return Management(nitrogen=now_and_then(largest), irrigation=now_and_then(irrigation))


def applied(nitrogen: Any = 0.0, irrigation: Any = 0.0, fields: int | None = None) -> Management:
    """The same on every day, or one value per day."""
    shape = (DAYS,) if fields is None else (DAYS, fields)
    return Management(nitrogen=np.zeros(shape) + nitrogen, irrigation=np.zeros(shape) + irrigation)


def wheat(name: str = DEFAULT_SET, **overrides: Any) -> Parameters:
    """A parameter set of one field."""
    made: Parameters = jax.tree.map(np.float64, load_parameters(name, **overrides))
    return made


def two_fields(first: Parameters, second: Parameters) -> Parameters:
    made: Parameters = jax.tree.map(lambda *each: np.stack(each), first, second)
    return made

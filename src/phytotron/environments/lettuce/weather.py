"""The weather of the benchmark: Bleiswijk, the Netherlands, from 10 January to 29 November 2014, by the half hour."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.environments.lettuce.model import percent_per_concentration, ppm_per_concentration

FILE = Path(__file__).with_name("bleiswijk_2014.npz")  # see bleiswijk_2014.md
YEAR, FIRST_DAY = 2014, 10  # 1 January is day 1
STEPS_PER_DAY = 48
DARK = 1e-6  # W m-2; less is the noise of the instrument


@functools.cache
def bleiswijk() -> NDArray[Any]:
    """The quantities of `model.Weather` (rows, 4)."""
    with np.load(FILE, allow_pickle=False) as file:
        radiation, temperature = file["radiation"], file["temperature"]  # W m-2, °C
        co2 = file["co2"] / ppm_per_concentration(temperature)  # from ppm
        humidity = file["relative_humidity"] / percent_per_concentration(temperature)  # from %
    rows = np.stack([np.where(radiation < DARK, 0.0, radiation), co2, temperature, humidity], axis=-1)
    rows.setflags(write=False)
    return rows


def date(day: int) -> str:
    """The date of a day of the year."""
    return str(np.datetime64(f"{YEAR}-01-01") + (day - 1))

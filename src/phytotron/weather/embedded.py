"""Weather that comes with the package: two months of Schiphol, enough to try everything without a download."""

from __future__ import annotations

import csv
import functools
from datetime import datetime
from importlib import resources

import numpy as np

from phytotron.core.errors import UnknownNameError
from phytotron.weather.greenhouse_weather import GreenhouseWeather, greenhouse_weather

EMBEDDED = ("schiphol_2010_spring",)
INTERVAL = 300  # s


@functools.lru_cache(maxsize=4)
def embedded_weather(name: str = EMBEDDED[0], temperature_offset: float = 0.0) -> GreenhouseWeather:
    """The hourly sample of a name, interpolated linearly to five minutes.

    `temperature_offset` [°C] is added to the air temperature, relative humidity being kept; the published code of
    GreenLight-Gym adds 1.5 °C, which its paper does not mention.
    """
    if name not in EMBEDDED:
        raise UnknownNameError("embedded weather", name, EMBEDDED)
    text = resources.files("phytotron.weather").joinpath("data", f"{name}.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
    start, second = (datetime.fromisoformat(row["time"]) for row in rows[:2])
    nodes = (second - start).total_seconds() * np.arange(len(rows))
    wanted = np.arange(0, nodes[-1] + 1, INTERVAL)
    measured = {
        column: np.interp(wanted, nodes, [float(row[column]) for row in rows]) for column in rows[0] if column != "time"
    }
    measured["air_temperature"] = measured["air_temperature"] + temperature_offset
    return greenhouse_weather(start, INTERVAL, measured)

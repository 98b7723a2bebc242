"""Weather of one's own: the file of a data logger as a table, and the greenhouse on it.

    python examples/weather.py logger.csv

Where a file is in one of the formats of docs/weather_formats.md, `read_weather` reads it; this is for all others.
"""

from __future__ import annotations

import csv
import itertools
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import phytotron
from phytotron.core.errors import DataFileError
from phytotron.weather.site import Provenance, Site
from phytotron.weather.table import WeatherTable, weather_table

SITE = Site("Our roof", latitude=52.0, longitude=5.7, elevation=10.0)
HOUR = 3600  # s
# Columns of the logger, and what makes the units of `phytotron.weather.variables` of its own.
COLUMNS = {
    "global_radiation": ("sun_W_per_m2", 1.0),
    "air_temperature": ("temp_C", 1.0),
    "relative_humidity": ("rh_fraction", 100.0),
    "wind_speed": ("wind_km_per_h", 1.0 / 3.6),
    "cloud_cover": ("cloud_percent", 0.01),
}


def read_logger(path: Path) -> WeatherTable:
    """The table of a file with one row per hour, whose times are UTC; every value is checked."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    times = [datetime.fromisoformat(row["time"]) for row in rows]
    for number, (before, after) in enumerate(itertools.pairwise(times), 3):
        if after - before != timedelta(seconds=HOUR):
            raise DataFileError(path, f"line {number} is not an hour after the one before", "fill the gap")
    columns = {name: [float(row[own]) * factor for row in rows] for name, (own, factor) in COLUMNS.items()}
    return weather_table(columns, times[0], HOUR, SITE, Provenance("logger on our roof", "our own"))


def greenhouse_on(table: WeatherTable) -> Any:
    """Three days in the greenhouse, from any day of the table on which they fit."""
    return phytotron.make("phytotron/Greenhouse-v0", weather=table, episode_days=3)


if __name__ == "__main__":
    env = greenhouse_on(read_logger(Path(sys.argv[1])))
    print(f"episodes from {env.starts().labels[0]} to {env.starts().labels[-1]}")

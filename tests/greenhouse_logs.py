"""Small logs for tests, in the layout of compartments and as tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from phytotron.logs import GreenhouseLog, greenhouse_log
from phytotron.weather.site import Provenance, Site
from phytotron.weather.sun import sun_height

SITE = Site("Bleiswijk", 52.04, 4.53)
CLIMATE = "Date,Tair,Rhair,CO2air,VentLee,VentWind,EnScr,BlckScr,Tpipe,CO2reg,PARin,Tair_sigrow"
WEATHER = "Date,Tout,Rhout,Iglob,Windsp,PARout,Pyrgeo"


def made_log(days: int = 2, utc_offset: float = 1.0, **changes: Any) -> GreenhouseLog:
    """A log of a clock that is `utc_offset` ahead of UTC, with all that a replay needs; `changes` replace columns."""
    rows = days * 288
    clock = np.datetime64("2022-02-01T00:00:00") + np.arange(rows) * np.timedelta64(300, "s")
    sun = sun_height(clock - np.timedelta64(3600, "s"), SITE.latitude, SITE.longitude)
    wave = np.sin(2.0 * np.pi * np.arange(rows) / 288.0)
    ripple = 0.01 * (np.arange(rows) % 7)
    columns = {
        "air_temperature": 18.0 - 3.0 * wave + ripple,
        "relative_humidity": 75.0 + 5.0 * wave + ripple,
        "co2": 600.0 + 50.0 * wave + ripple,
        "vent_lee": np.full(rows, 5.0),
        "vent_wind": np.zeros(rows),
        "thermal_screen": np.where(sun > 0.0, 0.0, 99.8),
        "blackout_screen": np.zeros(rows),
        "heating_pump": np.ones(rows),
        "pipe_temperature": np.full(rows, 40.0),
        "co2_dosing": (np.arange(rows) % 20 < 5).astype(float),
        "par_above_crop": 300.0 * sun,
        "outdoor_temperature": 6.0 - 2.0 * wave + ripple,
        "outdoor_relative_humidity": 80.0 + 5.0 * wave + ripple,
        "global_radiation": 700.0 * sun,
        "wind_speed": np.full(rows, 4.0),
    }
    columns |= changes
    return greenhouse_log("made", clock, columns, SITE, Provenance("made for a test", "none"), utc_offset)


def write_compartment(folder: Path, name: str = "House", climate: str | None = None) -> Path:
    """A folder with one compartment of three rows; returns the path of its climate."""
    rows = [
        "2/1/2022 0:00,18.1,70,600,1,0,99.8,0.1,0,2,0,17.9",
        "2/1/2022 0:04,18.2,71,610,1,0,99.8,0.1,40.5,1,0,17.8",
        "2/1/2022 0:10,,,,,,,,,,,",
    ]
    path = folder / f"{name}_climate.csv"
    path.write_text(climate or "\n".join([CLIMATE, *rows]) + "\n", encoding="utf-8")
    outdoors = ["2/1/2022 0:00,5,80,0,4,0,-70", "2/1/2022 0:04,5.1,81,0,4,0,-71", "2/1/2022 0:10,5,80,0,4,0,-70"]
    (folder / "weather.csv").write_text("\n".join([WEATHER, *outdoors]) + "\n", encoding="utf-8")
    (folder / f"{name}_density.csv").write_text("Date,Plant Density\n2/1/2022,90\n", encoding="utf-8")
    text = "timestamp; dry_weight; fresh_weight\n02/08/2022; [0.1,0.3]; [1,2]\n"
    (folder / f"{name}_weight.csv").write_text(text, encoding="utf-8")
    return path

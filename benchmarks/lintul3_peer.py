"""Seasons for PCSE's LINTUL-3: made-up weather, our parameters under PCSE's symbols, and how to run them there."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np

import peers
from phytotron.core.fields import quantities
from phytotron.models.lintul3 import Parameters, Table

WORKER = Path(__file__).with_name("_lintul3_worker.py")
START = date(2001, 1, 1)
DAYS = 366
SOIL = ("WCAD", "WCWP", "WCFC", "WCWET", "WCST", "DRATE")
SITE = ("WCI", "WCSUBS", "WMFAC", "IRRIGF")
FLAGS = ("WMFAC", "IRRIGF")
OURS_ALONE = ("recovery", "efficiency", "crop_end_date", "WMTAB", "TNSOILI", "FRTRL", "RTMIN")
# Required by PCSE and without effect on a crop that starts at emergence, whatever the day length.
UNUSED = {"TBASEM": 0.0, "TEFFMX": 0.0, "TSUMEM": 0.0, "DLO": 0.0, "DLC": 0.0, "IDSL": 0}


def weather(wetness: float = 1.0, shift: float = 0.0) -> dict[str, list[float]]:
    """A year that never was, by PCSE's names and units: cosines of the season, sines from day to day."""
    rows: dict[str, list[float]] = {}
    for day in range(DAYS):
        year, noise = 2.0 * math.pi * day / 365.0, [math.sin((day + shift) * f) for f in (2.1, 3.3, 0.77, 5.1)]
        mean = 9.5 - 8.0 * math.cos(year - 0.3) + 3.0 * noise[0] + 2.0 * noise[2]
        spread = 4.0 + 2.0 * noise[1]
        sun = max(0.5, 10.5 - 9.0 * math.cos(year + 0.17) + 4.0 * noise[3])  # MJ m-2
        shower = max(0.0, noise[0] * noise[1] + noise[2] - 0.3)
        asked = 0.02 * sun * (1.0 + 0.02 * mean)  # cm
        values = {
            "IRRAD": 1e6 * sun,
            "TMIN": mean - spread,
            "TMAX": mean + spread,
            "TEMP": mean + 0.3 * noise[1],
            "VAP": 8.0,
            "WIND": 2.0,
            "RAIN": 0.6 * wetness * shower,
            "E0": 1.1 * asked,
            "ES0": asked,
            "ET0": 0.9 * asked,
        }
        for name, value in values.items():
            rows.setdefault(name, []).append(round(max(value, 0.0) if name in ("E0", "ES0", "ET0") else value, 4))
    return rows


def pcse_parameters(parameters: Parameters) -> dict[str, dict[str, Any]]:
    """Crop, soil and site parameters as plain PCSE takes them."""
    values: dict[str, Any] = {}
    for q in quantities(Parameters):
        value = getattr(parameters, q.name)
        if isinstance(value, Table):
            value = np.stack([value.x, value.y], axis=-1).ravel().tolist()
        values[q.symbol] = bool(value) if q.symbol in FLAGS else value
    groups = {"soil": {name: values.pop(name) for name in SOIL}, "site": {name: values.pop(name) for name in SITE}}
    crop = {name: value for name, value in values.items() if name not in OURS_ALONE}
    return {"crop": crop | UNUSED | {"RNMIN": values["RTMIN"]}, **groups}


def season(parameters: Parameters, rows: Mapping[str, list[float]], doses: Mapping[int, float]) -> dict[str, Any]:
    """One season for the worker; doses [g m-2] by day."""
    return {
        "start": START.isoformat(),
        "end": (START + timedelta(days=int(parameters.latest_harvest))).isoformat(),
        "weather": dict(rows),
        "nitrogen": [doses.get(day, 0.0) for day in range(DAYS)],
        **pcse_parameters(parameters),
    }


def run(python: Path, seasons: list[dict[str, Any]], repeats: int = 0, env: Mapping[str, str] | None = None) -> Any:
    """What the worker prints."""
    with tempfile.TemporaryDirectory() as folder:
        task = Path(folder) / "task.json"
        task.write_text(json.dumps({"seasons": seasons, "repeats": repeats}), encoding="utf-8")
        return peers.run_json([python, "-Es", WORKER, task], "the PCSE worker", env=env)

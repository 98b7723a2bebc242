"""Run seasons of PCSE's LINTUL-3; started by other scripts with the interpreter that has PCSE.

Reads one JSON file: {"seasons": [...], "repeats": n}. A season has `crop`, `soil` and `site` parameters, the `weather`
by PCSE's names in lists of one number per day, `nitrogen` [g m-2] per day, `start` and `end` (latest harvest) as
ISO dates. Prints one JSON object: per season the rows by column name, and the seconds that each repeat of it took.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Callable
from datetime import date, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pcse.base import (
    ParameterProvider,
    WeatherDataContainer,
    WeatherDataProvider,
)
from pcse.models import LINTUL3

RECOVERY = 0.7
LATITUDE, LONGITUDE, ELEVATION = 52.0, 5.0, 0.0  # recorded by PCSE, not used by LINTUL-3
# fmt: off
CROP_STATES = (
    "ANLV", "ANRT", "ANSO", "ANST", "CUMPAR", "LAI", "NLOSSL", "NLOSSR", "NNI", "NUPTT", "ROOTD", "TAGBM", "TGROWTH",
    "TNSOIL", "WDRT", "WLVD", "WLVG", "WRT", "WSO", "WST",
)
CROP_RATES = ("PEVAP", "PTRAN", "TRAN", "TRANRF", "RROOTD")
SOIL_STATES = ("TDRAIN", "TEVAP", "TEXPLO", "TIRRIG", "TRAIN", "TRUNOF", "TTRAN", "WA", "WC")
# fmt: on


class Days(WeatherDataProvider):  # type: ignore[misc]
    """Weather from lists."""

    def __init__(self, start: date, weather: dict[str, list[float]]) -> None:
        super().__init__()
        self.latitude, self.longitude, self.elevation = LATITUDE, LONGITUDE, ELEVATION
        for number, values in enumerate(zip(*weather.values(), strict=True)):
            day = start + timedelta(days=number)
            named = dict(zip(weather, values, strict=True))
            place = {"LAT": LATITUDE, "LON": LONGITUDE, "ELEV": ELEVATION, "DAY": day}
            self._store_WeatherDataContainer(WeatherDataContainer(**place, **named), day)


def calendar(start: date, end: date, nitrogen: list[float]) -> list[dict[date, Any]]:
    """One campaign with a crop that stands on the field from the first day, and its doses."""
    doses = [
        {start + timedelta(days=day): {"amount": amount, "recovery": RECOVERY}}
        for day, amount in enumerate(nitrogen)
        if amount > 0.0
    ]
    crop = {
        "crop_name": "winter-wheat",
        "variety_name": "winter-wheat",
        "crop_start_date": start,
        "crop_start_type": "emergence",
        "crop_end_date": end,
        "crop_end_type": "earliest",
        "max_duration": 365,
    }
    events = [{"event_signal": "apply_n", "name": "nitrogen", "comment": "", "events_table": doses}] if doses else None
    return [{start: {"CropCalendar": crop, "TimedEvents": events, "StateEvents": None}}]


def recorder(model: Any) -> Callable[[], dict[str, float]]:
    """A function that gives the states of the morning and the rates of the day; it outlives the crop in the model."""
    crop, soil, pheno = model.crop, model.soil, model.crop.pheno
    held = [
        ("pheno.", pheno.states, ("DVS", "TSUM")),
        ("pheno.", pheno.rates, ("DTSUM", "DVR")),
        ("crop.st.", crop.states, CROP_STATES),
        ("crop.r.", crop.rates, CROP_RATES),
        ("soil.st.", soil.states, SOIL_STATES),
        ("soil.", soil, ("DSLR",)),
    ]
    return lambda: {prefix + name: float(getattr(part, name)) for prefix, part, names in held for name in names}


def prepared(season: dict[str, Any]) -> tuple[Any, Any, Any]:
    """What the model is made of."""
    start, end = date.fromisoformat(season["start"]), date.fromisoformat(season["end"])
    parameters = ParameterProvider(cropdata=season["crop"], soildata=season["soil"], sitedata=season["site"])
    return parameters, Days(start, season["weather"]), calendar(start, end, season["nitrogen"])


def run(season: dict[str, Any]) -> list[dict[str, float]]:
    """The rows of a season up to the harvest, after which PCSE removes the crop and runs on to the last dose."""
    model = LINTUL3(*prepared(season))
    row = recorder(model)
    rows = [row()]
    while model.crop is not None:
        model.run(days=1)
        rows.append(row())
    return rows


def seconds(season: dict[str, Any]) -> float:
    """The time that PCSE takes to make the model and run it to its end, weather already in memory."""
    parts = prepared(season)
    start = time.perf_counter()
    LINTUL3(*parts).run_till_terminate()
    return time.perf_counter() - start


def main() -> None:
    """Run what the file asks for."""
    task = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    rows = [run(season) for season in task["seasons"]]
    times = [[seconds(season) for _ in range(task["repeats"])] for season in task["seasons"]]
    versions = {"python": platform.python_version(), "pcse": version("pcse")}
    print(json.dumps({"rows": rows, "seconds": times, "versions": versions}))


if __name__ == "__main__":
    main()

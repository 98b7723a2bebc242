"""Logs in the layout of the Autonomous Greenhouse Challenge, third edition, as CEA Open Data publishes them.

A folder holds weather.csv, and for every compartment NAME_climate.csv and, where there are any, NAME_density.csv and
NAME_weight.csv; each as it is or as .gz.
"""

import json
from pathlib import Path

import numpy as np

from phytotron.core.errors import DataFileError, UnknownNameError
from phytotron.logs.csv_columns import numbers, read_columns, read_text, times
from phytotron.logs.table import Column, GreenhouseLog, LogError, greenhouse_log, naming
from phytotron.weather.calendar import Times
from phytotron.weather.site import Provenance, Site

SITE = Site("Bleiswijk", 52.04, 4.53, -5.0)
UTC_OFFSET = 1.0  # h: the clock keeps local winter time, which solar noon confirms (`checks.clock_offset`)
FLOOR_AREA, CROP_AREA = 96.0, 16.0  # m2 of a compartment, and of its growing area
TIME_FORMAT, DAY_FORMAT = "%m/%d/%Y %H:%M", "%m/%d/%Y"

CLIMATE_HEADINGS = {
    "air_temperature": "Tair",
    "relative_humidity": "Rhair",
    "co2": "CO2air",
    "vent_lee": "VentLee",
    "vent_wind": "VentWind",
    "thermal_screen": "EnScr",
    "blackout_screen": "BlckScr",
    "par_above_crop": "PARin",
}
SECOND_HEADINGS = {
    "air_temperature_second": "Tair_sigrow",
    "relative_humidity_second": "Rhair_sigrow",
    "par_above_crop_second": "PARin_sigrow",
}
WEATHER_HEADINGS = {
    "outdoor_temperature": "Tout",
    "outdoor_relative_humidity": "Rhout",
    "global_radiation": "Iglob",
    "wind_speed": "Windsp",
    "outdoor_par": "PARout",
    "net_longwave": "Pyrgeo",
}


# The month of one compartment that the package holds, with its licence notice.
EMBEDDED = Path(__file__).parent / "data" / "agc2022"


def compartment_names(folder: Path) -> tuple[str, ...]:
    """Return the compartments that a folder holds."""
    found = {path.name.split("_climate.csv")[0] for path in folder.glob("*_climate.csv*")}
    if not found:
        raise DataFileError(folder, "holds no NAME_climate.csv", "give a folder in the layout of compartment logs")
    return tuple(sorted(found))


def read_compartment(folder: Path, name: str) -> GreenhouseLog:
    """Return the log of a compartment of a folder, with the weather beside it."""
    names = compartment_names(folder)
    if name not in names:
        raise UnknownNameError(f"compartment of {folder}", name, names)
    path, weather_path = _file(folder, f"{name}_climate.csv"), _file(folder, "weather.csv")
    table, outdoors = read_columns(path), read_columns(weather_path)
    clock = times(path, table, "Date", TIME_FORMAT)
    columns = {key: numbers(path, table, heading) for key, heading in CLIMATE_HEADINGS.items()}
    columns |= {key: numbers(path, table, heading) for key, heading in SECOND_HEADINGS.items() if heading in table}
    pipe, dosing = numbers(path, table, "Tpipe"), numbers(path, table, "CO2reg")
    columns["heating_pump"] = np.where(np.isnan(pipe), np.nan, (pipe > 0.0).astype(float))
    columns["pipe_temperature"] = np.where(pipe > 0.0, pipe, np.nan)  # 0 says that the pump is off
    columns["co2_dosing"] = np.where(np.isnan(dosing), np.nan, (dosing == 1.0).astype(float))  # 2 says off
    columns |= _weather(weather_path, outdoors, clock) | _crop(folder, name, clock)
    provenance = Provenance(
        "CEA Open Data, Koidra.AGC2022.1: Autonomous Greenhouse Challenge, third edition",
        "MIT, Copyright 2023 Koidra Tech Inc.",
        ("pipe temperature 0 means that the pump is off; CO2reg 1 doses, 2 does not",),
    )
    with naming(path):
        return greenhouse_log(name, clock, columns, SITE, provenance, UTC_OFFSET, FLOOR_AREA, CROP_AREA)


def _file(folder: Path, name: str) -> Path:
    packed = folder / f"{name}.gz"
    return packed if packed.is_file() else folder / name


def _weather(path: Path, table: dict[str, list[str]], clock: Times) -> dict[str, Column]:
    """The weather at the times of the climate; where it has no such time, NaN."""
    own = times(path, table, "Date", TIME_FORMAT)
    if own.size and (np.diff(own).astype(float) <= 0.0).any():
        row = int(np.argmax(np.diff(own).astype(float) <= 0.0)) + 3
        raise LogError(f"{path}: the time of row {row} does not come after the one before it; sort the rows by time")
    place = np.clip(np.searchsorted(own, clock), 0, own.size - 1)
    there = own[place] == clock
    found = {key: numbers(path, table, heading) for key, heading in WEATHER_HEADINGS.items()}
    return {key: np.where(there, column[place], np.nan) for key, column in found.items()}


def _crop(folder: Path, name: str, clock: Times) -> dict[str, Column]:
    """Heads per area on every day that says them, and the mean dry weight of samples at noon of their day."""
    found: dict[str, Column] = {}
    path, days = _file(folder, f"{name}_density.csv"), clock.astype("datetime64[D]")
    if path.is_file():
        table = read_columns(path)
        dates = times(path, table, "Date", DAY_FORMAT).astype("datetime64[D]")
        density = dict(zip(dates, numbers(path, table, "Plant Density"), strict=True))
        found["plant_density"] = np.array([density.get(day, np.nan) for day in days])
    path = _file(folder, f"{name}_weight.csv")
    if path.is_file():
        found["head_dry_weight"] = np.full(clock.shape, np.nan)
        for date, mean in _weights(path).items():
            row = int(np.searchsorted(clock, date + np.timedelta64(12, "h")))
            if row < clock.size and days[row] == date:
                found["head_dry_weight"][row] = mean
    return found


def _weights(path: Path) -> dict[np.datetime64, float]:
    """Mean dry weight [g] by day, from lines `day; [dry, ...]; [fresh, ...]`."""
    lines = read_text(path).splitlines()[1:]
    table = {"timestamp": [line.split(";")[0].strip() for line in lines if line.strip()]}
    dates = times(path, table, "timestamp", DAY_FORMAT).astype("datetime64[D]")
    found = {}
    for date, line in zip(dates, (line for line in lines if line.strip()), strict=True):
        try:
            weights = np.array(json.loads(line.split(";")[1]), float)
            if not weights.size or not np.isfinite(weights).all():
                raise ValueError("no weights")
            found[date] = float(weights.mean())
        except (IndexError, ValueError, TypeError, OverflowError, RecursionError):
            raise DataFileError(path, f"{line!r} is no sample", "write day; [dry, ...]; [fresh, ...]") from None
    return found

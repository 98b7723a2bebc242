"""Logs from any CSV file, with a TOML file that says what its columns are.

[log]
name = "house 3"
source = "our climate computer"
licence = "own data"
latitude = 52.0
longitude = 4.5
utc_offset = 1.0                    # hours that the clock of the file is ahead of UTC
time_column = "time"
time_format = "%d-%m-%Y %H:%M"      # or "iso"

[columns]
air_temperature = { column = "T1", unit = "°C" }
relative_humidity = { column = "RH1", unit = "%" }
"""

from pathlib import Path
from typing import Any

from phytotron.core.errors import DataFileError, UnknownNameError
from phytotron.core.toml_files import read_toml
from phytotron.logs.csv_columns import numbers, read_columns, times
from phytotron.logs.table import GreenhouseLog, greenhouse_log, naming
from phytotron.logs.variables import conversion, log_variable
from phytotron.weather.site import Provenance, Site

NEEDED = ("name", "source", "licence", "latitude", "longitude", "utc_offset", "time_column", "time_format")
NUMBERS = ("latitude", "longitude", "utc_offset", "elevation", "floor_area", "crop_area")
OPTIONAL = ("elevation", "floor_area", "crop_area")


def read_csv_log(path: Path, mapping: Path) -> GreenhouseLog:
    """Return the log in a CSV file, as a mapping describes it."""
    about, chosen = _mapping(mapping)
    table = read_columns(path)
    with naming(mapping):
        conversions = {name: conversion(name, unit) for name, (_, unit) in chosen.items()}
        site = Site(about["name"], about["latitude"], about["longitude"], about.get("elevation", 0.0))
    columns = {}
    for name, (heading, _) in chosen.items():
        factor, offset = conversions[name]
        columns[name] = factor * numbers(path, table, heading) + offset
    with naming(path):
        return greenhouse_log(
            about["name"],
            times(path, table, about["time_column"], about["time_format"]),
            columns,
            site,
            Provenance(about["source"], about["licence"]),
            about["utc_offset"],
            about.get("floor_area"),
            about.get("crop_area"),
        )


def _mapping(path: Path) -> tuple[dict[str, Any], dict[str, tuple[str, str]]]:
    raw = read_toml(path, "a mapping of columns", "give a TOML file with [log] and [columns]")
    about, columns = raw.get("log"), raw.get("columns")
    if not isinstance(about, dict) or not isinstance(columns, dict) or not columns:
        raise DataFileError(path, "has no tables [log] and [columns]", "see the module phytotron.logs.csv_log")
    for key in about:
        if key not in (*NEEDED, *OPTIONAL):
            raise UnknownNameError(f"key of [log] in {path}", key, (*NEEDED, *OPTIONAL))
    for key in (*NEEDED, *(key for key in OPTIONAL if key in about)):
        kind = (int, float) if key in NUMBERS else (str,)
        if not isinstance(about.get(key), kind):
            raise DataFileError(path, f"[log] has no {key}, or not as {kind[-1].__name__}", f"add {key} to [log]")
    chosen = {}
    for name, entry in columns.items():
        with naming(path):
            log_variable(name)
        if not (isinstance(entry, dict) and set(entry) == {"column", "unit"}):
            raise DataFileError(path, f"{name} is {entry!r}", f'write {name} = {{ column = "...", unit = "..." }}')
        chosen[name] = (str(entry["column"]), str(entry["unit"]))
    return about, chosen

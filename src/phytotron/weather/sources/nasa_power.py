"""NASA POWER, daily values at a point: replies in JSON and CSV.

Days are those of local solar time (LST) or of UTC, as the reply was asked for; each is named by its date.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.weather.calendar import Times
from phytotron.weather.site import Provenance, Site
from phytotron.weather.sources import derive
from phytotron.weather.sources.numbers import (
    Floats,
    Rows,
    calendar_days,
    days_of_years,
    json_numbers,
    named_columns,
    numbers,
    shown,
    whole_numbers,
)
from phytotron.weather.sources.series import Column, Request, Series
from phytotron.weather.sources.text import Source, named_place, no_place
from phytotron.weather.sources.units import converted

LICENCE = "NASA POWER project data, free to use; acknowledge the POWER project"
BEGIN, END = "-BEGIN HEADER-", "-END HEADER-"
FILL = -999.0
LONGEST_HEADER = 500  # lines that are searched

# parameter -> variable, unit where the reply names none; radiation comes in two units and must name it
PARAMETERS: dict[str, tuple[str, str | None]] = {
    "ALLSKY_SFC_SW_DWN": ("irradiation", None),
    "TOA_SW_DWN": ("extraterrestrial_irradiation", None),
    "ALLSKY_TOA_SW_DWN": ("extraterrestrial_irradiation", None),
    "T2M": ("air_temperature", "C"),
    "T2M_MIN": ("minimum_temperature", "C"),
    "T2M_MAX": ("maximum_temperature", "C"),
    "T2MDEW": ("dew_point", "C"),
    "RH2M": ("relative_humidity", "%"),
    "WS2M": ("wind_speed_2m", "m/s"),
    "WS10M": ("wind_speed", "m/s"),
    "PRECTOTCORR": ("rain", "mm/day"),
    "PRECTOT": ("rain", "mm/day"),
    "PS": ("air_pressure", "kPa"),
}


def is_power(source: Source) -> bool:
    """Return whether this is a reply of NASA POWER."""
    if not source.looks_like_json:
        return source.lines[0].strip() == BEGIN
    return isinstance(source.json, dict) and ("properties" in source.json or source.json.get("type") == "Feature")


def read_power(source: Source, request: Request) -> Series:
    """Return a reply in JSON, or in CSV with its header."""
    return _read_json(source, request) if source.looks_like_json else _read_csv(source, request)


def _read_json(source: Source, request: Request) -> Series:
    reply = source.json
    values = _inner(reply, "properties", "parameter")
    if not isinstance(values, dict) or not values or not all(isinstance(held, dict) for held in values.values()):
        reason = _inner(reply, "messages") or _inner(reply, "detail") or "properties.parameter is missing"
        raise source.error(f"the reply holds no values: {shown(reason)}", "ask the daily point service of NASA POWER")
    keys = list(next(iter(values.values())))
    rows = Rows(np.array(keys, dtype=object), "entry")
    for parameter, held in values.items():
        if list(held) != keys:
            raise source.error(f"{parameter} has other days than {next(iter(values))}", "fetch the reply again")
    times = _key_days(source, keys, rows)
    fill = _inner(reply, "header", "fill_value")
    if not isinstance(fill, int | float) or isinstance(fill, bool):
        raise source.error(f"header.fill_value is {shown(fill)}", "expected the number that marks missing values")
    units = {parameter: _inner(reply, "parameters", parameter, "units") for parameter in values}
    texts = {parameter: list(held.values()) for parameter, held in values.items()}
    columns = _columns(source, json_numbers, texts, rows, units, float(fill))
    site = request.site or _json_site(source, _inner(reply, "geometry", "coordinates"))
    return _series(source, times, rows, columns, site, str(_inner(reply, "header", "time_standard") or "LST"))


def _read_csv(source: Source, request: Request) -> Series:
    stripped = [line.strip() for line in source.lines]
    if stripped[0] != BEGIN or END not in stripped:
        raise source.error(f"the header between {BEGIN} and {END} is missing", "fetch the reply with its header")
    stop = stripped.index(END)
    head = "\n".join(stripped[: min(stop, LONGEST_HEADER)])
    lines = [(number, line) for number, line in enumerate(stripped[stop + 1 :], stop + 2) if line]
    if not lines:
        raise source.error("the file ends with its header", "it is cut off; fetch it again")
    rows, texts = named_columns(source, lines[1:], lines[0])
    times = _column_days(source, texts, rows)
    _check_last_day(source, head, times, request)
    fill = re.search(r"missing.*:\s*(-?\d{1,6}(?:\.\d{1,6})?)\s*$", head, re.MULTILINE | re.ASCII)
    units = dict(re.findall(r"^(\w+)\s.*\(([^()]*)\)\s*$", head, re.MULTILINE))
    columns = _columns(source, numbers, texts, rows, units, float(fill.group(1)) if fill else FILL)
    standard = "UTC" if re.search(r"\bin UTC\b", head) else "LST"
    return _series(source, times, rows, columns, request.site or _csv_site(source, head), standard)


def _series(source: Source, times: Times, rows: Rows, columns: dict[str, Column], site: Site, standard: str) -> Series:
    return Series(
        source=source,
        times=times,
        rows=rows,
        interval=SECONDS_PER_DAY,
        columns=columns,
        site=site,
        provenance=Provenance("NASA POWER, daily values", LICENCE, (f"days of {standard}",)),
        derive=derive.DAYS,
    )


def _columns(
    source: Source,
    parse: Callable[[Source, str, Sequence[Any], Rows], Floats],
    texts: Mapping[str, Sequence[Any]],
    rows: Rows,
    units: Mapping[str, Any],
    fill: float,
) -> dict[str, Column]:
    columns: dict[str, Column] = {}
    for parameter in (each for each in texts if each in PARAMETERS):
        values = parse(source, parameter, texts[parameter], rows)
        name, usual = PARAMETERS[parameter]
        if name in columns:
            raise source.error(
                f"{columns[name].heading} and {parameter} both give {name}", "fetch the reply with one of them"
            )
        measured = np.where(values == fill, np.nan, values)
        measured = converted(source, parameter, name, measured, units.get(parameter) or usual)
        columns[name] = Column(parameter, measured, texts[parameter])
    return columns


def _key_days(source: Source, keys: Sequence[str], rows: Rows) -> Times:
    for key in keys:
        if not re.fullmatch(r"\d{8}", key, re.ASCII):
            hourly = re.fullmatch(r"\d{10}", key, re.ASCII)
            raise source.error(
                f"the key {shown(key)} is {'an hour' if hourly else 'not a date'}",
                "expected daily values under keys YYYYMMDD; ask the service temporal/daily",
            )
    dates = np.array([int(key) for key in keys], dtype=np.int64)
    return calendar_days(source, (dates // 10000, dates // 100 % 100, dates % 100), rows)


def _column_days(source: Source, texts: Mapping[str, Sequence[str]], rows: Rows) -> Times:
    if {"YEAR", "MO", "DY"} <= set(texts) and "HR" not in texts:
        year, month, day = (whole_numbers(source, name, texts[name], rows) for name in ("YEAR", "MO", "DY"))
        return calendar_days(source, (year, month, day), rows)
    if not {"YEAR", "DOY"} <= set(texts):
        raise source.error(
            f"the columns are {', '.join(list(texts)[:6])}", "expected daily values: YEAR,DOY or YEAR,MO,DY"
        )
    return days_of_years(source, texts["YEAR"], texts["DOY"], rows)


def _check_last_day(source: Source, head: str, times: Times, request: Request) -> None:
    """Refuse a file whose rows end before the day that the header names: it was cut off."""
    named = re.search(r"through (\d{2})/(\d{2})/(\d{4})", head, re.ASCII)
    if named and request.end is None:
        last = "{2}-{0}-{1}".format(*named.groups())
        if str(times[-1].astype("datetime64[D]")) < last:
            raise source.error(
                f"the rows end on {times[-1].astype('datetime64[D]')}, the header says {last}",
                "the file is cut off; fetch it again, or name its end by --last (end=)",
            )


def _json_site(source: Source, coordinates: Any) -> Site:
    if not isinstance(coordinates, list) or len(coordinates) != 3:
        raise source.error(
            f"geometry.coordinates is {shown(coordinates)}", "expected longitude, latitude and elevation"
        )
    longitude, latitude, elevation = json_numbers(
        source, "geometry.coordinates", coordinates, Rows(np.arange(1, 4), "entry")
    )
    return _site(source, latitude, longitude, elevation)


def _csv_site(source: Source, head: str) -> Site:
    number = r"(-?\d{1,5}(?:\.\d{1,9})?)"
    place = re.search(rf"latitude\s+{number}\s+longitude\s+{number}", head, re.ASCII)
    height = re.search(rf"elevation.*=\s*{number}\s*m", head, re.ASCII)
    if not place or not height:
        raise no_place(source, "the header does not name the place")
    return _site(source, float(place.group(1)), float(place.group(2)), float(height.group(1)))


def _site(source: Source, latitude: float, longitude: float, elevation: float) -> Site:
    return named_place(source, "the place", f"NASA POWER {latitude:g}, {longitude:g}", latitude, longitude, elevation)


def _inner(reply: Any, *keys: str) -> Any:
    """Return the value under nested keys; None where a key is missing."""
    for key in keys:
        reply = reply.get(key) if isinstance(reply, dict) else None
    return reply

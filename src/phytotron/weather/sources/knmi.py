"""KNMI, the weather service of the Netherlands: files of a decade, and replies of its script service, text or JSON.

The hour HH runs from HH - 1 to HH UT, and its row is named by the beginning. Radiation, wind and rain are of that hour;
temperature, humidity, cloud and pressure are read at its end, and stand in the same row, as GreenLight-Gym has it.

In files of a decade the legend stands free, in script replies behind #; a reply in JSON is a list with one object per
station and hour or day.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from phytotron.core.constants import SECONDS_PER_DAY, SECONDS_PER_HOUR
from phytotron.weather.calendar import Times
from phytotron.weather.site import Provenance, Site
from phytotron.weather.sources import derive
from phytotron.weather.sources.numbers import (
    Floats,
    Rows,
    calendar_days,
    check_hours,
    check_last_width,
    iso_times,
    json_numbers,
    named_columns,
    numbers,
    shown,
    whole_numbers,
)
from phytotron.weather.sources.series import Column, Request, Series
from phytotron.weather.sources.text import Source, named_place, no_place

# From the list in KNMI's replies, for files of a decade, which do not say where their station stands: latitude and
# longitude [degrees], height of the ground [m].
STATIONS = {
    "235": Site("De Kooy", 52.928, 4.781, 1.2),
    "240": Site("Schiphol", 52.318, 4.790, -3.3),
    "260": Site("De Bilt", 52.100, 5.180, 1.9),
    "269": Site("Lelystad", 52.458, 5.520, -3.7),
    "275": Site("Deelen", 52.056, 5.873, 48.2),
    "278": Site("Heino", 52.435, 6.259, 3.6),
    "280": Site("Eelde", 53.125, 6.585, 5.2),
    "290": Site("Twente", 52.274, 6.891, 33.3),
    "310": Site("Vlissingen", 51.442, 3.596, 8.0),
    "344": Site("Rotterdam", 51.962, 4.447, -4.3),
    "350": Site("Gilze-Rijen", 51.566, 4.936, 14.9),
    "356": Site("Herwijnen", 51.859, 5.146, 0.7),
    "370": Site("Eindhoven", 51.451, 5.377, 22.6),
    "380": Site("Maastricht", 50.906, 5.762, 114.3),
}
LICENCE = "KNMI open data (CC BY 4.0): name KNMI as the source"
TRACE = 0.025  # mm, for -1: less than 0.05 mm

# column -> variable, factor, unit as the legend spells it
HOURLY = {
    "T": ("air_temperature", 0.1, r"0\.1 (graden|degrees)"),
    "TD": ("dew_point", 0.1, r"0\.1 (graden|degrees)"),
    "U": ("relative_humidity", 1.0, r"procent|percent|%"),
    "Q": ("global_radiation", 1e4 / SECONDS_PER_HOUR, r"J/cm"),
    "FH": ("wind_speed", 0.1, r"0\.1 m/s"),
    "RH": ("rain", 0.1, r"0\.1 mm"),
    "N": ("oktas", 1.0, r"achtsten|octants|okta"),
    "P": ("sea_level_pressure", 10.0, r"0\.1 hPa"),
}
DAILY = {
    "TG": ("air_temperature", 0.1, r"0\.1 (graden|degrees)"),
    "TN": ("minimum_temperature", 0.1, r"0\.1 (graden|degrees)"),
    "TX": ("maximum_temperature", 0.1, r"0\.1 (graden|degrees)"),
    "UG": ("relative_humidity", 1.0, r"procent|percent|%"),
    "Q": ("irradiation", 1e4, r"J/cm"),
    "FG": ("wind_speed", 0.1, r"0\.1 m/s"),
    "RH": ("rain", 0.1, r"0\.1 mm"),
    "NG": ("oktas", 1.0, r"achtsten|octants|okta"),
    "PG": ("sea_level_pressure", 10.0, r"0\.1 hPa"),
}

DERIVE_HOURS = (derive.clouds_and_sky, *derive.HOURS, derive.pressure_at_station)
DERIVE_DAYS = (derive.clouds, *derive.DAYS, derive.pressure_at_station)

HEADER = re.compile(r"#?\s*STN\s*,\s*YYYYMMDD\s*(,|$)")
LEGEND = re.compile(r"#?\s*([A-Z][A-Z0-9]*)\s*[=:]\s*(.*)")
# number, longitude, latitude, height, name
STATION = re.compile(r"#\s*(\d{3}):?\s+(-?\d{1,3}\.\d+)\s+(-?\d{1,2}\.\d+)\s+(-?\d{1,4}\.\d+)\s+(\S.*)", re.ASCII)
HOUR_HEADINGS = ("HH", "H", "HOUR")


def chosen_station(source: Source, found: list[str], station: str | None) -> str:
    """Return the station to read, of those in a file."""
    held = sorted(set(found))
    if station is None and len(held) == 1:
        return held[0]
    listed = ", ".join(held[:12]) + (", ..." if len(held) > 12 else "")
    if station is None:
        raise source.error(f"the file holds {len(held)} stations: {listed}", "choose one by station= (--station)")
    if station not in held:
        raise source.error(f"the file does not hold station {station}", f"it holds {listed}")
    return station


def station_site(source: Source, station: str, listed: Mapping[str, Site]) -> Site:
    """Return the site of a station: as the file gives it, or as the package knows it."""
    if station in listed:
        return listed[station]
    if station in STATIONS:
        return STATIONS[station]
    raise no_place(source, f"the file does not say where station {station} is")


def knmi_series(
    source: Source,
    fields: Mapping[str, Sequence[Any]],
    parse: Callable[[Source, str, Sequence[Any], Rows], Floats],
    days: Times,
    hours: Any,
    rows: Rows,
    station: str,
    site: Site,
    legend: Mapping[str, str],
) -> Series:
    """Return the series of one station; `hours` is None where the rows are days."""
    what = f"KNMI, station {station} {site.name}, {'daily' if hours is None else 'hourly'} values"
    known = DAILY if hours is None else HOURLY
    columns = {}
    for heading, (name, factor, unit) in known.items():
        if heading in fields:
            _check_unit(source, heading, legend.get(heading, ""), unit)
            values = parse(source, heading, fields[heading], rows)
            values = np.where(values == -1.0, TRACE, values * factor) if name == "rain" else values * factor
            columns[name] = Column(heading, values, fields[heading])
    times = days if hours is None else days + (hours - 1) * np.timedelta64(SECONDS_PER_HOUR, "s")
    return Series(
        source=source,
        times=times,
        rows=rows,
        interval=SECONDS_PER_DAY if hours is None else SECONDS_PER_HOUR,
        columns=columns,
        site=site,
        provenance=Provenance(what, LICENCE),
        derive=DERIVE_DAYS if hours is None else DERIVE_HOURS,
        whole_days=hours is not None,
    )


def _check_unit(source: Source, heading: str, meaning: str, unit: str) -> None:
    """A legend that names a unit must name the one that is converted from."""
    named = re.search(r"\(in\s+([^)]*)\)", meaning)
    if named and not re.search(unit, meaning):
        raise source.error(
            f"the legend gives column {heading} in {named.group(1)!r}",
            "expected the units that KNMI uses; see the docs",
        )


def is_knmi(source: Source) -> bool:
    """Return whether this is a file of KNMI, or a reply of its script service."""
    if not source.looks_like_json:
        return any(HEADER.match(line) for line in source.lines[:400])
    reply = source.json
    return isinstance(reply, list) and bool(reply) and isinstance(reply[0], dict) and "station_code" in reply[0]


def read_knmi(source: Source, request: Request) -> Series:
    """Read one station of a file or reply."""
    return _read_json(source, request) if source.looks_like_json else _read_text(source, request)


def _read_text(source: Source, request: Request) -> Series:
    start = next((index for index, line in enumerate(source.lines) if HEADER.match(line)), None)
    if start is None:
        raise source.error("the line '# STN,YYYYMMDD,...' that names the columns is missing", "fetch the file again")
    lines = [
        (number, line)
        for number, line in enumerate(source.lines[start + 1 :], start + 2)
        if line.strip() and not line.startswith("#")
    ]
    check_last_width(source, lines)
    stations = [line.split(",", 1)[0].strip() for _, line in lines]
    station = chosen_station(source, stations, request.station)
    kept = [line for line, name in zip(lines, stations, strict=True) if name == station]
    rows, fields = named_columns(source, kept, (start + 1, source.lines[start].lstrip("# ")))

    dates = whole_numbers(source, "YYYYMMDD", fields["YYYYMMDD"], rows)
    days = calendar_days(source, (dates // 10000, dates // 100 % 100, dates % 100), rows)
    hour = next((name for name in HOUR_HEADINGS if name in fields), None)
    hours = None
    if hour is not None:
        hours = whole_numbers(source, hour, fields[hour], rows)
        check_hours(source, hours, rows)

    head = source.lines[:start]
    legend = {found.group(1): found.group(2) for found in map(LEGEND.match, head) if found}
    site = request.site or station_site(source, station, _listed_stations(source, head))
    return knmi_series(source, fields, numbers, days, hours, rows, station, site, legend)


def _listed_stations(source: Source, head: Sequence[str]) -> dict[str, Site]:
    found = [match.groups() for match in map(STATION.match, head) if match]
    return {
        number: named_place(
            source, f"station {number}", name.strip().title(), float(latitude), float(longitude), float(elevation)
        )
        for number, longitude, latitude, elevation, name in found
    }


def _read_json(source: Source, request: Request) -> Series:
    reply = source.json
    if not isinstance(reply, list) or not reply:
        raise source.error("the reply holds no list of values", "expected [{'station_code': ..., 'date': ...}, ...]")
    for number, entry in enumerate(reply, 1):
        if not isinstance(entry, dict) or entry.keys() != reply[0].keys():
            raise source.error(
                f"entry {number} differs from the first in its keys", "the reply is damaged; fetch it again"
            )
        if not {"station_code", "date"} <= set(entry):
            raise source.error(f"entry {number} has no station_code or no date", "expected both in every entry")
    stations = [str(entry["station_code"]) for entry in reply]
    station = chosen_station(source, stations, request.station)
    kept = [number for number, name in enumerate(stations, 1) if name == station]
    rows = Rows(np.array(kept), "entry")
    fields = {key: [reply[number - 1][key] for number in kept] for key in reply[0]}

    moments, given = iso_times(source, "date", fields["date"], rows), fields["date"]
    days = moments.astype("datetime64[D]").astype("datetime64[s]")
    source.refuse(
        moments != days, lambda bad: f"{rows[bad]}: date {shown(given[bad])} is not a midnight", "expected the day"
    )

    hours = None
    if "hour" in fields:
        found = json_numbers(source, "hour", fields["hour"], rows)
        wrong = ~(found == np.floor(found))
        source.refuse(wrong, lambda bad: f"{rows[bad]}: hour is {shown(fields['hour'][bad])}", "expected 1 to 24")
        check_hours(source, found, rows)
        hours = found.astype(np.int64)
    site = request.site or station_site(source, station, {})
    return knmi_series(source, fields, json_numbers, days, hours, rows, station, site, {})

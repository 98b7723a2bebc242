"""EnergyPlus weather (EPW): a year of hours, often of typical months out of several years.

EnergyPlus, Auxiliary Programs, "EnergyPlus Weather File (EPW) Data Dictionary". Hours 1 to 24 in local standard time.
"""

import calendar

import numpy as np
from numpy.typing import NDArray

from phytotron.core.constants import SECONDS_PER_HOUR
from phytotron.weather.site import Provenance, Site
from phytotron.weather.sources import derive
from phytotron.weather.sources.numbers import (
    calendar_days,
    check_hours,
    columns_of,
    header_numbers,
    numbers,
    shown,
    whole_numbers,
)
from phytotron.weather.sources.series import Column, Request, Series
from phytotron.weather.sources.text import Source, named_place

HEADER = (
    "LOCATION",
    "DESIGN CONDITIONS",
    "TYPICAL/EXTREME PERIODS",
    "GROUND TEMPERATURES",
    "HOLIDAYS/DAYLIGHT SAVINGS",
    "COMMENTS 1",
    "COMMENTS 2",
    "DATA PERIODS",
)
FEWEST_FIELDS = 24
ROWS = (8760, 8784)  # hours of a common year, of a leap year
SATURATED = 110.0  # %, the highest humidity that the format allows; above 100 the air is saturated

# field, counted from 0 -> heading, variable, factor, code from which on a value is missing
FIELDS: dict[int, tuple[str, str, float, float]] = {
    6: ("dry bulb temperature", "air_temperature", 1.0, 99.9),
    7: ("dew point temperature", "dew_point", 1.0, 99.9),
    8: ("relative humidity", "relative_humidity", 1.0, 999.0),
    9: ("atmospheric station pressure", "air_pressure", 1.0, 999999.0),
    12: ("horizontal infrared radiation", "longwave_radiation", 1.0, 9999.0),
    13: ("global horizontal radiation", "global_radiation", 1.0, 9999.0),
    21: ("wind speed", "wind_speed", 1.0, 999.0),
    22: ("total sky cover", "cloud_cover", 0.1, 99.0),
    33: ("liquid precipitation depth", "rain", 1.0, 999.0),
}


def is_epw(source: Source) -> bool:
    """Return whether a file is of the EPW format."""
    return source.lines[0].startswith("LOCATION,")


def read_epw(source: Source, request: Request) -> Series:
    """Return the hours of a file, put into one year: `year`, or that of its first row."""
    for number, (line, name) in enumerate(zip(source.lines, HEADER, strict=False), 1):
        if line.split(",")[0].strip().upper() != name:
            raise source.error(
                f"line {number} does not begin with {name}", "expected the 8 header lines of an EPW file"
            )
    if len(source.lines) <= len(HEADER):
        raise source.error("the file ends with its header", "it is cut off; fetch it again")
    _check_records_per_hour(source)
    lines = list(enumerate(source.lines[len(HEADER) :], len(HEADER) + 1))
    width = lines[0][1].count(",") + 1
    if width < FEWEST_FIELDS:
        raise source.error(f"line {lines[0][0]} has {width} fields", f"expected at least {FEWEST_FIELDS}")
    rows, texts = columns_of(source, lines, width)
    if len(lines) not in ROWS:
        raise source.error(
            f"the file has {len(lines)} rows", "expected the hours of a year: 8760, or 8784 in a leap year"
        )
    columns = {}
    for field, (heading, name, factor, missing) in FIELDS.items():
        if field < len(texts):
            values = numbers(source, heading, texts[field], rows)
            values = np.where(values >= missing, np.nan, values * factor)
            if name == "relative_humidity":
                values = np.where((values > 100.0) & (values <= SATURATED), 100.0, values)
            columns[name] = Column(heading, values, texts[field])
    years, month, day, hour = (
        whole_numbers(source, name, texts[field], rows) for field, name in enumerate(("year", "month", "day", "hour"))
    )
    check_hours(source, hour, rows)
    year, note = _nominal_year(source, request, years, bool(((month == 2) & (day == 29)).any()))
    days = calendar_days(source, (np.full_like(month, year), month, day), rows)
    site, zone, station = _location(source, request)
    local = days + (hour - 1) * np.timedelta64(SECONDS_PER_HOUR, "s")
    return Series(
        source=source,
        times=local - np.timedelta64(round(zone * SECONDS_PER_HOUR), "s"),
        rows=rows,
        interval=SECONDS_PER_HOUR,
        columns=columns,
        site=site,
        provenance=Provenance(f"EPW file: {station}", "see the publisher of the file", (note,)),
        derive=(derive.sky_from_longwave, *derive.HOURS),
    )


def _check_records_per_hour(source: Source) -> None:
    fields = [field.strip() for field in source.lines[len(HEADER) - 1].split(",")]
    records = fields[2] if len(fields) > 2 else ""
    if records != "1":
        raise source.error(
            f"line 8, DATA PERIODS, gives {shown(records)} records per hour",
            "expected 1: only hourly files can be read",
        )


def _nominal_year(source: Source, request: Request, years: NDArray[np.int64], leap_day: bool) -> tuple[int, str]:
    """The year of all rows, and what was done to get it."""
    found, mixed = int(years[0]), bool((years != years[0]).any())
    year = found if request.year is None else request.year
    if mixed and request.year is None and not leap_day and calendar.isleap(year):
        year += 1
    if mixed:
        note = f"typical year of months from {years.min()} to {years.max()}, named {year} throughout"
    else:
        note = "one year" if year == found else f"hours of {found}, named {year}"
    if leap_day and not calendar.isleap(year):
        raise source.error(f"the file has a 29 February, {year} has none", "name a leap year by --year (year=)")
    if request.year is not None and not leap_day and calendar.isleap(year):
        raise source.error(f"{year} has a 29 February, the file has none", "name a common year by --year (year=)")
    return year, note


def _location(source: Source, request: Request) -> tuple[Site, float, str]:
    """Parse LOCATION, city, region, country, source, station number, latitude, longitude, time zone, elevation."""
    fields = [field.strip() for field in source.lines[0].split(",")]
    names = ("latitude", "longitude", "time zone", "elevation")
    if len(fields) < 10:
        raise source.error(f"line 1 has {len(fields)} fields, expected 10", f"LOCATION must name {', '.join(names)}")
    latitude, longitude, zone, elevation = header_numbers(source, 1, names, fields[6:10])
    if not abs(zone) <= 14.0:
        raise source.error(f"line 1: the time zone is {shown(fields[8])}", "expected hours from UTC, -12 to 14")
    station = ", ".join(text for text in (fields[1], fields[3], fields[4]) if text and text != "-")
    site = request.site or named_place(source, "line 1", fields[1] or "EPW", latitude, longitude, elevation)
    return site, zone, station

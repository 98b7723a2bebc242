"""The five-minute weather that GreenLight-Gym publishes: one year per file, seconds since the start of the year.

The value of KNMI's hour HH stands at HH - 1 hours, and straight lines run between the hours.
"""

import re
from datetime import date

import numpy as np

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.weather.calendar import to_datetime64
from phytotron.weather.site import Provenance, Site
from phytotron.weather.sources import derive
from phytotron.weather.sources.knmi import LICENCE, STATIONS
from phytotron.weather.sources.numbers import named_columns, numbers
from phytotron.weather.sources.series import FIRST_YEAR, LAST_YEAR, Column, Request, Series
from phytotron.weather.sources.text import Source, no_place

INTERVAL = 300  # s
COLUMNS = {
    "global radiation": "global_radiation",
    "wind speed": "wind_speed",
    "air temperature": "air_temperature",
    "sky temperature": "sky_temperature",
    "CO2 concentration": "co2",
    "RH": "relative_humidity",
}
PLACES = {"amsterdam": STATIONS["240"]}  # folder of a file -> station


def is_glgym(source: Source) -> bool:
    """Return whether a file is a weather table of GreenLight-Gym."""
    headings = [name.strip() for name in source.lines[0].split(",")]
    return "time" in headings and {"global radiation", "air temperature"} <= set(headings)


def read_glgym(source: Source, request: Request) -> Series:
    """Read one year; its number is `year`, the year of `first`, or the name of the file."""
    rows, texts = named_columns(source, list(enumerate(source.lines, 1))[1:], (1, source.lines[0]))
    if "time" not in texts:
        raise source.error("line 1 has no column 'time'", f"expected time, {', '.join(COLUMNS)}")
    seconds = numbers(source, "time", texts["time"], rows)
    source.refuse(
        ~((seconds >= 0.0) & (seconds <= 367.0 * SECONDS_PER_DAY) & (seconds == np.floor(seconds))),
        lambda bad: f"{rows[bad]}, column time: {texts['time'][bad]!r}",
        "expected whole seconds since the year's start",
    )
    columns = {
        name: Column(heading, numbers(source, heading, texts[heading], rows), texts[heading])
        for heading, name in COLUMNS.items()
        if heading in texts
    }
    new_year = to_datetime64(date(_year(source, request), 1, 1))
    return Series(
        source=source,
        times=new_year + seconds.astype(np.int64) * np.timedelta64(1, "s"),
        rows=rows,
        interval=INTERVAL,
        columns=columns,
        site=request.site or _site(source),
        provenance=Provenance("KNMI hourly values, interpolated for GreenLight-Gym", LICENCE),
        derive=derive.HOURS,
    )


def _year(source: Source, request: Request) -> int:
    if request.year is not None:
        return request.year
    named = re.fullmatch(r"(\d{4})\.csv", source.name, re.ASCII)
    if named and FIRST_YEAR <= int(named.group(1)) <= LAST_YEAR:
        return int(named.group(1))
    if request.first is not None:
        return request.first.year
    raise source.error("the file does not say its year", "name it by --year (year=), or call the file YYYY.csv")


def _site(source: Source) -> Site:
    place = source.path.absolute().parent.name.lower()
    if place not in PLACES:
        raise no_place(source)
    return PLACES[place]

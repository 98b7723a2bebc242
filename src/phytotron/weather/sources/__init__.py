"""Weather files of others and of Phytotron itself: reading them with all checks, writing them whole.

>>> from phytotron.weather.sources import read_weather
>>> table = read_weather("uurgeg_240_2001-2010.zip", first=date(2008, 1, 1), fill_gaps=3)  # doctest: +SKIP
"""

import os
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from phytotron.core.errors import DataFileError, UnknownNameError, ValueRangeError
from phytotron.core.files import write_bytes
from phytotron.weather.calendar import Moment
from phytotron.weather.site import Site
from phytotron.weather.sources.cabo import is_cabo, read_cabo, read_cabo_files
from phytotron.weather.sources.epw import is_epw, read_epw
from phytotron.weather.sources.glgym import is_glgym, read_glgym
from phytotron.weather.sources.knmi import is_knmi, read_knmi
from phytotron.weather.sources.mapping import Columns, no_times
from phytotron.weather.sources.nasa_power import is_power, read_power
from phytotron.weather.sources.open_meteo import is_open_meteo, read_open_meteo
from phytotron.weather.sources.series import Request, Series, weather_from
from phytotron.weather.sources.table_csv import is_own_csv, looks_like_csv, own_csv, read_own_csv
from phytotron.weather.sources.table_parquet import is_parquet, own_parquet, read_parquet
from phytotron.weather.sources.text import Source, open_source
from phytotron.weather.table import WeatherTable

__all__ = ["FORMATS", "detect_format", "read_cabo_station", "read_own_file", "read_weather", "write_weather"]


@dataclass(frozen=True)
class Format:
    """A format: what it is, whether a file is of it, the series of a file."""

    name: str
    description: str
    recognises: Callable[[Source], bool]
    read: Callable[[Source, Request], Series]


def _text(test: Callable[[Source], bool]) -> Callable[[Source], bool]:
    return lambda source: not source.looks_like_json and test(source)


# In the order in which they are tried: the special before the general.
FORMATS = {
    known.name: known
    for known in (
        Format("parquet", "Phytotron's own table, Parquet", is_parquet, read_parquet),
        Format(
            "knmi",
            "KNMI hourly or daily values: files of a decade, script replies in text or JSON",
            is_knmi,
            read_knmi,
        ),
        Format("nasa_power", "NASA POWER daily values at a point, JSON or CSV", is_power, read_power),
        Format("open_meteo", "Open-Meteo archive, hourly or daily values, JSON", is_open_meteo, read_open_meteo),
        Format("epw", "EnergyPlus weather, a year of hours", _text(is_epw), read_epw),
        Format("cabo", "CABO weather of WOFOST and PCSE, a year of days", _text(is_cabo), read_cabo),
        Format("glgym", "GreenLight-Gym, a year of five minutes", _text(is_glgym), read_glgym),
        Format("csv", "Phytotron's own table, CSV", _text(is_own_csv), read_own_csv),
    )
}


def format_of(source: Source) -> Format:
    """Return the first format that recognises a file."""
    for known in FORMATS.values():
        if known.recognises(source):
            return known
    headings = [] if source.looks_like_json else looks_like_csv(source)
    if headings:
        raise no_times(source, headings)
    raise source.error(
        f"the file is of no format that is known ({', '.join(FORMATS)})",
        "name it by --format (format=) to learn what is missing; a CSV table needs a column of times and commas, "
        "semicolons or tabs between the columns",
    )


def read_weather(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    fill_gaps: float = 0,
    first: Moment | None = None,
    end: Moment | None = None,
    site: Site | None = None,
    station: str | int | None = None,
    require: Sequence[str] | None = None,
    year: int | None = None,
    utc_offset: float | None = None,
    columns: Columns | None = None,
    time_format: str | None = None,
) -> WeatherTable:
    """Return the weather of a file, checked: in order, without gaps, every value possible.

    Args:
        path: a file, plain or as .gz or .zip.
        format: one of `FORMATS`; without it the file is recognised by its content.
        fill_gaps: the longest gap [h] to fill by interpolation (rain by 0); the column `filled` marks such rows.
        first, end: read from a moment up to, not including, another (UTC); nothing else has to be complete.
        site: where it was measured, for files that do not say, or in place of what they say.
        station: which station to read, of a file with several.
        require: columns that must be there; "a|b" asks for one of two. Without it: radiation, temperature, and for
            hours wind and humidity, as a model needs them. A column that is not asked for and not complete is left out,
            with a note in the provenance.
        year: of files that do not say (GreenLight-Gym) or mix several (EPW).
        utc_offset: hours by which a local time that a table does not name is ahead of UTC.
        columns: of a CSV or Parquet table with names of its own, which column is which variable, and in which unit
            where its heading does not say: {"time": "Zeit", "air_temperature": "TEMP_C", "wind_speed": ("FF", "km/h")}.
        time_format: of the times of such a table, as for `datetime.strptime`, where they are not ISO 8601.
    """
    number = None if station is None else str(station)
    request = Request(fill_gaps, first, end, site, number, require, year, utc_offset, columns or {}, time_format)
    source = open_source(path)
    if format is not None and format not in FORMATS:
        raise UnknownNameError("weather format", format, FORMATS)
    if format is None and columns:
        format = "parquet" if is_parquet(source) else "csv"
    known = format_of(source) if format is None else FORMATS[format]
    for option, value in {"utc_offset": utc_offset, "time_format": time_format}.items():
        if value is not None and known.name not in ("csv", "parquet"):
            raise ValueRangeError(option, value, f"left out: files of the format {known.name} say what their times are")
    return weather_from(known.read(source, request), request)


def read_own_file(name: str) -> WeatherTable:
    """Return the table of a file that is named as weather; an error says which command takes what it lacks."""
    try:
        return read_weather(name)
    except DataFileError as error:
        if re.search(r" --(column|unit|place|utc-offset)\b", str(error)):
            command = f"phytotron weather import {shlex.quote(name)} --name NAME"
            error.args = (f"{error}. These are options of `{command}`, which keeps the table for --weather NAME",)
        raise


def read_cabo_station(
    folder: str | os.PathLike[str],
    station: str,
    *,
    fill_gaps: float = 0,
    first: Moment | None = None,
    end: Moment | None = None,
    site: Site | None = None,
    require: Sequence[str] | None = None,
) -> WeatherTable:
    """Return all years of a station from its CABO files, `station.NNN` in a folder; arguments as for `read_weather`."""
    request = Request(fill_gaps, first, end, site, require=require)
    return weather_from(read_cabo_files(Path(folder), station, request), request)


def write_weather(table: WeatherTable, path: str | os.PathLike[str]) -> None:
    """Write a table as .csv, .csv.gz or .parquet; reading it gives the same table. The file appears whole or not."""
    file = Path(path)
    name = file.name.lower()
    if name.endswith((".csv", ".csv.gz")):
        content = own_csv(table, file)
    elif name.endswith(".parquet"):
        content = own_parquet(table, file)
    else:
        raise DataFileError(file, "the name does not say in which format to write", "use .csv, .csv.gz or .parquet")
    write_bytes(file, content, durable=True)


def detect_format(path: str | os.PathLike[str]) -> str:
    """Return the name of a file's format."""
    return format_of(open_source(path)).name

"""Weather files of others and of Phytotron itself: reading them with all checks, writing them whole.

>>> from phytotron.weather.sources import read_weather
>>> table = read_weather("uurgeg_240_2001-2010.zip", first=date(2008, 1, 1), fill_gaps=3)  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from phytotron.core.errors import DataFileError
from phytotron.weather.calendar import Moment
from phytotron.weather.site import Site
from phytotron.weather.sources.cabo import read_cabo_files
from phytotron.weather.sources.formats import FORMATS, detect_format, format_of, named_format
from phytotron.weather.sources.series import Request, weather_from
from phytotron.weather.sources.table_csv import write_own_csv
from phytotron.weather.sources.table_parquet import write_parquet
from phytotron.weather.sources.text import open_source
from phytotron.weather.table import WeatherTable

__all__ = ["FORMATS", "detect_format", "read_cabo_station", "read_weather", "write_weather"]


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
) -> WeatherTable:
    """The weather of a file, checked: in order, without gaps, every value possible.

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
    """
    request = _request(fill_gaps, first, end, site, station, require, year, utc_offset)
    source = open_source(path)
    known = format_of(source) if format is None else named_format(format)
    return weather_from(known.read(source, request), request)


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
    """All years of a station from its CABO files, `station.NNN` in a folder; arguments as for `read_weather`."""
    request = _request(fill_gaps, first, end, site, None, require, None, None)
    return weather_from(read_cabo_files(Path(folder), station, request), request)


def write_weather(table: WeatherTable, path: str | os.PathLike[str]) -> None:
    """Write a table as .csv, .csv.gz or .parquet; reading it gives the same table. The file appears whole or not."""
    file = Path(path)
    name = file.name.lower()
    if name.endswith((".csv", ".csv.gz")):
        write_own_csv(table, file)
    elif name.endswith(".parquet"):
        write_parquet(table, file)
    else:
        raise DataFileError(file, "the name does not say in which format to write", "use .csv, .csv.gz or .parquet")


def _request(
    fill_gaps: float,
    first: Moment | None,
    end: Moment | None,
    site: Site | None,
    station: str | int | None,
    require: Sequence[str] | None,
    year: int | None,
    utc_offset: float | None,
) -> Request:
    return Request(
        fill_gaps=float(fill_gaps),
        first=first,
        end=end,
        site=site,
        station=None if station is None else str(station),
        require=None if require is None else tuple(require),
        year=year,
        utc_offset=utc_offset,
    )

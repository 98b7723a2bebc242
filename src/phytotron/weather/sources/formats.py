"""The formats that can be read, and how a file is recognised: by what is in it, not by its name."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from phytotron.core.errors import UnknownNameError
from phytotron.weather.sources.cabo import is_cabo, read_cabo
from phytotron.weather.sources.epw import is_epw, read_epw
from phytotron.weather.sources.glgym import is_glgym, read_glgym
from phytotron.weather.sources.knmi import is_knmi_json, is_knmi_text, read_knmi_json, read_knmi_text
from phytotron.weather.sources.nasa_power import is_power_csv, is_power_json, read_power_csv, read_power_json
from phytotron.weather.sources.open_meteo import is_open_meteo, read_open_meteo
from phytotron.weather.sources.series import Request, Series
from phytotron.weather.sources.table_csv import is_own_csv, read_own_csv
from phytotron.weather.sources.table_parquet import is_parquet, read_parquet
from phytotron.weather.sources.text import Source, open_source


@dataclass(frozen=True)
class Format:
    """A format: what it is, whether a file is of it, the series of a file."""

    name: str
    description: str
    recognises: Callable[[Source], bool]
    read: Callable[[Source, Request], Series]


def _knmi(source: Source, request: Request) -> Series:
    return read_knmi_json(source, request) if source.looks_like_json else read_knmi_text(source, request)


def _power(source: Source, request: Request) -> Series:
    return read_power_json(source, request) if source.looks_like_json else read_power_csv(source, request)


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
            lambda source: is_knmi_json(source.json) if source.looks_like_json else is_knmi_text(source),
            _knmi,
        ),
        Format(
            "nasa_power",
            "NASA POWER daily values at a point, JSON or CSV",
            lambda source: is_power_json(source.json) if source.looks_like_json else is_power_csv(source),
            _power,
        ),
        Format(
            "open_meteo",
            "Open-Meteo archive, hourly or daily values, JSON",
            lambda source: source.looks_like_json and is_open_meteo(source.json),
            read_open_meteo,
        ),
        Format("epw", "EnergyPlus weather, a year of hours", _text(is_epw), read_epw),
        Format("cabo", "CABO weather of WOFOST and PCSE, a year of days", _text(is_cabo), read_cabo),
        Format("glgym", "GreenLight-Gym, a year of five minutes", _text(is_glgym), read_glgym),
        Format("csv", "Phytotron's own table, CSV", _text(is_own_csv), read_own_csv),
    )
}


def format_of(source: Source) -> Format:
    """The first format that recognises a file."""
    for known in FORMATS.values():
        if known.recognises(source):
            return known
    raise source.error(
        f"the file is of no format that is known ({', '.join(FORMATS)})",
        "name it by format= to learn what is missing; a CSV table needs a column 'time' or 'date'",
    )


def named_format(name: str) -> Format:
    if name not in FORMATS:
        raise UnknownNameError("weather format", name, FORMATS)
    return FORMATS[name]


def detect_format(path: str | os.PathLike[str]) -> str:
    """The name of a file's format."""
    return format_of(open_source(path)).name

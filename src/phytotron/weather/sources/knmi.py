"""KNMI, the weather service of the Netherlands: what its columns mean, in files and in replies of its script service.

The hour HH runs from HH - 1 to HH UT, and its row is named by the beginning. Radiation, wind and rain are of that hour;
temperature, humidity, cloud and pressure are read at its end, and stand in the same row, as GreenLight-Gym has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.weather.calendar import Times
from phytotron.weather.site import Provenance, Site
from phytotron.weather.sources import derive
from phytotron.weather.sources.numbers import Floats, Rows
from phytotron.weather.sources.series import Column, Series
from phytotron.weather.sources.text import Source

HOUR = 3600  # s
LICENCE = "KNMI open data (CC BY 4.0): name KNMI as the source"
TRACE = 0.025  # mm, for -1: less than 0.05 mm

# column -> variable, factor, unit as the legend spells it
HOURLY = {
    "T": ("air_temperature", 0.1, r"0\.1 (graden|degrees)"),
    "TD": ("dew_point", 0.1, r"0\.1 (graden|degrees)"),
    "U": ("relative_humidity", 1.0, r"procent|percent|%"),
    "Q": ("global_radiation", 1e4 / HOUR, r"J/cm"),
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

Parse = Callable[[str, Sequence[Any]], Floats]  # heading and fields to numbers


def knmi_series(
    source: Source,
    fields: Mapping[str, Sequence[Any]],
    parse: Parse,
    days: Times,
    hours: Any,
    rows: Rows,
    station: str,
    site: Site,
    legend: Mapping[str, str],
    row_word: str = "line",
) -> Series:
    """The series of one station; `hours` is None where the rows are days."""
    what = f"KNMI, station {station} {site.name}, {'daily' if hours is None else 'hourly'} values"
    known = DAILY if hours is None else HOURLY
    columns = {}
    for heading, (name, factor, unit) in known.items():
        if heading in fields:
            _check_unit(source, heading, legend.get(heading, ""), unit)
            values = parse(heading, fields[heading])
            values = np.where(values == -1.0, TRACE, values * factor) if name == "rain" else values * factor
            columns[name] = Column(heading, values, fields[heading])
    times = days if hours is None else days + (hours - 1) * np.timedelta64(HOUR, "s")
    return Series(
        source=source,
        times=times,
        rows=rows,
        interval=SECONDS_PER_DAY if hours is None else HOUR,
        columns=columns,
        site=site,
        provenance=Provenance(what, LICENCE),
        derive=_daily if hours is None else _hourly,
        row_word=row_word,
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


def _hourly(columns: dict[str, Floats], site: Site) -> dict[str, Floats]:
    return derive.pressure_at_station(derive.humidity(derive.clouds_and_sky(columns)), site)


def _daily(columns: dict[str, Floats], site: Site) -> dict[str, Floats]:
    oktas = columns.pop("oktas", None)
    if oktas is not None:
        columns["cloud_cover"] = np.minimum(oktas, 8.0) / 8.0
    return derive.pressure_at_station(derive.humidity(derive.days(columns)), site)

"""KNMI's text files: those of a decade, whose legend stands free, and script replies, whose legend stands behind #."""

from __future__ import annotations

import re
from collections.abc import Sequence

from phytotron.weather.site import Site
from phytotron.weather.sources.knmi import knmi_series
from phytotron.weather.sources.knmi_stations import chosen_station, station_site
from phytotron.weather.sources.numbers import Floats, calendar_days, check_hours, numbers, whole_numbers
from phytotron.weather.sources.place import named_place
from phytotron.weather.sources.rows import check_last_width, named_columns
from phytotron.weather.sources.series import Request, Series
from phytotron.weather.sources.text import Source

HEADER = re.compile(r"#?\s*STN\s*,\s*YYYYMMDD\s*(,|$)")
LEGEND = re.compile(r"#?\s*([A-Z][A-Z0-9]*)\s*[=:]\s*(.*)")
# number, longitude, latitude, height, name
STATION = re.compile(r"#\s*(\d{3}):?\s+(-?\d{1,3}\.\d+)\s+(-?\d{1,2}\.\d+)\s+(-?\d{1,4}\.\d+)\s+(\S.*)", re.ASCII)
HOUR_HEADINGS = ("HH", "H", "HOUR")


def is_knmi_text(source: Source) -> bool:
    return any(HEADER.match(line) for line in source.lines[:400])


def read_knmi_text(source: Source, request: Request) -> Series:
    """One station of a text file."""
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

    def parse(heading: str, texts: Sequence[str]) -> Floats:
        return numbers(source, heading, texts, rows)

    head = source.lines[:start]
    legend = {found.group(1): found.group(2) for found in map(LEGEND.match, head) if found}
    site = request.site or station_site(source, station, _listed_stations(source, head))
    return knmi_series(source, fields, parse, days, hours, rows, station, site, legend)


def _listed_stations(source: Source, head: Sequence[str]) -> dict[str, Site]:
    found = [match.groups() for match in map(STATION.match, head) if match]
    return {
        number: named_place(
            source, f"station {number}", name.strip().title(), float(latitude), float(longitude), float(elevation)
        )
        for number, longitude, latitude, elevation, name in found
    }

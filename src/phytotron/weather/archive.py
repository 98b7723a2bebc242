"""Weather by name: what is embedded, what lies in the data folder, and how to get what is missing.

A series is named after its source, place and step: `schiphol` and `wageningen` (embedded), `knmi_240_hourly`,
`nasa_power_52.00N_5.50E_daily`. In the data folder, `$PHYTOTRON_WEATHER` or the one that a caller names, the files of a
series carry its source and place, its step, and their years: `knmi_240_hourly_2001.csv.gz`, or
`knmi_240_schiphol_hourly_2008_2025.csv.gz`. Folders within it are searched too.
"""

import functools
import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Literal

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.weather.embedded import EMBEDDED, embedded_weather
from phytotron.weather.fetching.cache import RAW, weather_folder
from phytotron.weather.generator import PRESETS, WeatherGenerator
from phytotron.weather.sources import read_weather
from phytotron.weather.splits import PARTS, SPLITS, Split, Windows, find_split
from phytotron.weather.table import WeatherTable, joined

PLACE = r"(?P<place>knmi_\d+|(?:nasa_power|open_meteo)_[\d.]+[NS]_[\d.]+[EW])"
STEP = r"(?P<step>hourly|daily)"
SERIES = re.compile(rf"{PLACE}_{STEP}")
NAME = re.compile(rf"{PLACE}(?:_[a-z_]+?)?_{STEP}(?:_(?P<first>\d{{4}})(?:_(?P<last>\d{{4}}))?)?(?:\.\w+)+$")
# Of "generated:PRESET"; for other years or climates give the table of a `WeatherGenerator`.
GENERATED_SEED, GENERATED_FROM = 0, 2001
GENERATED_YEARS = {"hourly": 10, "daily": 100}


class MissingWeatherError(PhytotronError):
    """Weather that is not at hand; the message lists it with the commands that fetch it."""


@dataclass(frozen=True)
class Missing:
    """Years of a series that are not at hand."""

    series: str
    years: tuple[int, ...]

    @property
    def command(self) -> str:
        """What brings them."""
        place, step = _parse(self.series)
        years = f"{self.years[0]}-{self.years[-1]}" if len(self.years) > 1 else f"{self.years[0]}"
        daily = " --daily" if step == "daily" else ""
        if place.startswith("knmi_"):
            return f"phytotron weather fetch knmi --station {place[5:]} --years {years}{daily}"
        service = "power" if place.startswith("nasa") else "open-meteo"
        north, east = place.split("_")[2:]
        latitude = float(north[:-1]) * (1 if north[-1] == "N" else -1)
        longitude = float(east[:-1]) * (1 if east[-1] == "E" else -1)
        daily = daily if service == "open-meteo" else ""
        place = f"--latitude {latitude:g} --longitude {longitude:g}"
        return f"phytotron weather fetch {service} {place} --years {years}{daily}"


@dataclass(frozen=True)
class Source:
    """A file of a series, and the years that it should hold."""

    path: Path
    first: int
    last: int


def files_of(series: str, folder: Path | None = None) -> list[Source]:
    """The files of a series in the data folder, by first year."""
    place, step = _parse(series)
    named = _files(folder or weather_folder(), f"{place}_*{step}*")
    found = [Source(path, *_span(path, name)) for path, name in named if (name["place"], name["step"]) == (place, step)]
    return sorted(found, key=lambda source: (source.first, source.last, str(source.path)))


def series_in(folder: Path) -> dict[str, tuple[int, ...]]:
    """The series that a data folder holds, each with its years."""
    found: dict[str, set[int]] = {}
    for path, name in _files(folder, "*"):
        first, last = _span(path, name)
        found.setdefault(f"{name['place']}_{name['step']}", set()).update(range(first, last + 1))
    return {name: tuple(sorted(years)) for name, years in sorted(found.items())}


def file_name(table: WeatherTable) -> str:
    """The name under which a table is found in the data folder."""
    step = "daily" if table.interval == SECONDS_PER_DAY else "hourly"
    first, last = table.start.year, (table.end - timedelta(seconds=1)).year
    years = f"{first}" if first == last else f"{first}_{last}"
    station = re.match(r"KNMI, station (\d+)", table.provenance.source)
    if station:
        place = f"knmi_{station[1]}"
    else:
        place = re.sub(r"[^a-z0-9]+", "_", table.site.name.lower()).strip("_") or "weather"
    return f"{place}_{step}_{years}.csv.gz"


def missing_years(series: str, years: Iterable[int], folder: Path | None = None) -> tuple[int, ...]:
    """Those of the years for which no file is there."""
    if series in EMBEDDED:
        table = embedded_weather(series)
        return tuple(year for year in years if not table.start.year <= year < table.end.year)
    sources = files_of(series, folder)
    return tuple(year for year in years if not any(each.first <= year <= each.last for each in sources))


def load_years(series: str, years: Sequence[int], folder: Path | None = None) -> list[WeatherTable]:
    """The series in the years wanted: one table for each run of years that follow each other."""
    absent = missing_years(series, years, folder)
    if absent:
        raise MissingWeatherError(missing_text([Missing(series, absent)], folder))
    return [joined(_year(series, year, folder) for year in run) for run in _runs(sorted(set(years)))]


def missing_of(split: Split, parts: Sequence[str], folder: Path | None = None) -> list[Missing]:
    """What a split needs and is not at hand."""
    wanted: dict[str, set[int]] = {}
    for part in parts:
        for windows in split.part(part):
            wanted.setdefault(windows.series, set()).update(windows.years)
    absent = {series: missing_years(series, sorted(years), folder) for series, years in wanted.items()}
    return [Missing(series, years) for series, years in absent.items() if years]


def load_part(name: str, part: str, folder: Path | None = None) -> list[tuple[Windows, list[WeatherTable]]]:
    """The windows of a part of a split, each with the tables that hold them."""
    split = find_split(name)
    windows = split.part(part)
    if not windows:
        raise ValueRangeError(f"the part of split {name!r}", part, "one that has windows")
    absent = missing_of(split, (part,), folder)
    if absent:
        raise MissingWeatherError(f"split {name!r}, {part}: " + missing_text(absent, folder))
    return [(each, load_years(each.series, each.years, folder)) for each in windows]


def missing_text(absent: Sequence[Missing], folder: Path | None = None) -> str:
    """What is missing, and the commands that fetch it."""
    lines = [f"weather is missing from {folder or weather_folder()}:"]
    for each in absent:
        if each.series in EMBEDDED:
            table = embedded_weather(each.series)
            lines.append(f"  {each.series}, embedded, holds {table.start.year} to {table.end.year - 1} only")
        else:
            shown = ", ".join(map(str, each.years[:6])) + (", ..." if len(each.years) > 6 else "")
            lines.append(f"  {each.series} {shown}; get it with: {each.command}")
    return "\n".join(lines)


def named_weather(
    name: str, step: Literal["hourly", "daily"], folder: Path | None = None
) -> Sequence[tuple[Windows | None, list[WeatherTable]]]:
    """The tables of a name: "SPLIT:PART", an embedded series, or "generated:PRESET".

    Each list comes with the windows that a split has in it; without windows all of it counts.
    `step` is that of the splits that can be named, and of what is generated.
    """
    if name in EMBEDDED:
        return [(None, [embedded_weather(name)])]
    source, _, part = name.partition(":")
    if source == "generated" and part in PRESETS:
        generator = WeatherGenerator(part)
        make = generator.hourly_table if step == "hourly" else generator.daily_table
        return [(None, [make(GENERATED_SEED, GENERATED_FROM, GENERATED_YEARS[step])])]
    daily = step == "daily"
    if source not in SPLITS or part not in PARTS or SPLITS[source].daily != daily:
        known = [f"{each}:{part}" for each in SPLITS for part in PARTS if SPLITS[each].daily == daily]
        raise UnknownNameError("weather", name, [*EMBEDDED, *known, *(f"generated:{preset}" for preset in PRESETS)])
    return load_part(source, part, folder)


def _year(series: str, year: int, folder: Path | None) -> WeatherTable:
    first, end = date(year, 1, 1), date(year + 1, 1, 1)
    if series in EMBEDDED:
        return embedded_weather(series).window(first, end)
    source = next(each for each in files_of(series, folder) if each.first <= year <= each.last)
    table = _read(source.path, source.path.stat().st_mtime_ns)
    return table.window(max(first, table.start.date()), min(end, table.end.date()))


@functools.lru_cache(maxsize=64)
def _read(path: Path, modified: int) -> WeatherTable:
    del modified  # a changed file is read anew
    return read_weather(path)


def _span(path: Path, named: re.Match[str]) -> tuple[int, int]:
    """First and last year of a file, from its name or, where that does not tell, from its rows."""
    if named["first"]:
        return int(named["first"]), int(named["last"] or named["first"])
    table = _read(path, path.stat().st_mtime_ns)
    return table.start.year, (table.end - timedelta(seconds=1)).year


def _files(folder: Path, pattern: str) -> list[tuple[Path, re.Match[str]]]:
    """The files of series in a folder and those within it, without the replies that a fetch keeps."""
    paths = folder.rglob(pattern) if folder.is_dir() else ()
    held = sorted(path for path in paths if path.is_file() and path.parent.name != RAW)
    return [(path, name) for path in held if (name := NAME.match(path.name))]


def _parse(series: str) -> tuple[str, str]:
    found = SERIES.fullmatch(series)
    if not found:
        expected = f"{', '.join(EMBEDDED)}, or a name such as knmi_240_hourly or nasa_power_52.00N_5.50E_daily"
        raise ValueRangeError("the weather series", series, expected)
    return found["place"], found["step"]


def _runs(years: Sequence[int]) -> list[list[int]]:
    """Years that follow each other, together."""
    grouped = itertools.groupby(enumerate(years), lambda item: item[1] - item[0])
    return [[year for _, year in run] for _, run in grouped]

"""Weather by name: what is embedded, what lies in the data folder, and how to get what is missing.

A series is named after its source, place and step: `schiphol` and `wageningen` (embedded), `knmi_240_hourly`,
`nasa_power_52.00N_5.50E_daily`, or `my_farm_hourly` for what a user imported. In the data folder, `$PHYTOTRON_WEATHER`
or the one that a caller names, the files of a series carry its source and place, its step, and their years:
`knmi_240_hourly_2001.csv.gz`, or `knmi_240_schiphol_hourly_2008_2025.csv.gz`. Folders within it are searched too.
"""

import functools
import itertools
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Literal

from phytotron.core.arrays import read_only
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import DataFileError, PhytotronError, UnknownNameError, ValueRangeError, suggestion
from phytotron.weather.calendar import utc
from phytotron.weather.embedded import EMBEDDED, embedded_weather
from phytotron.weather.fetching.cache import RAW, weather_folder
from phytotron.weather.generator import PRESETS, WeatherGenerator
from phytotron.weather.sources import read_own_file, read_weather
from phytotron.weather.splits import PARTS, SPLITS, Split, Windows, find_split
from phytotron.weather.table import WeatherTable, joined

PLACE = r"(?P<place>knmi_\d+|(?:nasa_power|open_meteo)_[\d.]+[NS]_[\d.]+[EW])"
STEP = r"(?P<step>hourly|daily)"
YEARS = r"(?:_(?P<first>\d{4})(?:_(?P<last>\d{4}))?)?(?:\.\w+)+$"
SERIES = re.compile(rf"(?P<place>\w[\w.-]*?)_{STEP}")
SERVICE = re.compile(rf"{PLACE}(?:_[a-z_]+?)?_{STEP}{YEARS}")  # files of services, which may name the station as well
IMPORTED = re.compile(rf"(?P<place>\w[\w.-]*?)_{STEP}{YEARS}")  # files of any other name
SUFFIXES = (".csv", ".gz", ".zip", ".epw", ".txt", ".json", ".parquet")
# Of "generated:PRESET" (version 0 of the generator, whose weather published episodes have) and "generated:PRESET-v1";
# for other years or climates give the table of a `WeatherGenerator`.
GENERATED = {preset: (preset, 0) for preset in PRESETS} | {f"{preset}-v1": (preset, 1) for preset in PRESETS}
GENERATED_SEED, GENERATED_FROM = 0, 2001
GENERATED_YEARS = {"hourly": 10, "daily": 100}


class MissingWeatherError(PhytotronError):
    """Weather that is not at hand; the message lists it with the commands that fetch it."""


class UnknownWeatherError(UnknownNameError):
    """A name that no weather has, neither in the package nor in the data folder."""


@dataclass(frozen=True)
class Missing:
    """Years of a series that are not at hand."""

    series: str
    years: tuple[int, ...]

    @property
    def command(self) -> str:
        """The command that fetches them."""
        place, step = _parse(self.series)
        years = f"{self.years[0]}-{self.years[-1]}" if len(self.years) > 1 else f"{self.years[0]}"
        daily = " --daily" if step == "daily" else ""
        if place.startswith("knmi_"):
            return f"phytotron weather fetch knmi --station {place[5:]} --years {years}{daily}"
        if not re.fullmatch(PLACE, place):
            return f"phytotron weather import FILE --name {place}"
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
    """Return the files of a series in the data folder, by first year."""
    place, step = _parse(series)
    named = _files(folder or weather_folder(), f"{place}_*{step}*")
    found = [Source(path, *_span(path, name)) for path, name in named if (name["place"], name["step"]) == (place, step)]
    return sorted(found, key=lambda source: (source.first, source.last, str(source.path)))


def series_in(folder: Path) -> dict[str, tuple[int, ...]]:
    """Return the series that a data folder holds, each with its years.

    A file that only has the name of one is left out.
    """
    found: dict[str, set[int]] = {}
    for path, name in _files(folder, "*"):
        try:
            first, last = _span(path, name)
        except DataFileError:
            continue
        found.setdefault(f"{name['place']}_{name['step']}", set()).update(range(first, last + 1))
    return {name: tuple(sorted(years)) for name, years in sorted(found.items())}


def file_name(table: WeatherTable, name: str | None = None) -> str:
    """Return the name under which a table is found in the data folder: by its station or site, or as it is to be
    called.
    """
    step = "daily" if table.interval == SECONDS_PER_DAY else "hourly"
    first, last = table.start.year, (table.end - timedelta(seconds=1)).year
    years = f"{first}" if first == last else f"{first}_{last}"
    station = re.match(r"KNMI, station (\d+)", table.provenance.source)
    if station and name is None:
        place = f"knmi_{station[1]}"
    else:
        place = re.sub(r"[^a-z0-9.]+", "_", (name or table.site.name).lower()).strip("_.") or "weather"
    return f"{place.removesuffix('_' + step)}_{step}_{years}.csv.gz"


def series_of(path: Path) -> str | None:
    """Return the series that a file of the data folder belongs to, by its name."""
    found = _match(path.name)
    return None if found is None else f"{found['place']}_{found['step']}"


def missing_years(series: str, years: Iterable[int], folder: Path | None = None) -> tuple[int, ...]:
    """Return the years that have no file."""
    if series in EMBEDDED:
        table = embedded_weather(series)
        return tuple(year for year in years if not table.start.year <= year < table.end.year)
    sources = files_of(series, folder)
    return tuple(year for year in years if not any(each.first <= year <= each.last for each in sources))


def load_years(series: str, years: Sequence[int], folder: Path | None = None) -> list[WeatherTable]:
    """Return the series in the years wanted: one table for each run of years that follow each other."""
    absent = missing_years(series, years, folder)
    if absent:
        raise MissingWeatherError(missing_text([Missing(series, absent)], folder))
    return [joined(_year(series, year, folder) for year in run) for run in _runs(sorted(set(years)))]


def missing_of(split: Split, parts: Sequence[str], folder: Path | None = None) -> list[Missing]:
    """Return the series that a split needs and that are not at hand."""
    wanted: dict[str, set[int]] = {}
    for part in parts:
        for windows in split.part(part):
            wanted.setdefault(windows.series, set()).update(windows.years)
    absent = {series: missing_years(series, sorted(years), folder) for series, years in wanted.items()}
    return [Missing(series, years) for series, years in absent.items() if years]


def load_part(name: str, part: str, folder: Path | None = None) -> list[tuple[Windows, list[WeatherTable]]]:
    """Return the windows of a part of a split, each with the tables that hold them."""
    split = find_split(name)
    windows = split.part(part)
    if not windows:
        raise ValueRangeError(f"the part of split {name!r}", part, "one that has windows")
    absent = missing_of(split, (part,), folder)
    if absent:
        raise MissingWeatherError(f"split {name!r}, {part}: " + missing_text(absent, folder))
    return [(each, load_years(each.series, each.years, folder)) for each in windows]


def missing_text(absent: Sequence[Missing], folder: Path | None = None) -> str:
    """Return a text that names missing series, and the commands that fetch them."""
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
    """Return the tables of a name: "SPLIT:PART", a series (embedded or of the data folder), "generated:PRESET", or a
    file.

    Each list comes with the windows that a split has in it; without windows all of it counts.
    `step` is that of the splits that can be named, and of what is generated.
    """
    if name in EMBEDDED:
        return [(None, [embedded_weather(name)])]
    source, _, part = name.partition(":")
    if source == "generated" and part in GENERATED:
        preset, version = GENERATED[part]
        generator = WeatherGenerator(preset, version=version)
        make = generator.hourly_table if step == "hourly" else generator.daily_table
        return [(None, [make(GENERATED_SEED, GENERATED_FROM, GENERATED_YEARS[step])])]
    if source in SPLITS and part in PARTS:
        held = "daily" if SPLITS[source].daily else "hourly"
        if held != step:
            others = [each for each in known_names(step, folder) if ":" in each]
            remedy = suggestion(name, others) or f"name other weather, such as {others[0]}"
            raise PhytotronError(f"the weather {name!r} is {held}, and {step} weather is needed here; {remedy}")
        return load_part(source, part, folder)
    series = find_series(name, step, folder)
    if series is not None:
        return [(None, load_series(series, folder))]
    if _is_file(name):
        return [(None, [read_own_file(name)])]
    raise UnknownWeatherError("weather", name, known_names(step, folder))


def known_names(step: str, folder: Path | None = None) -> list[str]:
    """Return the names that `named_weather` knows, besides files."""
    splits = [f"{each}:{part}" for each in SPLITS if _has_step(each, step) for part in PARTS]
    made = [f"generated:{each}" for each in GENERATED]
    return [*EMBEDDED, *series_in(folder or weather_folder()), *splits, *made]


def _has_step(split: str, step: str) -> bool:
    """Return whether a split has weather of a step; False for one of an installed package that cannot be imported."""
    try:
        return bool(SPLITS[split].daily == (step == "daily"))
    except PhytotronError:
        return False


def find_series(name: str, step: str, folder: Path | None = None) -> str | None:
    """Return the series of the data folder that a name stands for, with or without its step."""
    if not re.fullmatch(r"\w[\w.-]*", name):
        return None
    place = name.removesuffix("_hourly").removesuffix("_daily")  # between it and the step, a file may name the station
    held = {series_of(path) for path, _ in _files(folder or weather_folder(), f"{place}*")}
    others = ("hourly", "daily") if step == "hourly" else ("daily", "hourly")
    return next((each for each in (name, *(f"{name}_{other}" for other in others)) if each in held), None)


def load_series(series: str, folder: Path | None = None) -> list[WeatherTable]:
    """Return all that the data folder holds of a series: one table for each stretch without a gap.

    Of what two files hold, that of the earlier one is taken.
    """
    tables: list[WeatherTable] = []
    for source in files_of(series, folder):
        table = _read(source.path, source.path.stat().st_mtime_ns)
        before = tables[-1] if tables else None
        if before is None or table.start > before.end:
            tables.append(table)
        elif table.end > before.end:
            tables[-1] = joined((before, table.window(before.end, table.end)))
    return tables


def files_behind(name: str, step: Literal["hourly", "daily"], folder: Path | None = None) -> tuple[Any, ...]:
    """Return the paths and modification times of the files behind a name, which show whether they have changed.

    The result is empty for embedded and generated weather, which do not change.
    """
    if name in EMBEDDED or name.partition(":")[0] == "generated":
        return ()
    root = folder or weather_folder()
    paths = [source.path for series in _series_behind(name, step, folder) for source in files_of(series, folder)]
    if not paths and Path(name).is_file():
        paths = [Path(name)]
    return str(root), *((str(path.resolve()), path.stat().st_mtime_ns) for path in paths)


def _series_behind(name: str, step: str, folder: Path | None) -> list[str]:
    """The series of the data folder that a name stands for: those of the part of a split, or one."""
    source, _, part = name.partition(":")
    if source in SPLITS and part in PARTS:
        return sorted({windows.series for windows in SPLITS[source].part(part)} - set(EMBEDDED))
    series = find_series(name, step, folder)
    return [] if series is None else [series]


def _year(series: str, year: int, folder: Path | None) -> WeatherTable:
    first, end = date(year, 1, 1), date(year + 1, 1, 1)
    if series in EMBEDDED:
        return embedded_weather(series).window(first, end)
    source = next(each for each in files_of(series, folder) if each.first <= year <= each.last)
    table = _read(source.path, source.path.stat().st_mtime_ns)
    return table.window(max(utc(first), table.start), min(utc(end), table.end))


@functools.lru_cache(maxsize=64)
def _read(path: Path, modified: int) -> WeatherTable:
    del modified  # a changed file is read anew
    table = read_weather(path)
    read_only(dict(table.columns))
    return table


def _span(path: Path, named: re.Match[str]) -> tuple[int, int]:
    """Return the first and the last year of a file, from its name or, where that does not tell, from its rows."""
    if named["first"]:
        return int(named["first"]), int(named["last"] or named["first"])
    table = _read(path, path.stat().st_mtime_ns)
    return table.start.year, (table.end - timedelta(seconds=1)).year


def _files(folder: Path, pattern: str) -> list[tuple[Path, re.Match[str]]]:
    """The files of series in a folder and those within it, without the replies that a fetch keeps."""
    root = Path(folder)  # a text, where it comes from the command line
    paths = root.rglob(pattern) if root.is_dir() else ()
    held = sorted(path for path in paths if path.is_file() and path.parent.name != RAW)
    return [(path, name) for path in held if (name := _match(path.name))]


def _match(name: str) -> re.Match[str] | None:
    """Place, step and years in the name of a file."""
    return SERVICE.match(name) or IMPORTED.match(name)


def _is_file(name: str) -> bool:
    """Return whether a name is, or looks like, the path of a file."""
    return Path(name).is_file() or name.lower().endswith(SUFFIXES) or os.sep in name


def _parse(series: str) -> tuple[str, str]:
    found = SERIES.fullmatch(series)
    if not found:
        expected = f"{', '.join(EMBEDDED)}, or a name such as knmi_240_hourly or nasa_power_52.00N_5.50E_daily"
        raise ValueRangeError("the weather series", series, expected)
    return found["place"], found["step"]


def _runs(years: Sequence[int]) -> list[list[int]]:
    """Return years in groups of successive ones."""
    grouped = itertools.groupby(enumerate(years), lambda item: item[1] - item[0])
    return [[year for _, year in run] for _, run in grouped]

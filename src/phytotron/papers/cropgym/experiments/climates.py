"""The seasons of the paper's two climates, or the nearest that are at hand in a folder, however it is called.

Points on a map are known by the coordinates in the names of their files: `..._51.97N_5.67E_..._1983_2020.csv`, of a
format that `read_weather` knows, and `nasapower_lat51.5_lon5.npz`, the NASA POWER record of PCSE with the evaporation
that it computed (arrays `day`, `lat`, `lon`, `elev`, and a column per variable in PCSE's units).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import DataFileError
from phytotron.papers.cropgym.numbers import NORTH, SOUTH, TRAINING_SITES, YEARS
from phytotron.weather.archive import load_part, missing_of
from phytotron.weather.calendar import days_since_new_year
from phytotron.weather.evapotranspiration import Angstrom, angstrom_coefficients
from phytotron.weather.field_weather import FieldWeather, concatenated, field_weather, named_field_weather
from phytotron.weather.radiation import angot_radiation
from phytotron.weather.site import Provenance, Site
from phytotron.weather.sources import read_weather
from phytotron.weather.splits import find_split
from phytotron.weather.table import WeatherTable, weather_table

NAMED = re.compile(
    r"_(?P<north>-?[\d.]+)(?P<ns>[NS])_(?P<east>-?[\d.]+)(?P<ew>[EW])_(?!.*hourly).*\d{4}\.(csv|csv\.gz)$"
)
RECORD = re.compile(r"nasapower_lat(?P<north>-?[\d.]+)_lon(?P<east>-?[\d.]+)\.npz$")
EARTH = 6371.0  # km
# column, its name in a record of PCSE, and what makes our unit of PCSE's
COLUMNS = (
    ("irradiation", "IRRAD", 1.0),
    ("minimum_temperature", "TMIN", 1.0),
    ("maximum_temperature", "TMAX", 1.0),
    ("air_temperature", "TEMP", 1.0),
    ("rain", "RAIN", 10.0),
    ("bare_soil_evaporation", "ES0", 10.0),
    ("reference_evapotranspiration", "ET0", 10.0),
)
NORTHERN, SOUTHERN = "cropgym", "cropgym_south"
GENERATED = "generated:france48n"
EVEN, ODD = YEARS[::2], YEARS[1::2]
NEAR = 100.0  # km
FEWEST = 4  # seasons that make a median
QUICK = 6  # seasons of a part, for a first look


@dataclass(frozen=True)
class Point:
    """A point with daily weather."""

    path: Path
    latitude: float
    longitude: float

    @property
    def name(self) -> str:
        """Return its coordinates and the name of its file."""
        return f"({self.latitude:g} N, {self.longitude:g} E), {self.path.name}"

    @property
    def is_record(self) -> bool:
        """Return whether it is a record of PCSE."""
        return self.path.suffix == ".npz"

    def distance(self, north: float, east: float) -> float:
        """Return great-circle distance [km]."""
        a, b = math.radians(self.latitude), math.radians(north)
        half = math.sin(0.5 * (a - b)) ** 2
        half += math.cos(a) * math.cos(b) * math.sin(0.5 * math.radians(self.longitude - east)) ** 2
        return 2.0 * EARTH * math.asin(math.sqrt(half))

    def seasons(self, years: Iterable[int]) -> FieldWeather | None:
        """Return the seasons of these years that are complete, 1 January to 1 September; None if there are none."""
        tables = _record(self) if self.is_record else [_read(self)]
        parts, wanted = [], set(years)
        for table in tables:
            every = range(table.start.year, table.end.year + 1)
            first, end = table.start.date(), table.end.date()
            held = [y for y in every if y in wanted and first <= date(y, 1, 1) and date(y, 9, 1) < end]
            if held:
                parts.append(field_weather(table, held, _angstrom(table)))
        return concatenated(parts) if parts else None


def points_in(folder: Path) -> list[Point]:
    """Return all points of a folder and of those within it."""
    points = []
    for path in sorted(folder.rglob("*")):
        found = NAMED.search(path.name) or RECORD.match(path.name)
        if found and path.is_file():
            groups = found.groupdict()
            north, east = (float(groups[name].rstrip(".")) for name in ("north", "east"))
            south, west = groups.get("ns") == "S", groups.get("ew") == "W"
            points.append(Point(path, -north if south else north, -east if west else east))
    return points


def seasons_near(
    folder: Path, site: tuple[float, float], years: Iterable[int], within: float, fewest: int
) -> list[tuple[Point, FieldWeather]]:
    """Return points within so many km that hold enough of the seasons, and these.

    Records of PCSE come first, whatever their distance: they are what the paper's code reads. Then the nearest.
    """
    wanted, near = list(years), [point for point in points_in(folder) if point.distance(*site) <= within]
    near.sort(key=lambda point: (not point.is_record, point.distance(*site)))
    held = [(point, point.seasons(wanted)) for point in near]
    return [(point, seasons) for point, seasons in held if seasons is not None and seasons.seasons >= fewest]


def _read(point: Point) -> WeatherTable:
    """A file, with the place that its name tells if it tells none itself."""
    try:
        return read_weather(point.path)
    except DataFileError:
        return read_weather(point.path, site=Site(point.path.stem, point.latitude, point.longitude))


def _angstrom(table: WeatherTable) -> Angstrom | None:
    """Ångström's coefficients estimated from the whole table, as PCSE does, where nothing in it tells them."""
    sufficient = ("extraterrestrial_irradiation", "bare_soil_evaporation")
    if table.site.angstrom is not None or any(name in table for name in sufficient):
        return None
    day = days_since_new_year(table.times) + 1.0
    return angstrom_coefficients(table["irradiation"], angot_radiation(day, np.float64(table.site.latitude)))


def _record(point: Point) -> list[WeatherTable]:
    """The stretches without a gap of a record of PCSE."""
    try:
        with np.load(point.path, allow_pickle=False) as held:
            days = held["day"].astype("datetime64[D]")
            columns = {name: factor * np.asarray(held[symbol], float) for name, symbol, factor in COLUMNS}
            site = Site(point.path.stem, float(held["lat"]), float(held["lon"]), float(held["elev"]))
    except (OSError, KeyError, ValueError) as error:
        raise DataFileError(point.path, f"not a record of NASA POWER ({error})", "expected that of PCSE") from error
    breaks = np.flatnonzero(np.diff(days) != np.timedelta64(1, "D")) + 1

    def stretch(rows: Any) -> WeatherTable:
        start: date = days[rows[0]].item()
        values = {name: column[rows] for name, column in columns.items()}
        return weather_table(values, start, SECONDS_PER_DAY, site, Provenance("NASA POWER", "public domain"))

    return [stretch(rows) for rows in np.split(np.arange(days.size), breaks)]


@dataclass(frozen=True)
class Seasons:
    """Seasons and where they come from."""

    weather: FieldWeather
    origin: str
    exact: bool = False  # the paper's own points and years
    name: str | None = None  # under which an environment finds them

    def cut(self, quick: bool) -> Seasons:
        """Return the first seasons only, for a first look."""
        return Seasons(self.weather.of(range(min(QUICK, self.weather.seasons))), self.origin) if quick else self

    @property
    def described(self) -> str:
        """Return the number of seasons, their years and their origin, in words."""
        years = sorted({int(year) for year in self.weather.year})
        return f"{self.weather.seasons} seasons, {years[0]}-{years[-1]}, {self.origin}"


def northern_training(folder: Path | None) -> Seasons:
    """Return the odd years at the three training sites."""
    if folder is None:
        name = "embedded_wheat:train"
        return Seasons(named_field_weather(name), "Wageningen, embedded, odd years", name=name)
    return _in_folder(folder, (NORTHERN, "train"), "the paper's three points", TRAINING_SITES, ODD, "odd years")


def northern_test(folder: Path | None) -> Seasons:
    """Return the even years at (52 N, 5.5 E)."""
    if folder is None:
        even = concatenated([named_field_weather(f"embedded_wheat:{part}") for part in ("test", "validation")])
        by_year = sorted(range(even.seasons), key=lambda row: int(even.year[row]))
        return Seasons(even.of(by_year), "Wageningen, embedded, even years")
    return _in_folder(folder, (NORTHERN, "test"), "(52 N, 5.5 E)", (NORTH,), EVEN, "even years")


def southern_test(folder: Path | None) -> Seasons:
    """Return the even years at (48 N, 0 E); where another point stands in for it, all the paper's years that it holds.

    Nothing is trained on southern weather, so that odd years are as new to every agent as even ones.
    """
    if folder is None:
        return Seasons(named_field_weather(GENERATED), "generator france48n, generated years")
    return _in_folder(folder, (SOUTHERN, "test"), "(48 N, 0 E)", (SOUTH,), YEARS, "odd and even years")


def other_northern_tests(folder: Path | None, used: Seasons) -> list[Seasons]:
    """Return the even years at the other points near (52 N, 5.5 E), to see what the source of weather does."""
    near = [] if folder is None else seasons_near(folder, NORTH, EVEN, NEAR, FEWEST)
    others = [Seasons(weather, f"{point.name}, even years") for point, weather in near]
    return [each for each in others if each.origin != used.origin]


def even_years(seasons: Seasons) -> Seasons:
    """Return the test years of the paper."""
    chosen = [row for row, year in enumerate(seasons.weather.year) if int(year) % 2 == 0]
    return Seasons(seasons.weather.of(chosen), f"{seasons.origin.rpartition(', ')[0]}, even years", seasons.exact)


def _in_folder(
    folder: Path,
    part: tuple[str, str],
    exact: str,
    sites: Sequence[tuple[float, float]],
    years: Sequence[int],
    which: str,
) -> Seasons:
    """The paper's own part of a split, where it is complete; else the best point for each of some sites, each once."""
    if not missing_of(find_split(part[0]), part[1:], folder):
        name = ":".join(part)
        parity = "odd" if part[1] == "train" else "even"
        return Seasons(named_field_weather(name, folder), f"{exact}, {parity} years", True, name)
    near = [seasons_near(folder, site, years, NEAR, FEWEST)[:1] for site in sites]
    found = {point.path: (point, weather) for best in near for point, weather in best}
    if not found:
        load_part(*part, folder)  # says what is missing and how to get it
    origin = " and ".join(point.name for point, _ in found.values())
    return Seasons(concatenated([weather for _, weather in found.values()]), f"{origin}, {which}")


CLIMATES: Mapping[str, Callable[[Path | None], Seasons]] = {
    "Northern climate": northern_test,
    "Southern climate": southern_test,
}

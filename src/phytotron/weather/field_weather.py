"""The weather that a field sees: seven inputs a day, for many seasons that start on 1 January."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from numbers import Integral
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.arrays import read_only
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.weather.archive import files_behind, files_of, named_weather
from phytotron.weather.calendar import utc
from phytotron.weather.daily import daily_from_hourly, site_angstrom, with_evaporation
from phytotron.weather.embedded import EMBEDDED, embedded_weather
from phytotron.weather.evapotranspiration import Angstrom, angstrom_coefficients
from phytotron.weather.sources import read_weather
from phytotron.weather.table import WeatherError, WeatherTable

# named as in models.lintul3.Weather, and in its units
INPUTS = (
    "irradiation",
    "minimum_temperature",
    "maximum_temperature",
    "air_temperature",
    "rain",
    "bare_soil_evaporation",
    "reference_evapotranspiration",
)
LONGEST_SEASON = 366  # d
LEAST_PADDED, PADDED_DAYS = 16, 8  # seasons of padded weather, and what its days are a multiple of
HECTOPASCAL = 0.01  # per Pa
WHOLE_SEASON = (9, 1)  # month and day of the latest harvest of winter wheat


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class FieldWeather:
    """Daily inputs of seasons, each from 1 January of its year on; a pytree, so that it can live on a device.

    A season whose weather ends early repeats its last day; `length` tells how many days it really has.
    """

    values: Any  # (seasons, days, 7), in the order of INPUTS
    year: Any  # (seasons,)
    length: Any  # (seasons,), days
    site: Any  # (seasons,), place in `sites`
    sites: tuple[str, ...] = field(metadata={"static": True})
    vapour_pressure: Any = None  # (seasons, days), hPa, to be observed; no input of the model, None where unknown

    @property
    def seasons(self) -> int:
        """The number of seasons."""
        return int(self.values.shape[0])

    @property
    def days(self) -> int:
        """The number of days of each season."""
        return int(self.values.shape[1])

    @property
    def leap(self) -> Any:
        """Return whether the year of each season has a 29 February."""
        year = self.year
        return ((year % 4 == 0) & (year % 100 != 0)) | (year % 400 == 0)

    def series(self, name: str) -> Any:
        """Return all values (seasons, days) of an input."""
        if name not in INPUTS:
            raise UnknownNameError("input of a field", name, INPUTS)
        return self.values[..., INPUTS.index(name)]

    def window(self, season: Any, first: Any, count: int) -> Array:
        """Return the inputs (count, 7) of some days of a season; pure JAX, season and day may be traced.

        A window that reaches beyond the last day is moved back to end there.
        """
        start = tuple(jnp.asarray(index, jnp.int32) for index in (season, first, 0))
        return jax.lax.dynamic_slice(jnp.asarray(self.values), start, (1, count, len(INPUTS)))[0]

    def vapour_pressure_window(self, season: Any, first: Any, count: int) -> Array:
        """Return the vapour pressure (count,) [hPa] of the days of a window."""
        start = tuple(jnp.asarray(index, jnp.int32) for index in (season, first))
        return jax.lax.dynamic_slice(jnp.asarray(self.vapour_pressure), start, (1, count))[0]

    def label(self, season: int) -> str:
        """Return the site and year of a season."""
        return f"{self.sites[int(self.site[season])]} {int(self.year[season])}"

    def of(self, seasons: Any) -> FieldWeather:
        """Return some of the seasons."""
        return jax.tree.map(lambda each: np.asarray(each)[np.asarray(seasons)], self)

    def padded(self) -> FieldWeather:
        """Return the weather with its last season repeated until there are 16, 32, 64, ... and its last days likewise.

        Programs are compiled by shape: those for padded weather serve any other of nearly the same size. Sites have no
        names in it.
        """
        seasons = np.minimum(np.arange(max(LEAST_PADDED, 2 ** (self.seasons - 1).bit_length())), self.seasons - 1)
        days = np.minimum(np.arange(-(-self.days // PADDED_DAYS) * PADDED_DAYS), self.days - 1)

        def longer(each: Any) -> Array:
            chosen = jnp.asarray(each)[seasons]
            return chosen if chosen.ndim == 1 else chosen[:, days]

        return replace(jax.tree.map(longer, self), sites=())

    def resized(self, days: int) -> FieldWeather:
        """Return the weather with this many days in every season: cut off, or filled up with the last one."""
        held = np.minimum(np.arange(days), self.days - 1)
        values, vapour = jax.tree.map(lambda each: np.asarray(each)[:, held], (self.values, self.vapour_pressure))
        return FieldWeather(values, self.year, np.minimum(self.length, days), self.site, self.sites, vapour)

    def on_device(self, precision: str) -> FieldWeather:
        """Return the weather with values of a precision, on JAX's default device."""

        def placed(each: Any) -> Array:
            whole = np.issubdtype(np.asarray(each).dtype, np.integer)
            return jnp.asarray(np.asarray(each), jnp.int32 if whole else precision)

        return jax.tree.map(placed, self)


def field_weather(
    weather: WeatherTable | Iterable[WeatherTable],
    years: int | Sequence[int] | None = None,
    angstrom: Angstrom | None = None,
) -> FieldWeather:
    """Return the seasons of one table, or of several.

    Hours are made into days. Evaporation is computed where the table has none. Without `years`, all seasons from
    1 January to 1 September or later are taken; a year that is asked for may end earlier, if the crop is ripe by then.
    Of several tables, each gives the seasons that it holds; one that holds none is left out.
    """
    if not isinstance(weather, WeatherTable):
        tables = [_days(table) for table in weather]
        return concatenated([field_weather(*held, angstrom) for held in _shared_out(tables, years)])
    table = _days(weather)
    if not all(name in table for name in INPUTS[-2:]):
        table = with_evaporation(table, angstrom)
    chosen = _chosen_years(table, years)
    values, length = _seasons(table, np.stack([np.asarray(table[name], float) for name in INPUTS], axis=-1), chosen)
    vapour = None
    if "vapour_pressure" in table:
        vapour = _seasons(table, HECTOPASCAL * np.asarray(table["vapour_pressure"], float), chosen)[0]
    year = np.array(chosen)
    return FieldWeather(values, year, length, np.zeros_like(year), (table.site.name,), vapour)


def _days(table: WeatherTable) -> WeatherTable:
    return table if table.interval == SECONDS_PER_DAY else daily_from_hourly(table)


def _shared_out(
    tables: Sequence[WeatherTable], years: int | Sequence[int] | None
) -> list[tuple[WeatherTable, Sequence[int] | None]]:
    """Return the tables that hold seasons, each with its years; where none does, the first, whose error says so."""
    if years is None:
        return [(table, None) for table in tables if whole_seasons(table)] or [(table, None) for table in tables[:1]]
    starting = [_starting(table) for table in tables]
    wanted = _checked(years, sorted(set().union(*starting)), "; ".join(map(_span, tables)))
    shares = [[year for year in each if year in wanted] for each in starting]
    return [(table, share) for table, share in zip(tables, shares, strict=True) if share]


def concatenated(parts: Sequence[FieldWeather]) -> FieldWeather:
    """Return the seasons of one after those of another, as one."""
    if not parts:
        raise WeatherError("no field weather to put together")
    days = max(part.days for part in parts)
    sites = tuple(dict.fromkeys(name for part in parts for name in part.sites))
    numbers = [np.array([sites.index(name) for name in part.sites])[np.asarray(part.site)] for part in parts]
    wide = [part.resized(days) for part in parts]
    vapour = [part.vapour_pressure for part in wide]
    return FieldWeather(
        np.concatenate([np.asarray(part.values) for part in wide]),
        np.concatenate([np.asarray(part.year) for part in parts]),
        np.concatenate([np.asarray(part.length) for part in parts]),
        np.concatenate(numbers),
        sites,
        None if any(each is None for each in vapour) else np.concatenate(vapour),
    )


def named_field_weather(name: str, folder: Path | None = None, years: tuple[int, ...] | None = None) -> FieldWeather:
    """Return the weather of a name, see `named_weather`.

    Of a series or file, `years` are taken even if they end before 1 September; parts of splits have their own years.
    """
    return _made(name, folder, years, files_behind(name, "daily", folder))


@functools.lru_cache(maxsize=8)
def _made(name: str, folder: Path | None, years: tuple[int, ...] | None, files: object) -> FieldWeather:
    del files  # changed ones are read anew
    parts = []
    for windows, tables in named_weather(name, "daily", folder):
        if windows is None:
            parts.append(field_weather(tables, years))
            continue
        wanted, angstrom = {start.year for start in windows.starts}, series_angstrom(windows.series, folder)
        for table in tables:
            held = [year for year in range(table.start.year, table.end.year + 1) if year in wanted]
            parts.append(field_weather(table, held, angstrom))
    return read_only(concatenated(parts))


def series_angstrom(series: str, folder: Path | None) -> Angstrom:
    """Return Ångström's coefficients of a series, estimated from its whole record, as PCSE does, and not from some
    years.
    """
    if series in EMBEDDED:
        return site_angstrom(embedded_weather(series))
    tables = [read_weather(source.path) for source in files_of(series, folder)]
    names = ("irradiation", "extraterrestrial_irradiation")
    if tables[0].site.angstrom is not None or not all(name in table for table in tables for name in names):
        return site_angstrom(tables[0])
    return angstrom_coefficients(*(np.concatenate([np.asarray(table[name]) for table in tables]) for name in names))


def _seasons(table: WeatherTable, values: Any, years: Sequence[int]) -> tuple[Any, Any]:
    """Daily values of a table by season, the last day of a shorter one repeated, and the days that each really has."""
    first = np.array([table.row(date(year, 1, 1)) for year in years])
    end = np.array([(min(utc(date(year + 1, 1, 1)), table.end) - table.start).days for year in years])
    length = np.minimum(end - first, LONGEST_SEASON)
    rows = first[:, None] + np.minimum(np.arange(length.max()), length[:, None] - 1)
    return values[rows], length


def whole_seasons(table: WeatherTable) -> list[int]:
    """Return the years whose weather a table holds from 1 January to 1 September at least."""
    years = range(table.start.year, table.end.year + 1)
    return [y for y in years if table.start <= utc(date(y, 1, 1)) and utc(date(y, *WHOLE_SEASON)) < table.end]


def _span(table: WeatherTable) -> str:
    return f"{table.start:%Y-%m-%d} to {table.end - timedelta(days=1):%Y-%m-%d}"


def _starting(table: WeatherTable) -> list[int]:
    """The years whose 1 January a table holds."""
    years = range(table.start.year, table.end.year + 1)
    return [year for year in years if table.start <= utc(date(year, 1, 1)) < table.end]


def _chosen_years(table: WeatherTable, years: int | Sequence[int] | None) -> list[int]:
    if years is None:
        whole = whole_seasons(table)
        if not whole:
            remedy = "name its years to use one that ends earlier" if _starting(table) else "give more days"
            raise WeatherError(
                f"the weather of {table.site.name} ({_span(table)}) holds no season from 1 January to 1 September; "
                + remedy
            )
        return whole
    return _checked(years, _starting(table), _span(table))


def _checked(years: int | Sequence[int], starting: Sequence[int], span: str) -> list[int]:
    wanted: Any = [years] if isinstance(years, Integral) else years
    if isinstance(wanted, str) or not len(wanted) or not set(wanted) <= set(starting):
        raise ValueRangeError("years", years, f"one or more of {', '.join(map(str, starting)) or 'none'} ({span})")
    return [int(year) for year in wanted]

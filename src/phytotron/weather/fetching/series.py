"""The way from years asked for to one file per year: what all services have in common."""

import contextlib
import itertools
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TypedDict

from phytotron.core.constants import SECONDS_PER_DAY, SECONDS_PER_HOUR
from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.weather.fetching import arguments
from phytotron.weather.fetching.cache import RAW, RawCache, unusable, weather_folder
from phytotron.weather.fetching.http import Client, FetchError, Report, address
from phytotron.weather.sources import read_weather, write_weather
from phytotron.weather.table import WeatherTable

HOURLY, DAILY = SECONDS_PER_HOUR, SECONDS_PER_DAY
# A grid has values everywhere at all times, so that all that models need has to be there; stations may lack some.
HOURLY_COLUMNS = ("global_radiation", "air_temperature", "relative_humidity", "wind_speed", "rain")
DAILY_COLUMNS = (
    "irradiation", "minimum_temperature", "maximum_temperature", "vapour_pressure", "wind_speed_2m", "rain",
)  # fmt: skip
LATEST_DAYS = 60  # by which the values of an unfinished year may lag behind: radiation comes after temperature

ANY = 1e9  # h

FETCHED, CACHED, PRESENT = "fetched", "cached", "already there"


@dataclass(frozen=True)
class Request:
    """A request to a service."""

    method: str
    url: str
    parameters: Mapping[str, str]

    @property
    def address(self) -> str:
        """The request as one address."""
        return address(self.url, self.parameters)


@dataclass(frozen=True)
class Series:
    """The weather of one place from one service."""

    service: str
    first_year: int
    why_then: str  # the reason why there is nothing before
    stem: str  # of file names, before the year
    suffix: str  # of raw replies
    interval: int  # s
    years_per_request: int | None  # None: all years at once
    delay: int  # days until a day can be asked for
    ask: Callable[[date, date], Request]  # for the days from the first to the last
    hint: str  # a question to the user where a reply is not what was asked for
    station: str | None = None
    require: tuple[str, ...] | None = None  # columns that have to be complete; None: what the reader requires

    def path(self, folder: Path, year: int) -> Path:
        """Return the file of a year."""
        return folder / f"{self.stem}_{year}.csv.gz"

    def raw_name(self, years: Sequence[int]) -> str:
        """Return the name of the reply that covers some years."""
        return f"{self.stem}_{_span(years)}{self.suffix}"


class FetchOptions(TypedDict, total=False):
    """Options of fetching weather, whatever the service; see `fetch_series`."""

    folder: Path | str | None
    refresh: bool
    fill_gaps: float  # h
    client: Client | None
    report: Report | None


@dataclass(frozen=True)
class FetchedYear:
    """A file with a year of weather: from the internet, from a cached reply, or already there."""

    path: Path
    year: int
    origin: str
    first: datetime  # UTC
    end: datetime  # UTC; before the end of the year where it is not over

    @property
    def complete(self) -> bool:
        """Return whether it goes to the end of the year."""
        return self.end == new_year(self.year + 1)


def new_year(year: int) -> datetime:
    """Return the beginning of a year in UTC."""
    return datetime(year, 1, 1, tzinfo=UTC)


def fetch_series(
    series: Series,
    years: Iterable[int],
    *,
    folder: Path | str | None = None,
    refresh: bool = False,
    fill_gaps: float = 0,
    client: Client | None = None,
    report: Report | None = None,
) -> list[FetchedYear]:
    """Fetch one file per year in a folder, by default the data folder (`$PHYTOTRON_WEATHER`).

    Years that are there are left alone, raw replies are kept in `raw` in the data folder and used again; `refresh`
    fetches everything anew. Gaps of up to `fill_gaps` hours are filled, longer ones are errors. The year that is not
    over is fetched up to the last day that the service has. `report` is called with a message on each request.
    """
    output = weather_folder() if folder is None else Path(folder)
    run = _Run(
        series, output, RawCache(weather_folder() / RAW), client or Client(), report or (lambda text: None),
        refresh, arguments.checked_gap(fill_gaps), arguments.today() - timedelta(days=series.delay),
    )  # fmt: skip
    return run.fetch(arguments.checked_years(series.service, years, series.first_year, series.why_then))


@dataclass(frozen=True)
class _Run:
    series: Series
    output: Path
    cache: RawCache
    client: Client
    report: Report
    refresh: bool
    fill_gaps: float  # h
    last_day: date  # that the service can have

    def fetch(self, years: list[int]) -> list[FetchedYear]:
        try:
            self.output.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unusable(self.output, error) from error
        there = {} if self.refresh else {year: file for year in years if (file := self._present(year))}
        absent = [year for year in years if year not in there]
        if absent and self.last_day < date(absent[-1], 1, 1):
            raise FetchError(f"{self.series.service} has no values for {absent[-1]} yet; ask for earlier years")
        for together in self._requests(absent):
            there |= {file.year: file for file in self._years(together)}
        return [there[year] for year in years]

    def _present(self, year: int) -> FetchedYear | None:
        """Return the file of a year; None where there is none, or where something could be added to it."""
        path = self.series.path(self.output, year)
        if not path.exists():
            return None
        try:
            table = read_weather(path)
        except (PhytotronError, OSError) as error:
            warnings.warn(f"{error}; the file is made anew", stacklevel=2)
            return None
        if table.interval != self.series.interval or (table.start, table.end) != (new_year(year), self._end(year)):
            return None
        return FetchedYear(path, year, PRESENT, table.start, table.end)

    def _end(self, year: int) -> datetime:
        """Return the end of a year, or of the data that can exist of it by now."""
        after = self.last_day + timedelta(days=1)
        return min(new_year(year + 1), datetime(after.year, after.month, after.day, tzinfo=UTC))

    def _unfinished(self, year: int) -> bool:
        return self._end(year) < new_year(year + 1)

    def _requests(self, years: Iterable[int]) -> list[list[int]]:
        """Return the years of each request; an unfinished year is alone, for its reply is soon out of date."""
        length = self.series.years_per_request

        def group(item: tuple[int, int]) -> tuple[int, int, bool]:
            position, year = item
            return year - position, (year - 1) // length if length else 0, self._unfinished(year)

        return [[year for _, year in items] for _, items in itertools.groupby(enumerate(years), group)]

    def _years(self, years: list[int]) -> list[FetchedYear]:
        """Fetch and write the files of years that one reply covers; none is written before all are read."""
        raw, request, origin = self._raw(years)
        tables = [self._table(raw, request, year) for year in years]
        files = []
        for year, table in zip(years, tables, strict=True):
            path = self.series.path(self.output, year)
            write_weather(table, path)
            if table.end < new_year(year + 1):
                self.report(f"{self.series.service}: {year} is not complete: it goes to {table.end:%Y-%m-%d} 00:00 UTC")
            files.append(FetchedYear(path, year, origin, table.start, table.end))
        return files

    def _raw(self, years: list[int]) -> tuple[Path, Request, str]:
        """The reply that covers some years, from the cache or the service."""
        series = self.series
        last_day = self._end(years[-1]) - timedelta(days=1)
        request = series.ask(date(years[0], 1, 1), last_day.date())
        name = series.raw_name(years)
        cached = None if self.refresh else self.cache.find(name, request.parameters)
        if cached:
            return cached, request, CACHED
        self.report(f"{series.service}: fetching {_span(years)}")
        reply = self.client.fetch(series.service, request.method, request.url, request.parameters, self.report)
        return self.cache.store(name, request.parameters, request.method, reply), request, FETCHED

    def _table(self, raw: Path, request: Request, year: int) -> WeatherTable:
        """The year out of a reply; a reply that is no use is forgotten, one with gaps is kept."""
        end = self._end(year)
        try:
            return self._read(raw, year, end)
        except PhytotronError as error:
            if self._unfinished(year):
                for days in range(1, LATEST_DAYS + 1):
                    with contextlib.suppress(PhytotronError):
                        return self._read(raw, year, end - timedelta(days=days))
            asked = f"from {self.series.service}, asked for {request.address}"
            try:
                read_weather(raw, first=new_year(year), end=end, station=self.series.station, fill_gaps=ANY, require=())
            except PhytotronError:
                self.cache.remove(raw.name)
                remedy = f"the reply has been removed from the cache; {self.series.hint}"
                raise FetchError(f"{error} ({asked}; {remedy})") from error
            raise FetchError(f"{error} ({asked}; on the command line the option is --fill-gaps)") from error

    def _read(self, raw: Path, year: int, end: datetime) -> WeatherTable:
        series, first = self.series, new_year(year)
        table = read_weather(
            raw, first=first, end=end, station=series.station, fill_gaps=self.fill_gaps, require=series.require
        )
        if (table.start, table.end, table.interval) != (first, end, series.interval):
            asked = f"{first:%Y-%m-%d} to {end:%Y-%m-%d} in steps of {series.interval} s"
            raise DataFileError(raw, f"the reply holds {table!r}", f"expected {asked}")
        return table


def _span(years: Sequence[int]) -> str:
    return f"{years[0]}" if len(years) == 1 else f"{years[0]}-{years[-1]}"

"""Tables of observations and treatments of fields, joined with the weather.

Observations have the columns `date` (2010-05-01), `quantity` (a state of LINTUL-3), `value` and `error` (standard
deviation of one measurement), both in the unit of the quantity. Management has `date`, `nitrogen` [g m-2] and
`irrigation` [mm], of which one may be left out. Seasons begin on 1 January.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.calibration.field import FieldSeason, Observation
from phytotron.core.errors import DataFileError, UnknownNameError
from phytotron.core.fields import names, quantities
from phytotron.logs.csv_columns import cells_of, numbers, read_columns, times
from phytotron.models.lintul3 import Management, State, Weather
from phytotron.weather.field_weather import INPUTS, FieldWeather

Table = dict[str, list[str]]


def read_seasons(observations: Path, management: Path | None, weather: FieldWeather) -> list[FieldSeason]:
    """Return the seasons of which something was observed, with their weather and management by the day."""
    table = read_columns(observations)
    years, days = _dates(observations, table)
    values, errors = (_numbers(observations, table, heading) for heading in ("value", "error"))
    kinds = np.array(cells_of(observations, table, "quantity"))
    for row, kind in enumerate(kinds, start=2):
        if kind not in names(State):
            raise UnknownNameError(f"quantity in row {row} of {observations}", str(kind), names(State))
    if (errors <= 0.0).any():
        row = int(np.argmax(errors <= 0.0)) + 2
        raise DataFileError(observations, f"error of row {row} is not above 0", "give one standard deviation")
    seasons = []
    for year in np.unique(years):
        index = _season(observations, int(year), weather)
        length = int(weather.length[index])
        measured = []
        for kind in dict.fromkeys(kinds[years == year].tolist()):
            for error in np.unique(errors[(years == year) & (kinds == kind)]):
                rows = (years == year) & (kinds == kind) & (errors == error)
                _check_days(observations, days[rows], length, int(year))
                measured.append(Observation(kind, days[rows], values[rows], float(error)))
        inputs = np.asarray(weather.values)[index, :length]
        own = Weather(**{name: inputs[:, INPUTS.index(name)] for name in names(Weather)})
        seasons.append(FieldSeason(own, _management(management, int(year), length), measured))
    return seasons


def _dates(path: Path, table: Table) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The year of every row, and its day counted from 0 on 1 January."""
    dates = times(path, table, "date", "%Y-%m-%d").astype("datetime64[D]")
    begun = dates.astype("datetime64[Y]")
    return begun.astype(np.int64) + 1970, (dates - begun.astype("datetime64[D]")).astype(np.int64)


def _numbers(path: Path, table: Table, heading: str) -> Any:
    found = numbers(path, table, heading)
    if np.isnan(found).any():
        row = int(np.argmax(np.isnan(found))) + 2
        raise DataFileError(path, f"{heading} of row {row} is empty", "give a number, or leave out the row")
    return found


def _season(path: Path, year: int, weather: FieldWeather) -> int:
    places = np.flatnonzero(np.asarray(weather.year) == year)
    if not places.size:
        known = ", ".join(map(str, sorted(set(np.asarray(weather.year).tolist()))))
        raise DataFileError(path, f"has observations of {year}, for which there is no weather", f"years: {known}")
    return int(places[0])


def _check_days(path: Path, days: Any, length: int, year: int) -> None:
    if days.max() >= length:
        raise DataFileError(path, f"has observations after the weather of {year} ends", f"it has {length} days")


def _management(path: Path | None, year: int, length: int) -> Management:
    """Return the management of each day of a season, from a file; none without a file."""
    applied = {each.name: np.zeros(length) for each in quantities(Management)}
    if path is None:
        return Management(**applied)
    table = read_columns(path)
    unknown = [heading for heading in table if heading not in ("date", *applied)]
    if unknown:
        raise UnknownNameError(f"column of {path}", unknown[0], ("date", *applied))
    years, days = _dates(path, table)
    for name in applied:
        if name not in table:
            continue
        amounts = _numbers(path, table, name)
        if (amounts < 0.0).any():
            row = int(np.argmax(amounts < 0.0)) + 2
            raise DataFileError(path, f"{name} of row {row} is below 0", "give what was applied that day")
        own = (years == year) & (days < length)
        np.add.at(applied[name], days[own], amounts[own])
    return Management(**applied)

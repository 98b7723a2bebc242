"""A figure of a weather table: every row of a few weeks, the days of a few seasons, or the usual year of a
long record.
"""

from datetime import timedelta
from typing import Any

import numpy as np

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.units import typeset
from phytotron.report.plotting import AMBER, BLUE, GREEN, GREY, RED, finish, legend, subplots
from phytotron.weather.calendar import days_since_new_year, years
from phytotron.weather.daily import daily_from_hourly
from phytotron.weather.table import WeatherTable
from phytotron.weather.variables import variable

SHORT, LONG = 21, 3 * 366  # days: up to here every row; from here the usual year
# One panel each: the columns that share it and their colours; of these, those that are there are drawn.
PANELS = (
    {"global_radiation": AMBER, "irradiation": AMBER},
    {"maximum_temperature": RED, "minimum_temperature": BLUE, "air_temperature": RED},
    {"relative_humidity": BLUE, "vapour_pressure": BLUE},
    {"wind_speed": GREY, "wind_speed_2m": GREY},
    {"rain": GREEN},
    {"cloud_cover": GREY},
)
COLOURS = {name: colour for group in PANELS for name, colour in group.items()}


def weather_figure(table: WeatherTable, title: str | None = None) -> Any:
    """Return a matplotlib figure of the table's main columns."""
    if table.interval < SECONDS_PER_DAY and (table.end - table.start).days > SHORT:
        table = daily_from_hourly(table)
    panels = [[name for name in group if name in table] for group in PANELS]
    panels = [group for group in panels if group]
    figure, axes = subplots(len(panels), 1, (11, 0.6 + 2.0 * len(panels)), sharex=True, squeeze=False)
    usual = (table.end - table.start).days >= LONG
    for axis, group in zip(axes[:, 0], panels, strict=True):
        shown = group if "temperature" in group[0] else group[:1]
        if "maximum_temperature" in shown:
            shown = [name for name in shown if name != "air_temperature"]
        for name in shown:
            (_usual_year if usual else _rows)(axis, table, name)
        unit_text = _scale(shown[0])[1] or "-"
        label = "temperature" if len(shown) > 1 else shown[0].replace("_", " ")
        axis.set_ylabel(f"{label}\n[{unit_text}]")
        if len(shown) > 1:
            legend(axis, "upper right", ncols=3)
        axis.margins(x=0)
    if usual:
        axes[-1, 0].set_xlabel("day of the year (median, 10 to 90 % and extremes of the years)")
    last = table.end - timedelta(seconds=table.interval)  # the end itself is after the table
    span = f"{table.start:%d %b %Y} to {last:%d %b %Y}"
    return finish(figure, title or f"{table.site.name}, {span}")


def _scale(name: str) -> tuple[float, str]:
    """The factor to the unit that is shown, and that unit."""
    if name == "irradiation":
        return 1e-6, "MJ m⁻² d⁻¹"
    if name == "vapour_pressure":
        return 1e-3, "kPa"
    return 1.0, typeset(variable(name).unit)


def _rows(axis: Any, table: WeatherTable, name: str) -> None:
    values = _scale(name)[0] * np.asarray(table[name])
    times, colour = table.times, COLOURS[name]
    if variable(name).total or name == "global_radiation":
        axis.fill_between(times, values, step="post", color=colour, alpha=0.5, linewidth=0)
        axis.set_ylim(bottom=0.0)
    else:
        axis.plot(times, values, color=colour, linewidth=0.9, label=name.replace("_", " "))


def _usual_year(axis: Any, table: WeatherTable, name: str) -> None:
    values = _scale(name)[0] * np.asarray(table[name])
    times, colour = table.times, COLOURS[name]
    day = days_since_new_year(times).astype(int)
    grid = np.full((366, int(np.ptp(years(times))) + 1), np.nan)
    grid[day, years(times) - years(times).min()] = values
    kept = np.flatnonzero(np.isfinite(grid).sum(axis=1) >= 2)
    low, early, middle, late, high = np.nanpercentile(grid[kept], (0, 10, 50, 90, 100), axis=1)
    axis.fill_between(kept + 1, low, high, color=colour, alpha=0.12, linewidth=0)
    axis.fill_between(kept + 1, early, late, color=colour, alpha=0.3, linewidth=0)
    axis.plot(kept + 1, middle, color=colour, linewidth=1.0, label=name.replace("_", " "))
    if variable(name).low == 0:
        axis.set_ylim(bottom=0.0)

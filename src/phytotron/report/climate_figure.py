"""A figure that compares a generated climate with the observed one, month by month."""

from typing import Any

import numpy as np

from phytotron.report.plotting import AMBER, BLUE, GREEN, GREY, RED, VIOLET, finish, subplots
from phytotron.weather.climate.similarity import MONTH_DAYS
from phytotron.weather.climate.statistics import LONG_DRY_SPELL, ClimateStatistics

MONTHS = np.arange(1, 13)
LETTERS = "JFMAMJJASOND"
# column, label, colour, marker: either of the last two tells the columns apart
SHOWN = (
    ("irradiation", "radiation", AMBER, "o"),
    ("minimum_temperature", "minimum temperature", BLUE, "v"),
    ("maximum_temperature", "maximum temperature", RED, "^"),
    ("vapour_pressure", "vapour pressure", GREEN, "s"),
    ("wind_speed_2m", "wind", GREY, "x"),
    ("rain", "rain", VIOLET, "D"),
)


def climate_figure(made: ClimateStatistics, real: ClimateStatistics, title: str = "") -> Any:
    """Return a matplotlib figure in which circles are observed and lines are generated values.

    Further panels show ratios and differences, with the band that is allowed.
    """
    figure, axes = subplots(3, 3, (13, 9.5))
    (radiation, warmth, rain), (wet, spread, memory), (years, spells, key) = axes

    _pair(radiation, made.mean["irradiation"] / 1e6, real.mean["irradiation"] / 1e6, AMBER)
    _name(radiation, "mean radiation", "MJ m⁻² d⁻¹")
    for name, colour in (("minimum_temperature", BLUE), ("maximum_temperature", RED)):
        _pair(warmth, made.mean[name], real.mean[name], colour)
    _name(warmth, "mean of daily extremes", "°C")
    _pair(rain, MONTH_DAYS * made.mean["rain"], MONTH_DAYS * real.mean["rain"], VIOLET)
    rain.set_ylim(bottom=0.0)
    _name(rain, "mean rain", "mm per month")
    _pair(wet, made.wet_fraction, real.wet_fraction, VIOLET)
    wet.set_ylim(0.0, 1.0)
    _name(wet, "wet days (0.3 mm or more)", "fraction")

    for name, _, colour, marker in SHOWN:
        _line(spread, 100.0 * (made.std[name] / real.std[name] - 1.0), colour, marker)
        _line(memory, made.lag1[name] - real.lag1[name], colour, marker)
        if np.all(real.interannual_std[name] > 0.0):
            _line(years, 100.0 * (made.interannual_std[name] / real.interannual_std[name] - 1.0), colour, marker)
    for axis, band, label, unit in (
        (spread, 10.0, "std of daily values, deviation", "%"),
        (memory, 0.05, "autocorrelation from day to day, deviation", "–"),
        (years, 25.0, "std of months from year to year, deviation", "%"),
    ):
        axis.axhspan(-band, band, color=GREY, alpha=0.12, linewidth=0)
        axis.axhline(0.0, color=GREY, linewidth=0.8)
        axis.set_ylim(-1.6 * band, 1.6 * band)
        _name(axis, label, unit)

    lengths = np.arange(real.dry_spells.size)
    kept = real.dry_spells > 0.0
    spells.semilogy(lengths, np.where(made.dry_spells > 0.0, made.dry_spells, np.nan), color=GREEN)
    spells.plot(lengths[kept], real.dry_spells[kept], "o", color=GREEN, markersize=4.5, fillstyle="none")
    spells.axvline(LONG_DRY_SPELL, color=GREY, linewidth=0.8, linestyle=":")
    spells.set_ylim(bottom=5e-4)
    spells.set_title("dry spells longer than n days", fontsize=10, loc="left")
    spells.set(xlabel="n [days]", ylabel="share of spells")

    _legend(key)
    for axis in (radiation, warmth, rain, wet, spread, memory, years):
        axis.set_xticks(MONTHS, LETTERS)
    return finish(figure, title)


def _pair(axis: Any, made: Any, real: Any, colour: str) -> None:
    axis.plot(MONTHS, made, color=colour, linewidth=1.6)
    axis.plot(MONTHS, real, "o", color=colour, markersize=6, fillstyle="none")


def _line(axis: Any, values: Any, colour: str, marker: str) -> None:
    axis.plot(MONTHS, values, color=colour, linewidth=1.2, marker=marker, markersize=4)


def _name(axis: Any, title: str, unit: str) -> None:
    axis.set_title(title, fontsize=10, loc="left")
    axis.set_ylabel(f"[{unit}]")


def _legend(axis: Any) -> None:
    """Draw the legend of colours and marks in a panel of its own."""
    axis.set_axis_off()
    marks = [axis.plot([], [], color=colour, marker=marker, label=label)[0] for _, label, colour, marker in SHOWN]
    marks.append(axis.plot([], [], "o", color="black", fillstyle="none", label="observed")[0])
    marks.append(axis.plot([], [], color="black", label="generated")[0])
    marks.append(axis.fill_between([], [], color=GREY, alpha=0.2, linewidth=0, label="allowed deviation"))
    axis.legend(handles=marks, loc="center left", frameon=False, fontsize=10)

"""Judge the weather generator hour by hour and year by year, on years that its parameters were not fitted to.

    python benchmarks/check_weather_generator.py [--weather FOLDER] [SITE ...]

The odd years of a station judge the parameters fitted to its even years, and the other way round; the table has the
mean of both, and what each half has by itself. Stations are those of KNMI with hours of their own: schiphol, de_bilt,
rotterdam, maastricht. Two halves of one record differ by chance too: the table also has how far the observed halves are
from each other, as a measure of what a comparison can tell, and what was generated to be judged by each.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import jax
import numpy as np

from _weather_hours import Hours, generated_hours, observed_hours
from fit_weather_generator import STATIONS, fitted
from phytotron.core.errors import UnknownNameError
from phytotron.core.fields import quantities
from phytotron.weather.climate.hourly_statistics import HourlyStatistics

SITES = tuple(name for name, station in STATIONS.items() if station.days is None)
SEED = 4711  # not one of the fit
YEARS = 300


def midnight_steps(hours: Hours) -> tuple[float, float]:
    """95th percentile of the step of temperature over midnight, and of that between other hours [°C]."""
    temperature = hours.columns["air_temperature"]
    within, over = np.abs(np.diff(temperature, axis=1)), np.abs(temperature[1:, 0] - temperature[:-1, -1])
    return float(np.percentile(over, 95)), float(np.percentile(within, 95))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("sites", nargs="*", default=list(SITES), metavar="SITE", help=", ".join(SITES))
    parser.add_argument("--weather", type=Path, default=os.environ.get("PHYTOTRON_WEATHER"))
    options = parser.parse_args()
    if options.weather is None:
        parser.error("name the folder of weather data: --weather FOLDER, or PHYTOTRON_WEATHER")
    jax.config.update("jax_enable_x64", True)
    folder = Path(options.weather)
    for name in options.sites:
        if name not in SITES:
            raise UnknownNameError("station", name, SITES)
        station = STATIONS[name]
        observed: list[HourlyStatistics] = []
        made: list[HourlyStatistics] = []
        for odd in (0, 1):
            fit_to, others = ([y for y in station.years if y % 2 == part] for part in (odd, 1 - odd))
            hours = generated_hours(fitted(name, folder, fit_to)[0], SEED, YEARS)
            made.append(hours.statistics)
            observed.append(observed_hours(folder / "hourly" / station.hours, others, station.site.latitude).statistics)
            steps = "steps of temperature over midnight and between other hours, 95th percentile [°C]"
            print(f"{name}, fitted to {fit_to}: {steps}: {midnight_steps(hours)}", flush=True)
        print(
            f"{name}: observed, generated, deviation [%]; observed of each half, deviation of the halves [%]; generated"
        )
        for each in quantities(HourlyStatistics):
            real, ours = ([float(getattr(half, each.name)) for half in of] for of in (observed, made))
            mean, got = np.mean(real), np.mean(ours)
            apart = 100.0 * abs(real[0] - real[1]) / mean
            print(
                f"  {each.name:20s} {mean:8.3f} {got:8.3f} {100.0 * (got / mean - 1.0):+6.1f}   "
                f"{real[0]:8.3f} {real[1]:8.3f} {apart:6.1f}   {ours[0]:8.3f} {ours[1]:8.3f}  "
                f"{each.unit}: {each.description}"
            )
        print(flush=True)


if __name__ == "__main__":
    main()

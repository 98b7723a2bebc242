"""Fit the weather generator's parameters to daily records and write them as JSON.

    python benchmarks/fit_weather_generator.py [--weather FOLDER] [--output FOLDER] [SITE ...]

FOLDER (default: the environment variable PHYTOTRON_WEATHER) holds hourly and daily weather, as told in
docs/weather_generator.md; no row of it enters the output. Marginal distributions and correlations are estimated from
the records; then correlations, monthly gains and scales are adjusted by simulating and comparing until the generated
months agree.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from _weather_estimates import (
    Target,
    first_guess,
    hot_days,
    possible_correlations,
    target_of,
    with_moments,
    with_wind_of,
)
from _weather_hours import observed_hours, with_variable_hours
from _weather_records import COLUMNS, Numbers, daily_record, hourly_record
from phytotron.core.errors import UnknownNameError
from phytotron.weather.climate.statistics import climate_statistics, deviations, to_figures
from phytotron.weather.generator.daily import centred, fast_process, generate_daily, nested
from phytotron.weather.generator.seasons import DAYS, MONTH, calendar_days
from phytotron.weather.generator.tables import (
    LATENT,
    PRESETS,
    DailyTables,
    SiteParameters,
    daily_tables,
    load_parameters,
    table_moments,
)
from phytotron.weather.site import Site

TRIALS = 800  # simulated years per round
RATES = (0.7,) * 10 + (0.4,) * 6 + (0.2,) * 4  # of adjustment, round by round
LEAST_NOISE = 0.15  # weight of noise in the score of rain
MOST_SPREAD = 0.2  # of the position of the mean temperature within the daily range
MOST_LAG = 0.92  # of the fast latent variables
HOT_ROUNDS = 4
HEAT_PER_DAYS = 0.4  # about what a growth of hot days by a factor e takes
SUMMER = slice(4, 9)  # May to September
SEED = 90210  # not one that the tests use
CLEARNESS, TEMPERATURE, RANGE, DEFICIT, WIND = range(1, len(LATENT))


def simulated(parameters: SiteParameters, seed: int, years: int) -> tuple[Any, dict[str, Numbers], NDArray[np.int64]]:
    tables = daily_tables(parameters)
    weather = generate_daily(jax.tree.map(jnp.asarray, tables), jax.random.key(seed), years, True)
    dates, keep = calendar_days(2001, years)
    series = {name: np.asarray(getattr(weather, name)).ravel()[keep] for name in COLUMNS}
    return dates, series, np.tile(np.arange(DAYS), years)[keep]


@jax.jit
def latent_covariance(tables: DailyTables, key: Any) -> Any:
    """(12, 6, 6): of the latent variables in each month."""
    states = len(LATENT) + 1
    noise = centred(jax.random.normal(key, (DAYS, states, TRIALS), tables.scale.dtype))
    z = nested(tables, fast_process(tables, noise, jnp.zeros((31, states), noise.dtype)))
    months = (z[m == MONTH] for m in range(12))
    return jnp.stack([jnp.einsum("dvn,dwn->vw", z, z) / (z.shape[0] * TRIALS) for z in months])


def complete_weights(weights: Numbers, latent: Numbers) -> Numbers:
    """Weights of occurrence and noise that make the score of rain independent of occurrence, with unit variance."""
    rain = weights.copy()
    with_wind, with_clearness, both = latent[:, 0, WIND], latent[:, 0, CLEARNESS], latent[:, WIND, CLEARNESS]
    wind, clear = rain[:, 1], rain[:, 2]
    rain[:, 3] = -(wind * with_wind + clear * with_clearness)
    variance = (
        wind**2 * (1.0 - with_wind**2) + clear**2 * (1.0 - with_clearness**2)
        + 2.0 * wind * clear * (both - with_wind * with_clearness)
    )  # fmt: skip
    rain[:, 0] = np.minimum(rain[:, 0], np.sqrt(np.maximum(1.0 - LEAST_NOISE**2 - variance, 0.0)))
    rain[:, 4] = np.sqrt(np.maximum(1.0 - variance - rain[:, 0] ** 2, 0.0))
    return rain


def one_round(parameters: SiteParameters, target: Target, round_number: int, rate: float) -> SiteParameters:
    """Simulate, compare, adjust."""
    dates, series, day = simulated(parameters, SEED + round_number, TRIALS)
    got = target_of(dates, series, day, parameters.site.latitude)
    real, made = target.statistics, got.statistics
    same = parameters.correlation + rate * (target.same - got.same)
    # the spread of vapour pressure falls as temperature and deficit go together
    vapour = rate * np.log(made.std["vapour_pressure"] / real.std["vapour_pressure"])
    same[:, TEMPERATURE, DEFICIT] = parameters.correlation[:, TEMPERATURE, DEFICIT] + vapour
    same[:, DEFICIT, TEMPERATURE] = same[:, TEMPERATURE, DEFICIT]
    lagged = parameters.lagged_correlation + rate * (target.lagged - got.lagged)
    # extremes of temperature follow from its mean, range and position: adjust what is common and what is different
    low, high = (real.lag1[f"{name}_temperature"] - made.lag1[f"{name}_temperature"] for name in ("minimum", "maximum"))
    lagged[:, RANGE, RANGE] = parameters.lagged_correlation[:, RANGE, RANGE] + rate * (low + high)
    for i, j in ((TEMPERATURE, RANGE), (RANGE, TEMPERATURE)):
        lagged[:, i, j] = parameters.lagged_correlation[:, i, j] + 0.5 * rate * (high - low)
    low, high = (
        np.log(real.std[f"{name}_temperature"] / made.std[f"{name}_temperature"]) for name in ("minimum", "maximum")
    )
    same[:, TEMPERATURE, RANGE] = parameters.correlation[:, TEMPERATURE, RANGE] + 0.5 * rate * (high - low)
    same[:, RANGE, TEMPERATURE] = same[:, TEMPERATURE, RANGE]
    position = parameters.mean_position.copy()
    position[:, 2] = np.minimum(position[:, 2] * np.exp(2.0 * rate * (low + high)), MOST_SPREAD)
    row = np.arange(len(LATENT))
    vapour = rate * (made.lag1["vapour_pressure"] - real.lag1["vapour_pressure"])
    for i, j in ((TEMPERATURE, DEFICIT), (DEFICIT, TEMPERATURE)):
        lagged[:, i, j] = parameters.lagged_correlation[:, i, j] + vapour
    gain = parameters.monthly_gain.copy()
    ratio = np.where(target.interannual > 0.0, target.interannual / got.interannual, 1.0)
    gain[:, row, row] = np.clip(gain[:, row, row] * ratio**rate, 0.0, 3.0)
    vapour = np.log(made.interannual_std["vapour_pressure"] / real.interannual_std["vapour_pressure"])
    gain[:, DEFICIT, TEMPERATURE] = np.clip(gain[:, DEFICIT, TEMPERATURE] + rate * vapour, -1.0, 1.0)
    # monthly means of minimum and maximum tell how far warm months have a wide daily range
    low, high = (
        np.log(made.interannual_std[f"{name}_temperature"] / real.interannual_std[f"{name}_temperature"])
        for name in ("minimum", "maximum")
    )
    gain[:, RANGE, TEMPERATURE] = np.clip(gain[:, RANGE, TEMPERATURE] + 0.5 * rate * (low - high), -1.0, 1.0)
    assert parameters.annual_gain is not None and parameters.heat is not None  # version 1
    annual = parameters.annual_gain.copy()
    ratio = np.where(np.isfinite(target.annual), target.annual / got.annual, 1.0)
    annual[row, row] = np.clip(annual[row, row] * ratio**rate, 0.3, 4.0)
    vapour = np.log(got.annual_vapour / target.annual_vapour)
    annual[DEFICIT, TEMPERATURE] = np.clip(annual[DEFICIT, TEMPERATURE] + rate * vapour, -2.0, 2.0)
    span = target.mean[:, RANGE]
    heat = np.clip(parameters.heat + rate * (target.hot - got.hot) / span, -0.15, 0.3)
    rain = rate * (real.lag1["rain"] - made.lag1["rain"])
    weights = parameters.rain_weights.copy()
    for column, v in ((1, WIND), (2, CLEARNESS)):
        more = np.nan_to_num(rate * (target.rain[:, v] - got.rain[:, v]))
        weights[:, column] = np.clip(weights[:, column] + more, -0.5, 0.5)
    weights[:, 0] = np.clip(weights[:, 0] + 2.0 * rain, 0.0, 1.0)
    # what the coupling of amounts cannot do, the persistence of occurrence has to
    at_limit = ((weights[:, 0] == 0.0) & (rain < 0.0)) | ((weights[:, 4] < 1.01 * LEAST_NOISE) & (rain > 0.0))
    weights[:, 1:3] *= np.where(at_limit & (rain < 0.0), 0.9, 1.0)[:, None]
    lagged[:, 0, 0] = np.where(at_limit, parameters.lagged_correlation[:, 0, 0] + 6.0 * rain, lagged[:, 0, 0])
    share = parameters.spell_share + 0.3 * rate * np.log(real.long_dry_spells / made.long_dry_spells)
    quantiles = parameters.quantiles.copy()
    for m in range(12):
        for v in range(1, len(LATENT)):
            table = quantiles[m, v - 1]
            mean, std = (float(x) for x in table_moments(table))
            want = mean * float(target.mean[m, v] / got.mean[m, v]) if LATENT[v] != "temperature" else mean
            wider = float(target.std[m, v] / got.std[m, v]) ** rate
            if v == DEFICIT:  # a wider deficit makes vapour pressure vary less
                wider *= float(made.std["vapour_pressure"][m] / real.std["vapour_pressure"][m]) ** rate
            quantiles[m, v - 1] = with_moments(table, want, std * wider, LATENT[v])
    lagged[:, 1, 1] = parameters.lagged_correlation[:, 1, 1] + rate * (
        real.lag1["irradiation"] - made.lag1["irradiation"]
    )
    lagged[:, row, row] = np.minimum(lagged[:, row, row], MOST_LAG)
    same, lagged = possible_correlations(same, lagged)
    tables = jax.tree.map(jnp.asarray, daily_tables(parameters))
    covariance = np.asarray(latent_covariance(tables, jax.random.key(SEED)))
    std = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    latent = covariance / (std[:, :, None] * std[:, None, :])
    return dataclasses.replace(
        parameters,
        correlation=same,
        lagged_correlation=lagged,
        monthly_gain=gain,
        rain_weights=complete_weights(weights, latent),
        mean_position=position,
        spell_share=np.clip(share, 0.0, 0.6),
        scale=parameters.scale / std,
        quantiles=quantiles,
        annual_gain=annual,
        heat=heat,
    )


def with_hot_days(parameters: SiteParameters, target: Target) -> SiteParameters:
    """Return parameters with which days above 30 °C are as frequent as in the record, from May to September."""
    for number in range(HOT_ROUNDS):
        dates, series, _ = simulated(parameters, SEED + 100 + number, TRIALS)
        ratio = target.hot_days / max(hot_days(dates, series["maximum_temperature"]), 0.01)
        assert parameters.heat is not None  # version 1
        heat = parameters.heat.copy()
        heat[SUMMER] = np.clip(heat[SUMMER] + HEAT_PER_DAYS * np.log(max(ratio, 0.1)), -0.15, 0.3)
        parameters = dataclasses.replace(parameters, heat=heat)
    return parameters


def rounded(array: Any, digits: int = 4) -> Any:
    """With this many significant digits."""
    return [rounded(x, digits) if np.ndim(x) else float(f"{x:.{digits}g}") for x in np.asarray(array)]


def write(parameters: SiteParameters, path: Path) -> None:
    content: dict[str, Any] = {}
    for field in dataclasses.fields(parameters):
        value = getattr(parameters, field.name)
        if isinstance(value, np.ndarray):
            value = rounded(value) if value.ndim else round(float(value), 4)
        content[field.name] = dataclasses.asdict(value) if isinstance(value, Site) else value
    path.write_text(json.dumps(content, separators=(",", ":"), allow_nan=False) + "\n", encoding="utf-8")


@dataclasses.dataclass(frozen=True)
class Station:
    """Files that a climate is fitted to: days, where they are not made of the hours, and hours."""

    site: Site
    source: str
    years: range
    hours: str
    hours_years: range
    days: str | None = None


STATIONS = {
    "schiphol": Station(
        Site("Schiphol", 52.318, 4.79, -3.0), "fitted to KNMI station 240 Schiphol, 2011-2024 (KNMI open data)",
        range(2011, 2025), "knmi_240_schiphol_hourly_2008_2025.csv.gz", range(2011, 2025),
    ),
    "wageningen": Station(
        Site("Wageningen", 51.97, 5.67, 9.0),
        "fitted to NASA POWER at 51.97 N, 5.67 E, 1990-2019; hours as at KNMI station 260 De Bilt, 2011-2024",
        range(1990, 2020), "knmi_260_de_bilt_hourly_2011_2025.csv.gz", range(2011, 2025),
        "nasa_power_51.97N_5.67E_daily_1983_2020.csv",
    ),
    "france48n": Station(
        Site("northern France", 48.06, -0.08, 100.0),
        "fitted to NASA POWER at 48.06 N, 0.08 W, 1997-2008; vapour pressure derived from the minimum temperature; "
        "wind and hours as in the typical year of Le Mans (climate.onebuilding.org)",
        range(1997, 2009), "tmyx_le_mans_arnage_hourly_typical_year.csv", range(2001, 2002),
        "france_48.06N_-0.08E_composite_1997_2009.csv",
    ),
    "de_bilt": Station(
        Site("De Bilt", 52.1, 5.18, 2.0), "KNMI station 260 De Bilt (KNMI open data)",
        range(2011, 2025), "knmi_260_de_bilt_hourly_2011_2025.csv.gz", range(2011, 2025),
    ),
    "rotterdam": Station(
        Site("Rotterdam", 51.962, 4.447, -4.3), "KNMI station 344 Rotterdam (KNMI open data)",
        range(2011, 2025), "knmi_344_rotterdam_hourly_2011_2025.csv.gz", range(2011, 2025),
    ),
    "maastricht": Station(
        Site("Maastricht", 50.906, 5.762, 114.3), "KNMI station 380 Maastricht (KNMI open data)",
        range(2011, 2025), "knmi_380_maastricht_hourly_2011_2025.csv.gz", range(2011, 2025),
    ),
}  # fmt: skip


def fitted(name: str, folder: Path, years: Sequence[int] | None = None) -> tuple[SiteParameters, Target]:
    """The parameters of a climate, from all its years or, to judge by the others, from some."""
    station = STATIONS[name]
    chosen = list(station.years if years is None else years)
    hours_file = folder / "hourly" / station.hours
    latitude = station.site.latitude
    if station.days is None:
        record = hourly_record(hours_file, chosen, latitude)
    else:
        record = daily_record(folder / "daily" / station.days, chosen, latitude)
    parameters = first_guess(record, station.site, station.source)
    target = target_of(record.dates, record.series, record.day, latitude)
    if name == "france48n":
        target, parameters = with_wind_of(target, parameters, hourly_record(hours_file, station.hours_years, 47.94))
    parameters = dataclasses.replace(parameters, observed=to_figures(target.statistics))
    for number, rate in enumerate(RATES):
        parameters = one_round(parameters, target, number, rate)
    hours_years = list(station.hours_years) if years is None or station.days is not None else chosen
    parameters = with_variable_hours(parameters, observed_hours(hours_file, hours_years, latitude))
    if len(hours_years) == 1:  # a single year does not tell how restless radiation is: as in version 0
        before = load_parameters(name, 0).diurnal
        kept = {each: before[each] for each in ("radiation_noise", "radiation_lag")}
        parameters = dataclasses.replace(parameters, diurnal={**parameters.diurnal, **kept})
    return with_hot_days(parameters, target), target


def main() -> None:
    here = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("sites", nargs="*", default=list(PRESETS), metavar="SITE", help=", ".join(PRESETS))
    parser.add_argument("--weather", type=Path, default=os.environ.get("PHYTOTRON_WEATHER"))
    parser.add_argument("--output", type=Path, default=here / "src/phytotron/weather/data/generator")
    options = parser.parse_args()
    if options.weather is None:
        parser.error("name the folder of weather data: --weather FOLDER, or PHYTOTRON_WEATHER")
    jax.config.update("jax_enable_x64", True)
    options.output.mkdir(parents=True, exist_ok=True)
    for name in options.sites:
        if name not in PRESETS:
            raise UnknownNameError("climate", name, PRESETS)
        parameters, target = fitted(name, Path(options.weather))
        path = options.output / f"{name}_v1.json"
        write(parameters, path)
        print(
            f"{path.name}: {path.stat().st_size / 1000:.0f} kB; deviations of 200 other years, 1 being what is allowed:"
        )
        dates, series, _ = simulated(parameters, SEED - 1, 200)
        found = deviations(climate_statistics(dates, series), target.statistics)
        for worst in sorted(found, key=lambda deviation: -deviation.ratio)[:8]:
            print(f"  {worst.ratio:5.2f}  {worst}", flush=True)


if __name__ == "__main__":
    main()

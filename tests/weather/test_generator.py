"""The weather generator: agreement with the observed climate, physical sense, reproducibility."""

from __future__ import annotations

import functools
import json
from importlib import resources

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.core.errors import DataFileError, UnknownNameError, ValueRangeError
from phytotron.weather.climate.hourly_statistics import COLUMNS, HourlyStatistics, hourly_statistics
from phytotron.weather.climate.statistics import ClimateStatistics, climate_statistics, deviations, from_figures
from phytotron.weather.daily import daily_from_hourly
from phytotron.weather.generator import PRESETS, ClimateShift, DailyWeather, WeatherGenerator
from phytotron.weather.generator.daily import centred
from phytotron.weather.generator.seasons import LEAP_DAY, MONTH, MONTH_MEANS, seasonal_cycle, solar_noon
from phytotron.weather.generator.tables import (
    VERSIONS,
    daily_tables,
    load_parameters,
    parameters_from,
    rain_quantiles,
    table_moments,
)
from phytotron.weather.humid_air import saturation_vapour_pressure
from phytotron.weather.radiation import angot_radiation
from phytotron.weather.table import WeatherTable

SETS = range(1, 9)  # seeds of sets of 200 years, not those of the fit
FEW = 4  # years, where any number will do
# One of them in the quick tests, all in the slow ones.
ONE_QUICK_PRESET = [PRESETS[0], *(pytest.param(preset, marks=pytest.mark.slow) for preset in PRESETS[1:])]
SCHIPHOL = WeatherGenerator("schiphol")


@functools.cache
def two_hundred_years(preset: str, seed: int) -> WeatherTable:
    return WeatherGenerator(preset).daily_table(seed, 2001, 200)


@functools.cache
def made(preset: str, seed: int) -> ClimateStatistics:
    table = two_hundred_years(preset, seed)
    return climate_statistics(table.times.astype("datetime64[D]"), table.columns)


@functools.cache
def independent_years() -> DailyWeather:
    return SCHIPHOL.daily(jax.random.key(2), 400, balanced=False)


def observed(preset: str) -> ClimateStatistics:
    return from_figures(load_parameters(preset).observed)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_month_of_200_years_agrees_with_the_observed_climate(preset: str) -> None:
    found = deviations(made(preset, SETS[0]), observed(preset))
    assert len(found) >= 29
    assert not [str(each) for each in found if each.ratio > 1.0]


@pytest.mark.parametrize("preset", ONE_QUICK_PRESET)
def test_agreement_does_not_hinge_on_the_seed(preset: str) -> None:
    agreed = 0
    for seed in SETS:
        found = deviations(made(preset, seed), observed(preset))
        agreed += all(each.ratio <= 1.0 for each in found)
        for each in found:  # the autocorrelation of 6200 days of rain has a standard error of 0.02
            assert each.ratio < (1.6 if each.criterion == "lag-1" else 1.2), f"seed {seed}: {each}"
    assert agreed >= 6


@pytest.mark.parametrize("preset", PRESETS)
def test_variables_go_together_as_observed(preset: str) -> None:
    generated, real = made(preset, SETS[0]), observed(preset)
    # wind of the French site comes from one year of another station
    chosen = [i for i, name in enumerate(real.variables) if preset != "france48n" or name != "wind_speed_2m"]
    both = np.ix_(range(4), chosen, chosen)
    assert generated.correlation[both] == pytest.approx(real.correlation[both], abs=0.15)
    assert np.sqrt(np.mean((generated.correlation[both] - real.correlation[both]) ** 2)) < 0.05


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("preset", PRESETS)
def test_nothing_impossible_is_ever_generated(preset: str, precision: str) -> None:
    generator = WeatherGenerator(preset)
    weather = generator.daily(jax.random.key(11), 300, balanced=False, precision=precision)
    columns = {name: np.asarray(column) for name, column in vars(weather).items()}
    assert all(column.dtype == precision and column.shape == (300, 366) for column in columns.values())
    assert all(np.all(np.isfinite(column)) for column in columns.values())
    top = angot_radiation(np.arange(1.0, 367.0), generator.site.latitude)
    assert np.all((columns["irradiation"] > 0.0) & (columns["irradiation"] <= top))
    low, high, mean = (columns[f"{name}_temperature"] for name in ("minimum", "maximum", "air"))
    assert np.all((low < mean) & (mean < high))
    pressure = columns["vapour_pressure"]
    assert np.all((pressure > 0.0) & (pressure <= saturation_vapour_pressure(mean)))
    assert np.all(columns["wind_speed_2m"] > 0.0)
    rain = columns["rain"]
    assert np.all((rain == 0.0) | (rain >= 0.3 * (1.0 - 1e-6)))


def test_the_same_key_gives_the_same_weather_and_another_key_other_weather() -> None:
    first, again, other = (SCHIPHOL.daily(jax.random.key(seed), FEW) for seed in (4, 4, 5))
    for one, same, different in zip(*(jax.tree.leaves(w) for w in (first, again, other)), strict=True):
        assert np.array_equal(one, same)
        assert np.mean(one == different) < 0.8  # dry days are dry in both


def test_a_batch_of_keys_gives_what_single_keys_give() -> None:
    keys = jax.random.split(jax.random.key(0), 3)
    batch = jax.vmap(lambda key: SCHIPHOL.daily(key, FEW))(keys)
    for i, key in enumerate(keys):
        for many, one in zip(jax.tree.leaves(batch), jax.tree.leaves(SCHIPHOL.daily(key, FEW)), strict=True):
            assert many[i] == pytest.approx(np.asarray(one), rel=1e-9, abs=1e-9)


def test_independent_years_have_the_climate_too() -> None:
    columns = {name: np.asarray(column).ravel() for name, column in vars(independent_years()).items()}
    real, month = observed("schiphol"), np.tile(MONTH, 400)
    for name, column in columns.items():
        error = real.interannual_std[name] / (1.0 if name != "rain" else 30.0) / np.sqrt(400)
        for m in range(12):
            assert np.mean(column[month == m]) == pytest.approx(real.mean[name][m], abs=4.0 * error[m]), (name, m + 1)


@pytest.mark.slow
def test_a_balanced_set_comes_closer_to_the_climate_than_chance() -> None:
    def spread(balanced: bool) -> np.ndarray:
        sets = [SCHIPHOL.daily(key, 40, balanced=balanced) for key in jax.random.split(jax.random.key(3), 24)]
        means = [
            [np.asarray(getattr(weather, name)).mean(axis=0) @ MONTH_MEANS.T for weather in sets]
            for name in ("air_temperature", "rain")
        ]
        return np.std(means, axis=1).mean(axis=1)

    chance, balanced = spread(False), spread(True)
    assert balanced[0] < 0.35 * chance[0]
    assert balanced[1] < 1e-6  # rain is matched exactly


def test_centring_keeps_the_law_of_each_year() -> None:
    noise = np.asarray(centred(jax.random.normal(jax.random.key(0), (20000, 4))))
    assert noise.mean(axis=1) == pytest.approx(0.0, abs=1e-9)
    covariance = noise.T @ noise / 20000
    assert np.diag(covariance) == pytest.approx(1.0, abs=0.04)
    assert covariance[0, 1:] == pytest.approx(-1 / 3, abs=0.04)


def test_years_follow_each_other_without_a_break() -> None:
    temperature = np.asarray(independent_years().air_temperature)
    across = np.corrcoef(temperature[:-1, -1], temperature[1:, 0])[0, 1]
    within = np.mean([np.corrcoef(temperature[:, day], temperature[:, day + 1])[0, 1] for day in range(335, 365)])
    assert across == pytest.approx(within, abs=0.08)
    strangers = np.corrcoef(temperature[:, 0], temperature[:, -1])[0, 1]
    assert abs(strangers) < 0.2


def test_the_calendar_has_its_leap_days() -> None:
    table = SCHIPHOL.daily_table(0, 2000, FEW)
    assert table.size == 1461
    assert (table.start.year, table.end.year) == (2000, 2004)
    daily = SCHIPHOL.daily(jax.random.key(0), FEW)
    rain = np.asarray(daily.rain)
    assert np.array_equal(table["rain"], np.concatenate([rain[0], np.delete(rain[1:], LEAP_DAY, axis=1).ravel()]))
    assert SCHIPHOL.daily_table(0, 1900, FEW).size == 1460


def test_a_shifted_climate_is_warmer_at_the_same_humidity_with_less_rain() -> None:
    shift = ClimateShift(temperature_offset=2.5, rain_factor=0.8, co2=560.0)
    plain, other = SCHIPHOL.hourly_table(6, 2001, FEW), WeatherGenerator("schiphol", shift).hourly_table(6, 2001, FEW)
    assert other["air_temperature"] - plain["air_temperature"] == pytest.approx(2.5)
    assert np.all(other["co2"] == 560.0) and np.all(plain["co2"] == 400.0)
    before, after = SCHIPHOL.daily_table(6, 2001, FEW), WeatherGenerator("schiphol", shift).daily_table(6, 2001, FEW)
    humidity = [day["vapour_pressure"] / saturation_vapour_pressure(day["air_temperature"]) for day in (before, after)]
    assert humidity[1] == pytest.approx(humidity[0])
    assert after["rain"] == pytest.approx(0.8 * before["rain"])
    assert np.array_equal(after["irradiation"], before["irradiation"])
    assert "+2.5 °C" in after.provenance.notes[0]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("version", VERSIONS)
def test_the_hours_of_a_day_make_up_the_day(preset: str, version: int) -> None:
    generator = WeatherGenerator(preset, version=version)
    days, again = generator.daily_table(5, 2001, FEW), daily_from_hourly(generator.hourly_table(5, 2001, FEW))
    for name in ("irradiation", "minimum_temperature", "maximum_temperature", "vapour_pressure", "wind_speed_2m"):
        assert again[name] == pytest.approx(days[name], rel=1e-6, abs=1e-6), name
    difference = np.abs(again["air_temperature"] - days["air_temperature"])
    assert difference.max() < 0.4
    assert np.mean(difference < 0.01) > 0.98


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("version", VERSIONS)
def test_hours_make_sense(preset: str, version: int) -> None:
    generator = WeatherGenerator(preset, version=version)
    table = generator.hourly_table(5, 2001, FEW)
    radiation = np.asarray(table["global_radiation"]).reshape(-1, 24)
    assert not radiation[:, [22, 23, 0, 1]].any()
    assert radiation.max() < 1200.0
    centre = (radiation * (np.arange(24) + 0.5)).sum() / radiation.sum()
    assert centre == pytest.approx(solar_noon(generator.site.longitude).mean(), abs=0.1)
    assert np.all((table["relative_humidity"] > 5.0) & (table["relative_humidity"] <= 100.0))
    temperature = np.asarray(table["air_temperature"])
    assert np.all(np.asarray(table["sky_temperature"]) < temperature)
    steps, midnight = np.abs(np.diff(temperature)), np.arange(1, temperature.size) % 24 == 0
    assert np.percentile(steps[midnight], 95) < np.percentile(steps[~midnight], 95)
    clouds = radiation[:, 11] / radiation.sum(axis=1)
    assert 0.01 < np.std(clouds[150:240]) < 0.06
    assert np.asarray(table["soil_temperature"]).max() == pytest.approx(15.0, abs=0.01)


@pytest.mark.parametrize("version", VERSIONS)
def test_wind_and_clouds_go_on_from_hour_to_hour(version: int) -> None:
    wind = np.asarray(WeatherGenerator("schiphol", version=version).hourly_table(5, 2001, FEW)["wind_speed"]).reshape(
        -1, 24
    )
    ratio = wind / wind.mean(axis=1, keepdims=True)
    gust = ratio - ratio.mean(axis=0)
    assert gust.std() == pytest.approx(0.32, abs=0.03)  # KNMI, Schiphol 2008-2025
    assert np.mean(gust[:, 1:] * gust[:, :-1]) / np.mean(gust**2) == pytest.approx(0.74, abs=0.04)


@pytest.mark.parametrize("preset", PRESETS)
def test_hours_and_days_join_at_midnight(preset: str) -> None:
    table = WeatherGenerator(preset).hourly_table(5, 2001, FEW)
    midnight = np.arange(1, table.size) % 24 == 0
    for name in ("air_temperature", "vapour_pressure", "wind_speed"):
        steps = np.abs(np.diff(np.asarray(table[name])))
        for share in (50, 90, 95):
            assert np.percentile(steps[midnight], share) < np.percentile(steps[~midnight], share), (name, share)


# KNMI, Schiphol 2011-2024, as `hourly_statistics` of its hours has it
OBSERVED_HOURS = HourlyStatistics(
    damp_hours=0.917, vapour_change=56.57, sky_depression=6.581, sky_change=4.417, temperature_change=0.891,
    other_minimum=58.04, strong_wind=17.0, annual_radiation=5.919, annual_temperature=0.635, annual_vapour=39.21,
    annual_wind=0.211, hot_days=3.643,
)  # fmt: skip


@pytest.mark.slow
def test_hours_and_years_vary_as_observed() -> None:
    table = SCHIPHOL.hourly_table(9, 2001, 250, balanced=False)
    hours = {name: np.asarray(table[name]).reshape(-1, 24) for name in COLUMNS}
    found = hourly_statistics(table.times.astype("datetime64[D]")[::24], hours)
    for name, real in vars(OBSERVED_HOURS).items():
        assert getattr(found, name) == pytest.approx(real, rel=0.2), name


def test_version_0_gives_the_weather_that_it_always_gave() -> None:
    for preset, vapour, temperature in (
        ("schiphol", 562.4081686295883, -6.256226387347923),
        ("wageningen", 690.7578957995405, -6.608030480557709),
        ("france48n", 857.3076361449749, -2.480312784412591),
    ):
        table = WeatherGenerator(preset, version=0).hourly_table(5, 2001, 3)
        assert table["vapour_pressure"][1000] == pytest.approx(vapour, rel=1e-9)
        assert table["air_temperature"][777] == pytest.approx(temperature, rel=1e-9)
    with pytest.raises(ValueRangeError, match="version"):
        WeatherGenerator("schiphol", version=2)


def test_a_seasonal_course_keeps_the_means_of_the_months() -> None:
    monthly = np.random.default_rng(0).normal(size=(12, 3))
    assert MONTH_MEANS @ seasonal_cycle(monthly) == pytest.approx(monthly)
    smooth = seasonal_cycle(np.cos(np.arange(12) * np.pi / 6.0))
    assert np.abs(np.diff(np.append(smooth, smooth[0]))).max() < 0.03


@pytest.mark.parametrize("preset", PRESETS)
def test_shocks_keep_the_variance_of_the_latent_weather(preset: str) -> None:
    tables = daily_tables(load_parameters(preset))
    covariance = np.eye(7)
    for transition, shock in [*zip(tables.transition, tables.shock, strict=True)] * 2:
        covariance = transition @ covariance @ transition.T + shock @ shock.T
    assert np.diag(covariance) == pytest.approx(1.0, abs=0.02)
    assert np.abs(np.linalg.eigvals(tables.transition)).max() < 1.0


def test_amounts_of_rain_have_the_observed_mean_and_spread() -> None:
    for preset in PRESETS:
        parameters = load_parameters(preset)
        mean, std = table_moments(rain_quantiles(parameters))
        assert mean + 0.3 == pytest.approx(parameters.rain_mean, rel=1e-3)
        assert std == pytest.approx(parameters.rain_std, rel=0.03)


def test_bad_arguments_are_answered_by_name() -> None:
    with pytest.raises(UnknownNameError, match="schiphol"):
        WeatherGenerator("schipol")
    with pytest.raises(ValueRangeError, match="years"):
        SCHIPHOL.daily(jax.random.key(0), 0)
    with pytest.raises(ValueRangeError, match="years"):
        SCHIPHOL.daily_table(0, 2001, -1)
    with pytest.raises(ValueRangeError, match="years"):
        SCHIPHOL.daily(jax.random.key(0), 1, balanced=True)
    with pytest.raises(ValueRangeError, match="seed"):
        SCHIPHOL.daily_table(-1, 2001, 1)
    with pytest.raises(ValueRangeError, match="rain_factor"):
        WeatherGenerator("schiphol", ClimateShift(rain_factor=-0.1))
    with pytest.raises(ValueRangeError, match="temperature_offset"):
        WeatherGenerator("schiphol", ClimateShift(temperature_offset=float("nan")))


def test_the_parameter_files_are_small_and_checked() -> None:
    folder = resources.files("phytotron.weather").joinpath("data", "generator")
    texts = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert set(texts) == {f"{preset}{ending}.json" for preset in PRESETS for ending in ("", "_v1")}
    assert sum(len(text.encode()) for text in texts.values()) < 350_000
    content = json.loads(texts["schiphol.json"])
    with pytest.raises(DataFileError, match="lacks rain_mean"):
        parameters_from({k: v for k, v in content.items() if k != "rain_mean"}, "a.json")
    with pytest.raises(DataFileError, match="rain_std"):
        parameters_from(content | {"rain_std": [1.0]}, "a.json")
    with pytest.raises(DataFileError, match="scale"):
        parameters_from(content | {"scale": np.full((12, 6), np.nan).tolist()}, "a.json")


def test_daily_weather_is_a_pytree_of_years() -> None:
    weather = SCHIPHOL.daily(jax.random.key(0), FEW)
    assert isinstance(jax.tree.map(jnp.mean, weather), DailyWeather)

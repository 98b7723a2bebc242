"""Statistics of daily weather."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from phytotron.core.errors import ShapeError, ValueRangeError
from phytotron.weather.climate.statistics import (
    ClimateStatistics,
    climate_statistics,
    deviations,
    dry_spell_shares,
    from_figures,
    to_figures,
)

DATES = np.arange(np.datetime64("2001-01-01"), np.datetime64("2041-01-01"))
MONTH = DATES.astype("datetime64[M]").astype(int) % 12
YEAR = DATES.astype("datetime64[Y]").astype(int)


@pytest.fixture(scope="module")
def series() -> dict[str, np.ndarray]:
    """Temperature: 10 °C + month number + autoregression of 0.7 with spread 3 °C; rain on every third day."""
    noise = np.random.default_rng(0).normal(size=DATES.size)
    temperature = np.zeros(DATES.size)
    for day in range(1, DATES.size):
        temperature[day] = 0.7 * temperature[day - 1] + 3.0 * np.sqrt(1 - 0.7**2) * noise[day]
    rain = np.where(np.arange(DATES.size) % 3 == 0, 6.0, 0.1)
    return {"air_temperature": 10.0 + MONTH + temperature, "rain": rain}


@pytest.fixture(scope="module")
def statistics(series: dict[str, np.ndarray]) -> ClimateStatistics:
    return climate_statistics(DATES, series)


def test_mean_spread_and_memory_of_a_known_process_are_found(statistics: ClimateStatistics) -> None:
    # 1200 days of a month have about 1200 * 0.3 / 1.7 independent ones
    assert statistics.mean["air_temperature"] == pytest.approx(10.0 + np.arange(12), abs=3 * 3.0 / np.sqrt(210))
    assert statistics.std["air_temperature"] == pytest.approx(3.0, rel=0.15)
    assert statistics.lag1["air_temperature"] == pytest.approx(0.7, abs=0.08)
    assert np.mean(statistics.lag1["air_temperature"]) == pytest.approx(0.7, abs=0.02)


def test_months_of_an_autoregression_vary_as_theory_says(statistics: ClimateStatistics) -> None:
    lags = np.arange(1, 30)
    variance = 9.0 / 30 * (1 + 2 * np.sum((1 - lags / 30) * 0.7**lags))
    assert np.mean(statistics.interannual_std["air_temperature"] ** 2) == pytest.approx(variance, rel=0.15)


def test_rain_counts_wet_days_totals_and_dry_spells(statistics: ClimateStatistics) -> None:
    assert statistics.wet_fraction == pytest.approx(1 / 3, abs=0.01)
    assert statistics.mean["rain"] == pytest.approx(6.0 / 3 + 0.1 * 2 / 3, abs=0.06)
    assert statistics.dry_spells[:3] == pytest.approx([1.0, 1.0, 0.0], abs=1e-3)
    assert statistics.long_dry_spells == 0.0


def test_a_year_to_year_change_shows_in_totals_of_rain_and_means_of_the_rest() -> None:
    steps = {"rain": np.where(YEAR % 2 == 0, 2.0, 1.0), "air_temperature": np.where(YEAR % 2 == 0, 2.0, 1.0)}
    found = climate_statistics(DATES, steps)
    half = 0.5 * np.sqrt(40 / 39)
    assert found.interannual_std["air_temperature"] == pytest.approx(half)
    assert found.interannual_std["rain"][[0, 3]] == pytest.approx([31 * half, 30 * half])


def test_dry_spells_are_counted_by_length() -> None:
    wet = np.array([0, 1, 0, 0, 1, 1, 0, 0, 0, 1], bool)  # spells of 1, 2, 3 days
    assert dry_spell_shares(wet)[:4] == pytest.approx([1.0, 2 / 3, 1 / 3, 0.0])
    assert not dry_spell_shares(np.ones(5, bool)).any()


def test_correlations_are_those_of_the_season() -> None:
    rng = np.random.default_rng(1)
    base = rng.normal(size=DATES.size)
    sign = np.where(np.isin(MONTH, (5, 6, 7)), 1.0, -1.0)
    found = climate_statistics(DATES, {"rain": base + 10.0, "wind_speed_2m": sign * base + 10.0})
    assert found.correlation[2, 0, 1] == pytest.approx(1.0)
    assert found.correlation[[0, 1, 3], 0, 1] == pytest.approx(-1.0)


def test_figures_for_a_file_bring_the_statistics_back(statistics: ClimateStatistics) -> None:
    again = from_figures(to_figures(statistics))
    assert again.variables == statistics.variables
    assert again.std["rain"] == pytest.approx(statistics.std["rain"], rel=1e-3)
    assert again.correlation == pytest.approx(statistics.correlation, abs=1e-3)


def test_a_deviation_is_reported_with_its_month(statistics: ClimateStatistics) -> None:
    real = dataclasses.replace(statistics, dry_spells=np.full(41, 0.1))
    assert max(d.ratio for d in deviations(real, real)) == 0.0
    warmer = real.mean["air_temperature"] + np.where(np.arange(12) == 6, 0.45, 0.1)
    worst = max(
        deviations(dataclasses.replace(real, mean=real.mean | {"air_temperature": warmer}), real), key=lambda d: d.ratio
    )
    assert (worst.criterion, worst.variable, worst.month) == ("mean", "air_temperature", 7)
    assert worst.ratio == pytest.approx(1.5)
    assert "month 7: +0.450 (allowed 0.3)" in str(worst)


def test_gaps_missing_values_and_missing_rain_are_refused(series: dict[str, np.ndarray]) -> None:
    rain = series["rain"]
    with pytest.raises(ValueRangeError, match="without a gap"):
        climate_statistics(np.delete(DATES, 5), {"rain": rain[1:]})
    with pytest.raises(ValueRangeError, match="finite"):
        climate_statistics(DATES, {"rain": np.where(np.arange(DATES.size) == 7, np.nan, rain)})
    with pytest.raises(ShapeError):
        climate_statistics(DATES, {"rain": rain[:-1]})
    with pytest.raises(ValueRangeError, match="named rain"):
        climate_statistics(DATES, {"wind_speed_2m": rain})
    with pytest.raises(ValueRangeError, match="whole year"):
        climate_statistics(DATES[:100], {"rain": rain[:100]})

"""The climate similarity index: its laws, and the sites at hand."""

from __future__ import annotations

import numpy as np
import pytest
from shared_data import shared

from phytotron.core.errors import ShapeError
from phytotron.papers.cropgym.experiments.climates import northern_test, southern_test
from phytotron.papers.cropgym.numbers import SIMILARITY
from phytotron.weather.climate.similarity import (
    MonthlyClimate,
    distances,
    monthly_climate,
    seasonal_lag,
    similarity,
)
from phytotron.weather.field_weather import named_field_weather
from phytotron.weather.table import WeatherError

MONTHS = np.arange(12)
MILD = MonthlyClimate(10.0 - 8.0 * np.cos(2.0 * np.pi * MONTHS / 12), np.full(12, 60.0))


def test_a_climate_is_like_itself() -> None:
    assert similarity(MILD, MILD) == 1.0


def test_at_the_distance_k_similarity_is_one_half() -> None:
    other = MonthlyClimate(MILD.temperature + 10.0, MILD.rain - 10.0)
    assert distances(MILD, other) == pytest.approx((10.0, 10.0))
    assert similarity(MILD, other) == pytest.approx(0.5) == similarity(other, MILD)
    assert similarity(MILD, other, weights=(1.0, 1.0)) == pytest.approx(0.5)


@pytest.mark.parametrize("lag", [-5, -1, 0, 2, 6])
def test_a_turned_year_is_turned_back(lag: int) -> None:
    other = MILD.turned(-lag)
    assert seasonal_lag(MILD, other) == lag
    assert similarity(MILD, other, lag=lag) == pytest.approx(1.0)


def test_months_are_averages_of_their_days() -> None:
    weather = named_field_weather("wageningen")
    climate = monthly_climate(weather)
    january, december = climate.temperature[0], climate.temperature[11]
    assert january == pytest.approx(np.asarray(weather.series("air_temperature"))[:, :31].mean())
    leap = np.asarray(weather.leap)
    days = [np.asarray(weather.series("air_temperature"))[row, 334 + leap[row] :][:31] for row in range(len(leap))]
    full = [each for each, length in zip(days, weather.length, strict=True) if length >= 365]
    assert december == pytest.approx(np.mean(full), abs=0.05)
    assert climate.temperature.argmax() in (6, 7) and 600.0 < climate.rain.sum() < 900.0


def test_half_a_year_is_refused() -> None:
    with pytest.raises(WeatherError, match="all months"):
        monthly_climate(named_field_weather("wageningen").resized(200))


def test_eleven_months_are_refused() -> None:
    with pytest.raises(ShapeError, match="one number per month"):
        similarity(MILD, MonthlyClimate(MILD.temperature[:11], MILD.rain))


def test_the_embedded_climates_are_about_as_alike_as_the_papers() -> None:
    north, south = (monthly_climate(each(None).weather) for each in (northern_test, southern_test))
    assert seasonal_lag(north, south) == 0
    assert similarity(north, south) == pytest.approx(SIMILARITY, abs=0.05)


def test_the_points_at_hand_are_about_as_alike_as_the_papers() -> None:
    folder = shared("weather")
    north, south = (monthly_climate(each(folder).weather) for each in (northern_test, southern_test))
    assert seasonal_lag(north, south) == 0
    assert similarity(north, south) == pytest.approx(SIMILARITY, abs=0.05)

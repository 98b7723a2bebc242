"""The ten inputs of the greenhouse, from tables."""

from __future__ import annotations

from datetime import date, datetime

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from shared_data import shared

from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import check_value, names, quantities
from phytotron.models.greenlight import Weather
from phytotron.weather import humid_air
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.greenhouse_weather import INPUTS, concatenated, greenhouse_weather
from phytotron.weather.radiation import sky_temperature_from_cloud
from phytotron.weather.sources import read_weather
from phytotron.weather.table import WeatherError, WeatherTable

# The hourly file is rounded to 0.01 W m-2 and 0.01 °C, that of gl-gym is not.
REBUILT = 0.005


def spring() -> WeatherTable:
    return embedded_weather("schiphol").window(date(2010, 3, 1), date(2010, 5, 1))


def test_every_input_of_the_greenhouse_model_is_there_and_makes_sense() -> None:
    weather = greenhouse_weather(spring())
    assert names(Weather) == INPUTS
    assert weather.values.shape == (61 * 288, 10)
    for q in quantities(Weather):
        check_value(q, weather.series(q.name), "weather")


@pytest.mark.parametrize("year", [*(pytest.param(year, marks=pytest.mark.slow) for year in (2008, 2011)), 2012])
def test_the_published_table_is_rebuilt_from_the_hourly_file(year: int) -> None:
    """The embedded hours are the nodes of gl-gym's table, which is linear between them (make_embedded_weather.py)."""
    first, end = date(year, 1, 1), date(year + 1, 1, 1)
    path = shared("weather", "hourly", "knmi_240_schiphol_hourly_2008_2025.csv.gz")
    rebuilt = read_weather(path, first=first, end=end).resampled(300)
    published = embedded_weather("schiphol").window(first, end).resampled(300)
    for name in ("global_radiation", "air_temperature", "relative_humidity", "wind_speed", "sky_temperature"):
        assert np.abs(rebuilt[name] - published[name]).max() <= REBUILT, name


def test_a_temperature_offset_keeps_relative_humidity() -> None:
    plain, warmer = greenhouse_weather(spring()), greenhouse_weather(spring(), temperature_offset=1.5)
    assert warmer.series("outdoor_temperature") - plain.series("outdoor_temperature") == pytest.approx(1.5)
    humidity = [
        humid_air.relative_humidity(each.series("outdoor_temperature"), each.series("outdoor_vapour_pressure"))
        for each in (plain, warmer)
    ]
    assert humidity[0] == pytest.approx(humidity[1])
    without = spring().select(
        ["global_radiation", "air_temperature", "vapour_pressure", "wind_speed", "sky_temperature"]
    )
    dry = greenhouse_weather(without, temperature_offset=1.5)
    assert dry.series("outdoor_vapour_pressure") == pytest.approx(warmer.series("outdoor_vapour_pressure"), rel=0.02)


def test_the_sky_is_computed_from_cloud_where_it_is_not_given() -> None:
    cloudy = spring().select(["global_radiation", "air_temperature", "relative_humidity", "wind_speed", "cloud_cover"])
    sky = sky_temperature_from_cloud(cloudy["air_temperature"], cloudy["cloud_cover"])
    assert greenhouse_weather(cloudy).series("sky_temperature")[::12] == pytest.approx(sky)
    with pytest.raises(WeatherError, match="sky_temperature nor cloud_cover"):
        greenhouse_weather(cloudy.select(["global_radiation", "air_temperature", "relative_humidity", "wind_speed"]))


def test_a_table_that_starts_in_the_day_is_used_from_its_first_midnight() -> None:
    late = greenhouse_weather(spring().window(datetime(2010, 3, 1, 7), date(2010, 4, 1)))
    assert late.dates[0] == np.datetime64("2010-03-02")
    assert late.days == 30
    whole = greenhouse_weather(spring())
    assert np.array_equal(late.values[:-12, 1], whole.values[288 : 31 * 288 - 12, 1])
    assert np.all(late.values[-12:, 1] == whole.values[31 * 288 - 12, 1])  # the last hour holds


def test_days_are_too_coarse_and_odd_intervals_refused() -> None:
    with pytest.raises(WeatherError, match="too coarse"):
        greenhouse_weather(embedded_weather("wageningen"))
    with pytest.raises(ValueRangeError, match="divisor of 3600"):
        greenhouse_weather(spring(), interval=700)


def test_years_side_by_side_keep_their_dates() -> None:
    table = embedded_weather("schiphol")
    parts = [greenhouse_weather(table.window(date(year, 1, 1), date(year + 1, 1, 1))) for year in (2008, 2012)]
    both = concatenated(parts)
    assert both.days == 2 * 366
    assert [str(both.dates[day]) for day in (59, 365, 366, 731)] == [
        "2008-02-29",
        "2008-12-31",
        "2012-01-01",
        "2012-12-31",
    ]
    with pytest.raises(ValueRangeError, match="intervals"):
        concatenated([parts[0], greenhouse_weather(spring(), interval=900)])


def test_between_rows_inputs_run_along_lines_single_batched_and_jitted() -> None:
    weather = greenhouse_weather(spring()).on_device("float64")
    day, second = jnp.array([0, 1, 60]), jnp.array([450, 86399, 86390])
    batched = jax.jit(jax.vmap(type(weather).at, (None, 0, 0)))(weather, day, second)
    values = np.asarray(weather.values)
    assert np.asarray(batched[0]) == pytest.approx(0.5 * (values[1] + values[2]))
    assert np.asarray(batched[1]) == pytest.approx(values[575] + (values[576] - values[575]) * 299 / 300)
    assert np.asarray(batched[2]) == pytest.approx(values[-1])
    assert np.array_equal(batched[0], weather.at(day[0], second[0]))

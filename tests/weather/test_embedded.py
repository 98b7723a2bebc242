"""The embedded weather and what is derived from measurements."""

from __future__ import annotations

from datetime import datetime
from importlib import resources

import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.core.fields import check_value, quantities
from phytotron.models.greenlight import Weather, humid_air
from phytotron.weather import derived
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.greenhouse_weather import day_of_year

STEPS_PER_DAY = 288


def test_the_sample_is_march_and_april_2010_at_five_minutes() -> None:
    weather = embedded_weather()
    assert weather.start == datetime(2010, 3, 1)
    assert day_of_year(weather.start) == 59.0
    assert (weather.interval, weather.whole_days) == (300, 61)


def test_every_input_of_the_greenhouse_model_is_there_and_makes_sense() -> None:
    inputs = embedded_weather().inputs
    assert set(inputs) == {q.name for q in quantities(Weather)}
    for q in quantities(Weather):
        check_value(q, inputs[q.name], "weather")


def test_hours_are_as_measured_and_lines_between_them() -> None:
    weather = embedded_weather().inputs
    # KNMI, 1 March 2010, hours 1, 8 and 9: 0, 24 and 82 J cm-2; 4.2, 4.2 and 5.2 °C; 10, 6 and 7 m s-1.
    assert weather["global_radiation"][[0, 84, 96]] == pytest.approx(np.array([0, 24, 82]) * 1e4 / 3600, abs=1e-3)
    assert weather["outdoor_temperature"][[0, 84, 90, 96]] == pytest.approx([4.2, 4.2, 4.7, 5.2])
    assert weather["wind_speed"][[0, 84, 96]] == pytest.approx([10, 6, 7])


def test_the_file_is_small_and_names_its_source() -> None:
    text = resources.files("phytotron.weather").joinpath("data/schiphol_2010_spring.csv").read_text(encoding="utf-8")
    assert len(text.encode()) <= 100_000
    assert "KNMI" in text.splitlines()[1]
    assert "gl-gym" in text


def test_a_temperature_offset_keeps_relative_humidity() -> None:
    plain, warmer = embedded_weather().inputs, embedded_weather(temperature_offset=1.5).inputs
    assert warmer["outdoor_temperature"] - plain["outdoor_temperature"] == pytest.approx(1.5)
    humidity = [
        w["outdoor_vapour_pressure"] / derived.saturation_vapour_pressure(w["outdoor_temperature"])
        for w in (plain, warmer)
    ]
    assert humidity[0] == pytest.approx(humidity[1])


def test_an_unknown_sample_is_answered_with_the_known_one() -> None:
    with pytest.raises(UnknownNameError, match="schiphol_2010_spring"):
        embedded_weather("schiphol_2010")


def test_resampling_keeps_the_values_that_both_intervals_have() -> None:
    weather = embedded_weather()
    coarse, fine = weather.resampled(900), weather.resampled(100)
    for name, series in weather.inputs.items():
        assert np.array_equal(coarse.inputs[name], series[::3])
        assert fine.inputs[name][::3] == pytest.approx(series)
    assert coarse.whole_days == fine.whole_days == weather.whole_days
    with pytest.raises(ValueRangeError):
        weather.resampled(0)


def test_formulas_agree_with_those_of_the_greenhouse_model() -> None:
    temperature = np.linspace(-20.0, 40.0, 13)
    assert derived.saturation_vapour_pressure(temperature) == pytest.approx(
        np.asarray(humid_air.saturation_vapour_pressure(jnp.asarray(temperature))), rel=1e-6
    )
    density = derived.co2_density(temperature, 400.0)
    assert density == pytest.approx(np.asarray(humid_air.co2_concentration(jnp.asarray(temperature), 400.0)), rel=1e-6)


def test_deep_soil_is_coldest_and_warmest_an_eighth_of_a_year_after_the_air() -> None:
    year = derived.deep_soil_temperature(np.arange(365.0))
    assert (year.min(), year.max()) == pytest.approx((5.0, 15.0), abs=1e-3)
    assert (int(year.argmin()), int(year.argmax())) == (46, 228)


def test_the_daily_sum_is_that_of_the_calendar_day() -> None:
    weather = embedded_weather().inputs
    days = weather["global_radiation"][:-1].reshape(61, STEPS_PER_DAY).sum(axis=1) * 300e-6
    assert weather["daily_radiation_sum"][:-1].reshape(61, STEPS_PER_DAY) == pytest.approx(days[:, None] * np.ones(288))
    assert days[0] == pytest.approx(7.3, abs=1e-3)


def test_day_and_night_change_within_an_hour() -> None:
    radiation = np.zeros(STEPS_PER_DAY)
    radiation[96:216] = 100.0  # 8:00 to 18:00
    linear, smooth = derived.day_ramps(radiation, 300.0)
    for ramp in (linear, smooth):
        assert np.all((ramp >= 0.0) & (ramp <= 1.0))
        assert np.all(ramp[:89] == 0.0) and np.all(ramp[102:209] == 1.0) and np.all(ramp[222:] == 0.0)
        assert np.all(np.diff(ramp[88:102]) >= 0.0) and np.all(np.diff(ramp[209:222]) <= 0.0)
    assert linear[89:101] == pytest.approx(np.linspace(0.0, 1.0, 12))


def test_a_night_and_a_change_at_the_very_edge_have_no_ramp() -> None:
    assert not derived.day_ramps(np.zeros(50), 300.0)[0].any()
    edge = np.zeros(50)
    edge[2:] = 1.0
    assert np.array_equal(derived.day_ramps(edge, 300.0)[0], edge)

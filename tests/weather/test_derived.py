"""What follows from measured weather: humidity, sky, soil, wind, day and night."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.weather import humid_air, radiation, surface

TEMPERATURE = np.linspace(-20.0, 40.0, 13)


def test_the_same_formula_serves_numpy_series_and_jax_values() -> None:
    series = humid_air.saturation_vapour_pressure(TEMPERATURE)
    assert isinstance(series, np.ndarray) and series.dtype == np.float64
    traced = jax.jit(humid_air.saturation_vapour_pressure)(jnp.asarray(TEMPERATURE, jnp.float32))
    assert traced.dtype == jnp.float32
    assert np.asarray(traced) == pytest.approx(series, rel=1e-5)


def test_vapour_pressure_humidity_and_dew_point_are_inverses() -> None:
    pressure = humid_air.vapour_pressure(TEMPERATURE, 70.0)
    assert humid_air.relative_humidity(TEMPERATURE, pressure) == pytest.approx(70.0)
    dew = humid_air.dew_point(pressure)
    assert humid_air.saturation_vapour_pressure(dew) == pytest.approx(pressure)
    assert np.all(dew < TEMPERATURE)
    # 20 °C saturates at 2.338 kPa (FAO-56, table 2.3)
    assert float(humid_air.tetens_vapour_pressure(np.float64(20.0))) == pytest.approx(2338.0, rel=1e-3)


def test_co2_density_is_that_of_an_ideal_gas() -> None:
    density = humid_air.co2_concentration(TEMPERATURE, 400.0)
    assert humid_air.co2_mole_fraction(TEMPERATURE, density) == pytest.approx(400.0)
    # 400 ppm of a mole of gas, 22.414 l at 0 °C, times 44.01 g
    assert float(humid_air.co2_concentration(np.float64(0.0), 400.0)) == pytest.approx(400 * 44.01 / 22.414, rel=1e-4)


def test_the_sky_is_colder_than_the_air_and_warms_under_cloud() -> None:
    skies = np.stack([radiation.sky_temperature_from_cloud(TEMPERATURE, cover) for cover in (0.0, 0.5, 1.0)])
    assert np.all(np.diff(skies, axis=0) > 0.0)
    assert np.all(skies < TEMPERATURE)
    longwave = radiation.STEFAN_BOLTZMANN * (skies[0] + 273.15) ** 4
    assert longwave == pytest.approx(213.0 + 5.5 * TEMPERATURE)
    assert radiation.sky_temperature_from_longwave(longwave) == pytest.approx(skies[0])


def test_deep_soil_is_coldest_and_warmest_an_eighth_of_a_year_after_the_air() -> None:
    year = surface.deep_soil_temperature(np.arange(365.0))
    assert (year.min(), year.max()) == pytest.approx((5.0, 15.0), abs=1e-3)
    assert (int(year.argmin()), int(year.argmax())) == (46, 228)


def test_wind_at_2_m_is_three_quarters_of_that_at_10_m() -> None:
    assert surface.wind_at_2m(10.0) == pytest.approx(7.48, abs=0.005)
    assert surface.wind_at_2m(3.2, height=2.0) == pytest.approx(3.2, rel=2e-3)


def test_radiation_above_the_atmosphere_is_that_of_the_handbook() -> None:
    # FAO-56, example 8: 32.2 MJ m-2 on 3 September at 20 S; example 18: 41.09 MJ m-2 on 6 July at 50.8 N
    assert radiation.angot_radiation(np.float64(246.0), -20.0) / 1e6 == pytest.approx(32.2, rel=0.01)
    assert radiation.angot_radiation(np.float64(187.0), 50.8) / 1e6 == pytest.approx(41.09, rel=0.01)


def test_the_polar_night_is_dark_and_the_polar_day_lasts_24_hours() -> None:
    day = np.array([1.0, 172.0])
    assert radiation.angot_radiation(day, 80.0)[0] == 0.0
    assert radiation.daylength_terms(day, 80.0)[1].tolist() == [0.0, 24.0]


def test_the_daily_sum_is_that_of_the_calendar_day() -> None:
    power = np.concatenate([np.full(288, 100.0), np.full(288, 200.0)])
    sums = radiation.daily_radiation_sum(power, np.arange(576) / 288, 300.0)
    assert sums[[0, 287, 288, 575]] == pytest.approx([8.64, 8.64, 17.28, 17.28])


def test_day_and_night_change_within_an_hour() -> None:
    power = np.zeros(288)
    power[96:216] = 100.0  # 8:00 to 18:00
    linear, smooth = radiation.day_ramps(power, 300.0)
    for ramp in (linear, smooth):
        assert np.all((ramp >= 0.0) & (ramp <= 1.0))
        assert np.all(ramp[:89] == 0.0) and np.all(ramp[102:209] == 1.0) and np.all(ramp[222:] == 0.0)
        assert np.all(np.diff(ramp[88:102]) >= 0.0) and np.all(np.diff(ramp[209:222]) <= 0.0)
    assert linear[89:101] == pytest.approx(np.linspace(0.0, 1.0, 12))


def test_a_night_and_a_change_at_the_very_edge_have_no_ramp() -> None:
    assert not radiation.day_ramps(np.zeros(50), 300.0)[0].any()
    edge = np.zeros(50)
    edge[2:] = 1.0
    assert np.array_equal(radiation.day_ramps(edge, 300.0)[0], edge)

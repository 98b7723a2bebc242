"""Days from hours."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from weather_files import epw

from phytotron.weather.daily import daily_from_hourly, site_angstrom, with_evaporation
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.evapotranspiration import DEFAULT_ANGSTROM, Angstrom
from phytotron.weather.field_weather import field_weather
from phytotron.weather.humid_air import vapour_pressure
from phytotron.weather.site import Provenance, Site
from phytotron.weather.sources import read_weather
from phytotron.weather.surface import wind_at_2m
from phytotron.weather.table import WeatherError, weather_table

SITE, SOURCE = Site("Nowhere", 52.0, 5.0), Provenance("made up", "CC0")


def test_days_hold_sums_means_and_extremes_of_their_hours() -> None:
    hours = embedded_weather("schiphol").window(date(2012, 2, 28), date(2012, 3, 2))
    days = daily_from_hourly(hours)
    leap_day = slice(24, 48)
    assert (days.size, days.interval) == (3, 86400)
    assert days["irradiation"][1] == pytest.approx(hours["global_radiation"][leap_day].sum() * 3600)
    assert days["minimum_temperature"][1] == hours["air_temperature"][leap_day].min()
    assert days["maximum_temperature"][1] == hours["air_temperature"][leap_day].max()
    assert days["air_temperature"][1] == pytest.approx(hours["air_temperature"][leap_day].mean())
    humid = vapour_pressure(hours["air_temperature"], hours["relative_humidity"])[leap_day].mean()
    assert days["vapour_pressure"][1] == pytest.approx(humid)
    assert days["wind_speed_2m"][1] == pytest.approx(wind_at_2m(hours["wind_speed"][leap_day].mean()))


def test_rain_adds_up_and_days_that_are_not_whole_are_left_out() -> None:
    columns = {name: np.ones(60) for name in ("global_radiation", "air_temperature", "rain")}
    days = daily_from_hourly(weather_table(columns, datetime(2011, 12, 31, 7), 3600, SITE, SOURCE))
    assert days.start == datetime(2012, 1, 1, tzinfo=UTC)
    assert days["rain"].tolist() == [24.0]


@pytest.mark.parametrize(("longitude", "hours"), [(5.7, 0), (-97.0, 6), (-58.4, 4), (116.4, -8), (179.0, -12)])
def test_days_are_those_of_the_place(longitude: float, hours: int) -> None:
    start = datetime(2012, 1, 1) + timedelta(hours=hours)  # midnight there
    noon = np.arange(72) % 24 == 12
    columns = {"global_radiation": 600.0 * noon, "air_temperature": np.repeat([3.0, 4.0, 5.0], 24)}
    days = daily_from_hourly(weather_table(columns, start, 3600, Site("There", 40.0, longitude), SOURCE))
    assert days.start == datetime(2012, 1, 1, tzinfo=UTC)
    assert days["air_temperature"].tolist() == [3.0, 4.0, 5.0]
    assert days["irradiation"].tolist() == [2.16e6, 2.16e6, 2.16e6]


def test_a_year_of_epw_from_america_holds_a_season(tmp_path: Path) -> None:
    text = epw(zone=-6.0).replace("52.00,5.50,-6.0", "41.50,-93.60,-6.0")
    (tmp_path / "iowa.epw").write_text(text, encoding="utf-8")
    assert field_weather(read_weather(tmp_path / "iowa.epw")).year.tolist() == [2007]


def test_less_than_a_day_and_steps_of_half_a_day_are_refused() -> None:
    columns = {name: np.ones(20) for name in ("global_radiation", "air_temperature")}
    with pytest.raises(WeatherError, match="no whole day"):
        daily_from_hourly(weather_table(columns, datetime(2012, 1, 1), 3600, SITE, SOURCE))
    with pytest.raises(WeatherError, match="2 rows a day"):
        daily_from_hourly(weather_table(columns, datetime(2012, 1, 1), 43200, SITE, SOURCE))


def test_a_year_of_evaporation_at_wageningen_is_that_of_a_mild_wet_climate() -> None:
    year = with_evaporation(embedded_weather("wageningen").window(date(1986, 1, 1), date(1987, 1, 1)))
    assert 500 < year["reference_evapotranspiration"].sum() < 750  # mm
    assert 900 > year["open_water_evaporation"].sum() > year["bare_soil_evaporation"].sum() > 400


def test_evaporation_needs_days() -> None:
    with pytest.raises(WeatherError, match="daily_from_hourly"):
        with_evaporation(embedded_weather("schiphol"))


def test_angstrom_comes_from_the_site_then_the_radiation_then_the_book() -> None:
    daily = {"irradiation": np.ones(300), "minimum_temperature": np.zeros(300)}
    plain = weather_table(daily, date(2012, 1, 1), 86400, SITE, SOURCE)
    assert site_angstrom(plain) == DEFAULT_ANGSTROM
    assert site_angstrom(embedded_weather("wageningen")) == Angstrom(0.18, 0.55)
    share = np.random.default_rng(0).uniform(0.15, 0.75, 300)
    above = plain.with_columns({"irradiation": share, "extraterrestrial_irradiation": np.ones(300)})
    assert site_angstrom(above).a == pytest.approx(np.percentile(share, 5.0))

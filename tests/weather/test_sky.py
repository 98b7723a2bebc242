"""The temperature of the sky, estimated by name."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from phytotron.core.errors import UnknownNameError
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.greenhouse_weather import greenhouse_weather
from phytotron.weather.needs import check_needs, lacking_for_field, lacking_for_greenhouse
from phytotron.weather.radiation import STEFAN_BOLTZMANN, sky_temperature_from_humidity
from phytotron.weather.sky import cloud_from_radiation, with_sky
from phytotron.weather.sources.derive import clouds_and_sky
from phytotron.weather.table import WeatherError, WeatherTable


@pytest.fixture(scope="module")
def bare() -> WeatherTable:
    table = embedded_weather("schiphol").window(date(2012, 6, 1), date(2012, 6, 15))
    return table.select(["global_radiation", "air_temperature", "relative_humidity", "wind_speed"])


def test_a_sky_under_cloud_is_as_warm_as_the_air_and_a_clear_one_by_brutsaert() -> None:
    assert sky_temperature_from_humidity(20.0, 1500.0, 1.0) == pytest.approx(20.0)
    emissivity = 1.24 * (15.0 / 293.15) ** (1.0 / 7.0)  # 15 hPa, 20 °C
    assert sky_temperature_from_humidity(20.0, 1500.0, 0.0) == pytest.approx(emissivity**0.25 * 293.15 - 273.15)


def test_clouds_follow_from_radiation(bare: WeatherTable) -> None:
    cloud = cloud_from_radiation(bare)
    assert cloud.min() >= 0.0 and cloud.max() <= 1.0
    dark = bare.with_columns({"global_radiation": 0.1 * np.asarray(bare["global_radiation"])})
    assert cloud_from_radiation(dark).mean() > 0.85 > cloud.mean()
    short = bare.window(bare.start, bare.times[12].astype(object))
    with pytest.raises(WeatherError, match="no whole day with sun"):
        cloud_from_radiation(short)


def test_the_estimate_comes_near_that_from_observed_clouds(bare: WeatherTable) -> None:
    estimated = with_sky(bare, "humidity")
    observed = embedded_weather("schiphol").window(date(2012, 6, 1), date(2012, 6, 15))["sky_temperature"]
    difference = (np.asarray(estimated["sky_temperature"]) - observed).reshape(-1, 24).mean(axis=1)
    assert abs(difference.mean()) < 2.0 and difference.std() < 4.0
    assert "humidity and radiation (Brutsaert 1975" in estimated.provenance.notes[-1]


def test_a_pyrgeometer_and_clouds_are_taken_at_their_word(bare: WeatherTable) -> None:
    sky = bare.with_columns({"longwave_radiation": np.full(bare.size, STEFAN_BOLTZMANN * 280.0**4)})
    assert with_sky(sky, "pyrgeometer")["sky_temperature"] == pytest.approx(np.full(bare.size, 280.0 - 273.15))
    with pytest.raises(WeatherError, match="no column 'cloud_cover'"):
        with_sky(bare, "cloud")
    with pytest.raises(UnknownNameError, match="cloud, humidity, pyrgeometer"):
        with_sky(bare, "xyz")


def test_air_too_cold_for_the_rule_of_clouds_is_named_with_the_remedy(bare: WeatherTable) -> None:
    cold = bare.with_columns({"air_temperature": np.full(bare.size, -33.0), "cloud_cover": np.zeros(bare.size)})
    for use in (greenhouse_weather, lambda table: with_sky(table, "cloud")):
        with pytest.raises(WeatherError, match=r"air temperature of -33.0 °C is too low.* --sky humidity"):
            use(cold)
    assert np.isfinite(with_sky(cold, "humidity")["sky_temperature"]).all()
    columns = {"oktas": np.array([0.0, 8.0]), "air_temperature": np.array([-33.0, -20.0])}
    clouds_and_sky(columns, bare.site)
    assert columns.keys() == {"air_temperature", "cloud_cover"}
    columns |= {"oktas": np.array([8.0, 8.0])}  # under cloud the rule holds
    clouds_and_sky(columns, bare.site)
    assert np.isfinite(columns["sky_temperature"]).all()


def test_what_no_environment_could_use_is_refused_with_the_remedy(bare: WeatherTable) -> None:
    assert lacking_for_greenhouse(bare) == ["sky_temperature|cloud_cover"]
    with pytest.raises(WeatherError, match=r"lacks sky_temperature or cloud_cover.*--sky humidity"):
        check_needs(bare)
    check_needs(bare, sky=False)
    check_needs(with_sky(bare, "humidity"))
    with pytest.raises(WeatherError, match="import FILE --sky humidity"):
        greenhouse_weather(bare)
    days = embedded_weather("wageningen")
    assert lacking_for_field(days) == [] and lacking_for_greenhouse(days) == ["steps of an hour or less"]
    check_needs(days)
    with pytest.raises(WeatherError, match="lacks rain, which a field needs"):
        check_needs(days.select([name for name in days.names if name != "rain"]))

"""The climate that people read, from the states and the weather of the model."""

from __future__ import annotations

import numpy as np
import pytest
from greenhouse_points import points

from phytotron.models.greenlight import indoor_climate, outdoor_climate
from phytotron.weather.humid_air import co2_concentration, vapour_pressure


def test_the_climate_is_what_makes_vapour_pressure_and_co2_of_the_model() -> None:
    at = points(256)
    inside, outside = indoor_climate(at.state), outdoor_climate(at.weather)
    for air, pressure, co2 in (
        (inside, at.state.air_vapour_pressure, at.state.air_co2),
        (outside, at.weather.outdoor_vapour_pressure, at.weather.outdoor_co2),
    ):
        assert vapour_pressure(air.temperature, air.relative_humidity) == pytest.approx(np.asarray(pressure), rel=1e-12)
        assert co2_concentration(air.temperature, air.co2) == pytest.approx(np.asarray(co2), rel=1e-12)

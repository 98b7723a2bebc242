"""Where the sun stands, and how much of its light is diffuse."""

from __future__ import annotations

import numpy as np
import pytest

from phytotron.weather.sun import diffuse_share, sun_height


def test_the_sun_is_highest_at_noon_of_summer() -> None:
    noon = np.array(["2022-06-21T11:44", "2022-12-21T11:40", "2022-06-21T00:00"], "datetime64[s]")
    heights = sun_height(noon, 52.0, 4.5)
    assert heights[0] == pytest.approx(np.sin(np.radians(90.0 - 52.0 + 23.44)), abs=0.002)
    assert heights[1] == pytest.approx(np.sin(np.radians(90.0 - 52.0 - 23.44)), abs=0.002)
    assert heights[2] == 0.0


def test_light_is_diffuse_under_cloud_and_at_night_and_mostly_direct_under_a_clear_sky() -> None:
    found = diffuse_share(np.array([50.0, 0.0, 700.0, 900.0]), np.array([0.5, 0.0, 0.7, 0.7]))
    assert found[0] > 0.97
    assert found[1] == 1.0
    assert found[2] < 0.3
    assert found[3] == pytest.approx(0.165)  # Erbs et al. 1982
    steps = diffuse_share(np.linspace(0.0, 700.0, 500), np.full(500, 0.6))
    assert np.abs(np.diff(steps)).max() < 0.02  # the three pieces meet

"""A greenhouse of another floor area: what belongs to the whole house goes with it."""

from __future__ import annotations

import numpy as np
import pytest
from greenhouse_points import SETS, points, with_everything

from phytotron.core.fields import names, stack
from phytotron.models.greenlight import (
    Equations,
    Parameters,
    derivative,
    forcing,
    load_parameters,
    scaled,
    spectral_radius_bound,
)
from phytotron.models.greenlight.design import design
from phytotron.models.greenlight.parameter_sets import WHOLE_HOUSE

AGREEMENT = 1e-12


@pytest.mark.parametrize("name", SETS)
def test_a_scaled_greenhouse_has_the_same_intensities(name: str) -> None:
    house = load_parameters(name, grow_pipe_boiler_power=1e5)
    large = scaled(house, 2e4)
    for each in WHOLE_HOUSE:
        ratio = getattr(large, each) / large.floor_area
        assert ratio == pytest.approx(getattr(house, each) / house.floor_area, rel=AGREEMENT), each
    for one, other in zip(design(large, Equations()), design(house, Equations()), strict=True):
        assert np.asarray(one) == pytest.approx(np.asarray(other), rel=AGREEMENT)
    assert spectral_radius_bound(large) == pytest.approx(spectral_radius_bound(house), rel=AGREEMENT)
    unchanged = set(names(Parameters)) - {*WHOLE_HOUSE, "floor_area"}
    assert all(getattr(large, each) == getattr(house, each) for each in unchanged)


@pytest.mark.parametrize("name", SETS)
def test_the_climate_does_not_depend_on_how_large_the_house_is(name: str) -> None:
    house = with_everything(load_parameters(name))
    at = points(64)
    one, other = (
        np.asarray(stack(derivative(at.state, forcing(at.control, at.weather, p, Equations()), Equations())))
        for p in (house, scaled(house, 777.0))
    )
    assert np.max(np.abs(one - other) / (1e-30 + np.max(np.abs(one), axis=0))) < 1e-11  # of sums that cancel


def test_another_floor_area_alone_keeps_the_intensities() -> None:
    house, small = load_parameters("katzin2021_4ha_led"), load_parameters("katzin2021_4ha_led", floor_area=2e4)
    assert small == scaled(house, 2e4)
    assert small.boiler_power / small.floor_area == pytest.approx(300.0, rel=AGREEMENT)
    assert small.cover_area / small.floor_area == pytest.approx(1.21, rel=AGREEMENT)


def test_what_is_given_with_the_floor_area_holds() -> None:
    made = load_parameters("katzin2021_4ha_led", aFlr=2e4, pBoil=5e6, cover_area=3e4)
    assert (made.floor_area, made.boiler_power, made.cover_area) == (2e4, 5e6, 3e4)
    assert made.co2_supply == pytest.approx(0.5 * load_parameters("katzin2021_4ha_led").co2_supply, rel=AGREEMENT)


def test_floor_areas_of_a_batch_scale_each_house() -> None:
    made = load_parameters(aFlr=np.array([2e4, 8e4]))
    assert np.asarray(made.boiler_power) == pytest.approx([6e6, 2.4e7], rel=AGREEMENT)

"""Amounts stay amounts: what cannot be negative does not become negative.

The carbohydrate buffer is the exception of the published model: growth draws on it through a smooth switch around
1000 mg m-2 that is 0.7 % open when the buffer is empty, so that it falls below zero in the dark, ever more slowly.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from greenhouse_points import (
    SETS,
    STEPS_PER_DAY,
    batch_of_sets,
    controls,
    diurnal_weather,
    morning_state,
    parameters_of,
    points,
    rates,
    repeat_places,
    rollout,
    with_everything,
)

from phytotron.models.greenlight import GreenLight, State

AMOUNTS = (
    "air_co2",
    "top_co2",
    "air_vapour_pressure",
    "top_vapour_pressure",
    "leaf_carbohydrate",
    "stem_carbohydrate",
    "fruit_carbohydrate",
)

# Growth is linear in the daily temperature (Vanthoor 2011, eq. 9.28) and changes sign at -60/47 °C, where the switch
# that stops growth in the cold leaves 1e-8 of it: below, an empty organ loses up to 3e-11 mg m-2 s-1, 3e-6 a day. The
# switches of pruning and harvest take 1e-30 of an empty organ. Climate states are exact.
REST = {"leaf_carbohydrate": 1e-10, "stem_carbohydrate": 1e-10, "fruit_carbohydrate": 1e-10}

DAYS = 10
PLACES = 4


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("amount", AMOUNTS)
def test_an_amount_that_is_zero_does_not_fall(amount: str, name: str) -> None:
    at = points()
    empty = at._replace(state=dataclasses.replace(at.state, **{amount: np.zeros_like(at.state.time)}))
    for parameters in (parameters_of(name), with_everything(parameters_of(name))):
        assert np.min(rates(empty, parameters)[amount]) >= -REST.get(amount, 0.0)


def bang_bang(steps: int, batch: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2, (steps, batch, 8)).astype(float)


def start(batch: int) -> State:
    """Every second environment has bare soil, no CO2 and no vapour."""
    grown = morning_state(batch)
    bare = np.arange(batch) % 2 == 1
    empty = {name: np.where(bare, 0.0, getattr(grown, name)) for name in AMOUNTS}
    return dataclasses.replace(grown, **empty)


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["rosenbrock", "rkc2"])
def test_amounts_stay_positive_along_ten_days_of_bang_bang_control(solver: str) -> None:
    weather = diurnal_weather(DAYS, [-8.0, 0.0, 15.0, 28.0], [200.0, 300.0, 800.0, 1000.0], [[0, 8]] * PLACES)
    batch = PLACES * len(SETS)
    control = controls(bang_bang(DAYS * STEPS_PER_DAY, batch, seed=1))
    states = rollout(
        GreenLight(solver), start(batch), control, repeat_places(weather, len(SETS)), batch_of_sets(PLACES)
    )
    for amount in AMOUNTS:
        assert np.all(np.isfinite(states[amount])), amount
        assert states[amount].min() >= 0.0, amount


@pytest.mark.slow
def test_an_empty_buffer_falls_in_ten_dark_days_by_no_more_than_a_logarithm() -> None:
    # Sinks of G mg m-2 s-1 that see the buffer c through exp((c - 1000) / 200) take in a time t at most
    # 200 ln(1 + G t exp(-5) / 200). Growth with its respiration is at most 0.8 mg m-2 s-1, at 24.5 °C.
    sinks = (1.27 * 0.328 + 1.28 * 0.095 + 1.3 * 0.074) * (0.047 * 24.5 + 0.06)
    deepest = -200.0 * np.log1p(sinks * DAYS * 86400.0 * np.exp(-5.0) / 200.0)
    weather = diurnal_weather(DAYS, [12.0, 15.0, 18.0, 20.0], [0.0] * PLACES, [[0, 8]] * PLACES)
    batch = PLACES * len(SETS)
    heated = np.zeros((DAYS * STEPS_PER_DAY, batch, 8))
    heated[..., 0] = 0.3
    parameters = batch_of_sets(PLACES)
    states = rollout(
        GreenLight(), morning_state(batch, 20.0), controls(heated), repeat_places(weather, len(SETS)), parameters
    )
    lowest = states["buffer_carbohydrate"].min()
    assert deepest <= lowest < 0.0

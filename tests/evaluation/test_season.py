"""Seasons: the compiled run is the sum of its steps, and the summary adds up."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.core.fields import names, unstack
from phytotron.environments.greenhouse_reward import RewardParameters
from phytotron.evaluation.season import Season, simulate, summarise
from phytotron.evaluation.speed import typical_points
from phytotron.models.greenlight import Control, GreenLight, State, Weather, load_parameters

STEPS = 12
MODEL = GreenLight()
PARAMETERS = load_parameters("greenlight_gym_1p4ha_led")


def half_open(state: State, weather: Weather) -> Control:
    return unstack(Control, jnp.full(len(names(Control)), 0.5, state.air_temperature.dtype))


@pytest.fixture(scope="module")
def season() -> Season:
    states, _, weather = typical_points(1)
    series = jax.tree.map(lambda value: jnp.full(STEPS, value), unstack(Weather, jnp.asarray(weather[0])))
    return simulate(MODEL, half_open, unstack(State, jnp.asarray(states[0])), series, PARAMETERS)


def test_a_season_is_one_step_after_the_other(season: Season) -> None:
    pick = lambda tree, index: jax.tree.map(lambda column: column[index], tree)  # noqa: E731
    state = pick(season.states, 0)
    for index in range(STEPS):
        np.testing.assert_allclose(state.air_temperature, season.states.air_temperature[index], rtol=1e-9)
        state = MODEL.advance(state, pick(season.controls, index), pick(season.weather, index), PARAMETERS)
    np.testing.assert_allclose(state.fruit_carbohydrate, season.final.fruit_carbohydrate, rtol=1e-9)


def test_totals_follow_from_actuators_and_capacities(season: Season) -> None:
    prices = RewardParameters()
    summary = summarise(season, MODEL, PARAMETERS, prices)
    hours = STEPS * MODEL.interval / 3600.0
    assert summary.electricity_kwh == pytest.approx(0.5 * PARAMETERS.lamp_power * hours / 1000.0)
    assert summary.gas_m3 == pytest.approx(0.5 * 130.0 * hours * 3600.0 / 31.65e6)
    assert summary.co2_kg == pytest.approx(0.5 * 7.2e4 / 1.4e4 * hours * 3600.0 * 1e-6)
    value = prices.fruit_price * summary.harvest_kg - prices.gas_price * summary.gas_m3
    assert summary.profit_eur == pytest.approx(value - prices.co2_price * summary.co2_kg)
    assert 0.0 <= summary.humidity_in_bounds <= 1.0

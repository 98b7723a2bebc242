"""Control intervals, their pieces, and the states that end an episode."""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import names
from phytotron.environments.glasshouse.clock import Clock
from phytotron.environments.glasshouse.start import at_rest
from phytotron.environments.possible_states import first_outside, last_possible, reason
from phytotron.models.greenlight import State
from phytotron.weather.greenhouse_weather import GreenhouseWeather, named_greenhouse_weather

DAY, STEP = jnp.asarray(100), jnp.asarray(30)


@pytest.fixture(scope="module")
def series() -> GreenhouseWeather:
    return named_greenhouse_weather("schiphol")[0].on_device("float32")


def resting(series: GreenhouseWeather) -> State:
    clock = Clock(300, "float32")
    return at_rest(clock.weather(series, DAY, STEP), clock.time(series, DAY, STEP))


@pytest.mark.parametrize(
    ("interval", "held"), [(300, 300), (60, 60), (900, 300), (3600, 300), (320, 160), (675, 225), (86400, 300)]
)
def test_the_weather_is_held_for_at_most_five_minutes(interval: int, held: int) -> None:
    clock = Clock(interval, "float32")
    assert (clock.held, clock.pieces * clock.held) == (held, interval)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ((7, "float32"), "control_interval"),
        ((0, "float32"), "control_interval"),
        ((300.0, "float32"), "control_interval"),
        ((3600, "float32", 7), "hold"),
        ((3600, "float32", 7200), "hold"),
    ],
)
def test_intervals_that_do_not_fit_are_refused(options: tuple[Any, ...], name: str) -> None:
    with pytest.raises(ValueRangeError, match=rf"{name} is .*whole seconds, a whole number of which makes a"):
        Clock(*options)


@pytest.mark.parametrize("days", [0, -1.0, 0.001, float("nan"), float("inf"), "ten"])
def test_an_episode_has_a_step_at_least(days: Any) -> None:
    with pytest.raises(ValueRangeError, match="episode_days"):
        Clock(300, "float32").steps(days)


def test_pieces_see_the_weather_and_time_of_their_start_and_add_up(series: GreenhouseWeather) -> None:
    clock = Clock(3600, "float32", 600)
    fine = Clock(600, "float32")

    def run(model: State, weather: Any, time: Any) -> Any:
        return dataclasses.replace(model, time=time), (weather.outdoor_temperature, weather.global_radiation)

    zero = jnp.zeros(())
    after, (temperature, radiation) = jax.jit(
        lambda model: clock.through(run, model, (zero, zero), series, DAY, jnp.asarray(5))
    )(resting(series))
    moments = [fine.weather(series, DAY, jnp.asarray(30 + piece)) for piece in range(6)]
    assert float(temperature) == pytest.approx(sum(float(each.outdoor_temperature) for each in moments), rel=1e-6)
    assert float(radiation) == pytest.approx(sum(float(each.global_radiation) for each in moments), rel=1e-6)
    assert float(after.time) == pytest.approx(float(fine.time(series, DAY, jnp.asarray(35))), abs=1e-5)


def test_the_first_state_outside_is_found_and_the_last_possible_one_kept(series: GreenhouseWeather) -> None:
    state = resting(series)
    assert int(first_outside(state)) == -1 and reason(State, -1) == ""
    for value in (np.nan, np.inf, 200.0):
        broken = dataclasses.replace(state, canopy_temperature=jnp.asarray(value, jnp.float32))
        kept, left = last_possible(state, broken)
        assert names(State)[int(left)] == "canopy_temperature"
        assert reason(State, int(left)).startswith("canopy_temperature is no number, or has left what is possible (")
        assert jax.tree.map(float, kept) == jax.tree.map(float, state)

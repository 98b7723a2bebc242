"""Van Henten's model against lettuce-greenhouse-gym 0.1.3, which `benchmarks/record_lettuce.py` recorded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.core.fields import stack, unstack
from phytotron.environments.lettuce.environment import bleiswijk
from phytotron.environments.lettuce.model import (
    Climate,
    Control,
    Parameters,
    State,
    Weather,
    advance,
    derivative,
)

REFERENCE = Path(__file__).with_name("reference.npz")
# Both compute in float64, in another order.
SAME = 1e-9


def points(reference: Any, dtype: str = "float64") -> tuple[State, Control, Weather]:
    state, control, weather = (jnp.asarray(reference[f"points_{name}"], dtype) for name in "xuv")
    return unstack(State, state), unstack(Control, control), unstack(Weather, weather)


@pytest.fixture(scope="module")
def reference() -> Any:
    return np.load(REFERENCE)


@pytest.mark.parametrize(
    ("function", "recorded"),
    [
        (lambda x, u, v: derivative(x, u, v, Parameters()), "points_rates"),
        (lambda x, u, v: advance(x, u, v, Parameters()), "points_next"),
        (lambda x, u, v: Climate.of(x), "points_measured"),
    ],
    ids=["derivative", "advance", "measured"],
)
def test_random_points_equal_those_of_the_package(function: Callable[..., Any], recorded: str, reference: Any) -> None:
    made = np.asarray(stack(function(*points(reference))))
    expected = reference[recorded][:, -made.shape[1] :]  # what is measured begins with the dry weight, a state
    error = np.abs(made - expected)
    assert np.all(error <= SAME * np.abs(expected).max(axis=0))


def test_single_precision_stays_near(reference: Any) -> None:
    after = stack(advance(*points(reference, "float32"), Parameters()))
    assert after.dtype == jnp.float32
    np.testing.assert_allclose(after, reference["points_next"], rtol=2e-5)


def test_the_model_is_elementwise(reference: Any) -> None:
    together = stack(advance(*points(reference), Parameters()))
    one_by_one = jax.vmap(lambda *point: stack(advance(*point, Parameters())))(*points(reference))
    np.testing.assert_allclose(together, one_by_one, rtol=1e-14)


def test_gradients_are_finite_at_night_with_co2_at_the_compensation_point() -> None:
    state = State(dry_weight=0.1, co2=Parameters().co2_compensation, temperature=15.0, humidity=0.008)
    control = Control(co2_supply=0.0, ventilation=1.0, heating=50.0)
    weather = Weather(radiation=0.0, outdoor_co2=7e-4, outdoor_temperature=5.0, outdoor_humidity=0.005)
    at = jax.tree.map(jnp.asarray, (state, control, weather, Parameters()))
    jacobian = jax.jacrev(lambda *each: stack(advance(*each)), argnums=(0, 1, 2, 3))(*at)
    assert all(bool(jnp.all(jnp.isfinite(leaf))) for leaf in jax.tree.leaves(jacobian))


def test_the_weather_is_of_324_days_with_the_sun_highest_at_noon() -> None:
    rows = bleiswijk().rows
    assert rows.shape == (324 * 48, 4)
    assert np.all(np.isfinite(rows))
    day = rows[:, 0].reshape(-1, 48).mean(axis=0)
    assert day[:4].max() < 0.01 and 23 <= day.argmax() <= 28

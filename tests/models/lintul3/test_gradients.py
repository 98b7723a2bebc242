"""Gradients of the harvest, by doses and by parameters, are finite and right."""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from wheat_seasons import DAYS, doses, made_up_weather

from phytotron.models.lintul3 import Management, harvest, load_parameters

DRY, WET = 0.3, 12.0  # mm on a day with rain


VARIED = ("light_use_efficiency", "light_extinction", "field_capacity", "specific_leaf_area")


def grain(nitrogen: Any, parameters: Any, weather: Any) -> Any:
    return harvest(weather, Management(nitrogen=nitrogen), parameters).grain_mass


every_gradient = jax.jit(jax.grad(grain, argnums=(0, 1, 2)))


@pytest.mark.slow
@pytest.mark.parametrize("wetness", [0.0, DRY, WET])
def test_gradients_are_finite_in_single_precision(wetness: float) -> None:
    weather = jax.tree.map(lambda x: jnp.asarray(x, jnp.float32), made_up_weather(1, wetness=wetness))
    parameters = jax.tree.map(lambda x: jnp.asarray(x, jnp.float32), load_parameters())
    nitrogen = jnp.asarray(doses(1).nitrogen, jnp.float32)
    found = every_gradient(nitrogen, parameters, weather)
    assert all(np.all(np.isfinite(leaf)) for leaf in jax.tree.leaves(found))


def test_gradients_are_slopes() -> None:
    weather, p = made_up_weather(2, wetness=3.0), load_parameters("pcse_winter_wheat")

    def by_values(values: Any) -> Any:
        changed = dataclasses.replace(p, **dict(zip(VARIED, values[1:], strict=True)))
        return grain(jnp.zeros(DAYS).at[60].set(values[0]), changed, weather)

    at = np.array([6.0, *(getattr(p, name) for name in VARIED)])
    value, gradient = jax.jit(by_values), jax.jit(jax.grad(by_values))(at)
    assert gradient[0] > 1.0  # g of grain per g of nitrogen
    for index, name in enumerate(("nitrogen", *VARIED)):
        step = 1e-6 * at * (np.arange(len(at)) == index)
        slope = (value(at + step) - value(at - step)) / (2.0 * step[index])
        assert float(gradient[index]) == pytest.approx(float(slope), rel=1e-3), name

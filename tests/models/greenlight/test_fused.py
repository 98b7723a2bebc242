"""The fused kernel is the model: run here without a GPU, block by block, by Pallas' interpreter."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.core.fields import names, stack, unstack
from phytotron.evaluation.speed import typical_points
from phytotron.models.greenlight import Control, GreenLight, Parameters, State, Weather, load_parameters
from phytotron.models.greenlight.fused import BLOCK

# Both paths run the same operations in float32, which compilers may contract and reorder; 40 evaluations of rounding.
TOLERANCE = 2e-5

SIZE = BLOCK + 72  # not a whole number of blocks
Batch = tuple[State, Control, Weather]


@pytest.fixture(scope="module")
def batch() -> Batch:
    states, controls, weather = (jnp.asarray(points, jnp.float32) for points in typical_points(SIZE))
    return unstack(State, states), unstack(Control, controls), unstack(Weather, weather)


@functools.cache
def plain(set_name: str = "greenlight_gym_1p4ha_led") -> object:
    parameters = load_parameters(set_name)
    return jax.jit(lambda state, control, weather: GreenLight().advance(state, control, weather, parameters))


def assert_same(fused: State, expected: State) -> None:
    for name in names(State):
        one, other = np.asarray(getattr(fused, name)), np.asarray(getattr(expected, name))
        assert one.dtype == np.float32
        np.testing.assert_allclose(one, other, rtol=TOLERANCE, atol=TOLERANCE, err_msg=name)


@pytest.mark.slow
def test_a_batch_in_the_kernel_is_the_batch_in_plain_xla(batch: Batch) -> None:
    parameters = load_parameters("greenlight_gym_1p4ha_led")
    fused = jax.jit(lambda *inputs: GreenLight(fused=True).advance(*inputs, parameters))(*batch)
    assert_same(fused, plain()(*batch))


@pytest.mark.slow
def test_one_environment_under_vmap_runs_in_the_kernel_too(batch: Batch) -> None:
    parameters = load_parameters("greenlight_gym_1p4ha_led")

    def one(state: State, control: Control, weather: Weather) -> State:
        return GreenLight(fused=True).advance(state, control, weather, parameters)

    mapped = jax.jit(jax.vmap(one))
    assert "greenlight_interval" in str(jax.make_jaxpr(mapped)(*batch))
    assert_same(mapped(*batch), plain()(*batch))


@pytest.mark.slow
def test_parameters_may_differ_between_environments(batch: Batch) -> None:
    small = load_parameters("greenlight_gym_1p4ha_led")
    powers = jnp.linspace(50.0, 120.0, SIZE, dtype=jnp.float32)

    def run(fused: bool, power: jax.Array) -> State:
        parameters = Parameters(**{name: getattr(small, name) for name in names(Parameters)} | {"lamp_power": power})
        return jax.jit(lambda *inputs: GreenLight(fused=fused).advance(*inputs, parameters))(*batch)

    assert_same(run(True, powers), run(False, powers))
    lamp = np.asarray(run(True, powers).lamp_temperature) - np.asarray(plain()(*batch).lamp_temperature)
    assert np.ptp(lamp) > 1.0  # the lamps did differ


def test_the_plain_path_is_taken_where_there_is_no_gpu(batch: Batch) -> None:
    parameters = load_parameters("greenlight_gym_1p4ha_led")
    program = jax.make_jaxpr(lambda *inputs: GreenLight().advance(*inputs, parameters))(*batch)
    assert "greenlight_interval" not in str(program)
    assert np.all(np.isfinite(np.asarray(stack(plain()(*batch)))))

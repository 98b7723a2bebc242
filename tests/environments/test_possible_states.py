import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.core.arrays import cast
from phytotron.core.fields import Value, quantity, record
from phytotron.environments.possible_states import first_outside, last_possible, reason


@record
class Tank:
    """A tank of water."""

    level: Value = quantity("h", "m", "water level", default=1.0, low=0.0, high=2.0)
    temperature: Value = quantity("T", "°C", "water temperature", default=20.0, low=0.0, high=100.0)


POSSIBLE = cast(Tank(), "float32")


@pytest.mark.parametrize(
    ("changes", "number"),
    [
        ({}, -1),
        ({"level": 2.0, "temperature": 0.0}, -1),  # bounds are possible
        ({"level": -0.1}, 0),
        ({"temperature": np.nan}, 1),
        ({"temperature": np.inf}, 1),
        ({"level": 2.1, "temperature": np.nan}, 0),
    ],
)
def test_the_first_quantity_outside_its_range_is_found(changes, number):
    found = jax.jit(first_outside)(dataclasses.replace(POSSIBLE, **cast(changes, "float32")))
    assert (int(found), found.dtype) == (number, jnp.int32)


def test_each_state_of_a_batch_is_judged_alone():
    levels = jnp.array([1.0, -1.0, jnp.nan])
    batch = Tank(level=levels, temperature=jnp.full(3, 20.0))
    np.testing.assert_array_equal(first_outside(batch), [-1, 0, 0])
    np.testing.assert_array_equal(jax.vmap(first_outside)(batch), [-1, 0, 0])


def test_a_step_to_an_impossible_state_is_undone():
    after = dataclasses.replace(POSSIBLE, level=jnp.float32(1.5), temperature=jnp.float32(101.0))
    kept, left = last_possible(POSSIBLE, after)
    assert (float(kept.level), float(kept.temperature), int(left)) == (1.0, 20.0, 1)
    after = dataclasses.replace(POSSIBLE, level=jnp.float32(1.5))
    kept, left = last_possible(POSSIBLE, after)
    assert (float(kept.level), int(left)) == (1.5, -1)


def test_the_reason_names_the_quantity_and_its_range():
    assert reason(Tank, -1) == ""
    assert reason(Tank, 0) == "level is no number, or has left what is possible (0 to 2 m)"

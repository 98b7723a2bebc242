"""Spaces: bounds, names, draws, and values that are refused."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phytotron.core.errors import ShapeError, ValueRangeError
from phytotron.core.fields import Quantity
from phytotron.core.spaces import Box, Discrete

NAMED = Box.of([Quantity("heat", "q", "W", "heat", 0.0, 2.0), Quantity("vent", "u", "-", "vent", -1.0, 1.0)])
seeds = st.integers(0, 2**31 - 1)


def test_a_box_takes_names_and_bounds_from_quantities() -> None:
    assert NAMED.names == ("heat", "vent")
    assert NAMED.shape == (2,)
    assert NAMED.low.tolist() == [0.0, -1.0]
    assert NAMED.high.tolist() == [2.0, 1.0]


@settings(deadline=None)  # the first draw compiles
@given(seeds)
def test_what_a_space_draws_it_contains(seed: int) -> None:
    key = jax.random.key(seed)
    for space in (NAMED, Box.uniform(-1.0, 1.0, (3, 2)), Discrete(5)):
        assert space.contains(space.sample(key))


def test_draws_follow_the_key_and_can_be_compiled() -> None:
    keys = jax.random.split(jax.random.key(0), 200)
    drawn = jax.jit(jax.vmap(NAMED.sample))(keys)
    assert np.array_equal(drawn[7], NAMED.sample(keys[7]))
    assert np.all(np.ptp(np.asarray(drawn), axis=0) > 1.5)
    assert set(np.asarray(jax.vmap(Discrete(3).sample)(keys)).tolist()) == {0, 1, 2}


@pytest.mark.parametrize("value", [[0.0], [3.0, 0.0], [0.0, -1.1], [np.nan, 0.0], [[0.0, 0.0]]])
def test_a_box_does_not_contain_other_shapes_or_values_beyond_its_bounds(value: list[float]) -> None:
    assert not NAMED.contains(value)


@pytest.mark.parametrize("value", [-1, 3, 1.0, [1]])
def test_discrete_does_not_contain_what_is_not_a_choice(value: object) -> None:
    assert not Discrete(3).contains(value)  # type: ignore[arg-type]
    with pytest.raises((ShapeError, ValueRangeError)):
        Discrete(3).check(value, "action")


def test_a_value_that_is_not_finite_is_refused_by_the_name_of_its_component() -> None:
    with pytest.raises(ValueRangeError, match=r"action\[vent\] is nan"):
        NAMED.check(np.array([0.0, np.nan]), "action")
    NAMED.check([100.0, 0.0], "action")  # beyond the bounds, but a number


def test_a_wrong_shape_is_refused_even_inside_jit() -> None:
    with pytest.raises(ShapeError, match=r"action has shape \(3,\); expected \(2,\) \(heat, vent\)"):
        jax.jit(lambda value: NAMED.check(value, "action"))(jnp.zeros(3))


def test_spaces_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueRangeError):
        Box(np.array([1.0]), np.array([0.0]))
    with pytest.raises(ValueRangeError):
        Box(np.array([np.nan]), np.array([0.0]))
    with pytest.raises(ShapeError):
        Box(np.zeros(2), np.ones(2), names=("one",))
    with pytest.raises(ValueRangeError):
        Discrete(0)
    with pytest.raises(ShapeError):
        Discrete(2, ("one",))
    with pytest.raises(ValueRangeError, match="finite bounds"):
        Box.uniform(0.0, np.inf, (1,)).sample(jax.random.key(0))
    with pytest.raises(ValueRangeError, match=r"is 'int32'; expected a floating-point one; .* is a Discrete$"):
        Box.uniform(0, 5, (1,), np.int32).sample(jax.random.key(0))


def test_bounds_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        NAMED.low[0] = 5.0

"""Common parts of rewards: limits that agree, distances from them, prices that are zero."""

import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.core.errors import ValueRangeError
from phytotron.environments.greenhouse import Prices, RewardParameters
from phytotron.environments.rewarding import Bounds, beyond, bounds_of, check_ordered, uncharged


def test_beyond_is_the_distance_from_a_range() -> None:
    np.testing.assert_array_equal(beyond(jnp.array([-2.0, 0.0, 0.5, 1.0, 4.0]), 0.0, 1.0), [2.0, 0.0, 0.0, 0.0, 3.0])


def test_a_bound_is_a_number_or_the_name_of_one_in_the_record_of_limits() -> None:
    bounds: Bounds = {"co2": (0.0, "co2_maximum"), "humidity": ("humidity_minimum", "humidity_maximum")}
    found = bounds_of(RewardParameters(humidity_minimum=50.0), bounds)
    assert found == {"co2": (0.0, 1000.0), "humidity": (50.0, 90.0)}


def test_limits_that_contradict_each_other_are_refused_by_name() -> None:
    bounds = {"temperature": ("temperature_minimum", "temperature_maximum")}
    check_ordered("reward_parameters", RewardParameters(), bounds)
    with pytest.raises(ValueRangeError, match=r"reward_parameters.temperature_minimum is 40.0; expected below"):
        check_ordered("reward_parameters", RewardParameters(temperature_minimum=40.0), bounds)


def test_a_price_of_zero_is_said_of_what_is_used_and_of_what_is_sold() -> None:
    fruit, co2 = uncharged(Prices(fruit=0.0, co2=0.0, electricity=0.1), product="fruit")
    assert fruit.startswith("The price of fresh fruit is 0 € kg-1: what is harvested earns nothing in these results.")
    assert co2.startswith("The price of CO2 is 0 € kg-1: its use costs nothing in these results.")
    assert co2.endswith("as in co2=0.2.") and uncharged(Prices(electricity=0.1), product="fruit") == ()

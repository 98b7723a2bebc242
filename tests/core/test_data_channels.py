"""Everything in a state has a name, a unit and a value, also where the task says nothing about it."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax import Array
from toy_environments import Corridor, Countdown

from phytotron.core.data_channels import INDEX, action_channels, with_state
from phytotron.core.fields import names, quantities
from phytotron.environments.greenhouse import Greenhouse
from phytotron.environments.lettuce import Lettuce
from phytotron.models.greenlight import State, Weather


def test_a_state_without_records_gives_all_its_numbers() -> None:
    assert [each.name for each in with_state(Countdown(), ())] == ["age", "left"]


def test_a_name_that_another_quantity_has_gets_that_of_the_record_in_front() -> None:
    found = {each.name: each.quantity.unit for each in Lettuce().data_channels}
    assert found["co2"] == "ppm" and found["greenhouse_co2"] == "kg m-3"
    assert len([name for name in found if "temperature" in name]) == 2  # indoors once, and outdoors


class Accounting(Countdown):
    """With numbers in its state that have the names of columns of all data."""

    def initial(self, key: Array, params: float) -> Any:
        observation, state = super().initial(key, params)
        zero = jnp.zeros((), jnp.float32)
        kept = {"reward": zero, "cost_late": zero, "step": zero, "state_step": zero, "purse": {"reward": zero}}
        return observation, state | kept


def test_no_number_of_a_state_takes_the_name_of_another_column_or_is_left_out() -> None:
    found = [each.name for each in with_state(Accounting(), ())]
    assert found == ["age", "state_cost_late", "left", "purse_reward", "state_reward", "state_step", "state_step_2"]


def test_the_greenhouse_has_every_state_and_all_of_the_weather() -> None:
    found = {each.name: each for each in Greenhouse(first_day=61).data_channels}
    assert {*names(State), *names(Weather)} - found.keys() == {"time"} and "model_time" in found
    assert not set(INDEX) & found.keys()
    for q in quantities(State):
        assert found.get(q.name, found["model_time"]).quantity.unit == q.unit


def test_actions_are_described_by_component_or_by_number() -> None:
    assert [each.name for each in action_channels(Lettuce())] == [
        "action_co2_supply_change", "action_ventilation_change", "action_heating_change",
    ]  # fmt: skip
    assert [each.name for each in action_channels(Countdown())] == ["action_push", "action_pull"]
    (number,) = action_channels(Corridor())
    assert number.name == "action" and "0 is left" in number.quantity.description


def test_values_are_read_off_the_state() -> None:
    from phytotron.core.presentation import Step

    _, state = Lettuce().initial(jax.random.key(0), Lettuce().default_params)
    step = Step(None, state, None, state, None, None, None, {}, None)  # type: ignore[arg-type]
    of = {each.name: each.of for each in Lettuce().data_channels}
    assert float(of["humidity"](step)) == pytest.approx(0.008)

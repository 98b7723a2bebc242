"""Actuators that move by a share of their range in a step, whose lowest position need not be 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from jax import Array

from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.fields import Quantity, Value, quantity, record, stack
from phytotron.environments.slow_actuators import SlowActuators, SlowlyActuated


@record
class Positions:
    """A pipe and a window."""

    pipe: Value = quantity("T", "°C", "temperature of the pipe", low=20.0, high=60.0)
    window: Value = quantity("w", "-", "opening of the window", low=0.0, high=1.0)


ACTUATORS = SlowActuators(Positions, share=0.1)
NOW = Positions(pipe=jnp.float32(30.0), window=jnp.float32(0.95))


def test_an_action_is_a_change_in_shares_of_the_range_and_positions_stay_within_their_bounds() -> None:
    assert [each.unit for each in ACTUATORS.quantities] == ["4 °C", "0.1"]
    assert stack(ACTUATORS.moved(NOW, jnp.array([0.5, 1.0]))) == pytest.approx(np.array([32.0, 1.0]))
    assert stack(ACTUATORS.moved(NOW, jnp.array([-9.0, jnp.nan]))) == pytest.approx(np.array([26.0, 0.95]))


def test_a_position_within_reach_is_reached_and_one_beyond_it_is_approached() -> None:
    near = jnp.array([-0.4, 0.8])  # 32 °C, 0.9
    action = ACTUATORS.toward(near, NOW)
    assert action == pytest.approx(np.array([0.5, -0.5]), abs=1e-5)
    assert ACTUATORS.reached(action, NOW) == pytest.approx(np.asarray(near), abs=1e-6)
    assert ACTUATORS.toward(jnp.array([1.0, -1.0]), NOW) == pytest.approx(np.array([1.0, -1.0]))


def test_steering_gives_the_same_action_from_what_is_observed() -> None:
    rule = ACTUATORS.steering(("sun", "window", "pipe"))
    seen, wanted = np.array([500.0, 0.95, 30.0]), np.array([-0.4, 0.8])
    action = rule.gain * wanted + rule.offset + rule.slope * seen[list(rule.observed)]
    assert action == pytest.approx(np.asarray(ACTUATORS.toward(jnp.asarray(wanted), NOW)), abs=1e-5)


def test_a_schedule_sets_positions_and_leaves_the_others_as_they_are() -> None:
    plan = ACTUATORS.scheduling(lambda state: state.held)
    assert [each.name for each in plan.quantities] == ["pipe", "window"]
    action = plan.act({"pipe": jnp.float32(31.0)}, SimpleNamespace(held=NOW), None)
    assert action == pytest.approx(np.array([0.25, 0.0]), abs=1e-6)


@pytest.mark.parametrize("share", [0.0, -0.1, 1.5, np.nan])
def test_actuators_that_could_not_move_are_refused(share: float) -> None:
    with pytest.raises(ValueRangeError, match="share of an actuator's range"):
        SlowActuators(Positions, share=share)


def test_positions_without_finite_bounds_are_refused_by_name() -> None:
    @record
    class Unbounded:
        pipe: Value = quantity("T", "°C", "temperature of the pipe", low=20.0)

    with pytest.raises(ValueRangeError, match="the range of pipe"):
        SlowActuators(Unbounded, share=0.1)


def test_positions_that_are_not_observed_cannot_be_steered_by() -> None:
    with pytest.raises(PhytotronError, match="the observation lacks window; observe the positions of all actuators"):
        ACTUATORS.steering(("pipe", "air_temperature"))


class Pipes(SlowlyActuated[Any, Any]):
    """Observes the air and one of its two positions."""

    id = "test/Pipes-v0"
    episode_steps, default_params, actuators = 3, 1.0, ACTUATORS
    fields: Mapping[str, Sequence[Quantity]] = {
        "observation": (Quantity("air", "T", "°C", "air temperature", 0.0, 40.0), ACTUATORS.known[0]),
        "action": ACTUATORS.quantities,
    }

    def initial(self, key: Array, params: Any) -> Any:
        return jnp.array([20.0, 30.0]), {"control": NOW}

    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        after = {"control": self.actuators.moved(state["control"], action)}
        no = jnp.zeros((), bool)
        return jnp.array([20.0, 30.0]), after, jnp.zeros(()), no, no, {"costs": {}}


def test_positions_are_recorded_whether_or_not_they_are_observed() -> None:
    assert [each.name for each in Pipes().channels] == ["air", "pipe", "window"]

"""Checks of what a step returns."""

from typing import Any

import jax.numpy as jnp
import pytest

from phytotron.core.errors import PhytotronError, ShapeError
from phytotron.core.outcomes import check_outcome

STATE = {"day": jnp.int32(0)}


def outcome(**others: Any) -> tuple[Any, ...]:
    made = {"observation": jnp.zeros(2), "state": STATE, "reward": jnp.float32(0.0), "terminated": False}
    return tuple((made | {"truncated": False, "info": {"costs": {}}} | others).values())


def test_a_right_outcome_is_let_through() -> None:
    check_outcome("me/Tray-v0", STATE, outcome(info={"costs": {"dry": jnp.float32(1.0)}}))


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ({"reward": jnp.zeros(24)}, "reward of a step of me/Tray-v0 has shape"),
        ({"terminated": jnp.zeros(2, bool)}, "terminated of a step"),
        ({"info": {"costs": {"dry": jnp.zeros((1,))}}}, "the cost 'dry' of a step"),
        ({"reward": jnp.zeros(3), "info": {"costs": {"reward": jnp.float32(0.0)}}}, "^reward of a step"),
    ],
)
def test_what_is_not_a_single_number_is_refused_by_name(others: dict[str, Any], words: str) -> None:
    with pytest.raises(ShapeError, match=words):
        check_outcome("me/Tray-v0", STATE, outcome(**others))


@pytest.mark.parametrize("reward", [None, "0", {"growth": 1.0}])
def test_what_is_no_number_is_refused_by_its_type(reward: Any) -> None:
    with pytest.raises(PhytotronError, match=f"reward of a step of .* is of the type {type(reward).__name__}"):
        check_outcome("me/Tray-v0", STATE, outcome(reward=reward))


@pytest.mark.parametrize("info", [{}, {"costs": None}, {"costs": jnp.zeros(2)}])
def test_costs_have_to_be_named(info: dict[str, Any]) -> None:
    with pytest.raises(PhytotronError, match=r'gives no info\["costs"\]'):
        check_outcome("me/Tray-v0", STATE, outcome(info=info))


def test_a_state_that_changes_its_type_is_refused() -> None:
    with pytest.raises(PhytotronError, match=r"\['day'\] was int32\[\] and is float32\[\]"):
        check_outcome("me/Tray-v0", STATE, outcome(state={"day": jnp.float32(0)}))

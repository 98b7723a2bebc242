"""What the batch adapters have in common: chunks, rows, members, checks of actions."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from toy_environments import Countdown, DrawnCountdown

from phytotron.adapters.batch import Batch, Member, check_actions, rows, with_masks
from phytotron.adapters.compiling import CHUNK, in_chunks
from phytotron.core.errors import PhytotronError, ShapeError, ValueRangeError
from phytotron.core.spaces import Box, Discrete


@pytest.mark.parametrize("count", [1, CHUNK, CHUNK + 1, 2 * CHUNK, 300])
def test_chunks_give_what_the_whole_gives(count: int) -> None:
    def function(tree: dict[str, Any], scale: Any) -> Any:
        return {"b": tree["a"].sum(1) * scale}, scale + 1

    tree, scale = {"a": jnp.arange(3.0 * count).reshape(count, 3)}, jnp.arange(count)
    given = jax.jit(in_chunks(function, count))(tree, scale)
    assert jax.tree.all(jax.tree.map(np.array_equal, given, function(tree, scale)))


def test_an_environment_does_not_notice_the_size_of_its_batch() -> None:
    large, small = Batch(Countdown(), CHUNK + 3), Batch(Countdown(), 3)
    assert np.array_equal(large.reset(10)[CHUNK:], small.reset(10 + CHUNK))
    for _ in range(6):
        (one, last), (other, other_last) = (
            batch.step_and_reset(np.zeros((batch.num_envs, 2))) for batch in (large, small)
        )
        assert np.array_equal(last[CHUNK:], other_last)
        assert all(np.array_equal(mine[CHUNK:], its) for mine, its in zip(one[:4], other[:4], strict=True))


def test_a_step_with_reset_keeps_the_end_and_shows_the_beginning() -> None:
    batch = Batch(Countdown(), 8)
    batch.reset(0)
    ended = 0
    for _ in range(10):
        outcome, last = batch.step_and_reset(np.zeros((8, 2)))
        left, age = last[:, 0], last[:, 1]
        assert np.array_equal(outcome.terminated, left == 0) and np.array_equal(outcome.truncated, age == 4)
        assert np.all(outcome.observation[outcome.over, 1] == 0) and np.all(outcome.observation[outcome.over, 0] >= 2)
        assert np.array_equal(outcome.observation[~outcome.over], last[~outcome.over])
        assert np.array_equal(outcome.reward, left) and np.array_equal(outcome.info["age"], age)
        ended += int(outcome.over.sum())
    assert ended >= 16


def test_rows_are_plain_dictionaries() -> None:
    info = {"costs": {"late": np.arange(2)}, "pair": np.ones((2, 2)), "ok": np.array([True, False])}
    first, second = rows(info, 2)
    assert first["costs"] == {"late": 0} and second["costs"] == {"late": 1}
    assert first["ok"] is True and np.array_equal(second["pair"], [1.0, 1.0])
    assert rows({}, 3) == [{}, {}, {}]


def test_masks_hide_what_is_not_there_even_if_it_is_not_a_number() -> None:
    info = {"costs": {"late": np.array([1.0, np.nan])}, "pair": np.full((2, 2), np.nan)}
    masked = with_masks(info, np.array([True, False]))
    assert np.array_equal(masked["costs"]["late"], [1.0, 0.0]) and np.array_equal(masked["_costs"], [True, False])
    assert np.array_equal(masked["pair"][1], [0.0, 0.0]) and np.isnan(masked["pair"][0]).all()
    assert with_masks(info, np.zeros(2, bool)) == {}


def test_actions_are_checked_as_those_of_one_environment() -> None:
    box, choices = Box(np.full(2, -1.0), np.full(2, 1.0), ("push", "pull")), Discrete(3)
    assert check_actions(box, [[0, 1], [1, 0]], 2).dtype == np.float32
    assert check_actions(choices, np.array([0, 2]), 2).dtype == np.int32
    refused: list[tuple[Any, Any, type[PhytotronError], str]] = [
        (box, np.zeros((3, 2)), ShapeError, r"actions has shape \(3, 2\); expected \(2, 2\) \(push, pull\)"),
        (box, np.zeros(2), ShapeError, r"expected \(2, 2\)"),
        (box, [[0.0, 1.0], [0.0]], ValueRangeError, r"an array of shape \(2, 2\)"),
        (box, [[0.0, 0.0], [0.0, np.nan]], ValueRangeError, r"actions\[1\]\[pull\] is nan; expected a finite number"),
        (box, [["a", "b"], ["c", "d"]], ValueRangeError, "an array of numbers"),
        (choices, [0, 3], ValueRangeError, r"actions\[1\] is .*3.*; expected an integer from 0 to 2"),
        (choices, [0.0, 1.0], ValueRangeError, "an integer"),
        (choices, [[0], [1]], ShapeError, r"expected \(2,\)"),
    ]
    for space, actions, error, message in refused:
        with pytest.raises(error, match=message):
            check_actions(space, actions, 2)


def test_what_makes_no_sense_is_refused() -> None:
    for wrong in (0, -1, 2.0):
        with pytest.raises(ValueRangeError, match="num_envs"):
            Batch(Countdown(), wrong)  # type: ignore[arg-type]
    batch = Batch(Countdown(), 2)
    with pytest.raises(PhytotronError, match="call reset"):
        batch.step(np.zeros((2, 2)))
    with pytest.raises(PhytotronError, match="call reset"):
        _ = batch.state
    with pytest.raises(PhytotronError, match="reset all environments before some"):
        batch.reset(mask=np.array([True, False]))
    with pytest.raises(ShapeError, match=r"seed has shape \(3,\); expected \(2,\)"):
        batch.reset([1, 2, 3])


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_a_member_shows_its_environment_and_keeps_what_is_set(copied: Any) -> None:
    batch = Batch(DrawnCountdown(), 3)
    batch.reset(0)
    member = copied(Member(batch, 1, render_mode=None))
    assert member.id == "test/Countdown-v0" and member.default_params == 1.0 and member.render_mode is None
    assert int(member.state["left"]) == int(batch.state["left"][1])
    assert np.all(member.render() == 10 * int(member.state["left"]))
    member.note = "mine"
    assert member.note == "mine"
    with pytest.raises(AttributeError, match="nothing"):
        _ = member.nothing
    with pytest.raises(PhytotronError, match="'default_params' of test/Countdown-v0 is fixed"):
        member.default_params = 2.0
    with pytest.raises(PhytotronError, match="step the batch"):
        member.step(0)

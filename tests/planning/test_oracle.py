"""The oracle on tasks whose best plans are known, and its plans on disk."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import Array
from toy_environments import Corridor

from phytotron.core.compilation import CACHE_VARIABLE
from phytotron.core.environment import Environment, Info, Starts
from phytotron.core.errors import DataFileError, PhytotronError, ValueRangeError
from phytotron.core.fields import Quantity, record
from phytotron.core.spaces import Box, Discrete
from phytotron.environments.lettuce import Lettuce
from phytotron.episodes.engine import one_start, windows
from phytotron.episodes.open_loop import follow
from phytotron.evaluation.attainable import attainable, half_way
from phytotron.evaluation.examination import examine
from phytotron.evaluation.scores import evaluate
from phytotron.planning import plans as plan_files
from phytotron.planning import search
from phytotron.planning.hindsight import make_plans
from phytotron.planning.objective import Objective
from phytotron.planning.oracle import following, oracle
from phytotron.planning.plans import (
    FEW_LEVELS,
    LEVELS,
    Plan,
    from_bytes,
    in_bytes,
    keep_plans,
    load_plans,
    packed,
    plans_at_hand,
    plans_path,
    save_plans,
    unpacked,
)


@record
class Marks:
    """What episodes are drawn from."""

    marks: Any


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Following(Environment[Any, Marks]):
    """Six steps from a mark: the cost is the square of the distance from the mark times the number of the step."""

    id = "test/Following-v0"
    action_space = Box.uniform(-1.0, 9.0, (1,))
    observation_space = Box.uniform(0.0, 2.0, (1,))
    episode_steps = 6
    gain: float = 1.0

    @property
    def fields(self) -> Mapping[str, Sequence[Quantity]]:
        return {}

    @property
    def default_params(self) -> Marks:
        return Marks(marks=jnp.array([0.5, 1.0, 1.5], jnp.float32))

    def starts(self, params: Marks | None = None) -> Starts:
        params = self.default_params if params is None else params
        return Starts.along(params, "marks", [f"mark {each}" for each in np.asarray(params.marks)])

    def initial(self, key: Array, params: Marks) -> tuple[Array, Any]:
        mark = jax.random.choice(key, params.marks)
        return mark[None], {"mark": mark, "step": jnp.zeros((), jnp.int32)}

    def terminal_value(self, state: Any, params: Marks) -> Array:
        return 10.0 * state["mark"]

    def transition(
        self, key: Array, state: Any, action: Array, params: Marks
    ) -> tuple[Array, Any, Array, Array, Array, Info]:
        reward = -self.gain * jnp.sum((action - state["mark"] * state["step"]) ** 2).astype(jnp.float32)
        state = {"mark": state["mark"], "step": state["step"] + 1}
        over = state["step"] >= self.episode_steps
        return state["mark"][None], state, reward, over, jnp.zeros((), bool), {"costs": {}}


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class AtBounds(Following):
    """The best actions from the mark 1.5 begin at the lower bound and end at the upper one."""

    action_space = Box.uniform(0.0, 7.5, (1,))


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Doses(Following):
    """Six choices of 0 to 3 whose sum has to come to four times the mark; every choice but 0 costs 0.1."""

    id = "test/Doses-v0"
    action_space = Discrete(4)

    def initial(self, key: Array, params: Marks) -> tuple[Array, Any]:
        seen, state = super().initial(key, params)
        return seen, state | {"sum": jnp.zeros((), jnp.int32)}

    def transition(
        self, key: Array, state: Any, action: Array, params: Marks
    ) -> tuple[Array, Any, Array, Array, Array, Info]:
        total, step = state["sum"] + action, state["step"] + 1
        over = step >= self.episode_steps
        missed = jnp.where(over, jnp.abs(total - 4.0 * state["mark"]), 0.0)
        reward = (-missed - 0.1 * (action > 0)).astype(jnp.float32)
        after = {"mark": state["mark"], "step": step, "sum": total.astype(jnp.int32)}
        return state["mark"][None], after, reward, over, jnp.zeros((), bool), {"costs": {}}


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class AnyNumber(Following):
    """Any number from 0 to 9 is an action."""

    action_space = Box.uniform(0.0, 9.0, ())


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class WholeNumbers(Following):
    """The whole numbers from 0 to 9 are the choices."""

    action_space = Discrete(10)

    def relaxed(self) -> AnyNumber:
        return AnyNumber(gain=self.gain)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))


def test_gradients_find_the_plan_of_every_start_and_its_controller_follows_it() -> None:
    env = Following()
    plans = make_plans(env, iterations=400)
    for label, plan in plans.items():
        mark = float(label.split()[1])
        assert plan.actions[:, 0] == pytest.approx(mark * np.arange(6), abs=0.05)
        assert plan.history[-1] == pytest.approx(plan.value, abs=1e-4) and all(np.diff(plan.history) >= 0.0)
    scores = evaluate(env, following(env, plans))
    assert scores.labels == tuple(plans)
    assert scores.values["return"][0] == pytest.approx([plan.value for plan in plans.values()], abs=1e-4)
    assert scores.values["return"].min() > -0.01


def test_a_plan_is_no_worse_than_what_it_began_from() -> None:
    env = AtBounds()
    best = np.outer(env.default_params.marks, np.arange(6))[..., None]
    for plan in make_plans(env, iterations=10, beginnings=[best]).values():
        assert plan.value == pytest.approx(0.0, abs=1e-6) and plan.history == (plan.value,)


@pytest.mark.parametrize(("iterations", "chunks"), [(5, 1), (10, 1), (11, 2)])
def test_iterations_are_rounded_up_to_whole_chunks(iterations: int, chunks: int) -> None:
    for plan in make_plans(Following(), iterations=iterations).values():
        assert len(plan.history) == chunks


def test_what_is_left_at_the_end_counts_where_it_is_asked_for() -> None:
    env = Following()
    without, with_it = (
        make_plans(env, objective=Objective(terminal=terminal), iterations=50)["mark 1.5"] for terminal in (False, True)
    )
    assert with_it.value == pytest.approx(without.value + 15.0, abs=1e-3)


def test_search_finds_the_cheapest_choices() -> None:
    env = Doses()
    plans = make_plans(env, beginnings=["off", "random"], iterations=50)
    found = {label: plan.value for label, plan in plans.items()}
    assert found == pytest.approx({"mark 0.5": -0.1, "mark 1.0": -0.2, "mark 1.5": -0.2}, abs=1e-6)
    assert {label: int(plan.actions.sum()) for label, plan in plans.items()} == {
        "mark 0.5": 2,
        "mark 1.0": 4,
        "mark 1.5": 6,
    }


def test_search_finds_what_exhaustive_search_finds() -> None:
    env = Doses()
    starts = windows(env)
    every = np.array(list(itertools.product(range(4), repeat=6)), np.int32)
    plans = make_plans(env, beginnings=["off", "random"], iterations=50)
    for n, label in enumerate(starts.labels):
        params = one_start(starts, n)
        values = jax.vmap(lambda actions, params=params: follow(env, jax.random.key(0), actions, params).total)(every)
        assert plans[label].value == pytest.approx(float(jnp.max(values)), abs=1e-6)


def test_choices_on_a_scale_are_found_by_gradients_and_rounded() -> None:
    env = WholeNumbers()
    plans = make_plans(env, iterations=300)
    assert plans["mark 1.0"].actions.tolist() == [0, 1, 2, 3, 4, 5] and plans["mark 1.0"].value == 0.0
    scores = evaluate(env, following(env, plans))
    assert scores.values["return"][0] == pytest.approx([plan.value for plan in plans.values()], abs=1e-5)
    assert plans["mark 0.5"].actions.dtype == env.action_space.dtype


def test_neighbours_change_one_step_or_move_a_choice() -> None:
    tried = {tuple(each) for each in search.neighbours(np.array([0, 2, 0], np.int32), 3).tolist()}
    changes = {(1, 2, 0), (2, 2, 0), (0, 0, 0), (0, 1, 0), (0, 2, 1), (0, 2, 2)}
    moves = {(1, 0, 0), (2, 0, 0), (0, 0, 1), (0, 0, 2)}
    assert tried == changes | moves


def test_search_goes_on_beside_sequences_without_a_finite_value() -> None:
    def values(tried: search.Choices) -> Any:
        return np.where(tried[:, 0] == 1, tried.sum(axis=1) * 1.0, np.nan)

    for first in ([0, 0], [1, 0]):
        plan, history = search.climb(np.array(first, np.int32), 3, values, 9)
        assert plan.tolist() == [1, 2] and history[-1] == 3.0
    assert search.climb(np.zeros(2, np.int32), 3, lambda tried: np.full(len(tried), np.nan), 9)[1] == [-np.inf]


@pytest.mark.slow
def test_lettuce_earns_more_with_hindsight_than_by_rules() -> None:
    env = Lettuce(episode_days=2.0)
    starts = windows(env)
    found = attainable(env, starts, make_plans(env, starts, iterations=60))
    rules, best = found.pair("return")
    assert found.baseline == "rule-based" and best[0] > rules[0] + 0.05
    share = found.share(found.upper)
    assert share.per_window == pytest.approx(1.0) and share.value == pytest.approx(1.0)
    assert found.share(found.lower).value == pytest.approx(0.0)


def test_plans_are_kept_and_the_better_ones_stay(tmp_path: Path) -> None:
    space = Following.action_space
    path = tmp_path / "plans.npz"
    good = Plan(np.full((6, 1), 2.5, np.float32), -1.0, (-3.0, -1.0))
    worse = Plan(np.zeros((6, 1), np.float32), -2.0, (-2.0,))
    save_plans(path, {"a": good, "b": worse}, space)
    save_plans(path, {"a": worse, "b": good}, space)
    held = load_plans(path, space)
    assert {label: plan.value for label, plan in held.items()} == {"a": -1.0, "b": -1.0}
    assert held["a"].actions == pytest.approx(good.actions, abs=1e-4) and held["a"].history == good.history


@pytest.mark.parametrize(("value", "history"), [(np.nan, (1.0,)), (1.0, (-np.inf, 1.0))])
def test_a_plan_without_finite_values_is_refused_and_leaves_the_file_as_it_is(
    value: float, history: tuple[float, ...], tmp_path: Path
) -> None:
    path, actions = tmp_path / "plans.npz", np.zeros((6, 1), np.float32)
    save_plans(path, {"a": Plan(actions, -1.0, (-1.0,))}, Following.action_space)
    with pytest.raises(ValueRangeError, match=r"a value in the plan of b is .*; expected a finite number"):
        save_plans(path, {"b": Plan(actions, value, history)}, Following.action_space)
    assert list(load_plans(path, Following.action_space)) == ["a"]


def test_plans_that_are_kept_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    space, path = Following.action_space, tmp_path / "folder" / "plans.npz"
    plan = Plan(np.zeros((6, 1), np.float32), -1.0, (-1.0,))
    labels = [f"start {number}" for number in range(12)]
    with ThreadPoolExecutor(len(labels)) as together:
        list(together.map(lambda label: save_plans(path, {label: plan}, space), labels))
    assert sorted(load_plans(path, space)) == sorted(labels)


def test_small_integers_hold_actions_to_a_hundred_thousandth_of_their_range() -> None:
    space = Box(np.array([-1.0, 0.0]), np.array([1.0, 50.0]))
    actions = np.random.default_rng(0).uniform(space.low, space.high, (9, 2))
    assert np.all(np.abs(unpacked(packed(actions, space), space) - actions) <= 1e-5 * (space.high - space.low))
    assert packed(np.array([[5.0, -3.0]]), space).tolist() == [[65535, 0]]


def test_few_levels_are_read_like_all() -> None:
    space = Following.action_space
    actions = np.linspace(-1.0, 9.0, 50)[:, None]
    held = packed(actions, space, FEW_LEVELS)
    assert held.dtype == np.uint16 and LEVELS % FEW_LEVELS == 0 and not np.any(held % (LEVELS // FEW_LEVELS))
    assert np.abs(unpacked(held, space) - actions).max() <= 0.5 * 10.0 / FEW_LEVELS + 1e-6


def test_bytes_hold_actions_and_earlier_files_are_read(tmp_path: Path) -> None:
    space, path = Following.action_space, tmp_path / "plans.npz"
    plan = Plan(np.linspace(-1.0, 9.0, 50, dtype=np.float32)[:, None], 2.0, (1.0, 2.0))
    actions = packed(plan.actions[None], space)
    assert in_bytes(actions).shape == (2, 1, 1, 50) and np.array_equal(from_bytes(in_bytes(actions)), actions)
    save_plans(path, {"a": plan}, space)
    arrays = dict(np.load(path))
    now = load_plans(path, space)["a"]
    np.savez(path, **arrays | {"format": np.array(plan_files.EARLIER), "actions": actions})
    before = load_plans(path, space)["a"]
    assert np.array_equal(now.actions, before.actions) and (now.value, now.history) == (before.value, before.history)


@pytest.mark.parametrize(("choices", "dtype"), [(2, np.uint8), (256, np.uint8), (257, np.uint16), (70_000, np.uint32)])
def test_choices_are_held_in_as_few_bytes_as_the_last_needs(choices: int, dtype: Any, tmp_path: Path) -> None:
    space, path = Discrete(choices), tmp_path / "plans.npz"
    plan = Plan(np.array([0, 1, choices - 1], np.int32), 2.0, (2.0,))
    assert packed(plan.actions, space).dtype == dtype
    save_plans(path, {"a": plan}, space)
    np.testing.assert_array_equal(load_plans(path, space)["a"].actions, plan.actions)


def steady(action: float, value: float, steps: int = 6) -> Plan:
    return Plan(np.full((steps, 1), action, np.float32), value, (value,))


def test_plans_of_the_cache_folder_and_of_the_package_are_at_hand_and_the_better_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = Following()
    monkeypatch.setattr(plan_files, "COMMITTED", tmp_path / "package")
    assert plans_at_hand(env) == {}
    path = keep_plans(env, {"mark 0.5": steady(1.0, -1.0), "mark 1.0": steady(2.0, -5.0)})
    assert path.parent == tmp_path / "plans" and plans_path(env, "terminal") != plans_path(env)
    keep_plans(env, {"mark 1.0": steady(3.0, -4.0, steps=4)}, folder=tmp_path / "package", levels=FEW_LEVELS)
    found = plans_at_hand(env)
    assert {label: plan.value for label, plan in found.items()} == {"mark 0.5": -1.0, "mark 1.0": -4.0}
    assert following(env, found).actions.shape == (2, 6, 1)  # the last action of a shorter plan is repeated
    assert plans_at_hand(env, "terminal") == plans_at_hand(Following(gain=2.0)) == {}


def test_a_controller_that_follows_plans_acts_from_their_starts_alone() -> None:
    env = Following()
    keep_plans(env, {"mark 0.5": steady(1.0, 0.0), "mark 1.5": steady(3.0, 0.0)})
    planned = oracle(env)
    assert evaluate(env, planned, episodes=2).labels == ("mark 0.5", "mark 1.5")
    missing = r"1 of 3 starts have no plan, the first being mark 1\.0; make them with `phytotron oracle`"
    for use in (evaluate, lambda env, planned: examine(env, [planned])):
        with pytest.raises(PhytotronError, match=missing):
            use(env, planned)
    with pytest.raises(PhytotronError, match=missing):
        make_plans(env, beginnings=["oracle"], iterations=1)


def test_without_plans_the_oracle_says_how_to_make_them() -> None:
    with pytest.raises(PhytotronError, match="phytotron oracle"):
        oracle(Following())
    with pytest.raises(PhytotronError, match=r"none of the plans is for a start of .*, such as mark 0\.5"):
        following(Following(), {"mark 9": Plan(np.zeros((6, 1)), 0.0, (0.0,))})
    with pytest.raises(PhytotronError, match="cannot be counted"):
        make_plans(Corridor())


@pytest.mark.parametrize("content", [b"", b"nothing of the kind"])
def test_a_file_without_plans_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "plans.npz"
    path.write_bytes(content)
    with pytest.raises(DataFileError, match=r"plans\.npz: no plans can be read"):
        load_plans(path, Following.action_space)


def test_half_way_is_a_share_of_what_was_gained() -> None:
    assert half_way((0.0, 1.0, 3.0, 4.0)) == 0.75
    assert half_way((2.0,)) == 1.0


def test_many_starts_at_once_have_the_gradients_of_each() -> None:
    env = Following()
    starts = windows(env)
    actions = jnp.asarray(np.random.default_rng(0).uniform(0.0, 5.0, (3, 6, 1)), jnp.float32)

    def total(actions: Array, params: Any) -> Array:
        return follow(env, jax.random.key(0), actions, params).total

    together = jax.jit(jax.vmap(jax.grad(total), (0, starts.axes)))(actions, starts.params)
    for n in range(3):
        alone = jax.grad(total)(actions[n], one_start(starts, n))
        assert np.asarray(together[n]) == pytest.approx(np.asarray(alone), rel=1e-5)
        steps = np.arange(6)[:, None] * float(starts.params.marks[n, 0])
        assert np.asarray(alone) == pytest.approx(-2.0 * (np.asarray(actions[n]) - steps), rel=1e-4)
